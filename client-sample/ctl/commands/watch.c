/* watch: subscribes, and shows each snapshot until told to stop. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "command.h"
#include "session.h"
#include "values.h"
#include "watch_view.h"

#define WATCH_POLL_MS     100 /* a signal that comes just before the wait is seen after at most this */
#define WATCH_PATIENCE_NS 1000000000u /* a terminal without a snapshot for so long is told why */
#define WATCH_SIDE_MIN_M  0.1f
#define WATCH_BUFFER_SIZE (256u << 10) /* a frame leaves in one write: half-drawn ones flicker */

static const struct option_spec watch_options[] = {
    VALUES_OPTION_NUMBERS("area", "X1,Y1,X2,Y2", 4, 4, "Only this rectangle, metres; else the whole world."),
    VALUES_OPTION_ID("around", "Only a disc round this agent, which moves with it; needs --radius."),
    {.name = "radius",
     .kind = OPTION_FLOAT,
     .value_name = "R",
     .min = 0.1,
     .max = 10000,
     .help = "Of the disc, metres."},
    {.name = "interval",
     .kind = OPTION_CHOICE,
     .value_name = "TICKS",
     .choices = "1|2|4|8",
     .help = "Ticks between snapshots; else as the server does."},
    {.name = "format",
     .kind = OPTION_CHOICE,
     .choices = "full|delta",
     .value_name = "FORMAT",
     .default_text = "full",
     .help = "How agents travel; this version of the server sends full only."},
    {.name = "snapshots",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = 1e15,
     .help = "Ends after so many; else runs until Ctrl-C."},
    {.name = "map", .kind = OPTION_FLAG, .help = "Shows the crowd as characters instead of a table."},
};

/* One watch. */
struct watch {
    struct watch_view view;
    uint64_t snapshots;     /* shown or passed over so far */
    uint64_t snapshots_max; /* ends then */
    bool stale;             /* on a terminal: the newest snapshot is not drawn yet */
    size_t size;            /* its bytes */
};

static volatile sig_atomic_t watch_stopped;

static void watch_on_signal(int number)
{
    (void)number;
    watch_stopped = 1;
}

static void watch_on_snapshot(void *context, const struct steerd_mirror *mirror, size_t size)
{
    struct watch *watch = context;
    (void)mirror;
    if (watch->snapshots == watch->snapshots_max) {
        return;
    }
    watch->snapshots++;
    watch_rate_add(&watch->view.rate, clock_monotonic_ns(), size);
    if (watch->view.terminal.redraws && watch->view.form != WATCH_FORM_JSON) {
        watch->stale = true; /* several may come at once; only the last is worth drawing */
        watch->size = size;
    } else {
        watch_view_print(&watch->view, size);
    }
}

static enum status watch_check(const struct option_set *options, struct fault *fault)
{
    enum status status =
        values_check_one_of(options, (const char *const[]){"area", "around", NULL}, false, fault);
    if (status == STATUS_OK &&
        option_set_get(options, "around")->given != option_set_get(options, "radius")->given) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "--around and --radius belong together");
    }
    const struct option_value *area = option_set_get(options, "area");
    if (status == STATUS_OK && area->given &&
        (fabsf(values_number(area, 2) - values_number(area, 0)) < WATCH_SIDE_MIN_M ||
         fabsf(values_number(area, 3) - values_number(area, 1)) < WATCH_SIDE_MIN_M)) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "--area has a side below %g m: two opposite corners are needed",
                         (double)WATCH_SIDE_MIN_M);
    }
    if (status == STATUS_OK && option_set_flag(options, "map") && option_set_flag(options, "json")) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "--map and --json exclude each other");
    }
    return status;
}

/* What the view shows, out of the options. False: no memory. */
static bool watch_init_view(struct watch *watch, const struct ctl_call *call)
{
    const struct option_set *options = call->options;
    struct watch_view *view = &watch->view;
    view->out = call->out;
    view->server = call->server;
    view->terminal = terminal_look(call->out);
    view->form = view->terminal.redraws ? WATCH_FORM_TABLE : WATCH_FORM_LINES;
    if (call->json) {
        view->form = WATCH_FORM_JSON;
        view->terminal.redraws = false;
    } else if (option_set_flag(options, "map")) {
        view->form = WATCH_FORM_MAP;
        view->map = malloc(sizeof *view->map);
        if (view->map == NULL) {
            return false;
        }
    }
    if (option_set_get(options, "around")->given) {
        view->around_id = (uint32_t)option_set_uint(options, "around");
        view->around_radius_m = (float)option_set_float(options, "radius");
    }
    watch->snapshots_max =
        option_set_get(options, "snapshots")->given ? option_set_uint(options, "snapshots") : UINT64_MAX;
    return true;
}

/* Subscribes as the options say. */
static enum status watch_subscribe(const struct ctl_call *call, struct arena *arena, struct watch_view *view,
                                   struct steerd_client *client, struct fault *fault)
{
    const struct option_set *options = call->options;
    Steerd__V1__Around around = STEERD__V1__AROUND__INIT;
    Steerd__V1__Subscribe subscribe = STEERD__V1__SUBSCRIBE__INIT;
    if (option_set_get(options, "area")->given) {
        Steerd__V1__Rectangle *area = values_rectangle(arena, option_set_get(options, "area"));
        subscribe.area_case = STEERD__V1__SUBSCRIBE__AREA_RECTANGLE;
        subscribe.rectangle = area;
        view->has_area = true;
        view->area = (struct map_area){vec2(area->min->x, area->min->y), vec2(area->max->x, area->max->y)};
    } else if (view->around_id != 0) {
        around.agent_id = view->around_id;
        around.radius = view->around_radius_m;
        subscribe.area_case = STEERD__V1__SUBSCRIBE__AREA_AROUND;
        subscribe.around = &around;
    }
    bool delta = option_set_text(options, "format")[0] == 'd';
    subscribe.format = delta ? STEERD__V1__FORMAT__FORMAT_DELTA : STEERD__V1__FORMAT__FORMAT_FULL;
    if (option_set_get(options, "interval")->given) {
        subscribe.snapshot_interval_ticks = (uint32_t)(option_set_text(options, "interval")[0] - '0');
    }
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SUBSCRIBE;
    message.subscribe = &subscribe;
    return steerd_client_request(client, &message, SESSION_REQUEST_TIMEOUT_MS, NULL, fault);
}

/* Shows snapshots until there were enough, a signal comes or the connection ends. */
static enum status watch_loop(struct watch *watch, struct steerd_client *client, struct fault *fault)
{
    enum status status = STATUS_OK;
    uint64_t patient_until_ns = clock_monotonic_ns() + WATCH_PATIENCE_NS;
    while (status == STATUS_OK && watch->snapshots < watch->snapshots_max && !watch_stopped) {
        status = steerd_client_poll(client, WATCH_POLL_MS, fault);
        if (status == STATUS_OK && watch->snapshots == 0 && clock_monotonic_ns() > patient_until_ns) {
            watch_view_print_waiting(&watch->view);
            patient_until_ns = UINT64_MAX;
        }
        if (watch->stale) {
            watch->stale = false;
            watch_view_print(&watch->view, watch->size);
        }
        if (ferror(watch->view.out)) {
            return fault_set(fault, STATUS_UNAVAILABLE, "cannot write the output");
        }
    }
    return watch_stopped || watch->snapshots == watch->snapshots_max ? STATUS_OK : status;
}

/* From connecting to the end. */
static enum status watch_session(const struct ctl_call *call, struct watch *watch, struct fault *fault)
{
    const struct steerd_client_handlers handlers = {.context = watch, .on_snapshot = watch_on_snapshot};
    struct steerd_client *client;
    struct arena arena;
    if (!arena_init(&arena, CTL_ARENA_BYTES)) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
    }
    enum status status = session_open(call, &handlers, &client, fault);
    if (status == STATUS_OK) {
        watch->view.client = client;
        terminal_begin(&watch->view.terminal, call->out);
        status = watch_subscribe(call, &arena, &watch->view, client, fault);
        if (status == STATUS_OK) {
            status = watch_loop(watch, client, fault);
        }
        terminal_end(&watch->view.terminal, call->out);
        steerd_client_destroy(client);
    }
    arena_deinit(&arena);
    return status;
}

static enum ctl_exit watch_run(const struct ctl_call *call)
{
    struct fault fault = {0};
    struct watch watch = {0};
    const struct sigaction stop = {.sa_handler = watch_on_signal}; /* without SA_RESTART: it ends the wait */
    if (watch_check(call->options, &fault) != STATUS_OK) {
        session_print_fault(call, &fault);
        return CTL_EXIT_USAGE;
    }
    if (!watch_init_view(&watch, call)) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
        return session_print_fault(call, &fault);
    }
    setvbuf(call->out, NULL, _IOFBF, WATCH_BUFFER_SIZE);
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    enum status status = watch_session(call, &watch, &fault);
    free(watch.view.map);
    return status == STATUS_OK ? CTL_EXIT_DONE : session_print_fault(call, &fault);
}

const struct ctl_command ctl_command_watch = {
    .usage = "[--area X1,Y1,X2,Y2 | --around ID --radius R] [--interval TICKS] [--format full|delta] "
             "[--snapshots N] [--map]",
    .summary = "Shows agents as they move: a live table, or with --map the crowd itself.",
    .details =
        "A map without --area or --around shows the part of the world where agents and obstacles are.\n"
        "Into a file or pipe: one line per snapshot, or one map after the other; with --json one object a "
        "line.",
    CTL_OPTIONS(watch_options),
    .role = STEERD__V1__ROLE__ROLE_VIEWER,
    .run = watch_run,
};
