/*
 * Leaves the path of what is solid. Two whiskers run ahead along the sides of the body; the one that hits
 * first decides. What stands between them, the sweep of the whole disc finds. Who goes clear but is kept from
 * where it wants to go follows the obstacle to its end, or the way it wants would draw it back at once. Who
 * is blocked and shut in stands.
 *
 * Source: Reynolds 1999, "obstacle avoidance"; Buckland 2005 for the lateral and the braking weight.
 */
#include <math.h>

#include "sim/behaviours/avoid_obstacles.h"
#include "sim/steering.h"
#include "sim/way_round.h"
#include "sim/wedged.h"

#define AVOID_OBSTACLES_ALONG 0.2f  /* less of the way than this leads along what it leads into: none */
#define AVOID_OBSTACLES_EVEN  1e-3f /* part of a whisker: hits nearer to each other than this are one */

/*
 * Words it remembers: obstacle id * 2 + (1: it passes on the right), the tick until which that is kept, and
 * of one who is blocked the way round (enum avoid_obstacles_course).
 */
enum { AVOID_OBSTACLES_SIDE, AVOID_OBSTACLES_UNTIL, AVOID_OBSTACLES_COURSE };

/* The agent that steers. */
struct avoid_obstacles_self {
    const struct steer_batch *batch;
    uint32_t row;
    uint32_t place;
    struct vec2 position_m;
    float speed_mps;
    float radius_m;
    float max_accel_mps2;
    float length_m; /* of the whiskers */
};

/* What stands ahead. */
struct avoid_obstacles_hit {
    float part;   /* d: distance along the way over the whiskers' length */
    float room_m; /* that the disc can go before it touches */
    float lean;   /* positive: the way out is to the right; 0: neither */
    struct vec2 normal;
    uint32_t index; /* row of the obstacle that decides */
    uint32_t id;
    uint32_t touched; /* row of the one that the disc touches first */
};

/* aside  from its centre to where the cast starts */
static bool avoid_obstacles_cast(const struct avoid_obstacles_self *self, struct vec2 aside, struct vec2 way,
                                 float radius_m, struct obstacle_hit *hit)
{
    struct obstacle_sweep sweep = {
        .center_m = self->position_m, .aside_m = aside, .move_m = way, .radius_m = radius_m};
    return obstacles_sweep(self->batch->view->obstacles, &sweep, hit);
}

/* Whiskers and sweep along a unit direction. */
static bool avoid_obstacles_probe(const struct avoid_obstacles_self *self, struct vec2 ahead, float length_m,
                                  struct avoid_obstacles_hit *out)
{
    struct vec2 way = vec2_scale(ahead, length_m);
    struct vec2 right = vec2_right(ahead);
    struct obstacle_hit sweep;
    if (!avoid_obstacles_cast(self, vec2(0.0f, 0.0f), way, self->radius_m, &sweep)) {
        return false;
    }
    struct obstacle_hit whiskers[2];
    float parts[2] = {2.0f, 2.0f}; /* left, right; more than 1: none */
    for (uint32_t i = 0; i < 2; i++) {
        float aside = i == 0 ? -self->radius_m : self->radius_m;
        if (avoid_obstacles_cast(self, vec2_scale(right, aside), way, 0.0f, &whiskers[i])) {
            parts[i] = whiskers[i].fraction;
        }
    }
    uint32_t nearer = parts[1] < parts[0] ? 1u : 0u;
    bool is_even = parts[0] - parts[1] < AVOID_OBSTACLES_EVEN && parts[1] - parts[0] < AVOID_OBSTACLES_EVEN;
    bool is_between = parts[nearer] > 1.0f;
    const struct obstacle_hit *first = is_between ? &sweep : &whiskers[nearer];
    float across = vec2_dot(first->normal, right);
    *out = (struct avoid_obstacles_hit){
        .part = first->fraction,
        .room_m = sweep.fraction * length_m,
        .lean = is_between ? (across * across < AVOID_OBSTACLES_EVEN * AVOID_OBSTACLES_EVEN ? 0.0f : across)
                : is_even  ? 0.0f
                           : (nearer == 0 ? 1.0f : -1.0f),
        .normal = sweep.normal,
        .index = first->index,
        .id = first->id.value,
        .touched = sweep.index,
    };
    return true;
}

/* Whether an obstacle's end on the right of a direction is the nearer one; where both are as near, by its id.
 */
static bool avoid_obstacles_end_is_right(const struct avoid_obstacles_self *self, struct vec2 ahead,
                                         uint32_t index, uint32_t id)
{
    const struct core *core = &self->batch->view->obstacles->cores[index];
    double left = -HUGE_VAL;
    double right = -HUGE_VAL;
    for (uint32_t i = 0; i < core->count; i++) {
        double across = (core->points[i].x - (double)self->position_m.x) * (double)ahead.y -
                        (core->points[i].y - (double)self->position_m.y) * (double)ahead.x;
        right = across > right ? across : right;
        left = -across > left ? -across : left;
    }
    double even = (double)(AVOID_OBSTACLES_EVEN * self->radius_m);
    return right < left - even || (right <= left + even && id % 2 != 0);
}

/* 1: it passes on the right, -1: on the left. What was chosen against this obstacle lately stays. */
static float avoid_obstacles_side(const struct avoid_obstacles_self *self, struct vec2 ahead,
                                  const struct avoid_obstacles_hit *hit)
{
    const struct avoid_obstacles_parameters *parameters = self->batch->parameters;
    const struct steer_view *view = self->batch->view;
    uint32_t *words = steer_words(self->batch, self->row);
    uint32_t tick = (uint32_t)view->tick;
    uint32_t keep = (uint32_t)(parameters->side_keep_time * (float)view->tick_rate_hz);
    bool is_kept = words[AVOID_OBSTACLES_SIDE] >> 1 == hit->id && words[AVOID_OBSTACLES_UNTIL] - tick <= keep;
    bool is_right = is_kept             ? (words[AVOID_OBSTACLES_SIDE] & 1) != 0
                    : hit->lean != 0.0f ? hit->lean > 0.0f
                                        : avoid_obstacles_end_is_right(self, ahead, hit->index, hit->id);
    words[AVOID_OBSTACLES_SIDE] = hit->id << 1 | (is_right ? 1u : 0u);
    words[AVOID_OBSTACLES_UNTIL] = tick + keep;
    return is_right ? 1.0f : -1.0f;
}

float avoid_obstacles_aside_weight(float part)
{
    return 1.0f - part;
}

float avoid_obstacles_brake_weight(float part)
{
    float weight = 1.0f - part;
    return weight * weight;
}

/*
 * Aside with w = 1 - d and back with b = (1 - d)^2 of max_accel, never more than brings it to a stand within
 * the tick. What goes into the obstacle gets no less than it takes to stop before they touch, v^2 / 2s; the
 * rest of its way stays.
 */
static struct vec2 avoid_obstacles_evade(const struct avoid_obstacles_self *self, struct vec2 ahead,
                                         const struct avoid_obstacles_hit *hit)
{
    float max = self->max_accel_mps2;
    float aside = avoid_obstacles_side(self, ahead, hit) * avoid_obstacles_aside_weight(hit->part) * max;
    float stop = self->speed_mps / self->batch->view->dt_s;
    float brake = avoid_obstacles_brake_weight(hit->part) * max;
    brake = brake < stop ? brake : stop;
    float into = -vec2_dot(ahead, hit->normal);
    float most = stop * into < max ? stop * into : max;
    float room_m = into * hit->room_m;
    float speed_into = into * self->speed_mps;
    float needed = room_m > 0.0f ? speed_into * speed_into / (2.0f * room_m) : most;
    float lacking = (needed < most ? needed : most) - brake * into;
    struct vec2 back = vec2_scale(ahead, -brake);
    back = lacking > 0.0f ? vec2_mad(back, hit->normal, lacking) : back;
    /* Braking comes first: what both together ask for beyond max_accel is taken from the step aside. */
    float left_squared = max * max - vec2_length_squared(back);
    float left = left_squared > 0.0f ? sqrtf(left_squared) : 0.0f;
    aside = aside > left ? left : aside < -left ? -left : aside;
    return vec2_mad(back, vec2_right(ahead), aside);
}

/*
 * Along the obstacle that stands between an agent and where it wants to go, to the nearer end, the harder the
 * nearer they are.
 */
static struct vec2 avoid_obstacles_follow(const struct avoid_obstacles_self *self, struct vec2 wish,
                                          float length_m, const struct avoid_obstacles_hit *hit)
{
    bool is_right = avoid_obstacles_end_is_right(self, wish, hit->index, hit->id);
    struct vec2 along = vec2_scale(vec2_right(hit->normal), is_right ? -1.0f : 1.0f);
    return vec2_scale(along, avoid_obstacles_aside_weight(hit->room_m / length_m) * self->max_accel_mps2);
}

/* How the way of one who is blocked goes on. */
enum avoid_obstacles_course {
    AVOID_OBSTACLES_AS_EVER, /* no obstacle keeps it */
    AVOID_OBSTACLES_STAND,
    AVOID_OBSTACLES_KEEP_LEFT, /* with the obstacle on that hand */
    AVOID_OBSTACLES_KEEP_RIGHT,
};

/* The way round: the shorter one, and then that one as long as it is open. */
static enum avoid_obstacles_course avoid_obstacles_way_round(const struct avoid_obstacles_self *self,
                                                             const struct way_touch *touch)
{
    const struct steer_view *view = self->batch->view;
    uint32_t *kept = &steer_words(self->batch, self->row)[AVOID_OBSTACLES_COURSE];
    float left;
    float right;
    bool is_left = way_round_is_open(view, touch, WAY_HAND_LEFT, &left);
    bool is_right = way_round_is_open(view, touch, WAY_HAND_RIGHT, &right);
    if (!is_left && !is_right) {
        return AVOID_OBSTACLES_STAND;
    }
    bool is_kept =
        (*kept == AVOID_OBSTACLES_KEEP_LEFT && is_left) || (*kept == AVOID_OBSTACLES_KEEP_RIGHT && is_right);
    if (!is_kept) {
        bool takes_right = !is_left || (is_right && right < left);
        *kept = takes_right ? AVOID_OBSTACLES_KEEP_RIGHT : AVOID_OBSTACLES_KEEP_LEFT;
    }
    return (enum avoid_obstacles_course) * kept;
}

/*
 * One who is blocked and comes round what it touches goes along it, always to the same hand. It stands where
 * it comes round on neither, and where it is nearest to a goal inside of it: there avoiding and wanting would
 * take turns and drive it to and fro. It is asked anew in each tick, so that it goes on as soon as the way is
 * free.
 */
static enum avoid_obstacles_course avoid_obstacles_when_blocked(const struct avoid_obstacles_self *self,
                                                                struct vec2 wish,
                                                                const struct steer_waypoint *to,
                                                                const struct avoid_obstacles_hit *hit)
{
    const struct core *core = &self->batch->view->obstacles->cores[hit->touched];
    const struct way_touch touch = {.center_m = vec2_mad(self->position_m, wish, hit->room_m),
                                    .radius_m = self->radius_m,
                                    .normal = hit->normal,
                                    .index = hit->touched};
    struct vec2 point = vec2_mad(touch.center_m, touch.normal, -self->radius_m);
    bool is_before_it = vec2_dot(vec2_sub(to->point_m, point), hit->normal) >= 0.0f;
    if (hit->room_m > self->radius_m || is_before_it) {
        return AVOID_OBSTACLES_AS_EVER; /* far yet, or it does not stand between */
    }
    float along = vec2_dot(wish, vec2_right(hit->normal));
    const struct point goal = {(double)to->point_m.x, (double)to->point_m.y};
    if (to->is_last && core_nearest(core, goal).distance_m < 0.0) {
        bool is_nearest = along * along < AVOID_OBSTACLES_ALONG * AVOID_OBSTACLES_ALONG;
        return is_nearest ? AVOID_OBSTACLES_STAND : AVOID_OBSTACLES_AS_EVER;
    }
    return avoid_obstacles_way_round(self, &touch);
}

/* Asks for the course of one who is blocked; false: nothing, it steers as ever. */
static bool avoid_obstacles_take_course(const struct avoid_obstacles_self *self,
                                        enum avoid_obstacles_course course, struct vec2 normal,
                                        uint32_t index, struct steering *out)
{
    if (course == AVOID_OBSTACLES_AS_EVER) {
        return false;
    }
    if (course == AVOID_OBSTACLES_STAND) {
        struct vec2 velocity = steer_velocity(self->batch->view, self->row);
        struct vec2 stop = vec2_scale(velocity, -1.0f / self->batch->view->dt_s);
        steering_ask_all(out, index, vec2_clamp_length(stop, self->max_accel_mps2));
        return true;
    }
    float side = course == AVOID_OBSTACLES_KEEP_RIGHT ? 1.0f : -1.0f;
    steering_ask(out, index, vec2_scale(vec2_right(normal), side * self->max_accel_mps2));
    return true;
}

static void avoid_obstacles_steer(const struct avoid_obstacles_self *self, uint32_t index,
                                  struct steering *out)
{
    const struct steer_view *view = self->batch->view;
    struct obstacle_near near;
    if (obstacles_nearest(view->obstacles, self->position_m, self->radius_m, &near) &&
        near.distance_m < 0.0f) {
        steering_ask(out, index, vec2_scale(near.normal, self->max_accel_mps2));
        return;
    }
    struct vec2 stop;
    if (wedged_stands(view, self->row, self->place, &stop)) {
        steering_ask_all(out, index, stop);
        return;
    }
    enum steer_agent_state state = (enum steer_agent_state)view->agents->state[self->row];
    struct steer_waypoint to;
    bool has_way = state != STEER_AGENT_STATE_ARRIVED && steer_next_waypoint(view, self->row, &to);
    struct vec2 way = has_way ? to.way_m : vec2(0.0f, 0.0f);
    float distance = vec2_length(way);
    struct vec2 wish = distance > 0.0f ? vec2_scale(way, 1.0f / distance) : way;
    float length = distance < self->length_m ? distance : self->length_m;
    struct avoid_obstacles_hit hit;
    if (state != STEER_AGENT_STATE_BLOCKED) {
        steer_words(self->batch, self->row)[AVOID_OBSTACLES_COURSE] = AVOID_OBSTACLES_AS_EVER;
    } else if (distance > 0.0f && avoid_obstacles_probe(self, wish, length, &hit)) {
        enum avoid_obstacles_course course = avoid_obstacles_when_blocked(self, wish, &to, &hit);
        if (avoid_obstacles_take_course(self, course, hit.normal, index, out)) {
            return;
        }
    }
    if (self->speed_mps > 0.0f) {
        struct vec2 ahead = vec2_scale(steer_velocity(view, self->row), 1.0f / self->speed_mps);
        if (avoid_obstacles_probe(self, ahead, self->length_m, &hit) &&
            !(has_way && to.is_last && hit.room_m >= distance)) { /* it comes to rest before that */
            steering_ask(out, index, avoid_obstacles_evade(self, ahead, &hit));
            return;
        }
    }
    if (distance > 0.0f && avoid_obstacles_probe(self, wish, length, &hit)) {
        steering_ask(out, index, avoid_obstacles_follow(self, wish, length, &hit));
    }
}

void behaviour_avoid_obstacles(const struct steer_batch *batch, struct steering *out)
{
    const struct avoid_obstacles_parameters *parameters = batch->parameters;
    const struct agent_store *agents = batch->view->agents;
    if (batch->view->obstacles->count == 0) {
        return;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct avoid_obstacles_self self = {
            .batch = batch,
            .row = row,
            .place = batch->places[i],
            .position_m = steer_position(batch->view, row),
            .speed_mps = vec2_length(steer_velocity(batch->view, row)),
            .radius_m = agents->radius[row],
            .max_accel_mps2 = agents->max_accel[row],
        };
        float length = self.speed_mps * parameters->look_ahead_time;
        float length_min = parameters->length_min_radii * self.radius_m;
        self.length_m = length > length_min ? length : length_min;
        avoid_obstacles_steer(&self, i, out);
    }
}
