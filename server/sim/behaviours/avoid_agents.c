/*
 * Leaves the path of the agent it would touch first. Source: Millington 2006, "Collision Avoidance", with the time of
 * first contact of two discs (a quadratic in time) for its urgency.
 */
#include "sim/steering.h"

#define AVOID_AGENTS_SPEED_MIN_MPS 1e-3f /* relative speed below which nobody comes closer */
#define AVOID_AGENTS_SIDE_MIN_M    1e-4f /* a miss distance below this is a straight course */

/* One other agent as this one sees it. */
struct avoid_agents_peer {
    struct vec2 offset_m;
    struct vec2 velocity_mps; /* relative */
    float reach_m;            /* both radii and the margin */
    float first_contact_s;    /* negative: they overlap */
    uint32_t row;
};

/* Fills in the time of first contact. False: they pass clear, or too late. */
static bool avoid_agents_meets(struct avoid_agents_peer *peer, float touch_m, float horizon_s)
{
    struct vec2 p = peer->offset_m;
    struct vec2 v = peer->velocity_mps;
    float distance_squared = vec2_length_squared(p);
    if (distance_squared < touch_m * touch_m) {
        peer->first_contact_s = sqrtf(distance_squared) - touch_m;
        return true;
    }
    float a = vec2_length_squared(v);
    float b = vec2_dot(p, v);
    float c = distance_squared - peer->reach_m * peer->reach_m;
    float discriminant = b * b - a * c;
    if (a < AVOID_AGENTS_SPEED_MIN_MPS * AVOID_AGENTS_SPEED_MIN_MPS || b >= 0.0f || discriminant <= 0.0f) {
        return false;
    }
    float contact_s = (-b - sqrtf(discriminant)) / a;
    peer->first_contact_s = contact_s > 0.0f ? contact_s : 0.0f;
    return peer->first_contact_s <= horizon_s;
}

/* The most urgent of all in sight; of equals the lowest id. False: nobody is in the way. */
static bool avoid_agents_find(const struct steer_batch *batch, uint32_t index, struct avoid_agents_peer *first)
{
    const struct avoid_agents_parameters *parameters = batch->parameters;
    const struct steer_view *view = batch->view;
    const struct grid *grid = view->grid;
    uint32_t own = batch->places[index];
    struct vec2 position = vec2(grid->x[own], grid->y[own]);
    float distance_max = parameters->neighbour_distance;
    bool found = false;
    struct grid_span span = grid_span(grid, position, distance_max);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t place = run.begin; place < run.end; place++) {
            struct avoid_agents_peer peer = {
                .offset_m = vec2(grid->x[place] - position.x, grid->y[place] - position.y),
                .velocity_mps = vec2(grid->vx[place] - grid->vx[own], grid->vy[place] - grid->vy[own]),
                .row = grid->row[place],
            };
            float touch = grid->radius[own] + grid->radius[place];
            peer.reach_m = touch + parameters->margin;
            if (place == own || (grid->layers[place] & grid->mask[own]) == 0 ||
                vec2_length_squared(peer.offset_m) > distance_max * distance_max ||
                !avoid_agents_meets(&peer, touch - view->slop_m, parameters->time_horizon)) {
                continue;
            }
            bool sooner = !found || peer.first_contact_s < first->first_contact_s ||
                          (peer.first_contact_s == first->first_contact_s && peer.row < first->row);
            if (sooner && !obstacles_block_sight(view->obstacles, position, vec2_add(position, peer.offset_m))) {
                *first = peer;
                found = true;
            }
        }
    }
    return found;
}

/* Away from where they would be nearest, harder the nearer in time. */
static struct vec2 avoid_agents_evade(const struct steer_batch *batch, uint32_t row,
                                      const struct avoid_agents_peer *peer)
{
    const struct avoid_agents_parameters *parameters = batch->parameters;
    float max_accel = batch->view->agents->max_accel[row];
    struct vec2 p = peer->offset_m;
    struct vec2 v = peer->velocity_mps;
    if (peer->first_contact_s < 0.0f) {
        float distance = vec2_length(p);
        return distance > 0.0f ? vec2_scale(p, -max_accel / distance) : vec2(0.0f, 0.0f);
    }
    float closest_s = -vec2_dot(p, v) / vec2_length_squared(v);
    struct vec2 q = vec2_mad(p, v, closest_s);
    float miss = vec2_length(q);
    /* Straight on: to the own right of the course towards the other, so that both pass right. */
    struct vec2 away = miss < AVOID_AGENTS_SIDE_MIN_M ? vec2_scale(vec2_right(v), -1.0f / vec2_length(v))
                                                      : vec2_scale(q, -1.0f / miss);
    bool yields = batch->view->agents->state[peer->row] != AGENT_STATE_DRIVEN;
    float share = yields ? parameters->share : 1.0f;
    float time_s = closest_s > batch->view->dt_s ? closest_s : batch->view->dt_s;
    float strength = share * 2.0f * (peer->reach_m - miss) / (time_s * time_s);
    return vec2_scale(away, strength < max_accel ? strength : max_accel);
}

void behaviour_avoid_agents(const struct steer_batch *batch, struct steering *out)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        struct avoid_agents_peer first = {0};
        if (avoid_agents_find(batch, i, &first)) {
            steering_ask(out, i, avoid_agents_evade(batch, batch->rows[i], &first));
        }
    }
}
