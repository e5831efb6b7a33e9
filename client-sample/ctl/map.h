#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "steerd_mirror.h"

/*
 * The crowd as characters. A character of a terminal is about twice as high as wide, so each shows two square
 * pixels, one above the other: obstacles are drawn in pixels, agents in characters.
 */

#define MAP_COLUMNS_MAX 400
#define MAP_ROWS_MAX    200

/* What one character shows. */
enum map_glyph {
    MAP_GLYPH_EMPTY,
    MAP_GLYPH_OUTSIDE,  /* beyond the world's edge */
    MAP_GLYPH_OBSTACLE, /* some pixels of it: map_cell.pixels */
    MAP_GLYPH_AGENT,    /* one agent: map_cell.octant and state */
    MAP_GLYPH_AGENTS,   /* several: map_cell.count */
};

#define MAP_PIXEL_UPPER 1
#define MAP_PIXEL_LOWER 2

struct map_cell {
    uint8_t glyph;  /* enum map_glyph */
    uint8_t pixels; /* MAP_PIXEL_... of obstacles, also under agents */
    uint8_t octant; /* heading of the one agent: 0 north, 1 north-east, ... 7 north-west, clockwise */
    uint8_t state;  /* enum steerd_agent_state of the one agent; blocked, when one of several is */
    uint32_t count; /* agents here */
};

/* A rectangle of the world, metres, min < max. */
struct map_area {
    struct vec2 min_m;
    struct vec2 max_m;
};

struct map {
    struct map_area area; /* what is shown; a little more than asked for, so that it fills whole characters */
    float pixel_m;        /* edge of a pixel; a character is pixel_m wide and 2 * pixel_m high */
    uint32_t columns;
    uint32_t rows;
    struct map_cell cells[MAP_COLUMNS_MAX * MAP_ROWS_MAX]; /* row by row from the north-west */
};

/*
 * Chooses scale and size: the smallest frame that shows all of `area`, as large as fits into columns_max by
 * rows_max characters (each at least 1; more than MAP_..._MAX are not used), and clears the cells.
 */
void map_init(struct map *map, struct map_area area, uint32_t columns_max, uint32_t rows_max);

/* Marks what lies outside the world. Before obstacles and agents. */
void map_draw_outside(struct map *map, struct map_area world);

/* Every obstacle leaves a mark, however thin it is. */
void map_draw_obstacles(struct map *map, const struct steerd_obstacle *obstacles, size_t count);
void map_draw_agents(struct map *map, const struct steerd_agent *agents, size_t count);

/* How it is printed. */
struct map_style {
    bool utf8;   /* arrows and blocks; else ASCII */
    bool colour; /* ANSI colours */
};

/* One row, 0 in the north, without a newline. */
void map_print_row(FILE *out, const struct map *map, uint32_t row, const struct map_style *style);

/*
 * A scale as long as some characters: "|------| 5 m". Takes at most width characters.
 */
void map_print_scale(FILE *out, const struct map *map, uint32_t width, const struct map_style *style);

/* What the characters mean, one line. */
void map_print_legend(FILE *out, const struct map_style *style);
