#pragma once

#include <stddef.h>
#include <stdint.h>

#include "sim/steer.h"

/*
 * AgentState as an entry of a repeated field: tag, length, message. Written by hand, because a snapshot has a
 * hundred thousand of them; the bytes are those that protoc's own code writes.
 */

/*
 * Largest entry: 2 for tag and length; id 6, tag 11, position and velocity 12 each, orientation, rotation and
 * radius 5 each, profile 4, state 2.
 */
#define AGENT_STATE_SIZE_MAX 64

/* Bytes of the entry for one row. */
size_t agent_state_size(const struct steer_agent_columns *columns, uint32_t row);

/* Writes the entry of a repeated field with that number (1 to 15) at `at`; returns its end. */
uint8_t *agent_state_put(uint8_t *at, uint32_t number, const struct steer_agent_columns *columns,
                         uint32_t row);
