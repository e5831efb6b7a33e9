/*
 * Wanders at full speed. Source: Reynolds 1999, "wander", with the circle of Millington 2006, "Wander": a
 * circle in front of the agent, a point on it that is displaced by a little in each tick, and steering
 * towards that point. The place on the circle is an angle from straight ahead, remembered in one word; the
 * zero of birth is straight ahead. The displacement is drawn from the agent's id and the tick, so it is the
 * same whoever else is there.
 */
#include "base/hash.h"
#include "base/trig.h"
#include "sim/steering.h"

#define WANDER_STREAM 18 /* what its random numbers are for: the number of its row */

/* From -1 up to 1. */
static float wander_draw(const struct steer_view *view, uint32_t row)
{
    uint64_t random = hash_random(view->seed, view->tick, view->agents->id[row], WANDER_STREAM);
    return 2.0f * hash_unit_f32(random) - 1.0f;
}

/* Unit vector to the point on the circle. */
static struct vec2 wander_direction(const struct wander_parameters *parameters, struct vec2 ahead,
                                    float angle_deg)
{
    struct vec2 on_circle = trig_direction(angle_deg); /* x to the right, y ahead */
    struct vec2 way = vec2_scale(ahead, parameters->distance + parameters->radius * on_circle.y);
    way = vec2_mad(way, vec2_right(ahead), parameters->radius * on_circle.x);
    float length = vec2_length(way);
    return length > 0.0f ? vec2_scale(way, 1.0f / length) : ahead; /* the circle may go through the agent */
}

void behaviour_wander(const struct steer_batch *batch, struct steering *out)
{
    const struct wander_parameters *parameters = batch->parameters;
    const struct steer_view *view = batch->view;
    float time_s = parameters->time_to_target > view->dt_s ? parameters->time_to_target : view->dt_s;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t *word = steer_words(batch, row);
        float step_deg = parameters->jitter * view->dt_s * wander_draw(view, row);
        float angle_deg = trig_wrap_deg(steer_word_to_float(*word) + step_deg);
        *word = steer_word_from_float(angle_deg);
        struct vec2 direction = wander_direction(parameters, steer_ahead(view, row), angle_deg);
        struct vec2 desired = vec2_scale(direction, view->agents->max_speed[row]);
        struct vec2 change = vec2_sub(desired, steer_velocity(view, row));
        steering_ask(out, i,
                     vec2_clamp_length(vec2_scale(change, 1.0f / time_s), view->agents->max_accel[row]));
    }
}
