/* obstacle place and remove. What is there is listed by query.c. */
#include "command.h"
#include "text.h"
#include "values.h"

#define OBSTACLE_POLYGON_MAX 32 /* numbers: 16 corners */

static const struct option_spec obstacle_place_options[] = {
    VALUES_OPTION_NUMBERS("circle", "X,Y,R", 3, 3, "A round one: centre and radius, metres."),
    VALUES_OPTION_NUMBERS(
        "box", "X,Y,W,H[,DEG]", 4, 5,
        "A box: centre, width along x, height along y, metres; turned clockwise by DEG degrees."),
    VALUES_OPTION_NUMBERS("segment", "X1,Y1,X2,Y2", 4, 4, "A wall without thickness, metres."),
    VALUES_OPTION_NUMBERS("polygon", "X,Y,X,Y,X,Y...", 6, OBSTACLE_POLYGON_MAX,
                          "A convex polygon of 3 to 16 corners, metres."),
    {.name = "name", .kind = OPTION_TEXT, .value_name = "NAME", .help = "Its name, at most 31 bytes."},
};

static void obstacle_build_circle(struct arena *arena, const struct option_value *value,
                                  Steerd__V1__Obstacle *obstacle)
{
    Steerd__V1__Circle *circle = values_take(arena, sizeof *circle);
    steerd__v1__circle__init(circle);
    circle->center = values_point(arena, value);
    circle->radius = values_number(value, 2);
    obstacle->shape_case = STEERD__V1__OBSTACLE__SHAPE_CIRCLE;
    obstacle->circle = circle;
}

static void obstacle_build_box(struct arena *arena, const struct option_value *value,
                               Steerd__V1__Obstacle *obstacle)
{
    Steerd__V1__Box *box = values_take(arena, sizeof *box);
    steerd__v1__box__init(box);
    box->center = values_point(arena, value);
    box->size = values_point_at(arena, value, 2);
    box->orientation_deg = value->count > 4 ? values_number(value, 4) : 0.0f;
    obstacle->shape_case = STEERD__V1__OBSTACLE__SHAPE_BOX;
    obstacle->box = box;
}

static void obstacle_build_segment(struct arena *arena, const struct option_value *value,
                                   Steerd__V1__Obstacle *obstacle)
{
    Steerd__V1__Segment *segment = values_take(arena, sizeof *segment);
    steerd__v1__segment__init(segment);
    segment->a = values_point(arena, value);
    segment->b = values_point_at(arena, value, 2);
    obstacle->shape_case = STEERD__V1__OBSTACLE__SHAPE_SEGMENT;
    obstacle->segment = segment;
}

static enum status obstacle_build_polygon(struct arena *arena, const struct option_value *value,
                                          Steerd__V1__Obstacle *obstacle, struct fault *fault)
{
    Steerd__V1__Polygon *polygon = values_take(arena, sizeof *polygon);
    steerd__v1__polygon__init(polygon);
    obstacle->shape_case = STEERD__V1__OBSTACLE__SHAPE_POLYGON;
    obstacle->polygon = polygon;
    return values_points(arena, "polygon", value, &polygon->points, &polygon->n_points, fault);
}

static enum status obstacle_place_build(const struct option_set *options, struct arena *arena,
                                        Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = values_check_one_of(
        options, (const char *const[]){"circle", "box", "segment", "polygon", NULL}, true, fault);
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__Obstacle *obstacle = values_take(arena, sizeof *obstacle);
    steerd__v1__obstacle__init(obstacle);
    obstacle->name = values_text(options, "name");
    if (option_set_get(options, "circle")->given) {
        obstacle_build_circle(arena, option_set_get(options, "circle"), obstacle);
    } else if (option_set_get(options, "box")->given) {
        obstacle_build_box(arena, option_set_get(options, "box"), obstacle);
    } else if (option_set_get(options, "segment")->given) {
        obstacle_build_segment(arena, option_set_get(options, "segment"), obstacle);
    } else {
        status = obstacle_build_polygon(arena, option_set_get(options, "polygon"), obstacle, fault);
    }
    Steerd__V1__PlaceObstacles *place = values_take(arena, sizeof *place);
    steerd__v1__place_obstacles__init(place);
    place->n_obstacles = 1;
    place->obstacles = values_take_list(arena, 1);
    place->obstacles[0] = obstacle;
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_PLACE_OBSTACLES;
    message->place_obstacles = place;
    return status;
}

static void obstacle_place_say(FILE *out, const struct option_set *options,
                               const struct steerd_result *result)
{
    (void)options;
    fputs("Placed ", out);
    text_print_ids(out, "obstacle", result);
    fprintf(out, " at tick %llu.\n", (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_obstacle_place = {
    .usage = "--circle X,Y,R | --box X,Y,W,H[,DEG] | --segment X1,Y1,X2,Y2 | --polygon X,Y,X,Y,X,Y...",
    .summary = "Places an obstacle; agents that stand in it are pushed out.",
    CTL_OPTIONS(obstacle_place_options),
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = obstacle_place_build,
    .say = obstacle_place_say,
};

static const struct option_spec obstacle_remove_options[] = {
    VALUES_OPTION_IDS("Obstacles to remove."),
    {.name = "all", .kind = OPTION_FLAG, .help = "Every obstacle."},
};

static enum status obstacle_remove_build(const struct option_set *options, struct arena *arena,
                                         Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = values_check_ids(options, fault);
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__RemoveObstacles *remove = values_take(arena, sizeof *remove);
    steerd__v1__remove_obstacles__init(remove);
    remove->ids = values_ids(arena, options, &remove->n_ids);
    remove->all = option_set_flag(options, "all");
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_REMOVE_OBSTACLES;
    message->remove_obstacles = remove;
    return STATUS_OK;
}

static void obstacle_remove_say(FILE *out, const struct option_set *options,
                                const struct steerd_result *result)
{
    uint32_t count = option_set_get(options, "id")->count;
    if (option_set_flag(options, "all")) {
        fprintf(out, "Removed all obstacles at tick %llu.\n", (unsigned long long)result->tick);
    } else {
        fprintf(out, "Removed %u obstacle%s at tick %llu.\n", count, count == 1 ? "" : "s",
                (unsigned long long)result->tick);
    }
}

const struct ctl_command ctl_command_obstacle_remove = {
    .usage = "--id N... | --all",
    .summary = "Removes obstacles.",
    CTL_OPTIONS(obstacle_remove_options),
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = obstacle_remove_build,
    .say = obstacle_remove_say,
};
