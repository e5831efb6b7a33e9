#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What is known of whoever reads the output. */
struct terminal {
    bool redraws; /* a terminal that obeys ANSI escapes; else a file, a pipe or a dumb one */
    bool utf8;    /* the locale says so */
    bool colour;  /* redraws, and NO_COLOR is not set */
    uint32_t columns;
    uint32_t rows;
};

/* out  what will be written to. Sizes without a terminal: COLUMNS and LINES, else 80 by 24. */
struct terminal terminal_look(FILE *out);

/* Reads the size anew: windows change. */
void terminal_measure(struct terminal *terminal, FILE *out);

/*
 * Between these two the cursor is hidden. terminal_end may be called when terminal_begin was not.
 */
void terminal_begin(struct terminal *terminal, FILE *out);
void terminal_end(struct terminal *terminal, FILE *out);

/* Escapes of a frame: back to the top left corner; clear to the end of the line; clear all below. */
#define TERMINAL_HOME        "\x1b[H"
#define TERMINAL_CLEAR_LINE  "\x1b[K"
#define TERMINAL_CLEAR_BELOW "\x1b[J"
