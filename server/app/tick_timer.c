/*
 * The alarm clock of the tick schedule, on the loop thread.
 */
#include "app/tick_timer.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include "base/assert.h"

#define TICK_TIMER_NS_PER_S 1000000000u

static void tick_timer_on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    struct tick_timer *timer = poll->data;
    uint64_t expirations;
    if (read(timer->descriptor, &expirations, sizeof expirations) == (ssize_t)sizeof expirations) {
        timer->fn(timer->context);
    }
}

bool tick_timer_open(struct tick_timer *timer, uv_loop_t *loop, void (*fn)(void *context), void *context)
{
    timer->fn = fn;
    timer->context = context;
    timer->descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer->descriptor < 0) {
        return false;
    }
    if (uv_poll_init(loop, &timer->poll, timer->descriptor) != 0) {
        close(timer->descriptor);
        timer->descriptor = -1;
        return false;
    }
    timer->poll.data = timer;
    int error = uv_poll_start(&timer->poll, UV_READABLE, tick_timer_on_readable);
    ASSERT(error == 0);
    return true;
}

void tick_timer_arm(struct tick_timer *timer, uint64_t deadline_ns)
{
    struct itimerspec spec = {0}; /* zero disarms */
    if (deadline_ns != UINT64_MAX) {
        spec.it_value.tv_sec = (time_t)(deadline_ns / TICK_TIMER_NS_PER_S);
        spec.it_value.tv_nsec = (long)(deadline_ns % TICK_TIMER_NS_PER_S);
    }
    int error = timerfd_settime(timer->descriptor, TFD_TIMER_ABSTIME, &spec, NULL);
    ASSERT(error == 0);
}

static void tick_timer_on_closed(uv_handle_t *handle)
{
    struct tick_timer *timer = handle->data;
    close(timer->descriptor);
    timer->descriptor = -1;
}

void tick_timer_close(struct tick_timer *timer)
{
    if (timer->descriptor >= 0) {
        uv_close((uv_handle_t *)&timer->poll, tick_timer_on_closed);
    }
}
