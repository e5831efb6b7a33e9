#pragma once

#include "sim/steer.h"
#include "steerd/v1/steerd.pb-c.h"

/*
 * Obstacles, profiles and behaviours of the sim as messages, without a heap: each struct holds everything its
 * message points to, texts apart, which are borrowed. The message returned lives in the struct and as long as
 * what was given.
 */

struct obstacle_message {
    Steerd__V1__Obstacle obstacle;
    Steerd__V1__Circle circle;
    Steerd__V1__Box box;
    Steerd__V1__Segment segment;
    Steerd__V1__Polygon polygon;
    Steerd__V1__Vec2 points[STEER_SHAPE_POINTS_MAX];
    Steerd__V1__Vec2 *point_list[STEER_SHAPE_POINTS_MAX];
};

const ProtobufCMessage *obstacle_message_fill(struct obstacle_message *message,
                                              const struct steer_obstacle *obstacle);

struct profile_message {
    Steerd__V1__Profile profile;
    Steerd__V1__Limits limits;
    Steerd__V1__ProfileBehaviour behaviours[STEER_PROFILE_BEHAVIOURS_MAX];
    Steerd__V1__ProfileBehaviour *behaviour_list[STEER_PROFILE_BEHAVIOURS_MAX];
    Steerd__V1__BehaviourParameter parameters[STEER_PROFILE_BEHAVIOURS_MAX][STEER_BEHAVIOUR_PARAMETERS_MAX];
    Steerd__V1__BehaviourParameter
        *parameter_list[STEER_PROFILE_BEHAVIOURS_MAX][STEER_BEHAVIOUR_PARAMETERS_MAX];
};

/* All behaviours with all their parameters. */
const ProtobufCMessage *profile_message_fill(struct profile_message *message, uint32_t index,
                                             const struct steer_profile *profile);

struct behaviour_message {
    Steerd__V1__BehaviourInfo behaviour;
    Steerd__V1__ParameterInfo parameters[STEER_BEHAVIOUR_PARAMETERS_MAX];
    Steerd__V1__ParameterInfo *parameter_list[STEER_BEHAVIOUR_PARAMETERS_MAX];
};

const ProtobufCMessage *behaviour_message_fill(struct behaviour_message *message,
                                               const struct steer_behaviour_info *info);
