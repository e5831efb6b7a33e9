#pragma once

#include "app/simulate/simulate_run.h"

/*
 * report.json, one object on one line: the keys of tests/scenarios/README.md, null where there is nothing,
 * state_digest as 16 hexadecimal digits (XXH3's canonical form).
 */
void simulate_report_write(FILE *file, const struct simulate_result *result);

/* "gap_min  0.0312 m (at least -0.001)": an expectation with its figure and what is allowed. */
void simulate_report_word(const struct scenario_outcome *outcome, char *text, size_t size);

/* The same for people, a short table. */
void simulate_report_print(FILE *file, const struct simulate_result *result);
