/* The way of most commands: options become a message, the message is sent, its result is printed. */
#include "session.h"

#include "base/assert.h"
#include "json.h"
#include "text.h"

enum status session_open(const struct ctl_call *call, const struct steerd_client_handlers *handlers,
                         struct steerd_client **out, struct fault *fault)
{
    struct steerd_client_options options = {
        .name = "steerctl", .token = call->token, .role = call->command->role};
    if (handlers != NULL) {
        options.handlers = *handlers;
    }
    struct steerd_client *client = steerd_client_create(&options);
    if (client == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
    }
    enum status status = steerd_client_connect(client, call->server, SESSION_CONNECT_TIMEOUT_MS, fault);
    if (status != STATUS_OK) {
        steerd_client_destroy(client);
        return status;
    }
    *out = client;
    return STATUS_OK;
}

void session_print_json(FILE *out, const struct steerd_result *result)
{
    fprintf(out, "{\"code\": \"%s\", \"message\": ", status_name(result->code));
    json_text(out, result->message);
    fprintf(out, ", \"tick\": %llu, \"first_id\": %u, \"count\": %u}\n", (unsigned long long)result->tick,
            result->first_id, result->id_count);
}

enum ctl_exit session_print_fault(const struct ctl_call *call, const struct fault *fault)
{
    fputs("steerctl: ", call->err);
    text_print(call->err, fault->text);
    fputc('\n', call->err);
    return CTL_EXIT_FAILED;
}

enum ctl_exit session_command(const struct ctl_call *call, Steerd__V1__ClientMessage *message)
{
    struct fault fault = {0};
    struct steerd_client *client = NULL;
    struct steerd_result result = {.code = STATUS_UNKNOWN};
    enum status status = session_open(call, NULL, &client, &fault);
    bool answered = false;
    if (status == STATUS_OK) {
        status = steerd_client_request(client, message, SESSION_REQUEST_TIMEOUT_MS, &result, &fault);
        answered = result.code != STATUS_UNKNOWN;
        steerd_client_destroy(client);
    }
    if (answered && call->json) {
        session_print_json(call->out, &result);
    } else if (status == STATUS_OK) {
        call->command->say(call->out, call->options, &result);
    }
    return status == STATUS_OK ? CTL_EXIT_DONE : session_print_fault(call, &fault);
}

enum ctl_exit session_run(const struct ctl_call *call)
{
    struct fault fault = {0};
    struct arena arena;
    if (!arena_init(&arena, CTL_ARENA_BYTES)) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
        return session_print_fault(call, &fault);
    }
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    enum ctl_exit code;
    if (call->command->build(call->options, &arena, &message, &fault) != STATUS_OK) {
        session_print_fault(call, &fault);
        code = CTL_EXIT_USAGE;
    } else {
        ASSERT(message.body_case != STEERD__V1__CLIENT_MESSAGE__BODY__NOT_SET);
        code = session_command(call, &message);
    }
    arena_deinit(&arena);
    return code;
}
