/* Messages as text for tests: a small part of protobuf's text format, encoded by the generated descriptors.
 */
#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "wire/pb_writer.h"
#include "wire_world.h"

#define WIRE_TEXT_WORD_SIZE 256

struct wire_text {
    const char *text;
    uint8_t *at;
    uint8_t *end;
};

static void wire_text_skip(struct wire_text *in)
{
    while (isspace((unsigned char)*in->text)) {
        in->text++;
    }
}

/* A name, a number, or text in quotes. */
static const char *wire_text_word(struct wire_text *in, char *word)
{
    wire_text_skip(in);
    size_t size = 0;
    bool quoted = *in->text == '\'';
    in->text += quoted;
    while (*in->text != '\0' && (quoted ? *in->text != '\'' : strchr("{}: \n", *in->text) == NULL)) {
        ck_assert_uint_lt(size, WIRE_TEXT_WORD_SIZE - 1);
        word[size++] = *in->text++;
    }
    in->text += quoted;
    word[size] = '\0';
    return word;
}

static void wire_text_expect(struct wire_text *in, char sign)
{
    wire_text_skip(in);
    ck_assert_msg(*in->text == sign, "'%c' is needed at: %s", sign, in->text);
    in->text++;
}

static uint64_t wire_text_enum(const ProtobufCEnumDescriptor *type, const char *word)
{
    const ProtobufCEnumValue *value = protobuf_c_enum_descriptor_get_value_by_name(type, word);
    return value != NULL ? (uint64_t)value->value : strtoull(word, NULL, 10);
}

static void wire_text_value(struct wire_text *in, const ProtobufCFieldDescriptor *field, const char *word)
{
    ck_assert_int_gt(in->end - in->at, WIRE_TEXT_WORD_SIZE + 16);
    float number = strtof(word, NULL);
    switch (field->type) {
    case PROTOBUF_C_TYPE_FLOAT:
        in->at = pb_put_tag(in->at, field->id, PB_PUT_32BIT);
        memcpy(in->at, &number, sizeof number);
        in->at += sizeof number;
        return;
    case PROTOBUF_C_TYPE_STRING:
        in->at = pb_put_head(in->at, field->id, strlen(word));
        memcpy(in->at, word, strlen(word));
        in->at += strlen(word);
        return;
    case PROTOBUF_C_TYPE_BOOL:
        in->at = pb_put_varint(pb_put_tag(in->at, field->id, PB_PUT_VARINT), strcmp(word, "true") == 0);
        return;
    case PROTOBUF_C_TYPE_ENUM:
        in->at = pb_put_varint(pb_put_tag(in->at, field->id, PB_PUT_VARINT),
                               wire_text_enum(field->descriptor, word));
        return;
    default:
        in->at = pb_put_varint(pb_put_tag(in->at, field->id, PB_PUT_VARINT), strtoull(word, NULL, 10));
    }
}

static void wire_text_message(struct wire_text *in, const ProtobufCMessageDescriptor *type);

static void wire_text_field(struct wire_text *in, const ProtobufCMessageDescriptor *type)
{
    char word[WIRE_TEXT_WORD_SIZE];
    wire_text_word(in, word);
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field_by_name(type, word);
    ck_assert_msg(field != NULL, "%s has no field '%s'", type->short_name, word);
    if (field->type != PROTOBUF_C_TYPE_MESSAGE) {
        wire_text_expect(in, ':');
        wire_text_value(in, field, wire_text_word(in, word));
        return;
    }
    wire_text_expect(in, '{');
    const size_t room = 8; /* for tag and length, which are known afterwards */
    uint8_t *start = in->at;
    ck_assert_int_gt(in->end - in->at, (ptrdiff_t)room);
    in->at += room;
    wire_text_message(in, field->descriptor);
    wire_text_expect(in, '}');
    size_t size = (size_t)(in->at - start) - room;
    uint8_t *body = pb_put_head(start, field->id, size);
    memmove(body, start + room, size);
    in->at = body + size;
}

static void wire_text_message(struct wire_text *in, const ProtobufCMessageDescriptor *type)
{
    for (wire_text_skip(in); *in->text != '\0' && *in->text != '}'; wire_text_skip(in)) {
        wire_text_field(in, type);
    }
}

size_t wire_text_encode(const char *text, uint8_t *bytes, size_t size)
{
    struct wire_text in = {.text = text, .at = bytes, .end = bytes + size};
    wire_text_message(&in, &steerd__v1__client_message__descriptor);
    ck_assert_msg(*in.text == '\0', "unexpected: %s", in.text);
    return (size_t)(in.at - bytes);
}
