#pragma once

#include <stdint.h>

/*
 * What the server counts about itself. Times are kept in a ring of the last samples, from which three points
 * of the distribution are read when somebody asks.
 */

/* 10 s at the highest tick rate. */
#define SAMPLE_WINDOW_MAX 2400

struct sample_window {
    float samples[SAMPLE_WINDOW_MAX];
    float scratch[SAMPLE_WINDOW_MAX]; /* for sorting when asked */
    uint32_t size;                    /* samples that count: 1 to SAMPLE_WINDOW_MAX */
    uint32_t count;                   /* samples that are there, at most size */
    uint32_t next;                    /* where the next one goes */
};

struct sample_percentiles {
    double p50;
    double p99;
    double max;
};

/* size: how many samples the window covers, 1 to SAMPLE_WINDOW_MAX. */
void sample_window_init(struct sample_window *window, uint32_t size);
void sample_window_add(struct sample_window *window, double sample);

/* By nearest rank; zeros when there is no sample. */
struct sample_percentiles sample_window_percentiles(struct sample_window *window);

struct stats {
    struct sample_window tick_us;
    struct sample_window lateness_us;
    uint64_t snapshot_bytes;
    uint64_t snapshots_sent;
    uint64_t snapshots_skipped;
    uint64_t commands_ok;
    uint64_t commands_failed;
    uint64_t sessions_refused; /* no token, or one that is not known */
    uint64_t sessions_faulted;
};

/* The windows cover the last 10 s of ticks at that rate. */
void stats_init(struct stats *stats, uint32_t tick_rate_hz);
