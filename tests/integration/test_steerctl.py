"""steerctl against a real server: words, JSON and exit codes of every sub-command, and watch in a file and on a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import time
import unittest

import harness

STEERCTL = os.path.join(os.path.dirname(harness.STEERD), 'steerctl')

ANSWER_KEYS = ['code', 'message', 'tick', 'first_id', 'count']
STATS_KEYS = ['tick', 'tick_rate_hz', 'agents', 'viewers', 'connections', 'ticks_skipped', 'tick_us', 'tick_lateness_us',
              'snapshot_bytes', 'snapshots_skipped', 'memory_bytes', 'state_digest']


def environment(server, **extra):
    values = harness.clean_environment({'LC_ALL': 'C.UTF-8', **extra})
    if server is not None:
        values['STEERCTL_SERVER'] = f'{server.host}:{server.port}'
    return values


def steerctl(server, *arguments, **extra):
    """Runs it to its end."""
    return subprocess.run([STEERCTL, *arguments], env=environment(server, **extra), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=harness.PATIENCE_S, check=False)


class SteerctlTestCase(harness.TestCase):
    def ok(self, *arguments):
        """What it prints when it succeeds; nothing may be on stderr."""
        run = steerctl(self.server, *arguments)
        self.assertEqual((run.returncode, run.stderr), (0, ''), arguments)
        return run.stdout

    def answer(self, *arguments):
        """The one JSON object of a success."""
        text = self.ok('--json', *arguments)
        self.assertEqual(text.count('\n'), 1, text)
        return json.loads(text)

    def done(self, *arguments):
        """The answer of a command that changes something."""
        answer = self.answer(*arguments)
        self.assertEqual(list(answer), ANSWER_KEYS)
        self.assertEqual((answer['code'], answer['message']), ('OK', ''))
        return answer

    def agents(self, *arguments):
        return self.answer('query', 'agents', *arguments)['agents']

    def agent(self, agent_id):
        [agent] = self.agents('--id', str(agent_id))
        return agent

    def assert_one_sentence(self, run, code, words):
        self.assertEqual(run.returncode, code, run)
        self.assertRegex(run.stderr, r'\Asteerctl: [^\n]+\n\Z')
        self.assertRegex(run.stderr, words)

    def assert_refused(self, arguments, words, code_name):
        """In words on stderr with exit 1; with --json the answer is on stdout too."""
        run = steerctl(self.server, *arguments)
        self.assert_one_sentence(run, 1, words)
        self.assertEqual(run.stdout, '')
        run = steerctl(self.server, '--json', *arguments)
        self.assert_one_sentence(run, 1, words)
        answer = json.loads(run.stdout)
        self.assertEqual(list(answer), ANSWER_KEYS)
        self.assertEqual(answer['code'], code_name)
        self.assertRegex(answer['message'], words)


class Commands(SteerctlTestCase):
    def setUp(self):
        self.server = self.serve()

    def test_spawn_says_and_answers_what_it_made(self):
        self.assertRegex(self.ok('spawn', '--position=-6,0', '--target', '6,0'), r'\ASpawned agent 1 at tick \d+\.\n\Z')
        answer = self.done('spawn', '--position', '-6,-3', '--velocity', '-1,0.5', '--orientation', '90', '--tag', '77')
        self.assertEqual((answer['first_id'], answer['count']), (2, 1))
        self.assertEqual(self.agent(2)['tag'], 77)
        self.assertEqual(self.done('spawn', '--position', '0,5', '--follow', '1')['first_id'], 3)
        self.assertEqual(self.done('spawn', '--position', '0,9', '--path', '1,9,2,9,3,9')['first_id'], 4)
        self.assertEqual(self.agent(4)['state'], 'moving')

    def test_spawn_refused_by_the_server_shows_its_words(self):
        self.assert_refused(['spawn', '--position', '500,0'], r'position\.x.*500', 'OUT_OF_RANGE')
        self.assert_refused(['spawn', '--position', '0,0', '--profile', 'nobody'], 'nobody', 'NOT_FOUND')

    def test_crowd(self):
        answer = self.done('crowd', '--count', '50', '--area=-20,-20,20,20', '--seed', '3', '--target-area=-20,-20,20,20',
                           '--retarget')
        self.assertEqual((answer['first_id'], answer['count']), (1, 50))
        self.assertRegex(self.ok('crowd', '--count', '2', '--area=-50,-50,-40,-40'), 'Spawned agents 51 to 52 at tick')
        self.assertEqual(len(self.agents()), 52)
        self.assert_refused(['crowd', '--count', '100', '--area', '30,30,32,32'], 'room', 'FAILED_PRECONDITION')

    def test_remove(self):
        self.done('crowd', '--count', '5', '--area=-20,-20,20,20')
        self.done('remove', '--id', '1', '2', '--id', '4')
        self.assertEqual([agent['id'] for agent in self.agents()], [3, 5])
        self.assert_refused(['remove', '--id', '3', '99'], '99', 'NOT_FOUND')
        self.done('remove', '--all')
        self.assertEqual(self.agents(), [])

    def test_target(self):
        self.done('spawn', '--position', '0,0')
        self.done('spawn', '--position', '5,0')
        self.done('target', '--id', '1', '2', '--point=-20,0')
        self.assertEqual(self.agent(1)['state'], 'moving')
        self.done('target', '--id', '1', '--agent', '2')
        self.done('target', '--all', '--path', '1,1,2,2')
        self.assertRegex(self.ok('target', '--all', '--none'), r'\AAll agents stop from tick \d+ on\.\n\Z')
        self.assertEqual(self.agent(1)['state'], 'idle')
        self.assert_refused(['target', '--id', '1', '--agent', '1'], 'self|itself', 'INVALID_ARGUMENT')

    def test_teleport_and_drive(self):
        self.done('spawn', '--position', '0,0')
        self.done('clock', 'pause')
        self.done('teleport', '--id', '1', '--position=-7.25,3.5', '--orientation', '90')
        agent = self.agent(1)
        self.assertEqual((agent['x'], agent['y'], agent['orientation_deg']), (-7.25, 3.5, 90))
        self.done('drive', '--id', '1', '--velocity=-1,0')
        self.assertEqual(self.agent(1)['state'], 'driven')
        self.assert_refused(['drive', '--id', '1', '--velocity', '50,0'], 'velocity', 'OUT_OF_RANGE')

    def test_obstacles(self):
        for i, shape in enumerate((['--circle', '0,0,1', '--name', 'post'], ['--box', '5,0,2,1,45'],
                                   ['--segment=-4,3,-2,6'], ['--polygon', '8,8,9,8,9,9'])):
            self.assertEqual(self.done('obstacle', 'place', *shape)['first_id'], i + 1)
        listed = self.answer('obstacle', 'list')['obstacles']
        self.assertEqual(listed, self.answer('query', 'obstacles')['obstacles'])
        self.assertEqual(listed[0], {'id': 1, 'name': 'post', 'circle': {'center': [0, 0], 'radius': 1}})
        self.assertEqual(listed[1]['box'], {'center': [5, 0], 'size': [2, 1], 'orientation': 45})
        self.assertEqual(listed[2]['segment'], {'a': [-4, 3], 'b': [-2, 6]})
        self.assertEqual(len(listed[3]['polygon']['points']), 3)
        self.assertRegex(self.ok('obstacle', 'list'), r'circle.*radius 1 m.*\(post\)')
        self.assert_refused(['spawn', '--position', '0,0'], 'obstacle 1', 'FAILED_PRECONDITION')
        self.done('obstacle', 'remove', '--id', '1', '3')
        self.assertEqual([entry['id'] for entry in self.answer('obstacle', 'list')['obstacles']], [2, 4])
        self.done('obstacle', 'remove', '--all')
        self.assertEqual(self.answer('obstacle', 'list')['obstacles'], [])
        self.assert_refused(['obstacle', 'place', '--circle', '0,0,-1'], 'radius', 'OUT_OF_RANGE')

    def define(self, text):
        with tempfile.NamedTemporaryFile('w', suffix='.yaml', delete=False) as file:
            file.write(text)
        self.addCleanup(os.unlink, file.name)
        return file.name

    def test_profiles(self):
        path = self.define('name: runner\nmax_speed: 3.0\ncombine: priority\nrest: stop\nbehaviours:\n'
                           '  - {name: avoid_agents, group: 0, time_horizon: 1.5}\n  - {name: seek, group: 1, weight: 2}\n')
        self.assertRegex(self.ok('profile', 'define', path), 'is in force from tick')
        listed = self.answer('profile', 'list')
        runner = next(profile for profile in listed['profiles'] if profile['name'] == 'runner')
        self.assertEqual((runner['max_speed'], runner['combine'], runner['rest']), (3, 'priority', 'stop'))
        self.assertEqual(runner['behaviours'][0]['time_horizon'], 1.5)
        self.assertEqual(runner['behaviours'][1]['weight'], 2)
        self.assertIn('avoid_obstacles', [behaviour['name'] for behaviour in listed['behaviours']])
        self.assertRegex(self.ok('profile', 'list'), 'runner: radius 0.4 m, at most 3 m/s')
        self.done('spawn', '--position', '0,0')
        self.done('profile', 'set', '--id', '1', 'runner')
        self.assertEqual(self.agent(1)['profile'], runner['index'])
        self.assert_refused(['profile', 'set', '--all', 'nobody'], 'nobody', 'NOT_FOUND')

    def test_profile_files_that_are_wrong_name_file_line_and_key(self):
        for text, words in (('name: runner\nspeed: 3\nbehaviours: [{name: seek}]\n', r':2: .*speed'),
                            ('name: runner\nbehaviours: [{name: seek, group: 9}]\n', r':2: .*group'),
                            ('name: [a]\n', r':1: .*name')):
            path = self.define(text)
            run = steerctl(self.server, 'profile', 'define', path)
            self.assert_one_sentence(run, 1, re.escape(path) + words)
        path = self.define('name: runner\nbehaviours: [{name: fly}]\n')
        self.assert_one_sentence(steerctl(self.server, 'profile', 'define', path), 1, 'fly')

    def test_query_agents(self):
        self.done('crowd', '--count', '20', '--area=-20,-20,20,20', '--seed', '2')
        agents = self.agents()
        self.assertEqual([agent['id'] for agent in agents], list(range(1, 21)))
        self.assertEqual(list(agents[0]), ['id', 'x', 'y', 'vx', 'vy', 'orientation_deg', 'rotation_deg_s', 'radius', 'tag',
                                           'profile', 'state'])
        west = self.agents('--area=-20,-20,0,20')
        self.assertEqual([agent['id'] for agent in west], [agent['id'] for agent in agents if agent['x'] <= 0])
        self.assertEqual(len(self.agents('--id', '3', '99')), 1)
        self.assertRegex(self.ok('query', 'agents', '--id', '3'), r'id +x m.*\n +3 .*idle\n1 agent at tick')

    def test_query_stats_and_digest(self):
        self.done('clock', 'pause')
        stats = self.answer('query', 'stats')
        self.assertEqual([key for key in STATS_KEYS if key not in stats], [])
        self.assertEqual((list(stats['tick_us']), list(stats['tick_lateness_us'])), (['p50', 'p99', 'max'],) * 2)
        self.assertRegex(stats['state_digest'], r'\A[0-9a-f]{16}\Z')
        self.assertTrue(stats['paused'])
        digest = self.answer('query', 'digest')
        self.assertEqual(list(digest), ['tick', 'state_digest'])
        self.assertRegex(self.ok('query', 'digest'), r'\A[0-9a-f]{16} at tick \d+\n\Z')
        self.assertRegex(self.ok('query', 'stats'), r'tick takes +[\d.]+ ms')

    def test_clock(self):
        self.done('clock', 'pause')
        before = self.answer('query', 'digest')['tick']
        self.assertEqual(self.answer('query', 'digest')['tick'], before)
        self.assertRegex(self.ok('clock', 'step', '3'), 'Steps 3 ticks')
        harness.wait_until(lambda: self.answer('query', 'digest')['tick'] >= before + 3, 'three steps')
        self.assertRegex(self.ok('clock', 'speed', '2'), 'speed is 2 times')
        self.assertEqual(self.answer('query', 'stats')['speed'], 2)
        self.done('clock', 'resume')
        harness.wait_until(lambda: self.answer('query', 'digest')['tick'] > before + 10, 'running again')
        self.assertFalse(self.answer('query', 'stats')['paused'])


class Watch(SteerctlTestCase):
    def setUp(self):
        self.server = self.serve()
        self.done('obstacle', 'place', '--box', '0,0,4,4')
        self.done('spawn', '--position=-6,0', '--target', '6,0')

    def test_json_is_one_object_a_snapshot(self):
        lines = self.ok('watch', '--json', '--snapshots', '4', '--interval', '1').splitlines()
        snapshots = [json.loads(line) for line in lines]
        self.assertEqual(len(snapshots), 4)
        self.assertEqual(list(snapshots[0]), ['tick', 'server_time_us', 'bytes', 'agents'])
        self.assertEqual(list(snapshots[0]['agents'][0]), ['id', 'x', 'y', 'vx', 'vy', 'orientation_deg'])
        ticks = [snapshot['tick'] for snapshot in snapshots]
        self.assertEqual(ticks, list(range(ticks[0], ticks[0] + 4)))
        self.assertGreater(snapshots[0]['bytes'], 20)

    def test_area_and_around_bound_the_view(self):
        self.done('spawn', '--position', '50,50')
        for view in (['--area', '40,40,60,60'], ['--around', '2', '--radius', '5']):
            [line] = self.ok('watch', '--json', '--snapshots', '1', *view).splitlines()
            self.assertEqual([agent['id'] for agent in json.loads(line)['agents']], [2])
        self.assert_one_sentence(steerctl(self.server, 'watch', '--around', '99', '--radius', '5'), 1, '99')

    def test_into_a_file_it_prints_lines(self):
        text = self.ok('watch', '--snapshots', '3')
        self.assertRegex(text, r'\A(tick \d+ .* 1 agent: 1 moving\n){3}\Z')

    def test_into_a_file_the_map_is_frame_after_frame(self):
        run = steerctl(self.server, 'watch', '--map', '--snapshots', '2', '--area=-10,-10,10,10', COLUMNS='80', LINES='25')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        self.assertNotIn('\x1b', run.stdout)
        lines = run.stdout.splitlines()
        self.assertEqual(len(lines), 2 * 25)
        frame = lines[:25]
        self.assertEqual(frame[1], '┌' + '─' * 40 + '┐')
        rows = [line[1:-1] for line in frame[2:22]]
        # 20 m in 20 rows of two pixels: half a metre a pixel. The box spans 8 pixels in its middle.
        self.assertEqual([row.count('█') for row in rows], [0] * 8 + [8] * 4 + [0] * 8)
        self.assertRegex(rows[10][:16] + rows[9][:16], '[→↗↘]')
        self.assertRegex(frame[23], r'\A├─*┤ 5 m')

    def test_a_map_without_utf8_is_ascii(self):
        run = steerctl(self.server, 'watch', '--map', '--snapshots', '1', LC_ALL='C')
        self.assertEqual(run.returncode, 0)
        self.assertTrue(run.stdout.isascii())
        self.assertIn('####', run.stdout)
        self.assertIn('>', run.stdout)

    def watch_on_terminal(self, *arguments):
        """Runs watch on a terminal of 80 by 24. Returns the process and the terminal's descriptor."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f'no terminals here: {error}')  # a root without /dev/pts
        self.addCleanup(os.close, ours)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
        process = subprocess.Popen([STEERCTL, 'watch', *arguments], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE,
                                   env=environment(self.server, TERM='xterm'))
        os.close(theirs)
        self.addCleanup(process.stderr.close)
        return process, ours

    def read_until(self, descriptor, done):
        data = b''
        end = time.monotonic() + harness.PATIENCE_S
        while not done(data):
            self.assertTrue(select.select([descriptor], [], [], max(0, end - time.monotonic()))[0], data)
            try:
                data += os.read(descriptor, 65536)
            except OSError:  # the other side has gone
                break
        return data

    def test_on_a_terminal_it_redraws_and_ctrl_c_gives_the_cursor_back(self):
        for arguments in ([], ['--map']):
            process, terminal = self.watch_on_terminal(*arguments)
            data = self.read_until(terminal, lambda data: data.count(b'\x1b[H') >= 4)
            self.assertTrue(data.startswith(b'\x1b[?25l'), data[:40])
            process.send_signal(signal.SIGINT)
            data += self.read_until(terminal, lambda data: b'\x1b[?25h' in data)
            self.assertEqual(process.wait(harness.PATIENCE_S), 0)
            self.assertEqual(process.stderr.read(), b'')
            self.assertIn(b'\x1b[?25h', data[-40:])

    def test_on_a_terminal_a_paused_world_says_why_nothing_is_shown(self):
        self.done('clock', 'pause')
        process, terminal = self.watch_on_terminal('--map')
        self.assertIn(b'clock is paused', self.read_until(terminal, lambda data: b'clock is paused' in data))
        self.done('clock', 'resume')
        self.read_until(terminal, lambda data: b'snapshots/s' in data)
        process.send_signal(signal.SIGINT)
        self.read_until(terminal, lambda data: b'\x1b[?25h' in data)
        self.assertEqual(process.wait(harness.PATIENCE_S), 0)

    def test_a_server_that_ends_is_exit_1_with_its_words(self):
        process = subprocess.Popen([STEERCTL, 'watch'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment(self.server))
        self.assertIn('tick', process.stdout.readline())
        self.server.stop()
        _, err = process.communicate(timeout=harness.PATIENCE_S)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(err, rf'\Asteerctl: 127\.0\.0\.1:{self.server.port}[^\n]+\n\Z')

    def test_delta_is_refused_in_words(self):
        self.assert_one_sentence(steerctl(self.server, 'watch', '--format', 'delta'), 1, 'FORMAT_DELTA')


class Roles(SteerctlTestCase):
    def setUp(self):
        with tempfile.NamedTemporaryFile('w', delete=False) as file:
            file.write('viewer see\ncontroller move\nadmin rule\n')
        self.addCleanup(os.unlink, file.name)
        self.server = self.serve('--tokens', file.name)

    def test_the_least_token_that_a_command_needs_does(self):
        for token, arguments in (('see', ['query', 'stats']), ('see', ['watch', '--snapshots', '1']),
                                 ('move', ['spawn', '--position', '0,0']), ('rule', ['clock', 'resume'])):
            run = steerctl(self.server, '--token', token, *arguments)
            self.assertEqual(run.returncode, 0, run)

    def test_a_lower_token_is_refused_with_the_servers_words(self):
        for token, arguments in (('see', ['spawn', '--position', '0,0']), ('move', ['clock', 'pause'])):
            run = steerctl(self.server, '--json', *arguments, '--token', token)
            self.assert_one_sentence(run, 1, 'role')
            self.assertEqual(json.loads(run.stdout)['code'], 'PERMISSION_DENIED')

    def test_a_wrong_token_and_none(self):
        self.assert_one_sentence(steerctl(self.server, 'query', 'stats', '--token', 'wrong'), 1, 'token')
        self.assert_one_sentence(steerctl(self.server, 'query', 'stats'), 1, 'token')

    def test_a_token_from_a_file_and_from_the_environment(self):
        with tempfile.NamedTemporaryFile('w', delete=False) as file:
            file.write('rule\n')
        self.addCleanup(os.unlink, file.name)
        self.assertEqual(steerctl(self.server, 'clock', 'resume', '--token-file', file.name).returncode, 0)
        self.assertEqual(steerctl(self.server, 'clock', 'resume', STEERCTL_TOKEN='rule').returncode, 0)


class WithoutServer(SteerctlTestCase):
    def test_nobody_there_is_one_sentence_that_names_the_address(self):
        with socket.socket() as taken:
            taken.bind(('127.0.0.1', 0))  # and not listening: refused
            address = f'127.0.0.1:{taken.getsockname()[1]}'
            for arguments in (['query', 'stats'], ['spawn', '--position', '0,0'], ['watch'], ['clock', 'pause']):
                run = steerctl(None, *arguments, '--server', address)
                self.assert_one_sentence(run, 1, re.escape(address))
                self.assertEqual(run.stdout, '')

    def test_one_that_says_nothing_is_given_up_within_seconds(self):
        with socket.create_server(('127.0.0.1', 0)) as mute:
            address = f'127.0.0.1:{mute.getsockname()[1]}'
            run = steerctl(None, 'query', 'stats', '--server', address)
            self.assert_one_sentence(run, 1, re.escape(address))

    def test_one_that_speaks_another_protocol_is_told(self):
        with socket.create_server(('127.0.0.1', 0)) as web:
            address = f'127.0.0.1:{web.getsockname()[1]}'
            process = subprocess.Popen([STEERCTL, 'query', 'stats', '--server', address], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, env=environment(None))
            peer, _ = web.accept()
            with peer:
                peer.sendall(b'HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>no</html>' * 4)
                out, err = process.communicate(timeout=harness.PATIENCE_S)
            self.assertEqual((process.returncode, out), (1, ''))
            self.assertRegex(err, rf'\Asteerctl: {re.escape(address)}[^\n]+\n\Z')

    def test_help_of_every_command(self):
        everything = steerctl(None, '--help')
        self.assertEqual(everything.returncode, 0)
        names = re.findall(r'^  ([a-z]+(?: [a-z]+)?)  +[A-Z]', everything.stdout, re.MULTILINE)
        self.assertEqual(len(names), 21)
        for name in names:
            run = steerctl(None, *name.split(), '--help')
            self.assertEqual((run.returncode, run.stderr), (0, ''))
            self.assertRegex(run.stdout, rf'\Asteerctl {name}( \S[^\n]*)?\n')
            self.assertNotRegex(run.stdout, r'[ ]\n|\.\.\.\.')
            self.assertIn('--server HOST:PORT', run.stdout)

    def test_help_has_its_short_form_and_there_is_a_version(self):
        for short, long in ((['-h'], ['--help']), (['obstacle', '-h'], ['obstacle', '--help']), (['spawn', '-h'], ['spawn', '--help'])):
            run = steerctl(None, *short)
            self.assertEqual((run.returncode, run.stdout), (0, steerctl(None, *long).stdout))
        self.assertRegex(steerctl(None, '--version').stdout, r'\Asteerctl \d+\.\d+\.\d+\n\Z')

    def test_wrong_usage_is_exit_2(self):
        for arguments in ([], ['dance'], ['query'], ['spawn'], ['spawn', '--position', '1'], ['remove', '--id', 'x'],
                          ['query', 'stats', '--server', 'nowhere'], ['watch', '--map', '--area', '0,0,0,5']):
            self.assert_one_sentence(steerctl(None, *arguments), 2, '--help|needed|one of')


if __name__ == '__main__':
    harness.main()
