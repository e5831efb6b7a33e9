/* Prints where the fields of steer.h's structures lie and what its names are worth; built inside and outside.
 */
#include <stddef.h>
#include <stdio.h>

#include "steer.h"

#ifdef STEER_INSIDE
#define STEER_STATUS_OK                  STATUS_OK
#define STEER_STATUS_INVALID_ARGUMENT    STATUS_INVALID_ARGUMENT
#define STEER_STATUS_NOT_FOUND           STATUS_NOT_FOUND
#define STEER_STATUS_RESOURCE_EXHAUSTED  STATUS_RESOURCE_EXHAUSTED
#define STEER_STATUS_FAILED_PRECONDITION STATUS_FAILED_PRECONDITION
#define STEER_STATUS_OUT_OF_RANGE        STATUS_OUT_OF_RANGE
#endif

#define SIZE(type)         printf("%s %zu\n", #type, sizeof(struct type))
#define FIELD(type, field) printf("%s.%s %zu\n", #type, #field, offsetof(struct type, field))
#define VALUE(name)        printf("%s %d\n", #name, (int)(name))

int main(void)
{
    puts("vec2");
    printf("%zu %zu %zu\n", sizeof(struct steer_vec2), offsetof(struct steer_vec2, x),
           offsetof(struct steer_vec2, y));
    puts("fault");
    printf("%zu %zu %zu\n", sizeof(struct steer_fault), offsetof(struct steer_fault, status),
           offsetof(struct steer_fault, text));
    printf("status %zu\n", sizeof(enum steer_status));
    VALUE(STEER_STATUS_OK == 0);
    printf("%d %d %d %d %d\n", STEER_STATUS_INVALID_ARGUMENT, STEER_STATUS_NOT_FOUND,
           STEER_STATUS_RESOURCE_EXHAUSTED, STEER_STATUS_FAILED_PRECONDITION, STEER_STATUS_OUT_OF_RANGE);
    SIZE(steer_goal);
    SIZE(steer_area);
    SIZE(steer_shape);
    SIZE(steer_profile);
    SIZE(steer_profile_behaviour);
    SIZE(steer_world_config);
    SIZE(steer_agent_spec);
    SIZE(steer_crowd_spec);
    SIZE(steer_target_spec);
    SIZE(steer_obstacle);
    SIZE(steer_agent_columns);
    SIZE(steer_world_changes);
    SIZE(steer_world_event);
    SIZE(steer_world_phases);
    FIELD(steer_agent_spec, goal);
    FIELD(steer_crowd_spec, goal_path_m);
    FIELD(steer_shape, points_m);
    FIELD(steer_world_event, position_m);
    return 0;
}
