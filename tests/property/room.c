/*
 * Whether there is room: an arrangement of all bodies, in which nobody overlaps anybody or anything and
 * nobody stands farther than his own radius from where he stands now. That is a matter of the places and the
 * walls alone, not of how deep anybody overlaps or how fast he goes. The search is another algorithm than the
 * one that is tested (one pair after the other, in double, hundreds of rounds). An arrangement that it finds
 * is a proof; that it finds none is not, and such a scene gets the benefit of the doubt.
 */
#include <math.h>

#include "check.h"
#include "sim/world_internal.h"

#define ROOM_ROUNDS 300
#define ROOM_TOUCH  1e-4 /* of the sum of radii: an overlap as small as this is none */
#define ROOM_REACH  1.0  /* of his own radius: how far anybody may stand from where he stands */

struct room_body {
    double x;
    double y;
    double radius_m;
    double from_x;
    double from_y;
};

/* Parts two bodies, each by half. Returns the overlap as part of the sum of radii, 0 when there is none. */
static double room_part(struct room_body *a, struct room_body *b)
{
    double x = b->x - a->x;
    double y = b->y - a->y;
    double reach = a->radius_m + b->radius_m;
    double apart = sqrt(x * x + y * y);
    if (apart >= reach || apart == 0.0) {
        return apart == 0.0 ? 1.0 : 0.0;
    }
    double part = 0.5 * (reach - apart) / apart;
    a->x -= x * part;
    a->y -= y * part;
    b->x += x * part;
    b->y += y * part;
    return (reach - apart) / reach;
}

/* Out of obstacles and back into the world. */
static void room_push_out(const struct steer_world *world, struct room_body *body)
{
    const struct obstacle_bounds bounds = world_bounds(world);
    struct vec2 place = vec2((float)body->x, (float)body->y);
    if (obstacles_push_out(&world->obstacles, &bounds, (float)body->radius_m, true, &place)) {
        body->x = place.x;
        body->y = place.y;
    }
}

static double room_relax(const struct steer_world *world, struct room_body *bodies, uint32_t count)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            double overlap = room_part(&bodies[j], &bodies[i]);
            worst = overlap > worst ? overlap : worst;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        room_push_out(world, &bodies[i]);
    }
    return worst;
}

static double room_way_m(const struct room_body *body)
{
    return hypot(body->x - body->from_x, body->y - body->from_y);
}

/* Whether a body is a witness: clear of everybody and everything, and not far from where it stands. */
static bool room_is_witness(const struct steer_world *world, const struct room_body *bodies, uint32_t index)
{
    const struct room_body *body = &bodies[index];
    const struct vec2 place = vec2((float)body->x, (float)body->y);
    double touch_m = ROOM_TOUCH * body->radius_m;
    for (uint32_t i = 0; i < index; i++) {
        double reach = bodies[i].radius_m + body->radius_m;
        if (hypot(bodies[i].x - body->x, bodies[i].y - body->y) < reach * (1.0 - ROOM_TOUCH)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < world->obstacles.count; i++) {
        double gap_m = (double)steer_shape_distance(&world->obstacles.items[i].shape, place) - body->radius_m;
        if (gap_m < -touch_m) {
            return false;
        }
    }
    const struct vec2 min = world->config.min_m;
    const struct vec2 max = world->config.max_m;
    double edge_m = fmin(fmin(body->x - (double)min.x, (double)max.x - body->x),
                         fmin(body->y - (double)min.y, (double)max.y - body->y));
    return edge_m >= body->radius_m - touch_m && room_way_m(body) <= ROOM_REACH * body->radius_m;
}

bool room_is_there(const struct steer_world *world, float *way_m_out)
{
    struct room_body bodies[SCENE_AGENTS_MAX];
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < agents.count; i++) {
        bodies[i] = (struct room_body){agents.x_m[i], agents.y_m[i], agents.radius_m[i], agents.x_m[i],
                                       agents.y_m[i]};
    }
    double way_m = 0.0;
    bool apart = false;
    for (uint32_t round = 0; round < ROOM_ROUNDS && !apart; round++) {
        apart = room_relax(world, bodies, agents.count) <= ROOM_TOUCH;
    }
    for (uint32_t i = 0; i < agents.count && apart; i++) {
        apart = room_is_witness(world, bodies, i);
        way_m = fmax(way_m, room_way_m(&bodies[i]));
    }
    *way_m_out = (float)way_m;
    return apart;
}
