/* What came out of a run: as JSON for programs, as a table for people. The end of `steerd simulate`. */
#include "app/simulate/simulate_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

/* A number, or null: JSON has neither NaN nor infinity (RFC 8259, section 6). */
static void report_number(FILE *file, const char *before, double value)
{
    if (isfinite(value)) {
        fprintf(file, "%s%.9g", before, value);
    } else {
        fprintf(file, "%snull", before);
    }
}

/* A string; what is not UTF-8 becomes question marks. */
static void report_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (size_t left = strlen(text); left > 0;) {
        size_t size = utf8_character_size(text, left);
        unsigned char first = (unsigned char)*text;
        if (size == 0) {
            fputc('?', file);
            size = 1;
        } else if (first == '"' || first == '\\') {
            fprintf(file, "\\%c", first);
        } else if (first < 0x20) {
            fprintf(file, "\\u%04x", first);
        } else {
            fwrite(text, 1, size, file);
        }
        text += size;
        left -= size;
    }
    fputc('"', file);
}

static void report_outcome(FILE *file, const struct scenario_outcome *outcome)
{
    fputs("{\"name\": ", file);
    report_text(file, outcome->name);
    fprintf(file, ", \"held\": %s", outcome->held ? "true" : "false");
    report_number(file, ", \"figure\": ", outcome->figure);
    report_number(file, ", \"min\": ", outcome->min);
    report_number(file, ", \"max\": ", outcome->max);
    fputc('}', file);
}

static void report_times(FILE *file, const struct simulate_result *result)
{
    report_number(file, ", \"ns_per_agent_tick\": {\"p50\": ", result->ns_per_agent_tick.p50);
    report_number(file, ", \"p99\": ", result->ns_per_agent_tick.p99);
    report_number(file, ", \"min\": ", result->ns_per_agent_tick.min);
    report_number(file, "}, \"tick_us\": {\"p50\": ", result->tick_us.p50);
    report_number(file, ", \"p99\": ", result->tick_us.p99);
    report_number(file, ", \"max\": ", result->tick_us.max);
    fputs("}, \"phases_ns\": {", file);
#define PHASE(name) fprintf(file, "\"" #name "\": %" PRIu64 ", ", result->phases.name##_ns);
    STEER_PHASES(PHASE)
#undef PHASE
    fputs("\"encode\": 0}", file); /* nobody watches a simulation without a network */
}

void simulate_report_write(FILE *file, const struct simulate_result *result)
{
    const struct scenario_figures *figures = &result->figures;
    fputs("{\"scenario\": ", file);
    report_text(file, result->title);
    fprintf(file,
            ", \"ticks\": %" PRIu64 ", \"agents\": %u, \"threads\": %u, \"arrived\": %u, \"blocked\": %u",
            figures->ticks, figures->agents, result->threads, figures->arrived, figures->blocked);
    report_number(file, ", \"gap_min\": ", figures->gap_min_m);
    report_number(file, ", \"obstacle_gap_min\": ", figures->obstacle_gap_min_m);
    report_number(file, ", \"time_all_arrived\": ", figures->time_all_arrived_s);
    report_number(file, ", \"time_factor\": {\"mean\": ", result->time_factor.mean);
    report_number(file, ", \"worst\": ", result->time_factor.worst);
    report_number(file, "}, \"mean_speed\": ", figures->mean_speed_mps);
    report_number(file, ", \"overlaps_per_1k\": ", figures->overlaps_per_1k);
    report_times(file, result);
    fprintf(file, ", \"memory_bytes\": %zu, \"state_digest\": \"%016" PRIx64 "\", \"expectations\": [",
            result->memory_bytes, result->state_digest);
    for (uint32_t i = 0; i < result->outcome_count; i++) {
        fputs(i == 0 ? "" : ", ", file);
        report_outcome(file, &result->outcomes[i]);
    }
    fputs("]}\n", file);
}

static void print_figure(FILE *file, const char *name, double value, const char *unit)
{
    if (isnan(value)) {
        fprintf(file, "  %-18s -\n", name);
    } else {
        fprintf(file, "  %-18s %.4g%s%s\n", name, value, *unit == '\0' ? "" : " ", unit);
    }
}

void simulate_report_word(const struct scenario_outcome *outcome, char *text, size_t size)
{
    char figure[48];
    snprintf(figure, sizeof figure, "%s", strcmp(outcome->unit, "s") == 0 ? "never" : "none");
    char least[32] = "";
    char most[32] = "";
    bool both = !isnan(outcome->min) && !isnan(outcome->max);
    if (!isnan(outcome->figure)) {
        snprintf(figure, sizeof figure, "%.6g%s%s", outcome->figure, *outcome->unit == '\0' ? "" : " ",
                 outcome->unit);
    }
    if (!isnan(outcome->min)) {
        snprintf(least, sizeof least, "at least %.9g", outcome->min);
    }
    if (!isnan(outcome->max)) {
        snprintf(most, sizeof most, "at most %.9g", outcome->max);
    }
    snprintf(text, size, "%s  %s (%s%s%s)", outcome->name, figure, least, both ? ", " : "", most);
}

void simulate_report_print(FILE *file, const struct simulate_result *result)
{
    const struct scenario_figures *figures = &result->figures;
    fprintf(file, "%s: %u agent%s, %" PRIu64 " ticks, %u thread%s\n", result->title, figures->agents,
            figures->agents == 1 ? "" : "s", figures->ticks, result->threads,
            result->threads == 1 ? "" : "s");
    fprintf(file, "  %-18s %u of %u\n", "arrived", figures->arrived, figures->with_goal);
    fprintf(file, "  %-18s %u\n", "blocked", figures->blocked);
    print_figure(file, "all arrived", figures->time_all_arrived_s, "s");
    print_figure(file, "time factor", result->time_factor.mean, "");
    print_figure(file, "  worst", result->time_factor.worst, "");
    print_figure(file, "mean speed", figures->mean_speed_mps, "m/s");
    print_figure(file, "smallest gap", figures->gap_min_m, "m");
    print_figure(file, "  to an obstacle", figures->obstacle_gap_min_m, "m");
    print_figure(file, "overlaps per 1k", figures->overlaps_per_1k, "");
    print_figure(file, "time per tick", result->tick_us.p50, "us");
    print_figure(file, "  and agent", result->ns_per_agent_tick.p50, "ns");
    fprintf(file, "  %-18s %016" PRIx64 "\n", "state digest", result->state_digest);
    for (uint32_t i = 0; i < result->outcome_count; i++) {
        char words[192];
        simulate_report_word(&result->outcomes[i], words, sizeof words);
        fprintf(file, "  %-8s %s\n", result->outcomes[i].held ? "ok" : "FAILED", words);
    }
}
