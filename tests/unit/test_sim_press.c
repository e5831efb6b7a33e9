/*
 * Parting one pair after the other, at places computed by hand: what step_press makes of those whom the
 * passes left in each other. Radii are 0.4 m where nothing else is said; nobody moves by himself.
 */
#include <math.h>
#include <string.h>

#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define RADIUS 0.4f

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world(); /* to +-100 m */
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* Answers its row: they come in the order in which they are added. */
static uint32_t add(float x, float y)
{
    (void)sim_fixture_agent(world, vec2(x, y), (struct steer_goal){0}, "");
    return world->agents.count - 1;
}

/* How deep one is in the others. */
static float overlap_of(uint32_t place)
{
    const struct grid *grid = &world->grid;
    float deepest_m = 0;
    for (uint32_t other = 0; other < grid->count; other++) {
        struct vec2 offset = vec2(grid->x[place] - grid->x[other], grid->y[place] - grid->y[other]);
        float overlap_m = grid->radius[place] + grid->radius[other] - vec2_length(offset);
        deepest_m = other != place && overlap_m > deepest_m ? overlap_m : deepest_m;
    }
    return deepest_m;
}

/* Where they were before the tick, by row; where they are unless a test says so. */
static struct vec2 before[512];

static void set_before_here(void)
{
    for (uint32_t row = 0; row < world->agents.count; row++) {
        before[row] = vec2(world->agents.x[row], world->agents.y[row]);
    }
}

/* As the last pass leaves it, then step_press. Where they are afterwards is in the store. */
static void press_from_before(void)
{
    struct agent_store *agents = &world->agents;
    grid_build(&world->grid, agents);
    struct step step = {.world = world};
    for (uint32_t place = 0; place < agents->count; place++) {
        world->scratch_c[place] = overlap_of(place);
        world->scratch_d[place] = 1; /* passes mark there, too */
        world->before_x[place] = before[place].x;
        world->before_y[place] = before[place].y;
    }
    step_press(&step);
    for (uint32_t place = 0; place < agents->count; place++) {
        agents->x[world->grid.row[place]] = world->grid.x[place];
        agents->y[world->grid.row[place]] = world->grid.y[place];
    }
}

static void press(void)
{
    set_before_here();
    press_from_before();
}

static void expect_at(uint32_t row, float x, float y)
{
    ck_assert_msg(fabsf(world->agents.x[row] - x) < 2e-5f && fabsf(world->agents.y[row] - y) < 2e-5f,
                  "%u at (%.9g, %.9g) instead of (%.9g, %.9g)", row, (double)world->agents.x[row],
                  (double)world->agents.y[row], (double)x, (double)y);
}

START_TEST(test_who_is_in_another_by_more_than_a_hundredth_of_his_radius_is_parted_from_him)
{
    (void)add(0, 0);
    (void)add(0.7965f, 0); /* 3.5 mm of 4 mm */
    (void)add(0, 2);
    (void)add(0.794f, 2); /* 6 mm: half of it each */
    press();
    expect_at(0, 0, 0);
    expect_at(1, 0.7965f, 0);
    expect_at(2, -0.003f, 2);
    expect_at(3, 0.797f, 2);
    ck_assert_float_eq_tol(world->grid.slack_m, 0.003f, 1e-6f); /* who looks for them has to look so far */
}
END_TEST

/* Where they stand in their cells, which begin at (-20, -20), and which way round, to see that it does not
 * matter. */
#define PLACES 48

static struct vec2 placed(int place, float x, float y)
{
    float corner = 0.3f * (float)(place / 4);
    return vec2(corner + (place % 2 == 0 ? x : -x), corner + (place / 2 % 2 == 0 ? y : -y));
}

START_TEST(test_pairs_come_in_the_order_of_rows_wherever_they_stand)
{
    /*
     * a and b are 0.1 m in each other along x, b and c 0.015 m. When a and b part first, b has left c by
     * then, and c stays; when c and b do, c goes 0.0075 m first.
     */
    static const struct {
        uint8_t order[3]; /* who of a, b, c is added first */
        bool c_stays;
    } cases[] = {{{0, 1, 2}, true}, {{1, 0, 2}, true}, {{2, 0, 1}, false}, {{1, 2, 0}, false}};
    static const struct vec2 places[] = {{0, 0}, {0.7f, 0}, {0.367f, 0.711f}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setup();
        uint32_t rows[3];
        for (uint32_t k = 0; k < 3; k++) {
            struct vec2 at = placed(_i, places[cases[i].order[k]].x, places[cases[i].order[k]].y);
            rows[cases[i].order[k]] = add(at.x, at.y);
        }
        (void)add(-20, -20);
        struct vec2 c = vec2(world->agents.x[rows[2]], world->agents.y[rows[2]]);
        press();
        float way_m = vec2_length(vec2_sub(vec2(world->agents.x[rows[2]], world->agents.y[rows[2]]), c));
        ck_assert_msg(cases[i].c_stays ? way_m == 0.0f : way_m > 0.0074f, "case %u: %g m", i, (double)way_m);
        teardown();
    }
}
END_TEST

START_TEST(test_who_is_pushed_into_another_takes_part_from_then_on)
{
    /* Only the first two are in each other. The two beyond them touch, and are pushed along. */
    for (int i = 0; i < 4; i++) {
        (void)add(i == 0 ? 0.1f : 0.8f * (float)i, 0);
    }
    press();
    ck_assert_float_gt(world->agents.x[3], 2.42f);
    for (uint32_t row = 0; row < 3; row++) {
        ck_assert_float_ge(world->agents.x[row + 1] - world->agents.x[row], 2 * RADIUS - 0.0016f);
    }
}
END_TEST

START_TEST(test_less_than_the_slop_is_left_alone)
{
    /* Half a millimetre. The first overlaps both others; parted from one it is 0.33 mm in the other. */
    (void)add(0.7f, 0);
    (void)add(0, 0);
    (void)add(0.3754f, 0.7065f);
    press();
    expect_at(0, 0.75f, 0);
    ck_assert_float_eq(world->agents.x[2], 0.3754f);
    ck_assert_float_eq(world->agents.y[2], 0.7065f);
}
END_TEST

START_TEST(test_who_takes_part_later_has_his_turn_in_the_order_of_rows_too)
{
    /*
     * Of four of 2 m in a row the first two are 0.08 m in each other. The third takes part from the second
     * round on, and as row 1, before the second, row 2: parted from both of its neighbours first. Each
     * parting is half of what the one before left: after four rounds the first has gone 59.297 mm. With his
     * turn last it were 56.25.
     */
    static const uint8_t order[] = {0, 2, 1, 3};
    static const float x[] = {0, 3.92f, 7.92f, 11.92f};
    uint32_t rows[4];
    for (uint32_t i = 0; i < 4; i++) {
        rows[order[i]] = add(x[order[i]], 0);
        world->agents.radius[rows[order[i]]] = 2;
    }
    press();
    expect_at(rows[0], -0.059297f, 0);
    expect_at(rows[1], 3.940703f, 0);
    expect_at(rows[2], 7.939297f, 0);
    expect_at(rows[3], 11.939297f, 0);
}
END_TEST

START_TEST(test_it_ends_when_nobody_is_in_another_by_more_than_a_five_hundredth_of_their_radii)
{
    /*
     * Three of 2 m in a row, each `overlap` o in the next. The first pair parts by o, the second by 1.5 o,
     * the first by 0.75 o, then each time by half of that before: rounds begin with 1, 3/4, 3/16, 3/64 o, and
     * after the one that comes to an end the first pair is left with a quarter. With 0.12 m that is the
     * fourth, of 5.6 mm of the 8 mm that are left alone; with 0.064 m it is the third, of 12 mm, that is not
     * yet the end.
     */
    float overlap_m = _i == 0 ? 0.12f : 0.064f;
    for (int i = 0; i < 3; i++) {
        world->agents.radius[add((4 - overlap_m) * (float)i, 0)] = 2;
    }
    press();
    float left_m = 4 - (world->agents.x[1] - world->agents.x[0]);
    ck_assert_float_eq_tol(left_m, 0.01171875f * overlap_m, 1e-5f);
}
END_TEST

START_TEST(test_in_a_tick_it_is_for_the_first_256)
{
    /* Pairs, one beside the other: of 130 the last two wait. */
    for (int i = 0; i < 130; i++) {
        float y = 1.5f * (float)(i - 65);
        (void)add(0, y);
        (void)add(0.79f, y);
    }
    press();
    for (uint32_t i = 0; i < 130; i++) {
        float apart_m = world->agents.x[2 * i + 1] - world->agents.x[2 * i];
        ck_assert_float_eq_tol(apart_m, i < 128 ? 0.8f : 0.79f, 1e-5f);
    }
}
END_TEST

/* Two abreast in a corridor along x, the second `ahead_m` from being level, each the skin of 0.1 mm from its
 * wall. */
static uint32_t add_abreast(float y, float width_m, float ahead_m)
{
    float wall_m = 0.5f * width_m;
    float center_m = wall_m - RADIUS - 1e-4f;
    (void)sim_fixture_segment(world, vec2(-5, y - wall_m), vec2(5, y - wall_m));
    (void)sim_fixture_segment(world, vec2(-5, y + wall_m), vec2(5, y + wall_m));
    uint32_t row = add(0, y - center_m);
    (void)add(ahead_m, y + center_m);
    return row;
}

static float ahead_of(uint32_t row)
{
    return world->agents.x[row + 1] - world->agents.x[row];
}

/*
 * In 1.594 m they are 6.2 mm in each other, and the walls take back what goes aside: a parting makes of
 * `ahead_m` 1 + 0.0062 / 0.7938 times as much, 1.00781. Each of the two has his turn in a round.
 */
#define SLOW_M 1.594f

START_TEST(test_it_gives_up_after_300_rounds)
{
    /* 600 partings: 107 times as far. 300 would be 10 times, 1200 11,000 times, past each other. */
    uint32_t row = add_abreast(0, SLOW_M, 1e-5f);
    press();
    ck_assert_float_gt(ahead_of(row), 5e-4f);
    ck_assert_float_lt(ahead_of(row), 2e-3f);
}
END_TEST

START_TEST(test_in_a_tick_there_are_4096_partings)
{
    /*
     * Of 15 pairs each is parted 272 times and the first eight twice more, 1.57 % farther: 8.3 times as far.
     * Half as many would be 2.9 times, twice as many 69 times.
     */
    for (int i = 0; i < 15; i++) {
        (void)add_abreast(4 * (float)i, SLOW_M, 1e-5f);
    }
    press();
    for (uint32_t row = 0; row < 30; row += 2) {
        ck_assert_float_gt(ahead_of(row), 5e-5f);
        ck_assert_float_lt(ahead_of(row), 1e-4f);
    }
    ck_assert_float_eq_tol(ahead_of(14) / ahead_of(0), 1, 1e-3f);
    ck_assert_float_eq_tol(ahead_of(28) / ahead_of(16), 1, 1e-3f);
    ck_assert_float_eq_tol(ahead_of(14) / ahead_of(16), 1.0157f, 2e-3f);
}
END_TEST

/* Pairs that are level come no farther: 1.59 m leave them 1.3 % in each other, 1.594 m 0.78 %. */
#define DEEP_M 1.59f

START_TEST(test_who_is_left_in_another_by_more_than_eight_thousandths_goes_back)
{
    uint32_t row = add_abreast(0, _i == 0 ? DEEP_M : SLOW_M, 0);
    uint32_t less = add_abreast(4, SLOW_M, 0);
    set_before_here();
    for (uint32_t first = row; first <= less; first += 2) {
        before[first].x = -1;
        before[first + 1].x = 1;
    }
    press_from_before();
    expect_at(row, _i == 0 ? -1 : 0, before[row].y); /* after which the other is in nobody */
    expect_at(row + 1, 0, before[row + 1].y);
    expect_at(less, 0, before[less].y);
    expect_at(less + 1, 0, before[less + 1].y);
}
END_TEST

START_TEST(test_when_the_partings_are_spent_they_go_back_all_the_same)
{
    for (int i = 0; i < 15; i++) {
        (void)add_abreast(4 * (float)i, DEEP_M, 0);
    }
    set_before_here();
    for (uint32_t row = 0; row < 30; row += 2) {
        before[row].x = -1;
    }
    press_from_before();
    for (uint32_t row = 0; row < 30; row++) {
        expect_at(row, before[row].x, before[row].y);
    }
}
END_TEST

START_TEST(test_who_has_let_another_go_back_may_have_to_go_back_himself)
{
    /* The first two part, and have had their turn when the third goes back to where the first is. */
    uint32_t first = add(-2, -0.3949f);
    uint32_t second = add(-2.75f, -0.3949f);
    uint32_t third = add_abreast(0, DEEP_M, 0);
    set_before_here();
    before[first].x = -4;
    before[third].x = -1.5f;
    press_from_before();
    expect_at(first, -4, before[first].y);
    expect_at(second, -2.775f, before[second].y);
    expect_at(third, -1.5f, before[third].y);
}
END_TEST

START_TEST(test_where_somebody_goes_back_to_the_first_sixteen_make_room)
{
    /* Of 20 small ones; they have come there from 10 m to the south. */
    uint32_t row = add_abreast(0, DEEP_M, 0);
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t small = add(20, (float)i);
        world->agents.x[small] = -2.2f + 0.12f * (float)(i % 4);
        world->agents.y[small] = -0.6f + 0.12f * (float)(i / 4);
        world->agents.radius[small] = 0.05f;
    }
    set_before_here();
    before[row].x = -2;
    for (uint32_t small = row + 2; small < row + 22; small++) {
        before[small].y -= 10;
    }
    press_from_before();
    uint32_t gone = 0;
    for (uint32_t small = row + 2; small < row + 22; small++) {
        gone += world->agents.y[small] < -5;
    }
    expect_at(row, -2, before[row].y);
    ck_assert_uint_eq(gone, 16);
}
END_TEST

START_TEST(test_who_was_as_deep_in_another_before_does_not_go_back)
{
    uint32_t row = add_abreast(0, DEEP_M, 0);
    set_before_here();
    before[row] = vec2(-1, 0);
    before[row + 1] = vec2(-1, 0.75f);
    press_from_before();
    expect_at(row, 0, -0.3949f);
    expect_at(row + 1, 0, 0.3949f);
}
END_TEST

START_TEST(test_who_would_go_back_into_a_solid_stays_and_the_other_goes)
{
    uint32_t row = add_abreast(0, DEEP_M, 0);
    set_before_here();
    before[row].x = -2;
    before[row + 1].x = 1;
    (void)sim_fixture_circle(world, vec2(-2.3f, -0.3949f), 0.1f);
    press_from_before();
    expect_at(row, 0, before[row].y);
    expect_at(row + 1, 1, before[row + 1].y);
}
END_TEST

START_TEST(test_nor_does_he_go_back_into_one_that_has_no_way_out)
{
    uint32_t row = add_abreast(0, DEEP_M, 0);
    set_before_here();
    before[row].x = -2;
    before[row + 1].x = 1;
    /* Right over his middle, and the corridor is too narrow to be pushed aside. */
    (void)sim_fixture_circle(world, vec2(-2, 0), 0.1f);
    press_from_before();
    expect_at(row, 0, before[row].y);
    expect_at(row + 1, 1, before[row + 1].y);
}
END_TEST

START_TEST(test_who_has_come_to_where_another_goes_back_to_goes_back_too_or_stays_when_he_cannot)
{
    uint32_t row = add_abreast(0, DEEP_M, 0);
    uint32_t third = add(-1.2f, world->agents.y[row]);
    set_before_here();
    before[row].x = -1;
    before[row + 1].x = 1;
    before[third].x = -3;
    if (_i == 1) {
        (void)sim_fixture_circle(world, vec2(-3.3f, -0.3949f), 0.1f);
    }
    press_from_before();
    expect_at(row, -1, before[row].y);
    expect_at(row + 1, 0, before[row + 1].y);
    expect_at(third, _i == 0 ? -3 : -1.2f, before[third].y);
}
END_TEST

START_TEST(test_who_is_in_a_wall_comes_out_of_it_on_the_way)
{
    uint32_t row = add(0, 0);
    (void)add(0.7f, 0);
    (void)sim_fixture_segment(world, vec2(-5, -0.3f), vec2(5, -0.3f));
    press();
    ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0);
    ck_assert_float_ge(world->agents.x[row + 1] - world->agents.x[row], 2 * RADIUS - 0.0016f);
}
END_TEST

START_TEST(test_a_tick_parts_whom_its_passes_leave_in_each_other)
{
    uint32_t row = add_abreast(0, SLOW_M, 1e-5f);
    sim_fixture_run(world, 1);
    ck_assert_float_gt(ahead_of(row), 5e-4f);
}
END_TEST

Suite *suite_sim_press(void)
{
    Suite *suite = suite_create("sim_press");
    TCase *pairs = tcase_create("pairs");
    tcase_add_checked_fixture(pairs, setup, teardown);
    tcase_add_test(pairs, test_who_is_in_another_by_more_than_a_hundredth_of_his_radius_is_parted_from_him);
    tcase_add_test(pairs, test_less_than_the_slop_is_left_alone);
    tcase_add_test(pairs, test_who_is_pushed_into_another_takes_part_from_then_on);
    tcase_add_loop_test(
        pairs, test_it_ends_when_nobody_is_in_another_by_more_than_a_five_hundredth_of_their_radii, 0, 2);
    tcase_add_test(pairs, test_who_takes_part_later_has_his_turn_in_the_order_of_rows_too);
    tcase_add_test(pairs, test_who_is_in_a_wall_comes_out_of_it_on_the_way);
    tcase_add_test(pairs, test_a_tick_parts_whom_its_passes_leave_in_each_other);
    suite_add_tcase(suite, pairs);
    TCase *order = tcase_create("order");
    tcase_add_loop_test(order, test_pairs_come_in_the_order_of_rows_wherever_they_stand, 0, PLACES);
    suite_add_tcase(suite, order);
    TCase *back = tcase_create("back");
    tcase_add_checked_fixture(back, setup, teardown);
    tcase_add_loop_test(back, test_who_is_left_in_another_by_more_than_eight_thousandths_goes_back, 0, 2);
    tcase_add_test(back, test_when_the_partings_are_spent_they_go_back_all_the_same);
    tcase_add_test(back, test_who_has_let_another_go_back_may_have_to_go_back_himself);
    tcase_add_test(back, test_where_somebody_goes_back_to_the_first_sixteen_make_room);
    tcase_add_test(back, test_who_was_as_deep_in_another_before_does_not_go_back);
    tcase_add_test(back, test_who_would_go_back_into_a_solid_stays_and_the_other_goes);
    tcase_add_test(back, test_nor_does_he_go_back_into_one_that_has_no_way_out);
    tcase_add_loop_test(
        back, test_who_has_come_to_where_another_goes_back_to_goes_back_too_or_stays_when_he_cannot, 0, 2);
    suite_add_tcase(suite, back);
    TCase *limits = tcase_create("limits");
    tcase_add_checked_fixture(limits, setup, teardown);
    tcase_add_test(limits, test_in_a_tick_it_is_for_the_first_256);
    tcase_add_test(limits, test_it_gives_up_after_300_rounds);
    tcase_add_test(limits, test_in_a_tick_there_are_4096_partings);
    suite_add_tcase(suite, limits);
    return suite;
}
