#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "map.h"
#include "suites.h"

static struct map map;
static const struct map_style ascii = {0};
static const struct map_style utf8 = {.utf8 = true};

/* The map as text, rows parted by newlines; the caller frees it. */
static char *print_map(const struct map_style *style)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t row = 0; row < map.rows; row++) {
        map_print_row(out, &map, row, style);
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

static void check_map(const struct map_style *style, const char *expected)
{
    char *text = print_map(style);
    ck_assert_str_eq(text, expected);
    free(text);
}

/* A map of x 0..columns, y 0..2*rows metres, a pixel a metre. */
static void begin(uint32_t columns, uint32_t rows)
{
    map_init(&map, (struct map_area){vec2(0.0f, 0.0f), vec2((float)columns, 2.0f * (float)rows)}, columns,
             rows);
    ck_assert_uint_eq(map.columns, columns);
    ck_assert_uint_eq(map.rows, rows);
    ck_assert_float_eq(map.pixel_m, 1.0f);
}

START_TEST(test_the_frame_is_as_large_as_fits_and_shows_the_whole_area)
{
    map_init(&map, (struct map_area){vec2(-50.0f, -50.0f), vec2(50.0f, 50.0f)}, 78, 20);
    ck_assert_uint_eq(map.rows, 20);
    ck_assert_uint_eq(map.columns, 40); /* 100 m over 20 rows of two pixels: 2.5 m a pixel */
    ck_assert_float_le(map.area.min_m.x, -50.0f);
    ck_assert_float_ge(map.area.max_m.y, 50.0f);
    map_init(&map, (struct map_area){vec2(0.0f, 0.0f), vec2(1000.0f, 1.0f)}, 78, 20);
    ck_assert_uint_eq(map.columns, 78);
    ck_assert_uint_eq(map.rows, 1);
}
END_TEST

START_TEST(test_sizes_are_bounded)
{
    map_init(&map, (struct map_area){vec2(0.0f, 0.0f), vec2(10.0f, 10.0f)}, 100000, 100000);
    ck_assert_uint_le(map.columns, MAP_COLUMNS_MAX);
    ck_assert_uint_le(map.rows, MAP_ROWS_MAX);
    map_init(&map, (struct map_area){vec2(5.0f, 5.0f), vec2(5.0f, 5.0f)}, 1, 1);
    ck_assert_uint_eq(map.columns, 1);
    ck_assert_uint_eq(map.rows, 1);
}
END_TEST

START_TEST(test_agents_point_where_they_go)
{
    begin(8, 1);
    struct steerd_agent agents[8];
    static const struct vec2 ways[8] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    for (uint32_t i = 0; i < 8; i++) {
        agents[i] = (struct steerd_agent){.id = i + 1,
                                          .position_m = {(float)i + 0.5f, 1.0f},
                                          .velocity_mps = ways[i],
                                          .state = STEERD_AGENT_STATE_MOVING};
    }
    map_draw_agents(&map, agents, 8);
    check_map(&utf8, "↑↗→↘↓↙←↖\n");
    check_map(&ascii, "^/>\\v/<\\\n");
}
END_TEST

START_TEST(test_an_agent_at_rest_points_where_it_looks)
{
    begin(1, 1);
    const struct steerd_agent agent = {
        .id = 1, .position_m = {0.5f, 0.5f}, .orientation_deg = 270.0f, .state = STEERD_AGENT_STATE_MOVING};
    map_draw_agents(&map, &agent, 1);
    check_map(&utf8, "←\n");
}
END_TEST

START_TEST(test_arrows_are_the_nearest_of_eight)
{
    static const float headings_deg[] = {22.0f, 23.0f, 337.0f, 338.0f};
    struct steerd_agent agents[4];
    begin(4, 1);
    for (uint32_t i = 0; i < 4; i++) {
        agents[i] = (struct steerd_agent){.id = i + 1,
                                          .position_m = {(float)i + 0.5f, 1.0f},
                                          .orientation_deg = headings_deg[i],
                                          .state = STEERD_AGENT_STATE_DRIVEN};
    }
    map_draw_agents(&map, agents, 4);
    check_map(&utf8, "↑↗↖↑\n");
}
END_TEST

START_TEST(test_states_have_their_signs)
{
    begin(3, 1);
    const struct steerd_agent agents[] = {
        {.id = 1, .position_m = {0.5f, 1.0f}, .state = STEERD_AGENT_STATE_IDLE},
        {.id = 2, .position_m = {1.5f, 1.0f}, .state = STEERD_AGENT_STATE_ARRIVED},
        {.id = 3, .position_m = {2.5f, 1.0f}, .state = STEERD_AGENT_STATE_BLOCKED},
    };
    map_draw_agents(&map, agents, 3);
    check_map(&utf8, "○●!\n");
    check_map(&ascii, "o*!\n");
}
END_TEST

START_TEST(test_several_agents_in_a_character_become_a_number)
{
    begin(3, 1);
    struct steerd_agent agents[22];
    for (uint32_t i = 0; i < 22; i++) {
        float x = i < 2 ? 0.5f : (i < 11 ? 1.5f : 2.5f);
        agents[i] = (struct steerd_agent){.id = i + 1, .position_m = {x, 0.1f * (float)(i % 10 + 1)}};
    }
    map_draw_agents(&map, agents, 22);
    check_map(&utf8, "29+\n");
}
END_TEST

START_TEST(test_agents_outside_are_not_drawn)
{
    begin(2, 1);
    const struct steerd_agent agents[] = {
        {.id = 1, .position_m = {-0.1f, 1.0f}},   {.id = 2, .position_m = {2.0f, 1.0f}},
        {.id = 3, .position_m = {1.0f, -0.1f}},   {.id = 4, .position_m = {1.0f, 2.1f}},
        {.id = 5, .position_m = {1e30f, -1e30f}},
    };
    map_draw_agents(&map, agents, 5);
    check_map(&utf8, "  \n");
}
END_TEST

START_TEST(test_a_circle_is_round)
{
    begin(8, 4);
    const struct steerd_obstacle circle = {
        .shape = STEERD_SHAPE_CIRCLE, .center_m = {4.0f, 4.0f}, .radius_m = 3.0f};
    map_draw_obstacles(&map, &circle, 1);
    check_map(&utf8, "  ▄▄▄▄  \n"
                     " ██████ \n"
                     " ██████ \n"
                     "  ▀▀▀▀  \n");
    check_map(&ascii, "  ####  \n"
                      " ###### \n"
                      " ###### \n"
                      "  ####  \n");
}
END_TEST

START_TEST(test_a_post_thinner_than_a_pixel_leaves_a_mark)
{
    begin(3, 2);
    const struct steerd_obstacle post = {
        .shape = STEERD_SHAPE_CIRCLE, .center_m = {1.9f, 2.9f}, .radius_m = 0.01f};
    map_draw_obstacles(&map, &post, 1);
    check_map(&utf8, " ▄ \n"
                     "   \n");
}
END_TEST

START_TEST(test_a_wall_is_unbroken)
{
    begin(6, 3);
    const struct steerd_obstacle wall = {
        .shape = STEERD_SHAPE_SEGMENT, .point_count = 2, .points_m = {{0.5f, 0.5f}, {5.5f, 5.5f}}};
    map_draw_obstacles(&map, &wall, 1);
    check_map(&utf8, "    ▄▀\n"
                     "  ▄▀  \n"
                     "▄▀    \n");
}
END_TEST

START_TEST(test_a_wall_of_kilometres_is_cut_at_the_frame)
{
    begin(4, 1);
    const struct steerd_obstacle wall = {
        .shape = STEERD_SHAPE_SEGMENT, .point_count = 2, .points_m = {{-9000.0f, 0.5f}, {9000.0f, 0.5f}}};
    map_draw_obstacles(&map, &wall, 1);
    check_map(&utf8, "▄▄▄▄\n");
}
END_TEST

START_TEST(test_a_box_is_filled_and_turned)
{
    begin(6, 3);
    struct steerd_obstacle box = {
        .shape = STEERD_SHAPE_BOX, .center_m = {3.0f, 3.0f}, .size_m = {3.8f, 1.8f}};
    map_draw_obstacles(&map, &box, 1);
    check_map(&utf8, "      \n"
                     " ████ \n"
                     "      \n");
    begin(6, 3);
    box.orientation_deg = 90.0f;
    map_draw_obstacles(&map, &box, 1);
    check_map(&utf8, "  ▄▄  \n"
                     "  ██  \n"
                     "  ▀▀  \n");
}
END_TEST

START_TEST(test_a_box_on_the_borders_of_pixels_takes_no_pixel_more)
{
    begin(6, 3);
    const struct steerd_obstacle box = {
        .shape = STEERD_SHAPE_BOX, .center_m = {3.0f, 3.0f}, .size_m = {4.0f, 2.0f}};
    map_draw_obstacles(&map, &box, 1);
    check_map(&utf8, "      \n"
                     " ████ \n"
                     "      \n");
}
END_TEST

START_TEST(test_a_polygon_is_filled_in_either_sense)
{
    static const struct vec2 corners[3] = {{0.1f, 0.1f}, {5.9f, 0.1f}, {0.1f, 5.9f}};
    char *texts[2];
    for (int sense = 0; sense < 2; sense++) {
        begin(6, 3);
        struct steerd_obstacle polygon = {.shape = STEERD_SHAPE_POLYGON, .point_count = 3};
        for (int i = 0; i < 3; i++) {
            polygon.points_m[i] = corners[sense == 0 ? i : 2 - i];
        }
        map_draw_obstacles(&map, &polygon, 1);
        texts[sense] = print_map(&utf8);
    }
    ck_assert_str_eq(texts[0], "█▄    \n"
                               "███▄  \n"
                               "█████▄\n");
    ck_assert_str_eq(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}
END_TEST

START_TEST(test_agents_stand_out_against_obstacles_and_the_world_ends)
{
    begin(4, 1);
    const struct steerd_agent agent = {.id = 1, .position_m = {1.5f, 0.5f}, .state = STEERD_AGENT_STATE_IDLE};
    const struct steerd_obstacle wall = {
        .shape = STEERD_SHAPE_SEGMENT, .point_count = 2, .points_m = {{0.5f, 0.5f}, {2.5f, 0.5f}}};
    map_draw_outside(&map, (struct map_area){vec2(0.0f, 0.0f), vec2(3.0f, 2.0f)});
    map_draw_obstacles(&map, &wall, 1);
    map_draw_agents(&map, &agent, 1);
    check_map(&utf8, "▄○▄░\n");
    check_map(&ascii, "#o#:\n");
}
END_TEST

START_TEST(test_colours_begin_and_end)
{
    begin(3, 1);
    const struct map_style coloured = {.colour = true};
    const struct steerd_agent agent = {
        .id = 1, .position_m = {1.5f, 0.5f}, .state = STEERD_AGENT_STATE_BLOCKED};
    map_draw_agents(&map, &agent, 1);
    check_map(&coloured, " \x1b[0m\x1b[1;31m!\x1b[0m \n");
}
END_TEST

START_TEST(test_the_scale_is_a_round_number_of_metres)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    begin(80, 10);
    map_print_scale(out, &map, 80, &ascii);
    fclose(out);
    ck_assert_str_eq(text, "|------------------| 20 m");
    free(text);
}
END_TEST

/* A mirror with agents on the x axis. */
static struct steerd_mirror *mirror_of(const float *x, size_t count)
{
    Steerd__V1__AgentState agents[4];
    Steerd__V1__AgentState *pointers[4];
    Steerd__V1__Vec2 positions[4];
    struct steerd_mirror *mirror = steerd_mirror_create();
    struct fault fault;
    bool whole;
    for (size_t i = 0; i < count; i++) {
        steerd__v1__agent_state__init(&agents[i]);
        steerd__v1__vec2__init(&positions[i]);
        positions[i].x = x[i];
        agents[i].id = (uint32_t)i + 1;
        agents[i].position = &positions[i];
        pointers[i] = &agents[i];
    }
    Steerd__V1__Snapshot snapshot = STEERD__V1__SNAPSHOT__INIT;
    snapshot.last = true;
    snapshot.n_agents = count;
    snapshot.agents = pointers;
    steerd_mirror_set_agents_max(mirror, 4);
    ck_assert_int_eq(steerd_mirror_apply_snapshot(mirror, &snapshot, &whole, &fault), STATUS_OK);
    return mirror;
}

static const struct map_area world = {{-100.0f, -100.0f}, {100.0f, 100.0f}};

START_TEST(test_an_empty_world_is_shown_whole)
{
    struct fit fit = {0};
    struct steerd_mirror *mirror = mirror_of(NULL, 0);
    struct map_area area = fit_update(&fit, &world, mirror);
    ck_assert_mem_eq(&area, &world, sizeof area);
    steerd_mirror_destroy(mirror);
}
END_TEST

START_TEST(test_the_shown_part_grows_and_stays)
{
    struct fit fit = {0};
    struct steerd_mirror *near = mirror_of((float[]){-6.0f, 6.0f}, 2);
    struct steerd_mirror *far = mirror_of((float[]){-6.0f, 20.0f}, 2);
    struct map_area first = fit_update(&fit, &world, near);
    ck_assert_float_le(first.min_m.x, -7.0f);
    ck_assert_float_ge(first.min_m.x, -10.0f);
    ck_assert_float_ge(first.max_m.y - first.min_m.y, 10.0f);
    struct map_area second = fit_update(&fit, &world, far);
    ck_assert_float_ge(second.max_m.x, 21.0f);
    ck_assert_float_eq(second.min_m.x, first.min_m.x);
    struct map_area third = fit_update(&fit, &world, near);
    ck_assert_mem_eq(&third, &second, sizeof third);
    steerd_mirror_destroy(near);
    steerd_mirror_destroy(far);
}
END_TEST

START_TEST(test_the_shown_part_ends_at_the_world)
{
    struct fit fit = {0};
    struct steerd_mirror *mirror = mirror_of((float[]){-99.9f, 99.9f}, 2);
    struct map_area area = fit_update(&fit, &world, mirror);
    ck_assert_float_eq(area.min_m.x, -100.0f);
    ck_assert_float_eq(area.max_m.x, 100.0f);
    steerd_mirror_destroy(mirror);
}
END_TEST

Suite *suite_ctl_map(void)
{
    Suite *suite = suite_create("ctl_map");
    TCase *frame = tcase_create("frame");
    tcase_add_test(frame, test_the_frame_is_as_large_as_fits_and_shows_the_whole_area);
    tcase_add_test(frame, test_sizes_are_bounded);
    tcase_add_test(frame, test_colours_begin_and_end);
    tcase_add_test(frame, test_the_scale_is_a_round_number_of_metres);
    suite_add_tcase(suite, frame);
    TCase *agents = tcase_create("agents");
    tcase_add_test(agents, test_agents_point_where_they_go);
    tcase_add_test(agents, test_an_agent_at_rest_points_where_it_looks);
    tcase_add_test(agents, test_arrows_are_the_nearest_of_eight);
    tcase_add_test(agents, test_states_have_their_signs);
    tcase_add_test(agents, test_several_agents_in_a_character_become_a_number);
    tcase_add_test(agents, test_agents_outside_are_not_drawn);
    suite_add_tcase(suite, agents);
    TCase *obstacles = tcase_create("obstacles");
    tcase_add_test(obstacles, test_a_circle_is_round);
    tcase_add_test(obstacles, test_a_post_thinner_than_a_pixel_leaves_a_mark);
    tcase_add_test(obstacles, test_a_wall_is_unbroken);
    tcase_add_test(obstacles, test_a_wall_of_kilometres_is_cut_at_the_frame);
    tcase_add_test(obstacles, test_a_box_is_filled_and_turned);
    tcase_add_test(obstacles, test_a_box_on_the_borders_of_pixels_takes_no_pixel_more);
    tcase_add_test(obstacles, test_a_polygon_is_filled_in_either_sense);
    tcase_add_test(obstacles, test_agents_stand_out_against_obstacles_and_the_world_ends);
    suite_add_tcase(suite, obstacles);
    TCase *fit = tcase_create("fit");
    tcase_add_test(fit, test_an_empty_world_is_shown_whole);
    tcase_add_test(fit, test_the_shown_part_grows_and_stays);
    tcase_add_test(fit, test_the_shown_part_ends_at_the_world);
    suite_add_tcase(suite, fit);
    return suite;
}
