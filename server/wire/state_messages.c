/* The slow-changing part of the world as messages, for update.c and query.c. */
#include "wire/state_messages.h"

#include "base/assert.h"

/* protobuf-c's structs want char *; packing only reads. */
static char *state_text(const char *text)
{
    return (char *)(uintptr_t)text;
}

static Steerd__V1__Vec2 *state_point(Steerd__V1__Vec2 *out, struct vec2 in)
{
    steerd__v1__vec2__init(out);
    out->x = in.x;
    out->y = in.y;
    return out;
}

/* ---- obstacles ---- */

static void obstacle_message_circle(struct obstacle_message *message, const struct steer_shape *shape)
{
    steerd__v1__circle__init(&message->circle);
    message->circle.center = state_point(&message->points[0], shape->center_m);
    message->circle.radius = shape->radius_m;
    message->obstacle.shape_case = STEERD__V1__OBSTACLE__SHAPE_CIRCLE;
    message->obstacle.circle = &message->circle;
}

static void obstacle_message_box(struct obstacle_message *message, const struct steer_shape *shape)
{
    steerd__v1__box__init(&message->box);
    message->box.center = state_point(&message->points[0], shape->center_m);
    message->box.size = state_point(&message->points[1], shape->size_m);
    message->box.orientation_deg = shape->orientation_deg;
    message->obstacle.shape_case = STEERD__V1__OBSTACLE__SHAPE_BOX;
    message->obstacle.box = &message->box;
}

static void obstacle_message_segment(struct obstacle_message *message, const struct steer_shape *shape)
{
    steerd__v1__segment__init(&message->segment);
    message->segment.a = state_point(&message->points[0], shape->points_m[0]);
    message->segment.b = state_point(&message->points[1], shape->points_m[1]);
    message->obstacle.shape_case = STEERD__V1__OBSTACLE__SHAPE_SEGMENT;
    message->obstacle.segment = &message->segment;
}

static void obstacle_message_polygon(struct obstacle_message *message, const struct steer_shape *shape)
{
    ASSERT(shape->point_count <= STEER_SHAPE_POINTS_MAX);
    steerd__v1__polygon__init(&message->polygon);
    for (uint32_t i = 0; i < shape->point_count; i++) {
        message->point_list[i] = state_point(&message->points[i], shape->points_m[i]);
    }
    message->polygon.n_points = shape->point_count;
    message->polygon.points = message->point_list;
    message->obstacle.shape_case = STEERD__V1__OBSTACLE__SHAPE_POLYGON;
    message->obstacle.polygon = &message->polygon;
}

const ProtobufCMessage *obstacle_message_fill(struct obstacle_message *message,
                                              const struct steer_obstacle *obstacle)
{
    steerd__v1__obstacle__init(&message->obstacle);
    message->obstacle.id = obstacle->id.value;
    message->obstacle.name = state_text(obstacle->name);
    switch (obstacle->shape.kind) {
    case STEER_SHAPE_CIRCLE:
        obstacle_message_circle(message, &obstacle->shape);
        break;
    case STEER_SHAPE_BOX:
        obstacle_message_box(message, &obstacle->shape);
        break;
    case STEER_SHAPE_SEGMENT:
        obstacle_message_segment(message, &obstacle->shape);
        break;
    case STEER_SHAPE_POLYGON:
        obstacle_message_polygon(message, &obstacle->shape);
        break;
    }
    return &message->obstacle.base;
}

/* ---- profiles ---- */

static Steerd__V1__Combination profile_message_combination(enum steer_combination combination)
{
    switch (combination) {
    case STEER_COMBINATION_BLEND:
        return STEERD__V1__COMBINATION__COMBINATION_BLEND;
    case STEER_COMBINATION_PRIORITY:
        return STEERD__V1__COMBINATION__COMBINATION_PRIORITY;
    case STEER_COMBINATION_BUDGET:
        return STEERD__V1__COMBINATION__COMBINATION_BUDGET;
    }
    return STEERD__V1__COMBINATION__COMBINATION_UNSPECIFIED;
}

static Steerd__V1__Rest profile_message_rest(enum steer_rest rest)
{
    switch (rest) {
    case STEER_REST_BRAKE:
        return STEERD__V1__REST__REST_BRAKE;
    case STEER_REST_STOP:
        return STEERD__V1__REST__REST_STOP;
    case STEER_REST_COAST:
        return STEERD__V1__REST__REST_COAST;
    }
    return STEERD__V1__REST__REST_UNSPECIFIED;
}

static void profile_message_behaviour(struct profile_message *message, uint32_t index,
                                      const struct steer_profile_behaviour *behaviour)
{
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour->behaviour);
    Steerd__V1__ProfileBehaviour *out = &message->behaviours[index];
    steerd__v1__profile_behaviour__init(out);
    out->name = state_text(info->name);
    out->weight = behaviour->weight;
    out->group = behaviour->group;
    out->n_parameters = info->parameter_count;
    out->parameters = message->parameter_list[index];
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        Steerd__V1__BehaviourParameter *parameter = &message->parameters[index][i];
        steerd__v1__behaviour_parameter__init(parameter);
        parameter->name = state_text(info->parameters[i].name);
        parameter->value = behaviour->parameters[i];
        message->parameter_list[index][i] = parameter;
    }
    message->behaviour_list[index] = out;
}

const ProtobufCMessage *profile_message_fill(struct profile_message *message, uint32_t index,
                                             const struct steer_profile *profile)
{
    steerd__v1__limits__init(&message->limits);
#define LIMIT(name, unit, min, max, default_value, summary) message->limits.name = profile->limits.name;
    STEER_LIMITS(LIMIT)
#undef LIMIT
    steerd__v1__profile__init(&message->profile);
    message->profile.index = index;
    message->profile.name = state_text(profile->name);
    message->profile.limits = &message->limits;
    message->profile.combination = profile_message_combination(profile->combination);
    message->profile.rest = profile_message_rest(profile->rest);
    message->profile.n_behaviours = profile->behaviour_count;
    message->profile.behaviours = message->behaviour_list;
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        profile_message_behaviour(message, i, &profile->behaviours[i]);
    }
    return &message->profile.base;
}

/* ---- behaviours ---- */

const ProtobufCMessage *behaviour_message_fill(struct behaviour_message *message,
                                               const struct steer_behaviour_info *info)
{
    ASSERT(info->parameter_count <= STEER_BEHAVIOUR_PARAMETERS_MAX);
    steerd__v1__behaviour_info__init(&message->behaviour);
    message->behaviour.name = state_text(info->name);
    message->behaviour.summary = state_text(info->summary);
    message->behaviour.n_parameters = info->parameter_count;
    message->behaviour.parameters = message->parameter_list;
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const struct steer_behaviour_parameter *in = &info->parameters[i];
        Steerd__V1__ParameterInfo *out = &message->parameters[i];
        steerd__v1__parameter_info__init(out);
        out->name = state_text(in->name);
        out->unit = state_text(in->unit);
        out->min = in->min;
        out->max = in->max;
        out->default_value = in->default_value;
        out->summary = state_text(in->summary);
        message->parameter_list[i] = out;
    }
    return &message->behaviour.base;
}
