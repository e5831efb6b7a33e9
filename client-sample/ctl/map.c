/*
 * Draws agents and obstacles into a field of characters. Pure: what watch.c gives it goes in, cells and
 * characters come out, and nothing knows of a terminal.
 */
#include "map.h"

#include <math.h>
#include <string.h>

#include "base/trig.h"

/* Column and pixel row of a point; may lie outside of the map. */
struct map_pixel {
    float column;
    float row; /* counted from the north */
};

static struct map_pixel map_pixel_at(const struct map *map, struct vec2 point)
{
    return (struct map_pixel){(point.x - map->area.min_m.x) / map->pixel_m,
                              (map->area.max_m.y - point.y) / map->pixel_m};
}

/* Centre of a pixel. */
static struct vec2 map_pixel_center(const struct map *map, uint32_t column, uint32_t row)
{
    return vec2(map->area.min_m.x + ((float)column + 0.5f) * map->pixel_m,
                map->area.max_m.y - ((float)row + 0.5f) * map->pixel_m);
}

void map_init(struct map *map, struct map_area area, uint32_t columns_max, uint32_t rows_max)
{
    columns_max = columns_max > MAP_COLUMNS_MAX ? MAP_COLUMNS_MAX : columns_max;
    rows_max = rows_max > MAP_ROWS_MAX ? MAP_ROWS_MAX : rows_max;
    float width = fmaxf(area.max_m.x - area.min_m.x, 1e-3f);
    float height = fmaxf(area.max_m.y - area.min_m.y, 1e-3f);
    map->pixel_m = fmaxf(width / (float)columns_max, height / (2.0f * (float)rows_max));
    /* The quotient of the tighter axis may come out a hair above the whole number it stands for. */
    float columns = ceilf(width / map->pixel_m - 1e-3f);
    float rows = ceilf(height / (2.0f * map->pixel_m) - 1e-3f);
    map->columns = columns < 1.0f ? 1 : (columns > (float)columns_max ? columns_max : (uint32_t)columns);
    map->rows = rows < 1.0f ? 1 : (rows > (float)rows_max ? rows_max : (uint32_t)rows);
    struct vec2 center = vec2_scale(vec2_add(area.min_m, area.max_m), 0.5f);
    struct vec2 half = vec2((float)map->columns * map->pixel_m * 0.5f, (float)map->rows * map->pixel_m);
    map->area = (struct map_area){vec2_sub(center, half), vec2_add(center, half)};
    memset(map->cells, 0, (size_t)map->columns * map->rows * sizeof map->cells[0]);
}

void map_draw_outside(struct map *map, struct map_area world)
{
    for (uint32_t row = 0; row < map->rows; row++) {
        for (uint32_t column = 0; column < map->columns; column++) {
            struct vec2 upper = map_pixel_center(map, column, 2 * row);
            struct vec2 lower = map_pixel_center(map, column, 2 * row + 1);
            if (upper.x < world.min_m.x || upper.x > world.max_m.x || upper.y < world.min_m.y ||
                lower.y > world.max_m.y) {
                map->cells[row * map->columns + column].glyph = MAP_GLYPH_OUTSIDE;
            }
        }
    }
}

static void map_set_pixel(struct map *map, uint32_t column, uint32_t row)
{
    struct map_cell *cell = &map->cells[row / 2 * map->columns + column];
    cell->pixels |= row % 2 == 0 ? MAP_PIXEL_UPPER : MAP_PIXEL_LOWER;
    cell->glyph = MAP_GLYPH_OBSTACLE;
}

/* Sets the pixel that holds a point, if the map does. */
static void map_set_point(struct map *map, struct vec2 point)
{
    struct map_pixel pixel = map_pixel_at(map, point);
    if (pixel.column >= 0.0f && pixel.row >= 0.0f && pixel.column < (float)map->columns &&
        pixel.row < 2.0f * (float)map->rows) {
        map_set_pixel(map, (uint32_t)pixel.column, (uint32_t)pixel.row);
    }
}

/* The part [*from, *to] of the way from a to b that is inside the map, cut at one axis. False: none of it. */
static bool map_clip_axis(float a, float b, float min, float max, float *from, float *to)
{
    if (a == b) {
        return a >= min && a <= max;
    }
    float t_min = (min - a) / (b - a);
    float t_max = (max - a) / (b - a);
    *from = fmaxf(*from, fminf(t_min, t_max));
    *to = fminf(*to, fmaxf(t_min, t_max));
    return *from <= *to;
}

/* A line, in steps of half a pixel; only the part inside the map is walked, so a wall of 20 km costs no more.
 */
static void map_draw_line(struct map *map, struct vec2 a, struct vec2 b)
{
    float from = 0.0f;
    float to = 1.0f;
    if (!map_clip_axis(a.x, b.x, map->area.min_m.x, map->area.max_m.x, &from, &to) ||
        !map_clip_axis(a.y, b.y, map->area.min_m.y, map->area.max_m.y, &from, &to)) {
        return;
    }
    struct vec2 way = vec2_sub(b, a);
    struct vec2 begin = vec2_mad(a, way, from);
    struct vec2 step = vec2_scale(way, to - from);
    uint32_t count = 1 + (uint32_t)(vec2_length(step) / (0.5f * map->pixel_m));
    for (uint32_t i = 0; i <= count; i++) {
        map_set_point(map, vec2_mad(begin, step, (float)i / (float)count));
    }
}

/* Whether a point is inside the convex polygon, in either sense of rotation. */
static bool map_is_inside(const struct vec2 *points, uint32_t count, struct vec2 point)
{
    bool left = false;
    bool right = false;
    for (uint32_t i = 0; i < count; i++) {
        struct vec2 a = points[i];
        struct vec2 b = points[(i + 1) % count];
        float side = vec2_cross(vec2_sub(b, a), vec2_sub(point, a));
        left |= side > 0.0f;
        right |= side < 0.0f;
    }
    return !(left && right);
}

/* The pixel index of a coordinate, cut to [0, count]. */
static uint32_t map_clamp_pixel(float pixel, uint32_t count)
{
    return pixel <= 0.0f ? 0 : (pixel >= (float)count ? count : (uint32_t)pixel);
}

/* Pixels that may touch a box of the world: columns [column_begin, column_end), rows likewise. */
struct map_span {
    uint32_t column_begin;
    uint32_t column_end;
    uint32_t row_begin;
    uint32_t row_end;
};

static struct map_span map_span_of(const struct map *map, struct vec2 min, struct vec2 max)
{
    struct map_pixel north_west = map_pixel_at(map, vec2(min.x, max.y));
    struct map_pixel south_east = map_pixel_at(map, vec2(max.x, min.y));
    return (struct map_span){
        .column_begin = map_clamp_pixel(north_west.column, map->columns),
        .column_end = map_clamp_pixel(south_east.column + 1.0f, map->columns),
        .row_begin = map_clamp_pixel(north_west.row, 2 * map->rows),
        .row_end = map_clamp_pixel(south_east.row + 1.0f, 2 * map->rows),
    };
}

/* The outline is drawn a thousandth inside: an edge on the border of two pixels belongs to the inner one. */
#define MAP_OUTLINE_SCALE 0.999f

static void map_draw_polygon(struct map *map, const struct vec2 *points, uint32_t count)
{
    struct vec2 min = points[0];
    struct vec2 max = points[0];
    struct vec2 center = vec2(0.0f, 0.0f);
    for (uint32_t i = 0; i < count; i++) {
        center = vec2_mad(center, points[i], 1.0f / (float)count);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct vec2 a = vec2_mad(center, vec2_sub(points[i], center), MAP_OUTLINE_SCALE);
        struct vec2 b = vec2_mad(center, vec2_sub(points[(i + 1) % count], center), MAP_OUTLINE_SCALE);
        map_draw_line(map, a, b);
        min = vec2(fminf(min.x, points[i].x), fminf(min.y, points[i].y));
        max = vec2(fmaxf(max.x, points[i].x), fmaxf(max.y, points[i].y));
    }
    struct map_span span = map_span_of(map, min, max);
    for (uint32_t row = span.row_begin; row < span.row_end; row++) {
        for (uint32_t column = span.column_begin; column < span.column_end; column++) {
            if (map_is_inside(points, count, map_pixel_center(map, column, row))) {
                map_set_pixel(map, column, row);
            }
        }
    }
}

static void map_draw_circle(struct map *map, struct vec2 center, float radius_m)
{
    struct vec2 half = vec2(radius_m, radius_m);
    struct map_span span = map_span_of(map, vec2_sub(center, half), vec2_add(center, half));
    map_set_point(map, center);
    for (uint32_t row = span.row_begin; row < span.row_end; row++) {
        for (uint32_t column = span.column_begin; column < span.column_end; column++) {
            struct vec2 offset = vec2_sub(map_pixel_center(map, column, row), center);
            if (vec2_length_squared(offset) <= radius_m * radius_m) {
                map_set_pixel(map, column, row);
            }
        }
    }
}

static void map_draw_box(struct map *map, const struct steerd_obstacle *box)
{
    struct vec2 along_y = trig_direction(trig_wrap_deg(box->orientation_deg));
    struct vec2 along_x = vec2_right(along_y);
    struct vec2 x = vec2_scale(along_x, 0.5f * box->size_m.x);
    struct vec2 y = vec2_scale(along_y, 0.5f * box->size_m.y);
    const struct vec2 corners[4] = {
        vec2_sub(vec2_sub(box->center_m, x), y),
        vec2_sub(vec2_add(box->center_m, x), y),
        vec2_add(vec2_add(box->center_m, x), y),
        vec2_add(vec2_sub(box->center_m, x), y),
    };
    map_draw_polygon(map, corners, 4);
}

void map_draw_obstacles(struct map *map, const struct steerd_obstacle *obstacles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct steerd_obstacle *obstacle = &obstacles[i];
        switch (obstacle->shape) {
        case STEERD_SHAPE_CIRCLE:
            map_draw_circle(map, obstacle->center_m, obstacle->radius_m);
            break;
        case STEERD_SHAPE_BOX:
            map_draw_box(map, obstacle);
            break;
        case STEERD_SHAPE_SEGMENT:
            map_draw_line(map, obstacle->points_m[0], obstacle->points_m[1]);
            break;
        case STEERD_SHAPE_POLYGON:
            if (obstacle->point_count > 0) {
                map_draw_polygon(map, obstacle->points_m, obstacle->point_count);
            }
            break;
        }
    }
}

#define MAP_SPEED_SEEN_MPS 0.05f /* slower than this an agent stands, and shows where it looks */

static uint8_t map_octant(const struct steerd_agent *agent)
{
    bool walks = vec2_length_squared(agent->velocity_mps) > MAP_SPEED_SEEN_MPS * MAP_SPEED_SEEN_MPS;
    float heading_deg = walks ? trig_heading_deg(agent->velocity_mps) : trig_wrap_deg(agent->orientation_deg);
    return (uint8_t)((uint32_t)((heading_deg + 22.5f) / 45.0f) % 8);
}

void map_draw_agents(struct map *map, const struct steerd_agent *agents, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct map_pixel pixel = map_pixel_at(map, agents[i].position_m);
        if (!(pixel.column >= 0.0f && pixel.row >= 0.0f && pixel.column < (float)map->columns &&
              pixel.row < 2.0f * (float)map->rows)) {
            continue;
        }
        struct map_cell *cell = &map->cells[(uint32_t)pixel.row / 2 * map->columns + (uint32_t)pixel.column];
        bool blocked = cell->count > 0 && cell->state == STEERD_AGENT_STATE_BLOCKED;
        cell->count++;
        cell->octant = map_octant(&agents[i]);
        cell->state = blocked ? STEERD_AGENT_STATE_BLOCKED : (uint8_t)agents[i].state;
        cell->glyph = cell->count == 1 ? MAP_GLYPH_AGENT : MAP_GLYPH_AGENTS;
    }
}

/* Colours of ANSI terminals (ECMA-48, SGR); the 8 basic ones, so that everybody's palette holds. */
#define MAP_COLOUR_NONE     "\x1b[0m"
#define MAP_COLOUR_OBSTACLE "\x1b[33m"
#define MAP_COLOUR_OUTSIDE  "\x1b[2m"
#define MAP_COLOUR_MOVING   "\x1b[36m"
#define MAP_COLOUR_ARRIVED  "\x1b[32m"
#define MAP_COLOUR_IDLE     "\x1b[37m"
#define MAP_COLOUR_BLOCKED  "\x1b[1;31m"
#define MAP_COLOUR_DRIVEN   "\x1b[1;35m"
#define MAP_COLOUR_SEVERAL  "\x1b[1;36m"

static const char *const map_arrows_utf8[8] = {"↑", "↗", "→", "↘", "↓", "↙", "←", "↖"};
static const char *const map_arrows_ascii[8] = {"^", "/", ">", "\\", "v", "/", "<", "\\"};
static const char *const map_blocks_utf8[4] = {" ", "▀", "▄", "█"};

static const char *map_agent_text(const struct map_cell *cell, bool utf8)
{
    switch ((enum steerd_agent_state)cell->state) {
    case STEERD_AGENT_STATE_IDLE:
        return utf8 ? "○" : "o";
    case STEERD_AGENT_STATE_ARRIVED:
        return utf8 ? "●" : "*";
    case STEERD_AGENT_STATE_BLOCKED:
        return "!";
    default:
        return (utf8 ? map_arrows_utf8 : map_arrows_ascii)[cell->octant];
    }
}

static const char *map_agent_colour(const struct map_cell *cell)
{
    switch ((enum steerd_agent_state)cell->state) {
    case STEERD_AGENT_STATE_IDLE:
        return MAP_COLOUR_IDLE;
    case STEERD_AGENT_STATE_ARRIVED:
        return MAP_COLOUR_ARRIVED;
    case STEERD_AGENT_STATE_BLOCKED:
        return MAP_COLOUR_BLOCKED;
    case STEERD_AGENT_STATE_DRIVEN:
        return MAP_COLOUR_DRIVEN;
    default:
        return MAP_COLOUR_MOVING;
    }
}

/* Characters and colour of a cell; colour NULL: none. */
static const char *map_cell_text(const struct map_cell *cell, bool utf8, const char **colour)
{
    static const char *const digits[] = {"2", "3", "4", "5", "6", "7", "8", "9"};
    *colour = NULL;
    switch ((enum map_glyph)cell->glyph) {
    case MAP_GLYPH_EMPTY:
        return " ";
    case MAP_GLYPH_OUTSIDE:
        *colour = MAP_COLOUR_OUTSIDE;
        return utf8 ? "░" : ":";
    case MAP_GLYPH_OBSTACLE:
        *colour = MAP_COLOUR_OBSTACLE;
        return utf8 ? map_blocks_utf8[cell->pixels] : "#";
    case MAP_GLYPH_AGENT:
        *colour = map_agent_colour(cell);
        return map_agent_text(cell, utf8);
    case MAP_GLYPH_AGENTS:
        *colour = cell->state == STEERD_AGENT_STATE_BLOCKED ? MAP_COLOUR_BLOCKED : MAP_COLOUR_SEVERAL;
        return cell->count <= 9 ? digits[cell->count - 2] : "+";
    }
    return " ";
}

void map_print_row(FILE *out, const struct map *map, uint32_t row, const struct map_style *style)
{
    const char *current = NULL;
    for (uint32_t column = 0; column < map->columns; column++) {
        const char *colour;
        const char *text = map_cell_text(&map->cells[row * map->columns + column], style->utf8, &colour);
        /* A blank has no colour to change for; runs of one colour are written without repeating it. */
        if (style->colour && colour != current && !(colour == NULL && current == NULL)) {
            fputs(MAP_COLOUR_NONE, out);
            fputs(colour == NULL ? "" : colour, out);
            current = colour;
        }
        fputs(text, out);
    }
    if (current != NULL) {
        fputs(MAP_COLOUR_NONE, out);
    }
}

void map_print_scale(FILE *out, const struct map *map, uint32_t width, const struct map_style *style)
{
    /* The longest of 1, 2, 5, 10, 20, ... metres (or parts of one) that takes no more than a quarter of the
     * width. */
    static const float factors[] = {2.0f, 2.5f, 2.0f};
    float longest_m = map->pixel_m * fmaxf((float)width / 4.0f, 3.0f);
    float length_m = 0.01f;
    for (size_t i = 0; length_m * factors[i % 3] <= longest_m && i < 30; i++) {
        length_m *= factors[i % 3];
    }
    uint32_t size = (uint32_t)(length_m / map->pixel_m + 0.5f);
    fputs(style->utf8 ? "├" : "|", out);
    for (uint32_t i = 2; i < size; i++) {
        fputs(style->utf8 ? "─" : "-", out);
    }
    fputs(style->utf8 ? "┤" : "|", out);
    fprintf(out, " %.4g m", (double)length_m);
}

/* One entry of the legend. */
static void map_print_legend_entry(FILE *out, const struct map_style *style, const char *colour,
                                   const char *text, const char *meaning)
{
    fprintf(out, "  %s%s%s %s", style->colour ? colour : "", text, style->colour ? MAP_COLOUR_NONE : "",
            meaning);
}

void map_print_legend(FILE *out, const struct map_style *style)
{
    bool utf8 = style->utf8;
    map_print_legend_entry(out, style, MAP_COLOUR_MOVING, utf8 ? "→" : ">", "moving");
    map_print_legend_entry(out, style, MAP_COLOUR_ARRIVED, utf8 ? "●" : "*", "arrived");
    map_print_legend_entry(out, style, MAP_COLOUR_IDLE, utf8 ? "○" : "o", "idle");
    map_print_legend_entry(out, style, MAP_COLOUR_BLOCKED, "!", "blocked");
    map_print_legend_entry(out, style, MAP_COLOUR_SEVERAL, "2-9+", "several");
    map_print_legend_entry(out, style, MAP_COLOUR_OBSTACLE, utf8 ? "█" : "#", "solid");
}
