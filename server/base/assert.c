/* Where a failed assertion ends. */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void assert_fail(const char *condition, const char *file, int line, const char *function)
{
    fprintf(stderr, "%s:%d: %s: assertion failed: %s\n", file, line, function, condition);
    abort();
}
