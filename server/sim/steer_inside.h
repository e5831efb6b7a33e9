#pragma once

#include "base/fault.h"
#include "base/job_pool.h"
#include "base/vec2.h"

/*
 * What steer.h takes from the program's base, by its public names. Inside the program these are one and the
 * same thing; outside, steer.h says them itself, and tests/install compares the two.
 */
#define steer_vec2   vec2
#define steer_status status
#define steer_fault  fault
#define steer_pool   job_pool

#define STEER_MUST_CHECK      MUST_CHECK
#define STEER_FAULT_TEXT_SIZE FAULT_TEXT_SIZE
