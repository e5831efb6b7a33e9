/* One agent's row as bytes: the innermost step of snapshots and query results. */
#include "wire/agent_state.h"

#include "steerd/v1/steerd.pb-c.h"
#include "wire/pb_writer.h"

/* The sim's states go onto the wire as they are. */
_Static_assert((int)STEER_AGENT_STATE_IDLE == (int)STEERD__V1__AGENT_STATE__STATE__IDLE, "idle");
_Static_assert((int)STEER_AGENT_STATE_MOVING == (int)STEERD__V1__AGENT_STATE__STATE__MOVING, "moving");
_Static_assert((int)STEER_AGENT_STATE_ARRIVED == (int)STEERD__V1__AGENT_STATE__STATE__ARRIVED, "arrived");
_Static_assert((int)STEER_AGENT_STATE_BLOCKED == (int)STEERD__V1__AGENT_STATE__STATE__BLOCKED, "blocked");
_Static_assert((int)STEER_AGENT_STATE_DRIVEN == (int)STEERD__V1__AGENT_STATE__STATE__DRIVEN, "driven");
_Static_assert(AGENT_STATE_SIZE_MAX < 128, "the length of an entry is one byte");

/* Field numbers of AgentState and Vec2; the test decodes what is written with the generated code. */
enum agent_state_field {
    AGENT_STATE_FIELD_ID = 1,
    AGENT_STATE_FIELD_TAG = 2,
    AGENT_STATE_FIELD_POSITION = 3,
    AGENT_STATE_FIELD_VELOCITY = 4,
    AGENT_STATE_FIELD_ORIENTATION_DEG = 5,
    AGENT_STATE_FIELD_ROTATION_DEG_S = 6,
    AGENT_STATE_FIELD_RADIUS = 7,
    AGENT_STATE_FIELD_PROFILE = 8,
    AGENT_STATE_FIELD_STATE = 9,
};

size_t agent_state_size(const struct steer_agent_columns *columns, uint32_t row)
{
    size_t size = 2 + 2 + 2; /* tags and lengths of the entry, of position and of velocity */
    size += pb_size_uint(columns->id[row]);
    size += pb_size_uint(columns->tag[row]);
    size += pb_size_float(columns->x_m[row]) + pb_size_float(columns->y_m[row]);
    size += pb_size_float(columns->vx_mps[row]) + pb_size_float(columns->vy_mps[row]);
    size += pb_size_float(columns->orientation_deg[row]);
    size += pb_size_float(columns->rotation_deg_s[row]);
    size += pb_size_float(columns->radius_m[row]);
    size += pb_size_uint(columns->profile[row]);
    size += pb_size_uint(columns->state[row]);
    return size;
}

static uint8_t *agent_state_put_vec2(uint8_t *at, uint32_t number, float x, float y)
{
    at = pb_put_head(at, number, pb_size_float(x) + pb_size_float(y));
    at = pb_put_float(at, 1, x);
    return pb_put_float(at, 2, y);
}

uint8_t *agent_state_put(uint8_t *at, uint32_t number, const struct steer_agent_columns *columns,
                         uint32_t row)
{
    uint8_t *length = pb_put_tag(at, number, PB_PUT_BYTES);
    uint8_t *body = length + 1;
    at = pb_put_uint(body, AGENT_STATE_FIELD_ID, columns->id[row]);
    at = pb_put_uint(at, AGENT_STATE_FIELD_TAG, columns->tag[row]);
    at = agent_state_put_vec2(at, AGENT_STATE_FIELD_POSITION, columns->x_m[row], columns->y_m[row]);
    at = agent_state_put_vec2(at, AGENT_STATE_FIELD_VELOCITY, columns->vx_mps[row], columns->vy_mps[row]);
    at = pb_put_float(at, AGENT_STATE_FIELD_ORIENTATION_DEG, columns->orientation_deg[row]);
    at = pb_put_float(at, AGENT_STATE_FIELD_ROTATION_DEG_S, columns->rotation_deg_s[row]);
    at = pb_put_float(at, AGENT_STATE_FIELD_RADIUS, columns->radius_m[row]);
    at = pb_put_uint(at, AGENT_STATE_FIELD_PROFILE, columns->profile[row]);
    at = pb_put_uint(at, AGENT_STATE_FIELD_STATE, columns->state[row]);
    *length = (uint8_t)(at - body);
    return at;
}
