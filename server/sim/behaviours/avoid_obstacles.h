#pragma once

/*
 * The two curves of obstacle avoidance: parts of max_accel by d, a whisker's hit as part of its length, [0,
 * 1]. aside: w = 1 - d, away from the side that hit; brake: b = (1 - d)^2, against the velocity.
 */
float avoid_obstacles_aside_weight(float part);
float avoid_obstacles_brake_weight(float part);
