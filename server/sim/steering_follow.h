#pragma once

#include "sim/steering.h"

/*
 * Parts shared by behaviours that have to do with the agent that theirs follows (STEER_GOAL_AGENT): where
 * that one will be, and the places that are kept with respect to it. Everything is a way from the agent that
 * steers, since far from the origin a float has no room for a place and a small distance from it.
 */

#define STEER_MOVES_MPS 0.05f /* slower is at rest, as for who arrives */

/* Row of the agent that one follows. False: its goal is another or none, or that one is gone. */
bool steer_followed(const struct steer_view *view, uint32_t row, uint32_t *other_out);

bool steer_moves(const struct steer_view *view, uint32_t row);

/*
 * Way to where another will be when it has come as far as it is away now, at most `max_s` from now, if it
 * keeps its velocity. With the other's speed, so that it is finite for one at rest. Centre to centre. Source:
 * Millington 2006, "Pursue", with the speed of OpenSteer's steerForEvasion.
 */
struct vec2 steer_way_to_predicted(const struct steer_view *view, uint32_t row, uint32_t other, float max_s);

/* Acceleration with which full speed along a way that is not null is taken up. Reynolds 1999, "seek". */
struct vec2 steer_full_speed(const struct steer_view *view, uint32_t row, struct vec2 way);

/* Acceleration away from where another will be. Always something: see evade.c. */
struct vec2 steer_evade(const struct steer_view *view, uint32_t row, uint32_t other, float max_prediction_s);

/* A place that is kept with respect to another agent. */
struct steer_place {
    struct vec2 way_m;        /* to it */
    struct vec2 velocity_mps; /* with which it moves, as far as it is to be kept up with */
    bool is_moving;           /* what it depends on moves: to have arrived there once is not the end */
};

/* As steer_arrive, at a place that moves: its velocity is added to that with which it is approached. */
bool steer_arrive_at_place(const struct steer_view *view, uint32_t row, const struct steer_place *place,
                           const struct arrival *arrival, struct vec2 *accel_out);

/* The places, each in the file of its behaviour. False: there is none, `other` being followed. */
bool offset_pursue_place(const struct steer_view *view, uint32_t row, uint32_t other,
                         const struct offset_pursue_parameters *parameters, struct steer_place *out);
bool interpose_place(const struct steer_view *view, uint32_t row, uint32_t other,
                     const struct interpose_parameters *parameters, struct steer_place *out);
bool hide_place(const struct steer_view *view, uint32_t row, uint32_t other,
                const struct hide_parameters *parameters, struct steer_place *out);
bool follow_leader_place(const struct steer_view *view, uint32_t row, uint32_t other,
                         const struct follow_leader_parameters *parameters, struct steer_place *out);

enum steer_follows {
    STEER_FOLLOWS,       /* goes to that one itself */
    STEER_KEEPS_A_PLACE, /* goes to *out */
    STEER_KEEPS_AWAY,    /* goes nowhere */
};

/* How the profile of an agent has it go about the one it follows: the first behaviour that says so. */
enum steer_follows steer_follows(const struct steer_view *view, uint32_t row, uint32_t other,
                                 struct steer_place *out);
