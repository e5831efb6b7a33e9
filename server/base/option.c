/*
 * Options out of tables: from argv, environment and files into one set of values, with the strongest source
 * winning. Words are cut by getopt_long; what a value may be is option_value.c's business.
 */
#include "base/option.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/option_value.h"
#include "base/utf8.h"

struct option_set {
    const struct option_spec *specs;
    size_t count;
    struct option_slot *slots; /* count of them */
    struct option_copy *copies;
    const char **positionals; /* positional_max of them */
    size_t positional_count;
    size_t positional_max;
};

/* ---- the set ---- */

static void option_set_add_defaults(struct option_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct option_spec *spec = &set->specs[i];
        const struct option_input input = {
            .spec = spec, .slot = &set->slots[i], .source = OPTION_SOURCE_DEFAULT};
        if (spec->default_text != NULL) {
            enum status status = option_value_add(&input, spec->default_text, NULL);
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
            return option_value_no_memory(fault);
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
        return option_value_add(&input, "true", fault);
    }
    if (input.spec->kind != OPTION_UINTS) {
        return option_value_add(&input, optarg, fault);
    }
    enum status status = option_value_add_list(&set->copies, &input, optarg, fault);
    while (status == STATUS_OK && optind < count && option_is_id_word(words[optind])) {
        status = option_value_add_list(&set->copies, &input, words[optind++], fault);
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
        status = option_value_no_memory(fault);
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
        status = adds_up ? option_value_add_list(&set->copies, &input, text, fault)
                         : option_value_add(&input, text, fault);
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
        char *copy = option_value_copy(&set->copies, text, strlen(text));
        return copy == NULL ? option_value_no_memory(fault) : option_value_add(&input, copy, fault);
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
    if (numbers && option_spec_has_max(spec)) {
        snprintf(range, sizeof range, "%.15g to %.15g", spec->min, spec->max);
    } else if (numbers && option_spec_is_bounded(spec) && isfinite(spec->min)) {
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
