/*
 * What the values of options may be: numbers, ranges, lists and choices, each refusal with option, value and
 * legal range in words. option.c brings the texts, from whichever source.
 */
#include "base/option_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/number.h"
#include "base/utf8.h"

/* ---- ranges in words ---- */

bool option_spec_is_bounded(const struct option_spec *spec)
{
    return spec->min != 0.0 || spec->max != 0.0;
}

bool option_spec_has_max(const struct option_spec *spec)
{
    bool whole = spec->kind == OPTION_UINT || spec->kind == OPTION_UINTS;
    return option_spec_is_bounded(spec) && !(whole && spec->max >= 0x1p64) && isfinite(spec->max);
}

/* " in [1, 240]", " of at least 1" or nothing. */
static void option_value_range_words(const struct option_spec *spec, char *words, size_t size)
{
    words[0] = '\0';
    if (option_spec_has_max(spec)) {
        snprintf(words, size, " in [%.15g, %.15g]", spec->min, spec->max);
    } else if (option_spec_is_bounded(spec) && isfinite(spec->min)) {
        snprintf(words, size, " of at least %.15g", spec->min);
    }
}

/* What would have been legal: "a whole number in [1, 240]". */
static void option_value_legal_words(const struct option_spec *spec, char *words, size_t size)
{
    char range[OPTION_WORDS_SIZE / 2];
    option_value_range_words(spec, range, sizeof range);
    switch (spec->kind) {
    case OPTION_FLAG:
        snprintf(words, size, "true or false");
        return;
    case OPTION_TEXT:
        snprintf(words, size, "a text");
        return;
    case OPTION_UINT:
        snprintf(words, size, "a whole number%s", range);
        return;
    case OPTION_FLOAT:
        snprintf(words, size, "a number%s", range);
        return;
    case OPTION_FLOATS:
        if (spec->count_min == spec->count_max) {
            snprintf(words, size, "%u numbers with commas between, each%s", spec->count_min,
                     range[0] ? range : " finite");
        } else {
            snprintf(words, size, "%u to %u numbers with commas between, each%s", spec->count_min,
                     spec->count_max, range[0] ? range : " finite");
        }
        return;
    case OPTION_UINTS:
        snprintf(words, size, "one or more whole numbers%s", range);
        return;
    case OPTION_CHOICE:
        snprintf(words, size, "one of %s", spec->choices);
        return;
    }
}

static enum status option_value_refuse(const struct option_input *input, enum status status, const char *text,
                                       struct fault *fault)
{
    char legal[OPTION_WORDS_SIZE];
    option_value_legal_words(input->spec, legal, sizeof legal);
    int shown = (int)utf8_cut(text, strlen(text), OPTION_SHOWN_SIZE_MAX);
    return fault_set(fault, status, "%s is \"%.*s\": %s is needed", input->label, shown, text, legal);
}

/* ---- one value ---- */

enum status option_value_no_memory(struct fault *fault)
{
    return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory for options");
}

/* Makes room for `more` items. A stronger source forgets what weaker ones said; the same one adds to a list.
 */
static enum status option_value_slot_reserve(const struct option_input *input, uint32_t more,
                                             struct fault *fault)
{
    struct option_slot *slot = input->slot;
    bool adds = slot->source == input->source;
    uint32_t count = adds ? slot->value.count : 0;
    if (more > OPTION_VALUES_MAX - count) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "%s has more than %d values", input->label,
                         OPTION_VALUES_MAX);
    }
    if (count + more > slot->items_max) {
        uint32_t items_max = (count + more) * 2;
        union option_item *items = realloc(slot->value.items, items_max * sizeof *items);
        if (items == NULL) {
            return option_value_no_memory(fault);
        }
        slot->value.items = items;
        slot->items_max = items_max;
    }
    slot->value.count = count;
    slot->value.given = input->source != OPTION_SOURCE_DEFAULT;
    slot->source = input->source;
    return STATUS_OK;
}

static enum status option_value_add_item(const struct option_input *input, union option_item item,
                                         struct fault *fault)
{
    enum status status = option_value_slot_reserve(input, 1, fault);
    if (status == STATUS_OK) {
        input->slot->value.items[input->slot->value.count++] = item;
    }
    return status;
}

static bool option_value_in_range(const struct option_spec *spec, double number)
{
    return !option_spec_is_bounded(spec) || (number >= spec->min && number <= spec->max);
}

static enum status option_value_add_uint(const struct option_input *input, const char *text,
                                         struct fault *fault)
{
    uint64_t number;
    if (!number_parse_u64(text, &number)) {
        return option_value_refuse(input, STATUS_INVALID_ARGUMENT, text, fault);
    }
    if (!option_value_in_range(input->spec, (double)number)) {
        return option_value_refuse(input, STATUS_OUT_OF_RANGE, text, fault);
    }
    return option_value_add_item(input, (union option_item){.uint = number}, fault);
}

static enum status option_value_add_floats(const struct option_input *input, const char *text,
                                           uint32_t count_min, uint32_t count_max, struct fault *fault)
{
    double *numbers = malloc(count_max * sizeof *numbers);
    if (numbers == NULL) {
        return option_value_no_memory(fault);
    }
    enum status status = STATUS_OK;
    size_t count = number_parse_list(text, numbers, count_max);
    if (count < count_min) {
        status = option_value_refuse(input, STATUS_INVALID_ARGUMENT, text, fault);
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (!option_value_in_range(input->spec, numbers[i])) {
            status = option_value_refuse(input, STATUS_OUT_OF_RANGE, text, fault);
        }
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = option_value_add_item(input, (union option_item){.number = numbers[i]}, fault);
    }
    free(numbers);
    return status;
}

static enum status option_value_add_flag(const struct option_input *input, const char *text,
                                         struct fault *fault)
{
    bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    bool no = strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
    if (!yes && !no) {
        return option_value_refuse(input, STATUS_INVALID_ARGUMENT, text, fault);
    }
    return option_value_add_item(input, (union option_item){.uint = yes}, fault);
}

/* Whether `word` is one of "a|b|c". */
static bool option_value_is_choice(const char *choices, const char *word, size_t size)
{
    for (const char *choice = choices;; choice += strcspn(choice, "|") + 1) {
        size_t length = strcspn(choice, "|");
        if (length == size && memcmp(choice, word, size) == 0) {
            return true;
        }
        if (choice[length] == '\0') {
            return false;
        }
    }
}

static enum status option_value_add_choice(const struct option_input *input, const char *text,
                                           struct fault *fault)
{
    if (!option_value_is_choice(input->spec->choices, text, strlen(text))) {
        return option_value_refuse(input, STATUS_INVALID_ARGUMENT, text, fault);
    }
    return option_value_add_item(input, (union option_item){.text = text}, fault);
}

enum status option_value_add(const struct option_input *input, const char *text, struct fault *fault)
{
    const struct option_spec *spec = input->spec;
    bool adds_up = spec->kind == OPTION_UINTS || (spec->kind == OPTION_TEXT && spec->repeats);
    if (!adds_up && input->slot->source == input->source && input->source != OPTION_SOURCE_DEFAULT) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s is given twice", input->label);
    }
    switch (spec->kind) {
    case OPTION_FLAG:
        return option_value_add_flag(input, text, fault);
    case OPTION_TEXT:
        return option_value_add_item(input, (union option_item){.text = text}, fault);
    case OPTION_UINT:
    case OPTION_UINTS:
        return option_value_add_uint(input, text, fault);
    case OPTION_FLOAT:
        return option_value_add_floats(input, text, 1, 1, fault);
    case OPTION_FLOATS:
        return option_value_add_floats(input, text, spec->count_min, spec->count_max, fault);
    case OPTION_CHOICE:
        return option_value_add_choice(input, text, fault);
    }
    ASSERT(!"a kind without a case");
    return STATUS_INTERNAL;
}

char *option_value_copy(struct option_copy **copies, const char *text, size_t size)
{
    struct option_copy *copy = malloc(sizeof *copy + size + 1);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy->text, text, size);
    copy->text[size] = '\0';
    copy->next = *copies;
    *copies = copy;
    return copy->text;
}

enum status option_value_add_list(struct option_copy **copies, const struct option_input *input,
                                  const char *text, struct fault *fault)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        size_t size = strcspn(text, ",");
        char *word = option_value_copy(copies, text, size);
        if (word == NULL) {
            return option_value_no_memory(fault);
        }
        status = option_value_add(input, word, fault);
        if (text[size] == '\0') {
            break;
        }
        text += size + 1;
    }
    return status;
}
