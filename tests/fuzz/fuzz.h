#pragma once

#include <stddef.h>
#include <stdint.h>

/* What libFuzzer and replay_main.c call with each input; each fuzz_<target>.c has one. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
