/* Matrices that are similar to others: of another type or structure, in other tiles, or with more rows. */
#include "src/matrix/layers.h"

#include <stdio.h>
#include <stdlib.h>

/* A's shape with these changes, from the view of one rank. forms: tiles have forms if A's have; else tiles are dense and of one
   precision. Takes over the pattern; NULL: there was no memory for it. */
static ompfact_status sized_on_paper(const ompfact_matrix *A, int me, char type, ompfact_structure structure, bool forms,
                                     struct pattern *pattern, const struct tiling *rows, const struct tiling *cols,
                                     ompfact_matrix **B, char message[MESSAGE])
{
    int *heights = tiling_sizes(rows), *widths = tiling_sizes(cols);
    ompfact_status status = OMPFACT_SUCCESS;
    *B = NULL;
    if (pattern == NULL || heights == NULL || widths == NULL) {
        status = fail_with(message, OMPFACT_NO_MEMORY, "no memory for a layout");
        pattern_destroy(&pattern);
    } else {
        ompfact_shape shape = A->shape;
        shape.type = type;
        shape.structure = structure;
        shape.accuracy = forms ? shape.accuracy : 0;
        shape.tile_precision = forms ? shape.tile_precision : 0;
        shape.bf16_tiles = forms ? shape.bf16_tiles : 0;
        shape.row_heights = heights;
        shape.col_widths = widths;
        shape.m = rows->start[rows->count];
        shape.n = cols->start[cols->count];
        shape.mt = rows->count;
        shape.nt = cols->count;
        shape.cut = 0;
        shape.copies = 1;
        status = matrix_on_paper(&shape, pattern, me, B, message);
        if (status == OMPFACT_SUCCESS && (*B)->compressed != NULL)
            (*B)->compressed->how.order = A->compressed->how.order;
    }
    free(heights);
    free(widths);
    return status;
}

static ompfact_status create_sized(ompfact_matrix *A, char type, const struct tiling *rows, const struct tiling *cols,
                                   ompfact_matrix **B)
{
    ompfact_status status = sized_on_paper(A, A->me, type, A->shape.structure, true, pattern_copy(A->pattern), rows,
                                           cols, B, A->grid->message);
    return matrix_settle(A->grid, status, B);
}

ompfact_status matrix_create_like(ompfact_matrix *A, char type, ompfact_matrix **B)
{
    return create_sized(A, type, &A->rows, &A->cols, B);
}

ompfact_status matrix_create_sized(ompfact_matrix *A, const struct tiling *rows, const struct tiling *cols, ompfact_matrix **B)
{
    return create_sized(A, A->shape.type, rows, cols, B);
}

ompfact_status ompfact_matrix_create_dense(ompfact_matrix *A, ompfact_matrix **B)
{
    ompfact_status status = sized_on_paper(A, A->me, A->shape.type, A->shape.structure, false, pattern_copy(A->pattern), &A->rows,
                                           &A->cols, B, A->grid->message);
    return matrix_settle(A->grid, status, B);
}

ompfact_status matrix_create_lower(ompfact_matrix *A, ompfact_matrix **B)
{
    ompfact_status status = sized_on_paper(A, A->me, A->shape.type, OMPFACT_HERMITIAN_LOWER, true,
                                           pattern_copy(A->pattern), &A->rows, &A->cols, B, A->grid->message);
    return matrix_settle(A->grid, status, B);
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
    ompfact_status status = sized_on_paper(A, A->me, A->shape.type, OMPFACT_GENERAL, false, pattern, &A->rows, &A->cols, G,
                                           A->grid->message);
    return matrix_settle(A->grid, status, G);
}

/* The tiling from part k on. False: no memory. */
static bool trailing_parts(const struct tiling *of, int k, struct tiling *t)
{
    *t = (struct tiling){ .count = of->count - k, .start = malloc(((size_t)(of->count - k) + 1) * sizeof *t->start) };
    for (int i = 0; t->start != NULL && i <= t->count; i++)
        t->start[i] = of->start[i + k] - of->start[k];
    return t->start != NULL;
}

ompfact_status matrix_create_trailing(ompfact_matrix *A, int k, ompfact_matrix **S)
{
    struct tiling rows, cols;
    bool made = trailing_parts(&A->rows, k, &rows), also = trailing_parts(&A->cols, k, &cols);
    struct pattern *pattern = made && also ? pattern_as_laid_out(A, k) : NULL;
    ompfact_status status = fail_with(A->grid->message, OMPFACT_NO_MEMORY, "no memory for the sizes of tiles");
    *S = NULL;
    if (pattern != NULL)
        status = sized_on_paper(A, A->me, A->shape.type, A->shape.structure, true, pattern, &rows, &cols, S,
                                A->grid->message);
    tiling_destroy(&rows);
    tiling_destroy(&cols);
    return matrix_settle(A->grid, status, S);
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

/* Makes A the leading part of B, which is on paper: B's first tiles are A's and remain in A's storage. */
static ompfact_status lead(ompfact_matrix *A, ompfact_matrix *B)
{
    B->leading = A;
    storage_destroy(B);
    return storage_create(B) ? OMPFACT_SUCCESS : fail_with(A->grid->message, OMPFACT_NO_MEMORY,
                                                           "no memory for a matrix's addresses");
}

ompfact_status matrix_create_larger(ompfact_matrix *A, int64_t m, ompfact_matrix **B)
{
    struct tiling tiles;
    char *message = A->grid->message;
    ompfact_status status = longer(&A->rows, m, full_size(A), &tiles, message);
    *B = NULL;
    if (status == OMPFACT_SUCCESS)
        status = sized_on_paper(A, A->me, A->shape.type, A->shape.structure, A->shape.accuracy, pattern_as_laid_out(A, 0), &tiles,
                                &tiles, B, message);
    tiling_destroy(&tiles);
    if (status == OMPFACT_SUCCESS)
        status = lead(A, *B);
    return matrix_settle(A->grid, status, B);
}

ompfact_status matrix_create_even(ompfact_matrix *A, ompfact_matrix **B)
{
    struct tiling tiles;
    char *message = A->grid->message;
    ompfact_status status = tiling_create(&tiles, A->shape.n, full_size(A), NULL, 0, message);
    *B = NULL;
    if (status == OMPFACT_SUCCESS)
        status = sized_on_paper(A, A->me, A->shape.type, A->shape.structure, true, pattern_as_laid_out(A, 0), &tiles,
                                &tiles, B, message);
    tiling_destroy(&tiles);
    return matrix_settle(A->grid, status, B);
}

/* In A's layers, each with A's layout or all of it one rank's. What there is of B the caller destroys. */
static ompfact_status layered_on_paper(const ompfact_matrix *A, bool one_rank, char type, const struct tiling *rows,
                                       const struct tiling *cols, ompfact_matrix **B, char message[MESSAGE])
{
    *B = NULL;
    for (int l = 0; l < layers_count(A); l++) {
        ompfact_matrix *layer;
        struct pattern *pattern = one_rank ? pattern_alloc(1, 1, 1) : pattern_copy(layer_of(A, l)->pattern);
        TRY(sized_on_paper(A, one_rank ? 0 : A->me, type, A->shape.structure, true, pattern, rows, cols, &layer, message));
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
    return sized_on_paper(A, A->me, A->shape.type, A->shape.structure, true, pattern_transposed(A->pattern),
                          &A->cols, &A->rows, At, message);
}

ompfact_status matrix_create_transposed(ompfact_matrix *A, ompfact_matrix **At)
{
    return matrix_settle(A->grid, matrix_transposed_on_paper(A, At, A->grid->message), At);
}

ompfact_status ompfact_matrix_create_like(ompfact_matrix *A, ompfact_matrix **B)
{
    return matrix_create_like(A, A->shape.type, B);
}
