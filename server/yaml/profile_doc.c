/*
 * The syntax of profiles, shared by scenario files and by the client that sends one over the wire. What the
 * names mean is decided behind it: server/app/scenario_profile.c, or the server that gets DefineProfile.
 */
#include "yaml/profile_doc.h"

#define PROFILE_DOC_NAME_MAX 31 /* bytes: the wire's limit of profile names */

static const struct yaml_key profile_doc_behaviour_keys[] = {
    {.name = "name",
     .kind = YAML_KIND_TEXT,
     .required = true,
     .offset = offsetof(struct profile_doc_behaviour, name),
     .count_max = PROFILE_DOC_NAME_MAX,
     .summary = "name of the behaviour; any other key of the entry is one of its parameters"},
    {.name = "group",
     .kind = YAML_KIND_UINT32,
     .offset = offsetof(struct profile_doc_behaviour, group),
     .min = 0,
     .max = 7,
     .default_text = "0",
     .summary = "priority group, 0 first"},
    {.name = "weight",
     .kind = YAML_KIND_FLOAT,
     .offset = offsetof(struct profile_doc_behaviour, weight),
     .min = 0.001,
     .max = 100,
     .default_text = "1",
     .summary = "share within its group"},
};

const struct yaml_table profile_doc_behaviour_table = {
    .name = "behaviours",
    .keys = profile_doc_behaviour_keys,
    .key_count = sizeof profile_doc_behaviour_keys / sizeof profile_doc_behaviour_keys[0],
    .size = sizeof(struct profile_doc_behaviour),
    .others_offset = offsetof(struct profile_doc_behaviour, parameters),
};

static const struct yaml_key profile_doc_keys[] = {
    {.name = "name",
     .kind = YAML_KIND_TEXT,
     .required = true,
     .offset = offsetof(struct profile_doc, name),
     .count_max = PROFILE_DOC_NAME_MAX,
     .summary = "a-z, 0-9, _ and -"},
    {.name = "combine",
     .kind = YAML_KIND_CHOICE,
     .offset = offsetof(struct profile_doc, combine),
     .choices = PROFILE_DOC_COMBINE_CHOICES,
     .default_text = "budget",
     .summary = "how behaviours combine"},
    {.name = "rest",
     .kind = YAML_KIND_CHOICE,
     .offset = offsetof(struct profile_doc, rest),
     .choices = PROFILE_DOC_REST_CHOICES,
     .default_text = "brake",
     .summary = "how an agent comes to rest when no behaviour asks for anything"},
    {.name = "behaviours",
     .kind = YAML_KIND_MAPS,
     .required = true,
     .offset = offsetof(struct profile_doc, behaviours),
     .count_min = 1,
     .count_max = 16,
     .table = &profile_doc_behaviour_table,
     .summary = "what its agents do"},
};

const struct yaml_table profile_doc_table = {
    .name = "profiles",
    .keys = profile_doc_keys,
    .key_count = sizeof profile_doc_keys / sizeof profile_doc_keys[0],
    .size = sizeof(struct profile_doc),
    .others_offset = offsetof(struct profile_doc, limits),
};

enum status profile_doc_load(const char *path, struct yaml_tree **tree_out, struct profile_doc *out,
                             struct fault *fault)
{
    struct yaml_tree *tree;
    enum status status = yaml_tree_load(path, &tree, fault);
    if (status != STATUS_OK) {
        return status;
    }
    struct profile_doc doc;
    status = yaml_table_read(tree, yaml_tree_root(tree), &profile_doc_table, "", &doc, fault);
    if (status != STATUS_OK) {
        yaml_tree_destroy(tree);
        return status;
    }
    *tree_out = tree;
    *out = doc;
    return STATUS_OK;
}
