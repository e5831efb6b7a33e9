"""Who may come in and what each may do: Hello, versions, tokens, roles, limits of connections and viewers."""

import os
import tempfile
import time

import harness
from harness import pb


class Hello(harness.SharedServerTestCase):
    def test_welcome_says_every_rate_and_limit(self):
        welcome = self.server.connect(harness.CONTROLLER).welcome
        self.assertEqual(welcome.protocol_version, 1)
        self.assertRegex(welcome.server_version, r'^\d+\.\d+\.\d+$')
        self.assertEqual(welcome.role, pb.ROLE_CONTROLLER)
        self.assertEqual(welcome.tick_rate_hz, 30)
        self.assertEqual(welcome.snapshot_interval_ticks, 2)
        self.assertEqual((welcome.world_min.x, welcome.world_min.y), (-100, -100))
        self.assertEqual((welcome.world_max.x, welcome.world_max.y), (100, 100))
        self.assertEqual(welcome.cell_size_m, 16)
        self.assertAlmostEqual(welcome.position_step_m, 0.01, places=6)
        self.assertEqual(welcome.orientation_steps, 256)
        self.assertEqual(welcome.client_frame_bytes_max, 64 * 1024)
        self.assertEqual(welcome.server_frame_bytes_max, 4 * 1024 * 1024)
        self.assertEqual(welcome.agents_max, 2000)
        self.assertEqual(welcome.state_digest_algorithm, 'XXH3-64')

    def test_session_ids_are_not_used_again(self):
        seen = set()
        for _ in range(5):
            client = self.server.connect()
            seen.add(client.welcome.session_id)
            client.close()
        self.assertEqual(len(seen), 5)

    def test_no_role_means_viewer(self):
        self.assertEqual(self.server.connect(pb.ROLE_UNSPECIFIED).welcome.role, pb.ROLE_VIEWER)

    def test_anything_else_first_is_unauthenticated(self):
        for name, body in (('ping', {'ping': pb.Ping()}), ('command', {'spawn_agents': harness.spawn((0, 0))}),
                           ('query', {'query': pb.Query(stats=True)}), ('nothing', {})):
            with self.subTest(name):
                client = self.server.connect_raw()
                client.send(1, **body)
                self.assert_goodbye(client.read_goodbye(), pb.UNAUTHENTICATED, 'Hello')
        self.assertEqual(list(self.server.connect().agents()), [])

    def test_garbage_first_is_unauthenticated(self):
        client = self.server.connect_raw()
        client.write(b'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n' + bytes(64))
        self.assert_goodbye(client.read_goodbye(), pb.UNAUTHENTICATED, 'Hello')

    def test_a_second_hello_ends_the_session(self):
        client = self.server.connect()
        client.send(hello=pb.Hello(protocol_version=1))
        self.assert_goodbye(client.read_goodbye(), pb.FAILED_PRECONDITION, 'second Hello')

    def test_another_version_is_refused(self):
        for version in (0, 2, 4294967295):
            with self.subTest(version):
                client = self.server.connect_raw()
                client.send(hello=pb.Hello(protocol_version=version))
                goodbye = client.read_goodbye()
                self.assertRegex(goodbye.reason, f'version.*{version}.*1')

    def test_hello_out_of_range_is_refused(self):
        client = self.server.connect_raw()
        client.send(hello=pb.Hello(protocol_version=1, client_name='n' * 65))
        self.assert_goodbye(client.read_goodbye(), pb.OUT_OF_RANGE, 'client_name.*65.*64')
        client = self.server.connect_raw()
        client.write_frame(b'\x12\x04\x08\x01\x18\x09')  # role 9
        self.assert_goodbye(client.read_goodbye(), pb.INVALID_ARGUMENT, 'role.*9')

    def test_commands_after_goodbye_are_not_done(self):
        client = self.server.connect()
        client.write(harness.frame(pb.ClientMessage(hello=pb.Hello(protocol_version=1)).SerializeToString()) +
                     harness.frame(pb.ClientMessage(spawn_agents=harness.spawn((0, 0))).SerializeToString()))
        client.read_end()
        self.assertEqual(list(self.server.connect().agents()), [])

    def test_ping_brings_time_back(self):
        client = self.server.connect(harness.VIEWER)
        client.send(ping=pb.Ping(client_time_us=2**63 + 5))
        pong = client.next('pong')
        self.assertEqual(pong.client_time_us, 2**63 + 5)
        self.assertLess(abs(pong.server_time_us / 1e6 - time.time()), 60)


def bodies_by_role():
    """Each body of ClientMessage with the least role that it needs."""
    viewer = {'subscribe': pb.Subscribe(), 'unsubscribe': pb.Unsubscribe(), 'query': pb.Query(digest=True)}
    controller = {'spawn_agents': pb.SpawnAgents(), 'spawn_crowd': pb.SpawnCrowd(),
                  'remove_agents': pb.RemoveAgents(), 'set_targets': pb.SetTargets(), 'drive': pb.Drive(),
                  'teleport': pb.Teleport(), 'define_profile': pb.DefineProfile(), 'set_profile': pb.SetProfile(),
                  'place_obstacles': pb.PlaceObstacles(), 'remove_obstacles': pb.RemoveObstacles()}
    admin = {'set_clock': pb.SetClock(), 'save': pb.Save(), 'reset': pb.Reset()}
    known = {'hello', 'ping', *viewer, *controller, *admin}
    missing = {field.name for field in pb.ClientMessage.DESCRIPTOR.oneofs_by_name['body'].fields} - known
    assert not missing, f'no role is known for {missing}'
    return ((harness.VIEWER, viewer), (harness.CONTROLLER, controller), (harness.ADMIN, admin))


class Roles(harness.TestCase):
    def test_each_command_needs_its_role(self):
        server = self.serve()
        names = {harness.VIEWER: 'viewer', harness.CONTROLLER: 'controller', harness.ADMIN: 'admin'}
        clients = {role: server.connect(role) for role in names}
        for needed, bodies in bodies_by_role():
            for name, body in bodies.items():
                for role, client in clients.items():
                    with self.subTest(name, role=names[role]):
                        result = client.ask(**{name: body})
                        if role < needed:
                            self.assert_refused(result, pb.PERMISSION_DENIED, f'{names[needed]}.*{names[role]}')
                        else:
                            self.assertNotEqual(result.code, pb.PERMISSION_DENIED, result.message)

    def test_a_failure_without_an_id_is_answered_and_success_is_not(self):
        client = self.serve().connect(harness.CONTROLLER)
        client.send(0, spawn_agents=harness.spawn((1, 1)))
        client.send(0, remove_agents=pb.RemoveAgents(ids=[999]))
        client.send(5, remove_agents=pb.RemoveAgents(ids=[1]))
        self.assertEqual([(result.request_id, result.code) for result in (client.next('result'), client.next('result'))],
                         [(0, pb.NOT_FOUND), (5, pb.OK)])


class Tokens(harness.TestCase):
    TOKENS = '# who may what\nviewer see-1\n\ncontroller do-22\nadmin all-333\n'

    def serve_tokens(self):
        file = tempfile.NamedTemporaryFile('w', suffix='.tokens', delete=False)
        self.addCleanup(os.unlink, file.name)
        file.write(self.TOKENS)
        file.close()
        return self.serve('--tokens', file.name)

    def test_a_token_grants_its_role_at_most(self):
        server = self.serve_tokens()
        for token, asked, granted in (('see-1', harness.VIEWER, harness.VIEWER), ('see-1', harness.ADMIN, harness.VIEWER),
                                      ('do-22', harness.ADMIN, harness.CONTROLLER),
                                      ('do-22', harness.VIEWER, harness.VIEWER),
                                      ('all-333', harness.ADMIN, harness.ADMIN),
                                      ('all-333', pb.ROLE_UNSPECIFIED, harness.VIEWER)):
            with self.subTest(token, asked=asked):
                self.assertEqual(server.connect(asked, token).welcome.role, granted)

    def test_a_wrong_token_is_unauthenticated(self):
        server = self.serve_tokens()
        for token in ('', 'see', 'see-11', 'SEE-1', 'x' * 1000):
            with self.subTest(token):
                client = server.connect_raw()
                client.send(hello=pb.Hello(protocol_version=1, token=token))
                self.assert_goodbye(client.read_goodbye(), pb.UNAUTHENTICATED, 'token')
        stats = server.connect(harness.ADMIN, 'all-333').stats()
        self.assertEqual((stats.connections_refused, stats.connections_faulted), (5, 0))

    def test_tokens_are_not_logged(self):
        server = self.serve_tokens()
        server.connect(harness.ADMIN, 'all-333')
        client = server.connect_raw()
        client.send(hello=pb.Hello(protocol_version=1, token='wrong-4444'))
        client.read_goodbye()
        self.assertEqual(server.stop(), 0)
        self.assertNotIn('all-333', server.log())
        self.assertNotIn('wrong-4444', server.log())


class Limits(harness.TestCase):
    def test_over_the_connection_limit_goodbye_comes_within_100_ms(self):
        server = self.serve('--connections-max', '3')
        inside = [server.connect() for _ in range(3)]
        waits = []
        for _ in range(20):
            client = server.connect_raw()
            began = time.monotonic()
            goodbye = client.read_goodbye()
            waits.append(time.monotonic() - began)
            self.assert_goodbye(goodbye, pb.RESOURCE_EXHAUSTED, '3')
            self.assertGreater(goodbye.retry_after_ms, 0)
            client.close()
        # The best of twenty: a busy machine may hold up one of them, but not each.
        self.assertLess(min(waits), 0.1)
        inside.pop().close()
        harness.wait_until(lambda: inside[0].stats().connections < 3, 'a place is free')
        server.connect().ping()
        self.assertEqual(inside[0].stats().connections_refused, 20)

    def test_those_over_the_limit_may_talk_and_still_get_goodbye(self):
        server = self.serve('--connections-max', '1')
        server.connect()
        clients = [server.connect_raw() for _ in range(100)]
        for client in clients:
            try:
                client.send(hello=pb.Hello(protocol_version=1))
            except (BrokenPipeError, ConnectionResetError):
                pass  # the end may be here already; Goodbye is too
        for client in clients:
            message = client.read_message()
            self.assertEqual(message.goodbye.code, pb.RESOURCE_EXHAUSTED)
            client.close()

    def test_the_viewer_limit_is_an_answer(self):
        server = self.serve('--viewers-max', '2')
        clients = [server.connect(harness.VIEWER) for _ in range(3)]
        clients[0].do(subscribe=pb.Subscribe())
        clients[1].do(subscribe=pb.Subscribe())
        clients[1].do(subscribe=pb.Subscribe(snapshot_interval_ticks=8))  # replacing one's own is no new viewer
        self.assert_refused(clients[2].ask(subscribe=pb.Subscribe()), pb.RESOURCE_EXHAUSTED, '2')
        clients[0].do(unsubscribe=pb.Unsubscribe())
        clients[2].do(subscribe=pb.Subscribe())

    def test_views_can_be_replaced_when_all_are_taken(self):
        server = self.serve('--viewers-max', '2')
        viewers = [server.connect() for _ in range(2)]
        for turn in range(3):
            for i, viewer in enumerate(viewers):
                corner = pb.Vec2(x=10 * i + turn + 1, y=1)
                viewer.do(subscribe=pb.Subscribe(rectangle=pb.Rectangle(min=pb.Vec2(), max=corner),
                                                 format=pb.FORMAT_FULL))

    def test_too_few_open_files_lower_the_connection_limit(self):
        if os.geteuid() == 0:
            self.skipTest('root may raise the limit again')
        server = self.serve('--connections-max', '5000', files_max=160)
        server.connect().ping()
        self.assertIn('connections-max is lowered', server.log())


if __name__ == '__main__':
    harness.main()
