/* Sends a query and gathers its pieces. The commands that ask are in commands/query_*.c. */
#include "query.h"

#include <stdlib.h>

#include "session.h"

/* What the handler needs. */
struct query_gathering {
    const struct query_form *form;
    struct query_answer answer;
    bool begun;
};

static void query_on_piece(void *context, const Steerd__V1__QueryResult *piece)
{
    struct query_gathering *gathering = context;
    if (!gathering->begun) {
        gathering->begun = true;
        gathering->answer.tick = piece->tick;
    }
    if (gathering->answer.status == STATUS_OK) {
        gathering->form->on_piece(&gathering->answer, piece);
    }
}

/* Connects, asks and waits for the last piece and the result behind it. */
static enum status query_exchange(const struct ctl_call *call, Steerd__V1__Query *query,
                                  struct query_gathering *gathering, struct fault *fault)
{
    const struct steerd_client_handlers handlers = {.context = gathering, .on_query_result = query_on_piece};
    struct steerd_client *client;
    enum status status = session_open(call, &handlers, &client, fault);
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_QUERY;
    message.query = query;
    status = steerd_client_request(client, &message, SESSION_REQUEST_TIMEOUT_MS, NULL, fault);
    steerd_client_destroy(client);
    if (status == STATUS_OK && gathering->answer.status != STATUS_OK) {
        *fault = gathering->answer.fault;
        return gathering->answer.status;
    }
    if (status == STATUS_OK && !gathering->begun) {
        return fault_set(fault, STATUS_DATA_LOSS, "%s answered the query with nothing", call->server);
    }
    return status;
}

enum ctl_exit query_ask(const struct ctl_call *call, Steerd__V1__Query *query, const struct query_form *form)
{
    struct fault fault = {0};
    char *body = NULL;
    size_t size = 0;
    struct query_gathering gathering = {.form = form, .answer = {.json = call->json}};
    gathering.answer.body = open_memstream(&body, &size);
    if (gathering.answer.body == NULL) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
        return session_print_fault(call, &fault);
    }
    enum status status = query_exchange(call, query, &gathering, &fault);
    if (fclose(gathering.answer.body) != 0 && status == STATUS_OK) {
        status = fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory for the answer");
    }
    gathering.answer.body = NULL;
    if (status == STATUS_OK) {
        form->print(call->out, &gathering.answer, body);
    }
    free(body);
    return status == STATUS_OK ? CTL_EXIT_DONE : session_print_fault(call, &fault);
}
