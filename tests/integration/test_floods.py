"""Clients that send more than is good for others."""

import signal
import time

import harness
from harness import frame, pb


class Flood(harness.TestCase):
    def test_ticks_go_on_between_the_frames_of_a_flood(self):
        """All is there at once, and takes many ticks to read: answers tell the tick that was finished then."""
        server = self.serve('--tick-rate', '240')
        # Some 15,000 empty agents are over the decoding budget, which takes its time to find out.
        body = pb.ClientMessage(spawn_agents=pb.SpawnAgents(agents=[pb.AgentSpec()] * 15000)).SerializeToString()
        clients = [server.connect() for _ in range(60)]
        server.signal(signal.SIGSTOP)
        for client in clients:
            client.write(frame(body))
        time.sleep(0.1)  # so that the schedule gives up ticks that are long past before the first frame
        server.signal(signal.SIGCONT)
        ticks = set()
        for client in clients:
            result = client.result(0)
            self.assert_refused(result, pb.RESOURCE_EXHAUSTED, 'when decoded')
            ticks.add(result.tick)
        self.assertGreater(len(ticks), 5)

    def test_commands_of_one_tick_are_bounded_by_their_work(self):
        """A few bytes that name everybody, again and again."""
        server = self.serve('--tick-rate', '1')
        client = server.connect()
        client.do(spawn_crowd=pb.SpawnCrowd(count=2000, area=pb.Rectangle(min=pb.Vec2(x=-90, y=-90),
                                                                          max=pb.Vec2(x=90, y=90))))
        everybody = pb.Target(all=True, none=pb.Nothing())
        self.assert_refused(client.ask(set_targets=pb.SetTargets(targets=[everybody] * 2001)),
                            pb.RESOURCE_EXHAUSTED, 'targets name more than 4000000 agents')
        client.do(set_targets=pb.SetTargets(targets=[everybody]))  # answered: a tick has just begun
        sent = [client.post(set_targets=pb.SetTargets(targets=[everybody] * 1000)) for _ in range(4)]
        results = [client.result(request_id) for request_id in sent]
        self.assertEqual([result.code for result in results], [pb.OK] * 3 + [pb.RESOURCE_EXHAUSTED])
        self.assertRegex(results[3].message, 'all the work that one tick takes')
        client.do(set_targets=pb.SetTargets(targets=[everybody]))


if __name__ == '__main__':
    harness.main()
