/*
 * A ring of encoded WorldUpdate messages between the tick that made them and the viewers that have yet to
 * take them (deliver.c).
 */
#include "app/change_log.h"

#include <stddef.h>

#include "base/assert.h"

void change_log_add(struct change_log *log, struct blob *blob)
{
    struct blob **entry = &log->entries[log->next % CHANGE_LOG_ENTRIES];
    blob_release(*entry);
    *entry = blob;
    log->next++;
}

struct blob *change_log_get(const struct change_log *log, uint64_t number)
{
    ASSERT(number < log->next);
    return log->next - number > CHANGE_LOG_ENTRIES ? NULL : log->entries[number % CHANGE_LOG_ENTRIES];
}

void change_log_lose(struct change_log *log)
{
    change_log_clear(log);
    log->next += CHANGE_LOG_ENTRIES + 1;
}

void change_log_clear(struct change_log *log)
{
    for (uint32_t i = 0; i < CHANGE_LOG_ENTRIES; i++) {
        blob_release(log->entries[i]);
        log->entries[i] = NULL;
    }
}
