/*
 * One tick: the middle of the program. Each part reads what the parts before it left and writes, agent by
 * agent, only that agent's own, so that the threads that share it cannot see each other.
 */
#include "base/assert.h"
#include "base/clock.h"
#include "sim/world_internal.h"

void steer_world_step(struct steer_world *world, struct job_pool *pool)
{
    ASSERT(job_pool_threads(pool) <= world->threads);
    ASSERT(world->gone_count == 0);
    uint64_t start = clock_monotonic_ns();
    world->tick++;
    struct step step = {.world = world, .pool = pool};
    world_set_view(world, &step.view);

    step_move(&step);
    uint64_t moved = clock_monotonic_ns();
    grid_build(&world->grid, &world->agents);
    uint64_t sorted = clock_monotonic_ns();
    step_part(&step);
    uint64_t parted = clock_monotonic_ns();
    world->grid_is_current = true;
    step_steer(&step);
    uint64_t steered = clock_monotonic_ns();
    step_speed(&step);
    step_progress(&step);
    world->solids_are_new = false;
    world->phases = (struct steer_world_phases){
        .move_ns = moved - start,
        .grid_ns = sorted - moved,
        .part_ns = parted - sorted,
        .steer_ns = steered - parted,
        .speed_ns = clock_monotonic_ns() - steered,
    };
}
