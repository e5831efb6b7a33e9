/*
 * Behind the agent it follows: on that one's course, or its heading while it stands, `gap` from rim to rim.
 * In front of one that moves, within a corridor, it first goes aside; beside the corridor it goes back to a
 * place beside it and in behind the leader only then, instead of across his way.
 *
 * Source: Reynolds 1999, "leader following": arrival at a point behind the leader, lateral steering out of
 * the rectangle before him; keeping the followers apart is left to others of the profile. The velocity of the
 * place is added as in offset_pursue.
 */
#include "base/trig.h"
#include "sim/steering_follow.h"

/* How the leader goes, and where the follower is to him. */
struct follow_leader_frame {
    struct vec2 course; /* unit */
    float along_m;      /* the follower's centre before his */
    float aside_m;      /* to his right */
    float touch_m;      /* both radii */
    bool is_moving;
};

static struct follow_leader_frame follow_leader_frame(const struct steer_view *view, uint32_t row,
                                                      uint32_t other)
{
    const struct agent_store *agents = view->agents;
    struct vec2 velocity = steer_velocity(view, other);
    struct vec2 offset = vec2_sub(steer_position(view, row), steer_position(view, other));
    struct follow_leader_frame frame = {.is_moving = steer_moves(view, other)};
    frame.course = frame.is_moving ? vec2_scale(velocity, 1.0f / vec2_length(velocity))
                                   : trig_direction(agents->orientation_deg[other]);
    frame.along_m = vec2_dot(offset, frame.course);
    frame.aside_m = vec2_dot(offset, vec2_right(frame.course));
    frame.touch_m = agents->radius[row] + agents->radius[other];
    return frame;
}

bool follow_leader_place(const struct steer_view *view, uint32_t row, uint32_t other,
                         const struct follow_leader_parameters *parameters, struct steer_place *out)
{
    struct follow_leader_frame frame = follow_leader_frame(view, row, other);
    struct vec2 way = vec2_sub(steer_position(view, other), steer_position(view, row));
    out->way_m = vec2_mad(way, frame.course, -(frame.touch_m + parameters->gap));
    out->velocity_mps = steer_velocity(view, other);
    out->is_moving = frame.is_moving;
    return true;
}

/* What it does in front of the leader. False: it is not, or is beside the corridor, which moves its place. */
static bool follow_leader_clear(const struct steer_view *view, uint32_t row, uint32_t other,
                                const struct follow_leader_parameters *parameters, struct steer_place *place,
                                struct vec2 *accel_out)
{
    struct follow_leader_frame frame = follow_leader_frame(view, row, other);
    float width_m = frame.touch_m + parameters->corridor_margin;
    if (!frame.is_moving || frame.along_m <= 0.0f ||
        frame.along_m > frame.touch_m + parameters->corridor_length) {
        return false;
    }
    struct vec2 right = vec2_right(frame.course);
    struct vec2 outwards = frame.aside_m >= 0.0f ? right : vec2_scale(right, -1.0f);
    if (frame.aside_m >= width_m || frame.aside_m <= -width_m) {
        place->way_m = vec2_mad(place->way_m, outwards, width_m);
        return false;
    }
    *accel_out = steer_full_speed(view, row, outwards);
    return true;
}

void behaviour_follow_leader(const struct steer_batch *batch, struct steering *out)
{
    const struct follow_leader_parameters *parameters = batch->parameters;
    const struct arrival arrival = {.slow_radius_m = parameters->slow_radius,
                                    .target_radius_m = parameters->target_radius,
                                    .time_to_target_s = parameters->time_to_target};
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t other;
        struct steer_place place;
        struct vec2 accel;
        if (steer_followed(batch->view, row, &other) &&
            follow_leader_place(batch->view, row, other, parameters, &place) &&
            (follow_leader_clear(batch->view, row, other, parameters, &place, &accel) ||
             steer_arrive_at_place(batch->view, row, &place, &arrival, &accel))) {
            steering_ask(out, i, accel);
        }
    }
}
