#include "src/matrix/compressed.h"
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"
#include "src/matrix/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A factorization may leave out so many times what the compression may: together less than the 10 times that are promised. */
static const double ALLOWANCE = 8;

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
    return apart < A->compressed->band;
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
                    "the matrix's tiles are compressed: Cholesky, LU without pivoting and solves with their factors take such");
    return OMPFACT_SUCCESS;
}

static struct tile_form *form_of(const ompfact_matrix *A, const ompfact_tile *t)
{
    return is_upper(&A->shape) ? compressed_form(A, t->j, t->i) : compressed_form(A, t->i, t->j);
}

void matrix_read(const ompfact_matrix *A, int i, int j, void *scratch, ompfact_tile *t)
{
    matrix_view(A, i, j, t);
    const struct tile_form *form = A->compressed != NULL ? form_of(A, t) : NULL;
    if (form == NULL || form->rank == TILE_DENSE)
        return;
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
    struct measure *measure;    /* [tile]; zeros of one that is not finite */
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
    if (!note_not_finite(f, t, made, part)) {
        double norm = frobenius_norm(p, part, t->mb, t->nb, made, t->mb);
        f->measure[q] = (struct measure){ norm * norm * (stores_triangle(&f->A->shape) && t->i != t->j ? 2 : 1),
                                          p->host->largest(part, t->mb, t->nb, made, t->mb) };
    }
    workspace_give(made);
}

/* Dense in its place, or the columns that are enough. */
static void keep_tile(void *context, int64_t q)
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
    if (largest > 0 && !(norm >= NORM_MIN && norm <= NORM_MAX))
        return fail(grid, OMPFACT_BAD_ARGUMENT,
                    "the largest element of the matrix is %.3g: scale it, for compressed matrices have norms from %g to %g",
                    largest, NORM_MIN, NORM_MAX);
    compressed_set_tolerance(f->A, norm);
    return OMPFACT_SUCCESS;
}

ompfact_status compressed_tell_lost(const ompfact_matrix *A, ompfact_status status)
{
    int64_t lost = A->compressed == NULL ? 0 : atomic_load(&A->compressed->lost);
    if (lost == 0)
        return OMPFACT_SUCCESS;
    return fail(A->grid, status, "rank %d: no memory for tile (%d,%d): take more nodes, or let more be left out of tiles", A->me,
                (int)((lost - 1) >> 32), (int)((lost - 1) & INT32_MAX));
}

static ompfact_status agree_on_memory(struct filling *f)
{
    ompfact_status status = compressed_tell_lost(f->A, OMPFACT_NO_MEMORY);
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
        each_tile(&f, keep_tile);
        status = agree_on_memory(&f);
    }
    free(f.tiles);
    free(f.measure);
    return status;
}

/* ---- what came of it ------------------------------------------------------------------------------------------------------- */

ompfact_status ompfact_count_ranks(ompfact_matrix *A, ompfact_tile_ranks *ranks)
{
    ompfact_grid *grid = A->grid;
    int64_t size = (int64_t)A->precision->size, sums[5] = { 0 };
    enum { DENSE, LOW, RANKS, BYTES, DENSE_BYTES };
    int most = -1;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        if (is_unused(A, i, j))
            continue;
        int m = tiling_size(&A->rows, i), n = tiling_size(&A->cols, j), rank = ompfact_tile_rank(A, i, j);
        sums[DENSE] += rank == TILE_DENSE;
        sums[LOW] += rank != TILE_DENSE;
        sums[RANKS] += rank != TILE_DENSE ? rank : 0;
        sums[BYTES] += size * (rank == TILE_DENSE ? (int64_t)m * n : (int64_t)rank * (m + n));
        sums[DENSE_BYTES] += size * m * n;
        most = rank > most ? rank : most;
    }
    TRY_MPI(grid, rma_allreduce(grid->rma, sums, 5, MPI_INT64_T, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, &most, 1, MPI_INT, MPI_MAX));
    *ranks = (ompfact_tile_ranks){ .dense_tiles = sums[DENSE],
                                   .rank_mean = sums[LOW] > 0 ? (double)sums[RANKS] / (double)sums[LOW] : NAN, .rank_max = most,
                                   .bytes = sums[BYTES], .dense_bytes = sums[DENSE_BYTES] };
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_rank_map(ompfact_matrix *A, int *ranks)
{
    enum { PIECE = 1 << 20, NOT_STORED = -2 };
    int64_t tiles = (int64_t)A->mt * A->nt;
    for (int64_t k = 0; k < tiles; k++)
        ranks[k] = NOT_STORED;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);)
        if (!is_unused(A, i, j))
            ranks[(int64_t)i * A->nt + j] = ompfact_tile_rank(A, i, j);
    for (int64_t first = 0; first < tiles; first += PIECE)
        TRY_MPI(A->grid, rma_allreduce(A->grid->rma, ranks + first, tiles - first < PIECE ? (int)(tiles - first) : PIECE, MPI_INT,
                                       MPI_MAX));
    return OMPFACT_SUCCESS;
}
