/* Rows and columns behind a matrix whose Cholesky factor is there. */
#include "src/factor/factor.h"

#include <inttypes.h>
#include <string.h>

struct growing {
    const ompfact_matrix *from;
    void (*fill)(void *context, const ompfact_tile *tile);
    void *context;
};

static void fill_tile(void *context, const ompfact_tile *t)
{
    const struct growing *g = context;
    const ompfact_matrix *A = g->from;
    if (t->i >= A->mt || t->j >= A->nt)
        g->fill(g->context, t);
    else
        memcpy(t->data, matrix_tile(A, t->i, t->j), (size_t)t->mb * (size_t)t->nb * A->precision->size);
}

static ompfact_status check_append(ompfact_matrix *A, int64_t m)
{
    TRY(check_alike(A->grid, (const char *const[]){ "number of rows" }, &m, 1));
    TRY(check_parts(A));
    if (m < 0 || m > INT64_MAX / 2 - A->shape.n)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "%" PRId64 " rows cannot be appended", m);
    if (A->contents != CONTENTS_CHOLESKY)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "rows are appended to what ompfact_potrf() left with info 0");
    return OMPFACT_SUCCESS;
}

/* Fills and factors the rows of B that are not A's. */
static ompfact_status factor_appended(ompfact_matrix *B, struct growing *g, int64_t *info)
{
    TRY(agree(B->grid, ompfact_fill_tiles(B, fill_tile, g)));
    B->kept = g->from->mt;
    ompfact_status status = factorize(B, &cholesky_appended, &(struct job){ 0 }, info);
    B->kept = 0;
    B->contents = CONTENTS_CHOLESKY;
    return status;
}

ompfact_status ompfact_potrf_append(ompfact_matrix *A, int64_t m, void (*fill)(void *context, const ompfact_tile *tile),
                                    void *context, int64_t *info)
{
    ompfact_matrix *B;
    struct growing growing = { .from = A, .fill = fill, .context = context };
    TRY(check_append(A, m));
    *info = 0;
    if (m == 0)
        return OMPFACT_SUCCESS;
    TRY(matrix_create_larger(A, m, &B));
    ompfact_status status = factor_appended(B, &growing, info);
    if (status == OMPFACT_SUCCESS && *info == 0) {      /* the caller's pointer stays A's */
        ompfact_matrix larger = *B;
        *B = *A;
        *A = larger;
    }
    ompfact_matrix_destroy(&B);
    return status;
}
