/* Subscribe: what the session is to see from now on. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

#define SUBSCRIBE_RADIUS_MIN_M 0.1f
#define SUBSCRIBE_RADIUS_MAX_M 10000.0f

static enum status subscribe_around(const Steerd__V1__Around *in, struct view_spec *out, struct fault *fault)
{
    if (in->agent_id == 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "around.agent_id is 0: the id of an agent is needed");
    }
    if (!isfinite(in->radius)) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "around.radius is %g: a number from %g to %g m is needed", (double)in->radius,
                         (double)SUBSCRIBE_RADIUS_MIN_M, (double)SUBSCRIBE_RADIUS_MAX_M);
    }
    if (in->radius < SUBSCRIBE_RADIUS_MIN_M || in->radius > SUBSCRIBE_RADIUS_MAX_M) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "around.radius is %g m: %g to %g m is legal",
                         (double)in->radius, (double)SUBSCRIBE_RADIUS_MIN_M, (double)SUBSCRIBE_RADIUS_MAX_M);
    }
    out->area = (struct steer_area){.kind = STEER_AREA_DISC, .radius_m = in->radius};
    out->around.value = in->agent_id;
    return STATUS_OK;
}

static enum status subscribe_area(const Steerd__V1__Subscribe *in, struct view_spec *out, struct fault *fault)
{
    switch (in->area_case) {
    case STEERD__V1__SUBSCRIBE__AREA_RECTANGLE:
        return convert_rectangle(in->rectangle, "rectangle", &out->area, fault);
    case STEERD__V1__SUBSCRIBE__AREA_AROUND:
        return subscribe_around(in->around, out, fault);
    case STEERD__V1__SUBSCRIBE__AREA_WHOLE:
    case STEERD__V1__SUBSCRIBE__AREA__NOT_SET:
    case _STEERD__V1__SUBSCRIBE__AREA__CASE_IS_INT_SIZE:
        break;
    }
    out->area = (struct steer_area){.kind = STEER_AREA_WHOLE};
    return STATUS_OK;
}

static enum status subscribe_format(Steerd__V1__Format in, struct fault *fault)
{
    switch (in) {
    case STEERD__V1__FORMAT__FORMAT_UNSPECIFIED:
    case STEERD__V1__FORMAT__FORMAT_FULL:
        return STATUS_OK;
    case STEERD__V1__FORMAT__FORMAT_DELTA:
        return fault_set(fault, STATUS_UNIMPLEMENTED,
                         "format is FORMAT_DELTA, which this server does not send yet: use FORMAT_FULL");
    case _STEERD__V1__FORMAT_IS_INT_SIZE:
        break;
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT, "format is %d: FORMAT_FULL is needed", (int)in);
}

static enum status subscribe_interval(const struct command_context *context, uint32_t in, uint32_t *out,
                                      struct fault *fault)
{
    switch (in) {
    case 0:
        *out = context->snapshot_interval_ticks;
        return STATUS_OK;
    case 1:
    case 2:
    case 4:
    case 8:
        *out = in;
        return STATUS_OK;
    }
    return fault_set(fault, STATUS_OUT_OF_RANGE,
                     "snapshot_interval_ticks is %u: 1, 2, 4, 8, or 0 for the server's own (%u) is legal", in,
                     context->snapshot_interval_ticks);
}

enum status command_apply_subscribe(const struct command_context *context, const Steerd__V1__Subscribe *body,
                                    uint64_t request_id, struct fault *fault)
{
    (void)request_id;
    struct view_spec spec = {.format = VIEW_FORMAT_FULL, .events = body->events};
    enum status status = subscribe_area(body, &spec, fault);
    if (status == STATUS_OK) {
        status = subscribe_format(body->format, fault);
    }
    if (status == STATUS_OK) {
        status = subscribe_interval(context, body->snapshot_interval_ticks, &spec.interval_ticks, fault);
    }
    return status != STATUS_OK ? status : context->ops->subscribe(context->session, &spec, fault);
}
