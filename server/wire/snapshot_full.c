/* Rows of agents become the messages of one snapshot; view.c says which rows and on which threads. */
#include "wire/snapshot_full.h"

#include "base/assert.h"
#include "wire/agent_state.h"
#include "wire/pb_writer.h"

/* ServerMessage.snapshot and the fields of Snapshot. */
#define SNAPSHOT_MESSAGE_FIELD 6
enum snapshot_field {
    SNAPSHOT_FIELD_TICK = 1,
    SNAPSHOT_FIELD_SERVER_TIME_US = 2,
    SNAPSHOT_FIELD_LAST = 3,
    SNAPSHOT_FIELD_AGENTS = 5,
};

#define SNAPSHOT_HEAD_SIZE_MAX 30 /* tag and length 6, tick and time 11 each, last 2 */
#define SNAPSHOT_CHUNK_ROWS_MAX                                                                              \
    512 /* some 25 KiB: enough to be worth a thread's turn, small against a frame */
#define SNAPSHOT_CHUNKS_PER_PART 8 /* at least, so that a part is filled to 7/8 before it is cut */

struct snapshot_limits snapshot_limits(size_t frame_bytes_max, uint32_t agents_max)
{
    ASSERT(frame_bytes_max >= SNAPSHOT_FRAME_BYTES_MIN);
    size_t room = frame_bytes_max - SNAPSHOT_HEAD_SIZE_MAX;
    size_t rows = room / AGENT_STATE_SIZE_MAX / SNAPSHOT_CHUNKS_PER_PART;
    rows = rows < 1 ? 1 : rows > SNAPSHOT_CHUNK_ROWS_MAX ? SNAPSHOT_CHUNK_ROWS_MAX : rows;
    /* Every part but the last holds more than the room without one largest chunk. */
    size_t part_min = room - rows * AGENT_STATE_SIZE_MAX;
    return (struct snapshot_limits){
        .frame_bytes_max = frame_bytes_max,
        .chunk_rows = (uint32_t)rows,
        .chunks_max = (uint32_t)((agents_max + rows - 1) / rows),
        .parts_max = (uint32_t)((size_t)agents_max * AGENT_STATE_SIZE_MAX / part_min + 1),
    };
}

uint32_t snapshot_full_chunks(const struct snapshot_full *snapshot, const struct snapshot_limits *limits)
{
    return (uint32_t)(((uint64_t)snapshot->row_count + limits->chunk_rows - 1) / limits->chunk_rows);
}

/* End of the rows of a chunk. */
static uint32_t snapshot_chunk_end(const struct snapshot_full *snapshot, const struct snapshot_limits *limits,
                                   uint32_t chunk)
{
    uint64_t end = ((uint64_t)chunk + 1) * limits->chunk_rows;
    return end < snapshot->row_count ? (uint32_t)end : snapshot->row_count;
}

static uint32_t snapshot_row(const struct snapshot_full *snapshot, uint32_t index)
{
    return snapshot->rows == NULL ? index : snapshot->rows[index];
}

void snapshot_full_measure(struct snapshot_full *snapshot, const struct snapshot_limits *limits,
                           uint32_t begin, uint32_t end)
{
    for (uint32_t chunk = begin; chunk < end; chunk++) {
        uint32_t last = snapshot_chunk_end(snapshot, limits, chunk);
        size_t size = 0;
        for (uint32_t i = chunk * limits->chunk_rows; i < last; i++) {
            size += agent_state_size(&snapshot->columns, snapshot_row(snapshot, i));
        }
        snapshot->chunks[chunk].size = (uint32_t)size;
    }
}

/* Gives every chunk its part and, for now, its offset from the end of the part's head. */
static uint32_t snapshot_full_place(struct snapshot_full *snapshot, const struct snapshot_limits *limits,
                                    uint32_t chunk_count)
{
    size_t room = limits->frame_bytes_max - SNAPSHOT_HEAD_SIZE_MAX;
    uint32_t part = 0;
    size_t used = 0;
    for (uint32_t i = 0; i < chunk_count; i++) {
        struct snapshot_chunk *chunk = &snapshot->chunks[i];
        if (used + chunk->size > room) {
            part++;
            used = 0;
        }
        chunk->part = part;
        chunk->offset = used;
        used += chunk->size;
    }
    ASSERT(part < limits->parts_max);
    return part + 1;
}

/* A blob for `size` bytes of agents, its head written; NULL when the pool is full. */
static struct blob *snapshot_full_part(const struct snapshot_full *snapshot, struct blob_pool *pool,
                                       size_t size, bool last)
{
    size_t fields =
        pb_size_uint(snapshot->tick) + pb_size_uint(snapshot->server_time_us) + pb_size_uint(last);
    size_t head = 1 + pb_size_varint(fields + size) + fields;
    struct blob *blob = blob_pool_take(pool, head + size);
    if (blob == NULL) {
        return NULL;
    }
    uint8_t *at = pb_put_head(blob->bytes, SNAPSHOT_MESSAGE_FIELD, fields + size);
    at = pb_put_uint(at, SNAPSHOT_FIELD_TICK, snapshot->tick);
    at = pb_put_uint(at, SNAPSHOT_FIELD_SERVER_TIME_US, snapshot->server_time_us);
    at = pb_put_uint(at, SNAPSHOT_FIELD_LAST, last);
    ASSERT((size_t)(at - blob->bytes) == head);
    blob->size = head + size;
    return blob;
}

bool snapshot_full_cut(struct snapshot_full *snapshot, const struct snapshot_limits *limits,
                       struct blob_pool *pool)
{
    uint32_t chunk_count = snapshot_full_chunks(snapshot, limits);
    uint32_t part_count = snapshot_full_place(snapshot, limits, chunk_count);
    uint32_t chunk = 0;
    snapshot->part_count = 0;
    for (uint32_t part = 0; part < part_count; part++) {
        uint32_t first = chunk;
        size_t size = 0;
        while (chunk < chunk_count && snapshot->chunks[chunk].part == part) {
            size += snapshot->chunks[chunk++].size;
        }
        struct blob *blob = snapshot_full_part(snapshot, pool, size, part + 1 == part_count);
        if (blob == NULL) {
            while (snapshot->part_count > 0) {
                blob_release(snapshot->parts[--snapshot->part_count]); /* nobody else has seen them */
            }
            return false;
        }
        ASSERT(blob->size <= limits->frame_bytes_max);
        for (uint32_t i = first; i < chunk; i++) {
            snapshot->chunks[i].offset += blob->size - size;
        }
        snapshot->parts[snapshot->part_count++] = blob;
    }
    return true;
}

void snapshot_full_write(struct snapshot_full *snapshot, const struct snapshot_limits *limits, uint32_t begin,
                         uint32_t end)
{
    for (uint32_t chunk = begin; chunk < end; chunk++) {
        uint8_t *start =
            snapshot->parts[snapshot->chunks[chunk].part]->bytes + snapshot->chunks[chunk].offset;
        uint8_t *at = start;
        uint32_t last = snapshot_chunk_end(snapshot, limits, chunk);
        for (uint32_t i = chunk * limits->chunk_rows; i < last; i++) {
            at = agent_state_put(at, SNAPSHOT_FIELD_AGENTS, &snapshot->columns, snapshot_row(snapshot, i));
        }
        ASSERT((size_t)(at - start) == snapshot->chunks[chunk].size);
    }
}
