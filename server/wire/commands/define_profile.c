/* DefineProfile: limits and behaviours under a name. */
#include <string.h>

#include "wire/commands/handlers.h"

static enum status define_profile_combination(Steerd__V1__Combination in, enum steer_combination *out,
                                              struct fault *fault)
{
    switch (in) {
    case STEERD__V1__COMBINATION__COMBINATION_BLEND:
        *out = STEER_COMBINATION_BLEND;
        return STATUS_OK;
    case STEERD__V1__COMBINATION__COMBINATION_PRIORITY:
        *out = STEER_COMBINATION_PRIORITY;
        return STATUS_OK;
    case STEERD__V1__COMBINATION__COMBINATION_UNSPECIFIED:
    case STEERD__V1__COMBINATION__COMBINATION_BUDGET:
        *out = STEER_COMBINATION_BUDGET;
        return STATUS_OK;
    case _STEERD__V1__COMBINATION_IS_INT_SIZE:
        break;
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT,
                     "combination is %d: STEER_COMBINATION_BLEND, STEER_COMBINATION_PRIORITY or "
                     "STEER_COMBINATION_BUDGET is needed",
                     (int)in);
}

static enum status define_profile_rest(Steerd__V1__Rest in, enum steer_rest *out, struct fault *fault)
{
    switch (in) {
    case STEERD__V1__REST__REST_UNSPECIFIED:
    case STEERD__V1__REST__REST_BRAKE:
        *out = STEER_REST_BRAKE;
        return STATUS_OK;
    case STEERD__V1__REST__REST_STOP:
        *out = STEER_REST_STOP;
        return STATUS_OK;
    case STEERD__V1__REST__REST_COAST:
        *out = STEER_REST_COAST;
        return STATUS_OK;
    case _STEERD__V1__REST_IS_INT_SIZE:
        break;
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT,
                     "rest is %d: STEER_REST_BRAKE, STEER_REST_STOP or STEER_REST_COAST is needed", (int)in);
}

static enum status define_profile_behaviour(const Steerd__V1__ProfileBehaviour *in,
                                            struct steer_profile *profile, struct fault *fault)
{
    struct steer_profile_behaviour *out = NULL;
    enum status status = steer_profile_add_behaviour(profile, in->name, &out, fault);
    if (status != STATUS_OK) {
        return status;
    }
    out->weight = in->weight == 0.0f ? 1.0f : in->weight;
    out->group = in->group;
    for (size_t i = 0; i < in->n_parameters; i++) {
        status = steer_profile_set_parameter(out, in->parameters[i]->name, in->parameters[i]->value, fault);
        if (status != STATUS_OK) {
            fault_prefix(fault, "parameters[%zu].", i);
            return status;
        }
    }
    return STATUS_OK;
}

static enum status define_profile_name(const char *in, char *out, struct fault *fault)
{
    size_t size = strlen(in);
    if (size >= STEER_PROFILE_NAME_SIZE) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "name has %zu characters: 1 to %d of a-z, 0-9, _ and - are needed", size,
                         STEER_PROFILE_NAME_SIZE - 1);
    }
    memcpy(out, in, size + 1);
    return STATUS_OK;
}

static void define_profile_limits(const Steerd__V1__Limits *in, struct steer_limits *out)
{
#define LIMIT(name, unit, min, max, default_value, summary) out->name = in->name;
    STEER_LIMITS(LIMIT)
#undef LIMIT
}

enum status command_apply_define_profile(const struct command_context *context,
                                         const Steerd__V1__DefineProfile *body, struct command_result *result)
{
    struct steer_profile profile = {0};
    enum status status = define_profile_name(body->name, profile.name, &result->fault);
    if (status == STATUS_OK) {
        status = define_profile_combination(body->combination, &profile.combination, &result->fault);
    }
    if (status == STATUS_OK) {
        status = define_profile_rest(body->rest, &profile.rest, &result->fault);
    }
    if (status == STATUS_OK && body->n_behaviours > STEER_PROFILE_BEHAVIOURS_MAX) {
        status = fault_set(&result->fault, STATUS_INVALID_ARGUMENT,
                           "behaviours has %zu entries: 1 to %d are legal", body->n_behaviours,
                           STEER_PROFILE_BEHAVIOURS_MAX);
    }
    for (size_t i = 0; status == STATUS_OK && i < body->n_behaviours; i++) {
        status = define_profile_behaviour(body->behaviours[i], &profile, &result->fault);
        if (status != STATUS_OK) {
            fault_prefix(&result->fault, "behaviours[%zu].", i);
        }
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (body->limits != NULL) {
        define_profile_limits(body->limits, &profile.limits);
    }
    return steer_world_define_profile(context->world, &profile, &result->fault);
}
