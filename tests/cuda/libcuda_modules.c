/*
 * libcuda.so.1: modules. Device code cannot run here. Its kernels are those of offload/device_code.c, compiled for the host,
 * where one call does all the work.
 */
#include "offload/device_code.h"
#include "tests/cuda/emulated.h"

#include <stdlib.h>
#include <string.h>

/* Functions of offload/device_code.c, for elements of any type. */
typedef void copy_rows(struct row_lists lists, int n, const void *A, int lda, void *B, int ldb);
typedef void part(int part, int unit, int mended, int m, int n, const void *A, int lda, void *B, int ldb);
typedef void potrf_info(int *info, int n, const void *A, int lda);
typedef void getrf(int *info, int m, int n, const void *kept, void *A, int lda);
copy_rows ompfact_copy_rows_4, ompfact_copy_rows_8, ompfact_copy_rows_16;
part ompfact_part_s, ompfact_part_d, ompfact_part_c, ompfact_part_z;
typedef void from_other(int m, int n, const void *A, int lda, void *B, int ldb);
from_other ompfact_from_other_s, ompfact_from_other_d, ompfact_from_other_c, ompfact_from_other_z;
typedef void getrf_pivoted(int *info, int *ipiv, int m, int n, const void *kept, void *A, int lda, void *found);
typedef void squares(int part, int m, int n, const void *A, int lda, double *sums);
squares ompfact_squares_s, ompfact_squares_d, ompfact_squares_c, ompfact_squares_z;
typedef void add_sums(double *sums, double *sum);
add_sums ompfact_add_sums;
typedef void bf16(int64_t count, const void *A, void *B);
bf16 ompfact_widen_bf16, ompfact_round_bf16, ompfact_changes_bf16;
potrf_info ompfact_potrf_info_s, ompfact_potrf_info_d, ompfact_potrf_info_c, ompfact_potrf_info_z;
getrf ompfact_getrf_s, ompfact_getrf_d, ompfact_getrf_c, ompfact_getrf_z;
getrf_pivoted ompfact_getrf_pivoted_s, ompfact_getrf_pivoted_d, ompfact_getrf_pivoted_c, ompfact_getrf_pivoted_z;

/* ---- kernels ------------------------------------------------------------------------------------------------------------ */

struct kernel {
    const char *name;
    size_t element;             /* bytes of an element */
    int parameters;
    int (*launch)(const struct kernel *kernel, void *stream, int device, void **p);
    copy_rows *copy_rows;
    part *part;
    from_other *from_other;
    squares *squares;
    add_sums *add_sums;
    bf16 *bf16;
    potrf_info *potrf_info;
    getrf *getrf;
    getrf_pivoted *getrf_pivoted;
};

struct rows {
    copy_rows *run;
    struct row_lists lists;
    int n, lda, ldb;
    const void *A;
    void *B;
};

static void run_rows(const void *arguments)
{
    const struct rows *a = arguments;
    a->run(a->lists, a->n, a->A, a->lda, a->B, a->ldb);
}

/* Adjacent rows are one range. */
static int list_rows(struct range *range, int count, const int *row, const void *A, int n, int lda, size_t element, bool written)
{
    int ranges = 0;
    for (int first = 0, end; first < count; first = end) {
        int at = row == NULL ? 0 : row[first];
        for (end = first + 1; end < count && (row == NULL || row[end] == row[end - 1] + 1);)
            end++;
        range[ranges++] = range_of((const char *)A + at * (ptrdiff_t)element, end - first, n, lda, element, written);
    }
    return ranges;
}

static int launch_rows(const struct kernel *k, void *stream, int device, void **p)
{
    static struct rows a;       /* too large for a stack; the emulation's lock protects them */
    static struct range range[2 * ROWS_AT_ONCE];
    a = (struct rows){ k->copy_rows, *(const struct row_lists *)p[0], *(int *)p[1], *(int *)p[3], *(int *)p[5],
                       *(const void **)p[2], *(void **)p[4] };
    if (a.lists.count < 0 || a.lists.count > ROWS_AT_ONCE)
        return INVALID_VALUE;
    const int *from = a.lists.from_is_given ? a.lists.from : NULL, *to = a.lists.to_is_given ? a.lists.to : NULL;
    int ranges = list_rows(range, a.lists.count, from, a.A, a.n, a.lda, k->element, false);
    ranges += list_rows(range + ranges, a.lists.count, to, a.B, a.n, a.ldb, k->element, true);
    return emulated_launch(stream, device, &(struct work){ k->name, run_rows, &a, sizeof a, range, ranges });
}

struct taken_part {
    part *run;
    int part, unit, mended, m, n, lda, ldb;
    const void *A;
    void *B;
};

static void run_part(const void *arguments)
{
    const struct taken_part *a = arguments;
    a->run(a->part, a->unit, a->mended, a->m, a->n, a->A, a->lda, a->B, a->ldb);
}

static int launch_part(const struct kernel *k, void *stream, int device, void **p)
{
    struct taken_part a = { k->part, *(int *)p[0], *(int *)p[1], *(int *)p[2], *(int *)p[3], *(int *)p[4], *(int *)p[6],
                            *(int *)p[8], *(const void **)p[5], *(void **)p[7] };
    const struct range range[] = { is_read(a.A, a.m, a.n, a.lda, k->element), is_written(a.B, a.m, a.n, a.ldb, k->element) };
    return emulated_launch(stream, device, &(struct work){ k->name, run_part, &a, sizeof a, range, 2 });
}

struct widened {
    from_other *run;
    int m, n, lda, ldb;
    const void *A;
    void *B;
};

static void run_from_other(const void *arguments)
{
    const struct widened *a = arguments;
    a->run(a->m, a->n, a->A, a->lda, a->B, a->ldb);
}

/* Elements of the other precision have half or twice the bytes. */
static int launch_from_other(const struct kernel *k, void *stream, int device, void **p)
{
    struct widened a = { k->from_other, *(int *)p[0], *(int *)p[1], *(int *)p[3], *(int *)p[5], *(const void **)p[2],
                         *(void **)p[4] };
    char type = k->name[strlen(k->name) - 1];
    size_t other = type == 'd' || type == 'z' ? k->element / 2 : 2 * k->element;
    const struct range range[] = { is_read(a.A, a.m, a.n, a.lda, other), is_written(a.B, a.m, a.n, a.ldb, k->element) };
    return emulated_launch(stream, device, &(struct work){ k->name, run_from_other, &a, sizeof a, range, 2 });
}

struct summed {
    squares *run;
    add_sums *run_add;
    int part, m, n, lda;
    const void *A;
    double *sums, *sum;
};

static void run_squares(const void *arguments)
{
    const struct summed *a = arguments;
    a->run(a->part, a->m, a->n, a->A, a->lda, a->sums);
}

static int launch_squares(const struct kernel *k, void *stream, int device, void **p)
{
    struct summed a = { .run = k->squares, .part = *(int *)p[0], .m = *(int *)p[1], .n = *(int *)p[2], .lda = *(int *)p[4],
                        .A = *(const void **)p[3], .sums = *(void **)p[5] };
    const struct range range[] = { is_read(a.A, a.m, a.n, a.lda, k->element), is_written(a.sums, 2, 1, 2, sizeof *a.sums) };
    return emulated_launch(stream, device, &(struct work){ k->name, run_squares, &a, sizeof a, range, 2 });
}

static void run_add_sums(const void *arguments)
{
    const struct summed *a = arguments;
    a->run_add(a->sums, a->sum);
}

static int launch_add_sums(const struct kernel *k, void *stream, int device, void **p)
{
    struct summed a = { .run_add = k->add_sums, .sums = *(void **)p[0], .sum = *(void **)p[1] };
    const struct range range[] = { is_written(a.sums, 2, 1, 2, sizeof *a.sums), is_written(a.sum, 1, 1, 1, sizeof *a.sum) };
    return emulated_launch(stream, device, &(struct work){ k->name, run_add_sums, &a, sizeof a, range, 2 });
}

struct converted {
    bf16 *run;
    int64_t count;
    const void *A;
    void *B;
};

static void run_bf16(const void *arguments)
{
    const struct converted *a = arguments;
    a->run(a->count, a->A, a->B);
}

/* `element`: bytes of A's; B has elements of 2, 4, or sums of 8. */
static int launch_bf16(const struct kernel *k, void *stream, int device, void **p)
{
    struct converted a = { k->bf16, *(int64_t *)p[0], *(const void **)p[1], *(void **)p[2] };
    int64_t written = k->element == 8 ? 2 : a.count;
    const struct range range[] = { is_read(a.A, a.count, 1, a.count, k->element),
                                   is_written(a.B, written, 1, written, k->element == 8 ? 8 : 6 - k->element) };
    return emulated_launch(stream, device, &(struct work){ k->name, run_bf16, &a, sizeof a, range, 2 });
}

struct looked_at {
    potrf_info *run;
    int *info;
    int n, lda;
    const void *A;
};

static void run_potrf_info(const void *arguments)
{
    const struct looked_at *a = arguments;
    a->run(a->info, a->n, a->A, a->lda);
}

static int launch_potrf_info(const struct kernel *k, void *stream, int device, void **p)
{
    struct looked_at a = { k->potrf_info, *(int **)p[0], *(int *)p[1], *(int *)p[3], *(const void **)p[2] };
    const struct range range[] = { is_written(a.info, 2, 1, 2, sizeof(int)), is_read(a.A, a.n, a.n, a.lda, k->element) };
    return emulated_launch(stream, device, &(struct work){ k->name, run_potrf_info, &a, sizeof a, range, 2 });
}

struct factored {
    getrf *run;
    getrf_pivoted *run_pivoted;
    int m, n, lda;
    int *info, *ipiv;
    const void *kept;
    void *A, *found;
};

static void run_getrf(const void *arguments)
{
    const struct factored *a = arguments;
    a->run(a->info, a->m, a->n, a->kept, a->A, a->lda);
}

static int launch_getrf(const struct kernel *k, void *stream, int device, void **p)
{
    struct factored a = { .run = k->getrf, .info = *(int **)p[0], .m = *(int *)p[1], .n = *(int *)p[2],
                          .kept = *(const void **)p[3], .A = *(void **)p[4], .lda = *(int *)p[5] };
    const struct range range[] = { is_written(a.info, 1, 1, 1, sizeof(int)), is_read(a.kept, a.m, a.n, a.m, k->element),
                                   is_written(a.A, a.m, a.n, a.lda, k->element) };
    return emulated_launch(stream, device, &(struct work){ k->name, run_getrf, &a, sizeof a, range, 3 });
}

static void run_getrf_pivoted(const void *arguments)
{
    const struct factored *a = arguments;
    a->run_pivoted(a->info, a->ipiv, a->m, a->n, a->kept, a->A, a->lda, a->found);
}

static int launch_getrf_pivoted(const struct kernel *k, void *stream, int device, void **p)
{
    struct factored a = { .run_pivoted = k->getrf_pivoted, .info = *(int **)p[0], .ipiv = *(int **)p[1], .m = *(int *)p[2],
                          .n = *(int *)p[3], .kept = *(const void **)p[4], .A = *(void **)p[5], .lda = *(int *)p[6],
                          .found = *(void **)p[7] };
    int pivots = a.m < a.n ? a.m : a.n;
    const struct range range[] = { is_written(a.info, 1, 1, 1, sizeof(int)), is_written(a.ipiv, pivots, 1, pivots, sizeof(int)),
                                   is_read(a.kept, a.m, a.n, a.m, k->element), is_written(a.A, a.m, a.n, a.lda, k->element),
                                   is_written(a.found, 1, 1, 1, 2 * sizeof(double)) };
    return emulated_launch(stream, device, &(struct work){ k->name, run_getrf_pivoted, &a, sizeof a, range, 5 });
}

static const struct kernel kernels[] = {
    { "ompfact_copy_rows_4", 4, 6, launch_rows, .copy_rows = ompfact_copy_rows_4 },
    { "ompfact_copy_rows_8", 8, 6, launch_rows, .copy_rows = ompfact_copy_rows_8 },
    { "ompfact_copy_rows_16", 16, 6, launch_rows, .copy_rows = ompfact_copy_rows_16 },
    { "ompfact_part_s", 4, 9, launch_part, .part = ompfact_part_s },
    { "ompfact_part_d", 8, 9, launch_part, .part = ompfact_part_d },
    { "ompfact_part_c", 8, 9, launch_part, .part = ompfact_part_c },
    { "ompfact_part_z", 16, 9, launch_part, .part = ompfact_part_z },
    { "ompfact_from_other_s", 4, 6, launch_from_other, .from_other = ompfact_from_other_s },
    { "ompfact_from_other_d", 8, 6, launch_from_other, .from_other = ompfact_from_other_d },
    { "ompfact_from_other_c", 8, 6, launch_from_other, .from_other = ompfact_from_other_c },
    { "ompfact_from_other_z", 16, 6, launch_from_other, .from_other = ompfact_from_other_z },
    { "ompfact_squares_s", 4, 6, launch_squares, .squares = ompfact_squares_s },
    { "ompfact_squares_d", 8, 6, launch_squares, .squares = ompfact_squares_d },
    { "ompfact_squares_c", 8, 6, launch_squares, .squares = ompfact_squares_c },
    { "ompfact_squares_z", 16, 6, launch_squares, .squares = ompfact_squares_z },
    { "ompfact_add_sums", 8, 2, launch_add_sums, .add_sums = ompfact_add_sums },
    { "ompfact_widen_bf16", 2, 3, launch_bf16, .bf16 = ompfact_widen_bf16 },
    { "ompfact_round_bf16", 4, 3, launch_bf16, .bf16 = ompfact_round_bf16 },
    { "ompfact_changes_bf16", 8, 3, launch_bf16, .bf16 = ompfact_changes_bf16 },
    { "ompfact_potrf_info_s", 4, 4, launch_potrf_info, .potrf_info = ompfact_potrf_info_s },
    { "ompfact_potrf_info_d", 8, 4, launch_potrf_info, .potrf_info = ompfact_potrf_info_d },
    { "ompfact_potrf_info_c", 8, 4, launch_potrf_info, .potrf_info = ompfact_potrf_info_c },
    { "ompfact_potrf_info_z", 16, 4, launch_potrf_info, .potrf_info = ompfact_potrf_info_z },
    { "ompfact_getrf_s", 4, 6, launch_getrf, .getrf = ompfact_getrf_s },
    { "ompfact_getrf_d", 8, 6, launch_getrf, .getrf = ompfact_getrf_d },
    { "ompfact_getrf_c", 8, 6, launch_getrf, .getrf = ompfact_getrf_c },
    { "ompfact_getrf_z", 16, 6, launch_getrf, .getrf = ompfact_getrf_z },
    { "ompfact_getrf_pivoted_s", 4, 8, launch_getrf_pivoted, .getrf_pivoted = ompfact_getrf_pivoted_s },
    { "ompfact_getrf_pivoted_d", 8, 8, launch_getrf_pivoted, .getrf_pivoted = ompfact_getrf_pivoted_d },
    { "ompfact_getrf_pivoted_c", 8, 8, launch_getrf_pivoted, .getrf_pivoted = ompfact_getrf_pivoted_c },
    { "ompfact_getrf_pivoted_z", 16, 8, launch_getrf_pivoted, .getrf_pivoted = ompfact_getrf_pivoted_z },
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* ---- modules ------------------------------------------------------------------------------------------------------------ */

struct module {
    char *image;
    void *function[KERNELS];    /* the functions that were requested */
};

int cuModuleLoadData(void **module, const void *image)
{
    int error = 0, device = emulated_begin(__func__) ? emulated_device_set() : -1;
    if (device < 0) {
        if (!emulated_lost())
            emulated_device_needed();
        return emulated_end(NO_CONTEXT);
    }
    if (module == NULL || image == NULL)
        error = INVALID_VALUE;
    else if (emulated_image_bytes(image) == 0)
        error = BAD_IMAGE;
    if (error == 0) {
        size_t bytes = emulated_image_bytes(image);
        struct module *m = calloc(1, sizeof *m);
        char *copy = malloc(bytes);
        if (m == NULL || copy == NULL) {
            free(copy);
            free(m);
            return emulated_end(NO_MEMORY);
        }
        m->image = memcpy(copy, image, bytes);
        *module = emulated_add(MODULE, device, m)->name;
    }
    return emulated_end(error);
}

int cuModuleUnload(void *module)
{
    emulated_begin(__func__);
    struct object *object = emulated_find(MODULE, module);
    if (object == NULL)
        return emulated_end(BAD_HANDLE);
    struct module *m = object->body;
    for (int i = 0; i < KERNELS; i++)
        if (m->function[i] != NULL)
            emulated_remove(emulated_find(FUNCTION, m->function[i]));
    free(m->image);
    free(m);
    emulated_remove(object);
    return emulated_end(0);
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    struct object *object = emulated_begin(__func__) ? emulated_find(MODULE, module) : NULL;
    int i = 0;
    if (object == NULL)
        return emulated_end(BAD_HANDLE);
    if (function == NULL || name == NULL)
        return emulated_end(INVALID_VALUE);
    struct module *m = object->body;
    while (i < KERNELS && strcmp(kernels[i].name, name) != 0)
        i++;
    if (i == KERNELS || !emulated_image_has(m->image, name))
        return emulated_end(NOT_FOUND);
    if (m->function[i] == NULL)
        m->function[i] = emulated_add(FUNCTION, object->device, (void *)&kernels[i])->name;
    *function = m->function[i];
    return emulated_end(0);
}

static bool are_given(void **p, int count)
{
    for (int i = 0; p != NULL && i < count; i++)
        if (p[i] == NULL)
            return false;
    return p != NULL;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **extra)
{
    (void)shared;
    struct object *object = emulated_begin(__func__) ? emulated_find(FUNCTION, function) : NULL;
    if (object == NULL)
        return emulated_end(BAD_HANDLE);
    const struct kernel *k = object->body;
    uint64_t threads = (uint64_t)bx * by * bz;
    bool right = gx > 0 && gy > 0 && gz > 0 && gy < 65536 && gz < 65536 && threads > 0 && threads <= 1024 && extra == NULL;
    if (!right || !are_given(parameters, k->parameters))
        return emulated_end(INVALID_VALUE);
    return emulated_end(k->launch(k, stream, object->device, parameters));
}
