"""What bytes do: frames however they are cut, lengths that are too long, bodies that are garbage."""

import time

import harness
from harness import pb


class Frames(harness.SharedServerTestCase):
    def test_hello_in_single_bytes(self):
        client = self.server.connect_raw()
        message = pb.ClientMessage(hello=pb.Hello(protocol_version=1, role=pb.ROLE_ADMIN)).SerializeToString()
        for byte in harness.frame(message):
            client.write(bytes([byte]))
            time.sleep(0.002)
        self.assertEqual(client.next('welcome').protocol_version, 1)

    def test_several_frames_in_one_write_are_answered_in_order(self):
        client = self.server.connect()
        frames = b''.join(
            harness.frame(pb.ClientMessage(request_id=i, query=pb.Query(digest=True)).SerializeToString())
            for i in range(1, 6))
        client.write(frames)
        results = [client.next('result') for _ in range(5)]
        self.assertEqual([result.request_id for result in results], [1, 2, 3, 4, 5])
        self.assertEqual({result.code for result in results}, {pb.OK})

    def test_two_and_a_half_frames_in_one_write(self):
        client = self.server.connect()
        ping = harness.frame(pb.ClientMessage(ping=pb.Ping(client_time_us=9)).SerializeToString())
        client.write(ping + ping + ping[:3])
        client.next('pong')
        client.next('pong')
        client.write(ping[3:])
        self.assertEqual(client.next('pong').client_time_us, 9)

    def test_zero_length_is_invalid_and_the_connection_lives(self):
        client = self.server.connect()
        client.write(b'\0')
        result = client.next('result')
        self.assertEqual(result.request_id, 0)
        self.assert_refused(result, pb.INVALID_ARGUMENT, 'body')
        client.ping()

    def test_lengths_that_are_too_long_get_goodbye(self):
        limit = str(self.server.connect().welcome.client_frame_bytes_max)
        for name, data in (('limit + 1', b'\x81\x80\x04'), ('32 bits', b'\x80\x80\x80\x80\x08'),
                           ('5 bytes of ones', b'\xff\xff\xff\xff\x7f'), ('10 bytes', b'\xff' * 9 + b'\x01'),
                           ('6 bytes of zeros', b'\x80' * 5 + b'\x00')):
            for greeted in (False, True):
                with self.subTest(name, greeted=greeted):
                    client = self.server.connect() if greeted else self.server.connect_raw()
                    client.write(data)
                    self.assert_goodbye(client.read_goodbye(), pb.RESOURCE_EXHAUSTED, limit)

    def test_a_length_may_be_in_long_form(self):
        client = self.server.connect()
        body = pb.ClientMessage(ping=pb.Ping(client_time_us=5)).SerializeToString()
        client.write(bytes([len(body) | 0x80, 0x80, 0x80, 0x80, 0x00]) + body)
        self.assertEqual(client.next('pong').client_time_us, 5)

    def test_the_largest_frame_is_taken(self):
        client = self.server.connect()
        limit = client.welcome.client_frame_bytes_max
        body = pb.ClientMessage(request_id=3, query=pb.Query(digest=True)).SerializeToString()
        body += b'\xfa\xff\x01' + harness._VarintBytes(limit - len(body) - 3 - 3) + bytes(limit - len(body) - 3 - 3)
        self.assertEqual(len(body), limit)
        client.write_frame(body)
        self.assertEqual(client.result(3).code, pb.OK)

    def test_cut_off_by_fin_or_reset_within_a_frame(self):
        watcher = self.server.connect()
        connections = watcher.stats().connections
        for end in ('finish', 'reset', 'close'):
            with self.subTest(end):
                client = self.server.connect()
                client.write(b'\x20\x01\x02')
                getattr(client, end)()
                if end == 'finish':
                    self.assertEqual(client.read_end(), [])
        harness.wait_until(lambda: watcher.stats().connections <= connections, 'the cut off are gone')

    def test_what_came_before_fin_is_done(self):
        client = self.server.connect(harness.CONTROLLER)
        client.send(spawn_agents=harness.spawn((50, 50), tag=77))
        client.finish()
        client.read_end()
        watcher = self.server.connect()
        harness.wait_until(lambda: [a for a in watcher.agents() if a.tag == 77], 'the agent is there')

    def test_unknown_fields_are_ignored(self):
        client = self.server.connect()
        body = pb.ClientMessage(request_id=4, query=pb.Query(digest=True)).SerializeToString()
        unknown = b'\x98\x3f\x01' + b'\x9a\x3f\x03abc' + b'\x9d\x3f\0\0\0\0' + b'\x99\x3f' + bytes(8)
        client.write_frame(unknown + body + unknown)
        self.assertEqual(client.result(4).code, pb.OK)

    def test_unknown_bodies_are_unimplemented(self):
        client = self.server.connect()
        client.write_frame(b'\x08\x05' + b'\xa2\x06\x00')  # request_id 5, field 100: an empty message
        self.assert_refused(client.result(5), pb.UNIMPLEMENTED, 'body')
        client.ping()

    def test_a_message_without_a_body_is_invalid(self):
        client = self.server.connect()
        client.write_frame(pb.ClientMessage(request_id=6).SerializeToString())
        self.assert_refused(client.result(6), pb.INVALID_ARGUMENT, 'body')

    def test_64_kib_of_two_byte_fields(self):
        client = self.server.connect()
        limit = client.welcome.client_frame_bytes_max
        for name, field in (('empty agents', b'\x0a\x00'), ('unknown numbers', b'\x78\x01')):
            with self.subTest(name):
                head = b'\x08\x07'
                inner = field * ((limit - 16) // 2)
                client.write_frame(head + b'\x52' + harness._VarintBytes(len(inner)) + inner)
                result = client.result(7)
                self.assertNotEqual(result.code, pb.OK)
                self.assertTrue(result.message)
        client.write_frame(b'\x78\x01' * (limit // 2))
        self.assertNotEqual(client.result(0).code, pb.OK)
        client.ping()

    def test_text_that_is_not_utf_8(self):
        client = self.server.connect()
        body = pb.ClientMessage(request_id=8, spawn_agents=harness.spawn((0, 0), profile='QQQQ')).SerializeToString()
        client.write_frame(body.replace(b'QQQQ', b'\xc3\x28\xff\xfe'))
        self.assert_refused(client.result(8), pb.INVALID_ARGUMENT, r'profile.*UTF-8')
        client.ping()

    def test_garbage_is_invalid_and_the_connection_lives(self):
        client = self.server.connect()
        for body in (b'\xff\xff\xff', b'\x52\x7f\x00', b'\x0b', b'\x52\x02\x0a\x05', b'\x12\x80' + b'\x80' * 12):
            with self.subTest(body=body):
                client.write_frame(body)
                self.assert_refused(client.next('result'), pb.INVALID_ARGUMENT, '.')
        client.ping()


class Silence(harness.TestCase):
    def test_no_hello_within_5_s_ends(self):
        server = self.serve()
        silent = server.connect_raw()
        began = time.monotonic()
        self.assert_goodbye(silent.read_goodbye(), pb.DEADLINE_EXCEEDED, 'Hello.*5 s')
        self.assertGreater(time.monotonic() - began, 4.5)

    def test_a_frame_that_takes_10_s_ends(self):
        server = self.serve()
        slow = server.connect()
        idle = server.connect()
        began = time.monotonic()
        slow.write(b'\x10\x08')
        self.assert_goodbye(slow.read_goodbye(), pb.DEADLINE_EXCEEDED, '10 s')
        self.assertGreater(time.monotonic() - began, 9)
        idle.ping()  # who says nothing at all may stay

    def test_many_unfinished_frames_cost_little(self):
        server = self.serve('--connections-max', '300')
        watcher = server.connect()
        before = resident_bytes(server)
        slow = [server.connect_raw() for _ in range(250)]
        for client in slow:
            client.write(b'\x80\x80\x04x')
        harness.wait_until(lambda: watcher.stats().connections == 251, 'all are in')
        self.assertLess(resident_bytes(server) - before, 4 << 20)
        for client in slow:
            client.close()


def resident_bytes(server):
    with open(f'/proc/{server.process.pid}/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * 4096


if __name__ == '__main__':
    harness.main()
