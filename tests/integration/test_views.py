"""What viewers get: a snapshot at every due tick, exact outlines, updates before snapshots, events, and slow readers that cost nobody else anything."""

import math
import time

import harness
from harness import pb


def v(x, y):
    return pb.Vec2(x=x, y=y)


class Snapshots(harness.TestCase):
    def test_one_comes_at_every_due_tick(self):
        server = self.serve('--tick-rate', '60')
        server.connect().do(spawn_agents=harness.spawn((0, 0)))
        for interval in (1, 2, 4, 8):
            with self.subTest(interval):
                viewer = server.connect(harness.VIEWER)
                result = viewer.do(subscribe=pb.Subscribe(snapshot_interval_ticks=interval))
                ticks = [viewer.snapshot().tick for _ in range(12)]
                self.assertEqual(ticks, list(range(ticks[0], ticks[0] + 12 * interval, interval)))
                self.assertEqual(ticks[0] % interval, 0)
                self.assertGreaterEqual(ticks[0], result.tick)
                self.assertLess(ticks[0], result.tick + 2 * interval + 1)
                viewer.close()

    def test_the_default_interval_is_the_servers(self):
        server = self.serve('--tick-rate', '60', '--snapshot-interval', '4')
        viewer = server.connect(harness.VIEWER)
        viewer.do(subscribe=pb.Subscribe())
        first = viewer.snapshot().tick
        self.assertEqual((first % 4, viewer.snapshot().tick), (0, first + 4))
        self.assertEqual(viewer.welcome.snapshot_interval_ticks, 4)

    def test_empty_snapshots_come_too(self):
        viewer = self.serve().connect(harness.VIEWER)
        viewer.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        first, second = viewer.snapshot(), viewer.snapshot()
        self.assertEqual(second.tick, first.tick + 1)
        self.assertEqual(len(first.agents), 0)
        self.assertGreater(second.server_time_us, first.server_time_us)

    def test_outlines_are_exact(self):
        server = self.serve()
        client = server.connect()
        client.do(set_clock=pb.SetClock(paused=True))
        places = [(x, y) for x in range(-20, 21, 4) for y in range(-20, 21, 4)]
        client.do(spawn_agents=harness.spawn(*places))
        views = (
            ('whole', pb.Subscribe(whole=pb.Nothing()), lambda x, y: True),
            ('nothing said', pb.Subscribe(), lambda x, y: True),
            ('rectangle', pb.Subscribe(rectangle=pb.Rectangle(min=v(-4, -8), max=v(8, 0))),
             lambda x, y: -4 <= x <= 8 and -8 <= y <= 0),
            ('around', pb.Subscribe(around=pb.Around(agent_id=places.index((4, 4)) + 1, radius=9)),
             lambda x, y: math.hypot(x - 4, y - 4) <= 9),
        )
        for name, subscribe, inside in views:
            with self.subTest(name):
                viewer = server.connect(harness.VIEWER)
                subscribe.snapshot_interval_ticks = 1
                viewer.do(subscribe=subscribe)
                client.do(set_clock=pb.SetClock(paused=True, step_ticks=1))
                snapshot = viewer.snapshot()
                self.assertEqual([agent.id for agent in snapshot.agents],
                                 [i + 1 for i, place in enumerate(places) if inside(*place)])
                viewer.close()

    def test_a_snapshot_says_everything_about_an_agent(self):
        client = self.serve().connect()
        client.do(set_clock=pb.SetClock(paused=True))
        client.do(spawn_agents=pb.SpawnAgents(agents=[
            pb.AgentSpec(position=v(1.5, -2.25), orientation_deg=-90, tag=2**64 - 1, radius=0.75)]))
        client.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        client.do(set_clock=pb.SetClock(paused=True, step_ticks=1))
        agent, = client.snapshot().agents
        self.assertEqual((agent.id, agent.tag, agent.radius), (1, 2**64 - 1, 0.75))
        self.assertEqual((agent.position.x, agent.position.y), (1.5, -2.25))
        self.assertAlmostEqual(agent.orientation_deg, 270, places=3)
        self.assertEqual(agent.state, pb.AgentState.IDLE)
        same, = client.agents()
        self.assertEqual(agent, same)

    def test_a_view_follows_its_agent_and_stays_when_it_is_removed(self):
        client = self.serve('--tick-rate', '60').connect()
        client.do(spawn_agents=harness.spawn((0, 0), (3, 0), (50, 50)))
        client.do(subscribe=pb.Subscribe(around=pb.Around(agent_id=1, radius=5), snapshot_interval_ticks=1))
        self.assertEqual([agent.id for agent in client.snapshot().agents], [1, 2])
        tick = client.do(teleport=pb.Teleport(id=1, position=v(48, 50))).tick
        snapshot = client.snapshot()
        while snapshot.tick < tick:
            snapshot = client.snapshot()
        self.assertEqual([agent.id for agent in snapshot.agents], [1, 3])
        tick = client.do(remove_agents=pb.RemoveAgents(ids=[1])).tick
        while snapshot.tick < tick:
            snapshot = client.snapshot()
        self.assertEqual([agent.id for agent in snapshot.agents], [3])

    def test_subscribing_again_replaces_and_unsubscribing_ends(self):
        client = self.serve('--tick-rate', '60').connect()
        client.do(spawn_agents=harness.spawn((0, 0), (30, 0)))
        client.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        self.assertEqual(len(client.snapshot().agents), 2)
        client.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1,
                                         rectangle=pb.Rectangle(min=v(20, -5), max=v(40, 5))))
        client.waiting = [message for message in client.waiting if message.WhichOneof('body') != 'snapshot']
        self.assertEqual([agent.id for agent in client.snapshot().agents], [2])
        client.do(unsubscribe=pb.Unsubscribe())
        client.waiting.clear()
        for _ in range(10):
            client.ping()
            time.sleep(0.02)
        self.assertEqual(client.waiting, [])

    def test_snapshots_over_the_frame_limit_come_in_parts(self):
        server = self.serve('--server-frame-max', '65536', '--agents-max', '5000')
        client = server.connect()
        for area in ((-90, -90, 90, 0), (-90, 0, 90, 90)):
            client.do(spawn_crowd=pb.SpawnCrowd(count=2000, seed=1, area=pb.Rectangle(
                min=v(*area[:2]), max=v(*area[2:]))))
        viewer = server.connect(harness.VIEWER)
        viewer.do(subscribe=pb.Subscribe())
        parts = [viewer.next('snapshot')]
        while not parts[-1].last:
            parts.append(viewer.next('snapshot'))
        self.assertGreater(len(parts), 1)
        self.assertEqual(len({part.tick for part in parts}), 1)
        self.assertTrue(all(part.ByteSize() <= 65536 for part in parts))
        ids = [agent.id for part in parts for agent in part.agents]
        self.assertEqual(ids, list(range(1, 4001)))


class Updates(harness.TestCase):
    def test_all_in_force_comes_before_the_first_snapshot(self):
        client = self.serve().connect()
        client.do(place_obstacles=pb.PlaceObstacles(obstacles=[
            pb.Obstacle(name=f'post {i}', circle=pb.Circle(center=v(i, 50), radius=0.5)) for i in range(40)]))
        client.do(subscribe=pb.Subscribe())
        messages = []
        while not messages or messages[-1].WhichOneof('body') != 'snapshot':
            messages.append(client.read_message())
        update = pb.WorldUpdate()
        for message in messages[:-1]:
            update.MergeFrom(message.world_update)
        self.assertEqual([obstacle.id for obstacle in update.obstacles], list(range(1, 41)))
        self.assertEqual(update.obstacles[7].name, 'post 7')
        self.assertEqual(update.profiles[0].name, 'walker')

    def test_changes_come_before_the_snapshot_of_their_tick(self):
        client = self.serve('--tick-rate', '60').connect()
        client.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        client.snapshot()
        client.waiting.clear()
        placed = client.post(place_obstacles=pb.PlaceObstacles(obstacles=[
            pb.Obstacle(box=pb.Box(center=v(5, 5), size=v(2, 1), orientation_deg=30))]))
        self.assert_change_precedes_snapshot(client, placed, lambda update: update.obstacles[0].id == 1)
        removed = client.post(remove_obstacles=pb.RemoveObstacles(all=True))
        self.assert_change_precedes_snapshot(client, removed, lambda update: list(update.removed_obstacle_ids) == [1])
        defined = client.post(define_profile=pb.DefineProfile(
            name='slow', limits=pb.Limits(max_speed=0.5), behaviours=[pb.ProfileBehaviour(name='arrive')]))
        self.assert_change_precedes_snapshot(client, defined, lambda update: update.profiles[0].name == 'slow')

    def assert_change_precedes_snapshot(self, client, request_id, is_it):
        tick = told = None
        while True:
            message = client.read_message()
            kind = message.WhichOneof('body')
            if kind == 'result' and message.result.request_id == request_id:
                self.assertEqual(message.result.code, pb.OK, message.result.message)
                tick = message.result.tick
            elif kind == 'world_update':
                self.assertTrue(is_it(message.world_update), message)
                told = True
            elif kind == 'snapshot' and tick is not None and message.snapshot.tick >= tick:
                self.assertTrue(told, 'the snapshot came before the change')
                return


class Events(harness.TestCase):
    def test_events_come_to_those_who_asked_from_their_outline(self):
        server = self.serve('--tick-rate', '60')
        client = server.connect()
        whole, part, deaf = (server.connect(harness.VIEWER) for _ in range(3))
        whole.do(subscribe=pb.Subscribe(events=True))
        part.do(subscribe=pb.Subscribe(events=True, rectangle=pb.Rectangle(min=v(20, -10), max=v(60, 10))))
        deaf.do(subscribe=pb.Subscribe())
        client.do(spawn_agents=pb.SpawnAgents(agents=[
            pb.AgentSpec(position=v(0, 0), point=v(1, 0)), pb.AgentSpec(position=v(40, 0), point=v(41, 0))]))
        arrived = set()
        while len(arrived) < 2:
            arrived |= {event.arrived.id for event in whole.next('events').events if event.HasField('arrived')}
        self.assertEqual(arrived, {1, 2})
        self.assertEqual([event.arrived.id for event in part.next('events').events], [2])
        client.do(remove_agents=pb.RemoveAgents(ids=[1, 2]))
        self.assertEqual([event.removed.id for event in whole.next('events').events], [1, 2])
        self.assertEqual([event.removed.id for event in part.next('events').events], [2])
        deaf.ping()
        self.assertNotIn('events', [message.WhichOneof('body') for message in deaf.waiting])


class SlowViewers(harness.TestCase):
    def test_a_stalled_viewer_skips_whole_snapshots_and_disturbs_nobody(self):
        server = self.serve('--tick-rate', '60')
        client = server.connect()
        client.do(spawn_crowd=pb.SpawnCrowd(count=1500, area=pb.Rectangle(min=v(-90, -90), max=v(90, 90))))
        stalled = server.connect(harness.VIEWER, receive_bytes=4096)
        stalled.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        watching = server.connect(harness.VIEWER)
        watching.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        ticks = [watching.snapshot().tick for _ in range(120)]
        skipped_by_lateness = client.stats().ticks_skipped
        self.assertEqual(len(ticks), len(set(ticks)))
        self.assertLessEqual(ticks[-1] - ticks[0] + 1 - len(ticks), skipped_by_lateness)
        self.assertGreater(client.stats().snapshots_skipped, 30)
        # It wakes up: whole snapshots, in order, with a gap, up to the present.
        seen = [stalled.snapshot() for _ in range(30)]
        self.assertTrue(all(len(snapshot.agents) == 1500 for snapshot in seen))
        gaps = [b.tick - a.tick for a, b in zip(seen, seen[1:])]
        self.assertTrue(all(gap > 0 for gap in gaps))
        self.assertGreater(max(gaps), 30)
        self.assertGreater(seen[-1].tick, ticks[-1])

    def test_a_stalled_viewer_costs_little(self):
        server = self.serve('--tick-rate', '60')
        client = server.connect()
        client.do(spawn_crowd=pb.SpawnCrowd(count=1500, area=pb.Rectangle(min=v(-90, -90), max=v(90, 90))))
        stalled = [server.connect(harness.VIEWER, receive_bytes=4096) for _ in range(20)]
        for viewer in stalled:
            viewer.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        before = client.stats()
        time.sleep(1)
        after = client.stats()
        per_viewer = (after.snapshot_bytes - before.snapshot_bytes) / len(stalled)
        self.assertLess(per_viewer, 256 * 1024)
        self.assertEqual(after.viewers, 20)

    def test_pong_does_not_wait_for_snapshots_that_have_not_begun(self):
        # One snapshot of some 15 messages, far more than a viewer who stands still and the kernel hold.
        server = self.serve('--server-frame-max', '65536', '--agents-max', '20000')
        client = server.connect()
        client.do(spawn_crowd=pb.SpawnCrowd(count=18000, area=pb.Rectangle(min=v(-98, -98), max=v(98, 98))))
        client.do(set_clock=pb.SetClock(paused=True))
        viewer = server.connect(harness.VIEWER, receive_bytes=4096)
        viewer.do(subscribe=pb.Subscribe(snapshot_interval_ticks=1))
        client.do(set_clock=pb.SetClock(paused=True, step_ticks=1))
        harness.wait_until(lambda: client.stats().snapshots_sent == 1, 'the snapshot is on its way')
        viewer.send(ping=pb.Ping(client_time_us=1))
        client.ping()  # by now the other Ping, which came before, is answered too
        order = []
        while 'pong' not in order:
            message = viewer.read_message()
            order.append(message.WhichOneof('body'))
            self.assertFalse(message.snapshot.last, 'the whole snapshot came before the Pong')
        self.assertGreater(order.count('snapshot'), 0)

    def test_a_reader_that_takes_no_results_is_cut(self):
        server = self.serve('--queue-max', '4096')
        watcher = server.connect()
        greedy = server.connect(harness.CONTROLLER, receive_bytes=4096)
        connections = watcher.stats().connections
        command = harness.frame(pb.ClientMessage(
            request_id=1, remove_agents=pb.RemoveAgents(ids=[4294967295])).SerializeToString())
        greedy.socket.settimeout(0.5)
        try:
            for _ in range(2000):
                greedy.write(command * 50)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass
        harness.wait_until(lambda: watcher.stats().connections < connections, 'the greedy one is cut')


if __name__ == '__main__':
    harness.main()
