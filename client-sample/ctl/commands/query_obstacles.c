/* query obstacles, also called obstacle list. */
#include "query.h"
#include "show.h"

static void query_obstacles_on_piece(struct query_answer *answer, const Steerd__V1__QueryResult *piece)
{
    for (size_t i = 0; i < piece->n_obstacles; i++) {
        struct steerd_obstacle obstacle;
        answer->status = steerd_obstacle_read(piece->obstacles[i], &obstacle, &answer->fault);
        if (answer->status != STATUS_OK) {
            return;
        }
        if (answer->json) {
            fputs(answer->count == 0 ? "" : ", ", answer->body);
            show_obstacle_json(answer->body, &obstacle);
        } else {
            show_obstacle_row(answer->body, &obstacle);
            fputc('\n', answer->body);
        }
        answer->count++;
    }
}

static void query_obstacles_print(FILE *out, const struct query_answer *answer, const char *body)
{
    unsigned long long tick = answer->tick;
    if (answer->json) {
        fprintf(out, "{\"tick\": %llu, \"obstacles\": [%s]}\n", tick, body);
    } else {
        fprintf(out, "%s%llu obstacle%s at tick %llu.\n", body, (unsigned long long)answer->count,
                answer->count == 1 ? "" : "s", tick);
    }
}

static enum ctl_exit query_obstacles_run(const struct ctl_call *call)
{
    static const struct query_form form = {query_obstacles_on_piece, query_obstacles_print};
    Steerd__V1__Query query = STEERD__V1__QUERY__INIT;
    query.obstacles = true;
    return query_ask(call, &query, &form);
}

const struct ctl_command ctl_command_query_obstacles = {
    .usage = "",
    .summary = "Lists obstacles with their shapes.",
    .role = STEERD__V1__ROLE__ROLE_VIEWER,
    .run = query_obstacles_run,
};

const struct ctl_command ctl_command_obstacle_list = {
    .usage = "",
    .summary = "Lists obstacles with their shapes.",
    .role = STEERD__V1__ROLE__ROLE_VIEWER,
    .run = query_obstacles_run,
};
