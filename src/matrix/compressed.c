#include "src/matrix/compressed.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/tile_sums.h"
#include "omp/kernels/truncation.h"
#include "src/matrix/matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A factorization may leave out this multiple of what the compression may; the sum is less than the promised 10. */
static const double ALLOWANCE = 8;

/* A factorization may add this multiple of the change when a tile is rounded to single at filling; the sum is less than 10. */
static const double ROUNDINGS = 8;

/* Bounds for tiles in single: the largest norm, and the smallest normal number, below which no change may matter. */
static const double SINGLE_MAX = 0x1p120, SINGLE_MIN = 0x1p-126;

/* The least change that may matter with tiles in bfloat16, where numbers and products below SINGLE_MIN become zeros. */
static const double BF16_MIN = 0x1p-80;

/* ---- place of a tile ------------------------------------------------------------------------------------------------------- */

size_t compressed_room(const ompfact_shape *shape, int m, int n)
{
    struct compression how = { .most = shape->max_rank < 0 ? 0 : shape->max_rank };
    return tile_room(&how, m, n);
}

bool is_in_band(const ompfact_matrix *A, int i, int j)
{
    int apart = i > j ? i - j : j - i;
    return A->shape.accuracy == 0 || apart < A->compressed->band;
}

/* Until it is filled, the matrix is zero. */
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

bool compressed_may_be_on_device(const ompfact_matrix *A, const struct tile_form *form)
{
    return form == NULL || form->filled == IN_DOUBLE || !A->has_sums;
}

ompfact_status check_dense(const ompfact_matrix *A)
{
    if (A->compressed != NULL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "the matrix's tiles are %s: Cholesky, LU without pivoting and solves with their factors take such",
                    A->shape.accuracy > 0 ? "compressed" : "of mixed precision");
    return OMPFACT_SUCCESS;
}

struct tile_form *compressed_form_at(const ompfact_matrix *A, int i, int j)
{
    return is_upper(&A->shape) ? compressed_form(A, j, i) : compressed_form(A, i, j);
}

enum tile_precision kept_precision(const ompfact_matrix *A, int i, int j)
{
    return A->compressed == NULL ? IN_DOUBLE : form_precision(compressed_form_at(A, i, j));
}

enum tile_precision filled_precision(const ompfact_matrix *A, int i, int j)
{
    return A->compressed == NULL ? IN_DOUBLE : compressed_form_at(A, i, j)->filled;
}

/* ---- bounds of errors --------------------------------------------------------------------------------------------------- */

/* All tiles that may be compressed, including those of a Hermitian matrix's other triangle, share the bound. */
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

/* Whether the numbers of tile (i,j) as a factor of products come in pairs: complex ones do, and real ones of an even number of
   columns. */
static bool has_pairs(const ompfact_matrix *A, int i, int j)
{
    return A->precision->flops_scale > 1 || (i > j ? tiling_size(&A->cols, j) : tiling_size(&A->rows, i)) % 2 == 0;
}

/* Tests u |A_ij| <= EPS |A| / nt in Frobenius norms; doc/accuracy.md. */
enum tile_precision precision_by_rule(const ompfact_matrix *A, int i, int j, double norm)
{
    double most = A->compressed->how.rounding, single = precision_of(A->precision->other)->eps;
    if (i == j || !(most > 0 && single * norm <= most && norm <= SINGLE_MAX))
        return IN_DOUBLE;
    bool bf16 = A->shape.bf16_tiles && most >= BF16_MIN && bf16_precision.eps * norm <= most && has_pairs(A, i, j);
    return bf16 ? IN_BF16 : IN_SINGLE;
}

ompfact_status compressed_lost_message(const ompfact_matrix *A, ompfact_status status)
{
    int64_t lost = A->compressed == NULL ? 0 : atomic_load(&A->compressed->lost);
    if (lost == 0)
        return OMPFACT_SUCCESS;
    return fail(A->grid, status, "rank %d: no memory for tile (%d,%d): take more nodes, or a larger accuracy", A->me,
                (int)((lost - 1) >> 32), (int)((lost - 1) & INT32_MAX));
}
