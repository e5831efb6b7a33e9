#pragma once

#include <stdint.h>

/* From 1, growing, never reused during the life of a world; 0 is nobody. Kinds do not mix. */
struct agent_id {
    uint32_t value;
};

struct obstacle_id {
    uint32_t value;
};
