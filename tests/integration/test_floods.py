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


if __name__ == '__main__':
    harness.main()
