/* Matrices that are similar to others: of another type or structure, in other tiles, or with more rows. */
#include "src/matrix/layers.h"

#include <stdio.h>
#include <stdlib.h>

/* A matrix of this shape, A's with changes, in these tiles. A rank that the pattern does not have sees the matrix as the first
   one does. Takes over the pattern; NULL: there was no memory for it. */
static ompfact_status sized_on_paper(const ompfact_matrix *A, ompfact_shape shape, struct pattern *pattern,
                                     const struct tiling *rows, const struct tiling *cols, ompfact_matrix **B,
                                     char message[MESSAGE])
{
    CLEANUP(free_at) int *heights = NULL, *widths = NULL;
    *B = NULL;
    if (pattern == NULL || (heights = tiling_sizes(rows)) == NULL || (widths = tiling_sizes(cols)) == NULL) {
        pattern_destroy(&pattern);
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for a layout");
    }
    shape.row_heights = heights;
    shape.col_widths = widths;
    shape.m = rows->start[rows->count];
    shape.n = cols->start[cols->count];
    shape.mt = rows->count;
    shape.nt = cols->count;
    shape.cut = 0;
    shape.copies = 1;
    TRY(matrix_on_paper(&shape, pattern, A->me < pattern->ranks ? A->me : 0, B, message));
    if ((*B)->compressed != NULL)
        (*B)->compressed->how.order = A->compressed->how.order;
    return OMPFACT_SUCCESS;
}

static ompfact_status create_sized(ompfact_matrix *A, ompfact_shape shape, struct pattern *pattern, const struct tiling *rows,
                                   const struct tiling *cols, ompfact_matrix **B)
{
    return matrix_settle(A->grid, sized_on_paper(A, shape, pattern, rows, cols, B, A->grid->message), B);
}

/* A's shape with tiles that are dense and of one precision. */
static ompfact_shape dense_shape(const ompfact_matrix *A, ompfact_structure structure)
{
    ompfact_shape shape = A->shape;
    shape.structure = structure;
    shape.accuracy = shape.tile_precision = 0;
    shape.bf16_tiles = 0;
    return shape;
}

ompfact_status matrix_create_like(ompfact_matrix *A, char type, ompfact_matrix **B)
{
    ompfact_shape shape = A->shape;
    shape.type = type;
    return create_sized(A, shape, pattern_copy(A->pattern), &A->rows, &A->cols, B);
}

ompfact_status matrix_create_sized(ompfact_matrix *A, const struct tiling *rows, const struct tiling *cols, ompfact_matrix **B)
{
    return create_sized(A, A->shape, pattern_copy(A->pattern), rows, cols, B);
}

ompfact_status ompfact_matrix_create_dense(ompfact_matrix *A, ompfact_matrix **B)
{
    return create_sized(A, dense_shape(A, A->shape.structure), pattern_copy(A->pattern), &A->rows, &A->cols, B);
}

ompfact_status matrix_create_lower(ompfact_matrix *A, ompfact_matrix **B)
{
    ompfact_shape shape = A->shape;
    shape.structure = OMPFACT_HERMITIAN_LOWER;
    return create_sized(A, shape, pattern_copy(A->pattern), &A->rows, &A->cols, B);
}

/* A's layout from tile (first,first) on, as a pattern without free cells; NULL: no memory. */
static struct pattern *pattern_as_laid_out(const ompfact_matrix *A, int first)
{
    const struct layout *l = A->layout;
    struct pattern *p = pattern_alloc(A->ranks, l->rows, l->cols);
    for (int i = 0; p != NULL && i < l->rows; i++)
        for (int j = 0; j < l->cols; j++)
            p->cell[(int64_t)i * l->cols + j] = l->cell[(int64_t)((i + first) % l->rows) * l->cols + (j + first) % l->cols];
    if (p != NULL)
        snprintf(p->name, sizeof p->name, "%s", A->pattern->name);
    return p;
}

ompfact_status matrix_create_general(ompfact_matrix *A, ompfact_matrix **G)
{
    struct pattern *pattern = pattern_as_laid_out(A, 0);
    if (pattern != NULL && is_upper(&A->shape)) {
        struct pattern *turned = pattern_transposed(pattern);
        pattern_destroy(&pattern);
        pattern = turned;
    }
    return create_sized(A, dense_shape(A, OMPFACT_GENERAL), pattern, &A->rows, &A->cols, G);
}

/* The tiling from part k on. */
static ompfact_status trailing_parts(const struct tiling *of, int k, struct tiling *t, char message[MESSAGE])
{
    CLEANUP(free_at) int *sizes = tiling_sizes(of);
    if (sizes == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the sizes of tiles");
    return tiling_create(t, of->start[of->count] - of->start[k], 1, sizes + k, of->count - k, message);
}

static ompfact_status trailing_on_paper(const ompfact_matrix *A, int k, ompfact_matrix **S, char message[MESSAGE])
{
    CLEANUP(tiling_destroy) struct tiling rows = { 0 }, cols = { 0 };
    TRY(trailing_parts(&A->rows, k, &rows, message));
    TRY(trailing_parts(&A->cols, k, &cols, message));
    return sized_on_paper(A, A->shape, pattern_as_laid_out(A, k), &rows, &cols, S, message);
}

ompfact_status matrix_create_trailing(ompfact_matrix *A, int k, ompfact_matrix **S)
{
    *S = NULL;
    return matrix_settle(A->grid, trailing_on_paper(A, k, S, A->grid->message), S);
}

/* The tiling with additional parts of nb, m elements in total, behind the present ones. */
static ompfact_status longer(const struct tiling *of, int64_t m, int nb, struct tiling *t, char message[MESSAGE])
{
    int64_t count, size = of->start[of->count] + m;
    CLEANUP(free_at) int *present = tiling_sizes(of), *sizes = NULL;
    *t = (struct tiling){ .count = 0 };
    if (present != NULL)
        sizes = tiling_cut(present, of->count, size, nb, 0, &count);
    if (sizes == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the sizes of so many tiles");
    return tiling_create(t, size, nb, sizes, (int)count, message);
}

int matrix_pieces(const ompfact_matrix *A)
{
    int pieces = 1;
    for (; A->leading != NULL; A = A->leading)
        pieces++;
    return pieces;
}

/* The tile size that was intended, if tiles are smaller. */
static int full_size(const ompfact_matrix *A)
{
    return A->shape.nb > A->rows.largest ? A->shape.nb : A->rows.largest;
}

static ompfact_status larger_on_paper(ompfact_matrix *A, int64_t m, ompfact_matrix **B, char message[MESSAGE])
{
    CLEANUP(tiling_destroy) struct tiling tiles = { 0 };
    ompfact_shape shape = A->shape.accuracy > 0 ? A->shape : dense_shape(A, A->shape.structure);
    TRY(longer(&A->rows, m, full_size(A), &tiles, message));
    TRY(sized_on_paper(A, shape, pattern_as_laid_out(A, 0), &tiles, &tiles, B, message));
    (*B)->leading = A;      /* B's first tiles are A's and remain in A's storage */
    storage_destroy(*B);
    return storage_create(*B) ? OMPFACT_SUCCESS : fail_with(message, OMPFACT_NO_MEMORY, "no memory for a matrix's addresses");
}

ompfact_status matrix_create_larger(ompfact_matrix *A, int64_t m, ompfact_matrix **B)
{
    *B = NULL;
    return matrix_settle(A->grid, larger_on_paper(A, m, B, A->grid->message), B);
}

ompfact_status matrix_create_even(ompfact_matrix *A, ompfact_matrix **B)
{
    CLEANUP(tiling_destroy) struct tiling tiles = { 0 };
    ompfact_status status = tiling_create(&tiles, A->shape.n, full_size(A), NULL, 0, A->grid->message);
    *B = NULL;
    if (status == OMPFACT_SUCCESS)
        status = sized_on_paper(A, A->shape, pattern_as_laid_out(A, 0), &tiles, &tiles, B, A->grid->message);
    return matrix_settle(A->grid, status, B);
}

/* In A's layers, each with A's layout or all of it one rank's. What there is of B the caller destroys. */
static ompfact_status layered_on_paper(const ompfact_matrix *A, bool one_rank, char type, const struct tiling *rows,
                                       const struct tiling *cols, ompfact_matrix **B, char message[MESSAGE])
{
    ompfact_shape shape = A->shape;
    shape.type = type;
    *B = NULL;
    for (int l = 0; l < layers_count(A); l++) {
        ompfact_matrix *layer;
        struct pattern *pattern = one_rank ? pattern_alloc(1, 1, 1) : pattern_copy(layer_of(A, l)->pattern);
        TRY(sized_on_paper(A, shape, pattern, rows, cols, &layer, message));
        if (l == 0)
            *B = layer;
        else
            layers_add(*B, l, layer);
        if (l == 0 && A->layers != NULL && !layers_create_like(layer, A->layers))
            return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the layers of a matrix in copies");
    }
    return OMPFACT_SUCCESS;
}

ompfact_status matrix_leading_of_one_rank(const ompfact_matrix *A, int mt, int nt, ompfact_matrix **B, char message[MESSAGE])
{
    struct tiling rows = { .count = mt, .start = A->rows.start }, cols = { .count = nt, .start = A->cols.start };
    return layered_on_paper(A, true, A->shape.type, &rows, &cols, B, message);
}

ompfact_status matrix_create_in_layers_like(ompfact_matrix *A, char type, ompfact_matrix **B)
{
    ompfact_status status = layered_on_paper(A, false, type, &A->rows, &A->cols, B, A->grid->message);
    return matrix_settle(A->grid, status, B);
}

ompfact_status matrix_transposed_on_paper(const ompfact_matrix *A, ompfact_matrix **At, char message[MESSAGE])
{
    return sized_on_paper(A, A->shape, pattern_transposed(A->pattern), &A->cols, &A->rows, At, message);
}

ompfact_status matrix_create_transposed(ompfact_matrix *A, ompfact_matrix **At)
{
    return matrix_settle(A->grid, matrix_transposed_on_paper(A, At, A->grid->message), At);
}

ompfact_status ompfact_matrix_create_like(ompfact_matrix *A, ompfact_matrix **B)
{
    return matrix_create_like(A, A->shape.type, B);
}
