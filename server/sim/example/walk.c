/*
 * Two walkers change places round a post. Prints where they are once a second, and at the end the digest of
 * the world, which is the same on any machine and with any compiler: b5ee832923d5fad1 with libsteer 0.1.
 *
 *     cc walk.c $(pkg-config --cflags --libs steer) -o walk
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <steer.h>

static bool walk_prepare(struct steer_world *world, struct steer_fault *fault)
{
    struct steer_obstacle post;
    struct steer_agent_spec walkers[2];
    memset(&post, 0, sizeof post); /* 0 is the default of everything */
    memset(walkers, 0, sizeof walkers);
    post.shape.kind = STEER_SHAPE_CIRCLE;
    post.shape.radius_m = 1.0f;
    for (int i = 0; i < 2; i++) {
        walkers[i].position_m.x = i == 0 ? -6.0f : 6.0f;
        walkers[i].goal.kind = STEER_GOAL_POINT;
        walkers[i].goal.point_m.x = -walkers[i].position_m.x;
    }
    return steer_world_place_obstacles(world, &post, 1, NULL, fault) == STEER_STATUS_OK &&
           steer_world_spawn_agents(world, walkers, 2, NULL, fault) == STEER_STATUS_OK;
}

int main(void)
{
    struct steer_world_config config;
    struct steer_world *world = NULL;
    struct steer_fault fault;
    steer_world_config_init(&config);
    config.agents_max = 100;
    struct steer_pool *pool = steer_pool_create(1);
    if (pool == NULL || steer_world_create(&config, 1, &world, &fault) != STEER_STATUS_OK ||
        !walk_prepare(world, &fault)) {
        fprintf(stderr, "walk: %s\n", pool == NULL ? "no threads" : fault.text);
        return 1;
    }
    for (int tick = 1; tick <= 300; tick++) {
        steer_world_step(world, pool);
        if (tick % (int)config.tick_rate_hz == 0) {
            struct steer_agent_columns agents = steer_world_agents(world);
            printf("%2d s  (%6.3f, %6.3f)  (%6.3f, %6.3f)\n", tick / (int)config.tick_rate_hz,
                   (double)agents.x_m[0], (double)agents.y_m[0], (double)agents.x_m[1],
                   (double)agents.y_m[1]);
        }
    }
    printf("digest %016" PRIx64 "\n", steer_world_digest(world));
    steer_world_destroy(world);
    steer_pool_destroy(pool);
    return 0;
}
