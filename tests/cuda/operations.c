/* Kernels, copies and memsets. Errors of an operation are reported when it is queued. */
#include "tests/cuda/engine.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Queues an operation with copies of its ranges and arguments. */
static void queue_work(struct stream *s, const struct work *work)
{
    size_t ranges = (size_t)work->ranges * sizeof *work->range;
    size_t before = (sizeof(struct operation) + ranges + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct operation *o = emulated_need(before + work->bytes);
    *o = (struct operation){ .stream = s, .work = *work };
    o->work.range = memcpy(o + 1, work->range, ranges);
    o->work.arguments = memcpy((char *)o + before, work->arguments, work->bytes);
    emulated_order(o);
    emulated_queue(s, o);
    engine.device[s->device].counts.operations++;
    if (++engine.queued == engine.settings.lose_after) {
        engine.lost = true;
        emulated_print_fault("lose_after");
        emulated_wake_all();
    }
}

static bool is_live(const struct range *range, int device, const char *name)
{
    if (emulated_hull(range) == 0 || emulated_on_device(range, device))
        return true;
    emulated_accuse("destroyed", "%s %s what is not, or no longer, memory of %s", name, range->written ? "writes" : "reads",
                    device < 0 ? "a device" : "its device");
    return false;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------ */

/* Whether the thread's device, the handle's and the stream's are the same. */
static bool is_one_device(const struct stream *s, int device, const char *name)
{
    int set = emulated_device_needed();
    if (set == s->device && device == s->device)
        return true;
    emulated_accuse("device", "%s: device %d is set, its handle is of device %d and stream %d of device %d", name, set, device,
                    s->index, s->device);
    return false;
}

int emulated_launch(void *stream, int device, const struct work *work)
{
    struct stream *s = emulated_stream(stream);
    if (s == NULL || !is_one_device(s, device, work->name))
        return BAD_HANDLE;
    for (int i = 0; i < work->ranges; i++)
        if (!is_live(&work->range[i], s->device, work->name))
            return INVALID_VALUE;
    engine.device[s->device].counts.kernels++;
    queue_work(s, work);
    return 0;
}

int emulated_launch_on(enum kind kind, void *handle, const struct work *work)
{
    enum { MOST = 10 };
    struct range range[MOST];
    struct object *object = emulated_find(kind, handle);
    if (object == NULL || work->ranges >= MOST)
        return BAD_HANDLE;
    struct work with_space = *work;
    memcpy(range, work->range, (size_t)work->ranges * sizeof range[0]);
    range[with_space.ranges++] = object->workspace;
    with_space.range = range;
    return emulated_launch(object->stream, object->device, &with_space);
}

/* ---- copies ------------------------------------------------------------------------------------------------------------- */

static void run_copy(const void *arguments)
{
    const struct copy *c = arguments;
    for (size_t i = 0; i < c->count; i++)
        memmove(c->target + i * c->target_pitch, c->source + i * c->source_pitch, c->width);
}

/* Host memory must be mapped. */
static bool is_there(const struct range *range)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)range->start;
    unsigned char resident;
    for (uintptr_t at = start / page * page; at < start + emulated_hull(range); at += page)
        if (mincore((void *)at, page, &resident) != 0)
            return false;
    return true;
}

static bool is_of_device(const char *data)
{
    int device;
    return emulated_memory_type(data, &device) == OF_DEVICE;
}

/* Checks one side of a copy. *pageable: host memory that is not registered. */
static int check_side(struct range *range, const struct copy *c, bool *pageable)
{
    const char *name = emulated_call();
    if (!range->on_host)
        return is_live(range, -1, name) ? 0 : INVALID_VALUE;
    if (is_of_device(range->start))
        return BAD_DIRECTION;
    if (emulated_registered(range))
        return 0;
    if (emulated_registered_in_part(range))
        return INVALID_VALUE;
    *pageable = true;
    if (!c->blocking)
        emulated_accuse("pageable", "%s %s host memory that is not registered", name, range->written ? "to" : "from");
    return is_there(range) ? 0 : INVALID_VALUE;
}

static void count_bytes(int device, const struct copy *c, bool up, bool down)
{
    struct counts *counts = &engine.device[device].counts;
    long bytes = (long)(c->width * c->count);
    counts->bytes_to_device += up ? bytes : 0;
    counts->bytes_from_device += down ? bytes : 0;
}

/* The caller waits until the copy is done. A completed read of pageable memory does not prove that device memory was written. */
static int wait_for_copy(struct stream *s, bool seen)
{
    struct clock clock = { 0 };
    emulated_clock_merge(&clock, &s->clock);
    engine.device[s->device].counts.waits++;
    emulated_drain(s, s->queued);
    if (seen)
        emulated_clock_merge(&engine.host, &clock);
    emulated_clock_free(&clock);
    return engine.lost ? LAUNCH_FAILURE : 0;
}

int emulated_copy(void *stream, const struct copy *copy)
{
    struct copy c = *copy;
    struct stream *s = emulated_stream(stream);
    bool pageable = false, empty = c.width == 0 || c.count == 0;
    if (s == NULL)
        return BAD_HANDLE;
    if (c.kind < HOST_TO_HOST || c.kind > AS_IT_IS)
        return BAD_DIRECTION;
    if (c.count > 1 && (c.width > c.target_pitch || c.width > c.source_pitch))
        return BAD_PITCH;
    if (!empty && (c.target == NULL || c.source == NULL))
        return INVALID_VALUE;
    bool from_host = c.kind == AS_IT_IS ? !is_of_device(c.source) : c.kind == HOST_TO_HOST || c.kind == HOST_TO_DEVICE;
    bool to_host = c.kind == AS_IT_IS ? !is_of_device(c.target) : c.kind == HOST_TO_HOST || c.kind == DEVICE_TO_HOST;
    struct range sides[] = {
        { c.source, c.source_pitch, c.width, c.count, false, from_host },
        { c.target, c.target_pitch, c.width, c.count, true, to_host },
    };
    int error = empty ? 0 : check_side(&sides[0], &c, &pageable);
    if (error == 0 && !empty)
        error = check_side(&sides[1], &c, &pageable);
    if (error != 0)
        return error;
    const struct work work = { emulated_call(), run_copy, &c, sizeof c, sides, 2 };
    count_bytes(s->device, &c, from_host && !to_host, to_host && !from_host);
    queue_work(s, &work);
    return c.blocking || pageable ? wait_for_copy(s, c.blocking || to_host) : 0;
}

/* ---- memsets ------------------------------------------------------------------------------------------------------------ */

struct set {
    char *target;
    size_t pitch, width, count;
    int value;
};

static void run_set(const void *arguments)
{
    const struct set *s = arguments;
    for (size_t i = 0; i < s->count; i++)
        memset(s->target + i * s->pitch, s->value, s->width);
}

int emulated_set(void *stream, char *target, size_t pitch, int value, size_t width, size_t count)
{
    struct set set = { target, pitch, width, count, value };
    struct range range = { target, pitch, width, count, true, false };
    struct stream *s = emulated_stream(stream);
    if (s == NULL)
        return BAD_HANDLE;
    if (count > 1 && width > pitch)
        return BAD_PITCH;
    if (!is_live(&range, -1, emulated_call()))
        return INVALID_VALUE;
    const struct work work = { emulated_call(), run_set, &set, sizeof set, &range, 1 };
    queue_work(s, &work);
    return 0;
}
