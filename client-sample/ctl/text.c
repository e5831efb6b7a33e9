/* Words for people, safe for their terminals. */
#include "text.h"

#include <string.h>

#include "base/utf8.h"

/* C1 control characters, U+0080 to U+009F, are c2 80 to c2 9f in UTF-8; some terminals obey them. */
static bool text_is_control(const char *text, size_t character)
{
    unsigned char first = (unsigned char)text[0];
    unsigned char second = character > 1 ? (unsigned char)text[1] : 0;
    return first < 0x20 || first == 0x7f || (character == 2 && first == 0xc2 && second < 0xa0);
}

void text_print(FILE *out, const char *text)
{
    size_t size = strlen(text);
    while (size > 0) {
        size_t character = utf8_character_size(text, size);
        if (character == 0 || text_is_control(text, character)) {
            fputc('?', out);
            character = character == 0 ? 1 : character;
        } else {
            fwrite(text, 1, character, out);
        }
        text += character;
        size -= character;
    }
}

void text_print_ids(FILE *out, const char *noun, const struct steerd_result *result)
{
    if (result->id_count == 1) {
        fprintf(out, "%s %u", noun, result->first_id);
    } else if (result->id_count > 1) {
        fprintf(out, "%ss %u to %u", noun, result->first_id, result->first_id + result->id_count - 1);
    }
}

const char *text_agent_state(enum steerd_agent_state state)
{
    switch (state) {
    case STEERD_AGENT_STATE_IDLE:
        return "idle";
    case STEERD_AGENT_STATE_MOVING:
        return "moving";
    case STEERD_AGENT_STATE_ARRIVED:
        return "arrived";
    case STEERD_AGENT_STATE_BLOCKED:
        return "blocked";
    case STEERD_AGENT_STATE_DRIVEN:
        return "driven";
    }
    return "?";
}

const char *text_bytes(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1000.0;
        unit++;
    }
    snprintf(text, size, unit == 0 || bytes >= 100.0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}
