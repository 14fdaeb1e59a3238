/* Matrices on paper: checks of a shape, and all of a matrix except its window. */
#include "src/matrix/matrix.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static ompfact_status complete_tile_precision(ompfact_shape *s, char message[MESSAGE])
{
    const struct precision *precision = precision_of(s->type);
    if (s->tile_precision == OMPFACT_TILE_PRECISION_AUTO)
        s->tile_precision = (double)(s->n > 0 ? s->n : 1) * precision->eps;
    if (!(s->tile_precision > 0 && s->tile_precision < 1))
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a matrix's tile_precision is between 0 and 1");
    if (precision->eps > precision_of(precision->other)->eps)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a tile_precision is for types d and z: there is none below single");
    if (is_symmetric(s))
        return fail_with(message, OMPFACT_BAD_ARGUMENT,
                         "a symmetric matrix's tiles are in one precision: it has no tile_precision");
    return OMPFACT_SUCCESS;
}

/* The shape with its defaults filled in. */
static ompfact_status complete_shape(ompfact_shape *s, char message[MESSAGE])
{
    bool triangle = stores_triangle(s);
    if (!OF_THIS_VERSION(s))
        return fail_with(message, OMPFACT_BAD_ARGUMENT,
                         "ompfact_shape.reserved is not zero: the structure was never zeroed, or has a later version");
    if (s->structure != OMPFACT_GENERAL && !triangle)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a matrix is general, Hermitian or symmetric");
    if ((int)s->purpose < OMPFACT_FOR_LU || s->purpose > OMPFACT_FOR_INVERSE)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a matrix is for LU, QR, least squares or an inverse");
    s->type = shape_type(s);
    s->structure = shape_structure(s);
    s->m = s->m == 0 ? shape_rows(s) : s->m;
    if (triangle) {
        s->col_widths = s->row_heights;
        s->nt = s->mt;
    }
    if (precision_of(s->type) == NULL)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a matrix's type is one of s, d, c, z");
    if (s->accuracy != 0 && !(s->accuracy > 0 && s->accuracy < 1))
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a matrix's accuracy is between 0 and 1");
    if (s->band < 0)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "the band of dense tiles is at least 1 wide");
    if (s->accuracy > 0 && is_symmetric(s))
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a symmetric matrix's tiles are dense: it has no accuracy");
    if (s->bf16_tiles && s->tile_precision == 0)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "tiles in bfloat16 need a tile_precision");
    if (s->tile_precision != 0)
        TRY(complete_tile_precision(s, message));
    if (triangle && s->m != s->n)
        return fail_with(message, OMPFACT_BAD_ARGUMENT,
                         is_symmetric(s) ? "a symmetric matrix is square" : "a Hermitian matrix is square");
    return OMPFACT_SUCCESS;
}

static const char too_large[] = "a tile of 2 GiB or more cannot be moved in one piece: use smaller tiles";

/* Checks before any large allocation, so that 64 bits hold all sizes, and the tiles can be counted. */
static ompfact_status check_size(const ompfact_shape *s, char message[MESSAGE])
{
    double size = (double)precision_of(s->type)->size, m = (double)s->m, n = (double)s->n, nb = s->nb;
    if (m * n * size > 0x1p60)
        return fail_with(message, OMPFACT_NO_MEMORY, "a matrix of more than 2^60 bytes does not fit anywhere");
    if (s->row_heights == NULL && s->col_widths == NULL && nb > 0 && m / nb * (n / nb) > 0x1p40)
        return fail_with(message, OMPFACT_NO_MEMORY, "more than 2^40 tiles are too many: use larger ones");
    return OMPFACT_SUCCESS;
}

ompfact_status matrix_check_shape(const ompfact_shape *shape, char message[MESSAGE])
{
    ompfact_shape s = *shape;
    TRY(complete_shape(&s, message));
    TRY(check_size(&s, message));
    TRY(tiling_check(s.m, s.nb, s.row_heights, s.mt, message));
    TRY(tiling_check(s.n, s.nb, s.col_widths, s.nt, message));
    double rows = s.row_heights == NULL ? fmin((double)s.m, s.nb) : 0, cols = s.col_widths == NULL ? fmin((double)s.n, s.nb) : 0;
    return rows * cols * (double)precision_of(s.type)->size > INT_MAX ? fail_with(message, OMPFACT_BAD_ARGUMENT, too_large)
                                                                       : OMPFACT_SUCCESS;
}

ompfact_status matrix_check_largest_tile(const ompfact_matrix *A, char message[MESSAGE])
{
    return matrix_largest_tile(A) > INT_MAX ? fail_with(message, OMPFACT_BAD_ARGUMENT, too_large) : OMPFACT_SUCCESS;
}

double matrix_least_bytes(const ompfact_shape *s)
{
    double n = (double)s->n, elements = stores_triangle(s) ? n * (s->full_storage ? n : (n + 1) / 2) : (double)s->m * n;
    double single = s->bf16_tiles ? 0.25 : s->tile_precision != 0 ? 0.5 : 1;
    return s->accuracy > 0 ? 0 : single * elements * (double)precision_of(shape_type(s))->size;
}

/* An empty matrix also has a layout, with one tile row or column, which is never walked. */
static ompfact_status lay_out(ompfact_matrix *A, char message[MESSAGE])
{
    bool packed = stores_triangle(&A->shape) && !A->shape.full_storage;
    int mt = A->mt > 0 ? A->mt : 1, nt = A->nt > 0 ? A->nt : 1;
    if (!stores_triangle(&A->shape) && pattern_has_free_cells(A->pattern)) {
        snprintf(message, MESSAGE,
                 "layout %.100s leaves its diagonal free, which only Cholesky supports: use 2dbc, g2dbc or auto for LU and QR",
                 A->pattern->name);
        return OMPFACT_BAD_LAYOUT;
    }
    int failed = layout_create(A->pattern, mt, nt, packed ? LAYOUT_LOWER : LAYOUT_FULL, &A->layout, message);
    if (failed != 0)
        return failed == LAYOUT_NO_MEMORY ? OMPFACT_NO_MEMORY : OMPFACT_BAD_LAYOUT;
    bool has_forms = A->shape.accuracy > 0 || A->shape.tile_precision > 0;
    bool made = storage_create(A) && (!has_forms || compressed_create(A));
    return made ? OMPFACT_SUCCESS : fail_with(message, OMPFACT_NO_MEMORY, "no memory for a matrix's addresses");
}

/* Fills in a matrix that has its requested shape and its pattern. */
static ompfact_status complete(ompfact_matrix *A, char message[MESSAGE])
{
    ompfact_shape *s = &A->shape;
    TRY(complete_shape(s, message));
    TRY(check_size(s, message));
    TRY(tiling_create(&A->rows, s->m, s->nb, s->row_heights, s->mt, message));
    TRY(tiling_create(&A->cols, s->n, s->nb, s->col_widths, s->nt, message));
    A->precision = precision_of(s->type);
    A->mt = A->rows.count;
    A->nt = A->cols.count;
    TRY(matrix_check_largest_tile(A, message));
    return lay_out(A, message);
}

ompfact_status matrix_on_paper(const ompfact_shape *shape, struct pattern *pattern, int me, ompfact_matrix **A,
                               char message[MESSAGE])
{
    ompfact_matrix *a = *A = calloc(1, sizeof *a);
    if (a == NULL) {
        pattern_destroy(&pattern);
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for a matrix");
    }
    *a = (ompfact_matrix){ .pattern = pattern, .shape = *shape, .me = me, .ranks = pattern->ranks,
                           .report = report_of_nothing() };
    ompfact_status status = complete(a, message);
    ompfact_shape *s = &a->shape;
    s->row_heights = s->col_widths = NULL;
    s->layout = a->pattern->name;
    s->pattern = NULL;
    s->weights = NULL;
    s->owner = NULL;
    s->owner_context = NULL;
    return matrix_only_after(status, A);
}
