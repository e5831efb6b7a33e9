/* Names of statuses, from the one table. */
#include "base/status.h"

const char *status_name(enum status status)
{
    switch (status) {
#define STATUS(number, name)                                                                                 \
    case STATUS_##name:                                                                                      \
        return #name;
#include "base/status.def"
#undef STATUS
    }
    return "?";
}
