#pragma once

/*
 * Assertions stop the program at once when our own code is wrong. They are on in every build type;
 * what comes from a socket or a file is never asserted on.
 *
 * ASSERT       cheap, always on.
 * ASSERT_SLOW  walks structures or loops over agents: on where STEERD_ASSERT_SLOW is defined
 *              (the debug, tsan and fuzz presets).
 */

/* Prints `file:line: function: condition` to stderr and aborts. */
_Noreturn void assert_fail(const char *condition, const char *file, int line, const char *function);

#define ASSERT(condition) ((condition) ? (void)0 : assert_fail(#condition, __FILE__, __LINE__, __func__))

#ifdef STEERD_ASSERT_SLOW
#define ASSERT_SLOW(condition) ASSERT(condition)
#else
#define ASSERT_SLOW(condition) ((void)sizeof(condition))
#endif
