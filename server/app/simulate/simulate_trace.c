/* The trace of a run as CSV, written by `steerd simulate` after each tick. */
#include "app/simulate/simulate_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static enum status simulate_trace_refuse(struct fault *fault)
{
    return fault_set(fault, STATUS_UNAVAILABLE, "the trace cannot be written: %s", strerror(errno));
}

enum status simulate_trace_begin(FILE *file, struct fault *fault)
{
    return fputs("tick,id,x,y,vx,vy,orientation\n", file) < 0 ? simulate_trace_refuse(fault) : STATUS_OK;
}

enum status simulate_trace_tick(FILE *file, uint64_t tick, const struct steer_agent_columns *agents,
                                struct fault *fault)
{
    for (uint32_t i = 0; i < agents->count; i++) {
        /* %.9g is enough for any float: 9 = ceil(1 + 24 * log10(2)), C11 5.2.4.2.2 FLT_DECIMAL_DIG. */
        if (fprintf(file, "%" PRIu64 ",%" PRIu32 ",%.9g,%.9g,%.9g,%.9g,%.9g\n", tick, agents->id[i],
                    (double)agents->x_m[i], (double)agents->y_m[i], (double)agents->vx_mps[i],
                    (double)agents->vy_mps[i], (double)agents->orientation_deg[i]) < 0) {
            return simulate_trace_refuse(fault);
        }
    }
    return STATUS_OK;
}
