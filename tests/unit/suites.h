#pragma once

#include <check.h>

/* Every suite of suites.def: `Suite *suite_<name>(void)`, made anew on each call, owned by its runner. */
#define SUITE(name) Suite *suite_##name(void);
#include "suites.def"
#undef SUITE
