/* How every bench says its figures: script/bench passes these lines on as they are. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *bench;
    const char *case_name;
    const char *metric;
    double value;
} report_references[] = {
#define REFERENCE(bench, case_name, metric, value) {bench, case_name, metric, value},
#include "reference.def"
#undef REFERENCE
};

static int report_compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double report_reference(const char *bench, const char *case_name, const char *metric)
{
    for (size_t i = 0; i < sizeof report_references / sizeof report_references[0]; i++) {
        if (strcmp(report_references[i].bench, bench) == 0 &&
            strcmp(report_references[i].case_name, case_name) == 0 &&
            strcmp(report_references[i].metric, metric) == 0) {
            return report_references[i].value;
        }
    }
    return NAN;
}

void report_print(const char *bench, const char *case_name, const char *metric, double *values)
{
    qsort(values, REPORT_RUNS, sizeof *values, report_compare);
    double reference = report_reference(bench, case_name, metric);
    char reference_text[32] = "null";
    if (!isnan(reference)) {
        snprintf(reference_text, sizeof reference_text, "%.6g", reference);
    }
    printf("{\"bench\": \"%s\", \"case\": \"%s\", \"metric\": \"%s\", \"median\": %.6g, \"min\": %.6g, "
           "\"max\": %.6g, "
           "\"runs\": %d, \"reference\": %s}\n",
           bench, case_name, metric, values[REPORT_RUNS / 2], values[0], values[REPORT_RUNS - 1], REPORT_RUNS,
           reference_text);
    fflush(stdout);
}
