/* Streams, events, handles and modules by name. Names are no addresses, so a wrong one is never dereferenced. */
#include "tests/cuda/engine.h"

#include <stdlib.h>

enum { FIRST_NAME = 1 << 20, NAME_STEP = 64 };
static struct object **objects;         /* NULL: all are gone */
static size_t count;

static const char *const words[] = {
    [STREAM] = "stream", [EVENT] = "event", [BLAS_HANDLE] = "handle of cuBLAS", [SOLVER_HANDLE] = "handle of cuSOLVER",
    [SOLVER_PARAMS] = "parameters of cuSOLVER", [MODULE] = "module", [FUNCTION] = "function",
};

static bool is_user(enum kind kind)
{
    return kind == STREAM || kind == BLAS_HANDLE || kind == SOLVER_HANDLE;
}

/* Modules belong to the driver, so they are not counted. */
static bool is_counted(enum kind kind)
{
    return kind != MODULE && kind != FUNCTION;
}

struct object *emulated_add(enum kind kind, int device, void *body)
{
    struct object *object = emulated_need(sizeof *object);
    struct object **more = realloc(objects, (count + 1) * sizeof(struct object *));
    if (more == NULL)
        abort();
    objects = more;
    *object = (struct object){ .kind = kind, .device = device, .body = body };
    object->name = (void *)(uintptr_t)(FIRST_NAME + NAME_STEP * count);
    objects[count++] = object;
    engine.users += is_user(kind);
    if (is_counted(kind))
        emulated_count_made(device, false);
    return object;
}

struct object *emulated_find(enum kind kind, const void *name)
{
    uintptr_t at = (uintptr_t)name - FIRST_NAME;
    struct object *object = at % NAME_STEP == 0 && at / NAME_STEP < count ? objects[at / NAME_STEP] : NULL;
    if (object != NULL && object->kind == kind)
        return object;
    emulated_accuse("destroyed", "%s: there is no such %s, or no longer", emulated_call(), words[kind]);
    return NULL;
}

void emulated_remove(struct object *object)
{
    objects[((uintptr_t)object->name - FIRST_NAME) / NAME_STEP] = NULL;
    engine.users -= is_user(object->kind);
    if (is_counted(object->kind))
        emulated_count_released(object->device);
    free(object);
}

/* ---- handles ------------------------------------------------------------------------------------------------------------ */

int emulated_handle_create(enum kind kind, void **handle)
{
    if (handle == NULL)
        return INVALID_VALUE;
    *handle = emulated_add(kind, emulated_device_needed(), NULL)->name;
    return 0;
}

int emulated_handle_destroy(enum kind kind, void *handle)
{
    struct object *object = emulated_find(kind, handle);
    if (object == NULL)
        return BAD_HANDLE;
    emulated_remove(object);
    return 0;
}

/* cuBLAS then uses a workspace of its own again. */
int emulated_handle_set_stream(enum kind kind, void *handle, void *stream)
{
    struct object *object = emulated_find(kind, handle);
    if (object == NULL || (stream != NULL && emulated_find(STREAM, stream) == NULL))
        return BAD_HANDLE;
    object->stream = stream;
    object->workspace = (struct range){ 0 };
    return 0;
}
