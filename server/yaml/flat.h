#pragma once

#include "yaml/tree.h"

/*
 * Files that are one flat map of option names to values, as `steerd serve --config FILE` takes them:
 *
 *     tick-rate: 60
 *     world-min: [-50, -50]            # told as "-50,-50"
 *     listen: ["[::1]:7400", "127.0.0.1:7400"]   # told twice
 *
 * tell  gets each value as the text a command line would have; its refusals are put behind "path:line: ".
 * `name` and `text` live until yaml_flat_read returns.
 */
typedef enum status (*yaml_flat_fn)(void *context, const char *name, const char *text, struct fault *fault);

/* Fails as yaml_tree_load, as `tell` does, and INVALID_ARGUMENT for a value that is a map or a list of lists,
 * or a key given twice. */
MUST_CHECK enum status yaml_flat_read(const char *path, yaml_flat_fn tell, void *context,
                                      struct fault *fault);
