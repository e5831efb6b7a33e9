/* The threads of a step, as steer.h has them: the job pool that the rest of the program shares its work over,
 * too. */
#include "sim/steer.h"

struct steer_pool *steer_pool_create(uint32_t threads)
{
    return threads >= 1 && threads <= JOB_POOL_THREADS_MAX ? job_pool_create(threads) : NULL;
}

void steer_pool_destroy(struct steer_pool *pool)
{
    if (pool != NULL) {
        job_pool_destroy(pool);
    }
}
