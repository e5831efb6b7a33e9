#pragma once

#include <stdint.h>

#include "base/vec2.h"
#include "sim/ids.h"

#define PATH_POINTS_MAX 64 /* way-points of one path; a longer way is given in pieces */

/* Where an agent is to go. */
enum goal_kind {
    GOAL_NONE,     /* stays, and yields */
    GOAL_POINT,    /* to `point` */
    GOAL_AGENT,    /* to wherever `agent` is */
    GOAL_PATH,     /* along `path`, arriving at its last point */
    GOAL_VELOCITY, /* driven: takes `velocity`, yields to nobody */
};

struct goal {
    enum goal_kind kind;
    struct vec2 point_m;
    struct agent_id agent;
    struct vec2 velocity_mps;
    const struct vec2 *path_m; /* borrowed for the call; 1 to PATH_POINTS_MAX points */
    uint32_t path_count;
};
