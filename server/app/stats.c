/*
 * Counters and percentiles of the server itself; session_ops.c puts them into an answer to Query.
 */
#include "app/stats.h"

#include <string.h>

#include "base/assert.h"

#define STATS_WINDOW_S 10

void sample_window_init(struct sample_window *window, uint32_t size)
{
    ASSERT(size >= 1 && size <= SAMPLE_WINDOW_MAX);
    *window = (struct sample_window){.size = size};
}

void sample_window_add(struct sample_window *window, double sample)
{
    window->samples[window->next] = (float)sample;
    window->next = (window->next + 1) % window->size;
    if (window->count < window->size) {
        window->count++;
    }
}

/*
 * The value that would stand at `rank` if values[0..count) were sorted. Quickselect with the middle as pivot,
 * in place: qsort may allocate, and this is called on the loop thread.
 */
static float sample_select(float *values, uint32_t count, uint32_t rank)
{
    int64_t low = 0;
    int64_t high = (int64_t)count - 1;
    while (low < high) {
        float pivot = values[low + (high - low) / 2];
        int64_t i = low;
        int64_t j = high;
        while (i <= j) {
            while (values[i] < pivot) {
                i++;
            }
            while (values[j] > pivot) {
                j--;
            }
            if (i <= j) {
                float swap = values[i];
                values[i++] = values[j];
                values[j--] = swap;
            }
        }
        if ((int64_t)rank <= j) {
            high = j;
        } else if ((int64_t)rank >= i) {
            low = i;
        } else {
            break;
        }
    }
    return values[rank];
}

/* Rank of a percentile by the nearest-rank method: the smallest value that `percent` of all do not pass. */
static uint32_t sample_rank(uint32_t count, uint32_t percent)
{
    return (count * percent + 99) / 100 - 1;
}

struct sample_percentiles sample_window_percentiles(struct sample_window *window)
{
    if (window->count == 0) {
        return (struct sample_percentiles){0};
    }
    memcpy(window->scratch, window->samples, window->count * sizeof window->samples[0]);
    return (struct sample_percentiles){
        .p50 = (double)sample_select(window->scratch, window->count, sample_rank(window->count, 50)),
        .p99 = (double)sample_select(window->scratch, window->count, sample_rank(window->count, 99)),
        .max = (double)sample_select(window->scratch, window->count, window->count - 1),
    };
}

void stats_init(struct stats *stats, uint32_t tick_rate_hz)
{
    memset(stats, 0, sizeof *stats);
    uint32_t size = STATS_WINDOW_S * tick_rate_hz;
    size = size > SAMPLE_WINDOW_MAX ? SAMPLE_WINDOW_MAX : size;
    sample_window_init(&stats->tick_us, size);
    sample_window_init(&stats->lateness_us, size);
}
