#include "src/matrix/compressed.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"
#include "src/matrix/matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A factorization may leave out so many times what the compression may: together less than the 10 times that are promised. */
static const double ALLOWANCE = 8;

/* A factorization may add so many times what rounding a tile to single may change as it is filled: together less than 10. */
static const double ROUNDINGS = 8;

/* Of a tile in single: no larger norm, and nothing that may change below its smallest normal number. */
static const double SINGLE_MAX = 0x1p120, SINGLE_MIN = 0x1p-126;

/* Norms whose squares, and those of what may be left out, are numbers. */
static const double NORM_MIN = 1e-100, NORM_MAX = 1e140;

/* ---- room ------------------------------------------------------------------------------------------------------------------ */

/* Ranks in proportion to a tile's order are such that dense ones take more. */
size_t compressed_room(const ompfact_shape *shape, int m, int n)
{
    struct compression how = { .most = shape->max_rank < 0 ? 0 : shape->max_rank };
    size_t dense = (size_t)m * (size_t)n, low = (size_t)largest_rank(&how, m, n) * (size_t)(m + n);
    return dense > low ? dense : low;
}

static bool is_in_band(const ompfact_matrix *A, int i, int j)
{
    int apart = i > j ? i - j : j - i;
    return A->shape.accuracy == 0 || apart < A->compressed->band;
}

/* Until it is filled it is a matrix of zeros. */
bool compressed_create(ompfact_matrix *A)
{
    struct compressed *c = calloc(1, sizeof *c);
    A->compressed = c;
    if (c == NULL)
        return false;
    c->how.most = A->shape.max_rank < 0 ? 0 : A->shape.max_rank;
    c->band = A->shape.band > 0 ? A->shape.band : 1;
    c->not_finite = INT64_MAX;
    atomic_store(&c->left, INT64_MAX);
    c->how.left = &c->left;
    c->how.lost = &c->lost;
    c->form = calloc((size_t)layout_tiles(A->layout, A->me) + 1, sizeof *c->form);
    c->last = calloc((size_t)A->nt + 1, sizeof *c->last);
    if (c->form == NULL || c->last == NULL)
        return false;
    int64_t tiles = 0;
    for (int j = A->mt > 0 ? first_col(A, 0) : A->nt; j < A->nt; j = first_col(A, j + 1)) {
        tiles += layout_count(A->layout, A->me, j);
        c->last[j] = tiles - 1;
        for (int i = first_row(A, j, 0); i < A->mt; i = next_row(A, i, j))
            *compressed_form(A, i, j) = (struct tile_form){ .how = &c->how, .rank = is_in_band(A, i, j) ? TILE_DENSE : 0 };
    }
    return true;
}

void compressed_destroy(struct compressed **compressed)
{
    if (*compressed == NULL)
        return;
    free((*compressed)->form);
    free((*compressed)->last);
    free(*compressed);
    *compressed = NULL;
}

struct tile_form *compressed_form(const ompfact_matrix *A, int i, int j)
{
    const struct compressed *c = A->compressed;
    return c == NULL ? NULL : &c->form[c->last[j] - layout_below(A->layout, i, j)];
}

ompfact_status check_dense(const ompfact_matrix *A)
{
    if (A->compressed != NULL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "the matrix's tiles are %s: Cholesky, LU without pivoting and solves with their factors take such",
                    A->shape.accuracy > 0 ? "compressed" : "of mixed precision");
    return OMPFACT_SUCCESS;
}

static struct tile_form *form_of(const ompfact_matrix *A, const ompfact_tile *t)
{
    return is_upper(&A->shape) ? compressed_form(A, t->j, t->i) : compressed_form(A, t->i, t->j);
}

static const struct tile_form *form_at(const ompfact_matrix *A, int i, int j)
{
    return is_upper(&A->shape) ? compressed_form(A, j, i) : compressed_form(A, i, j);
}

bool is_in_single(const ompfact_matrix *A, int i, int j)
{
    return A->compressed != NULL && form_at(A, i, j)->rank == TILE_SINGLE;
}

bool was_widened(const ompfact_matrix *A, int i, int j)
{
    return A->compressed != NULL && form_at(A, i, j)->widened;
}

void matrix_read(const ompfact_matrix *A, int i, int j, void *scratch, ompfact_tile *t)
{
    matrix_view(A, i, j, t);
    const struct tile_form *form = A->compressed != NULL ? form_of(A, t) : NULL;
    if (form == NULL || form->rank == TILE_DENSE)
        return;
    if (form->rank == TILE_SINGLE) {
        tile_in_precision(false, t->mb, t->nb, precision_of(A->precision->other), t->data, A->precision, scratch);
        t->data = scratch;
        return;
    }
    struct low_rank_work w = { .precision = A->precision };
    A->precision->kernels->clear(t->mb, t->nb, scratch, t->mb);
    low_rank_expand(&w, t->mb, t->nb, form->rank, 1, t->data, scratch, t->mb);
    t->data = scratch;
}

/* ---- filling --------------------------------------------------------------------------------------------------------------- */

/* What is found in a tile: its squares twice where it stands for two. */
struct measure {
    double squares, largest;
};

/* The tiles of mine that count, and what threads find in them. */
struct filling {
    ompfact_matrix *A;
    ompfact_tile *tiles;
    int64_t count;
    void (*fill)(void *context, const ompfact_tile *tile);
    void *context;
    struct measure *measure;    /* [tile]; of one that is not finite no squares, and a NaN */
    _Atomic int64_t not_finite;
    atomic_bool no_memory;
};

/* The tile as the caller makes it, in memory of the thread's. */
static char *make(struct filling *f, const ompfact_tile *t, size_t more)
{
    size_t bytes = (size_t)t->mb * (size_t)t->nb * f->A->precision->size;
    char *made = workspace_take(bytes + more);
    if (made == NULL) {
        atomic_store(&f->no_memory, true);
        return NULL;
    }
    ompfact_tile place = *t;
    place.data = made;
    f->fill(f->context, &place);
    return made;
}

static bool note_not_finite(struct filling *f, const ompfact_tile *t, const char *made, enum uplo part)
{
    const struct precision *p = f->A->precision;
    size_t place = p->host->not_finite(part, t->mb, t->nb, made, t->mb);
    double re, im;
    if (place == 0)
        return false;
    p->get(made + (place - 1) * p->size, &re, &im);
    int64_t row = t->row + (int64_t)(place - 1) % t->mb, col = t->col + (int64_t)(place - 1) / t->mb,
            found = 2 * (row + col * f->A->shape.m) + (re == re && im == im), first = atomic_load(&f->not_finite);
    while (found < first && !atomic_compare_exchange_weak(&f->not_finite, &first, found))
        ;
    return true;
}

static void measure_tile(void *context, int64_t q)
{
    struct filling *f = context;
    const ompfact_tile *t = &f->tiles[q];
    const struct precision *p = f->A->precision;
    enum uplo part = part_used(f->A, t->i, t->j);
    char *made = make(f, t, 0);
    if (made == NULL)
        return;
    if (note_not_finite(f, t, made, part)) {
        f->measure[q].largest = NAN;
    } else {
        double norm = frobenius_norm(p, part, t->mb, t->nb, made, t->mb);
        f->measure[q] = (struct measure){ norm * norm * (stores_triangle(&f->A->shape) && t->i != t->j ? 2 : 1),
                                          p->host->largest(part, t->mb, t->nb, made, t->mb) };
    }
    workspace_give(made);
}

/* u |A_ij| <= EPS |A| / nt, || the Frobenius norm; doc/accuracy.md. */
bool suits_single(const ompfact_matrix *A, int i, int j, double norm)
{
    double most = A->compressed->how.rounding, u = precision_of(A->precision->other)->eps;
    return i != j && most > 0 && u * norm <= most && norm <= SINGLE_MAX;
}

/* Rounded in its place; false: it is not to be. */
static bool keep_in_single(const struct filling *f, int64_t q, const char *made)
{
    const ompfact_matrix *A = f->A;
    const ompfact_tile *t = &f->tiles[q];
    const struct precision *single = precision_of(A->precision->other);
    double squares = f->measure[q].squares / (stores_triangle(&A->shape) ? 2 : 1);
    if (!suits_single(A, t->i, t->j, sqrt(squares)) || isnan(f->measure[q].largest))
        return false;
    tile_in_precision(false, t->mb, t->nb, A->precision, made, single, t->data);
    return true;
}

static void keep_in_precision(void *context, int64_t q)
{
    struct filling *f = context;
    ompfact_matrix *A = f->A;
    const ompfact_tile *t = &f->tiles[q];
    struct tile_form *form = form_of(A, t);
    size_t bytes = (size_t)t->mb * (size_t)t->nb * A->precision->size;
    char *made = make(f, t, 0);
    if (made == NULL)
        return;
    *form = (struct tile_form){ .how = form->how, .rank = TILE_DENSE, .touched = form->touched };
    if (keep_in_single(f, q, made)) {
        form->rank = TILE_SINGLE;
        form->norm = sqrt(f->measure[q].squares);
        bytes /= 2;
    }
    if (!tile_grows(form, bytes)) {
        note_lost_tile(&A->compressed->how, t->i, t->j);
        atomic_store(&f->no_memory, true);
    } else if (form->rank == TILE_DENSE) {
        memcpy(t->data, made, bytes);
    }
    workspace_give(made);
}

/* Dense in its place, or the columns that are enough. */
static void keep_compressed(void *context, int64_t q)
{
    struct filling *f = context;
    const ompfact_matrix *A = f->A;
    const ompfact_tile *t = &f->tiles[q];
    struct low_rank_work w = { .precision = A->precision };
    struct tile_form *form = form_of(A, t);
    int most = largest_rank(&A->compressed->how, t->mb, t->nb), rank = LOW_RANK_NONE;
    size_t size = A->precision->size, bytes = (size_t)t->mb * (size_t)t->nb * size,
           columns = (size_t)(most + LOW_RANK_BLOCK) * (size_t)(t->mb + t->nb) * size;
    char *made = make(f, t, bytes + columns);
    if (made == NULL)
        return;
    if (!is_in_band(A, t->i, t->j)) {
        memcpy(made + bytes, made, bytes);
        rank = low_rank_compress(&w, t->mb, t->nb, made + bytes, A->compressed->how.tolerance, most, made + 2 * bytes);
    }
    size_t kept = rank == LOW_RANK_NONE ? bytes : (size_t)(rank > 0 ? rank : 0) * (size_t)(t->mb + t->nb) * size;
    *form = (struct tile_form){ .how = form->how, .rank = rank == LOW_RANK_NONE ? TILE_DENSE : rank, .touched = form->touched };
    if (rank == LOW_RANK_NO_MEMORY || !tile_grows(form, kept)) {
        form->rank = 0;
        note_lost_tile(&A->compressed->how, t->i, t->j);
        atomic_store(&f->no_memory, true);
    } else {
        memcpy(t->data, rank == LOW_RANK_NONE ? made : made + 2 * bytes, kept);
    }
    workspace_give(made);
}

/* What this node has, shared by its ranks, less a part for what they do beside. */
static ompfact_status set_bound(ompfact_matrix *A)
{
    const double OF_ALL = 0.9;
    int64_t room;
    TRY(memory_share(A->grid, &room));
    atomic_store(&A->compressed->left, (int64_t)(OF_ALL * (double)room));
    return OMPFACT_SUCCESS;
}

/* Threads keep their workspace until all is done. */
static void each_tile(struct filling *f, void (*body)(void *context, int64_t q))
{
    run_each(f->A->grid->settings.threads, f->count, body, f);
}

static bool list_tiles(struct filling *f)
{
    ompfact_matrix *A = f->A;
    int64_t tiles = layout_tiles(A->layout, A->me);
    f->tiles = malloc((size_t)(tiles + 1) * sizeof *f->tiles);
    f->measure = calloc((size_t)tiles + 1, sizeof *f->measure);
    for (int i = -1, j = -1; f->tiles != NULL && f->measure != NULL && ompfact_next_tile(A, &i, &j);)
        if (!is_unused(A, i, j))
            matrix_view(A, i, j, &f->tiles[f->count++]);
    return f->tiles != NULL && f->measure != NULL;
}

/* Tiles that may be compressed, those beyond a Hermitian matrix's diagonal counted, share what may be left out. */
void compressed_set_tolerance(ompfact_matrix *A, double norm)
{
    struct compressed *c = A->compressed;
    double least = (double)A->shape.n * A->precision->eps, accuracy = A->shape.accuracy > least ? A->shape.accuracy : least;
    double tiles = 0;
    for (int d = c->band; d < A->mt || d < A->nt; d++) {
        int below = d < A->mt ? (A->mt - d < A->nt ? A->mt - d : A->nt) : 0;
        int above = d < A->nt ? (A->nt - d < A->mt ? A->nt - d : A->mt) : 0;
        tiles += below + above;
    }
    c->norm = norm;
    c->how.rounding = A->shape.tile_precision * norm / (A->mt > A->nt ? A->mt : A->nt);
    if (!(c->how.rounding >= SINGLE_MIN && c->how.rounding <= DBL_MAX))
        c->how.rounding = 0;
    c->how.roundings = ROUNDINGS * c->how.rounding * ROUNDINGS * c->how.rounding;
    c->how.tolerance = tiles > 0 ? accuracy * norm / sqrt(tiles) : 0;
    c->how.allowance = ALLOWANCE * c->how.tolerance;
}

static ompfact_status find_norm(struct filling *f)
{
    ompfact_grid *grid = f->A->grid;
    double squares = 0, largest = 0;
    each_tile(f, measure_tile);
    for (int64_t q = 0; q < f->count; q++) {
        squares += f->measure[q].squares;
        largest = fmax(largest, f->measure[q].largest);
    }
    int64_t first = atomic_load(&f->not_finite);
    TRY_MPI(grid, rma_allreduce(grid->rma, &squares, 1, MPI_DOUBLE, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, &largest, 1, MPI_DOUBLE, MPI_MAX));
    TRY_MPI(grid, rma_allreduce(grid->rma, &first, 1, MPI_INT64_T, MPI_MIN));
    f->A->compressed->not_finite = first;
    double norm = sqrt(squares);
    if (f->A->shape.accuracy > 0 && largest > 0 && !(norm >= NORM_MIN && norm <= NORM_MAX))
        return fail(grid, OMPFACT_BAD_ARGUMENT,
                    "the largest element of the matrix is %.3g: scale it, for compressed matrices have norms from %g to %g",
                    largest, NORM_MIN, NORM_MAX);
    compressed_set_tolerance(f->A, norm);
    return OMPFACT_SUCCESS;
}

ompfact_status compressed_lost_message(const ompfact_matrix *A, ompfact_status status)
{
    int64_t lost = A->compressed == NULL ? 0 : atomic_load(&A->compressed->lost);
    if (lost == 0)
        return OMPFACT_SUCCESS;
    return fail(A->grid, status, "rank %d: no memory for tile (%d,%d): take more nodes, or let more be left out of tiles", A->me,
                (int)((lost - 1) >> 32), (int)((lost - 1) & INT32_MAX));
}

static ompfact_status agree_on_memory(struct filling *f)
{
    ompfact_status status = compressed_lost_message(f->A, OMPFACT_NO_MEMORY);
    if (status == OMPFACT_SUCCESS && atomic_load(&f->no_memory))
        status = fail(f->A->grid, OMPFACT_NO_MEMORY, "rank %d: no memory to compress tiles", f->A->me);
    return agree(f->A->grid, status);
}

/* Tiles that are not finite stay dense, as no norm of them is small. */
ompfact_status compressed_fill(ompfact_matrix *A, void (*fill)(void *context, const ompfact_tile *tile), void *context)
{
    ompfact_grid *grid = A->grid;
    struct filling f = { .A = A, .fill = fill, .context = context, .not_finite = INT64_MAX };
    atomic_store(&A->compressed->lost, 0);
    ompfact_status status = list_tiles(&f) ? OMPFACT_SUCCESS
                                           : fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a list of tiles", A->me);
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS)
        status = find_norm(&f);
    if (status == OMPFACT_SUCCESS)
        status = agree_on_memory(&f);
    if (status == OMPFACT_SUCCESS)
        status = set_bound(A);
    if (status == OMPFACT_SUCCESS) {
        each_tile(&f, A->shape.accuracy > 0 ? keep_compressed : keep_in_precision);
        status = agree_on_memory(&f);
    }
    free(f.tiles);
    free(f.measure);
    return status;
}
