"""The program itself: signals, exit codes, addresses, files that cannot be read, and where options come from."""

import json
import os
import signal
import socket
import tempfile
import time

import harness
from harness import pb


class Stopping(harness.TestCase):
    def test_a_signal_says_goodbye_to_all_and_ends_with_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                server = self.serve()
                clients = [server.connect() for _ in range(5)]
                clients[0].do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
                silent = server.connect_raw()
                harness.wait_until(lambda c=clients[1]: c.stats().connections == 6, 'all are in')
                began = time.monotonic()
                server.signal(number)
                for client in [*clients, silent]:
                    goodbye = client.read_goodbye()
                    self.assert_goodbye(goodbye, pb.UNAVAILABLE, 'stopping')
                    self.assertGreater(goodbye.retry_after_ms, 0)
                    client.close()
                self.assertEqual(server.wait(), 0)
                self.assertLess(time.monotonic() - began, 2)

    def test_clients_that_do_nothing_do_not_hold_it_up(self):
        server = self.serve('--tick-rate', '60')
        clients = [server.connect(receive_bytes=4096) for _ in range(5)]
        clients[0].do(spawn_crowd=pb.SpawnCrowd(count=1500, area=pb.Rectangle(
            min=pb.Vec2(x=-90, y=-90), max=pb.Vec2(x=90, y=90))))
        for client in clients:
            client.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        time.sleep(0.5)
        began = time.monotonic()
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        self.assertLess(time.monotonic() - began, 2)

    def test_no_one_comes_in_while_it_stops(self):
        server = self.serve()
        holding = server.connect()
        server.signal(signal.SIGTERM)
        holding.read_goodbye()
        self.assertRaises(OSError, server.connect_raw)
        holding.close()
        self.assertEqual(server.wait(), 0)

    def test_a_second_signal_ends_at_once(self):
        server = self.serve()
        server.code_expected = 1
        client = server.connect()  # never closes, so that the first signal takes its time
        server.signal(signal.SIGTERM)
        client.read_message()
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 1)  # an orderly end would have been 0

    def test_it_stops_while_the_clock_stands(self):
        server = self.serve()
        server.connect().do(set_clock=pb.SetClock(paused=True))
        self.assertEqual(server.stop(), 0)

    def test_clients_that_vanish_do_not_end_it(self):
        server = self.serve('--tick-rate', '60')
        for _ in range(20):
            client = server.connect()
            client.send(1, subscribe=pb.Subscribe(snapshot_interval_ticks=1))
            client.reset()
        server.connect().ping()
        self.assertEqual(server.stop(), 0)


class Usage(harness.TestCase):
    def assert_fails(self, code, words, *arguments, environment=None):
        done = harness.run_steerd(*arguments, environment=environment)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, '')
        self.assertRegex(done.stderr, words)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def file(self, text, suffix='.yaml'):
        file = tempfile.NamedTemporaryFile('w', suffix=suffix, delete=False)
        self.addCleanup(os.unlink, file.name)
        file.write(text)
        file.close()
        return file.name

    def test_wrong_usage_ends_with_2(self):
        for arguments, words in (
                (('serve', '--no-such-option'), 'no-such-option'),
                (('--no-such-option',), 'no-such-option'),
                (('fly',), 'fly'),
                (('serve', 'word'), 'word'),
                (('serve', '--tick-rate'), 'tick-rate'),
                (('serve', '--tick-rate', 'fast'), 'tick-rate.*fast.*1.*240'),
                (('serve', '--tick-rate', '0'), 'tick-rate.*0.*1.*240'),
                (('serve', '--tick-rate', '241'), 'tick-rate.*241.*1.*240'),
                (('serve', '--snapshot-interval', '3'), 'snapshot-interval.*3.*1.*8'),
                (('serve', '--world-min', '1'), 'world-min'),
                (('serve', '--world-min', '1,nan'), 'world-min'),
                (('serve', '--listen', 'nowhere'), 'listen.*nowhere'),
                (('serve', '--listen', '127.0.0.1:99999'), 'listen.*99999'),
                (('serve', '--listen', '0.0.0.0:0'), r'0\.0\.0\.0:0.*--tokens.*--open'),
                (('serve', '--listen', '[::]:0'), '--tokens.*--open'),
                (('serve', '--log-level', 'loud'), 'log-level.*loud.*error.*debug'),
                (('serve', '--open', '--tokens', '/dev/null'), 'tokens.*open')):
            with self.subTest(arguments):
                self.assert_fails(2, words, *arguments)
        with self.subTest('environment'):
            self.assert_fails(2, 'STEERD_TICK_RATE|tick-rate', 'serve', environment={'STEERD_TICK_RATE': '999'})

    def test_a_port_in_use_ends_with_1(self):
        with socket.create_server(('127.0.0.1', 0)) as taken:
            address = f'127.0.0.1:{taken.getsockname()[1]}'
            done = harness.run_steerd('serve', '--listen', address, '--agents-max', '10', '--log-level', 'error')
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, '')
        self.assertRegex(done.stderr, f'^steerd: .*{address}.*in use\n$')

    def run_as_nobody(self, *arguments):
        """As someone without rights; root lends itself to nobody for it."""
        settings = {}
        if os.geteuid() == 0:
            settings = {'user': 65534, 'group': 65534, 'extra_groups': []}
        try:
            return harness.run_steerd('serve', '--agents-max', '10', '--log-level', 'error', *arguments, **settings)
        except PermissionError:
            self.skipTest('the program lies where nobody may run it')

    def test_no_permission_for_a_port_ends_with_1(self):
        with open('/proc/sys/net/ipv4/ip_unprivileged_port_start', encoding='ascii') as file:
            if int(file.read()) <= 1:
                self.skipTest('everybody may listen on every port here')
        done = self.run_as_nobody('--listen', '127.0.0.1:1')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r'^steerd: .*127\.0\.0\.1:1.*permission')

    def test_no_permission_for_a_file_ends_with_1(self):
        name = self.file('viewer one\n', '.tokens')
        os.chmod(name, 0)
        done = self.run_as_nobody('--listen', '127.0.0.1:0', '--tokens', name)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, f'^steerd: .*{name}.*[Pp]ermission denied')

    def test_no_such_address_ends_with_1(self):
        done = harness.run_steerd('serve', '--open', '--listen', '192.0.2.1:0', '--agents-max', '10',
                                  '--log-level', 'error')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r'^steerd: .*192\.0\.2\.1.*address')

    def test_files_that_cannot_be_read_end_with_1(self):
        for option in ('--tokens', '--config', '--scenario'):
            with self.subTest(option):
                self.assert_fails(1, '/no/such/file.*[Nn]o such file', 'serve', '--listen', '127.0.0.1:0',
                                  '--log-level', 'error', option, '/no/such/file')
            with self.subTest(option, file='a directory'):
                self.assert_fails(1, '/tmp', 'serve', '--listen', '127.0.0.1:0', '--log-level', 'error', option, '/tmp')

    def test_a_config_file_names_file_line_key_and_range(self):
        for text, words in (('tick-rate: 30\nsnapshot: 2\n', r'{}:2.*snapshot'),
                            ('agents-max: 10\n\ntick-rate: 999\n', r'{}:3.*tick-rate.*999.*1.*240'),
                            ('tick-rate: [1, 2\n', r'{}:\d')):
            with self.subTest(text):
                name = self.file(text)
                self.assert_fails(1, words.format(name), 'serve', '--listen', '127.0.0.1:0', '--log-level', 'error',
                                  '--config', name)

    def test_a_token_file_names_file_and_line(self):
        for text, words in (('viewer one\nboss two\n', r'{}:2.*boss'), ('viewer\n', r'{}:1'),
                            ('viewer a b\n', r'{}:1'), ('', r'{}')):
            with self.subTest(text):
                name = self.file(text, '.tokens')
                self.assert_fails(1, words.format(name), 'serve', '--listen', '127.0.0.1:0', '--log-level', 'error',
                                  '--tokens', name)

    def test_a_scenario_file_names_file_line_key_and_range(self):
        name = self.file('world:\n  min: [-5, -5]\n  max: [5, 5]\n  tick_rate: 900\n')
        self.assert_fails(1, f'{name}:4.*tick_rate.*900.*240', 'serve', '--listen', '127.0.0.1:0', '--log-level',
                          'error', '--scenario', name)

    def test_version_and_help(self):
        done = harness.run_steerd('version', '--json')
        self.assertEqual(done.returncode, 0)
        self.assertRegex(json.loads(done.stdout)['version'], r'^\d+\.\d+\.\d+$')
        done = harness.run_steerd('serve', '--help')
        self.assertEqual(done.returncode, 0)
        for word in ('--tick-rate', 'STEERD_TICK_RATE', '1 to 240', '--listen', '--scenario', '--tokens', '--config',
                     '--agents-max', '--connections-max', '--viewers-max', '--threads', '--log-format'):
            self.assertIn(word, done.stdout)
        self.assertEqual(harness.run_steerd('--help').returncode, 0)


class Options(harness.TestCase):
    def rates(self, server):
        welcome = server.connect().welcome
        return welcome.tick_rate_hz, welcome.snapshot_interval_ticks

    def test_flag_beats_environment_beats_file(self):
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as config:
            config.write('tick-rate: 11\nsnapshot-interval: 8\n')
            config.flush()
            in_file = ('--config', config.name)
            in_environment = {'STEERD_TICK_RATE': '22'}
            self.assertEqual(self.rates(self.serve()), (30, 2))
            self.assertEqual(self.rates(self.serve(*in_file)), (11, 8))
            self.assertEqual(self.rates(self.serve(environment={'STEERD_CONFIG': config.name})), (11, 8))
            self.assertEqual(self.rates(self.serve(*in_file, environment=in_environment)), (22, 8))
            self.assertEqual(self.rates(self.serve(*in_file, '--tick-rate', '33', environment=in_environment)), (33, 8))

    def test_values_may_begin_with_a_minus(self):
        welcome = self.serve('--world-min', '-7,-8', '--world-max=9,10').connect().welcome
        self.assertEqual((welcome.world_min.x, welcome.world_min.y), (-7, -8))
        self.assertEqual((welcome.world_max.x, welcome.world_max.y), (9, 10))

    def test_serve_is_the_default_command(self):
        done = harness.run_steerd('--listen', 'nowhere')
        self.assertEqual(done.returncode, 2)
        self.assertIn('nowhere', done.stderr)

    def test_several_addresses_and_both_families(self):
        server = self.serve('--open', listen=('--listen', '127.0.0.1:0', '--listen', ':0'))
        self.assertEqual(server.host, '127.0.0.1')
        server.connect().ping()
        line = server.process.stdout.readline().decode()
        self.assertRegex(line, r'^listening tcp \[::\]:\d+$|^listening tcp 0\.0\.0\.0:\d+$')
        port = int(line.rsplit(':', 1)[1])
        for host in ('127.0.0.1', '::1') if '[::]' in line else ('127.0.0.1',):
            client = harness.Client(host, port)
            self.addCleanup(client.close)
            client.hello()

    def test_a_scenario_is_there_at_the_start(self):
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as scenario:
            scenario.write('world:\n  min: [-20, -20]\n  max: [20, 20]\n  tick_rate: 60\n'
                           'obstacles:\n  - {name: post, circle: {center: [0, 0], radius: 1}}\n'
                           'agents:\n  - {name: a, position: [-5, 0], target: [5, 0]}\n'
                           'crowds:\n  - {count: 9, min: [-15, 5], max: [15, 15], target_min: [-15, 5],'
                           ' target_max: [15, 15], retarget: true}\n')
            scenario.flush()
            server = self.serve('--scenario', scenario.name)
            client = server.connect()
            self.assertEqual((client.welcome.tick_rate_hz, client.welcome.world_max.x), (60, 20))
            self.assertEqual(len(client.agents()), 10)
            answer = client.query(obstacles=True)
            self.assertEqual([obstacle.name for obstacle in answer.obstacles], ['post'])
            harness.wait_until(lambda: client.stats().tick > 100, 'it runs on')
            other = self.serve('--scenario', scenario.name, '--tick-rate', '20')
            self.assertEqual(other.connect().welcome.tick_rate_hz, 20)

    def test_logs_are_lines_of_json_when_asked_for(self):
        server = self.serve('--log-format', 'json', '--log-level', 'debug')
        server.connect(name='a "quoted"\nname').ping()
        self.assertEqual(server.stop(), 0)
        lines = [json.loads(line) for line in server.log().splitlines()]
        self.assertTrue(all({'time', 'level', 'message'} <= line.keys() for line in lines))
        self.assertIn('a "quoted"\nname', [line.get('name') for line in lines])

    def test_healthcheck(self):
        server = self.serve()
        address = f'127.0.0.1:{server.port}'
        self.assertEqual(harness.run_steerd('healthcheck', '--server', address).returncode, 0)
        self.assertEqual(server.stop(), 0)
        done = harness.run_steerd('healthcheck', '--server', address)
        self.assertEqual(done.returncode, 1)
        self.assertIn(address, done.stderr)


if __name__ == '__main__':
    harness.main()
