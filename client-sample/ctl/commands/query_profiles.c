/* profile list: profiles in force, and the behaviours that profiles can be made of. */
#include "json.h"
#include "query.h"
#include "text.h"

/* The contract's numbers as the words of a profile's file. */
static const char *query_profiles_combination(Steerd__V1__Combination combination)
{
    switch (combination) {
    case STEERD__V1__COMBINATION__COMBINATION_BLEND:
        return "blend";
    case STEERD__V1__COMBINATION__COMBINATION_PRIORITY:
        return "priority";
    default:
        return "budget";
    }
}

static const char *query_profiles_rest(Steerd__V1__Rest rest)
{
    switch (rest) {
    case STEERD__V1__REST__REST_STOP:
        return "stop";
    case STEERD__V1__REST__REST_COAST:
        return "coast";
    default:
        return "brake";
    }
}

static void query_profiles_number_json(FILE *out, const char *key, float value)
{
    fputs(", ", out);
    json_text(out, key);
    fputs(": ", out);
    json_float(out, value);
}

static void query_profiles_behaviour_json(FILE *out, const Steerd__V1__ProfileBehaviour *behaviour)
{
    fputs("{\"name\": ", out);
    json_text(out, behaviour->name);
    fprintf(out, ", \"group\": %u", behaviour->group);
    query_profiles_number_json(out, "weight", behaviour->weight);
    for (size_t i = 0; i < behaviour->n_parameters; i++) {
        query_profiles_number_json(out, behaviour->parameters[i]->name, behaviour->parameters[i]->value);
    }
    fputc('}', out);
}

/* As a profile's file has it, with its index. */
static void query_profiles_profile_json(FILE *out, const Steerd__V1__Profile *profile)
{
    static const Steerd__V1__Limits none = STEERD__V1__LIMITS__INIT;
    const Steerd__V1__Limits *limits = profile->limits == NULL ? &none : profile->limits;
    fprintf(out, "{\"index\": %u, \"name\": ", profile->index);
    json_text(out, profile->name);
    query_profiles_number_json(out, "radius", limits->radius);
    query_profiles_number_json(out, "max_speed", limits->max_speed);
    query_profiles_number_json(out, "max_accel", limits->max_accel);
    query_profiles_number_json(out, "max_rotation", limits->max_rotation);
    query_profiles_number_json(out, "max_angular_accel", limits->max_angular_accel);
    fprintf(out, ", \"combine\": \"%s\", \"rest\": \"%s\", \"behaviours\": [",
            query_profiles_combination(profile->combination), query_profiles_rest(profile->rest));
    for (size_t i = 0; i < profile->n_behaviours; i++) {
        fputs(i == 0 ? "" : ", ", out);
        query_profiles_behaviour_json(out, profile->behaviours[i]);
    }
    fputs("]}", out);
}

static void query_profiles_profile_words(FILE *out, const Steerd__V1__Profile *profile)
{
    text_print(out, profile->name);
    if (profile->limits != NULL) {
        fprintf(out, ": radius %g m, at most %g m/s and %g m/s^2", (double)profile->limits->radius,
                (double)profile->limits->max_speed, (double)profile->limits->max_accel);
    }
    fprintf(out, "; combine %s, rest %s\n", query_profiles_combination(profile->combination),
            query_profiles_rest(profile->rest));
    for (size_t i = 0; i < profile->n_behaviours; i++) {
        const Steerd__V1__ProfileBehaviour *behaviour = profile->behaviours[i];
        fprintf(out, "  group %u  weight %-5g ", behaviour->group, (double)behaviour->weight);
        text_print(out, behaviour->name);
        for (size_t j = 0; j < behaviour->n_parameters; j++) {
            fputs(j == 0 ? "  " : ", ", out);
            text_print(out, behaviour->parameters[j]->name);
            fprintf(out, " %g", (double)behaviour->parameters[j]->value);
        }
        fputc('\n', out);
    }
}

static void query_profiles_info_json(FILE *out, const Steerd__V1__BehaviourInfo *info)
{
    fputs("{\"name\": ", out);
    json_text(out, info->name);
    fputs(", \"summary\": ", out);
    json_text(out, info->summary);
    fputs(", \"parameters\": [", out);
    for (size_t i = 0; i < info->n_parameters; i++) {
        const Steerd__V1__ParameterInfo *parameter = info->parameters[i];
        fputs(i == 0 ? "{\"name\": " : ", {\"name\": ", out);
        json_text(out, parameter->name);
        fputs(", \"unit\": ", out);
        json_text(out, parameter->unit);
        query_profiles_number_json(out, "min", parameter->min);
        query_profiles_number_json(out, "max", parameter->max);
        query_profiles_number_json(out, "default", parameter->default_value);
        fputs(", \"summary\": ", out);
        json_text(out, parameter->summary);
        fputc('}', out);
    }
    fputs("]}", out);
}

static void query_profiles_info_words(FILE *out, const Steerd__V1__BehaviourInfo *info)
{
    text_print(out, info->name);
    fputs(": ", out);
    text_print(out, info->summary);
    fputc('\n', out);
    for (size_t i = 0; i < info->n_parameters; i++) {
        const Steerd__V1__ParameterInfo *parameter = info->parameters[i];
        fputs("  ", out);
        text_print(out, parameter->name);
        fputs(": ", out);
        text_print(out, parameter->summary);
        fprintf(out, " (%g to %g", (double)parameter->min, (double)parameter->max);
        fputs(parameter->unit[0] == '\0' ? "" : " ", out);
        text_print(out, parameter->unit);
        fprintf(out, ", default %g)\n", (double)parameter->default_value);
    }
}

/* Profiles and behaviours come in one list each; between them, in the body, stands the line that parts them.
 */
static void query_profiles_on_piece(struct query_answer *answer, const Steerd__V1__QueryResult *piece)
{
    for (size_t i = 0; i < piece->n_profiles; i++, answer->count++) {
        if (answer->json) {
            fputs(answer->count == 0 ? "" : ", ", answer->body);
            query_profiles_profile_json(answer->body, piece->profiles[i]);
        } else {
            query_profiles_profile_words(answer->body, piece->profiles[i]);
        }
    }
    for (size_t i = 0; i < piece->n_behaviours; i++, answer->second_count++) {
        bool first = answer->second_count == 0;
        if (first) {
            fputs(answer->json ? "], \"behaviours\": [" : "\nProfiles can be made of these behaviours:\n\n",
                  answer->body);
        }
        if (answer->json) {
            fputs(first ? "" : ", ", answer->body);
            query_profiles_info_json(answer->body, piece->behaviours[i]);
        } else {
            query_profiles_info_words(answer->body, piece->behaviours[i]);
        }
    }
}

static void query_profiles_print(FILE *out, const struct query_answer *answer, const char *body)
{
    if (answer->json) {
        fprintf(out, "{\"tick\": %llu, \"profiles\": [%s]}\n", (unsigned long long)answer->tick, body);
    } else {
        fputs(body, out);
    }
}

static enum ctl_exit query_profiles_run(const struct ctl_call *call)
{
    static const struct query_form form = {query_profiles_on_piece, query_profiles_print};
    Steerd__V1__Query query = STEERD__V1__QUERY__INIT;
    query.profiles = true;
    return query_ask(call, &query, &form);
}

const struct ctl_command ctl_command_profile_list = {
    .usage = "",
    .summary = "Lists profiles, and the behaviours that one can be made of.",
    .role = STEERD__V1__ROLE__ROLE_VIEWER,
    .run = query_profiles_run,
};
