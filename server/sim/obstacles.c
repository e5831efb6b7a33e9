/*
 * Everything solid. Commands add and remove between ticks; movement, parting and behaviours ask where
 * something is. Answers do not depend on the order in which candidates are met: the first touch, the nearest,
 * of equals the lowest row, which is the lowest id.
 */
#include "sim/obstacles.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/exact.h"
#include "base/trig.h"

#define OBSTACLES_END    UINT32_MAX
#define OBSTACLES_CELL_M 2.0 /* edge of the cells of level 0 */
#define OBSTACLES_PIECE_M                                                                                    \
    8.0 /* a longer move is looked at in pieces, so that a diagonal does not search its square */
#define OBSTACLES_FEW      16   /* to look at the boxes of so few is cheaper than to look for their cells */
#define OBSTACLES_SIGHT_M  1e-6 /* width of a line of sight: none passes between two sides of one corner */
#define OBSTACLES_WAYS_OUT 16   /* pushes from one obstacle to the next before the way out is searched for */
#define OBSTACLES_NEAR_PART                                                                                  \
    0.1 /* of the radius: a push so short, as movement leaves to do, is not looked at */
#define OBSTACLES_RINGS           128
#define OBSTACLES_RING_DIRECTIONS 32

static uint32_t obstacles_bucket_count(uint32_t count_max)
{
    uint32_t buckets = 64;
    while (buckets < count_max) {
        buckets *= 2;
    }
    return buckets;
}

size_t obstacles_bytes(uint32_t count_max)
{
    size_t each =
        sizeof(struct steer_obstacle) + sizeof(struct core) + sizeof(struct obstacle_box) + sizeof(uint32_t);
    return count_max * each + obstacles_bucket_count(count_max) * sizeof(uint32_t) + 5 * 64;
}

static void obstacles_clear_buckets(struct obstacles *obstacles)
{
    for (uint32_t bucket = 0; bucket <= obstacles->bucket_mask; bucket++) {
        obstacles->buckets[bucket] = OBSTACLES_END;
    }
    memset(obstacles->level_counts, 0, sizeof obstacles->level_counts);
}

void obstacles_init(struct obstacles *obstacles, struct arena *arena, uint32_t count_max)
{
    *obstacles =
        (struct obstacles){.count_max = count_max, .bucket_mask = obstacles_bucket_count(count_max) - 1};
    obstacles->items = arena_take(arena, count_max * sizeof *obstacles->items);
    obstacles->cores = arena_take(arena, count_max * sizeof *obstacles->cores);
    obstacles->boxes = arena_take(arena, count_max * sizeof *obstacles->boxes);
    obstacles->next = arena_take(arena, count_max * sizeof *obstacles->next);
    obstacles->buckets = arena_take(arena, ((size_t)obstacles->bucket_mask + 1) * sizeof *obstacles->buckets);
    ASSERT(obstacles->buckets != NULL);
    obstacles_clear_buckets(obstacles);
}

static double obstacles_cell_m(uint32_t level)
{
    return OBSTACLES_CELL_M * (double)(1u << level);
}

static uint32_t obstacles_bucket(const struct obstacles *obstacles, uint32_t level, int32_t column,
                                 int32_t row)
{
    uint32_t hash = (uint32_t)column * 0x9E3779B1u ^ (uint32_t)row * 0x85EBCA77u ^ level * 0xC2B2AE3Du;
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6Du;
    return (hash ^ hash >> 13) & obstacles->bucket_mask;
}

/* Hangs a row into its cell. */
static void obstacles_link(struct obstacles *obstacles, uint32_t index)
{
    const struct obstacle_box *box = &obstacles->boxes[index];
    double width = (double)box->max_m.x - box->min_m.x;
    double height = (double)box->max_m.y - box->min_m.y;
    double extent = width > height ? width : height;
    uint32_t level = 0;
    while (obstacles_cell_m(level) < extent) {
        level++;
    }
    ASSERT(level < OBSTACLE_LEVELS);
    double cell_m = obstacles_cell_m(level);
    int32_t column = (int32_t)exact_floor(0.5 * ((double)box->min_m.x + box->max_m.x) / cell_m);
    int32_t row = (int32_t)exact_floor(0.5 * ((double)box->min_m.y + box->max_m.y) / cell_m);
    uint32_t bucket = obstacles_bucket(obstacles, level, column, row);
    obstacles->next[index] = obstacles->buckets[bucket];
    obstacles->buckets[bucket] = index;
    obstacles->level_counts[level]++;
}

struct steer_obstacle_id obstacles_add(struct obstacles *obstacles, const struct steer_obstacle *obstacle)
{
    ASSERT(obstacles->count < obstacles->count_max);
    uint32_t index = obstacles->count++;
    struct steer_obstacle *item = &obstacles->items[index];
    memset(item, 0,
           sizeof *item); /* unused points and the end of the name, too: a row is copied and digested */
    *item = *obstacle;
    item->id.value = ++obstacles->id_last;
    core_init(&obstacles->cores[index], &item->shape);
    obstacles->boxes[index] =
        (struct obstacle_box){obstacles->cores[index].min_m, obstacles->cores[index].max_m};
    obstacles_link(obstacles, index);
    return item->id;
}

bool obstacles_find(const struct obstacles *obstacles, struct steer_obstacle_id id, uint32_t *index_out)
{
    uint32_t low = 0;
    uint32_t high = obstacles->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (obstacles->items[middle].id.value < id.value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == obstacles->count || obstacles->items[low].id.value != id.value) {
        return false;
    }
    *index_out = low;
    return true;
}

void obstacles_compact(struct obstacles *obstacles, const uint8_t *removed)
{
    uint32_t kept = 0;
    for (uint32_t index = 0; index < obstacles->count; index++) {
        if (removed[index]) {
            continue;
        }
        if (kept != index) {
            obstacles->items[kept] = obstacles->items[index];
            obstacles->cores[kept] = obstacles->cores[index];
            obstacles->boxes[kept] = obstacles->boxes[index];
        }
        kept++;
    }
    obstacles->count = kept;
    obstacles_clear_buckets(obstacles);
    for (uint32_t index = 0; index < kept; index++) {
        obstacles_link(obstacles, index);
    }
}

/* What is done with a candidate, whose box meets the region searched. */

/* The part of the plane that is searched. */
struct obstacles_region {
    struct point min;
    struct point max;
};

static inline bool obstacles_box_meets(const struct obstacle_box *box, const struct obstacles_region *region)
{
    return box->min_m.x <= region->max.x && box->max_m.x >= region->min.x && box->min_m.y <= region->max.y &&
           box->max_m.y >= region->min.y;
}

/* Cells of a level whose obstacles can reach into the region. */
struct obstacles_cells {
    int32_t column_first;
    int32_t column_last;
    int32_t row_first;
    int32_t row_last;
};

static struct obstacles_cells obstacles_cells(const struct obstacles_region *region, uint32_t level)
{
    /* An obstacle's middle is at most half a cell from its rim. */
    double cell_m = obstacles_cell_m(level);
    return (struct obstacles_cells){
        .column_first = (int32_t)exact_floor(region->min.x / cell_m - 0.5),
        .column_last = (int32_t)exact_floor(region->max.x / cell_m + 0.5),
        .row_first = (int32_t)exact_floor(region->min.y / cell_m - 0.5),
        .row_last = (int32_t)exact_floor(region->max.y / cell_m + 0.5),
    };
}

static void obstacles_visit_cells(const struct obstacles *obstacles, const struct obstacles_region *region,
                                  uint32_t level, obstacles_visit_fn visit, void *context)
{
    struct obstacles_cells cells = obstacles_cells(region, level);
    for (int32_t row = cells.row_first; row <= cells.row_last; row++) {
        for (int32_t column = cells.column_first; column <= cells.column_last; column++) {
            uint32_t index = obstacles->buckets[obstacles_bucket(obstacles, level, column, row)];
            for (; index != OBSTACLES_END; index = obstacles->next[index]) {
                if (obstacles_box_meets(&obstacles->boxes[index], region)) {
                    visit(obstacles, index, context);
                }
            }
        }
    }
}

/* Whether the cells that would be searched are fewer than the obstacles. */
static bool obstacles_cells_are_fewer(const struct obstacles *obstacles,
                                      const struct obstacles_region *region)
{
    if (obstacles->count <= OBSTACLES_FEW) {
        return false;
    }
    double cell_count = 0.0;
    for (uint32_t level = 0; level < OBSTACLE_LEVELS; level++) {
        if (obstacles->level_counts[level] > 0) {
            struct obstacles_cells cells = obstacles_cells(region, level);
            cell_count += ((double)cells.column_last - cells.column_first + 1.0) *
                          ((double)cells.row_last - cells.row_first + 1.0);
        }
    }
    return cell_count < obstacles->count;
}

/* Calls visit for everything that meets the region, for some more than once: two cells may share a bucket. */
static void obstacles_visit(const struct obstacles *obstacles, const struct obstacles_region *region,
                            obstacles_visit_fn visit, void *context)
{
    if (!obstacles_cells_are_fewer(obstacles, region)) {
        for (uint32_t index = 0; index < obstacles->count; index++) {
            if (obstacles_box_meets(&obstacles->boxes[index], region)) {
                visit(obstacles, index, context);
            }
        }
        return;
    }
    for (uint32_t level = 0; level < OBSTACLE_LEVELS; level++) {
        if (obstacles->level_counts[level] > 0) {
            obstacles_visit_cells(obstacles, region, level, visit, context);
        }
    }
}

void obstacles_visit_near(const struct obstacles *obstacles, struct vec2 point, double reach_m,
                          obstacles_visit_fn visit, void *context)
{
    struct obstacles_region region = {
        .min = {point.x - reach_m, point.y - reach_m},
        .max = {point.x + reach_m, point.y + reach_m},
    };
    obstacles_visit(obstacles, &region, visit, context);
}

/* A sweep while it is searched. */
struct obstacles_sweeping {
    struct point from;
    struct point move;
    double radius_m;
    bool leaves;     /* what it starts in does not count: it is on its way out of that */
    double fraction; /* of the first touch so far */
    struct point normal;
    uint32_t index; /* OBSTACLES_END: none yet */
};

static void obstacles_sweep_visit(const struct obstacles *obstacles, uint32_t index, void *context)
{
    struct obstacles_sweeping *sweeping = context;
    const struct core *core = &obstacles->cores[index];
    double fraction;
    struct point normal;
    if (!core_sweep(core, sweeping->from, sweeping->move, sweeping->radius_m, &fraction, &normal) ||
        (sweeping->leaves && core_nearest(core, sweeping->from).distance_m <= 0.0)) {
        return;
    }
    if (sweeping->index == OBSTACLES_END || fraction < sweeping->fraction ||
        (fraction == sweeping->fraction && index < sweeping->index)) {
        sweeping->fraction = fraction;
        sweeping->normal = normal;
        sweeping->index = index;
    }
}

/* The box round the part [begin, end] of a move, wide enough for the disc and for rounding. */
static struct obstacles_region obstacles_sweep_region(const struct obstacles_sweeping *sweeping, double begin,
                                                      double end)
{
    double margin = sweeping->radius_m + OBSTACLES_SIGHT_M;
    double x0 = sweeping->from.x + sweeping->move.x * begin;
    double x1 = sweeping->from.x + sweeping->move.x * end;
    double y0 = sweeping->from.y + sweeping->move.y * begin;
    double y1 = sweeping->from.y + sweeping->move.y * end;
    return (struct obstacles_region){
        .min = {(x0 < x1 ? x0 : x1) - margin, (y0 < y1 ? y0 : y1) - margin},
        .max = {(x0 > x1 ? x0 : x1) + margin, (y0 > y1 ? y0 : y1) + margin},
    };
}

static void obstacles_sweep_run(const struct obstacles *obstacles, struct obstacles_sweeping *sweeping)
{
    sweeping->index = OBSTACLES_END;
    sweeping->fraction = 1.0;
    if (obstacles->count == 0) {
        return;
    }
    double length = sqrt(sweeping->move.x * sweeping->move.x + sweeping->move.y * sweeping->move.y);
    uint32_t pieces = (uint32_t)(length / OBSTACLES_PIECE_M) + 1;
    for (uint32_t piece = 0; piece < pieces; piece++) {
        double end = (double)(piece + 1) / pieces;
        struct obstacles_region region = obstacles_sweep_region(sweeping, (double)piece / pieces, end);
        obstacles_visit(obstacles, &region, obstacles_sweep_visit, sweeping);
        if (sweeping->index != OBSTACLES_END && sweeping->fraction <= end) {
            return; /* whatever is touched before that meets the pieces up to here */
        }
    }
}

bool obstacles_sweep_exact(const struct obstacles *obstacles, struct point from, struct point move,
                           double radius_m, double *fraction_out, struct point *normal_out)
{
    struct obstacles_sweeping sweeping = {.from = from, .move = move, .radius_m = radius_m};
    obstacles_sweep_run(obstacles, &sweeping);
    if (sweeping.index == OBSTACLES_END) {
        return false;
    }
    *fraction_out = sweeping.fraction;
    *normal_out = sweeping.normal;
    return true;
}

bool obstacles_sweep(const struct obstacles *obstacles, const struct obstacle_sweep *sweep,
                     struct obstacle_hit *hit)
{
    struct obstacles_sweeping sweeping = {
        .from = {(double)sweep->center_m.x + (double)sweep->aside_m.x,
                 (double)sweep->center_m.y + (double)sweep->aside_m.y},
        .move = {sweep->move_m.x, sweep->move_m.y},
        .radius_m = sweep->radius_m,
    };
    obstacles_sweep_run(obstacles, &sweeping);
    if (sweeping.index == OBSTACLES_END) {
        return false;
    }
    hit->fraction = (float)sweeping.fraction;
    hit->normal = vec2((float)sweeping.normal.x, (float)sweeping.normal.y);
    double x = sweeping.from.x + sweeping.move.x * sweeping.fraction - sweeping.normal.x * sweeping.radius_m;
    double y = sweeping.from.y + sweeping.move.y * sweeping.fraction - sweeping.normal.y * sweeping.radius_m;
    hit->point_m = vec2((float)x, (float)y);
    hit->index = sweeping.index;
    hit->id = obstacles->items[sweeping.index].id;
    return true;
}

/* A search for the nearest. */
struct obstacles_nearing {
    struct point point;
    double distance_m; /* only what is nearer counts */
    struct point normal;
    uint32_t index;
};

static void obstacles_nearest_visit(const struct obstacles *obstacles, uint32_t index, void *context)
{
    struct obstacles_nearing *nearing = context;
    struct core_nearest nearest = core_nearest(&obstacles->cores[index], nearing->point);
    if (nearest.distance_m < nearing->distance_m ||
        (nearest.distance_m == nearing->distance_m && nearing->index != OBSTACLES_END &&
         index < nearing->index)) {
        nearing->distance_m = nearest.distance_m;
        nearing->normal = nearest.normal;
        nearing->index = index;
    }
}

/* nearing  point and distance_m set. False: nothing is nearer. */
static bool obstacles_nearest_run(const struct obstacles *obstacles, struct obstacles_nearing *nearing)
{
    nearing->index = OBSTACLES_END;
    if (obstacles->count == 0) {
        return false;
    }
    double reach = nearing->distance_m > 0.0 ? nearing->distance_m : 0.0;
    struct obstacles_region region = {
        .min = {nearing->point.x - reach, nearing->point.y - reach},
        .max = {nearing->point.x + reach, nearing->point.y + reach},
    };
    obstacles_visit(obstacles, &region, obstacles_nearest_visit, nearing);
    return nearing->index != OBSTACLES_END;
}

bool obstacles_nearest(const struct obstacles *obstacles, struct vec2 point, float distance_max_m,
                       struct obstacle_near *near)
{
    struct obstacles_nearing nearing = {.point = {point.x, point.y}, .distance_m = distance_max_m};
    if (!obstacles_nearest_run(obstacles, &nearing)) {
        return false;
    }
    near->distance_m = (float)nearing.distance_m;
    near->normal = vec2((float)nearing.normal.x, (float)nearing.normal.y);
    near->index = nearing.index;
    near->id = obstacles->items[nearing.index].id;
    return true;
}

bool obstacles_block_sight(const struct obstacles *obstacles, struct vec2 a, struct vec2 b)
{
    if (obstacles->count == 0) {
        return false;
    }
    struct obstacles_nearing start = {.point = {a.x, a.y}, .distance_m = 0.0};
    struct obstacles_sweeping sweeping = {
        .from = {a.x, a.y},
        .move = {(double)b.x - a.x, (double)b.y - a.y},
        .radius_m = OBSTACLES_SIGHT_M,
    };
    obstacles_sweep_run(obstacles, &sweeping);
    return sweeping.index != OBSTACLES_END || obstacles_nearest_run(obstacles, &start);
}

bool obstacles_leave_room(const struct obstacles *obstacles, struct vec2 center, float radius_m)
{
    struct obstacles_nearing nearing = {.point = {center.x, center.y}, .distance_m = radius_m};
    return !obstacles_nearest_run(obstacles, &nearing);
}

/* One coordinate of a disc's centre, between two edges of the world. */
static double obstacles_clamp_axis(double value, double min, double max, double radius_m, double skin_m)
{
    if (max - min < 2.0 * (radius_m + skin_m)) {
        return 0.5 * (min + max); /* no room: the middle */
    }
    if (value < min + radius_m) {
        return min + radius_m + skin_m;
    }
    return value > max - radius_m ? max - radius_m - skin_m : value;
}

static struct point obstacles_clamp(const struct obstacle_bounds *bounds, struct point point, double radius_m)
{
    point.x = obstacles_clamp_axis(point.x, bounds->min_m.x, bounds->max_m.x, radius_m, bounds->skin_m);
    point.y = obstacles_clamp_axis(point.y, bounds->min_m.y, bounds->max_m.y, radius_m, bounds->skin_m);
    return point;
}

/* The first ring that can have room: those nearer than the rim of the deepest solid round the point have
 * none. */
static uint32_t obstacles_first_ring(const struct obstacles *obstacles, struct point point, double ring_m)
{
    struct obstacles_nearing nearing = {.point = point, .distance_m = 0.0};
    if (!obstacles_nearest_run(obstacles, &nearing)) {
        return 1;
    }
    double ring = exact_floor(-nearing.distance_m / ring_m);
    return ring < 1.0 ? 1 : ring > OBSTACLES_RINGS ? OBSTACLES_RINGS + 1 : (uint32_t)ring;
}

static bool obstacles_is_far(struct point from, struct point to, double distance_m)
{
    double x = to.x - from.x;
    double y = to.y - from.y;
    return x * x + y * y > distance_m * distance_m;
}

/* Whether something solid lies on the way out, other than what it leads out of. */
static bool obstacles_lie_between(const struct obstacles *obstacles, struct point from, struct point to)
{
    struct obstacles_sweeping sweeping = {
        .from = from,
        .move = {to.x - from.x, to.y - from.y},
        .radius_m = OBSTACLES_SIGHT_M,
        .leaves = true,
    };
    obstacles_sweep_run(obstacles, &sweeping);
    return sweeping.index != OBSTACLES_END;
}

/*
 * The nearest free place in widening rings; of one ring the first, from north clockwise. through_walls false:
 * only those with nothing solid in between.
 */
static bool obstacles_search_room(const struct obstacles *obstacles, const struct obstacle_bounds *bounds,
                                  double radius_m, bool through_walls, struct point *point)
{
    struct vec2 directions[OBSTACLES_RING_DIRECTIONS];
    for (uint32_t i = 0; i < OBSTACLES_RING_DIRECTIONS; i++) {
        directions[i] = trig_direction((float)i * (360.0f / OBSTACLES_RING_DIRECTIONS));
    }
    double keep_m = radius_m + 0.25 * bounds->skin_m;
    double ring_m = 0.5 * radius_m;
    for (uint32_t ring = obstacles_first_ring(obstacles, *point, ring_m); ring <= OBSTACLES_RINGS; ring++) {
        for (uint32_t i = 0; i < OBSTACLES_RING_DIRECTIONS; i++) {
            struct vec2 direction = directions[i];
            double distance = ring_m * ring;
            struct point at = {point->x + direction.x * distance, point->y + direction.y * distance};
            struct point inside = obstacles_clamp(bounds, at, radius_m);
            struct obstacles_nearing nearing = {.point = at, .distance_m = keep_m};
            if (inside.x == at.x && inside.y == at.y && !obstacles_nearest_run(obstacles, &nearing) &&
                (through_walls || !obstacles_lie_between(obstacles, *point, at))) {
                *point = at;
                return true;
            }
        }
    }
    return false;
}

bool obstacles_push_out(const struct obstacles *obstacles, const struct obstacle_bounds *bounds,
                        float radius_m, bool may_search, struct vec2 *center)
{
    struct point start = {center->x, center->y};
    struct point point = obstacles_clamp(bounds, start, radius_m);
    double keep_m = radius_m + 0.25 * (double)bounds->skin_m;
    double put_m = (double)radius_m + bounds->skin_m;
    for (uint32_t way = 0; way < OBSTACLES_WAYS_OUT; way++) {
        struct obstacles_nearing nearing = {.point = point, .distance_m = keep_m};
        if (!obstacles_nearest_run(obstacles, &nearing)) {
            if (obstacles_is_far(start, point, OBSTACLES_NEAR_PART * radius_m) &&
                obstacles_lie_between(obstacles, start, point)) {
                break; /* walls are walls: what is placed on somebody does not push him through one */
            }
            *center = vec2((float)point.x, (float)point.y);
            return point.x != start.x || point.y != start.y;
        }
        point.x += nearing.normal.x * (put_m - nearing.distance_m);
        point.y += nearing.normal.y * (put_m - nearing.distance_m);
        point = obstacles_clamp(bounds, point, radius_m);
    }
    point = obstacles_clamp(bounds, start, radius_m);
    if (!may_search || (!obstacles_search_room(obstacles, bounds, radius_m, false, &point) &&
                        !obstacles_search_room(obstacles, bounds, radius_m, true, &point))) {
        return false;
    }
    *center = vec2((float)point.x, (float)point.y);
    return true;
}
