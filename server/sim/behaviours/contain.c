/*
 * Stays inside the world less a margin, with its whole disc. Source: Reynolds 1999, "Containment": predict
 * where one will be; inside nothing is done, outside one steers along the inward normal. How much: so that
 * the place predicted comes to lie on the border, that is towards the border at most at gap /
 * look_ahead_time, and at most as fast as half of max_accel can stop in the gap. Who obeys slows down towards
 * the border and never crosses it. The way along the border is left alone.
 *
 * Who is outside comes back sooner than the look-ahead. A later group that keeps pushing outwards has a tick
 * now and then before this asks again, and so gets over the border by at most max_accel dt times the time of
 * the way back.
 */
#include "sim/steering.h"

#define CONTAIN_TIME_S                                                                                       \
    0.1f /* in which the velocity wanted is taken up; never more than 1/4 of the look-ahead */
#define CONTAIN_BACK 4.0f /* times that for the way back: shorter would swing */

struct contain_self {
    float look_s;
    float time_s;
    float max_accel;
    float inset_m;
};

/* Fastest way out that is allowed so far inside the border; outside it is a way back, less than 0. */
static float contain_speed(const struct contain_self *self, float gap_m)
{
    if (gap_m <= 0.0f) {
        return gap_m / (CONTAIN_BACK * self->time_s);
    }
    float speed = gap_m / self->look_s;
    float brakes = sqrtf(self->max_accel * gap_m);
    return speed < brakes ? speed : brakes;
}

/* One axis: the velocity nearest to `v` that keeps inside. */
static float contain_axis(const struct contain_self *self, float at_m, float v, float min_m, float max_m)
{
    float half_m = 0.5f * (max_m - min_m);
    float inset_m =
        self->inset_m < half_m ? self->inset_m : half_m; /* what leaves nothing leaves the middle */
    /* Differences to the edge first: they lose no bit, wherever the world is. */
    float most = contain_speed(self, max_m - at_m - inset_m);
    float least = -contain_speed(self, at_m - min_m - inset_m);
    return v > most ? most : v < least ? least : v;
}

void behaviour_contain(const struct steer_batch *batch, struct steering *out)
{
    const struct contain_parameters *parameters = batch->parameters;
    const struct steer_view *view = batch->view;
    float look_s = parameters->look_ahead_time > view->dt_s ? parameters->look_ahead_time : view->dt_s;
    float time_s = 0.25f * look_s < CONTAIN_TIME_S ? 0.25f * look_s : CONTAIN_TIME_S;
    time_s = time_s > view->dt_s ? time_s : view->dt_s;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct vec2 at = steer_position(view, row);
        struct vec2 velocity = steer_velocity(view, row);
        const struct contain_self self = {
            .look_s = look_s,
            .time_s = time_s,
            .max_accel = view->agents->max_accel[row],
            .inset_m = parameters->margin + view->agents->radius[row],
        };
        struct vec2 wanted = {
            contain_axis(&self, at.x, velocity.x, view->world_min_m.x, view->world_max_m.x),
            contain_axis(&self, at.y, velocity.y, view->world_min_m.y, view->world_max_m.y),
        };
        if (wanted.x != velocity.x || wanted.y != velocity.y) {
            struct vec2 change = vec2_scale(vec2_sub(wanted, velocity), 1.0f / time_s);
            steering_ask(out, i, vec2_clamp_length(change, self.max_accel));
        }
    }
}
