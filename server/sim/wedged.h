#pragma once

#include "sim/steering.h"

/*
 * Who is blocked, has been at rest for a second and cannot get any nearer to where it wants to go stands, and
 * does not press on in vain: a velocity without motion would make viewers run on the spot. It cannot when
 * there is no direction with a part towards its goal in which all that it touches would let it go. Only what
 * stays counts: those who stand, with what is solid, and those who are blocked themselves and come the other
 * way. Others may yet give way: to stand before them would make an arch of a crowd at a door. Whom solid
 * things hold alone is not meant: there may be a way round them.
 *
 * place      of the agent in the grid
 * accel_out  what brings it to a stand, m/s^2, at most its max_accel; to be asked for with steering_ask_all
 *
 * Asked anew in each tick, so that it goes on as soon as there is room. False: it goes on as ever.
 */
bool wedged_stands(const struct steer_view *view, uint32_t row, uint32_t place, struct vec2 *accel_out);
