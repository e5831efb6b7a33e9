#pragma once

#define REPORT_RUNS 5 /* odd: the median is one of them */

/*
 * Prints one figure as a JSON line: median, least and most of the runs, and the reference of reference.def
 * (null when it has none).
 *
 * values  REPORT_RUNS of them, in any order; sorted by the call
 */
void report_print(const char *bench, const char *case_name, const char *metric, double *values);
