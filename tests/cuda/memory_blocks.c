/* Device memory, which is host memory here, and registered memory. */
#include "tests/cuda/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256, ON_HOST = -1, UNUSED = 0xff };      /* all bits set is a NaN of every type */
#define DEVICE_BYTES ((size_t)1 << 30)

struct block {
    struct block *next;
    char *start;
    size_t bytes;
    int device;                 /* or ON_HOST */
    int made_on;                /* the device that was set at the allocation */
    bool ours;
};
static struct block *blocks;

static struct block *add_block(char *start, size_t bytes, int device, int made_on, bool ours)
{
    struct block *b = emulated_need(sizeof *b);
    *b = (struct block){ .next = blocks, .start = start, .bytes = bytes, .device = device, .made_on = made_on, .ours = ours };
    blocks = b;
    emulated_count_made(made_on, device != ON_HOST);
    return b;
}

/* Removes the block that starts there from the list; NULL: there is none. */
static struct block *take_block(const void *start, bool on_host, bool ours)
{
    struct block **link = &blocks, *b;
    while (*link != NULL && ((*link)->start != start || ((*link)->device == ON_HOST) != on_host || (*link)->ours != ours))
        link = &(*link)->next;
    b = *link;
    if (b != NULL)
        *link = b->next;
    return b;
}

static struct range whole(const struct block *b)
{
    return (struct range){ .start = b->start, .pitch = b->bytes, .width = b->bytes, .count = 1, .on_host = b->device == ON_HOST };
}

/* An operation that the host must see done first; NULL: there is none. On lost devices nothing will ever be done. */
static struct operation *early_for(const struct block *b)
{
    struct range range = whole(b);
    return engine.lost ? NULL : emulated_unseen_user(&range);
}

/* Waits until all operations on the block are done, in order or not. */
static void finish_block(struct block *b)
{
    struct range range = whole(b);
    for (struct operation *o; (o = emulated_unfinished_user(&range)) != NULL;)
        emulated_drain(o->stream, o->stream->done + 1);
    emulated_count_released(b->made_on);
    if (b->ours)
        free(b->start);
    free(b);
}

static const struct block *block_of(const struct range *range, bool on_host)
{
    size_t bytes = emulated_hull(range);
    for (const struct block *b = blocks; b != NULL; b = b->next)
        if ((b->device == ON_HOST) == on_host && range->start >= b->start && range->start < b->start + b->bytes &&
            bytes <= (size_t)(b->start + b->bytes - range->start))
            return b;
    return NULL;
}

bool emulated_on_device(const struct range *range, int device)
{
    const struct block *b = block_of(range, false);
    return b != NULL && (device < 0 || b->device == device);
}

bool emulated_registered(const struct range *range)
{
    return block_of(range, true) != NULL;
}

bool emulated_registered_in_part(const struct range *range)
{
    for (const struct block *b = blocks; b != NULL; b = b->next)
        if (b->device == ON_HOST && b->start < range->start + emulated_hull(range) && range->start < b->start + b->bytes)
            return block_of(range, true) == NULL;
    return false;
}

int emulated_memory_type(const void *data, int *device)
{
    struct range byte = { .start = data, .pitch = 1, .width = 1, .count = 1 };
    const struct block *b = block_of(&byte, false);
    const struct block *registered = b == NULL ? block_of(&byte, true) : NULL;
    *device = b != NULL ? b->device : registered != NULL ? registered->made_on : -1;
    return b != NULL ? OF_DEVICE : registered != NULL ? OF_HOST : OF_NOBODY;
}

/* ---- device memory ------------------------------------------------------------------------------------------------------ */

void emulated_memory_info(int device, size_t *available, size_t *total)
{
    *total = DEVICE_BYTES;
    *available = DEVICE_BYTES - engine.device[device].in_use;
}

static size_t rounded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool request_fails(void)
{
    bool fails = ++engine.requests == engine.settings.fail_alloc;
    if (fails)
        emulated_print_fault("fail_alloc");
    return fails;
}

int emulated_allocate(void **data, size_t bytes)
{
    int device = emulated_device_needed();
    struct device *d = &engine.device[device];
    if (data == NULL)
        return INVALID_VALUE;
    *data = NULL;
    if (bytes == 0)
        return 0;
    if (request_fails() || bytes > DEVICE_BYTES || rounded(bytes) > DEVICE_BYTES - d->in_use)
        return NO_MEMORY;
    char *start = aligned_alloc(ALIGNMENT, rounded(bytes));
    if (start == NULL)
        return NO_MEMORY;
    memset(start, UNUSED, rounded(bytes));
    d->in_use += rounded(bytes);
    add_block(start, bytes, device, device, true);
    *data = start;
    return 0;
}

/* Like CUDA's, the call waits for the device. */
int emulated_free(void *data)
{
    if (data == NULL)
        return 0;
    struct block *b = take_block(data, false, true);
    if (b == NULL) {
        emulated_accuse("destroyed", "%s of what is no memory of a device", emulated_call());
        return INVALID_VALUE;
    }
    struct operation *o = early_for(b);
    if (o != NULL)
        emulated_accuse("in_use", "%s of memory of device %d that %s on stream %d uses", emulated_call(), b->device, o->work.name,
                        o->stream->index);
    engine.device[b->device].in_use -= rounded(b->bytes);
    emulated_drain_device(b->device);
    finish_block(b);
    return 0;
}

/* ---- host memory -------------------------------------------------------------------------------------------------------- */

/* Whether the whole range is writable. */
static bool is_writable(const char *data, size_t bytes)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    uintptr_t at = (uintptr_t)data, end = at + bytes, first, last;
    char access[5];
    while (maps != NULL && at < end && fscanf(maps, "%" SCNxPTR "-%" SCNxPTR " %4s%*[^\n]", &first, &last, access) == 3)
        if (first <= at && at < last && access[1] == 'w')
            at = last;
    if (maps != NULL)
        fclose(maps);
    return at >= end;
}

/* Refuses memory that is read-only, like devices that cannot register it. */
int emulated_register(void *data, size_t bytes, unsigned flags)
{
    enum { READ_ONLY = 8 };
    int device = emulated_device_needed();
    if (flags & READ_ONLY)
        return UNSUPPORTED_CALL;
    if (data == NULL || bytes == 0 || !is_writable(data, bytes))
        return INVALID_VALUE;
    for (const struct block *b = blocks; b != NULL; b = b->next)
        if (b->start < (char *)data + bytes && (char *)data < b->start + b->bytes)
            return b->device == ON_HOST ? IS_REGISTERED : INVALID_VALUE;
    add_block(data, bytes, ON_HOST, device, false);
    return 0;
}

static int release_host(void *data, bool ours, int error)
{
    struct block *b = take_block(data, true, ours);
    if (b == NULL)
        return error;
    struct operation *o = early_for(b);
    if (o != NULL)
        emulated_accuse("moving", "%s of memory that %s on stream %d of device %d uses", emulated_call(), o->work.name,
                        o->stream->index, o->stream->device);
    finish_block(b);
    return 0;
}

int emulated_unregister(void *data)
{
    return release_host(data, false, NOT_REGISTERED);
}

int emulated_allocate_host(void **data, size_t bytes)
{
    int device = emulated_device_needed();
    if (data == NULL)
        return INVALID_VALUE;
    *data = NULL;
    if (bytes == 0)
        return 0;
    char *start = aligned_alloc(ALIGNMENT, rounded(bytes));
    if (start == NULL)
        return NO_MEMORY;
    add_block(start, bytes, ON_HOST, device, true);
    *data = start;
    return 0;
}

int emulated_free_host(void *data)
{
    int error = data == NULL ? 0 : release_host(data, true, INVALID_VALUE);
    if (error != 0)
        emulated_accuse("destroyed", "%s of what is no memory of cudaHostAlloc's", emulated_call());
    return error;
}
