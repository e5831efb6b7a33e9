/*
 * Runs one suite by name, or all of them. ctest starts it once per suite, so that a crash is one entry's
 * failure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.def"
#undef SUITE
};

/* Runs a suite; counts what failed, and an empty suite as one failure. */
static int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return run == 0 ? 1 : failed;
}

int main(int argc, char **argv)
{
    /* Check's own limit of 4 s a test is not enough for sanitizers on a busy machine; ctest ends what hangs.
     */
    setenv("CK_DEFAULT_TIMEOUT", "120", 0);
    int failed = 0;
    int found = 0;
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        if (argc < 2 || strcmp(argv[1], suites[i].name) == 0) {
            failed += suite_run(suites[i].make());
            found++;
        }
    }
    if (found == 0) {
        fprintf(stderr, "no suite of that name; the names are in tests/unit/suites.def\n");
        return EXIT_FAILURE;
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
