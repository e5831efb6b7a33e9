"""A steerd of one's own and clients for it, for the tests of this directory.

Server starts the program on a free port and ends it whatever happens; Client speaks frames. A test that fails
prints what its servers logged.
"""

import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from google.protobuf.internal.decoder import _DecodeVarint32
from google.protobuf.internal.encoder import _VarintBytes
from steerd.v1 import steerd_pb2 as pb

# A generous time for anything that should come soon: slow machines and sanitizers are no failure.
PATIENCE_S = 30.0

STEERD = os.environ.get('STEERD', 'build/release/bin/steerd')

VIEWER, CONTROLLER, ADMIN = pb.ROLE_VIEWER, pb.ROLE_CONTROLLER, pb.ROLE_ADMIN


def clean_environment(extra=None):
    """The environment without anything that steerd reads from it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith('STEERD')}
    # ThreadSanitizer otherwise waits a second before a program ends, and some tests look at that time.
    environment['TSAN_OPTIONS'] = environment.get('TSAN_OPTIONS', '') + ' atexit_sleep_ms=0'
    environment.update(extra or {})
    return environment


def run_steerd(*arguments, environment=None, timeout=PATIENCE_S, **settings):
    """Runs steerd to its end. Returns its subprocess.CompletedProcess, texts decoded. settings: of subprocess.run."""
    return subprocess.run([STEERD, *arguments], env=clean_environment(environment), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout, check=False, **settings)


def wait_until(condition, what, patience_s=PATIENCE_S):
    """Looks again and again until condition() gives something true, which is returned."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.005)
    raise AssertionError(f'{what}: not within {patience_s} s')


def limit_files(count):
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))


class Server:
    """A running `steerd serve`."""

    # Small limits: a server starts in milliseconds, and a sanitized one too.
    SMALL = {'--agents-max': '2000', '--obstacles-max': '500', '--connections-max': '64', '--viewers-max': '64',
             '--threads': '2'}

    def __init__(self, *arguments, environment=None, listen=('--listen', '127.0.0.1:0'), files_max=None):
        self.clients = []
        self.code_expected = 0
        self.log_file = tempfile.TemporaryFile()
        small = [word for option, value in self.SMALL.items() if option not in arguments for word in (option, value)]
        command = [STEERD, 'serve', *listen, *small, *arguments]
        self.process = subprocess.Popen(command, env=clean_environment(environment), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=self.log_file,
                                        preexec_fn=files_max and (lambda: limit_files(files_max)))
        try:
            self.host, self.port = self._read_address()
        except BaseException:
            self.kill()
            sys.stderr.write(self.log())
            self.log_file.close()
            raise

    def _read_address(self):
        line = b''
        end = time.monotonic() + PATIENCE_S
        while not line.endswith(b'\n'):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))
            byte = os.read(self.process.stdout.fileno(), 1) if ready else b''
            if not byte:
                raise AssertionError(f'steerd did not say that it listens, but {line!r}')
            line += byte
        words = line.decode().split()
        if words[:2] != ['listening', 'tcp']:
            raise AssertionError(f'steerd said {line!r} instead of listening tcp HOST:PORT')
        host, _, port = words[2].rpartition(':')
        return host.strip('[]'), int(port)

    def connect(self, role=ADMIN, token='', name='test', receive_bytes=None):
        """A client that has been welcomed."""
        client = self.connect_raw(receive_bytes)
        client.hello(role, token, name)
        return client

    def connect_raw(self, receive_bytes=None):
        """A connection that has not said anything."""
        client = Client(self.host, self.port, receive_bytes)
        self.clients.append(client)
        return client

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=PATIENCE_S):
        """The exit code."""
        return self.process.wait(timeout)

    def stop(self):
        """Asks it to end; the exit code."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        for client in self.clients:
            client.close()

    def log(self):
        self.log_file.seek(0)
        return self.log_file.read().decode(errors='replace')


class Reset(Exception):
    """The server reset the connection."""


class Client:
    """One connection. What was not asked for yet waits in `waiting`, in order."""

    def __init__(self, host, port, receive_bytes=None):
        family = socket.AF_INET6 if ':' in host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        if receive_bytes is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(PATIENCE_S)
        try:
            self.socket.connect((host, port))
        except OSError:
            self.socket.close()
            raise
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b''
        self.waiting = []
        self.last_id = 0
        self.welcome = None

    def close(self):
        self.socket.close()

    def finish(self):
        """FIN: nothing more will be sent."""
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        """RST instead of FIN."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
        self.socket.close()

    # ---- out ----

    def write(self, data):
        self.socket.sendall(data)

    def write_frame(self, body):
        self.write(frame(body))

    def send(self, request_id=0, **body):
        """A ClientMessage: send(7, ping=pb.Ping())."""
        self.write_frame(pb.ClientMessage(request_id=request_id, **body).SerializeToString())

    def post(self, **body):
        """Sends with the next id, which is returned."""
        self.last_id += 1
        self.send(self.last_id, **body)
        return self.last_id

    # ---- in ----

    def read_message(self, timeout=PATIENCE_S):
        """The next ServerMessage from the wire, or None at the end of the stream. Raises Reset, TimeoutError."""
        end = time.monotonic() + timeout
        while True:
            message = self._take_message()
            if message is not None:
                return message
            self.socket.settimeout(max(0.001, end - time.monotonic()))
            try:
                data = self.socket.recv(1 << 16)
            except socket.timeout:
                raise TimeoutError(f'no message within {timeout} s') from None
            except ConnectionResetError:
                raise Reset() from None
            finally:
                self.socket.settimeout(PATIENCE_S)
            if not data:
                if self.buffer:
                    raise AssertionError(f'the stream ends within a frame: {self.buffer[:32]!r}')
                return None
            self.buffer += data

    def _take_message(self):
        if not self.buffer or (len(self.buffer) < 5 and self.buffer[-1] & 0x80):
            return None
        length, start = _DecodeVarint32(self.buffer, 0)
        if len(self.buffer) < start + length:
            return None
        message = pb.ServerMessage.FromString(self.buffer[start:start + length])
        self.buffer = self.buffer[start + length:]
        return message

    def next(self, kind, where=lambda message: True, timeout=PATIENCE_S):
        """The next message of a kind ('snapshot', 'result', ...); others wait."""
        for i, message in enumerate(self.waiting):
            if message.WhichOneof('body') == kind and where(getattr(message, kind)):
                return getattr(self.waiting.pop(i), kind)
        end = time.monotonic() + timeout
        while True:
            message = self.read_message(max(0.001, end - time.monotonic()))
            if message is None:
                raise AssertionError(f'the connection ended, a {kind} was expected; came: {self.waiting}')
            if message.WhichOneof('body') == kind and where(getattr(message, kind)):
                return getattr(message, kind)
            self.waiting.append(message)

    def read_end(self, timeout=PATIENCE_S):
        """Reads to the end of the stream; all messages that came."""
        messages, self.waiting = self.waiting, []
        end = time.monotonic() + timeout
        while True:
            message = self.read_message(max(0.001, end - time.monotonic()))
            if message is None:
                return messages
            messages.append(message)

    def read_goodbye(self, timeout=PATIENCE_S):
        """The Goodbye that has to be the last message before the end."""
        messages = self.read_end(timeout)
        if not messages or messages[-1].WhichOneof('body') != 'goodbye':
            raise AssertionError(f'the connection ended without Goodbye: {messages}')
        return messages[-1].goodbye

    # ---- conversations ----

    def hello(self, role=ADMIN, token='', name='test'):
        self.send(hello=pb.Hello(protocol_version=1, client_name=name, role=role, token=token))
        self.welcome = self.next('welcome')
        return self.welcome

    def result(self, request_id):
        return self.next('result', lambda result: result.request_id == request_id)

    def ask(self, **body):
        """Sends a request and waits for its result."""
        return self.result(self.post(**body))

    def do(self, **body):
        """As ask, and it has to be OK."""
        result = self.ask(**body)
        if result.code != pb.OK:
            raise AssertionError(f'{body} was refused: {result}')
        return result

    def query(self, **what):
        """All pieces of an answer as one QueryResult."""
        request_id = self.post(query=pb.Query(**what))
        answer = pb.QueryResult()
        last = False
        while not last:
            piece = self.next('query_result', lambda piece: piece.request_id == request_id)
            last = piece.last
            answer.MergeFrom(piece)
        result = self.result(request_id)
        if result.code != pb.OK:
            raise AssertionError(f'query was refused: {result}')
        return answer

    def agents(self):
        return self.query(agents=pb.AgentFilter()).agents

    def stats(self):
        return self.query(stats=True).stats

    def ping(self):
        self.send(ping=pb.Ping(client_time_us=4711))
        pong = self.next('pong')
        assert pong.client_time_us == 4711
        return pong

    def snapshot(self, timeout=PATIENCE_S):
        """A whole snapshot, its parts merged."""
        whole = pb.Snapshot()
        while True:
            part = self.next('snapshot', timeout=timeout)
            if whole.tick and whole.tick != part.tick:
                raise AssertionError(f'snapshot {whole.tick} was cut by {part.tick}')
            whole.MergeFrom(part)
            if part.last:
                return whole


def frame(body):
    return _VarintBytes(len(body)) + body


def spawn(*positions, **fields):
    """SpawnAgents at these places."""
    return pb.SpawnAgents(agents=[pb.AgentSpec(position=pb.Vec2(x=x, y=y), **fields) for x, y in positions])


class TestCase(unittest.TestCase):
    """Ends its servers, and tells what they logged when the test failed."""

    def serve(self, *arguments, **settings):
        server = Server(*arguments, **settings)
        self.addCleanup(self._end, server)
        return server

    def _end(self, server):
        """A server that is still there has to end in order: that is also when a sanitizer tells of leaks."""
        for client in server.clients:
            client.close()
        try:
            code = server.stop()
        finally:
            server.kill()
        if code != server.code_expected or not self._outcome.success:
            sys.stderr.write(f'--- steerd (exit {code}) of {self.id()}\n{server.log()[-8000:]}---\n')
        server.log_file.close()
        self.assertEqual(code, server.code_expected, 'exit code of steerd')

    def assert_refused(self, result, code, words):
        self.assertEqual(pb.Code.Name(result.code), pb.Code.Name(code), result.message)
        self.assertRegex(result.message, words)

    def assert_goodbye(self, goodbye, code, words):
        self.assertEqual(pb.Code.Name(goodbye.code), pb.Code.Name(code), goodbye.reason)
        self.assertRegex(goodbye.reason, words)


class SharedServerTestCase(TestCase):
    """Tests that leave nothing behind share one server, `self.server`, which has to end with 0."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        cls.server.kill()
        log = cls.server.log()
        cls.server.log_file.close()
        assert code == 0, f'steerd ended with {code}: {log[-4000:]}'


def main():
    program = unittest.main(module='__main__', verbosity=2, exit=False)
    if program.result.testsRun == 0:
        sys.exit('no test was run')
    sys.exit(not program.result.wasSuccessful())
