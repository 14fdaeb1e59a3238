/*
 * An emulated CUDA on host memory, for tests. This header declares what its libraries share, which is in libcuda.so.1.
 * OMPFACT_TEST_CUDA configures it (settings.c) and names the file of its report (report_lines.c). An emulated ROCm is made of the
 * same sources (rocm.h).
 *
 * Each stream is a thread that executes its queue. The order of two operations is not judged by the times at which they ran, but
 * by what orders them: vector clocks (ordered.c; F. Mattern, Virtual Time and Global States of Distributed Systems, 1989).
 *
 * The body of a CUDA call is between emulated_begin() and emulated_end(), which hold the one lock of the emulation. Other
 * functions are called with that lock held unless their comment has an exception.
 */
#ifndef OMPFACT_TESTS_CUDA_EMULATED_H
#define OMPFACT_TESTS_CUDA_EMULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Codes of cudaError_t and CUresult, which agree. */
enum {
    INVALID_VALUE = 1,
    NO_MEMORY = 2,
    BAD_PITCH = 12,
    BAD_DIRECTION = 21,
    NO_DEVICE = 100,
    BAD_DEVICE = 101,
    BAD_IMAGE = 200,
    NO_CONTEXT = 201,
    PEER_UNSUPPORTED = 217,
    BAD_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    PEER_ENABLED = 704,
    IS_REGISTERED = 712,
    NOT_REGISTERED = 713,
    LAUNCH_FAILURE = 719,       /* returned by all calls once devices are lost */
    UNSUPPORTED_CALL = 801,
};
const char *emulated_error_name(int error);
const char *emulated_error_text(int error);

/* ---- a call ------------------------------------------------------------------------------------------------------------- */

/* false: the devices are lost, or the call is refused; then only calls that release something do their work. The name is not
   copied. */
bool emulated_begin(const char *call);

/* Returns the call's result. */
int emulated_end(int error);

/* Reports an accusation once; two are different if `what` differs. */
void emulated_accuse(const char *kind, const char *what, ...) __attribute__((format(printf, 2, 3)));

/* Whether the devices are lost by now. */
bool emulated_lost(void);

int emulated_devices(void);
int emulated_capability(void);
int emulated_set_device(int device);

/* The device that the thread has set, -1: none; or, for calls that depend on it, the first device with an accusation. */
int emulated_device_set(void);
int emulated_device_needed(void);

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

/* `count` columns of `width` bytes, `pitch` bytes apart. */
struct range {
    const char *start;
    size_t pitch, width, count;
    bool written, on_host;
};

static inline struct range range_of(const void *A, int64_t m, int64_t n, int64_t ld, size_t element, bool written)
{
    return (struct range){ .start = A, .pitch = (size_t)ld * element, .width = m < 0 ? 0 : (size_t)m * element,
                           .count = n < 0 ? 0 : (size_t)n, .written = written };
}

static inline struct range is_read(const void *A, int64_t m, int64_t n, int64_t ld, size_t element)
{
    return range_of(A, m, n, ld, element, false);
}

static inline struct range is_written(const void *A, int64_t m, int64_t n, int64_t ld, size_t element)
{
    return range_of(A, m, n, ld, element, true);
}

int emulated_allocate(void **data, size_t bytes);
int emulated_free(void *data);
int emulated_allocate_host(void **data, size_t bytes);
int emulated_free_host(void *data);
int emulated_register(void *data, size_t bytes, unsigned flags);
int emulated_unregister(void *data);
void emulated_memory_info(int device, size_t *available, size_t *total);

/* The kind of memory: CUDA's types 2, of a device, which is returned in *device; 1, registered; 0, neither. */
enum { OF_NOBODY, OF_HOST, OF_DEVICE };
int emulated_memory_type(const void *data, int *device);

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

enum kind { STREAM, EVENT, BLAS_HANDLE, SOLVER_HANDLE, SOLVER_PARAMS, MODULE, FUNCTION };

/* The object of one of CUDA's opaque pointers. Each pointer value is used once, so that a stale one is recognised. */
struct object {
    enum kind kind;
    int device;
    void *name;
    void *body;                 /* a stream, an event, a module */
    void *stream;               /* for a handle: the name of its stream */
    struct range workspace;     /* for a handle */
    bool in_pieces;             /* the handle emulates double precision */
};

struct object *emulated_add(enum kind kind, int device, void *body);
/* NULL, with an accusation: there is no object of that kind and name. */
struct object *emulated_find(enum kind kind, const void *name);
void emulated_remove(struct object *object);

int emulated_handle_create(enum kind kind, void **handle);
int emulated_handle_destroy(enum kind kind, void *handle);
int emulated_handle_set_stream(enum kind kind, void *handle, void *stream);

/* ---- streams and events ------------------------------------------------------------------------------------------------- */

int emulated_stream_create(void **stream);
int emulated_stream_destroy(void *stream);
int emulated_stream_query(void *stream);
int emulated_stream_wait(void *stream);
int emulated_device_wait(void);
int emulated_event_create(void **event);
int emulated_event_destroy(void *event);
int emulated_event_record(void *event, void *stream);
int emulated_event_query(void *event);
int emulated_event_wait(void *event);
int emulated_stream_wait_event(void *stream, void *event);

/* ---- operations --------------------------------------------------------------------------------------------------------- */

/* The work of an operation: run(a copy of the arguments), which uses these ranges. */
struct work {
    const char *name;           /* not copied */
    void (*run)(const void *arguments);
    const void *arguments;
    size_t bytes;
    const struct range *range;
    int ranges;
};

/* Queues a kernel on a stream, for a handle or module of `device`; or on the stream of a handle. */
int emulated_launch(void *stream, int device, const struct work *work);
int emulated_launch_on(enum kind kind, void *handle, const struct work *work);

/* CUDA's kinds of copies. */
enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, AS_IT_IS };
struct copy {
    char *target;
    const char *source;
    size_t target_pitch, source_pitch, width, count;
    int kind;
    bool blocking;
};
int emulated_copy(void *stream, const struct copy *copy);
int emulated_set(void *stream, char *target, size_t pitch, int value, size_t width, size_t count);

/* ---- images_ptx.c, images_amd.c ----------------------------------------------------------------------------------------- */

/* The size of device code; 0: the image is no device code. */
size_t emulated_image_bytes(const char *image);
/* Whether the image has a kernel of that name. */
bool emulated_image_has(const char *image, const char *name);

#endif
