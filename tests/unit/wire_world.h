#pragma once

#include "base/job_pool.h"
#include "wire/command.h"
#include "wire/message.h"
#include "wire/query.h"

/*
 * A small world with what the wire needs around it, for tests. Messages are given as text and go in as bytes,
 * the way they come from a socket: "spawn_agents { agents { position { x: 1 y: 2 } } owned: true }". The
 * world is -50,-50 to 50,50 at 30 Hz; agents 1 to 8 stand at (1, 0) to (8, 0) times 2, obstacles 1 and 2 far
 * off.
 */
struct wire_world {
    struct steer_world *world;
    struct job_pool *pool;
    struct arena decoded;
    struct arena scratch;
    struct command_context context;
    struct command_result result;
    struct fault decode_fault;
    /* What the session operations were last called with. */
    uint32_t calls;
    struct view_spec view;
    struct clock_spec clock;
    uint64_t request_id;
};

#define WIRE_WORLD_AGENTS     8
#define WIRE_WORLD_OBSTACLES  2
#define WIRE_WORLD_AGENTS_MAX 2000
#define WIRE_WORLD_THREADS    8

void wire_world_init(struct wire_world *wire, uint32_t threads);
void wire_world_deinit(struct wire_world *wire);

/* The message lives until the next call; NULL when it was refused, with wire->decode_fault. */
Steerd__V1__ClientMessage *wire_world_decode(struct wire_world *wire, const char *text);

/* Decodes and applies. The result is in wire->result; a message that does not decode ends the test. */
enum status wire_world_apply(struct wire_world *wire, const char *text);

/* Applies, and ends the test unless it was OK. */
void wire_world_do(struct wire_world *wire, const char *text);

/* Forgets changes and events, then steps. */
void wire_world_step(struct wire_world *wire, uint32_t ticks);

/*
 * Text as a ClientMessage: fields by name, `{ }` round messages, `:` before values, a repeated field once per
 * value, text in single quotes, names of enum values. Writes into `bytes`, which has room for `size`; returns
 * what was written.
 */
size_t wire_text_encode(const char *text, uint8_t *bytes, size_t size);
