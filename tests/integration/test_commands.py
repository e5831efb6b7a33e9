"""Every refusal of the command table, with its code and its words, over the wire; and that a refused command changed nothing."""

import math

import harness
from harness import pb

NAN, INF = math.nan, math.inf


def v(x, y):
    return pb.Vec2(x=x, y=y)


def box(x1, y1, x2, y2):
    return pb.Rectangle(min=v(x1, y1), max=v(x2, y2))


def agents(**fields):
    fields.setdefault('position', v(0, 0))
    return {'spawn_agents': pb.SpawnAgents(agents=[pb.AgentSpec(**fields)])}


def crowd(**fields):
    fields.setdefault('count', 3)
    fields.setdefault('area', box(-50, 20, 50, 60))
    return {'spawn_crowd': pb.SpawnCrowd(**fields)}


def target(**fields):
    return {'set_targets': pb.SetTargets(targets=[pb.Target(**fields)])}


def profile(name='test', behaviours=None, **fields):
    behaviours = [pb.ProfileBehaviour(name='arrive')] if behaviours is None else behaviours
    return {'define_profile': pb.DefineProfile(name=name, behaviours=behaviours, **fields)}


def behaviour(name, weight=0.0, group=0, **parameters):
    return pb.ProfileBehaviour(name=name, weight=weight, group=group, parameters=[
        pb.BehaviourParameter(name=key, value=value) for key, value in parameters.items()])


def obstacle(**fields):
    return {'place_obstacles': pb.PlaceObstacles(obstacles=[pb.Obstacle(**fields)])}


def polygon(*points):
    return obstacle(polygon=pb.Polygon(points=[v(x, y) for x, y in points]))


def path(*points):
    return pb.Path(points=[v(x, y) for x, y in points])


INVALID, RANGE, NOT_FOUND = pb.INVALID_ARGUMENT, pb.OUT_OF_RANGE, pb.NOT_FOUND
PRECONDITION, FULL, UNIMPLEMENTED = pb.FAILED_PRECONDITION, pb.RESOURCE_EXHAUSTED, pb.UNIMPLEMENTED

# In the world of every case: agents 1 (at -20, 0) and 2 (at 20, 0), and obstacle 1, a circle of 2 m at (0, -30).
REFUSALS = [
    ('spawn none', {'spawn_agents': pb.SpawnAgents()}, INVALID, 'agents'),
    ('spawn nan', agents(position=v(NAN, 0)), INVALID, r'agents\[0\]\.position.*nan'),
    ('spawn inf', agents(position=v(0, INF)), INVALID, r'agents\[0\]\.position.*inf'),
    ('spawn nowhere', {'spawn_agents': pb.SpawnAgents(agents=[pb.AgentSpec()])}, INVALID, r'agents\[0\]\.position'),
    ('spawn outside', agents(position=v(101, 0)), RANGE, r'agents\[0\]\.position.*101.*99\.6'),
    ('spawn over the edge', agents(position=v(0, -99.8)), RANGE, r'agents\[0\]\.position.*99\.8'),
    ('spawn in an obstacle', agents(position=v(0, -30)), PRECONDITION, r'agents\[0\].*obstacle'),
    ('spawn on its rim', agents(position=v(0, -27.8)), PRECONDITION, r'agents\[0\].*obstacle'),
    ('spawn unknown profile', agents(profile='nobody'), NOT_FOUND, r'agents\[0\]\.profile.*nobody'),
    ('spawn orientation', agents(orientation_deg=NAN), INVALID, r'agents\[0\]\.orientation.*nan'),
    ('spawn velocity nan', agents(velocity=v(0, NAN)), INVALID, r'agents\[0\]\.velocity.*nan'),
    ('spawn too fast', agents(velocity=v(0, 2)), RANGE, r'agents\[0\]\.velocity.*1\.5'),
    ('spawn radius small', agents(radius=0.01), RANGE, r'agents\[0\]\.radius.*0\.01.*0\.05.*10'),
    ('spawn radius negative', agents(radius=-1), RANGE, r'agents\[0\]\.radius.*-1'),
    ('spawn radius nan', agents(radius=NAN), INVALID, r'agents\[0\]\.radius.*nan'),
    ('spawn speed', agents(max_speed=101), RANGE, r'agents\[0\]\.max_speed.*101.*100'),
    ('spawn accel', agents(max_accel=1001), RANGE, r'agents\[0\]\.max_accel.*1001.*1000'),
    ('spawn goal nan', agents(point=v(NAN, 0)), INVALID, r'agents\[0\]\.point.*nan'),
    ('spawn goal outside', agents(point=v(0, 200)), RANGE, r'agents\[0\]\.point.*200'),
    ('spawn goal unknown', agents(agent_id=99), NOT_FOUND, r'agents\[0\]\.agent_id.*99'),
    ('spawn path empty', agents(path=path()), None, r'agents\[0\]\.path.*empty.*1'),
    ('spawn path long', agents(path=path(*[(1, 1)] * 65)), None, r'agents\[0\]\.path.*65.*64'),
    ('spawn path nan', agents(path=path((1, 1), (NAN, 1))), INVALID, r'agents\[0\]\.path.*1.*nan'),

    ('crowd of none', crowd(count=0), None, 'count'),
    ('crowd of too many', crowd(count=2001), None, 'count.*2001.*2000|agents'),
    ('crowd nowhere', {'spawn_crowd': pb.SpawnCrowd(count=1)}, INVALID, 'area'),
    ('crowd area nan', crowd(area=box(NAN, 0, 1, 1)), INVALID, 'area.*nan'),
    ('crowd area upside down', crowd(area=box(5, 5, -5, -5)), None, 'area'),
    ('crowd without room', crowd(count=50, area=box(10, 10, 12, 12)), PRECONDITION, '10,?000'),
    ('crowd unknown profile', crowd(profile='nobody'), NOT_FOUND, 'profile.*nobody'),
    ('crowd goal outside', crowd(point=v(0, 200)), RANGE, 'point.*200'),
    ('crowd goal area nan', crowd(goal_area=box(0, 0, NAN, 1)), INVALID, 'goal_area.*nan'),
    ('crowd retarget without area', crowd(retarget=True), INVALID, 'retarget.*goal_area'),

    ('remove nothing', {'remove_agents': pb.RemoveAgents()}, INVALID, 'ids.*all'),
    ('remove ids and all', {'remove_agents': pb.RemoveAgents(ids=[1], all=True)}, INVALID, 'ids.*all|all.*ids'),
    ('remove unknown', {'remove_agents': pb.RemoveAgents(ids=[1, 99])}, NOT_FOUND, '99'),
    ('remove zero', {'remove_agents': pb.RemoveAgents(ids=[0])}, NOT_FOUND, '0'),

    ('target none', {'set_targets': pb.SetTargets()}, INVALID, 'targets'),
    ('target nobody', target(point=v(0, 0)), INVALID, r'targets\[0\].*ids'),
    ('target without goal', target(ids=[1]), INVALID, r'targets\[0\].*goal'),
    ('target unknown', target(ids=[99], point=v(0, 0)), NOT_FOUND, r'targets\[0\].*99'),
    ('target nan', target(ids=[1], point=v(NAN, 0)), INVALID, r'targets\[0\].*nan'),
    ('target outside', target(ids=[1], point=v(-101, 0)), RANGE, r'targets\[0\].*-101'),
    ('target itself', target(ids=[1], agent_id=1), INVALID, r'targets\[0\].*itself'),
    ('target unknown agent', target(ids=[1], agent_id=99), NOT_FOUND, r'targets\[0\].*99'),
    ('target empty path', target(ids=[1], path=path()), None, r'targets\[0\].*path'),
    ('second of two targets', {'set_targets': pb.SetTargets(targets=[
        pb.Target(ids=[1], point=v(9, 9)), pb.Target(ids=[99], point=v(9, 9))])}, NOT_FOUND, r'targets\[1\].*99'),

    ('drive unknown', {'drive': pb.Drive(id=99, velocity=v(1, 0))}, NOT_FOUND, '99'),
    ('drive without velocity', {'drive': pb.Drive(id=1)}, INVALID, 'velocity'),
    ('drive nan', {'drive': pb.Drive(id=1, velocity=v(0, NAN))}, INVALID, 'velocity.*nan'),
    ('drive too fast', {'drive': pb.Drive(id=1, velocity=v(2, 0))}, RANGE, r'velocity.*2.*1\.5'),

    ('teleport unknown', {'teleport': pb.Teleport(id=99, position=v(1, 0))}, NOT_FOUND, '99'),
    ('teleport nowhere', {'teleport': pb.Teleport(id=1)}, INVALID, 'position'),
    ('teleport nan', {'teleport': pb.Teleport(id=1, position=v(NAN, 0))}, INVALID, 'position.*nan'),
    ('teleport orientation', {'teleport': pb.Teleport(id=1, position=v(1, 0), orientation_deg=INF)}, INVALID,
     'orientation.*inf'),
    ('teleport outside', {'teleport': pb.Teleport(id=1, position=v(0, 500))}, RANGE, 'position.*500'),
    ('teleport into obstacle', {'teleport': pb.Teleport(id=1, position=v(0, -31))}, PRECONDITION, 'obstacle'),

    ('profile without name', profile(name=''), INVALID, 'name'),
    ('profile of capitals', profile(name='Fast Walker'), INVALID, 'name.*a-z'),
    ('profile long name', profile(name='x' * 32), INVALID, 'name.*32.*31'),
    ('profile without behaviour', profile(behaviours=[]), None, 'behaviours'),
    ('profile of 17 behaviours', profile(behaviours=[behaviour('arrive')] * 17), INVALID, 'behaviours.*17.*16'),
    ('profile unknown behaviour', profile(behaviours=[behaviour('fly')]), NOT_FOUND, r'behaviours\[0\].*fly'),
    ('profile unknown parameter', profile(behaviours=[behaviour('arrive', wings=2)]), NOT_FOUND,
     r'behaviours\[0\].*wings'),
    ('profile parameter range', profile(behaviours=[behaviour('avoid_agents', time_horizon=-1)]), RANGE,
     r'behaviours\[0\].*time_horizon.*-1'),
    ('profile parameter nan', profile(behaviours=[behaviour('avoid_agents', time_horizon=NAN)]), INVALID,
     r'behaviours\[0\].*time_horizon.*nan'),
    ('profile weight', profile(behaviours=[behaviour('arrive', weight=101)]), RANGE, r'behaviours\[0\].*weight.*101.*100'),
    ('profile group', profile(behaviours=[behaviour('arrive', group=8)]), RANGE, r'behaviours\[0\].*group.*8.*7'),
    ('profile limit', profile(limits=pb.Limits(max_rotation=3601)), RANGE, 'max_rotation.*3601.*3600'),
    ('profile limit nan', profile(limits=pb.Limits(radius=NAN)), INVALID, 'radius.*nan'),

    ('set unknown profile', {'set_profile': pb.SetProfile(ids=[1], profile='nobody')}, NOT_FOUND, 'nobody'),
    ('set no profile', {'set_profile': pb.SetProfile(ids=[1])}, INVALID, 'profile'),
    ('set profile of unknown', {'set_profile': pb.SetProfile(ids=[99], profile='walker')}, NOT_FOUND, '99'),
    ('set profile of nobody', {'set_profile': pb.SetProfile(profile='walker')}, INVALID, 'ids.*all'),

    ('place none', {'place_obstacles': pb.PlaceObstacles()}, INVALID, 'obstacles'),
    ('place no shape', obstacle(), INVALID, r'obstacles\[0\].*shape'),
    ('place nan', obstacle(circle=pb.Circle(center=v(NAN, 0), radius=1)), INVALID, r'obstacles\[0\].*nan'),
    ('place circle of 0', obstacle(circle=pb.Circle(center=v(0, 0))), RANGE, r'obstacles\[0\].*radius.*0\.01.*1000'),
    ('place box of 0', obstacle(box=pb.Box(center=v(0, 0), size=v(1, 0))), RANGE, r'obstacles\[0\].*size.*0\.01'),
    ('place box nan turn', obstacle(box=pb.Box(center=v(0, 0), size=v(1, 1), orientation_deg=NAN)), INVALID,
     r'obstacles\[0\].*orientation.*nan'),
    ('place segment of 0', obstacle(segment=pb.Segment(a=v(1, 1), b=v(1, 1))), None, r'obstacles\[0\].*segment.*0\.01'),
    ('place 2 corners', polygon((0, 0), (1, 0)), INVALID, r'obstacles\[0\].*polygon.*2.*3'),
    ('place 17 corners', polygon(*[(math.cos(i / 2.7), math.sin(i / 2.7)) for i in range(17)]), INVALID,
     r'obstacles\[0\].*polygon.*17.*16'),
    ('place flat polygon', polygon((0, 0), (1, 1), (2, 2)), INVALID, r'obstacles\[0\].*polygon'),
    ('place crossing polygon', polygon((0, 0), (2, 2), (2, 0), (0, 2)), INVALID, r'obstacles\[0\].*polygon'),
    ('place hollow polygon', polygon((0, 0), (4, 0), (1, 1), (0, 4)), INVALID, r'obstacles\[0\].*convex'),
    ('place far away', obstacle(circle=pb.Circle(center=v(20000, 0), radius=1)), RANGE, r'obstacles\[0\].*10'),
    ('place long name', obstacle(name='n' * 32, circle=pb.Circle(radius=1)), INVALID, r'obstacles\[0\]\.name.*32.*31'),
    ('remove unknown obstacle', {'remove_obstacles': pb.RemoveObstacles(ids=[1, 7])}, NOT_FOUND, '7'),
    ('remove no obstacle', {'remove_obstacles': pb.RemoveObstacles()}, INVALID, 'ids.*all'),

    ('subscribe interval', {'subscribe': pb.Subscribe(snapshot_interval_ticks=3)}, RANGE, 'interval.*3.*1, 2, 4'),
    ('subscribe around nobody', {'subscribe': pb.Subscribe(around=pb.Around(agent_id=99, radius=5))}, NOT_FOUND, '99'),
    ('subscribe radius', {'subscribe': pb.Subscribe(around=pb.Around(agent_id=1))}, RANGE, r'radius.*0\.1.*10000'),
    ('subscribe radius nan', {'subscribe': pb.Subscribe(around=pb.Around(agent_id=1, radius=NAN))}, INVALID,
     'radius.*nan'),
    ('subscribe nan', {'subscribe': pb.Subscribe(rectangle=box(NAN, 0, 1, 1))}, INVALID, 'rectangle.*nan'),
    ('subscribe upside down', {'subscribe': pb.Subscribe(rectangle=box(1, 1, 0, 0))}, None, 'rectangle'),
    ('subscribe delta', {'subscribe': pb.Subscribe(format=pb.FORMAT_DELTA)}, UNIMPLEMENTED, 'FORMAT_DELTA.*FORMAT_FULL'),
    ('query nothing', {'query': pb.Query()}, INVALID, 'agents.*obstacles.*profiles.*stats.*digest'),
    ('query area nan', {'query': pb.Query(agents=pb.AgentFilter(area=box(0, 0, 1, NAN)))}, INVALID, 'area.*nan'),

    ('clock nothing', {'set_clock': pb.SetClock()}, INVALID, 'paused.*step_ticks.*speed'),
    ('clock too slow', {'set_clock': pb.SetClock(speed=0.05)}, RANGE, r'speed.*0\.05.*0\.1.*8'),
    ('clock too fast', {'set_clock': pb.SetClock(speed=8.5)}, RANGE, r'speed.*8\.5'),
    ('clock nan', {'set_clock': pb.SetClock(speed=NAN)}, INVALID, 'speed.*nan'),
    ('clock steps', {'set_clock': pb.SetClock(paused=True, step_ticks=1000001)}, RANGE, 'step_ticks.*1000001.*1000000'),
    ('clock steps running', {'set_clock': pb.SetClock(step_ticks=5)}, None, 'step.*(paused|stand)'),
    ('save', {'save': pb.Save()}, UNIMPLEMENTED, 'save.*version'),
    ('reset', {'reset': pb.Reset()}, UNIMPLEMENTED, 'reset.*version'),
]


class Refusals(harness.TestCase):
    def test_each_refusal_has_code_and_words_and_changes_nothing(self):
        server = self.serve('--agents-max', '2000')
        client = server.connect()
        client.do(spawn_agents=harness.spawn((-20, 0), (20, 0)))
        client.do(**obstacle(circle=pb.Circle(center=v(0, -30), radius=2)))
        # Paused, so that the digest may be compared; commands are taken all the same.
        client.do(set_clock=pb.SetClock(paused=True))
        before = client.query(digest=True, profiles=True, obstacles=True)
        for name, body, code, words in REFUSALS:
            with self.subTest(name):
                if name == 'clock steps running':
                    continue  # has its own test below: this clock is paused
                result = client.ask(**body)
                expected = (INVALID, RANGE) if code is None else (code,)
                self.assertIn(pb.Code.Name(result.code), [pb.Code.Name(c) for c in expected], result.message)
                self.assertRegex(result.message, words)
                self.assertEqual((result.first_id, result.id_count), (0, 0))
        after = client.query(digest=True, profiles=True, obstacles=True)
        self.assertEqual(before.state_digest, after.state_digest)
        self.assertEqual([p.name for p in before.profiles], [p.name for p in after.profiles])
        self.assertEqual(len(after.obstacles), 1)

    def test_steps_need_a_clock_that_stands(self):
        client = self.serve().connect()
        result = client.ask(set_clock=pb.SetClock(step_ticks=5))
        self.assertIn(result.code, (INVALID, PRECONDITION), result.message)
        self.assertRegex(result.message, 'step')

    def test_speed_times_rate_is_bounded(self):
        client = self.serve('--tick-rate', '120').connect()
        self.assert_refused(client.ask(set_clock=pb.SetClock(speed=3)), RANGE, 'speed.*3.*2')
        client.do(set_clock=pb.SetClock(speed=2))

    def test_full_is_an_answer(self):
        client = self.serve('--agents-max', '10', '--obstacles-max', '2').connect()
        client.do(spawn_agents=harness.spawn(*[(i, 0) for i in range(8)]))
        self.assert_refused(client.ask(spawn_agents=harness.spawn((0, 5), (1, 5), (2, 5))), FULL, '10')
        self.assertEqual(len(client.agents()), 8)
        client.do(spawn_agents=harness.spawn((0, 5), (1, 5)))
        client.do(remove_agents=pb.RemoveAgents(ids=[1]))
        made = client.do(spawn_agents=harness.spawn((0, 5)))
        self.assertEqual(made.first_id, 11)  # ids are not used again
        circle = pb.Obstacle(circle=pb.Circle(center=v(50, 50), radius=1))
        self.assert_refused(client.ask(place_obstacles=pb.PlaceObstacles(obstacles=[circle] * 3)), FULL, '2')
        client.do(place_obstacles=pb.PlaceObstacles(obstacles=[circle] * 2))


class Effects(harness.TestCase):
    def test_what_is_made_has_consecutive_ids(self):
        client = self.serve().connect()
        first = client.do(spawn_agents=harness.spawn((0, 0), (5, 0), (10, 0)))
        self.assertEqual((first.first_id, first.id_count), (1, 3))
        second = client.do(**crowd(count=7))
        self.assertEqual((second.first_id, second.id_count), (4, 7))
        self.assertEqual([agent.id for agent in client.agents()], list(range(1, 11)))
        placed = client.do(**obstacle(name='post', circle=pb.Circle(center=v(0, -30), radius=2)))
        self.assertEqual((placed.first_id, placed.id_count), (1, 1))

    def test_agents_go_where_they_are_sent(self):
        client = self.serve('--tick-rate', '240').connect()
        client.do(set_clock=pb.SetClock(paused=True))
        client.do(spawn_agents=harness.spawn((0, 0), (0, 10), (0, 20), tag=9))
        client.do(**target(ids=[1], point=v(5, 0)))
        client.do(drive=pb.Drive(id=2, velocity=v(-1, 0)))
        client.do(teleport=pb.Teleport(id=3, position=v(30, 30), orientation_deg=450))
        end = client.stats().tick + 2400
        client.do(set_clock=pb.SetClock(step_ticks=2400))
        harness.wait_until(lambda: client.stats().tick == end, 'the steps are done', 60)
        state = {agent.id: agent for agent in client.agents()}
        self.assertLess(math.hypot(state[1].position.x - 5, state[1].position.y), 0.5)
        self.assertLess(state[2].position.x, -5)
        self.assertEqual(state[2].state, pb.AgentState.DRIVEN)
        self.assertAlmostEqual(state[3].position.x, 30, places=3)
        self.assertAlmostEqual(state[3].orientation_deg, 90, places=3)
        self.assertEqual({agent.tag for agent in state.values()}, {9})

    def test_an_agent_in_a_new_obstacle_is_out_in_the_same_tick(self):
        client = self.serve().connect()
        client.do(spawn_agents=harness.spawn((0.3, 0)))
        client.do(**obstacle(circle=pb.Circle(center=v(0, 0), radius=3)))
        agent = client.agents()[0]
        self.assertGreater(math.hypot(agent.position.x, agent.position.y), 3 + 0.4 - 0.01)

    def test_profiles_are_defined_and_given(self):
        client = self.serve().connect()
        client.do(spawn_agents=harness.spawn((0, 0)))
        client.do(**profile('runner', behaviours=[behaviour('arrive', weight=2, group=1)],
                            limits=pb.Limits(max_speed=3)))
        client.do(set_profile=pb.SetProfile(all=True, profile='runner'))
        answer = client.query(profiles=True)
        runner = next(p for p in answer.profiles if p.name == 'runner')
        self.assertEqual(runner.limits.max_speed, 3)
        self.assertAlmostEqual(runner.limits.radius, 0.4, places=6)
        self.assertEqual([b.name for b in runner.behaviours], ['arrive'])
        self.assertEqual(client.agents()[0].profile, runner.index)
        self.assertIn('avoid_agents', [b.name for b in answer.behaviours])
        self.assertEqual(answer.profiles[0].name, 'walker')

    def test_owned_agents_leave_with_their_connection(self):
        server = self.serve()
        watcher = server.connect()
        for end in ('close', 'reset', 'finish'):
            with self.subTest(end):
                owner = server.connect(harness.CONTROLLER)
                owner.do(spawn_agents=pb.SpawnAgents(agents=[pb.AgentSpec(position=v(0, 0))], owned=True))
                owner.do(spawn_agents=pb.SpawnAgents(agents=[pb.AgentSpec(position=v(9, 0), tag=5)]))
                owner.do(spawn_crowd=pb.SpawnCrowd(count=4, area=box(20, 20, 40, 40), owned=True))
                before = len(watcher.agents())
                getattr(owner, end)()
                harness.wait_until(lambda: len(watcher.agents()) == before - 5, 'the owned ones are gone')
        self.assertEqual([agent.tag for agent in watcher.agents()], [5, 5, 5])

    def test_owned_agents_leave_while_the_clock_stands(self):
        server = self.serve()
        watcher = server.connect()
        owner = server.connect(harness.CONTROLLER)
        owner.do(spawn_agents=pb.SpawnAgents(agents=[pb.AgentSpec(position=v(0, 0))], owned=True))
        watcher.do(set_clock=pb.SetClock(paused=True))
        owner.close()
        harness.wait_until(lambda: not watcher.agents(), 'the owned one is gone')


if __name__ == '__main__':
    harness.main()
