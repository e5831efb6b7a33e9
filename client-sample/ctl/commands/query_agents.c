/* query agents: everything about some agents or all. */
#include "query.h"
#include "session.h"
#include "show.h"
#include "values.h"

static const struct option_spec query_agents_options[] = {
    VALUES_OPTION_IDS("Only these agents; one that is not there is left out."),
    VALUES_OPTION_NUMBERS("area", "X1,Y1,X2,Y2", 4, 4, "Only agents whose centre is in here, metres."),
};

static void query_agents_on_piece(struct query_answer *answer, const Steerd__V1__QueryResult *piece)
{
    for (size_t i = 0; i < piece->n_agents; i++) {
        struct steerd_agent agent;
        answer->status = steerd_agent_read(piece->agents[i], &agent, &answer->fault);
        if (answer->status != STATUS_OK) {
            return;
        }
        if (answer->json) {
            fputs(answer->count == 0 ? "" : ", ", answer->body);
            show_agent_json_full(answer->body, &agent);
        } else {
            show_agent_row(answer->body, &agent);
            fputc('\n', answer->body);
        }
        answer->count++;
    }
}

static void query_agents_print(FILE *out, const struct query_answer *answer, const char *body)
{
    unsigned long long tick = answer->tick;
    if (answer->json) {
        fprintf(out, "{\"tick\": %llu, \"agents\": [%s]}\n", tick, body);
        return;
    }
    if (answer->count > 0) {
        show_agent_head(out);
        fputc('\n', out);
    }
    fprintf(out, "%s%llu agent%s at tick %llu.\n", body, (unsigned long long)answer->count,
            answer->count == 1 ? "" : "s", tick);
}

static enum ctl_exit query_agents_run(const struct ctl_call *call)
{
    static const struct query_form form = {query_agents_on_piece, query_agents_print};
    struct fault fault = {0};
    struct arena arena;
    if (!arena_init(&arena, CTL_ARENA_BYTES)) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
        return session_print_fault(call, &fault);
    }
    Steerd__V1__AgentFilter filter = STEERD__V1__AGENT_FILTER__INIT;
    filter.ids = values_ids(&arena, call->options, &filter.n_ids);
    filter.area = values_rectangle(&arena, option_set_get(call->options, "area"));
    Steerd__V1__Query query = STEERD__V1__QUERY__INIT;
    query.agents = &filter;
    enum ctl_exit code = query_ask(call, &query, &form);
    arena_deinit(&arena);
    return code;
}

const struct ctl_command ctl_command_query_agents = {
    .usage = "[--id N...] [--area X1,Y1,X2,Y2]",
    .summary = "Lists agents: place, speed, heading, state.",
    .details =
        "Speed is in m/s, heading in degrees (0 is +y, growing clockwise), radius in metres; profile is the\n"
        "place in `profile list`, from 0.",
    CTL_OPTIONS(query_agents_options),
    .role = STEERD__V1__ROLE__ROLE_VIEWER,
    .run = query_agents_run,
};
