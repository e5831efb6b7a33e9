/*
 * Move: everybody goes where his velocity takes him, as a disc that cannot pass what is solid. Position and
 * orientation change, and velocity where a wall takes its part.
 */
#include <math.h>

#include "base/trig.h"
#include "sim/world_internal.h"

#define STEP_SLIDES_MAX                                                                                      \
    4 /* touches of one move: two walls of a corner, and what the rest of the way brings */

#define STEP_ALONG_HAIR 1e-9 /* of a move's length, by which it is turned off a wall */

/* A move while it is made. */
struct step_sliding {
    const struct steer_world *world;
    double radius_m; /* with the skin */
    struct point at;
    struct point move; /* what is left of it */
};

/* One edge of the world: a wall at `wall` that is touched when `position` goes to `sign` beyond it. */
static void step_touch_edge(double position, double move, double wall, double sign, struct point normal,
                            double *fraction, struct point *normal_out, bool *touched)
{
    double approach = move * sign;
    double room = (wall - position) * sign;
    if (approach <= 0.0 || room > approach * *fraction) {
        return;
    }
    *fraction = room > 0.0 ? room / approach : 0.0;
    *normal_out = normal;
    *touched = true;
}

/* First touch with an obstacle or an edge of the world. */
static bool step_touch(const struct step_sliding *sliding, double *fraction, struct point *normal)
{
    const struct steer_world *world = sliding->world;
    *fraction = 1.0;
    bool touched = obstacles_sweep_exact(&world->obstacles, sliding->at, sliding->move, sliding->radius_m,
                                         fraction, normal);
    const struct vec2 min = world->config.min_m;
    const struct vec2 max = world->config.max_m;
    double reach = sliding->radius_m;
    if (max.x - min.x > 2.0 * reach) {
        step_touch_edge(sliding->at.x, sliding->move.x, min.x + reach, -1.0, (struct point){1.0, 0.0},
                        fraction, normal, &touched);
        step_touch_edge(sliding->at.x, sliding->move.x, max.x - reach, 1.0, (struct point){-1.0, 0.0},
                        fraction, normal, &touched);
    }
    if (max.y - min.y > 2.0 * reach) {
        step_touch_edge(sliding->at.y, sliding->move.y, min.y + reach, -1.0, (struct point){0.0, 1.0},
                        fraction, normal, &touched);
        step_touch_edge(sliding->at.y, sliding->move.y, max.y - reach, 1.0, (struct point){0.0, -1.0},
                        fraction, normal, &touched);
    }
    return touched;
}

/* Takes away what goes against a normal. */
static struct point step_along(struct point way, struct point normal)
{
    double into = way.x * normal.x + way.y * normal.y;
    return into < 0.0 ? (struct point){way.x - into * normal.x, way.y - into * normal.y} : way;
}

/*
 * What is left of a move that touched, turned off the wall by a hair: what rounding leaves going into it
 * would be a touch of the same wall again, which looks like a corner and would hold the disc where it is.
 */
static struct point step_along_wall(struct point move, struct point normal)
{
    struct point along = step_along(move, normal);
    double hair_m = STEP_ALONG_HAIR * sqrt(move.x * move.x + move.y * move.y);
    return (struct point){along.x + hair_m * normal.x, along.y + hair_m * normal.y};
}

struct vec2 step_slide(const struct steer_world *world, struct vec2 from, struct vec2 move, float radius_m,
                       struct vec2 *velocity)
{
    struct step_sliding sliding = {
        .world = world,
        .radius_m = (double)radius_m + world->skin_m,
        .at = {from.x, from.y},
        .move = {move.x, move.y},
    };
    struct point before = {0.0, 0.0}; /* normal of the last touch */
    for (uint32_t slide = 0;; slide++) {
        double fraction;
        struct point normal;
        if (!step_touch(&sliding, &fraction, &normal)) {
            sliding.at.x += sliding.move.x;
            sliding.at.y += sliding.move.y;
            break;
        }
        sliding.at.x += sliding.move.x * fraction;
        sliding.at.y += sliding.move.y * fraction;
        struct point rest = {sliding.move.x * (1.0 - fraction), sliding.move.y * (1.0 - fraction)};
        rest = step_along_wall(rest, normal);
        bool is_corner = slide > 0 && rest.x * before.x + rest.y * before.y < 0.0;
        if (velocity != NULL) {
            struct point left = step_along((struct point){velocity->x, velocity->y}, normal);
            bool stops = is_corner && left.x * before.x + left.y * before.y < 0.0;
            *velocity = stops ? vec2(0.0f, 0.0f) : vec2((float)left.x, (float)left.y);
        }
        if (is_corner || slide + 1 == STEP_SLIDES_MAX) {
            break;
        }
        sliding.move = rest;
        before = normal;
    }
    return vec2((float)sliding.at.x, (float)sliding.at.y);
}

static void step_move_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const struct step *step = context;
    struct steer_world *world = step->world;
    struct agent_store *agents = &world->agents;
    const struct obstacle_bounds bounds = world_bounds(world);
    float dt_s = world->dt_s;
    for (uint32_t row = begin; row < end; row++) {
        struct vec2 from = vec2(agents->x[row], agents->y[row]);
        struct vec2 velocity = vec2(agents->vx[row], agents->vy[row]);
        struct vec2 to = from;
        world->before_x[row] = from.x;
        world->before_y[row] = from.y;
        if (velocity.x != 0.0f || velocity.y != 0.0f) {
            to = step_slide(world, from, vec2_scale(velocity, dt_s), agents->radius[row], &velocity);
        }
        obstacles_push_out(&world->obstacles, &bounds, agents->radius[row],
                           world_may_search(world, agents->id[row]), &to);
        agents->x[row] = to.x;
        agents->y[row] = to.y;
        agents->vx[row] = velocity.x;
        agents->vy[row] = velocity.y;
        agents->orientation_deg[row] =
            trig_wrap_deg(agents->orientation_deg[row] + agents->rotation_deg_s[row] * dt_s);
    }
}

void step_move(struct step *step)
{
    job_pool_for(step->pool, step->world->agents.count, WORLD_GRAIN, step_move_range, step);
}
