#include "app/schedule.h"
#include "suites.h"

#define RATE_HZ   30u
#define SECOND_NS UINT64_C(1000000000)

static struct schedule schedule_at_zero(void)
{
    struct schedule schedule;
    schedule_init(&schedule, RATE_HZ, 0);
    return schedule;
}

static enum status set_clock(struct schedule *schedule, struct clock_spec spec, uint64_t now_ns,
                             struct fault *fault)
{
    return schedule_set_clock(schedule, &spec, now_ns, fault);
}

/* Ticks that run when the clock stands at now_ns and each takes no time. */
static uint32_t take_all(struct schedule *schedule, uint64_t now_ns)
{
    uint32_t ticks = 0;
    while (schedule_take(schedule, now_ns).tick) {
        ticks++;
    }
    return ticks;
}

START_TEST(test_nothing_is_due_before_the_first_deadline)
{
    struct schedule schedule = schedule_at_zero();
    ck_assert_uint_eq(schedule_next_ns(&schedule), SECOND_NS / RATE_HZ);
    ck_assert(!schedule_take(&schedule, SECOND_NS / RATE_HZ - 1).tick);
    ck_assert(schedule_take(&schedule, SECOND_NS / RATE_HZ).tick);
}
END_TEST

START_TEST(test_a_late_tick_does_not_delay_the_next)
{
    struct schedule schedule = schedule_at_zero();
    struct schedule_turn turn = schedule_take(&schedule, SECOND_NS / RATE_HZ + 5000000);
    ck_assert(turn.tick);
    ck_assert_uint_eq(turn.lateness_ns, 5000000);
    ck_assert_uint_eq(schedule_next_ns(&schedule), 2 * SECOND_NS / RATE_HZ);
}
END_TEST

START_TEST(test_deadlines_do_not_drift)
{
    struct schedule schedule = schedule_at_zero();
    for (uint32_t i = 0; i < RATE_HZ * 5000 - 1; i++) {
        ck_assert(schedule_take(&schedule, schedule_next_ns(&schedule)).tick);
    }
    ck_assert_uint_eq(schedule_next_ns(&schedule), 5000 * SECOND_NS);
    ck_assert_uint_eq(schedule.skipped, 0);
}
END_TEST

START_TEST(test_three_late_ticks_are_caught_up_without_a_skip)
{
    struct schedule schedule = schedule_at_zero();
    ck_assert_uint_eq(take_all(&schedule, 3 * SECOND_NS / RATE_HZ), 3);
    ck_assert_uint_eq(schedule.skipped, 0);
}
END_TEST

START_TEST(test_the_fourth_late_tick_is_skipped_and_counted)
{
    struct schedule schedule = schedule_at_zero();
    struct schedule_turn turn = schedule_take(&schedule, 4 * SECOND_NS / RATE_HZ);
    ck_assert_uint_eq(turn.skipped, 1);
    ck_assert_uint_eq(1 + take_all(&schedule, 4 * SECOND_NS / RATE_HZ), 3);
    ck_assert_uint_eq(schedule.skipped, 1);
    ck_assert_uint_eq(schedule_next_ns(&schedule), 5 * SECOND_NS / RATE_HZ);
}
END_TEST

START_TEST(test_after_an_hour_asleep_three_ticks_run_and_the_rest_is_counted)
{
    struct schedule schedule = schedule_at_zero();
    ck_assert_uint_eq(take_all(&schedule, 3600 * SECOND_NS), 3);
    ck_assert_uint_eq(schedule.skipped, 3600 * RATE_HZ - 3);
    ck_assert_uint_gt(schedule_next_ns(&schedule), 3600 * SECOND_NS);
    ck_assert_uint_le(schedule_next_ns(&schedule), 3600 * SECOND_NS + SECOND_NS / RATE_HZ + 1);
}
END_TEST

START_TEST(test_a_paused_clock_never_ticks)
{
    struct schedule schedule = schedule_at_zero();
    ck_assert_int_eq(set_clock(&schedule, (struct clock_spec){.has_paused = true, .paused = true}, 0, NULL),
                     STATUS_OK);
    ck_assert(schedule_stands(&schedule));
    ck_assert_uint_eq(schedule_next_ns(&schedule), SCHEDULE_NEVER_NS);
    ck_assert_uint_eq(take_all(&schedule, 100 * SECOND_NS), 0);
}
END_TEST

START_TEST(test_what_a_pause_left_out_is_neither_made_up_for_nor_counted)
{
    struct schedule schedule = schedule_at_zero();
    ck_assert_int_eq(set_clock(&schedule, (struct clock_spec){.has_paused = true, .paused = true}, 0, NULL),
                     STATUS_OK);
    ck_assert_int_eq(
        set_clock(&schedule, (struct clock_spec){.has_paused = true, .paused = false}, 100 * SECOND_NS, NULL),
        STATUS_OK);
    ck_assert_uint_eq(take_all(&schedule, 100 * SECOND_NS), 1);
    ck_assert_uint_eq(schedule.skipped, 0);
    ck_assert_uint_eq(schedule_next_ns(&schedule), 100 * SECOND_NS + SECOND_NS / RATE_HZ);
}
END_TEST

START_TEST(test_pause_and_resume_in_quick_succession_win_no_tick)
{
    struct schedule schedule = schedule_at_zero();
    for (uint64_t now_ns = 0; now_ns < SECOND_NS / RATE_HZ; now_ns += 1000000) {
        ck_assert_int_eq(
            set_clock(&schedule, (struct clock_spec){.has_paused = true, .paused = true}, now_ns, NULL),
            STATUS_OK);
        ck_assert_int_eq(
            set_clock(&schedule, (struct clock_spec){.has_paused = true, .paused = false}, now_ns, NULL),
            STATUS_OK);
        ck_assert_uint_eq(take_all(&schedule, now_ns), 0);
    }
}
END_TEST

START_TEST(test_steps_run_at_the_tick_rate_and_then_time_stands)
{
    struct schedule schedule = schedule_at_zero();
    struct clock_spec spec = {.has_paused = true, .paused = true, .step_ticks = 5};
    ck_assert_int_eq(set_clock(&schedule, spec, 10 * SECOND_NS, NULL), STATUS_OK);
    uint32_t ticks = 0;
    uint64_t last_ns = 0;
    while (!schedule_stands(&schedule)) {
        last_ns = schedule_next_ns(&schedule);
        ticks += schedule_take(&schedule, last_ns).tick;
    }
    ck_assert_uint_eq(ticks, 5);
    ck_assert_uint_ge(last_ns, 4 * SECOND_NS / RATE_HZ);
    ck_assert(schedule.paused);
}
END_TEST

START_TEST(test_steps_on_a_running_clock_are_refused_and_change_nothing)
{
    struct schedule schedule = schedule_at_zero();
    struct schedule before = schedule;
    struct fault fault = {0};
    struct clock_spec spec = {.step_ticks = 5, .speed = 2.0f};
    ck_assert_int_eq(set_clock(&schedule, spec, SECOND_NS, &fault), STATUS_FAILED_PRECONDITION);
    ck_assert_str_eq(fault.text, "step_ticks is 5: the clock runs, and only a paused one can be stepped");
    ck_assert_float_eq(schedule.speed, before.speed);
    ck_assert_uint_eq(schedule_next_ns(&schedule), schedule_next_ns(&before));
}
END_TEST

START_TEST(test_speed_multiplies_the_rate)
{
    struct schedule schedule = schedule_at_zero();
    ck_assert_int_eq(set_clock(&schedule, (struct clock_spec){.speed = 8.0f}, 0, NULL), STATUS_OK);
    uint32_t ticks = 0;
    while (schedule_next_ns(&schedule) <= SECOND_NS) {
        ticks += schedule_take(&schedule, schedule_next_ns(&schedule)).tick;
    }
    ck_assert_uint_ge(ticks, 240);
    ck_assert_uint_le(ticks, 241);
}
END_TEST

START_TEST(test_slow_motion_ends_within_one_new_period)
{
    struct schedule schedule;
    schedule_init(&schedule, 1, 0);
    ck_assert_int_eq(set_clock(&schedule, (struct clock_spec){.speed = 0.1f}, 0, NULL), STATUS_OK);
    ck_assert(schedule_take(&schedule, SECOND_NS).tick);
    ck_assert_uint_eq(schedule_next_ns(&schedule), 11 * SECOND_NS);
    ck_assert_int_eq(set_clock(&schedule, (struct clock_spec){.speed = 8.0f}, 2 * SECOND_NS, NULL),
                     STATUS_OK);
    ck_assert_uint_eq(schedule_next_ns(&schedule), 2 * SECOND_NS + SECOND_NS / 8);
}
END_TEST

Suite *suite_app_schedule(void)
{
    Suite *suite = suite_create("app_schedule");
    TCase *deadlines = tcase_create("deadlines");
    tcase_add_test(deadlines, test_nothing_is_due_before_the_first_deadline);
    tcase_add_test(deadlines, test_a_late_tick_does_not_delay_the_next);
    tcase_add_test(deadlines, test_deadlines_do_not_drift);
    suite_add_tcase(suite, deadlines);
    TCase *late = tcase_create("late");
    tcase_add_test(late, test_three_late_ticks_are_caught_up_without_a_skip);
    tcase_add_test(late, test_the_fourth_late_tick_is_skipped_and_counted);
    tcase_add_test(late, test_after_an_hour_asleep_three_ticks_run_and_the_rest_is_counted);
    suite_add_tcase(suite, late);
    TCase *pause = tcase_create("pause");
    tcase_add_test(pause, test_a_paused_clock_never_ticks);
    tcase_add_test(pause, test_what_a_pause_left_out_is_neither_made_up_for_nor_counted);
    tcase_add_test(pause, test_pause_and_resume_in_quick_succession_win_no_tick);
    tcase_add_test(pause, test_steps_run_at_the_tick_rate_and_then_time_stands);
    tcase_add_test(pause, test_steps_on_a_running_clock_are_refused_and_change_nothing);
    suite_add_tcase(suite, pause);
    TCase *speed = tcase_create("speed");
    tcase_add_test(speed, test_speed_multiplies_the_rate);
    tcase_add_test(speed, test_slow_motion_ends_within_one_new_period);
    suite_add_tcase(suite, speed);
    return suite;
}
