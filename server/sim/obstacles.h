#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "sim/core.h"
#include "sim/steer.h"

#define OBSTACLE_LEVELS 16 /* cells of 2 m, 4 m ... 64 km: the last holds anything that is legal */

struct obstacle_box {
    struct vec2 min_m;
    struct vec2 max_m;
};

/*
 * Everything solid, ascending by id, and where it is: each obstacle hangs in one cell of the level whose
 * cells are just as large as it is, in a hash table; a query looks at the few cells round it on each level
 * that is in use. So the cost of a query follows what stands near, not how many there are.
 */
struct obstacles {
    uint32_t count;
    uint32_t count_max;
    uint32_t id_last;
    struct steer_obstacle *items; /* count of each, ascending by id */
    struct core *cores;
    struct obstacle_box *boxes; /* round each core */
    uint32_t *next;             /* chain of a bucket, OBSTACLES_END ends it */
    uint32_t *buckets;
    uint32_t bucket_mask;
    uint32_t level_counts[OBSTACLE_LEVELS];
};

size_t obstacles_bytes(uint32_t count_max);
void obstacles_init(struct obstacles *obstacles, struct arena *arena, uint32_t count_max);

/* Appends a checked obstacle under the next id, which it returns. There must be room. */
struct steer_obstacle_id obstacles_add(struct obstacles *obstacles, const struct steer_obstacle *obstacle);

/* Row of an id. False: there is no such obstacle. */
bool obstacles_find(const struct obstacles *obstacles, struct steer_obstacle_id id, uint32_t *index_out);

/* Closes the gaps of the rows whose flag is not 0. Order stays. */
void obstacles_compact(struct obstacles *obstacles, const uint8_t *removed);

struct obstacle_hit {
    float fraction;              /* of the move, [0, 1] */
    struct vec2 point_m;         /* where the rim touches */
    struct vec2 normal;          /* unit, away from the obstacle */
    struct steer_obstacle_id id; /* of the one touched first; of several at once the lowest */
    uint32_t index;              /* its row */
};

/*
 * A disc on its way. radius_m 0 makes it a ray. It starts at center_m + aside_m, which are added without
 * rounding: far from the origin a float has no room for both, and what is seen would depend on where.
 */
struct obstacle_sweep {
    struct vec2 center_m;
    struct vec2 aside_m;
    struct vec2 move_m;
    float radius_m;
};

/* First touch of a moving disc, with the meaning of core_sweep. */
bool obstacles_sweep(const struct obstacles *obstacles, const struct obstacle_sweep *sweep,
                     struct obstacle_hit *hit);

/* The same in double, for the mover, who goes on from where he touched. fraction and normal only. */
bool obstacles_sweep_exact(const struct obstacles *obstacles, struct point from, struct point move,
                           double radius_m, double *fraction_out, struct point *normal_out);

struct obstacle_near {
    float distance_m;   /* from the point to the solid; negative inside */
    struct vec2 normal; /* unit, the way out */
    struct steer_obstacle_id id;
    uint32_t index;
};

/* The obstacle nearest to a point among those nearer than distance_max_m; of equals the lowest id. */
bool obstacles_nearest(const struct obstacles *obstacles, struct vec2 point, float distance_max_m,
                       struct obstacle_near *near);

typedef void (*obstacles_visit_fn)(const struct obstacles *obstacles, uint32_t index, void *context);

/*
 * Calls visit for every obstacle whose box comes as near to a point as `reach_m` along both axes; in no
 * order, and for some more than once.
 */
void obstacles_visit_near(const struct obstacles *obstacles, struct vec2 point, double reach_m,
                          obstacles_visit_fn visit, void *context);

/* True when something solid lies on the line from a to b. Ends inside something solid do not see out of it.
 */
bool obstacles_block_sight(const struct obstacles *obstacles, struct vec2 a, struct vec2 b);

/* True when a disc there overlaps nothing: every distance is radius_m or more. */
bool obstacles_leave_room(const struct obstacles *obstacles, struct vec2 center, float radius_m);

/* Where a disc may be and how near to the solid it is put. */
struct obstacle_bounds {
    struct vec2 min_m; /* of the world */
    struct vec2 max_m;
    float skin_m; /* kept between a disc that was put somewhere and the solid, see world_internal.h */
};

/*
 * Moves a disc that overlaps something solid, or comes nearer to it than a quarter of the skin, out by the
 * shortest way, and into the bounds. Where the ways out of several obstacles lead into each other, or through
 * another one, the nearest free place that a search in widening rings finds: one with nothing solid between,
 * or else any; where there is none within 64 radii it stays as it is. may_search false: without that search,
 * which takes thousands of looks to find nothing. True: it was moved.
 */
bool obstacles_push_out(const struct obstacles *obstacles, const struct obstacle_bounds *bounds,
                        float radius_m, bool may_search, struct vec2 *center);
