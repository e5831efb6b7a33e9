"""Ticks: who saw what when, order of commands, a clock that stands and steps, and digests that agree between servers fed alike."""

import json
import pathlib
import tempfile
import time

import harness
from harness import pb


def v(x, y):
    return pb.Vec2(x=x, y=y)


class Ticks(harness.TestCase):
    def test_a_result_carries_the_tick_that_first_saw_the_command(self):
        client = self.serve('--tick-rate', '60').connect()
        client.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        client.snapshot()
        for i in range(10):
            made = client.do(spawn_agents=harness.spawn((0, 5 * i)))
            snapshot = client.snapshot()
            while made.first_id not in [agent.id for agent in snapshot.agents]:
                self.assertLess(snapshot.tick, made.tick)
                snapshot = client.snapshot()
            self.assertEqual(snapshot.tick, made.tick)

    def test_commands_are_done_in_the_order_they_came(self):
        client = self.serve().connect()
        client.do(spawn_agents=harness.spawn((0, 0)))
        frames = b''
        for i in range(1, 101):
            message = pb.ClientMessage(request_id=i, teleport=pb.Teleport(id=1, position=v(i / 2, 0)))
            frames += harness.frame(message.SerializeToString())
        client.write(frames)
        results = [client.next('result') for _ in range(100)]
        self.assertEqual([result.request_id for result in results], list(range(1, 101)))
        self.assertEqual({result.code for result in results}, {pb.OK})
        ticks = [result.tick for result in results]
        self.assertEqual(ticks, sorted(ticks))
        self.assertAlmostEqual(client.agents()[0].position.x, 50, places=3)

    def test_a_query_sees_the_commands_before_it(self):
        client = self.serve().connect()
        for i in range(20):
            client.send(0, spawn_agents=harness.spawn((0, 4 * i)))
            self.assertEqual(len(client.agents()), i + 1)

    def test_ticks_keep_their_rate(self):
        client = self.serve('--tick-rate', '50').connect()
        first, began = client.ping().tick, time.monotonic()
        time.sleep(2)
        last, ended = client.ping().tick, time.monotonic()
        skipped = client.stats().ticks_skipped
        self.assertAlmostEqual((last - first + skipped) / (ended - began), 50, delta=5)

    def test_many_commands_of_one_tick_are_bounded_and_all_answered(self):
        client = self.serve('--inbox-max', '100').connect()
        client.do(set_clock=pb.SetClock(speed=0.1))
        frames = b''.join(harness.frame(pb.ClientMessage(
            request_id=i, remove_agents=pb.RemoveAgents(all=True)).SerializeToString()) for i in range(1, 1001))
        client.write(frames)
        results = [client.next('result', lambda result: result.request_id <= 1000) for _ in range(1000)]
        self.assertEqual({result.request_id for result in results}, set(range(1, 1001)))
        codes = {result.code for result in results}
        self.assertLessEqual(codes, {pb.OK, pb.RESOURCE_EXHAUSTED})
        self.assertIn(pb.RESOURCE_EXHAUSTED, codes)


class Pause(harness.TestCase):
    def test_a_clock_that_stands_still_takes_commands_and_steps(self):
        client = self.serve('--tick-rate', '60').connect()
        client.do(set_clock=pb.SetClock(paused=True))
        tick = client.stats().tick
        time.sleep(0.2)
        stats = client.stats()
        self.assertEqual((stats.tick, stats.paused), (tick, True))
        made = client.do(spawn_agents=pb.SpawnAgents(agents=[pb.AgentSpec(position=v(0, 0), point=v(50, 0))]))
        self.assertEqual(client.stats().tick, tick)
        self.assertEqual(made.tick, tick + 1)
        self.assertEqual(client.agents()[0].position.x, 0)
        client.do(set_clock=pb.SetClock(step_ticks=30))
        harness.wait_until(lambda: client.stats().tick == tick + 30, '30 steps are done')
        time.sleep(0.1)
        self.assertEqual(client.stats().tick, tick + 30)
        self.assertGreater(client.agents()[0].position.x, 0.1)
        client.do(set_clock=pb.SetClock(paused=False))
        harness.wait_until(lambda: client.stats().tick > tick + 40, 'it runs again')
        self.assertFalse(client.stats().paused)

    def test_snapshots_come_with_steps(self):
        client = self.serve().connect()
        client.do(set_clock=pb.SetClock(paused=True))
        client.do(subscribe=pb.Subscribe(snapshot_interval_ticks=2))
        client.do(set_clock=pb.SetClock(step_ticks=20))
        ticks = [client.snapshot().tick for _ in range(10)]
        self.assertEqual(ticks, list(range(ticks[0], ticks[0] + 20, 2)))
        self.assertRaises(TimeoutError, client.snapshot, 0.3)

    def test_speed_changes_the_rate_of_ticks(self):
        client = self.serve('--tick-rate', '30').connect()
        client.do(set_clock=pb.SetClock(speed=4))
        first, began = client.ping().tick, time.monotonic()
        time.sleep(1.5)
        last, ended = client.ping().tick, time.monotonic()
        self.assertAlmostEqual((last - first + client.stats().ticks_skipped) / (ended - began), 120, delta=20)
        self.assertEqual(client.stats().speed, 4)


class Digests(harness.TestCase):
    def feed(self, server):
        client = server.connect()
        client.do(set_clock=pb.SetClock(paused=True))
        # Ticks before the clock stood differ between servers: bring all to one.
        client.do(set_clock=pb.SetClock(step_ticks=200 - client.stats().tick))
        harness.wait_until(lambda: client.stats().tick == 200, 'tick 200')
        client.do(place_obstacles=pb.PlaceObstacles(obstacles=[
            pb.Obstacle(box=pb.Box(center=v(0, 0), size=v(6, 3), orientation_deg=20))]))
        client.do(spawn_crowd=pb.SpawnCrowd(
            count=150, seed=5, area=pb.Rectangle(min=v(-30, -30), max=v(30, 30)),
            goal_area=pb.Rectangle(min=v(-30, -30), max=v(30, 30)), retarget=True))
        client.do(spawn_agents=harness.spawn((50, 50), (51, 50), point=v(-50, -50)))
        digests = []
        for ticks in (1, 99, 100):
            tick = client.stats().tick + ticks
            client.do(set_clock=pb.SetClock(step_ticks=ticks))
            harness.wait_until(lambda t=tick: client.stats().tick == t, f'tick {tick}')
            digests.append((tick, client.query(digest=True).state_digest))
        self.assertEqual(client.stats().state_digest, digests[-1][1])
        return digests

    def test_servers_fed_alike_have_equal_digests_whatever_their_threads(self):
        one = self.feed(self.serve('--tick-rate', '240', '--seed', '3', '--threads', '1'))
        three = self.feed(self.serve('--tick-rate', '240', '--seed', '3', '--threads', '3'))
        other = self.feed(self.serve('--tick-rate', '240', '--seed', '4', '--threads', '1'))
        self.assertEqual(one, three)
        self.assertEqual(len({digest for _, digest in one}), 3)
        self.assertNotEqual(one, other)


class SameAsTheSimulator(harness.TestCase):
    """A server that is given commands between ticks has the digest of a scene that has them as events."""

    RATE = 32
    SCENE = f"""
world: {{min: [-30, -30], max: [30, 30], tick_rate: {RATE}, seed: 9}}
obstacles:
  - {{name: post, circle: {{center: [4, 1], radius: 1}}}}
  - {{segment: {{a: [-9, -20], b: [-9, 8]}}}}
agents:
  - {{name: a, position: [-20, 0], target: [20, 0]}}
  - {{name: b, position: [20, 0.5], path: [[0, 6], [-20, 0]]}}
  - {{name: c, position: [0, 20], target_agent: a}}
crowds:
  - {{count: 120, min: [-25, -25], max: [25, 25], seed: 7, target_min: [-25, -25], target_max: [25, 25], retarget: true}}
duration: 20
"""

    def simulate(self, text, ticks):
        with tempfile.TemporaryDirectory() as folder:
            scene, report = pathlib.Path(folder, 'scene.yaml'), pathlib.Path(folder, 'report.json')
            scene.write_text(text, encoding='utf-8')
            run = harness.run_steerd('simulate', scene, '--ticks', str(ticks), '--report', report)
            self.assertEqual(run.returncode, 0, run.stderr)
            return int(json.loads(report.read_text(encoding='utf-8'))['state_digest'], 16)

    def go_to(self, client, tick):
        client.do(set_clock=pb.SetClock(step_ticks=tick - client.stats().tick))
        harness.wait_until(lambda: client.stats().tick == tick, f'tick {tick}')

    def run_server(self, *arguments):
        """Ends at tick 400. Returns the digest and the commands with their ticks, as events of a scene."""
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, 'scene.yaml')
            scene.write_text(self.SCENE, encoding='utf-8')
            server = self.serve('--scenario', str(scene), *arguments)
            client = server.connect()
        client.do(set_clock=pb.SetClock(paused=True))
        self.assertLess(client.stats().tick, 100)
        viewer, stalled, leaving = (server.connect(role=harness.VIEWER) for _ in range(3))
        for one in (viewer, stalled, leaving):
            one.send(0, subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        commands = (
            (100, 'set_target: {agent: a, target: [-5, 25]}',
             {'set_targets': pb.SetTargets(targets=[pb.Target(ids=[1], point=v(-5, 25))])}),
            (150, 'place_obstacle: {name: late, box: {center: [0, 0], size: [3, 1], orientation: 30}}',
             {'place_obstacles': pb.PlaceObstacles(obstacles=[
                 pb.Obstacle(name='late', box=pb.Box(center=v(0, 0), size=v(3, 1), orientation_deg=30))])}),
            (200, 'teleport: {agent: b, position: [10, -10]}', {'teleport': pb.Teleport(id=2, position=v(10, -10))}),
            (250, 'remove_obstacle: post', {'remove_obstacles': pb.RemoveObstacles(ids=[1])}),
            (280, 'drive: {agent: c, velocity: [0.5, -1]}', {'drive': pb.Drive(id=3, velocity=v(0.5, -1))}),
            (300, 'remove_agent: a', {'remove_agents': pb.RemoveAgents(ids=[1])}),
        )
        events = 'events:\n'
        for tick, event, command in commands:
            self.go_to(client, tick)
            result = client.do(**command)
            events += f'  - {{at: {(result.tick - 1) / self.RATE!r}, {event}}}\n'
            if tick == 200:
                leaving.reset()
        self.go_to(client, 400)
        viewer.snapshot()
        return client.stats().state_digest, events

    def test_whatever_the_threads_and_the_viewers(self):
        one, events = self.run_server('--threads', '1')
        three, again = self.run_server('--threads', '3')
        self.assertEqual(events, again)
        self.assertEqual(one, three)
        self.assertEqual(f'{self.simulate(self.SCENE + events, 400):016x}', f'{one:016x}')
        # And it would show: one event less is another world.
        self.assertNotEqual(self.simulate(self.SCENE + events.rsplit('  -', 1)[0], 400), one)


class Queries(harness.TestCase):
    def test_long_answers_come_in_pieces(self):
        server = self.serve('--agents-max', '5000')
        client = server.connect()
        client.do(spawn_crowd=pb.SpawnCrowd(count=3000, area=pb.Rectangle(min=v(-90, -90), max=v(90, 90))))
        request_id = client.post(query=pb.Query(agents=pb.AgentFilter()))
        pieces = [client.next('query_result')]
        while not pieces[-1].last:
            pieces.append(client.next('query_result'))
        self.assertGreater(len(pieces), 1)
        self.assertEqual({piece.request_id for piece in pieces}, {request_id})
        self.assertEqual([agent.id for piece in pieces for agent in piece.agents], list(range(1, 3001)))
        self.assertEqual(client.result(request_id).code, pb.OK)

    def test_filters_by_id_and_area(self):
        client = self.serve().connect()
        client.do(spawn_agents=harness.spawn((0, 0), (10, 0), (20, 0)))

        def ids(**what):
            return [agent.id for agent in client.query(agents=pb.AgentFilter(**what)).agents]

        self.assertEqual(ids(), [1, 2, 3])
        self.assertEqual(ids(ids=[3, 1, 77]), [1, 3])
        self.assertEqual(ids(area=pb.Rectangle(min=v(5, -5), max=v(25, 5))), [2, 3])
        self.assertEqual(ids(ids=[1, 2], area=pb.Rectangle(min=v(5, -5), max=v(25, 5))), [2])

    def test_obstacles_profiles_and_figures(self):
        client = self.serve().connect()
        client.do(place_obstacles=pb.PlaceObstacles(obstacles=[
            pb.Obstacle(name='a', segment=pb.Segment(a=v(0, -3), b=v(0, 3))),
            pb.Obstacle(polygon=pb.Polygon(points=[v(8, 8), v(9, 8), v(9, 9)]))]))
        answer = client.query(obstacles=True, profiles=True, stats=True, digest=True)
        self.assertEqual([(o.id, o.WhichOneof('shape')) for o in answer.obstacles], [(1, 'segment'), (2, 'polygon')])
        self.assertEqual(answer.obstacles[0].segment.b.y, 3)
        self.assertEqual(answer.profiles[0].name, 'walker')
        self.assertTrue(all(b.summary and b.parameters is not None for b in answer.behaviours))
        stats = answer.stats
        self.assertEqual((stats.obstacles, stats.connections, stats.tick_rate_hz, stats.threads), (2, 1, 30, 2))
        self.assertGreater(stats.memory_bytes, 1 << 20)
        self.assertGreater(stats.bytes_received, 0)
        self.assertGreater(stats.bytes_sent, 0)
        self.assertEqual(answer.state_digest, stats.state_digest)


if __name__ == '__main__':
    harness.main()
