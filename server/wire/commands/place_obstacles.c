/* PlaceObstacles: solid things of four shapes. */
#include <string.h>

#include "wire/commands/handlers.h"
#include "wire/convert.h"

static enum status place_obstacles_circle(const Steerd__V1__Circle *in, struct steer_shape *out,
                                          struct fault *fault)
{
    out->kind = STEER_SHAPE_CIRCLE;
    out->radius_m = in->radius;
    return convert_point(in->center, "circle.center", &out->center_m, fault);
}

static enum status place_obstacles_box(const Steerd__V1__Box *in, struct steer_shape *out,
                                       struct fault *fault)
{
    out->kind = STEER_SHAPE_BOX;
    out->orientation_deg = in->orientation_deg;
    enum status status = convert_point(in->center, "box.center", &out->center_m, fault);
    return status != STATUS_OK ? status : convert_point(in->size, "box.size", &out->size_m, fault);
}

static enum status place_obstacles_segment(const Steerd__V1__Segment *in, struct steer_shape *out,
                                           struct fault *fault)
{
    out->kind = STEER_SHAPE_SEGMENT;
    out->point_count = 2;
    enum status status = convert_point(in->a, "segment.a", &out->points_m[0], fault);
    return status != STATUS_OK ? status : convert_point(in->b, "segment.b", &out->points_m[1], fault);
}

static enum status place_obstacles_polygon(const Steerd__V1__Polygon *in, struct steer_shape *out,
                                           struct fault *fault)
{
    if (in->n_points > STEER_SHAPE_POINTS_MAX) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "polygon.points has %zu corners: 3 to %d are legal",
                         in->n_points, STEER_SHAPE_POINTS_MAX);
    }
    out->kind = STEER_SHAPE_POLYGON;
    out->point_count = (uint32_t)in->n_points;
    for (size_t i = 0; i < in->n_points; i++) {
        out->points_m[i] = convert_vector(in->points[i]);
    }
    return STATUS_OK;
}

static enum status place_obstacles_one(const Steerd__V1__Obstacle *in, struct steer_obstacle *out,
                                       struct fault *fault)
{
    size_t size = strlen(in->name);
    if (size >= sizeof out->name) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "name has %zu bytes: at most %zu are legal", size,
                         sizeof out->name - 1);
    }
    memcpy(out->name, in->name, size + 1);
    switch (in->shape_case) {
    case STEERD__V1__OBSTACLE__SHAPE_CIRCLE:
        return place_obstacles_circle(in->circle, &out->shape, fault);
    case STEERD__V1__OBSTACLE__SHAPE_BOX:
        return place_obstacles_box(in->box, &out->shape, fault);
    case STEERD__V1__OBSTACLE__SHAPE_SEGMENT:
        return place_obstacles_segment(in->segment, &out->shape, fault);
    case STEERD__V1__OBSTACLE__SHAPE_POLYGON:
        return place_obstacles_polygon(in->polygon, &out->shape, fault);
    case STEERD__V1__OBSTACLE__SHAPE__NOT_SET:
    case _STEERD__V1__OBSTACLE__SHAPE__CASE_IS_INT_SIZE:
        break;
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT,
                     "shape is missing: one of circle, box, segment and polygon is needed");
}

enum status command_apply_place_obstacles(const struct command_context *context,
                                          const Steerd__V1__PlaceObstacles *body,
                                          struct command_result *result)
{
    void *memory = NULL;
    enum status status = convert_list(context->scratch, body->n_obstacles, sizeof(struct steer_obstacle),
                                      "obstacles", &memory, &result->fault);
    struct steer_obstacle *obstacles = memory;
    for (size_t i = 0; status == STATUS_OK && i < body->n_obstacles; i++) {
        status = place_obstacles_one(body->obstacles[i], &obstacles[i], &result->fault);
        if (status != STATUS_OK) {
            fault_prefix(&result->fault, "obstacles[%zu].", i);
        }
    }
    if (status != STATUS_OK) {
        return status;
    }
    return steer_world_place_obstacles(context->world, obstacles, (uint32_t)body->n_obstacles, &result->made,
                                       &result->fault);
}
