/*
 * The behaviour table as data: what profiles, the wire, scenario files and --help know of it.
 */
#include "sim/steer.h"

#include <string.h>

#include "base/assert.h"
#include "sim/behaviour_row.h"

#define PARAM(name, unit, min, max, default_value, summary) {#name, unit, min, max, default_value, summary},
#define BEHAVIOUR(number, name, state_words, summary, ...)                                                   \
    static const struct steer_behaviour_parameter behaviour_parameters_##name[] = {__VA_ARGS__};
#include "sim/behaviours/behaviour_table.def"
#undef BEHAVIOUR
#undef PARAM

static const struct steer_behaviour_info behaviour_infos[] = {
#define BEHAVIOUR(number, name, state_words, summary, ...)                                                   \
    {number, #name, summary, behaviour_parameters_##name,                                                    \
     sizeof behaviour_parameters_##name / sizeof(struct steer_behaviour_parameter)},
#include "sim/behaviours/behaviour_table.def"
#undef BEHAVIOUR
};

#define BEHAVIOUR(number, name, state_words, summary, ...)                                                   \
    _Static_assert(sizeof(struct name##_parameters) <= STEER_BEHAVIOUR_PARAMETERS_MAX * sizeof(float),       \
                   #name);                                                                                   \
    _Static_assert(state_words <= AGENT_SLOT_WORDS, #name);
#include "sim/behaviours/behaviour_table.def"
#undef BEHAVIOUR
_Static_assert(BEHAVIOUR_ROWS <= 32, "steer_batch.behaviours has a bit for each");

static const struct behaviour_row_info behaviour_rows[] = {
#define BEHAVIOUR(number, name, state_words, summary, ...) {behaviour_##name, state_words},
#include "sim/behaviours/behaviour_table.def"
#undef BEHAVIOUR
};

uint32_t steer_behaviour_count(void)
{
    return BEHAVIOUR_ROWS;
}

const struct steer_behaviour_info *steer_behaviour_info(uint32_t behaviour)
{
    ASSERT(behaviour < BEHAVIOUR_ROWS);
    return &behaviour_infos[behaviour];
}

const struct behaviour_row_info *behaviour_row_info(uint32_t behaviour)
{
    ASSERT(behaviour < BEHAVIOUR_ROWS);
    return &behaviour_rows[behaviour];
}

uint32_t steer_behaviour_find(const char *name)
{
    uint32_t behaviour = 0;
    while (behaviour < BEHAVIOUR_ROWS && strcmp(behaviour_infos[behaviour].name, name) != 0) {
        behaviour++;
    }
    return behaviour;
}
