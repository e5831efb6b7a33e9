/* The part of the world worth showing; between the mirror and the map. */
#include "fit.h"

#include <math.h>

#define FIT_MARGIN_M   2.0f  /* round what is there */
#define FIT_SIZE_MIN_M 12.0f /* a single agent is not shown as a giant */
#define FIT_GROWTH                                                                                           \
    0.15f /* of the size, beyond what is needed: growing once is calmer than growing at every step */

static struct map_area fit_union(struct map_area a, struct map_area b)
{
    return (struct map_area){vec2(fminf(a.min_m.x, b.min_m.x), fminf(a.min_m.y, b.min_m.y)),
                             vec2(fmaxf(a.max_m.x, b.max_m.x), fmaxf(a.max_m.y, b.max_m.y))};
}

struct map_area fit_obstacle_box(const struct steerd_obstacle *obstacle)
{
    struct vec2 half = vec2(obstacle->radius_m, obstacle->radius_m);
    if (obstacle->shape == STEERD_SHAPE_BOX) {
        float reach = 0.5f * vec2_length(obstacle->size_m); /* however it is turned */
        half = vec2(reach, reach);
    }
    if (obstacle->shape == STEERD_SHAPE_CIRCLE || obstacle->shape == STEERD_SHAPE_BOX) {
        return (struct map_area){vec2_sub(obstacle->center_m, half), vec2_add(obstacle->center_m, half)};
    }
    struct map_area box = {obstacle->points_m[0], obstacle->points_m[0]};
    for (uint32_t i = 1; i < obstacle->point_count; i++) {
        box = fit_union(box, (struct map_area){obstacle->points_m[i], obstacle->points_m[i]});
    }
    return box;
}

/* The box round everything in the mirror. False: nothing is there. */
static bool fit_content(const struct steerd_mirror *mirror, struct map_area *out)
{
    size_t agent_count;
    size_t obstacle_count;
    const struct steerd_agent *agents = steerd_mirror_agents(mirror, &agent_count);
    const struct steerd_obstacle *obstacles = steerd_mirror_obstacles(mirror, &obstacle_count);
    struct map_area box = {vec2(INFINITY, INFINITY), vec2(-INFINITY, -INFINITY)};
    for (size_t i = 0; i < agent_count; i++) {
        box = fit_union(box, (struct map_area){agents[i].position_m, agents[i].position_m});
    }
    for (size_t i = 0; i < obstacle_count; i++) {
        box = fit_union(box, fit_obstacle_box(&obstacles[i]));
    }
    *out = box;
    return agent_count + obstacle_count > 0;
}

/* Pushes the sides outwards until the area is large enough, then back into the world. */
static struct map_area fit_into(struct map_area area, const struct map_area *world)
{
    float missing_x = fmaxf(0.0f, FIT_SIZE_MIN_M - (area.max_m.x - area.min_m.x));
    float missing_y = fmaxf(0.0f, FIT_SIZE_MIN_M - (area.max_m.y - area.min_m.y));
    struct vec2 half = vec2(missing_x * 0.5f, missing_y * 0.5f);
    area.min_m = vec2_sub(area.min_m, half);
    area.max_m = vec2_add(area.max_m, half);
    area.min_m = vec2(fmaxf(area.min_m.x, world->min_m.x), fmaxf(area.min_m.y, world->min_m.y));
    area.max_m = vec2(fminf(area.max_m.x, world->max_m.x), fminf(area.max_m.y, world->max_m.y));
    return area;
}

struct map_area fit_update(struct fit *fit, const struct map_area *world, const struct steerd_mirror *mirror)
{
    struct map_area content;
    if (!fit_content(mirror, &content)) {
        return fit->begun ? fit->area : *world;
    }
    content.min_m = vec2_sub(content.min_m, vec2(FIT_MARGIN_M, FIT_MARGIN_M));
    content.max_m = vec2_add(content.max_m, vec2(FIT_MARGIN_M, FIT_MARGIN_M));
    content = fit_into(content, world);
    if (!(content.min_m.x < content.max_m.x && content.min_m.y < content.max_m.y)) {
        return fit->begun ? fit->area : *world; /* all there is lies outside of the world */
    }
    if (!fit->begun) {
        fit->begun = true;
        fit->area = content;
        return fit->area;
    }
    struct map_area *area = &fit->area;
    float slack_x = FIT_GROWTH * (area->max_m.x - area->min_m.x);
    float slack_y = FIT_GROWTH * (area->max_m.y - area->min_m.y);
    content.min_m.x -= content.min_m.x < area->min_m.x ? slack_x : 0.0f;
    content.min_m.y -= content.min_m.y < area->min_m.y ? slack_y : 0.0f;
    content.max_m.x += content.max_m.x > area->max_m.x ? slack_x : 0.0f;
    content.max_m.y += content.max_m.y > area->max_m.y ? slack_y : 0.0f;
    *area = fit_into(fit_union(*area, content), world);
    return *area;
}
