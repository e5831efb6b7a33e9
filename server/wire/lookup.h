#pragma once

#include <stdint.h>

#include "sim/steer.h"

/* Where to go on in a list that may have changed since: the first entry whose id is greater; the list's count
 * when there is none. */
uint32_t lookup_agent_after(const struct steer_agent_columns *agents, uint32_t id);
uint32_t lookup_obstacle_after(const struct steer_world *world, uint32_t id);
