#pragma once

#include "steerd/v1/steerd.pb-c.h"

struct server;

/* A Stats message with what it points to. Not to be copied. */
struct stats_message {
    Steerd__V1__Stats stats;
    Steerd__V1__Percentiles tick_us;
    Steerd__V1__Percentiles tick_lateness_us;
};

/* The server's figures now. The world is here and its digest is known. */
void stats_message_fill(struct server *server, struct stats_message *message);
