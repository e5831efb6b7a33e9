#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "app/inbox.h"
#include "app/tick_timer.h"

/*
 * The tick: from frozen inbox to encoded views and out to the sockets. tick_pass in tick.c is where to begin
 * reading.
 */

struct server;

enum tick_phase {
    TICK_PHASE_IDLE,    /* the loop thread may read and change world and views */
    TICK_PHASE_RUNNING, /* a thread of the pool has them to itself */
    TICK_PHASE_DONE,    /* the loop thread has them back and hands out what was made */
};

struct tick {
    _Atomic enum tick_phase phase;
    struct inbox_batch *batch; /* frozen, while not IDLE */
    bool steps;                /* false: the clock stands, commands are applied all the same */
    bool wants_digest;
    uint64_t begun_ns;     /* monotonic */
    uint64_t first_to_see; /* number of the tick whose step first sees the commands of this batch */

    uint64_t last_finished; /* number of the last finished tick, for the loop while the world is away */
    uint32_t agents;        /* how many there were after it */
    bool has_digest;        /* of the state as it is now */
    uint64_t digest;

    uint64_t skips_told; /* by the log */
    uint64_t skips_told_ns;

    struct tick_timer timer;
    uv_async_t done; /* from the pool: the phase is DONE */
    uv_async_t
        again; /* from the loop to itself: there is more to deliver, after other sockets had their turn */
};

/* Puts timer and wake-ups on the loop. False when there is no descriptor. */
bool tick_open(struct server *server);

/* Takes them off again. No tick is running. */
void tick_close(struct server *server);

/* Begins the tick that is due, if one is due and none is running; else sees to it that the timer wakes us in
 * time. */
void tick_consider(struct server *server);

/*
 * Goes on with the tick when that is due or done. To be called now and then by what holds the loop for long,
 * so that no flood of bytes holds a tick up. Must not be called where a session may not end.
 */
void tick_keep_time(struct server *server);

/* The loop thread may read and change world and views. */
bool tick_world_is_here(const struct server *server);
