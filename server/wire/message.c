/*
 * Frames become messages and messages become blobs. A frame is first walked as it stands (structure, text,
 * request id, body), then decoded by protobuf-c with memory from the caller's arena. Pure: what comes out
 * depends on the bytes alone.
 */
#include "wire/message.h"

#include <stdalign.h>
#include <string.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "wire/pb_reader.h"

#define MESSAGE_BUDGET_FACTOR 32
#define MESSAGE_BUDGET_MIN    ((size_t)1024) /* the outer structs alone are more than 32 times an empty Ping */

/* ---- the walk ---- */

/* What the walk over the outermost fields has seen. */
struct message_scan {
    uint64_t request_id;
    bool has_body;
    bool has_unknown_body;
};

static bool message_wire_type_fits(const ProtobufCFieldDescriptor *field, enum pb_wire_type wire_type)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return wire_type == PB_WIRE_BYTES;
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return wire_type == PB_WIRE_32BIT ||
               (field->label == PROTOBUF_C_LABEL_REPEATED && wire_type == PB_WIRE_BYTES);
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return wire_type == PB_WIRE_64BIT ||
               (field->label == PROTOBUF_C_LABEL_REPEATED && wire_type == PB_WIRE_BYTES);
    default:
        return wire_type == PB_WIRE_VARINT ||
               (field->label == PROTOBUF_C_LABEL_REPEATED && wire_type == PB_WIRE_BYTES);
    }
}

static enum status message_check_text(const struct pb_field *field, const char *name, struct fault *fault)
{
    if (!utf8_is_valid((const char *)field->bytes, field->size)) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s is not UTF-8 text", name);
    }
    if (memchr(field->bytes, 0, field->size) != NULL) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "%s has a zero byte in it: text without one is needed", name);
    }
    return STATUS_OK;
}

/* How many fields of that number stand before `end`: the index of the one that begins there. */
static size_t message_index(const uint8_t *begin, const uint8_t *end, uint32_t number)
{
    struct pb_reader reader = {begin, end};
    struct pb_field field;
    size_t index = 0;
    while (pb_reader_next(&reader, &field) == PB_READ_FIELD) {
        index += field.number == number;
    }
    return index;
}

/*
 * Checks one message of that type and, by recursion, those inside it. The schema has no recursive message, so
 * depth is bounded by it, whatever the bytes say. Words name the field: "agents[3].profile is ...".
 */
static enum status message_check(const ProtobufCMessageDescriptor *type, const uint8_t *bytes, size_t size,
                                 struct fault *fault)
{
    struct pb_reader reader = {bytes, bytes + size};
    for (;;) {
        const uint8_t *begin = reader.at;
        struct pb_field field;
        enum pb_read read = pb_reader_next(&reader, &field);
        if (read == PB_READ_END) {
            return STATUS_OK;
        }
        if (read == PB_READ_BROKEN) {
            return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s is cut off or broken at its byte %zu",
                             type->short_name, (size_t)(begin - bytes));
        }
        const ProtobufCFieldDescriptor *known = protobuf_c_message_descriptor_get_field(type, field.number);
        if (known == NULL) {
            continue;
        }
        if (!message_wire_type_fits(known, field.wire_type)) {
            return fault_set(fault, STATUS_INVALID_ARGUMENT,
                             "%s has wire type %d, which does not fit its type", known->name,
                             (int)field.wire_type);
        }
        enum status status = STATUS_OK;
        if (known->type == PROTOBUF_C_TYPE_STRING) {
            status = message_check_text(&field, known->name, fault);
        } else if (known->type == PROTOBUF_C_TYPE_MESSAGE) {
            status = message_check(known->descriptor, field.bytes, field.size, fault);
            if (status != STATUS_OK && known->label == PROTOBUF_C_LABEL_REPEATED) {
                fault_prefix(fault, "%s[%zu].", known->name, message_index(bytes, begin, field.number));
            } else if (status != STATUS_OK && type != &steerd__v1__client_message__descriptor) {
                fault_prefix(fault, "%s.", known->name);
            }
        }
        if (status != STATUS_OK) {
            return status;
        }
    }
}

/* Reads what can be read of the outermost fields, up to the first broken one. */
static struct message_scan message_scan(const uint8_t *bytes, size_t size)
{
    const ProtobufCMessageDescriptor *type = &steerd__v1__client_message__descriptor;
    struct message_scan scan = {0};
    struct pb_reader reader = {bytes, bytes + size};
    struct pb_field field;
    while (pb_reader_next(&reader, &field) == PB_READ_FIELD) {
        const ProtobufCFieldDescriptor *known = protobuf_c_message_descriptor_get_field(type, field.number);
        if (known == NULL) {
            scan.has_unknown_body |= field.wire_type == PB_WIRE_BYTES;
        } else if (known->type == PROTOBUF_C_TYPE_MESSAGE) {
            scan.has_body = true;
        } else if (field.wire_type == PB_WIRE_VARINT) {
            scan.request_id = field.varint; /* the only field that is not a body */
        }
    }
    return scan;
}

/* ---- decoding ---- */

/* protobuf-c's memory: from the arena, within the budget. Nothing is given back; the arena is rolled back as
 * a whole. */
struct message_memory {
    struct arena *arena;
    size_t used_max; /* the arena's fill level that may not be passed */
    bool over_budget;
    bool arena_full;
};

static void *message_alloc(void *context, size_t size)
{
    struct message_memory *memory = context;
    size_t start =
        (arena_mark(memory->arena) + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (size > memory->used_max || start > memory->used_max - size) {
        memory->over_budget = true;
        return NULL;
    }
    void *bytes = arena_take(memory->arena, size);
    if (bytes == NULL) {
        memory->arena_full = true;
        return NULL;
    }
    /* protobuf-c walks a half-read message when it gives up; zeroed, there is nothing in it to follow. */
    memset(bytes, 0, size);
    return bytes;
}

static void message_free(void *context, void *bytes)
{
    (void)context;
    (void)bytes;
}

static size_t message_budget(size_t size)
{
    if (size > MESSAGE_BUDGET_MAX / MESSAGE_BUDGET_FACTOR) {
        return MESSAGE_BUDGET_MAX;
    }
    size_t budget = size * MESSAGE_BUDGET_FACTOR;
    return budget < MESSAGE_BUDGET_MIN ? MESSAGE_BUDGET_MIN : budget;
}

static enum status message_unpack(struct arena *arena, const uint8_t *bytes, size_t size,
                                  const Steerd__V1__ClientMessage **out, struct fault *fault)
{
    size_t mark = arena_mark(arena);
    size_t budget = message_budget(size);
    struct message_memory memory = {.arena = arena, .used_max = mark + budget};
    ProtobufCAllocator allocator = {.alloc = message_alloc, .free = message_free, .allocator_data = &memory};
    const Steerd__V1__ClientMessage *message = steerd__v1__client_message__unpack(&allocator, size, bytes);
    if (message != NULL) {
        *out = message;
        return STATUS_OK;
    }
    arena_reset_to(arena, mark);
    if (memory.over_budget) {
        return fault_set(
            fault, STATUS_RESOURCE_EXHAUSTED,
            "the message needs more than %zu bytes of memory when decoded: the limit is %d times the frame, "
            "at most %zu; send fewer things in one message",
            budget, MESSAGE_BUDGET_FACTOR, MESSAGE_BUDGET_MAX);
    }
    if (memory.arena_full) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "no room for this message now: decoded messages that wait fill %zu bytes; try again",
                         arena->size);
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT, "the frame cannot be read as a ClientMessage");
}

enum status message_decode(struct arena *arena, const uint8_t *bytes, size_t size,
                           const Steerd__V1__ClientMessage **out, uint64_t *request_id_out,
                           struct fault *fault)
{
    struct message_scan scan = message_scan(bytes, size);
    *request_id_out = scan.request_id;
    enum status status = message_check(&steerd__v1__client_message__descriptor, bytes, size, fault);
    if (status != STATUS_OK) {
        return status;
    }
    if (!scan.has_body && scan.has_unknown_body) {
        return fault_set(fault, STATUS_UNIMPLEMENTED,
                         "this server does not know the message's body: protocol version 1");
    }
    if (!scan.has_body) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "the message has no body: one field of the oneof is needed");
    }
    return message_unpack(arena, bytes, size, out, fault);
}

/* ---- encoding ---- */

struct blob *message_encode(struct blob_pool *pool, const Steerd__V1__ServerMessage *message)
{
    struct blob *blob = blob_pool_take(pool, steerd__v1__server_message__get_packed_size(message));
    if (blob != NULL) {
        blob->size = steerd__v1__server_message__pack(message, blob->bytes);
        ASSERT(blob->size <= blob->capacity);
    }
    return blob;
}

struct blob *message_encode_goodbye(struct blob_pool *pool, enum status code, const char *reason,
                                    uint32_t retry_after_ms)
{
    Steerd__V1__Goodbye goodbye = STEERD__V1__GOODBYE__INIT;
    goodbye.code = (Steerd__V1__Code)code;
    goodbye.reason = (char *)(uintptr_t)reason; /* only read */
    goodbye.retry_after_ms = retry_after_ms;
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_GOODBYE;
    message.goodbye = &goodbye;
    return message_encode(pool, &message);
}

struct blob *message_encode_pong(struct blob_pool *pool, uint64_t client_time_us, uint64_t server_time_us,
                                 uint64_t tick)
{
    Steerd__V1__Pong pong = STEERD__V1__PONG__INIT;
    pong.client_time_us = client_time_us;
    pong.server_time_us = server_time_us;
    pong.tick = tick;
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_PONG;
    message.pong = &pong;
    return message_encode(pool, &message);
}
