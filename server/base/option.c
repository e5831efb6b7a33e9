/*
 * Options out of tables: from argv, environment and files into one set of values, with the strongest source
 * winning. Words are cut by getopt_long; everything about values (numbers, ranges, lists, refusals) is here.
 */
#include "base/option.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/number.h"
#include "base/utf8.h"

/* From weak to strong. */
enum option_source {
    OPTION_SOURCE_DEFAULT,
    OPTION_SOURCE_FILE,
    OPTION_SOURCE_ENVIRONMENT,
    OPTION_SOURCE_ARGUMENT,
};

struct option_slot {
    enum option_source source;
    uint32_t items_max; /* room in value.items */
    struct option_value value;
};

/* A text the set had to copy. */
struct option_copy {
    struct option_copy *next;
    char text[];
};

struct option_set {
    const struct option_spec *specs;
    size_t count;
    struct option_slot *slots; /* count of them */
    struct option_copy *copies;
    const char **positionals; /* positional_max of them */
    size_t positional_count;
    size_t positional_max;
};

/* A value on its way in: who says it, in words for refusals ("--tick-rate"), and from which source. */
struct option_input {
    const struct option_spec *spec;
    struct option_slot *slot;
    enum option_source source;
    const char *label;
};

/* ---- ranges in words ---- */

#define OPTION_WORDS_SIZE     160
#define OPTION_SHOWN_SIZE_MAX 64 /* of a refused value: the legal range must still fit behind it */

/* A row without a range (min and max 0) takes what its kind takes. */
static bool option_is_bounded(const struct option_spec *spec)
{
    return spec->min != 0.0 || spec->max != 0.0;
}

/* False also for a maximum that no uint64_t passes. */
static bool option_has_max(const struct option_spec *spec)
{
    bool whole = spec->kind == OPTION_UINT || spec->kind == OPTION_UINTS;
    return option_is_bounded(spec) && !(whole && spec->max >= 0x1p64) && isfinite(spec->max);
}

/* " in [1, 240]", " of at least 1" or nothing. */
static void option_range_words(const struct option_spec *spec, char *words, size_t size)
{
    words[0] = '\0';
    if (option_has_max(spec)) {
        snprintf(words, size, " in [%.15g, %.15g]", spec->min, spec->max);
    } else if (option_is_bounded(spec) && isfinite(spec->min)) {
        snprintf(words, size, " of at least %.15g", spec->min);
    }
}

/* What would have been legal: "a whole number in [1, 240]". */
static void option_legal_words(const struct option_spec *spec, char *words, size_t size)
{
    char range[OPTION_WORDS_SIZE / 2];
    option_range_words(spec, range, sizeof range);
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

static enum status option_refuse(const struct option_input *input, enum status status, const char *text,
                                 struct fault *fault)
{
    char legal[OPTION_WORDS_SIZE];
    option_legal_words(input->spec, legal, sizeof legal);
    int shown = (int)utf8_cut(text, strlen(text), OPTION_SHOWN_SIZE_MAX);
    return fault_set(fault, status, "%s is \"%.*s\": %s is needed", input->label, shown, text, legal);
}

/* ---- one value ---- */

static enum status option_no_memory(struct fault *fault)
{
    return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory for options");
}

/* Makes room for `more` items. A stronger source forgets what weaker ones said; the same one adds to a list.
 */
static enum status option_slot_reserve(const struct option_input *input, uint32_t more, struct fault *fault)
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
            return option_no_memory(fault);
        }
        slot->value.items = items;
        slot->items_max = items_max;
    }
    slot->value.count = count;
    slot->value.given = input->source != OPTION_SOURCE_DEFAULT;
    slot->source = input->source;
    return STATUS_OK;
}

static enum status option_add_item(const struct option_input *input, union option_item item,
                                   struct fault *fault)
{
    enum status status = option_slot_reserve(input, 1, fault);
    if (status == STATUS_OK) {
        input->slot->value.items[input->slot->value.count++] = item;
    }
    return status;
}

static bool option_in_range(const struct option_spec *spec, double number)
{
    return !option_is_bounded(spec) || (number >= spec->min && number <= spec->max);
}

static enum status option_add_uint(const struct option_input *input, const char *text, struct fault *fault)
{
    uint64_t number;
    if (!number_parse_u64(text, &number)) {
        return option_refuse(input, STATUS_INVALID_ARGUMENT, text, fault);
    }
    if (!option_in_range(input->spec, (double)number)) {
        return option_refuse(input, STATUS_OUT_OF_RANGE, text, fault);
    }
    return option_add_item(input, (union option_item){.uint = number}, fault);
}

static enum status option_add_floats(const struct option_input *input, const char *text, uint32_t count_min,
                                     uint32_t count_max, struct fault *fault)
{
    double *numbers = malloc(count_max * sizeof *numbers);
    if (numbers == NULL) {
        return option_no_memory(fault);
    }
    enum status status = STATUS_OK;
    size_t count = number_parse_list(text, numbers, count_max);
    if (count < count_min) {
        status = option_refuse(input, STATUS_INVALID_ARGUMENT, text, fault);
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (!option_in_range(input->spec, numbers[i])) {
            status = option_refuse(input, STATUS_OUT_OF_RANGE, text, fault);
        }
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = option_add_item(input, (union option_item){.number = numbers[i]}, fault);
    }
    free(numbers);
    return status;
}

static enum status option_add_flag(const struct option_input *input, const char *text, struct fault *fault)
{
    bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    bool no = strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
    if (!yes && !no) {
        return option_refuse(input, STATUS_INVALID_ARGUMENT, text, fault);
    }
    return option_add_item(input, (union option_item){.uint = yes}, fault);
}

/* Whether `word` is one of "a|b|c". */
static bool option_is_choice(const char *choices, const char *word, size_t size)
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

static enum status option_add_choice(const struct option_input *input, const char *text, struct fault *fault)
{
    if (!option_is_choice(input->spec->choices, text, strlen(text))) {
        return option_refuse(input, STATUS_INVALID_ARGUMENT, text, fault);
    }
    return option_add_item(input, (union option_item){.text = text}, fault);
}

/* One value as text, which must outlive the set. */
static enum status option_add(const struct option_input *input, const char *text, struct fault *fault)
{
    const struct option_spec *spec = input->spec;
    bool adds_up = spec->kind == OPTION_UINTS || (spec->kind == OPTION_TEXT && spec->repeats);
    if (!adds_up && input->slot->source == input->source && input->source != OPTION_SOURCE_DEFAULT) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s is given twice", input->label);
    }
    switch (spec->kind) {
    case OPTION_FLAG:
        return option_add_flag(input, text, fault);
    case OPTION_TEXT:
        return option_add_item(input, (union option_item){.text = text}, fault);
    case OPTION_UINT:
    case OPTION_UINTS:
        return option_add_uint(input, text, fault);
    case OPTION_FLOAT:
        return option_add_floats(input, text, 1, 1, fault);
    case OPTION_FLOATS:
        return option_add_floats(input, text, spec->count_min, spec->count_max, fault);
    case OPTION_CHOICE:
        return option_add_choice(input, text, fault);
    }
    ASSERT(!"a kind without a case");
    return STATUS_INTERNAL;
}

/* A copy of text[0..size) that lives as long as the set; NULL when there is no memory. */
static char *option_copy_text(struct option_set *set, const char *text, size_t size)
{
    struct option_copy *copy = malloc(sizeof *copy + size + 1);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy->text, text, size);
    copy->text[size] = '\0';
    copy->next = set->copies;
    set->copies = copy;
    return copy->text;
}

/* One text that may hold several values ("1,2,3", "a:1,b:2"), for rows whose values add up. */
static enum status option_add_listed(struct option_set *set, const struct option_input *input,
                                     const char *text, struct fault *fault)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        size_t size = strcspn(text, ",");
        char *word = option_copy_text(set, text, size);
        if (word == NULL) {
            return option_no_memory(fault);
        }
        status = option_add(input, word, fault);
        if (text[size] == '\0') {
            break;
        }
        text += size + 1;
    }
    return status;
}

/* ---- the set ---- */

static void option_set_add_defaults(struct option_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct option_spec *spec = &set->specs[i];
        const struct option_input input = {
            .spec = spec, .slot = &set->slots[i], .source = OPTION_SOURCE_DEFAULT};
        if (spec->default_text != NULL) {
            enum status status = option_add(&input, spec->default_text, NULL);
            ASSERT(status == STATUS_OK || status == STATUS_RESOURCE_EXHAUSTED); /* else the table is wrong */
        }
    }
}

struct option_set *option_set_create(const struct option_spec *specs, size_t count)
{
    struct option_set *set = calloc(1, sizeof *set);
    if (set == NULL) {
        return NULL;
    }
    set->specs = specs;
    set->count = count;
    set->slots = calloc(count + 1, sizeof *set->slots); /* + 1: an empty table is a table */
    if (set->slots == NULL) {
        free(set);
        return NULL;
    }
    option_set_add_defaults(set);
    return set;
}

void option_set_destroy(struct option_set *set)
{
    if (set == NULL) {
        return;
    }
    for (size_t i = 0; i < set->count; i++) {
        free(set->slots[i].value.items);
    }
    while (set->copies != NULL) {
        struct option_copy *copy = set->copies;
        set->copies = copy->next;
        free(copy);
    }
    free(set->positionals);
    free(set->slots);
    free(set);
}

/* ---- command line ---- */

static enum status option_set_add_positional(struct option_set *set, const char *word, struct fault *fault)
{
    if (set->positional_count == set->positional_max) {
        size_t positional_max = set->positional_max * 2 + 8;
        const char **positionals = realloc(set->positionals, positional_max * sizeof *positionals);
        if (positionals == NULL) {
            return option_no_memory(fault);
        }
        set->positionals = positionals;
        set->positional_max = positional_max;
    }
    set->positionals[set->positional_count++] = word;
    return STATUS_OK;
}

/* A word of digits (and commas): what --id goes on to read. */
static bool option_is_id_word(const char *word)
{
    return word[0] != '\0' && word[strspn(word, "0123456789,")] == '\0';
}

/* getopt takes any unambiguous beginning for the whole name; a script that says --agent would break with the
 * next option. */
static bool option_is_whole_name(const char *word, const char *name)
{
    size_t size = strlen(name);
    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, size) == 0 &&
           (word[2 + size] == '\0' || word[2 + size] == '=');
}

static enum status option_set_add_argument(struct option_set *set, size_t row, char **words, int count,
                                           struct fault *fault)
{
    char label[OPTION_WORDS_SIZE];
    snprintf(label, sizeof label, "--%s", set->specs[row].name);
    const struct option_input input = {
        .spec = &set->specs[row], .slot = &set->slots[row], .source = OPTION_SOURCE_ARGUMENT, .label = label};
    if (input.spec->kind == OPTION_FLAG) {
        return option_add(&input, "true", fault);
    }
    if (input.spec->kind != OPTION_UINTS) {
        return option_add(&input, optarg, fault);
    }
    enum status status = option_add_listed(set, &input, optarg, fault);
    while (status == STATUS_OK && optind < count && option_is_id_word(words[optind])) {
        status = option_add_listed(set, &input, words[optind++], fault);
    }
    return status;
}

/* What getopt_long said about words[at]: a row, 1 for a word that is no option, ':' or '?' for what is wrong.
 */
static enum status option_set_take(struct option_set *set, int found, size_t row, char **words, int at,
                                   int count, struct fault *fault)
{
    if (found == 1) {
        return option_set_add_positional(set, optarg, fault);
    }
    if (found == 0 && option_is_whole_name(words[at], set->specs[row].name)) {
        return option_set_add_argument(set, row, words, count, fault);
    }
    int name_size = (int)strcspn(words[at], "=");
    for (size_t i = 0; i < set->count; i++) {
        if (found != 0 && option_is_whole_name(words[at], set->specs[i].name)) {
            const char *wrong = set->specs[i].kind == OPTION_FLAG ? "takes no value" : "needs a value";
            return fault_set(fault, STATUS_INVALID_ARGUMENT, "%.*s %s", name_size, words[at], wrong);
        }
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT, "%.*s is no option here; --help lists them", name_size,
                     words[at]);
}

static enum status option_set_parse_words(struct option_set *set, int count, char **words,
                                          const struct option *options, struct fault *fault)
{
    enum status status = STATUS_OK;
    opterr = 0; /* the words are ours */
    optind = 0; /* glibc: start anew, see getopt(3) */
    while (status == STATUS_OK) {
        int row = 0;
        int at = optind == 0 ? 1 : optind;
        int found = getopt_long(count, words, "-:", options, &row);
        if (found == -1) {
            break;
        }
        status = option_set_take(set, found, (size_t)row, words, at, count, fault);
    }
    while (status == STATUS_OK && optind < count) {
        status = option_set_add_positional(set, words[optind++], fault);
    }
    return status;
}

enum status option_set_parse_arguments(struct option_set *set, int argc, char *const *argv,
                                       struct fault *fault)
{
    ASSERT(argc >= 0);
    /* getopt begins at the second word, and wants a zero row after the last option. */
    char **words = calloc((size_t)argc + 2, sizeof *words);
    struct option *options = calloc(set->count + 1, sizeof *options);
    enum status status = STATUS_OK;
    if (words == NULL || options == NULL) {
        status = option_no_memory(fault);
        goto done;
    }
    static char program[] = "";
    words[0] = program;
    for (int i = 0; i < argc; i++) {
        words[i + 1] = argv[i];
    }
    for (size_t i = 0; i < set->count; i++) {
        options[i].name = set->specs[i].name;
        options[i].has_arg = set->specs[i].kind == OPTION_FLAG ? no_argument : required_argument;
    }
    status = option_set_parse_words(set, argc + 1, words, options, fault);
done:
    free(options);
    free(words);
    return status;
}

/* ---- environment and files ---- */

/* "STEERD_TICK_RATE" for "STEERD_" and "tick-rate". */
static void option_variable_name(const char *prefix, const char *name, char *variable, size_t size)
{
    snprintf(variable, size, "%s%s", prefix, name);
    for (char *c = variable + strlen(prefix); *c != '\0'; c++) {
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    }
}

enum status option_set_parse_environment(struct option_set *set, const char *prefix, struct fault *fault)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < set->count && status == STATUS_OK; i++) {
        const struct option_spec *spec = &set->specs[i];
        char label[OPTION_WORDS_SIZE];
        option_variable_name(prefix, spec->name, label, sizeof label);
        const char *text = getenv(label);
        if (set->slots[i].source >= OPTION_SOURCE_ENVIRONMENT || text == NULL || text[0] == '\0') {
            continue;
        }
        const struct option_input input = {
            .spec = spec, .slot = &set->slots[i], .source = OPTION_SOURCE_ENVIRONMENT, .label = label};
        bool adds_up = spec->kind == OPTION_UINTS || (spec->kind == OPTION_TEXT && spec->repeats);
        status = adds_up ? option_add_listed(set, &input, text, fault) : option_add(&input, text, fault);
    }
    return status;
}

/* File keys are names with '_' or '-' between the words. */
static bool option_is_file_key(const char *name, const char *key)
{
    size_t i = 0;
    while (name[i] != '\0' && (key[i] == name[i] || (key[i] == '_' && name[i] == '-'))) {
        i++;
    }
    return name[i] == '\0' && key[i] == '\0';
}

enum status option_set_add_file_value(struct option_set *set, const char *name, const char *text,
                                      struct fault *fault)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!option_is_file_key(set->specs[i].name, name)) {
            continue;
        }
        if (set->slots[i].source > OPTION_SOURCE_FILE) {
            return STATUS_OK;
        }
        const struct option_input input = {
            .spec = &set->specs[i], .slot = &set->slots[i], .source = OPTION_SOURCE_FILE, .label = name};
        char *copy = option_copy_text(set, text, strlen(text));
        return copy == NULL ? option_no_memory(fault) : option_add(&input, copy, fault);
    }
    int shown = (int)utf8_cut(name, strlen(name), OPTION_SHOWN_SIZE_MAX);
    return fault_set(fault, STATUS_NOT_FOUND, "there is no key \"%.*s\"", shown, name);
}

/* ---- reading ---- */

static size_t option_set_row(const struct option_set *set, const char *name)
{
    size_t row = 0;
    while (row < set->count && strcmp(set->specs[row].name, name) != 0) {
        row++;
    }
    ASSERT(row < set->count);
    return row;
}

const struct option_value *option_set_get(const struct option_set *set, const char *name)
{
    return &set->slots[option_set_row(set, name)].value;
}

/* The first value; all zero when there is none. */
static union option_item option_set_first(const struct option_set *set, const char *name)
{
    const struct option_value *value = option_set_get(set, name);
    return value->count > 0 ? value->items[0] : (union option_item){0};
}

bool option_set_flag(const struct option_set *set, const char *name)
{
    ASSERT(set->specs[option_set_row(set, name)].kind == OPTION_FLAG);
    return option_set_first(set, name).uint != 0;
}

const char *option_set_text(const struct option_set *set, const char *name)
{
    enum option_kind kind = set->specs[option_set_row(set, name)].kind;
    ASSERT(kind == OPTION_TEXT || kind == OPTION_CHOICE);
    return option_set_first(set, name).text;
}

uint64_t option_set_uint(const struct option_set *set, const char *name)
{
    enum option_kind kind = set->specs[option_set_row(set, name)].kind;
    ASSERT(kind == OPTION_UINT || kind == OPTION_UINTS);
    return option_set_first(set, name).uint;
}

double option_set_float(const struct option_set *set, const char *name)
{
    enum option_kind kind = set->specs[option_set_row(set, name)].kind;
    ASSERT(kind == OPTION_FLOAT || kind == OPTION_FLOATS);
    const struct option_value *value = option_set_get(set, name);
    return value->count > 0 ? value->items[0].number : 0.0;
}

size_t option_set_positional_count(const struct option_set *set)
{
    return set->positional_count;
}

const char *option_set_positional(const struct option_set *set, size_t index)
{
    ASSERT(index < set->positional_count);
    return set->positionals[index];
}

/* ---- help ---- */

#define OPTION_HELP_WIDTH     100
#define OPTION_HELP_LEFT_MAX  34 /* a longer left side gets a line of its own */
#define OPTION_HELP_TEXT_SIZE 1024

static void option_help_left(const struct option_spec *spec, char *left, size_t size)
{
    const char *value = spec->value_name != NULL ? spec->value_name : spec->choices;
    bool valued = spec->kind != OPTION_FLAG && value != NULL;
    snprintf(left, size, "  --%s%s%s%s", spec->name, valued ? " " : "", valued ? value : "",
             valued && (spec->repeats || spec->kind == OPTION_UINTS) ? "..." : "");
}

/* The sentence, then range, default and variable: "Ticks per second. 1 to 240, default 30. STEERD_TICK_RATE."
 */
static void option_help_right(const struct option_spec *spec, const char *env_prefix, char *right,
                              size_t size)
{
    char range[OPTION_WORDS_SIZE] = "";
    bool numbers = spec->kind == OPTION_UINT || spec->kind == OPTION_UINTS || spec->kind == OPTION_FLOAT ||
                   spec->kind == OPTION_FLOATS;
    if (numbers && option_has_max(spec)) {
        snprintf(range, sizeof range, "%.15g to %.15g", spec->min, spec->max);
    } else if (numbers && option_is_bounded(spec) && isfinite(spec->min)) {
        snprintf(range, sizeof range, "at least %.15g", spec->min);
    } else if (spec->kind == OPTION_CHOICE && spec->value_name != NULL) {
        snprintf(range, sizeof range, "one of %s", spec->choices);
    }
    bool has_default = spec->default_text != NULL && spec->default_text[0] != '\0';
    char facts[OPTION_WORDS_SIZE * 2] = "";
    if (range[0] != '\0' || has_default) {
        snprintf(facts, sizeof facts, " %s%s%s%s.", range, range[0] != '\0' && has_default ? ", " : "",
                 has_default ? "default " : "", has_default ? spec->default_text : "");
        facts[1] = range[0] == '\0' ? 'D' : (char)toupper((unsigned char)facts[1]);
    }
    char variable[OPTION_WORDS_SIZE] = "";
    if (env_prefix != NULL) {
        option_variable_name(env_prefix, spec->name, variable, sizeof variable);
    }
    snprintf(right, size, "%s%s%s%s%s", spec->help, facts, env_prefix != NULL ? " (" : "", variable,
             env_prefix != NULL ? ")" : "");
}

/* Prints words from column `left_width` on; the cursor stands at column `column`. */
static void option_help_wrap(const char *text, int column, int left_width)
{
    printf("%*s", left_width - column, "");
    column = left_width;
    while (*text != '\0') {
        int size = (int)strcspn(text, " ");
        if (column > left_width && column + 1 + size > OPTION_HELP_WIDTH) {
            printf("\n%*s", left_width, "");
            column = left_width;
        }
        column += printf("%s%.*s", column > left_width ? " " : "", size, text);
        text += size + (text[size] == ' ');
    }
    printf("\n");
}

void option_print_help(const struct option_spec *specs, size_t count, const char *env_prefix)
{
    char text[OPTION_HELP_TEXT_SIZE];
    int left_width = 0;
    for (size_t i = 0; i < count; i++) {
        option_help_left(&specs[i], text, sizeof text);
        int size = (int)strlen(text);
        left_width = size > left_width && size <= OPTION_HELP_LEFT_MAX ? size : left_width;
    }
    left_width += 2;
    for (size_t i = 0; i < count; i++) {
        option_help_left(&specs[i], text, sizeof text);
        int column = printf("%s", text);
        if (column > left_width - 2) {
            printf("\n");
            column = 0;
        }
        option_help_right(&specs[i], env_prefix, text, sizeof text);
        option_help_wrap(text, column, left_width);
    }
}
