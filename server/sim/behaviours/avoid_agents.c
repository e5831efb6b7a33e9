/*
 * Leaves the paths of the agents it would touch first. Every neighbour's course is continued; of those that
 * lead to a touch within the horizon the soonest few are taken in the order of their time, and the way out of
 * a later one never takes back what an earlier one was given. Who goes to the same goal and is nearer to it
 * is not passed but followed: without that a crowd circles for ever round the point that all of it wants.
 *
 * Source: Millington 2006, "Collision Avoidance", with the time of first contact of two discs for its
 * urgency; Karamouzas et al. 2009, "A Predictive Collision Avoidance Model for Pedestrian Simulation", for
 * several in the order of their time, each seen with the velocity that the evasions before it lead to.
 */
#include <math.h>

#include "sim/lanes.h"
#include "sim/settle.h"
#include "sim/steering.h"
#include "sim/wedged.h"

/* One alone makes it evade into the next; with more of them their ways out cancel each other. 3 was measured
 * best. */
#define AVOID_AGENTS_FIRST_MAX     3
#define AVOID_AGENTS_SPEED_MIN_MPS 1e-3f /* relative speed below which nobody comes closer */
#define AVOID_AGENTS_PACE_MIN      0.03f /* part of max_speed below which it has no heading to keep */
#define AVOID_AGENTS_HOLD_MPS2                                                                               \
    1e-3f /* too little to move anybody, enough to fix the direction of what is spent */
#define AVOID_AGENTS_HAIR        1.001f /* of the horizon, for roundings of the first look */
#define AVOID_AGENTS_QUEUE_GAP_M 0.01f  /* beyond the margin: nearer than this it stands in the queue */
#define AVOID_AGENTS_QUEUE_COS                                                                               \
    0.5f /* who stands within 60 degrees of the way holds it up; past others it slides */
#define AVOID_AGENTS_CLOSE_PER_S                                                                             \
    5.0f                             /* part of a gap in the crowd at its goal that it closes in a second    \
                                      */
#define AVOID_AGENTS_LIFT_PER_S 2.0f /* part of the missing margin that it makes up for in a second */
#define AVOID_AGENTS_TURN_PACE  0.2f /* part of max_speed with which it turns from one to the next */
#define AVOID_AGENTS_SETTLE_DEPTH_M                                                                          \
    0.02f /* going round it rubs against others: less than this is no overlap */
#define AVOID_AGENTS_SETTLE_PACE                                                                             \
    0.6f /* part of max_speed with which it goes round those who have arrived                                \
          */

/* Part of the evasions that cancel each other which it brakes with; more cost speed in a crowd, none closed
 * up a ring. */
#define AVOID_AGENTS_SQUEEZED_BRAKE 0.3f
/* Braking of one that overlaps, to 1 away from the other: enough to stop a crowd that closes in, little
 * enough to get out. */
#define AVOID_AGENTS_OVERLAP_BRAKE 0.5f

/* The agent that steers. */
struct avoid_agents_self {
    const struct steer_view *view;
    const struct avoid_agents_parameters *parameters;
    uint32_t row;
    uint32_t place;
    struct vec2 position_m;
    struct vec2 velocity_mps;
    float max_accel_mps2;
    float target_radius_m;
    float reach_own_m; /* radius and margin */
    uint32_t mask;
    bool has_way; /* else `way` is not set */
    struct steer_waypoint way;
};

/* Another one, on a course that leads to a touch. */
struct avoid_agents_peer {
    struct vec2 offset_m;
    struct vec2 velocity_mps;
    float reach_m;   /* both radii and the margin */
    float contact_s; /* time of first contact */
    uint32_t row;
    uint32_t place;
    bool is_followed; /* same goal, nearer to it */
};

/* Whom it has to mind. */
struct avoid_agents_minded {
    struct avoid_agents_peer first[AVOID_AGENTS_FIRST_MAX]; /* soonest first, of equals the lower row */
    uint32_t count;
    float depth_m; /* of the deepest overlap, of equals the lower row; 0: none */
    uint32_t depth_row;
    struct vec2 depth_offset_m;
    bool depth_is_followed;
    bool is_held;   /* the one in front of it in the queue stands */
    float gap_m;    /* to the nearest one in the queue who stays where he is */
    bool is_beside; /* it touches one ahead who has arrived */
    /* To either side of its way, the room to the nearest who has arrived and touches it; less than 0: he is
     * in the way. */
    float room_m[2];
};

/*
 * Time at which a disc on its course first comes within reach of another's centre; negative: never. The
 * smaller root of |offset - course t| = reach. Equal velocities have no such time.
 */
static float avoid_agents_contact(struct vec2 offset, struct vec2 course, float reach_m)
{
    float a = vec2_length_squared(course);
    float b = vec2_dot(offset, course);
    float c = vec2_length_squared(offset) - reach_m * reach_m;
    float discriminant = b * b - a * c;
    if (a < AVOID_AGENTS_SPEED_MIN_MPS * AVOID_AGENTS_SPEED_MIN_MPS || b <= 0.0f || discriminant <= 0.0f) {
        return -1.0f;
    }
    float contact_s = (b - sqrtf(discriminant)) / a;
    return contact_s > 0.0f ? contact_s : 0.0f;
}

enum avoid_agents_order {
    AVOID_AGENTS_STRANGER,
    AVOID_AGENTS_AHEAD,  /* goes to the same goal and is nearer */
    AVOID_AGENTS_BEHIND, /* goes to the same goal and is farther */
};

static enum avoid_agents_order avoid_agents_compare(const struct avoid_agents_self *self, uint32_t peer)
{
    uint32_t own = self->row;
    struct steer_waypoint way;
    if (!self->has_way || !steer_same_goal(self->view, own, peer) ||
        !steer_next_waypoint(self->view, peer, &way)) {
        return AVOID_AGENTS_STRANGER;
    }
    /* Two may keep different places by the agent that both follow. */
    float apart_m = self->view->agents->radius[own];
    if (vec2_length_squared(vec2_sub(way.point_m, self->way.point_m)) > apart_m * apart_m &&
        self->view->agents->goal_kind[own] == STEER_GOAL_AGENT) {
        return AVOID_AGENTS_STRANGER;
    }
    bool is_ahead =
        way.remaining_m < self->way.remaining_m || (way.remaining_m == self->way.remaining_m && peer < own);
    return is_ahead ? AVOID_AGENTS_AHEAD : AVOID_AGENTS_BEHIND;
}

static void avoid_agents_insert(struct avoid_agents_minded *minded, const struct avoid_agents_peer *peer)
{
    uint32_t at = minded->count;
    while (at > 0 &&
           (peer->contact_s < minded->first[at - 1].contact_s ||
            (peer->contact_s == minded->first[at - 1].contact_s && peer->row < minded->first[at - 1].row))) {
        at--;
    }
    if (at == AVOID_AGENTS_FIRST_MAX) {
        return;
    }
    minded->count += minded->count < AVOID_AGENTS_FIRST_MAX ? 1u : 0u;
    for (uint32_t i = minded->count - 1; i > at; i--) {
        minded->first[i] = minded->first[i - 1];
    }
    minded->first[at] = *peer;
}

/*
 * Whether one ahead in the queue stays where it is. Beside the goal that counts for whoever is nearer to it,
 * moving or not: when it stands on the goal, this one is as near as there is room. Else those who come from
 * all sides would shove each other off the goal for ever.
 */
static bool avoid_agents_stays(const struct avoid_agents_self *self, const struct avoid_agents_peer *peer)
{
    return settle_stays(self->view, peer->place) ||
           (self->way.is_last && self->way.remaining_m <= peer->reach_m);
}

/* One ahead in the queue that stays where it is, as near as they come: what room it leaves. */
static void avoid_agents_queue(const struct avoid_agents_self *self, const struct avoid_agents_peer *peer,
                               struct avoid_agents_minded *minded)
{
    struct vec2 way = self->way.way_m;
    float length = vec2_length(way);
    float along = vec2_dot(way, peer->offset_m);
    bool is_in_the_way = along > AVOID_AGENTS_QUEUE_COS * vec2_length(peer->offset_m) * length;
    minded->is_held = minded->is_held || is_in_the_way;
    float gap = vec2_length(peer->offset_m) - (peer->reach_m - self->parameters->margin);
    minded->gap_m = gap < minded->gap_m ? gap : minded->gap_m;
    if (along <= 0.0f) {
        return;
    }
    minded->is_beside |= self->view->agents->state[peer->row] == STEER_AGENT_STATE_ARRIVED;
    float aside_m = vec2_cross(way, peer->offset_m) / length;
    float *room_m = &minded->room_m[aside_m < 0.0f];
    float room = fabsf(aside_m) - (peer->reach_m - self->parameters->margin);
    *room_m = room < *room_m ? room : *room_m;
}

/*
 * Whether it will stand at its goal, or be braking for it, before it meets another. He is not evaded: it
 * would be kept from a goal that it can reach, and one that stands on it would never come to rest. Who has
 * arrived makes room as ever.
 */
static bool avoid_agents_stops_before(const struct avoid_agents_self *self, float contact_s)
{
    if (!self->has_way || !self->way.is_last ||
        self->view->agents->state[self->row] == STEER_AGENT_STATE_ARRIVED) {
        return false;
    }
    float speed = vec2_length(self->velocity_mps);
    float stop_m = speed * speed / self->max_accel_mps2; /* with half of it */
    return contact_s * speed + stop_m >= self->way.remaining_m - self->target_radius_m;
}

/* One within sight and distance: notes what it means. */
static void avoid_agents_mind(const struct avoid_agents_self *self, struct avoid_agents_peer *peer,
                              struct avoid_agents_minded *minded)
{
    float touch_m = peer->reach_m - self->parameters->margin;
    float near_m = peer->reach_m + AVOID_AGENTS_QUEUE_GAP_M;
    float distance = vec2_length(peer->offset_m);
    struct vec2 course = vec2_sub(self->velocity_mps, peer->velocity_mps);
    peer->contact_s = avoid_agents_contact(peer->offset_m, course, peer->reach_m);
    bool meets = peer->contact_s >= 0.0f && peer->contact_s <= self->parameters->time_horizon &&
                 !avoid_agents_stops_before(self, peer->contact_s);
    if ((!meets && distance >= near_m) || obstacles_block_sight(self->view->obstacles, self->position_m,
                                                                vec2_add(self->position_m, peer->offset_m))) {
        return;
    }
    enum avoid_agents_order order = avoid_agents_compare(self, peer->row);
    if (order == AVOID_AGENTS_BEHIND) {
        return;
    }
    peer->is_followed = order == AVOID_AGENTS_AHEAD;
    if (peer->is_followed && distance < near_m && avoid_agents_stays(self, peer)) {
        avoid_agents_queue(self, peer, minded);
    }
    float depth = touch_m - distance;
    if (depth > self->view->slop_m) {
        if (depth > minded->depth_m || (depth == minded->depth_m && peer->row < minded->depth_row)) {
            minded->depth_m = depth;
            minded->depth_row = peer->row;
            minded->depth_offset_m = peer->offset_m;
            minded->depth_is_followed = peer->is_followed;
        }
    } else if (meets && depth <= 0.0f) {
        avoid_agents_insert(minded, peer);
    }
}

/* What is the same for all whom one agent looks at, in every lane. */
struct avoid_agents_sieve {
    lanes x;
    lanes y;
    lanes vx;
    lanes vy;
    lanes reach;
    lanes horizon;
    lanes horizon_and_hair;
    lanes distance_max_squared;
};

static struct avoid_agents_sieve avoid_agents_sieve(const struct avoid_agents_self *self)
{
    float distance_max = self->parameters->neighbour_distance;
    float horizon_s = self->parameters->time_horizon;
    return (struct avoid_agents_sieve){
        .x = lanes_of(self->position_m.x),
        .y = lanes_of(self->position_m.y),
        .vx = lanes_of(self->velocity_mps.x),
        .vy = lanes_of(self->velocity_mps.y),
        .reach = lanes_of(self->reach_own_m),
        .horizon = lanes_of(horizon_s),
        .horizon_and_hair = lanes_of(horizon_s * AVOID_AGENTS_HAIR),
        .distance_max_squared = lanes_of(distance_max * distance_max),
    };
}

/*
 * Who of four is to be minded at all. Most are far and go away, pass clear or meet too late: no root is
 * needed to see that. Within the horizon they meet when they are nearest by then, or within reach at its end;
 * a hair more is let through, the exact time is looked at later.
 */
static inline lanes_mask avoid_agents_matter(const struct avoid_agents_sieve *sieve, const struct grid *grid,
                                             uint32_t place)
{
    lanes x = lanes_load(grid->x + place) - sieve->x;
    lanes y = lanes_load(grid->y + place) - sieve->y;
    lanes vx = sieve->vx - lanes_load(grid->vx + place);
    lanes vy = sieve->vy - lanes_load(grid->vy + place);
    lanes reach = sieve->reach + lanes_load(grid->radius + place);
    lanes near = reach + AVOID_AGENTS_QUEUE_GAP_M;
    lanes distance_squared = x * x + y * y;
    lanes course_squared = vx * vx + vy * vy;
    lanes along = x * vx + y * vy;
    lanes across = x * vy - y * vx;
    lanes_mask meets = (along > 0.0f) & (across * across < reach * reach * course_squared);
    lanes_mask matter =
        (meets | (distance_squared < near * near)) & (distance_squared <= sieve->distance_max_squared);
    if (lanes_none(matter)) {
        return matter;
    }
    lanes end_x = x - vx * sieve->horizon;
    lanes end_y = y - vy * sieve->horizon;
    meets &=
        (along <= course_squared * sieve->horizon_and_hair) | (end_x * end_x + end_y * end_y <= near * near);
    return matter & (meets | (distance_squared < near * near));
}

static void avoid_agents_look(const struct avoid_agents_self *self, uint32_t place,
                              struct avoid_agents_minded *minded)
{
    const struct grid *grid = self->view->grid;
    if (place == self->place || (grid->layers[place] & self->mask) == 0) {
        return;
    }
    struct vec2 position = self->position_m;
    struct avoid_agents_peer peer = {.offset_m =
                                         vec2(grid->x[place] - position.x, grid->y[place] - position.y),
                                     .velocity_mps = vec2(grid->vx[place], grid->vy[place]),
                                     .reach_m = self->reach_own_m + grid->radius[place],
                                     .row = grid->row[place],
                                     .place = place};
    avoid_agents_mind(self, &peer, minded);
}

static void avoid_agents_find(const struct avoid_agents_self *self, struct avoid_agents_minded *minded)
{
    const struct grid *grid = self->view->grid;
    const struct avoid_agents_sieve sieve = avoid_agents_sieve(self);
    struct grid_span span = grid_span(grid, self->position_m, self->parameters->neighbour_distance);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t first = run.begin; first < run.end; first += LANES) {
            lanes_mask matter = avoid_agents_matter(&sieve, grid, first);
            if (lanes_none(matter)) {
                continue;
            }
            for (uint32_t lane = 0; lane < LANES && first + lane < run.end; lane++) {
                if (matter[lane]) {
                    avoid_agents_look(self, first + lane, minded);
                }
            }
        }
    }
}

/*
 * Behind one who goes to the same goal: so much against the closing speed that a stop with half of max_accel
 * is enough. Within the margin it asks for next to nothing, so that what else the agent wants is not spent on
 * closing up.
 */
static struct vec2 avoid_agents_follow(const struct avoid_agents_self *self,
                                       const struct avoid_agents_peer *peer, struct vec2 *velocity)
{
    float distance = vec2_length(peer->offset_m);
    struct vec2 ahead = vec2_scale(peer->offset_m, 1.0f / distance);
    float gap = distance - peer->reach_m;
    float closing = vec2_dot(vec2_sub(*velocity, peer->velocity_mps), ahead);
    float closing_max = gap > 0.0f ? sqrtf(self->max_accel_mps2 * gap) : 0.0f;
    if (closing <= closing_max) {
        return gap < self->parameters->margin ? vec2_scale(ahead, -AVOID_AGENTS_HOLD_MPS2) : vec2(0.0f, 0.0f);
    }
    *velocity = vec2_mad(*velocity, ahead, closing_max - closing);
    float brake = (closing - closing_max) / self->view->dt_s;
    return vec2_scale(ahead, brake < self->max_accel_mps2 ? -brake : -self->max_accel_mps2);
}

/* A way out of another's path. */
struct avoid_agents_way {
    struct vec2 direction; /* unit, at a right angle to the relative course */
    float length_m;        /* by which the closest approach has to be moved that way */
    float time_s;          /* until then */
    float pace_mps;        /* of the relative course */
};

static struct avoid_agents_way avoid_agents_choose(const struct avoid_agents_self *self,
                                                   const struct avoid_agents_peer *peer, struct vec2 course)
{
    /* `side`: the side it passes on, 1 the right; `miss`: where the other will be to that side when they are
     * nearest. */
    float side = self->parameters->passing_side < 0.0f ? -1.0f : 1.0f;
    float pace = vec2_length(course);
    struct vec2 aside = vec2_scale(vec2_right(course), side / pace);
    float miss = vec2_dot(peer->offset_m, aside);
    float closest_s = vec2_dot(peer->offset_m, course) / (pace * pace);
    bool is_preferred = miss <= side * self->parameters->passing_side * peer->reach_m;
    return (struct avoid_agents_way){
        .direction = is_preferred ? aside : vec2_scale(aside, -1.0f),
        .length_m = peer->reach_m + (is_preferred ? miss : -miss),
        .pace_mps = pace,
        .time_s = closest_s > self->view->dt_s ? closest_s : self->view->dt_s,
    };
}

/*
 * Past another: 2 s / t^2 moves the closest approach by s in the time t. Of all accelerations that do so, the
 * one that slows the agent least: what goes against its heading is made up for sideways as far as max_accel
 * reaches. Where that is not enough they will touch, and it brakes towards the other the more, the less it
 * can clear.
 */
static struct vec2 avoid_agents_pass(const struct avoid_agents_self *self,
                                     const struct avoid_agents_peer *peer, const struct avoid_agents_way *way,
                                     float share)
{
    float most = way->pace_mps / self->view->dt_s; /* takes the whole relative course away within the tick */
    float max = most < self->max_accel_mps2 ? most : self->max_accel_mps2;
    float strength = share * 2.0f * way->length_m / (way->time_s * way->time_s);
    if (strength > max) {
        float part = max / strength;
        float distance = vec2_length(peer->offset_m);
        struct vec2 toward = vec2_scale(peer->offset_m, distance > 0.0f ? 1.0f / distance : 0.0f);
        struct vec2 out = vec2_mad(vec2_scale(way->direction, part), toward, part - 1.0f);
        return vec2_scale(out, max / vec2_length(out));
    }
    struct vec2 accel = vec2_scale(way->direction, strength);
    float speed = vec2_length(self->velocity_mps);
    if (speed <= AVOID_AGENTS_PACE_MIN * self->view->agents->max_speed[self->row]) {
        return accel;
    }
    float back = -vec2_dot(way->direction, self->velocity_mps) / speed;
    struct vec2 forward = vec2_mad(vec2_scale(self->velocity_mps, 1.0f / speed), way->direction, back);
    float sideways = vec2_length(forward); /* part of the direction that is at a right angle to the heading */
    if (back <= 0.0f || sideways < AVOID_AGENTS_PACE_MIN) {
        return accel;
    }
    float wanted = strength * back / sideways;
    float left = sqrtf(max * max - strength * strength);
    return vec2_mad(accel, forward, (wanted < left ? wanted : left) / sideways);
}

/*
 * Adds what one asks for, but for what goes against the sum so far. Between two there is no way out sideways:
 * as much as they contradict each other it brakes.
 */
static struct vec2 avoid_agents_add(const struct avoid_agents_self *self, struct vec2 sum, struct vec2 accel)
{
    float against = vec2_dot(accel, sum);
    if (against >= 0.0f) {
        return vec2_add(sum, accel);
    }
    float spent_squared = vec2_length_squared(sum);
    float brake = -AVOID_AGENTS_SQUEEZED_BRAKE * against / sqrtf(spent_squared);
    float speed = vec2_length(self->velocity_mps);
    float stop = speed / self->view->dt_s;
    brake = brake < stop ? brake : stop;
    accel = vec2_mad(accel, sum, -against / spent_squared);
    return vec2_add(sum, speed > 0.0f ? vec2_mad(accel, self->velocity_mps, -brake / speed) : accel);
}

static struct vec2 avoid_agents_evade(const struct avoid_agents_self *self,
                                      const struct avoid_agents_minded *minded)
{
    struct vec2 velocity = self->velocity_mps; /* as the evasions so far will make it */
    struct vec2 sum = vec2(0.0f, 0.0f);
    for (uint32_t i = 0; i < minded->count; i++) {
        const struct avoid_agents_peer *peer = &minded->first[i];
        if (peer->is_followed) {
            sum = vec2_add(sum, avoid_agents_follow(self, peer, &velocity));
            continue;
        }
        struct vec2 course = vec2_sub(velocity, peer->velocity_mps);
        float contact_s = avoid_agents_contact(peer->offset_m, course, peer->reach_m);
        if (contact_s < 0.0f || contact_s > self->parameters->time_horizon) {
            continue;
        }
        struct avoid_agents_way way = avoid_agents_choose(self, peer, course);
        bool yields = self->view->agents->state[peer->row] != STEER_AGENT_STATE_DRIVEN;
        float share = yields ? self->parameters->share : 1.0f;
        sum = avoid_agents_add(self, sum, avoid_agents_pass(self, peer, &way, share));
        velocity = vec2_mad(velocity, way.direction, share * way.length_m / way.time_s);
    }
    return vec2_clamp_length(sum, self->max_accel_mps2);
}

/*
 * To a stand, and nothing towards the goal: what is left of the budget would be spent on shoving. Before
 * those who have arrived it closes up until it all but touches: at the margin from each other a crowd takes
 * more room than it needs.
 */
static struct vec2 avoid_agents_hold(const struct avoid_agents_self *self,
                                     const struct avoid_agents_minded *minded)
{
    struct vec2 way = self->way.way_m;
    float length = vec2_length(way);
    struct vec2 ahead = vec2_scale(way, length > 0.0f ? 1.0f / length : 0.0f);
    bool closes_up = self->way.is_last && minded->is_beside && minded->gap_m > AVOID_AGENTS_QUEUE_GAP_M &&
                     self->view->agents->state[self->row] != STEER_AGENT_STATE_ARRIVED;
    float pace = closes_up ? AVOID_AGENTS_CLOSE_PER_S * (minded->gap_m - AVOID_AGENTS_QUEUE_GAP_M) : 0.0f;
    struct vec2 change = vec2_sub(vec2_scale(ahead, pace), self->velocity_mps);
    struct vec2 accel = vec2_clamp_length(vec2_scale(change, 1.0f / self->view->dt_s), self->max_accel_mps2);
    return closes_up ? accel : vec2_mad(accel, ahead, -AVOID_AGENTS_HOLD_MPS2);
}

/* Held by those who have arrived: round them, when there is a free place nearer to the goal. */
static bool avoid_agents_settle(const struct avoid_agents_self *self, struct vec2 *accel_out)
{
    const struct agent_store *agents = self->view->agents;
    struct settle_way to;
    if (agents->state[self->row] == STEER_AGENT_STATE_ARRIVED ||
        !settle_find(self->view, self->row, &self->way, self->parameters->margin, &to)) {
        return false;
    }
    float speed = AVOID_AGENTS_SETTLE_PACE * agents->max_speed[self->row];
    float speed_stop = sqrtf(self->max_accel_mps2 * to.length_m); /* with half of max_accel */
    float speed_turn = AVOID_AGENTS_TURN_PACE * agents->max_speed[self->row];
    speed_turn = sqrtf(speed_turn * speed_turn + self->max_accel_mps2 * to.straight_m);
    speed = speed < speed_stop ? speed : speed_stop;
    struct vec2 wanted = vec2_scale(to.direction, speed < speed_turn ? speed : speed_turn);
    wanted = vec2_mad(wanted, to.lift_m, AVOID_AGENTS_LIFT_PER_S);
    struct vec2 change = vec2_sub(wanted, self->velocity_mps);
    *accel_out = vec2_clamp_length(vec2_scale(change, 1.0f / self->view->dt_s), self->max_accel_mps2);
    return true;
}

/*
 * Away from the one it overlaps most, before anything else, and slower: parting moves everybody as far as
 * there is room, so that what overlaps afterwards is in a place that is too full to go on as before.
 */
static struct vec2 avoid_agents_part(const struct avoid_agents_self *self,
                                     const struct avoid_agents_minded *minded)
{
    float max = self->max_accel_mps2;
    float distance = vec2_length(minded->depth_offset_m);
    struct vec2 away = vec2_scale(minded->depth_offset_m, distance > 0.0f ? -max / distance : 0.0f);
    struct vec2 brake = vec2_clamp_length(vec2_scale(self->velocity_mps, -1.0f / self->view->dt_s), max);
    return vec2_clamp_length(vec2_mad(away, brake, AVOID_AGENTS_OVERLAP_BRAKE), max);
}

static void avoid_agents_steer(const struct avoid_agents_self *self, uint32_t index, struct steering *out)
{
    struct vec2 accel;
    if (wedged_stands(self->view, self->row, self->place, &accel)) {
        steering_ask_all(out, index, accel);
        return;
    }
    struct avoid_agents_minded minded;
    minded.count = 0; /* what `first` holds beyond it is never read, and too much to clear for each agent */
    minded.depth_m = 0.0f;
    minded.depth_row = UINT32_MAX;
    minded.depth_offset_m = vec2(0.0f, 0.0f);
    minded.depth_is_followed = false;
    minded.is_held = false;
    minded.is_beside = false;
    minded.gap_m = HUGE_VALF;
    minded.room_m[0] = HUGE_VALF;
    minded.room_m[1] = HUGE_VALF;
    avoid_agents_find(self, &minded);
    minded.is_held = minded.is_held || minded.room_m[0] + minded.room_m[1] < 0.0f;
    bool has_arrived = self->view->agents->state[self->row] == STEER_AGENT_STATE_ARRIVED;
    bool rubs = minded.depth_is_followed && minded.depth_m <= AVOID_AGENTS_SETTLE_DEPTH_M;
    if (minded.is_beside && (minded.depth_m == 0.0f || rubs) && avoid_agents_settle(self, &accel)) {
        steering_ask(out, index, accel);
    } else if (rubs && (minded.is_beside || has_arrived)) {
        steering_ask_all(out, index, avoid_agents_hold(self, &minded));
    } else if (minded.depth_m > 0.0f) {
        steering_ask(out, index, avoid_agents_part(self, &minded));
    } else if (minded.is_held) {
        steering_ask_all(out, index, avoid_agents_hold(self, &minded));
    } else if (minded.count > 0) {
        steering_ask(out, index, avoid_agents_evade(self, &minded));
    }
}

void behaviour_avoid_agents(const struct steer_batch *batch, struct steering *out)
{
    const struct steer_view *view = batch->view;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct avoid_agents_self self = {
            .view = view,
            .parameters = batch->parameters,
            .row = row,
            .place = batch->places[i],
            .position_m = steer_position(view, row),
            .velocity_mps = steer_velocity(view, row),
            .max_accel_mps2 = view->agents->max_accel[row],
            .target_radius_m = batch->target_radius_m,
            .mask = view->agents->mask[row],
        };
        self.reach_own_m = view->agents->radius[row] + self.parameters->margin;
        self.has_way = steer_next_waypoint(view, row, &self.way);
        avoid_agents_steer(&self, i, out);
    }
}
