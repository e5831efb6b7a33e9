"""A first client in any language: with nothing but the .proto and the framing of proto/README.md (no helper of the other tests, so that this
file reads like one's own first hour) it says hello, spawns, subscribes, reads snapshots and provokes errors.
"""

import os
import socket
import subprocess
import sys
import unittest

from steerd.v1 import steerd_pb2 as pb


def write(sock, message):
    body = message.SerializeToString()
    length = len(body)
    prefix = b''
    while length >= 0x80:
        prefix += bytes([length & 0x7f | 0x80])
        length >>= 7
    sock.sendall(prefix + bytes([length]) + body)


def read(stream):
    """The next ServerMessage, None at the end."""
    length = shift = 0
    while True:
        byte = stream.read(1)
        if not byte:
            return None
        length |= (byte[0] & 0x7f) << shift
        shift += 7
        if not byte[0] & 0x80:
            return pb.ServerMessage.FromString(stream.read(length))


class Contract(unittest.TestCase):
    def setUp(self):
        self.server = subprocess.Popen(
            [os.environ['STEERD'], 'serve', '--listen', '127.0.0.1:0', '--agents-max', '1000', '--log-level', 'error'],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.addCleanup(self.server.stdout.close)
        host, port = self.server.stdout.readline().decode().split()[2].rsplit(':', 1)
        self.address = host, int(port)

    def connect(self):
        sock = socket.create_connection(self.address, timeout=30)
        stream = sock.makefile('rb')
        self.addCleanup(stream.close)
        self.addCleanup(sock.close)
        return sock, stream

    def greet(self, role):
        sock, stream = self.connect()
        write(sock, pb.ClientMessage(hello=pb.Hello(protocol_version=1, client_name='interop', role=role)))
        welcome = read(stream).welcome
        self.assertEqual((welcome.protocol_version, welcome.role), (1, role))
        return sock, stream, welcome

    def await_kind(self, stream, kind):
        while True:
            message = read(stream)
            self.assertIsNotNone(message, f'the stream ended before a {kind}')
            if message.WhichOneof('body') == kind:
                return getattr(message, kind)

    def test_hello_spawn_subscribe_and_watch_it_walk(self):
        sock, stream, welcome = self.greet(pb.ROLE_CONTROLLER)
        self.assertEqual(welcome.tick_rate_hz, 30)
        write(sock, pb.ClientMessage(request_id=1, place_obstacles=pb.PlaceObstacles(obstacles=[
            pb.Obstacle(name='post', circle=pb.Circle(center=pb.Vec2(x=0, y=0), radius=1))])))
        result = self.await_kind(stream, 'result')
        self.assertEqual((result.request_id, result.code, result.first_id, result.id_count), (1, pb.OK, 1, 1))
        write(sock, pb.ClientMessage(request_id=2, spawn_agents=pb.SpawnAgents(agents=[
            pb.AgentSpec(position=pb.Vec2(x=-6), tag=42, point=pb.Vec2(x=6))])))
        result = self.await_kind(stream, 'result')
        self.assertEqual((result.request_id, result.code, result.first_id, result.id_count), (2, pb.OK, 1, 1))
        write(sock, pb.ClientMessage(request_id=3, subscribe=pb.Subscribe(events=True)))
        self.assertEqual(self.await_kind(stream, 'result').code, pb.OK)
        update = self.await_kind(stream, 'world_update')
        self.assertEqual([obstacle.name for obstacle in update.obstacles], ['post'])
        first = self.await_kind(stream, 'snapshot')
        latest = first
        for _ in range(30):
            latest = self.await_kind(stream, 'snapshot')
            agent, = latest.agents
            self.assertEqual((agent.id, agent.tag), (1, 42))
            # Round the post, never through it: half a centimetre is the sliding of a swept circle.
            self.assertGreater((agent.position.x ** 2 + agent.position.y ** 2) ** 0.5, 1.4 - 0.005)
        self.assertEqual(latest.tick, first.tick + 30 * welcome.snapshot_interval_ticks)
        self.assertGreater(latest.agents[0].position.x, first.agents[0].position.x + 1)

    def test_a_walker_arrives_and_says_so(self):
        sock, stream, _ = self.greet(pb.ROLE_CONTROLLER)
        write(sock, pb.ClientMessage(request_id=1, subscribe=pb.Subscribe(events=True)))
        write(sock, pb.ClientMessage(request_id=2, spawn_agents=pb.SpawnAgents(agents=[
            pb.AgentSpec(position=pb.Vec2(x=20, y=20), point=pb.Vec2(x=22, y=20))])))
        arrived = self.await_kind(stream, 'events').events[0].arrived
        self.assertEqual(arrived.id, 1)

    def test_errors_have_a_code_and_a_sentence(self):
        sock, stream, _ = self.greet(pb.ROLE_CONTROLLER)
        cases = (
            (pb.ClientMessage(request_id=1, spawn_agents=pb.SpawnAgents(agents=[
                pb.AgentSpec(position=pb.Vec2(x=float('nan')))])), pb.INVALID_ARGUMENT),
            (pb.ClientMessage(request_id=2, spawn_agents=pb.SpawnAgents(agents=[
                pb.AgentSpec(position=pb.Vec2(x=1000))])), pb.OUT_OF_RANGE),
            (pb.ClientMessage(request_id=3, remove_agents=pb.RemoveAgents(ids=[5])), pb.NOT_FOUND),
            (pb.ClientMessage(request_id=4, set_clock=pb.SetClock(paused=True)), pb.PERMISSION_DENIED),
            (pb.ClientMessage(request_id=5, subscribe=pb.Subscribe(format=pb.FORMAT_DELTA)), pb.UNIMPLEMENTED),
            (pb.ClientMessage(request_id=6), pb.INVALID_ARGUMENT),
        )
        for message, code in cases:
            write(sock, message)
            result = self.await_kind(stream, 'result')
            self.assertEqual((result.request_id, pb.Code.Name(result.code)), (message.request_id, pb.Code.Name(code)))
            self.assertGreater(len(result.message), 10)
        write(sock, pb.ClientMessage(ping=pb.Ping(client_time_us=7)))
        self.assertEqual(self.await_kind(stream, 'pong').client_time_us, 7)

    def test_no_hello_no_session(self):
        sock, stream = self.connect()
        write(sock, pb.ClientMessage(request_id=1, query=pb.Query(stats=True)))
        self.assertEqual(self.await_kind(stream, 'goodbye').code, pb.UNAUTHENTICATED)
        self.assertIsNone(read(stream))

    def test_a_query_reads_the_world(self):
        sock, stream, _ = self.greet(pb.ROLE_VIEWER)
        write(sock, pb.ClientMessage(request_id=9, query=pb.Query(profiles=True, stats=True)))
        answer = self.await_kind(stream, 'query_result')
        self.assertEqual(answer.request_id, 9)
        self.assertTrue(answer.profiles or not answer.last)
        self.assertEqual(self.await_kind(stream, 'result').request_id, 9)


if __name__ == '__main__':
    program = unittest.main(verbosity=2, exit=False)
    sys.exit(program.result.testsRun == 0 or not program.result.wasSuccessful())
