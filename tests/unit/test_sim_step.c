/* The tick: its order, movement against walls, parting, and that threads do not matter. */
#include <math.h>
#include <string.h>

#include "sim_fixture.h"
#include "suites.h"

START_TEST(test_a_lone_walker_does_ten_metres_in_about_seven_seconds)
    {
        struct world *world = sim_fixture_world();
        struct agent_id id = sim_fixture_agent(world, vec2(-5, 0), sim_fixture_to(5, 0), "");
        uint32_t ticks = 0;
        while (sim_fixture_state(world, id) != AGENT_STATE_ARRIVED && ticks < 300) {
            sim_fixture_run(world, 1);
            ticks++;
        }
        ck_assert_uint_ge(ticks, 207); /* 6.9 s */
        ck_assert_uint_le(ticks, 219); /* 7.3 s */
        ck_assert_float_le(vec2_length(vec2_sub(sim_fixture_position(world, id), vec2(5, 0))), 0.2f);
        world_destroy(world);
    }
END_TEST

Suite *suite_sim_step(void)
{
    Suite *suite = suite_create("sim_step");
    TCase *order = tcase_create("order");
    tcase_add_test(order, test_a_lone_walker_does_ten_metres_in_about_seven_seconds);
    suite_add_tcase(suite, order);
    return suite;
}
