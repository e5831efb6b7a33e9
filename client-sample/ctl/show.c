/* One agent or obstacle printed, for query and watch. */
#include "show.h"

#include "json.h"
#include "text.h"

/* The keys that both JSON forms of an agent begin with. */
static void show_agent_motion(FILE *out, const struct steerd_agent *agent)
{
    fprintf(out, "{\"id\": %u, \"x\": ", agent->id);
    json_float(out, agent->position_m.x);
    fputs(", \"y\": ", out);
    json_float(out, agent->position_m.y);
    fputs(", \"vx\": ", out);
    json_float(out, agent->velocity_mps.x);
    fputs(", \"vy\": ", out);
    json_float(out, agent->velocity_mps.y);
    fputs(", \"orientation_deg\": ", out);
    json_float(out, agent->orientation_deg);
}

void show_agent_json(FILE *out, const struct steerd_agent *agent)
{
    show_agent_motion(out, agent);
    fputc('}', out);
}

void show_agent_json_full(FILE *out, const struct steerd_agent *agent)
{
    show_agent_motion(out, agent);
    fputs(", \"rotation_deg_s\": ", out);
    json_float(out, agent->rotation_deg_s);
    fputs(", \"radius\": ", out);
    json_float(out, agent->radius_m);
    fprintf(out, ", \"tag\": %llu, \"profile\": %u, \"state\": \"%s\"}", (unsigned long long)agent->tag,
            agent->profile, text_agent_state(agent->state));
}

void show_agent_head(FILE *out)
{
    fprintf(out, "%10s %9s %9s %8s %8s %8s %8s  %s", "id", "x m", "y m", "speed", "heading", "radius",
            "profile", "state");
}

void show_agent_row(FILE *out, const struct steerd_agent *agent)
{
    fprintf(out, "%10u %9.2f %9.2f %8.2f %8.1f %8.2f %8u  %s", agent->id, (double)agent->position_m.x,
            (double)agent->position_m.y, (double)vec2_length(agent->velocity_mps),
            (double)agent->orientation_deg, (double)agent->radius_m, agent->profile,
            text_agent_state(agent->state));
}

static void show_point_json(FILE *out, struct vec2 point)
{
    fputc('[', out);
    json_float(out, point.x);
    fputs(", ", out);
    json_float(out, point.y);
    fputc(']', out);
}

void show_obstacle_json(FILE *out, const struct steerd_obstacle *obstacle)
{
    fprintf(out, "{\"id\": %u, \"name\": ", obstacle->id);
    json_text(out, obstacle->name);
    switch (obstacle->shape) {
    case STEERD_SHAPE_CIRCLE:
        fputs(", \"circle\": {\"center\": ", out);
        show_point_json(out, obstacle->center_m);
        fputs(", \"radius\": ", out);
        json_float(out, obstacle->radius_m);
        break;
    case STEERD_SHAPE_BOX:
        fputs(", \"box\": {\"center\": ", out);
        show_point_json(out, obstacle->center_m);
        fputs(", \"size\": ", out);
        show_point_json(out, obstacle->size_m);
        fputs(", \"orientation\": ", out);
        json_float(out, obstacle->orientation_deg);
        break;
    case STEERD_SHAPE_SEGMENT:
        fputs(", \"segment\": {\"a\": ", out);
        show_point_json(out, obstacle->points_m[0]);
        fputs(", \"b\": ", out);
        show_point_json(out, obstacle->points_m[1]);
        break;
    case STEERD_SHAPE_POLYGON:
        fputs(", \"polygon\": {\"points\": [", out);
        for (uint32_t i = 0; i < obstacle->point_count; i++) {
            fputs(i == 0 ? "" : ", ", out);
            show_point_json(out, obstacle->points_m[i]);
        }
        fputc(']', out);
        break;
    }
    fputs("}}", out);
}

static void show_point_text(FILE *out, struct vec2 point)
{
    fprintf(out, "%g,%g", (double)point.x, (double)point.y);
}

void show_obstacle_row(FILE *out, const struct steerd_obstacle *obstacle)
{
    fprintf(out, "%10u  ", obstacle->id);
    switch (obstacle->shape) {
    case STEERD_SHAPE_CIRCLE:
        fputs("circle   center ", out);
        show_point_text(out, obstacle->center_m);
        fprintf(out, ", radius %g m", (double)obstacle->radius_m);
        break;
    case STEERD_SHAPE_BOX:
        fputs("box      center ", out);
        show_point_text(out, obstacle->center_m);
        fprintf(out, ", %g x %g m, turned %g degrees", (double)obstacle->size_m.x, (double)obstacle->size_m.y,
                (double)obstacle->orientation_deg);
        break;
    case STEERD_SHAPE_SEGMENT:
        fputs("segment  ", out);
        show_point_text(out, obstacle->points_m[0]);
        fputs(" to ", out);
        show_point_text(out, obstacle->points_m[1]);
        break;
    case STEERD_SHAPE_POLYGON:
        fputs("polygon ", out);
        for (uint32_t i = 0; i < obstacle->point_count; i++) {
            fputc(' ', out);
            show_point_text(out, obstacle->points_m[i]);
        }
        break;
    }
    if (obstacle->name[0] != '\0') {
        fputs("  (", out);
        text_print(out, obstacle->name);
        fputc(')', out);
    }
}
