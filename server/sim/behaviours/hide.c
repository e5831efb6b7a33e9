/*
 * Behind an obstacle, as the agent it follows sees it: on the line from that one through the obstacle's
 * middle, where its rim is `distance` beyond the solid. Of all such places within search_distance that are
 * free and in the world it goes to the nearest, of equals to that of the lowest id; without one it evades.
 *
 * Source: Reynolds 1999, "hide"; Buckland 2005, "Hide", with the outline itself for the circle round it:
 * behind a long wall that would be far away.
 */
#include <math.h>

#include "sim/steering_follow.h"

/* A search for the nearest hiding place. Ways are from the one who hides. */
struct hide_search {
    const struct steer_view *view;
    struct point position;
    struct point seeker;
    double radius_m;
    double room_m; /* from its centre to the solid */
    double best_m; /* only what is nearer counts, or as near and of a lower id */
    uint32_t best_index;
    struct vec2 best_way_m;
};

/* Where the disc touches the solid grown by its room, coming from behind. False: nothing is behind it. */
static bool hide_behind(const struct core *core, const struct hide_search *search, struct point *way_out)
{
    struct point middle = {0.0, 0.0};
    for (uint32_t i = 0; i < core->count; i++) {
        middle.x += (core->points[i].x - search->position.x) / core->count;
        middle.y += (core->points[i].y - search->position.y) / core->count;
    }
    struct point line = {middle.x - (search->seeker.x - search->position.x),
                         middle.y - (search->seeker.y - search->position.y)};
    double length = sqrt(line.x * line.x + line.y * line.y);
    if (length == 0.0 || core_nearest(core, search->seeker).distance_m <= 0.0) {
        return false;
    }
    double width = (double)core->max_m.x - core->min_m.x + (double)core->max_m.y - core->min_m.y;
    double far = (width + search->room_m + 1.0) / length;
    struct point move = {-line.x * far, -line.y * far};
    struct point from = {middle.x - move.x + search->position.x, middle.y - move.y + search->position.y};
    double fraction;
    struct point normal;
    if (!core_sweep(core, from, move, search->room_m, &fraction, &normal)) {
        return false;
    }
    way_out->x = middle.x - move.x * (1.0 - fraction);
    way_out->y = middle.y - move.y * (1.0 - fraction);
    return true;
}

static bool hide_is_free(const struct hide_search *search, struct point place)
{
    const struct steer_view *view = search->view;
    double radius_m = search->radius_m;
    return place.x >= view->world_min_m.x + radius_m && place.x <= view->world_max_m.x - radius_m &&
           place.y >= view->world_min_m.y + radius_m && place.y <= view->world_max_m.y - radius_m &&
           obstacles_leave_room(view->obstacles, vec2((float)place.x, (float)place.y), (float)radius_m);
}

static void hide_visit(const struct obstacles *obstacles, uint32_t index, void *context)
{
    struct hide_search *search = context;
    struct point way;
    if (!hide_behind(&obstacles->cores[index], search, &way)) {
        return;
    }
    double distance_m = sqrt(way.x * way.x + way.y * way.y);
    bool is_nearer =
        distance_m < search->best_m || (distance_m == search->best_m && index < search->best_index);
    struct point place = {search->position.x + way.x, search->position.y + way.y};
    if (is_nearer && hide_is_free(search, place)) {
        search->best_m = distance_m;
        search->best_index = index;
        search->best_way_m = vec2((float)way.x, (float)way.y);
    }
}

bool hide_place(const struct steer_view *view, uint32_t row, uint32_t other,
                const struct hide_parameters *parameters, struct steer_place *out)
{
    struct vec2 position = steer_position(view, row);
    struct vec2 seeker = steer_position(view, other);
    double radius_m = view->agents->radius[row];
    struct hide_search search = {
        .view = view,
        .position = {position.x, position.y},
        .seeker = {seeker.x, seeker.y},
        .radius_m = radius_m,
        .room_m = radius_m + parameters->distance,
        .best_m = parameters->search_distance,
        .best_index = UINT32_MAX,
    };
    obstacles_visit_near(view->obstacles, position, search.best_m + search.room_m, hide_visit, &search);
    *out = (struct steer_place){.way_m = search.best_way_m, .is_moving = steer_moves(view, other)};
    return search.best_index != UINT32_MAX;
}

void behaviour_hide(const struct steer_batch *batch, struct steering *out)
{
    const struct hide_parameters *parameters = batch->parameters;
    const struct arrival arrival = {.slow_radius_m = parameters->slow_radius,
                                    .target_radius_m = parameters->target_radius,
                                    .time_to_target_s = parameters->time_to_target};
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t other;
        struct steer_place place;
        struct vec2 accel;
        if (!steer_followed(batch->view, row, &other)) {
            continue;
        }
        if (!hide_place(batch->view, row, other, parameters, &place)) {
            steering_ask(out, i, steer_evade(batch->view, row, other, parameters->max_prediction));
        } else if (steer_arrive_at_place(batch->view, row, &place, &arrival, &accel)) {
            steering_ask(out, i, accel);
        }
    }
}
