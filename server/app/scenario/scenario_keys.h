#pragma once

#include "yaml/table.h"

/* The keys of scenario files with their types, units, ranges and defaults: reading and documentation come
 * from here. */

extern const struct yaml_table scenario_table;
extern const struct yaml_table scenario_obstacle_table;
extern const struct yaml_table scenario_agent_table;
extern const struct yaml_table scenario_crowd_table;
extern const struct yaml_table scenario_circle_table;
extern const struct yaml_table scenario_event_table;
extern const struct yaml_table scenario_set_target_table;
extern const struct yaml_table scenario_expect_table;
extern const struct yaml_table scenario_mean_speed_table;
extern const struct yaml_table scenario_passes_table;
