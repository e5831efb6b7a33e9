/*
 * Settling round a goal that is taken. The agent rolls, in thought, along the outside of those who stand
 * before it, both ways round: round the one it touches until it touches the next, then round that one. Of the
 * places that it comes by it takes the one nearest to the goal. So it finds its way over humps and to the far
 * side: without that a crowd that comes from one side would be heaped up on that side.
 *
 * Every tick decides anew, from the same standing neighbours, so it needs no memory; a place has to be nearer
 * by more than a threshold, so that it comes to rest and cannot go round for ever.
 */
#include "sim/settle.h"

#define SETTLE_PIVOTS_MAX 48u  /* that it rolls round, one after the other: half way round some 500 */
#define SETTLE_GAIN_PART  0.2f /* of its radius: a place that is nearer by less is not worth it */
#define SETTLE_KEEP_PART                                                                                     \
    0.25f /* of its radius: so much nearer is a place on the side to which it goes already */
#define SETTLE_LENGTH_PART                                                                                   \
    0.05f /* of the way there: so much nearer has a place to be; with 0.02 crowds of 100 went round for long \
           */
#define SETTLE_REACH_M    0.02f /* kept to those it goes round, so that they stand closely */
#define SETTLE_LOCKED_MAX 5u    /* that stand in the way one after the other: it is shut in */
#define SETTLE_NEAR_M     0.01f /* beyond the margin: nearer than this they touch */
#define SETTLE_CLEAR_M    0.01f /* a place with less room than this is taken */
#define SETTLE_STANDS_MPS 0.1f  /* slower than this one does not make room */
#define SETTLE_STANDS_S   0.5f  /* within the 0.05 m of rest for so long: as slow */
#define SETTLE_TOUCH_COS  1e-3f /* of the angle round a pivot: nearer than this it touches the next */
#define SETTLE_TURN_FULL  4.0f  /* settle_turn of a whole turn */
#define SETTLE_TURN_MIN   1e-4f /* less is none: it is stopped at once */

struct settle_search {
    const struct steer_view *view;
    uint32_t row;
    struct vec2 position_m;
    float radius_m;
    struct vec2 goal_m; /* all places: from the agent */
    struct vec2 velocity_mps;
    float margin_m;
    float keep_m;
    float own_m;   /* to the goal */
    float worth_m; /* to the goal: from places that are nearer than this */
    float best_m;  /* of the best place so far */
};

/* One that is rolled round. */
struct settle_pivot {
    struct vec2 center_m;
    float touch_m; /* both radii */
    uint32_t place;
};

/* Round one pivot, from arm to arm: unit vectors from its centre. `side` is 1 clockwise, else -1. */
struct settle_arc {
    struct settle_pivot pivot;
    struct vec2 arm;
    struct vec2 arm_end;
    float turn; /* between them */
    float side;
    bool has_next;
    struct settle_pivot next; /* whom it touches at the end */
};

static struct settle_pivot settle_pivot_at(const struct settle_search *search, uint32_t place)
{
    const struct grid *grid = search->view->grid;
    return (struct settle_pivot){
        .center_m = vec2(grid->x[place] - search->position_m.x, grid->y[place] - search->position_m.y),
        .touch_m = search->radius_m + grid->radius[place],
        .place = place,
    };
}

bool settle_stays(const struct steer_view *view, uint32_t place)
{
    uint32_t row = view->grid->row[place];
    struct vec2 velocity = vec2(view->grid->vx[place], view->grid->vy[place]);
    return view->agents->state[row] == STEER_AGENT_STATE_ARRIVED ||
           (float)view->agents->rest_ticks[row] * view->dt_s >= SETTLE_STANDS_S ||
           vec2_length_squared(velocity) < SETTLE_STANDS_MPS * SETTLE_STANDS_MPS;
}

/* The nearest who has arrived at the same goal and touches the agent; of equals the first in the grid. */
static bool settle_first(const struct settle_search *search, struct settle_pivot *first)
{
    const struct grid *grid = search->view->grid;
    const struct agent_store *agents = search->view->agents;
    float near_m = search->margin_m + SETTLE_NEAR_M;
    struct grid_span span =
        grid_span(grid, search->position_m, search->radius_m + grid->radius_max_m + near_m);
    bool is_found = false;
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t place = run.begin; place < run.end; place++) {
            uint32_t row = grid->row[place];
            if (row == search->row || agents->state[row] != STEER_AGENT_STATE_ARRIVED ||
                !steer_same_goal(search->view, search->row, row)) {
                continue;
            }
            struct settle_pivot pivot = settle_pivot_at(search, place);
            float gap_m = vec2_length(pivot.center_m) - pivot.touch_m;
            if (gap_m < near_m && vec2_length_squared(pivot.center_m) > 0.0f) {
                near_m = gap_m;
                *first = pivot;
                is_found = true;
            }
        }
    }
    return is_found;
}

/*
 * How far one unit vector is turned from another, to a side: grows with the angle, 4 all round. Not an angle,
 * and needs no arc functions.
 */
static float settle_turn(struct vec2 from, struct vec2 to, float side)
{
    float cosine = vec2_dot(from, to);
    float sine = side * vec2_dot(vec2_right(from), to);
    return sine >= 0.0f ? 1.0f - cosine : 3.0f + cosine;
}

/* Cuts an arc where it meets another one. */
static void settle_cut(const struct settle_pivot *other, struct settle_arc *arc)
{
    struct vec2 offset = vec2_sub(other->center_m, arc->pivot.center_m);
    float distance = vec2_length(offset);
    float reach_m = arc->pivot.touch_m + SETTLE_REACH_M;
    float clear_m = other->touch_m + SETTLE_CLEAR_M;
    if (distance == 0.0f || distance >= reach_m + clear_m) {
        return;
    }
    struct vec2 toward = vec2_scale(offset, 1.0f / distance);
    float cosine =
        (reach_m * reach_m + distance * distance - clear_m * clear_m) / (2.0f * reach_m * distance);
    float cosine_safe = cosine < -1.0f ? -1.0f : cosine > 1.0f ? 1.0f : cosine;
    struct vec2 end = vec2_mad(vec2_scale(toward, cosine_safe), vec2_right(toward),
                               -arc->side * sqrtf(1.0f - cosine_safe * cosine_safe));
    float turn = settle_turn(arc->arm, end, arc->side);
    if (vec2_dot(arc->arm, toward) > cosine - SETTLE_TOUCH_COS) {
        if (arc->side * vec2_dot(vec2_right(arc->arm), toward) <= 0.0f) {
            return; /* it rolls away from it */
        }
        end = arc->arm;
        turn = 0.0f;
    }
    if (turn < arc->turn) {
        arc->turn = turn;
        arc->arm_end = end;
        arc->has_next = true;
        arc->next = *other;
    }
}

/* As far round its pivot as there is room. */
static void settle_extend(const struct settle_search *search, struct settle_arc *arc)
{
    const struct grid *grid = search->view->grid;
    float reach_m = arc->pivot.touch_m + SETTLE_REACH_M;
    arc->turn = SETTLE_TURN_FULL;
    arc->arm_end = arc->arm;
    arc->has_next = false;
    struct grid_span span = grid_span(grid, vec2_add(search->position_m, arc->pivot.center_m),
                                      reach_m + search->radius_m + grid->radius_max_m + SETTLE_CLEAR_M);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t place = run.begin; place < run.end; place++) {
            if (grid->row[place] != search->row && place != arc->pivot.place &&
                settle_stays(search->view, place)) {
                struct settle_pivot other = settle_pivot_at(search, place);
                settle_cut(&other, arc);
            }
        }
    }
}

/* Whether a disc gets from place to place without touching what is solid. */
static bool settle_is_open(const struct settle_search *search, struct vec2 from, struct vec2 to)
{
    const struct steer_view *view = search->view;
    struct vec2 end = vec2_add(search->position_m, to);
    float radius = search->radius_m;
    if (end.x - radius < view->world_min_m.x || end.y - radius < view->world_min_m.y ||
        end.x + radius > view->world_max_m.x || end.y + radius > view->world_max_m.y) {
        return false;
    }
    const struct obstacle_sweep sweep = {
        .center_m = search->position_m,
        .aside_m = from,
        .move_m = vec2_sub(to, from),
        .radius_m = radius,
    };
    struct obstacle_hit hit;
    return !obstacles_sweep(view->obstacles, &sweep, &hit);
}

/* The way to where it goes first, found so far. */
struct settle_roll {
    struct settle_way way;
    struct vec2 at; /* where the roll has come to */
    float length_m; /* to there */
    bool has_begun; /* way.direction is set */
};

/* A place on the way: the best so far? */
static bool settle_weigh(struct settle_search *search, const struct settle_roll *roll, struct vec2 at,
                         struct settle_way *out)
{
    float length_m = roll->length_m + vec2_length(vec2_sub(at, roll->at));
    float remaining_m = vec2_length(vec2_sub(search->goal_m, at)) + SETTLE_LENGTH_PART * length_m;
    bool keeps = vec2_dot(roll->way.direction, search->velocity_mps) > 0.0f;
    float score_m = remaining_m - (keeps ? search->keep_m : 0.0f);
    if (remaining_m >= search->worth_m || score_m >= search->best_m) {
        return false;
    }
    search->best_m = score_m;
    *out = roll->way;
    out->length_m = length_m;
    out->gain_m = search->own_m - remaining_m;
    return true;
}

/* The first arc that leads anywhere is where it goes. */
static void settle_begin(const struct settle_arc *arc, float distance, struct settle_roll *roll)
{
    float reach_m = arc->pivot.touch_m + SETTLE_REACH_M;
    roll->way.direction = vec2_scale(vec2_right(arc->arm), arc->side);
    roll->way.lift_m = vec2_scale(arc->arm, reach_m - distance);
    roll->way.straight_m =
        arc->has_next ? reach_m * vec2_length(vec2_sub(arc->arm_end, arc->arm)) : 2.0f * reach_m;
    roll->has_begun = true;
}

/* Weighs the places on an arc: where it is nearest to the goal, and its end. False: that is walled off. */
static bool settle_follow(struct settle_search *search, const struct settle_arc *arc,
                          struct settle_roll *roll, struct settle_way *out, bool *is_better)
{
    float reach_m = arc->pivot.touch_m + SETTLE_REACH_M;
    struct vec2 goal = vec2_sub(search->goal_m, arc->pivot.center_m);
    float goal_m = vec2_length(goal);
    struct vec2 nearest = goal_m > 0.0f ? vec2_scale(goal, 1.0f / goal_m) : arc->arm;
    if (settle_turn(arc->arm, nearest, arc->side) < arc->turn) {
        struct vec2 at = vec2_mad(arc->pivot.center_m, nearest, reach_m);
        *is_better |= settle_is_open(search, roll->at, at) && settle_weigh(search, roll, at, out);
    }
    struct vec2 end = vec2_mad(arc->pivot.center_m, arc->arm_end, reach_m);
    if (!settle_is_open(search, roll->at, end)) {
        return false;
    }
    *is_better |= settle_weigh(search, roll, end, out);
    roll->length_m += vec2_length(vec2_sub(end, roll->at));
    roll->at = end;
    return true;
}

/* Along the outside, one way round. Whether that leads to a better place than the best so far. */
static bool settle_go_round(struct settle_search *search, const struct settle_pivot *first, float side,
                            struct settle_way *out)
{
    struct settle_roll roll = {.at = vec2(0.0f, 0.0f)};
    struct settle_arc arc = {.pivot = *first, .side = side};
    bool is_better = false;
    uint32_t locked = 0;
    for (uint32_t i = 0; i < SETTLE_PIVOTS_MAX; i++) {
        struct vec2 back = vec2_sub(roll.at, arc.pivot.center_m);
        float distance = vec2_length(back);
        if (distance == 0.0f) {
            break;
        }
        arc.arm = vec2_scale(back, 1.0f / distance);
        settle_extend(search, &arc);
        if (arc.turn > SETTLE_TURN_MIN) {
            if (!roll.has_begun) {
                settle_begin(&arc, distance, &roll);
            }
            if (!settle_follow(search, &arc, &roll, out, &is_better)) {
                break;
            }
        }
        locked = arc.turn > SETTLE_TURN_MIN ? 0 : locked + 1;
        if (!arc.has_next || locked > SETTLE_LOCKED_MAX ||
            (roll.has_begun && arc.next.place == first->place)) {
            break;
        }
        arc.pivot = arc.next;
    }
    return is_better;
}

bool settle_find(const struct steer_view *view, uint32_t row, const struct steer_waypoint *way,
                 float margin_m, struct settle_way *out)
{
    if (!way->is_last || view->agents->goal_kind[row] == STEER_GOAL_AGENT) {
        return false;
    }
    float radius_m = view->agents->radius[row];
    struct settle_search search = {
        .view = view,
        .row = row,
        .position_m = steer_position(view, row),
        .radius_m = radius_m,
        .velocity_mps = steer_velocity(view, row),
        .margin_m = margin_m,
        .keep_m = SETTLE_KEEP_PART * radius_m,
    };
    search.goal_m = way->way_m;
    search.own_m = vec2_length(search.goal_m);
    search.worth_m = search.own_m - SETTLE_GAIN_PART * radius_m;
    search.best_m = search.worth_m;
    struct settle_pivot first;
    if (!settle_first(&search, &first)) {
        return false;
    }
    bool is_found = settle_go_round(&search, &first, 1.0f, out);
    is_found |= settle_go_round(&search, &first, -1.0f, out);
    return is_found;
}
