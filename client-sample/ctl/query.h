#pragma once

#include "command.h"

/*
 * Asks a Query and prints its answer, which comes in pieces, once it is whole: a connection that breaks
 * leaves nothing half printed on out.
 */
struct query_answer {
    FILE *body;            /* where on_piece writes its lines or JSON values; in memory */
    bool json;             /* as the call says */
    uint64_t tick;         /* of the first piece */
    uint64_t count;        /* things written so far, by on_piece */
    uint64_t second_count; /* likewise, where an answer has two lists */
    enum status status;    /* on_piece: not STATUS_OK when the answer makes no sense */
    struct fault fault;
};

struct query_form {
    void (*on_piece)(struct query_answer *answer, const Steerd__V1__QueryResult *piece);
    /* Around the body: prints head and tail. `body` has size bytes, terminated. */
    void (*print)(FILE *out, const struct query_answer *answer, const char *body);
};

/* query  borrowed. Prints answer or fault. */
enum ctl_exit query_ask(const struct ctl_call *call, Steerd__V1__Query *query, const struct query_form *form);
