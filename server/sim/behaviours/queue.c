/*
 * Brakes behind who is slower on its way. The way is the direction of travel, or while it stands the
 * direction to its next way-point; on it lies a box, and of everybody in the box it takes the speed from
 * which it can still come down to that one's at `gap` behind it, rim to rim along the way. Who stands
 * nearer than that stops it, and all of the budget goes into standing. Whatever its goal is: one queues for
 * a door, not for an agent.
 *
 * Not in the queue is who goes the other way, who is behind a wall or not of its mask, and of two who are
 * before each other, since they come together at an angle, the one for whom the other is more so.
 *
 * Source: Reynolds 1999, "queuing": braking for slower ones in a box ahead. The speed that leaves room to
 * brake is that of his "arrival".
 */
#include <math.h>

#include "sim/steering_follow.h"

#define QUEUE_BRAKE_PART                                                                                     \
    0.5f /* of max_accel it reckons with: the rest is for the ticks in which it is too fast already */
#define QUEUE_REOPEN_PER_S 1.0f /* part of a gap that is too narrow by which it is slower, per second */
/* Asked of one that in a tick more could be too fast: too little to brake it, enough that nothing of what
 * later groups ask is against it. Without it they and this one take turns. */
#define QUEUE_HOLD_MPS2 1e-3f

/* Unit vector of the way of one; false when it goes nowhere. */
static bool queue_way(const struct steer_view *view, uint32_t row, struct vec2 *way_out)
{
    struct vec2 way = steer_velocity(view, row);
    struct steer_waypoint to;
    if (!steer_moves(view, row)) {
        if (view->agents->state[row] == STEER_AGENT_STATE_ARRIVED || !steer_next_waypoint(view, row, &to)) {
            return false;
        }
        way = to.way_m;
    }
    float length = vec2_length(way);
    *way_out = length > 0.0f ? vec2_scale(way, 1.0f / length) : way;
    return length > 0.0f;
}

/* The one who steers. */
struct queue_self {
    const struct steer_view *view;
    const struct queue_parameters *parameters;
    uint32_t row;
    struct vec2 position_m;
    struct vec2 way; /* unit */
};

/* Whether somebody at an offset is in the box of one who goes that way. */
static bool queue_box_has(const struct queue_parameters *parameters, struct vec2 way, struct vec2 offset,
                          float touch_m)
{
    float along = vec2_dot(offset, way);
    float aside = vec2_cross(way, offset);
    float half_width = touch_m + parameters->margin;
    return along > 0.0f && along <= touch_m + parameters->look_ahead && aside <= half_width &&
           aside >= -half_width;
}

/*
 * Whether of two, the other of whom is in the box of the one who steers, this one goes first. Of two on their
 * way to one point it is the nearer one (in their triangle ahead < behind is just that), so nobody waits in a
 * ring.
 */
static bool queue_goes_before(const struct queue_self *self, uint32_t other, struct vec2 way,
                              struct vec2 offset, float touch_m)
{
    struct vec2 back = vec2_scale(offset, -1.0f);
    float ahead = vec2_dot(offset, self->way);
    float behind = vec2_dot(back, way);
    return queue_box_has(self->parameters, way, back, touch_m) &&
           (ahead < behind || (ahead == behind && self->row < other));
}

static bool queue_minds(const struct queue_self *self, uint32_t other, struct vec2 offset, float touch_m)
{
    const struct agent_store *agents = self->view->agents;
    struct vec2 way;
    if (other == self->row || (agents->layers[other] & agents->mask[self->row]) == 0 ||
        !queue_box_has(self->parameters, self->way, offset, touch_m)) {
        return false;
    }
    if (queue_way(self->view, other, &way) &&
        (vec2_dot(way, self->way) < 0.0f || queue_goes_before(self, other, way, offset, touch_m))) {
        return false;
    }
    return !obstacles_block_sight(self->view->obstacles, self->position_m, steer_position(self->view, other));
}

/* The speed that one ahead leaves. */
static float queue_speed_behind(const struct queue_self *self, uint32_t other, struct vec2 offset,
                                float touch_m)
{
    float theirs = vec2_dot(steer_velocity(self->view, other), self->way);
    float room = vec2_dot(offset, self->way) - touch_m - self->parameters->gap;
    float brake = QUEUE_BRAKE_PART * self->view->agents->max_accel[self->row];
    theirs = theirs > 0.0f ? theirs : 0.0f;
    return room > 0.0f ? sqrtf(theirs * theirs + 2.0f * brake * room) : theirs + QUEUE_REOPEN_PER_S * room;
}

/* The least of the speeds that those ahead leave; HUGE_VALF: nobody is. */
static float queue_speed(const struct queue_self *self)
{
    const struct grid *grid = self->view->grid;
    float own_m = self->view->agents->radius[self->row];
    float speed = HUGE_VALF;
    float touch_max_m = own_m + grid->radius_max_m;
    float reach_m = 2.0f * touch_max_m + self->parameters->look_ahead + self->parameters->margin;
    struct grid_span span = grid_span(grid, self->position_m, reach_m);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t place = run.begin; place < run.end; place++) {
            struct vec2 offset = vec2_sub(vec2(grid->x[place], grid->y[place]), self->position_m);
            float touch_m = own_m + grid->radius[place];
            if (queue_minds(self, grid->row[place], offset, touch_m)) {
                float left = queue_speed_behind(self, grid->row[place], offset, touch_m);
                speed = left < speed ? left : speed;
            }
        }
    }
    return speed;
}

void behaviour_queue(const struct steer_batch *batch, struct steering *out)
{
    const struct steer_view *view = batch->view;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct queue_self self = {.view = view,
                                  .parameters = batch->parameters,
                                  .row = row,
                                  .position_m = steer_position(view, row)};
        if (!queue_way(view, row, &self.way)) {
            continue;
        }
        float max_speed = queue_speed(&self);
        float max_accel = view->agents->max_accel[row];
        struct vec2 velocity = steer_velocity(view, row);
        float along = vec2_dot(velocity, self.way);
        if (max_speed < STEER_MOVES_MPS) {
            struct vec2 stop = vec2_scale(velocity, -1.0f / view->dt_s);
            steering_ask_all(out, i, vec2_clamp_length(stop, max_accel));
        } else if (along + max_accel * view->dt_s > max_speed) {
            float accel = (max_speed - along) / view->dt_s;
            accel = accel < -QUEUE_HOLD_MPS2 ? accel : -QUEUE_HOLD_MPS2;
            accel = accel > -max_accel ? accel : -max_accel;
            steering_ask(out, i, vec2_scale(self.way, accel));
        }
    }
}
