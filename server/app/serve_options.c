/*
 * Options of `steerd serve` and what they become: struct server_config. The rule of who may be listened to is
 * here as well: without tokens and without --open, only this machine.
 */
#include "app/serve_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <netinet/in.h>

#include "base/assert.h"
#include "base/job_pool.h"
#include "yaml/flat.h"

#define SERVE_MIB         ((size_t)1 << 20)
#define SERVE_QUERIES_MAX 1024

/*
 * The kernel's buffer of one connection: with the queue, 256 KiB for a stalled viewer. Not less: over
 * loopback a segment has 64 KiB, a receiver holds back its acknowledgement of a single one for 40 ms, and
 * with room for one only a viewer was measured to get 1.6 MB/s; with room for two it gets all there is.
 */
#define SERVE_SEND_BUFFER (128 * 1024)

static const struct option_spec serve_table[] = {
    {.name = "listen",
     .kind = OPTION_TEXT,
     .value_name = "HOST:PORT",
     .repeats = true,
     .help = "Address for TCP clients, may be given several times; port 0 takes a free one. Default: port "
             "7400, on "
             "loopback, or on all addresses with --tokens or --open."},
    {.name = "scenario",
     .kind = OPTION_TEXT,
     .value_name = "FILE",
     .help = "Scenario to start with; its world counts where no option says otherwise."},
    {.name = "tick-rate",
     .kind = OPTION_UINT,
     .value_name = "HZ",
     .min = 1,
     .max = 240,
     .default_text = "30",
     .help = "Ticks per second."},
    {.name = "snapshot-interval",
     .kind = OPTION_CHOICE,
     .value_name = "TICKS",
     .choices = "1|2|4|8",
     .default_text = "2",
     .help = "Ticks between snapshots for viewers that do not say."},
    {.name = "world-min",
     .kind = OPTION_FLOATS,
     .value_name = "X,Y",
     .min = -10000,
     .max = 10000,
     .count_min = 2,
     .count_max = 2,
     .default_text = "-100,-100",
     .help = "South-west corner of the world, metres."},
    {.name = "world-max",
     .kind = OPTION_FLOATS,
     .value_name = "X,Y",
     .min = -10000,
     .max = 10000,
     .count_min = 2,
     .count_max = 2,
     .default_text = "100,100",
     .help = "North-east corner of the world, metres."},
    {.name = "seed",
     .kind = OPTION_UINT,
     .value_name = "NUMBER",
     .default_text = "1",
     .help = "Seed of everything random in the world."},
    {.name = "agents-max",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = 2000000,
     .default_text = "100000",
     .help = "Most agents."},
    {.name = "obstacles-max",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = 1000000,
     .default_text = "16384",
     .help = "Most obstacles."},
    {.name = "connections-max",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = 100000,
     .default_text = "5000",
     .help = "Most connections; each needs an open file."},
    {.name = "viewers-max",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = 100000,
     .default_text = "5000",
     .help = "Most connections that watch."},
    {.name = "threads",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = JOB_POOL_THREADS_MAX,
     .help = "Threads that step the simulation. Default: one for each core."},
    {.name = "tokens",
     .kind = OPTION_TEXT,
     .value_name = "FILE",
     .help = "Lines `viewer|controller|admin TOKEN`; listens on all addresses."},
    {.name = "open",
     .kind = OPTION_FLAG,
     .help = "Grants everybody the role that they ask for, and listens on all addresses."},
    {.name = "client-frame-max",
     .kind = OPTION_UINT,
     .value_name = "BYTES",
     .min = 1024,
     .max = 1048576,
     .default_text = "65536",
     .help = "Longest frame from a client."},
    {.name = "server-frame-max",
     .kind = OPTION_UINT,
     .value_name = "BYTES",
     .min = 65536,
     .max = 16777216,
     .default_text = "4194304",
     .help = "Longest frame to a client; a longer snapshot is sent in several."},
    {.name = "queue-max",
     .kind = OPTION_UINT,
     .value_name = "BYTES",
     .min = 4096,
     .max = 16777216,
     .default_text = "131072",
     .help = "Results and events that may wait for one client before it is cut off."},
    {.name = "inbox-max",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = 1048576,
     .default_text = "16384",
     .help = "Most commands of one tick."},
    {.name = "inbox-memory",
     .kind = OPTION_UINT,
     .value_name = "MIB",
     .min = 8,
     .max = 4096,
     .default_text = "32",
     .help = "Memory for the decoded commands of one tick, twice."},
    {.name = "snapshot-memory",
     .kind = OPTION_UINT,
     .value_name = "MIB",
     .min = 16,
     .max = 65536,
     .default_text = "256",
     .help = "Most memory for encoded snapshots, all views together."},
    {.name = "message-memory",
     .kind = OPTION_UINT,
     .value_name = "MIB",
     .min = 16,
     .max = 65536,
     .default_text = "64",
     .help = "Most memory for all other messages that wait."},
    {.name = "config",
     .kind = OPTION_TEXT,
     .value_name = "FILE",
     .help = "YAML file of these options, `tick-rate: 60`."},
    {.name = "log-level",
     .kind = OPTION_CHOICE,
     .value_name = "LEVEL",
     .choices = "error|warn|info|debug",
     .default_text = "info",
     .help = "Least important lines that are logged, on stderr."},
    {.name = "log-format",
     .kind = OPTION_CHOICE,
     .value_name = "FORMAT",
     .choices = "text|json",
     .default_text = "text",
     .help = "Form of log lines."},
};

#define SERVE_OPTION_COUNT (sizeof serve_table / sizeof serve_table[0])

const struct option_spec *serve_options_table(size_t *count_out)
{
    *count_out = SERVE_OPTION_COUNT;
    return serve_table;
}

struct option_set *serve_options_create(void)
{
    return option_set_create(serve_table, SERVE_OPTION_COUNT);
}

static enum status serve_options_tell(void *context, const char *name, const char *text, struct fault *fault)
{
    return option_set_add_file_value(context, name, text, fault);
}

enum status serve_options_read(struct option_set *options, int argc, char **argv, bool *usage_out,
                               struct fault *fault)
{
    *usage_out = true;
    enum status status = option_set_parse_arguments(options, argc, argv, fault);
    if (status == STATUS_OK) {
        status = option_set_parse_environment(options, SERVE_ENVIRONMENT_PREFIX, fault);
    }
    if (status == STATUS_OK && option_set_positional_count(options) > 0) {
        status = fault_set(fault, STATUS_INVALID_ARGUMENT, "%.60s: serve takes no words but options",
                           option_set_positional(options, 0));
    }
    if (status != STATUS_OK || option_set_text(options, "config") == NULL) {
        return status;
    }
    *usage_out = false;
    return yaml_flat_read(option_set_text(options, "config"), serve_options_tell, options, fault);
}

static bool serve_options_has_ipv6(void)
{
    int descriptor = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return false;
    }
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    bool has = bind(descriptor, (const struct sockaddr *)(const void *)&address, sizeof address) == 0;
    close(descriptor);
    return has;
}

static void serve_options_add_default(struct server_config *config, const char *host)
{
    struct endpoint *endpoint = &config->listen[config->listen_count++];
    strcpy(endpoint->host, host);
    endpoint->port = ENDPOINT_PORT_TCP;
}

static enum status serve_options_listen(const struct option_set *options, struct server_config *config,
                                        struct fault *fault)
{
    bool everywhere = config->tokens_path != NULL || option_set_flag(options, "open");
    const struct option_value *listen = option_set_get(options, "listen");
    config->listen_count = 0;
    if (listen->count > SERVER_LISTEN_MAX) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "--listen is given %u times: %d are legal",
                         listen->count, SERVER_LISTEN_MAX);
    }
    for (uint32_t i = 0; i < listen->count; i++) {
        struct endpoint *endpoint = &config->listen[i];
        enum status status = endpoint_parse(listen->items[i].text, endpoint, fault);
        if (status != STATUS_OK) {
            fault_prefix(fault, "--listen ");
            return status;
        }
        if (!everywhere && !endpoint_is_loopback(endpoint)) {
            return fault_set(
                fault, STATUS_INVALID_ARGUMENT,
                "--listen %.100s reaches beyond this machine: --tokens FILE, or knowingly --open, is needed",
                listen->items[i].text);
        }
        config->listen_count++;
    }
    if (config->listen_count == 0 && everywhere) {
        serve_options_add_default(config, "");
    } else if (config->listen_count == 0) {
        serve_options_add_default(config, "127.0.0.1");
        if (serve_options_has_ipv6()) {
            serve_options_add_default(config, "::1");
        }
    }
    return STATUS_OK;
}

static struct vec2 serve_options_vec2(const struct option_set *options, const char *name)
{
    const struct option_value *value = option_set_get(options, name);
    ASSERT(value->count == 2);
    return vec2((float)value->items[0].number, (float)value->items[1].number);
}

/* all: defaults too; else only what somebody gave. */
static void serve_options_world(const struct option_set *options, struct steer_world_config *world, bool all)
{
    if (all || option_set_get(options, "world-min")->given) {
        world->min_m = serve_options_vec2(options, "world-min");
    }
    if (all || option_set_get(options, "world-max")->given) {
        world->max_m = serve_options_vec2(options, "world-max");
    }
    if (all || option_set_get(options, "tick-rate")->given) {
        world->tick_rate_hz = (uint32_t)option_set_uint(options, "tick-rate");
    }
    if (all || option_set_get(options, "seed")->given) {
        world->seed = option_set_uint(options, "seed");
    }
    if (all || option_set_get(options, "agents-max")->given) {
        world->agents_max = (uint32_t)option_set_uint(options, "agents-max");
    }
    if (all || option_set_get(options, "obstacles-max")->given) {
        world->obstacles_max = (uint32_t)option_set_uint(options, "obstacles-max");
    }
}

void serve_options_override_world(const struct option_set *options, struct steer_world_config *world)
{
    serve_options_world(options, world, false);
}

enum status serve_options_config(const struct option_set *options, struct server_config *config,
                                 struct fault *fault)
{
    *config = (struct server_config){
        .tokens_path = option_set_text(options, "tokens"),
        .snapshot_interval_ticks = (uint32_t)(option_set_text(options, "snapshot-interval")[0] - '0'),
        .threads = option_set_get(options, "threads")->given ? (uint32_t)option_set_uint(options, "threads")
                                                             : job_pool_cores(),
        .connections_max = (uint32_t)option_set_uint(options, "connections-max"),
        .viewers_max = (uint32_t)option_set_uint(options, "viewers-max"),
        .queries_max = SERVE_QUERIES_MAX,
        .inbox_entries_max = (uint32_t)option_set_uint(options, "inbox-max"),
        .inbox_bytes = option_set_uint(options, "inbox-memory") * SERVE_MIB,
        .client_frame_bytes_max = option_set_uint(options, "client-frame-max"),
        .server_frame_bytes_max = option_set_uint(options, "server-frame-max"),
        .queue_bytes_max = option_set_uint(options, "queue-max"),
        .send_buffer_bytes = SERVE_SEND_BUFFER,
        .snapshot_pool_bytes_max = option_set_uint(options, "snapshot-memory") * SERVE_MIB,
        .message_pool_bytes_max = option_set_uint(options, "message-memory") * SERVE_MIB,
    };
    steer_world_config_init(&config->world);
    serve_options_world(options, &config->world, true);
    if (config->tokens_path != NULL && option_set_flag(options, "open")) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "--tokens and --open do not go together: one asks for a token, "
                         "the other for none");
    }
    struct vec2 size_m = vec2_sub(config->world.max_m, config->world.min_m);
    if (option_set_text(options, "scenario") == NULL && (size_m.x < 1.0f || size_m.y < 1.0f)) {
        return fault_set(fault, STATUS_OUT_OF_RANGE,
                         "--world-max %g,%g is not 1 m beyond --world-min %g,%g on both axes",
                         (double)config->world.max_m.x, (double)config->world.max_m.y,
                         (double)config->world.min_m.x, (double)config->world.min_m.y);
    }
    return serve_options_listen(options, config, fault);
}
