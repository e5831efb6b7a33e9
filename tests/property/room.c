/*
 * Whether overlaps could have been avoided where they are. Solid bodies overlap for two reasons: parting did
 * not do what it could, or there is no place to go, because everybody round is pressed as well. To tell one
 * from the other we look for a witness: an arrangement of all bodies in which nobody overlaps anybody or
 * anything, and in which nobody stands farther from his place than the deepest overlap. If there is one, the
 * crowd had room; who would have to go farther is pushed on by others, and that is a press. The search is
 * another algorithm than the one that is tested (one pair after the other, in double, hundreds of rounds);
 * when it finds nothing that proves nothing, and the scene gets the benefit of the doubt.
 */
#include <math.h>

#include "check.h"
#include "sim/world_internal.h"

#define ROOM_ROUNDS 300
#define ROOM_TOUCH  1e-4 /* of the sum of radii: an overlap as small as this is none */
#define ROOM_REACH  1.0  /* displacement that is within reach, in deepest overlaps */

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
static void room_push_out(const struct world *world, struct room_body *body)
{
    const struct obstacle_bounds bounds = world_bounds(world);
    struct vec2 place = vec2((float)body->x, (float)body->y);
    if (obstacles_push_out(&world->obstacles, &bounds, (float)body->radius_m, true, &place)) {
        body->x = place.x;
        body->y = place.y;
    }
}

static double room_relax(const struct world *world, struct room_body *bodies, uint32_t count)
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

static double room_deepest(const struct room_body *bodies, uint32_t count)
{
    double deepest_m = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            double apart_m = hypot(bodies[i].x - bodies[j].x, bodies[i].y - bodies[j].y);
            deepest_m = fmax(deepest_m, bodies[i].radius_m + bodies[j].radius_m - apart_m);
        }
    }
    return deepest_m;
}

bool room_is_there(const struct world *world)
{
    struct room_body bodies[SCENE_AGENTS_MAX];
    struct agent_columns agents = world_agents(world);
    for (uint32_t i = 0; i < agents.count; i++) {
        bodies[i] = (struct room_body){agents.x_m[i], agents.y_m[i], agents.radius_m[i], agents.x_m[i],
                                       agents.y_m[i]};
    }
    double reach_m = ROOM_REACH * room_deepest(bodies, agents.count);
    bool apart = false;
    for (uint32_t round = 0; round < ROOM_ROUNDS && !apart; round++) {
        apart = room_relax(world, bodies, agents.count) <= ROOM_TOUCH;
    }
    for (uint32_t i = 0; i < agents.count && apart; i++) {
        apart = hypot(bodies[i].x - bodies[i].from_x, bodies[i].y - bodies[i].from_y) <= reach_m;
    }
    return apart;
}
