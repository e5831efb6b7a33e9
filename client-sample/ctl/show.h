#pragma once

#include <stdio.h>

#include "steerd_mirror.h"

/* Agents and obstacles as people and programs read them. */

/* {"id": .., "x": .., "y": .., "vx": .., "vy": .., "orientation_deg": ..}: what `watch --json` says of an
 * agent. */
void show_agent_json(FILE *out, const struct steerd_agent *agent);

/* The same and rotation_deg_s, radius, tag, profile (its index) and state: what `query agents --json` says.
 */
void show_agent_json_full(FILE *out, const struct steerd_agent *agent);

/* A line of a table, without its newline, SHOW_AGENT_WIDTH columns or a few more; and the table's head. */
#define SHOW_AGENT_WIDTH 74
void show_agent_head(FILE *out);
void show_agent_row(FILE *out, const struct steerd_agent *agent);

/* {"id": 1, "name": "post", "circle": {"center": [0, 0], "radius": 1}}: the shape as scenario files have it.
 */
void show_obstacle_json(FILE *out, const struct steerd_obstacle *obstacle);

/* "  1  post  circle  center 0,0  radius 1 m", without its newline. */
void show_obstacle_row(FILE *out, const struct steerd_obstacle *obstacle);
