/*
 * A snapshot for people and programs: JSON, a line, a table or a map. Called by commands/watch.c for each
 * snapshot (or, on a terminal, for the latest).
 */
#include "watch_view.h"

#include <string.h>

#include "show.h"
#include "text.h"

void watch_rate_add(struct watch_rate *rate, uint64_t time_ns, size_t size)
{
    uint64_t slot = rate->count % WATCH_RATE_SAMPLES;
    rate->time_ns[slot] = time_ns;
    rate->size[slot] = size;
    rate->count++;
}

void watch_rate_read(const struct watch_rate *rate, double *snapshots_per_s, double *bytes_per_s)
{
    uint64_t held = rate->count < WATCH_RATE_SAMPLES ? rate->count : WATCH_RATE_SAMPLES;
    *snapshots_per_s = 0.0;
    *bytes_per_s = 0.0;
    if (held < 2) {
        return;
    }
    uint64_t oldest = (rate->count - held) % WATCH_RATE_SAMPLES;
    uint64_t newest = (rate->count - 1) % WATCH_RATE_SAMPLES;
    uint64_t span_ns = rate->time_ns[newest] - rate->time_ns[oldest];
    if (span_ns == 0) {
        return;
    }
    double bytes = 0.0;
    for (uint64_t i = 1; i < held; i++) {
        bytes += (double)rate->size[(oldest + i) % WATCH_RATE_SAMPLES];
    }
    *snapshots_per_s = (double)(held - 1) * 1e9 / (double)span_ns;
    *bytes_per_s = bytes * 1e9 / (double)span_ns;
}

static void watch_view_print_json(const struct watch_view *view, size_t size)
{
    const struct steerd_mirror *mirror = steerd_client_mirror(view->client);
    size_t count;
    const struct steerd_agent *agents = steerd_mirror_agents(mirror, &count);
    fprintf(view->out, "{\"tick\": %llu, \"server_time_us\": %llu, \"bytes\": %zu, \"agents\": [",
            (unsigned long long)steerd_mirror_tick(mirror),
            (unsigned long long)steerd_mirror_server_time_us(mirror), size);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ", ", view->out);
        show_agent_json(view->out, &agents[i]);
    }
    fputs("]}\n", view->out);
}

#define WATCH_TEXT_SIZE 256

/* "100 agents: 80 moving, 15 arrived, 5 blocked". */
static void watch_view_count_states(const struct steerd_mirror *mirror, char *text, size_t size)
{
    size_t count;
    size_t of_state[STEERD_AGENT_STATE_DRIVEN + 1] = {0};
    const struct steerd_agent *agents = steerd_mirror_agents(mirror, &count);
    for (size_t i = 0; i < count; i++) {
        of_state[agents[i].state]++;
    }
    int used = snprintf(text, size, "%zu agent%s", count, count == 1 ? "" : "s");
    const char *before = ": ";
    for (size_t i = 0; i <= STEERD_AGENT_STATE_DRIVEN; i++) {
        if (of_state[i] > 0 && used >= 0 && (size_t)used < size) {
            used += snprintf(text + used, size - (size_t)used, "%s%zu %s", before, of_state[i],
                             text_agent_state((enum steerd_agent_state)i));
            before = ", ";
        }
    }
}

/* "tick 1234   15.0 snapshots/s   12.3 kB/s   100 agents: ..." */
static void watch_view_figures(const struct watch_view *view, bool with_rates, char *text, size_t size)
{
    const struct steerd_mirror *mirror = steerd_client_mirror(view->client);
    char states[WATCH_TEXT_SIZE];
    char bytes[24];
    double snapshots_per_s;
    double bytes_per_s;
    char rates[64] = "";
    watch_view_count_states(mirror, states, sizeof states);
    watch_rate_read(&view->rate, &snapshots_per_s, &bytes_per_s);
    if (with_rates) {
        snprintf(rates, sizeof rates, "%5.1f snapshots/s  %s/s  ", snapshots_per_s,
                 text_bytes(bytes_per_s, bytes, sizeof bytes));
    }
    snprintf(text, size, "tick %llu  %s%s", (unsigned long long)steerd_mirror_tick(mirror), rates, states);
}

static void watch_view_print_line(const struct watch_view *view)
{
    char figures[2 * WATCH_TEXT_SIZE];
    watch_view_figures(view, true, figures, sizeof figures);
    fprintf(view->out, "%s\n", figures);
}

/* Ends a line of a frame; what an older frame left behind it on the terminal is cleared. */
static void watch_view_end_line(const struct watch_view *view)
{
    fputs(view->terminal.redraws ? TERMINAL_CLEAR_LINE "\n" : "\n", view->out);
}

/* First line of a frame. A narrow terminal loses the address first, then the rates, then what is beyond it.
 */
static void watch_view_print_title(const struct watch_view *view)
{
    char figures[2 * WATCH_TEXT_SIZE];
    char title[3 * WATCH_TEXT_SIZE];
    watch_view_figures(view, true, figures, sizeof figures);
    snprintf(title, sizeof title, "%.64s  %s", view->server, figures);
    if (strlen(title) > view->terminal.columns) {
        snprintf(title, sizeof title, "%s", figures);
    }
    if (strlen(title) > view->terminal.columns) {
        watch_view_figures(view, false, title, sizeof title);
    }
    if (strlen(title) > view->terminal.columns) {
        title[view->terminal.columns] = '\0';
    }
    fputs(title, view->out);
    watch_view_end_line(view);
}

static void watch_view_print_table(const struct watch_view *view)
{
    size_t count;
    const struct steerd_agent *agents = steerd_mirror_agents(steerd_client_mirror(view->client), &count);
    /* Title, blank, head, "and more". */
    size_t room = view->terminal.rows > 5 ? view->terminal.rows - 5 : 1;
    size_t shown = count < room ? count : room;
    fputs(TERMINAL_HOME, view->out);
    watch_view_print_title(view);
    watch_view_end_line(view);
    show_agent_head(view->out);
    watch_view_end_line(view);
    for (size_t i = 0; i < shown; i++) {
        show_agent_row(view->out, &agents[i]);
        watch_view_end_line(view);
    }
    if (shown < count) {
        fprintf(view->out, "%10s and %zu more", "", count - shown);
    }
    fputs(TERMINAL_CLEAR_LINE TERMINAL_CLEAR_BELOW, view->out);
}

/* The part of the world that this frame shows. */
static struct map_area watch_view_area(struct watch_view *view)
{
    const struct steerd_welcome *welcome = steerd_client_welcome(view->client);
    const struct steerd_mirror *mirror = steerd_client_mirror(view->client);
    const struct map_area world = {welcome->world_min_m, welcome->world_max_m};
    const struct steerd_agent *center = steerd_mirror_find_agent(mirror, view->around_id);
    if (center != NULL) {
        struct vec2 half = vec2(view->around_radius_m, view->around_radius_m);
        view->has_area = true; /* and stays there when the agent is removed, as the server's view does */
        view->area =
            (struct map_area){vec2_sub(center->position_m, half), vec2_add(center->position_m, half)};
    }
    return view->has_area ? view->area : fit_update(&view->fit, &world, mirror);
}

static void watch_view_print_border(const struct watch_view *view, const char *left, const char *right,
                                    const char *ascii)
{
    bool utf8 = view->terminal.utf8;
    fputs(utf8 ? left : ascii, view->out);
    for (uint32_t i = 0; i < view->map->columns; i++) {
        fputs(utf8 ? "─" : "-", view->out);
    }
    fputs(utf8 ? right : ascii, view->out);
    watch_view_end_line(view);
}

#define WATCH_MAP_LINES  5  /* beside the map: title, two borders, scale, legend */
#define WATCH_LEGEND_MIN 66 /* columns that the legend takes, and the scale with its coordinates */

/* Frame, map, scale and legend. */
static void watch_view_print_map(struct watch_view *view)
{
    struct map *map = view->map;
    const struct map_style style = {.utf8 = view->terminal.utf8, .colour = view->terminal.colour};
    const struct steerd_welcome *welcome = steerd_client_welcome(view->client);
    const struct steerd_mirror *mirror = steerd_client_mirror(view->client);
    size_t count;
    map_init(map, watch_view_area(view), view->terminal.columns - 2, view->terminal.rows - WATCH_MAP_LINES);
    map_draw_outside(map, (struct map_area){welcome->world_min_m, welcome->world_max_m});
    const struct steerd_obstacle *obstacles = steerd_mirror_obstacles(mirror, &count);
    map_draw_obstacles(map, obstacles, count);
    const struct steerd_agent *agents = steerd_mirror_agents(mirror, &count);
    map_draw_agents(map, agents, count);
    fputs(view->terminal.redraws ? TERMINAL_HOME : "", view->out);
    watch_view_print_title(view);
    watch_view_print_border(view, "┌", "┐", "+");
    for (uint32_t row = 0; row < map->rows; row++) {
        fputs(view->terminal.utf8 ? "│" : "|", view->out);
        map_print_row(view->out, map, row, &style);
        fputs(view->terminal.utf8 ? "│" : "|", view->out);
        watch_view_end_line(view);
    }
    watch_view_print_border(view, "└", "┘", "+");
    map_print_scale(view->out, map, map->columns, &style);
    if (view->terminal.columns >= WATCH_LEGEND_MIN) {
        fprintf(view->out, "   x %.4g to %.4g, y %.4g to %.4g m", (double)map->area.min_m.x,
                (double)map->area.max_m.x, (double)map->area.min_m.y, (double)map->area.max_m.y);
        watch_view_end_line(view);
        map_print_legend(view->out, &style);
    }
    fputs(view->terminal.redraws ? TERMINAL_CLEAR_LINE TERMINAL_CLEAR_BELOW : "\n", view->out);
}

void watch_view_print_waiting(const struct watch_view *view)
{
    if (view->terminal.redraws) {
        fprintf(view->out,
                TERMINAL_HOME "%.64s  no snapshot yet" TERMINAL_CLEAR_LINE "\n"
                              "None comes while the clock is paused: steerctl clock step 1, or clock resume.",
                view->server);
        fflush(view->out);
    }
}

void watch_view_print(struct watch_view *view, size_t size)
{
    if (view->terminal.redraws) {
        terminal_measure(&view->terminal, view->out);
    }
    switch (view->form) {
    case WATCH_FORM_JSON:
        watch_view_print_json(view, size);
        break;
    case WATCH_FORM_LINES:
        watch_view_print_line(view);
        break;
    case WATCH_FORM_TABLE:
        watch_view_print_table(view);
        break;
    case WATCH_FORM_MAP:
        watch_view_print_map(view);
        break;
    }
    fflush(view->out);
}
