#include "src/generate/points.h"

#include "src/io/digest.h"
#include "src/io/io.h"
#include "src/io/npy.h"
#include "src/generate/random_by_place.h"

#include <inttypes.h>
#include <math.h>

/* ---- memory --------------------------------------------------------------------------------------------------------------- */

/* Allocates memory for the points. false: no memory. */
static bool make_room(struct points *p, int64_t count, int dims)
{
    *p = (struct points){ .count = count, .dims = dims };
    const size_t room = (size_t)count + 1;      /* malloc(0) may give NULL */
    p->origin = malloc(room * sizeof *p->origin);
    p->place = malloc(room * sizeof *p->place);
    bool made = p->origin != NULL && p->place != NULL;
    for (int d = 0; made && d < dims; d++) {
        p->x[d] = malloc(room * sizeof *p->x[d]);
        made = p->x[d] != NULL;
    }
    return made;
}

void points_forget(struct points *p)
{
    for (int d = 0; d < POINTS_DIMS; d++)
        free(p->x[d]);
    free(p->origin);
    free(p->place);
    *p = (struct points){ 0 };
}

/* ---- Morton order -------------------------------------------------------------------------------------------------------- */

struct cell {
    uint64_t key;
    int64_t row;            /* row in the file */
};

/* Points of one cell keep the order of the file. */
static int compare(const void *a, const void *b)
{
    const struct cell *left = a, *right = b;
    return left->key != right->key ? (left->key < right->key ? -1 : 1) : (left->row > right->row) - (left->row < right->row);
}

struct extent {
    double low, high;       /* half of the lowest and the highest coordinate, whose difference is finite */
};

static struct extent extent_of(const double *x, int64_t from, int64_t to)
{
    struct extent e = { INFINITY, -INFINITY };
    for (int64_t i = from; i < to; i++) {
        e.low = fmin(e.low, x[i] / 2);
        e.high = fmax(e.high, x[i] / 2);
    }
    return e;
}

/* The key has the first bits of a point's coordinates, then the second bits, and so on. Each dimension is halved by itself,
   between the ends of the batch. */
static uint64_t key_of(const struct points *p, const struct extent extent[POINTS_DIMS], int64_t i)
{
    const int bits = p->dims == 2 ? 31 : 21;
    const double cells = (double)((uint64_t)1 << bits);
    uint64_t cell[POINTS_DIMS] = { 0 }, key = 0;
    for (int d = 0; d < p->dims; d++) {
        const struct extent *e = &extent[d];
        if (e->high > e->low)
            cell[d] = (uint64_t)fmin((p->x[d][i] / 2 - e->low) / (e->high - e->low) * cells, cells - 1);
    }
    for (int b = bits - 1; b >= 0; b--)
        for (int d = 0; d < p->dims; d++)
            key = key << 1 | (cell[d] >> b & 1);
    return key;
}

struct ordering {
    struct points *p;
    struct cell *cells;
    double *file;           /* one coordinate in the order of the file */
};

/* Sorts points from .. to - 1. */
static void order_batch(const struct ordering *o, int64_t from, int64_t to)
{
    struct points *p = o->p;
    struct extent extent[POINTS_DIMS];
    for (int d = 0; d < p->dims; d++)
        extent[d] = extent_of(p->x[d], from, to);
    for (int64_t i = from; i < to; i++)
        o->cells[i] = (struct cell){ key_of(p, extent, i), i };
    qsort(o->cells + from, (size_t)(to - from), sizeof *o->cells, compare);
    for (int64_t k = from; k < to; k++) {
        p->origin[k] = o->cells[k].row;
        p->place[o->cells[k].row] = k;
    }
    for (int d = 0; d < p->dims; d++) {
        memcpy(o->file + from, p->x[d] + from, (size_t)(to - from) * sizeof *o->file);
        for (int64_t k = from; k < to; k++)
            p->x[d][k] = o->file[p->origin[k]];
    }
}

/* Sorts coordinates in the order of the file by keys. There are at least as many points as the batches have. false: no memory. */
static bool put_in_order(struct points *p, const struct batches *before)
{
    const size_t room = (size_t)p->count + 1;
    struct ordering o = { p, malloc(room * sizeof *o.cells), malloc(room * sizeof *o.file) };
    const bool made = o.cells != NULL && o.file != NULL;
    int64_t from = 0;
    for (int b = 0; made && before != NULL && b < before->count; b++) {
        order_batch(&o, from, before->end[b]);
        from = before->end[b];
    }
    if (made)
        order_batch(&o, from, p->count);
    free(o.cells);
    free(o.file);
    return made;
}

uint64_t points_digest(const struct points *p, int64_t count)
{
    uint64_t digest = 0;
    for (int d = 0; d < p->dims; d++)
        digest = digest_of(digest, p->x[d], (size_t)count * sizeof *p->x[d]);
    return digest;
}

static int64_t points_of(const struct batches *b)
{
    return b != NULL && b->count > 0 ? b->end[b->count - 1] : 0;
}

/* ---- sources of points --------------------------------------------------------------------------------------------------- */

static int check_shape(const char *path, const struct npy *npy, char *text)
{
    if (npy->type == 'c' || npy->type == 'z')
        return io_fail(text, path, "points are real numbers, and these are complex");
    if (npy->cols != 2 && npy->cols != 3)
        return io_fail(text, path, "it is %" PRId64 " x %" PRId64 "; points have 2 or 3 columns, a row each", npy->rows,
                       npy->cols);
    return 0;
}

/* Refuses a number that is not finite, the first in the first such row. */
static int check_finite(const char *path, const struct points *p, char *text)
{
    for (int64_t i = 0; i < p->count; i++)
        for (int d = 0; d < p->dims; d++)
            if (!isfinite(p->x[d][i]))
                return io_fail(text, path, "row %" PRId64 ", column %d is %s (counted from 1)", i + 1, d + 1,
                               isnan(p->x[d][i]) ? "NaN" : "infinity");
    return 0;
}

static void read_coordinates(const struct npy *npy, struct points *p)
{
    enum { PIECE = 1024 };
    float single[PIECE];
    for (int d = 0; d < p->dims; d++)
        for (int64_t first = 0; first < p->count; first += PIECE) {
            const int count = p->count - first < PIECE ? (int)(p->count - first) : PIECE;
            double *to = p->x[d] + first;
            npy_read_tile(npy, first, d, count, 1, npy->type == 's' ? (void *)single : to, count);
            for (int k = 0; npy->type == 's' && k < count; k++)
                to[k] = single[k];
        }
}

static int check_batches(const char *path, const struct points *p, const struct batches *before, char *text)
{
    const int64_t first = points_of(before);
    if (first > 0 && points_digest(p, first) != before->digest)
        return io_fail(text, path, "its first %" PRId64 " points are others than there were", first);
    return 0;
}

int points_read(const char *path, const struct batches *before, struct points *p, char text[IO_TEXT])
{
    struct npy npy;
    *p = (struct points){ 0 };
    if (npy_open(path, &npy, text) != 0)
        return 1;
    int error = check_shape(path, &npy, text);
    if (!error && !make_room(p, npy.rows, (int)npy.cols))
        error = io_fail(text, path, "no memory for %" PRId64 " points", npy.rows);
    if (!error) {
        read_coordinates(&npy, p);
        error = check_finite(path, p, text);
    }
    npy_close(&npy);
    if (!error && p->count < points_of(before))
        error = io_fail(text, path, "it has %" PRId64 " points, and there were %" PRId64, p->count, points_of(before));
    if (!error && !put_in_order(p, before))
        error = io_fail(text, path, "no memory to order %" PRId64 " points", p->count);
    return error ? error : check_batches(path, p, before, text);
}

int points_make(int64_t count, uint64_t seed, const struct batches *before, struct points *p, char text[IO_TEXT])
{
    enum { FIRST_KEY = 100 };       /* columns use keys from 0; spectra use negative keys before this one */
    bool made = make_room(p, count, 2);
    for (int d = 0; made && d < p->dims; d++) {
        const uint64_t key = random_key(seed, -FIRST_KEY - d, 0);
        for (int64_t i = 0; i < count; i++)
            p->x[d][i] = random_uniform(random_draw(key, i));
    }
    if (made && count >= points_of(before) && put_in_order(p, before))
        return 0;
    snprintf(text, IO_TEXT, "no memory for %" PRId64 " points", count);
    return 1;
}
