/* LAPACK's test ratios of QR and of least squares, with the library's own Q and by task graphs of products. Nothing is
   gathered. */
#include "src/solve/check_in_range.h"

#include <stdlib.h>
#include <string.h>

static double largest_side(const ompfact_matrix *A)
{
    return (double)(A->shape.m > A->shape.n ? A->shape.m : A->shape.n);
}

/* Fills A tile by tile, with the same success or failure on all ranks. */
static ompfact_status fill(ompfact_matrix *A, void (*body)(void *context, const ompfact_tile *to), const void *context)
{
    return agree(A->grid, ompfact_fill_tiles(A, body, (void *)context));
}

/* ---- A - Q R ------------------------------------------------------------------------------------------------------------ */

/* R from the upper triangle of the factors, with zeros below it. */
static void copy_upper(void *context, const ompfact_tile *to)
{
    const ompfact_matrix *factors = context;
    size_t size = factors->precision->size;
    ompfact_tile from;
    matrix_view(factors, to->i, to->j, &from);
    memset(to->data, 0, (size_t)to->ld * (size_t)to->nb * size);
    for (int c = 0; c < to->nb; c++) {
        int64_t rows = to->col + c - to->row + 1;
        rows = rows < 0 ? 0 : rows > to->mb ? to->mb : rows;
        memcpy((char *)to->data + (size_t)c * (size_t)to->ld * size, (char *)from.data + (size_t)c * (size_t)from.ld * size,
               (size_t)rows * size);
    }
}

static void subtract_tile(void *context, const ompfact_tile *to)
{
    const ompfact_matrix *B = context;
    ompfact_tile from;
    matrix_view(B, to->i, to->j, &from);
    B->precision->kernels->add(to->mb, to->nb, -1, from.data, from.ld, to->data, to->ld);
}

/* ||A - Q R||, scaled; the call overwrites A by the difference. */
static ompfact_status product_error(ompfact_matrix *A, ompfact_matrix *factors, int exponent, double *error)
{
    ompfact_matrix *C;
    TRY(ompfact_matrix_create_like(factors, &C));
    ompfact_status status = fill(C, copy_upper, factors);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_unmqr(factors, false, C);      /* C = Q R */
    if (status == OMPFACT_SUCCESS)
        status = after_write(fill(A, subtract_tile, C));
    ompfact_matrix_destroy(&C);
    return status == OMPFACT_SUCCESS ? after_write(norm1_of_scaled(A, exponent, error)) : status;
}

/* ---- I - Q^H Q ---------------------------------------------------------------------------------------------------------- */

/* job->A is G, the lower triangle of a Hermitian matrix; job->B is Q. */
static void gram_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *G = job->A, *Q = job->B;
    for (int m = 0; m < Q->mt; m++) {
        run_step(run, m, m);
        for (int j = first_col(G, 0); j < G->nt; j = first_col(G, j + 1))
            for (int i = first_row(G, j, j); i < G->mt; i = next_row(G, i, j))
                /* G_ij -= Q_mi^H Q_mj */
                task_gemm(run, -1, CONJ_TRANS, fetch(Q, m, i), NO_TRANS, fetch(Q, m, j), tile(G, i, j));
    }
}

static void set_unit(void *context, int64_t i, int64_t j, void *value)
{
    const ompfact_matrix *G = context;
    G->precision->set(value, i == j, 0);
}

static ompfact_status create_gram(ompfact_matrix *Q, ompfact_matrix **G)
{
    int *widths = tiling_sizes(&Q->cols);
    *G = NULL;
    ompfact_status status = agree_memory(Q->grid, widths != NULL, "for the tiling of Q^H Q");
    ompfact_shape shape = { .n = Q->shape.n, .type = Q->shape.type, .structure = OMPFACT_HERMITIAN_LOWER, .row_heights = widths,
                            .mt = Q->nt,
                            /* any layout will do; the symmetric ones are for Cholesky, and their choice takes time */
                            .layout = "g2dbc" };
    if (status == OMPFACT_SUCCESS)
        status = ompfact_matrix_create(Q->grid, &shape, G);
    free(widths);
    return status;
}

/* ||I - Q^H Q|| */
static ompfact_status unitarity_error(ompfact_matrix *Q, double *error)
{
    ompfact_matrix *G;
    ompfact_report report;
    int64_t info;
    TRY(create_gram(Q, &G));
    ompfact_status status = agree(G->grid, ompfact_fill_entries(G, set_unit, G));
    struct job job = { .A = G, .B = Q };
    struct job_plan plan = { .run.loops = gram_loops, .uses = { { G, true }, { Q, true } } };
    if (status == OMPFACT_SUCCESS)
        status = job_run(G->grid, &job, &plan, &report, &info);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_norm1(G, error);
    ompfact_matrix_destroy(&G);
    return status;
}

ompfact_status ompfact_residual_qr(ompfact_matrix *A, ompfact_matrix *factors, double *ratio)
{
    double norm, of_product, of_q, scale = largest_side(A) * A->precision->eps;
    int exponent;
    ompfact_matrix *Q;
    TRY(check_factors(A, factors));
    if (A->shape.structure != OMPFACT_GENERAL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "factors of QR are of a matrix made as OMPFACT_GENERAL");
    *ratio = 0;
    if (A->mt == 0 || A->nt == 0)
        return OMPFACT_SUCCESS;
    TRY(range_exponent(A, &exponent));
    TRY(norm1_of_scaled(A, exponent, &norm));
    TRY(product_error(A, factors, exponent, &of_product));
    const struct tiling *shorter = factors->shape.m < factors->shape.n ? &factors->rows : &factors->cols;
    TRY(after_write(matrix_create_sized(factors, &factors->rows, shorter, &Q)));
    ompfact_status status = ompfact_ungqr(factors, Q);
    if (status == OMPFACT_SUCCESS)
        status = unitarity_error(Q, &of_q);
    ompfact_matrix_destroy(&Q);
    if (status == OMPFACT_SUCCESS)
        *ratio = larger_or_nan(ratio_of(of_product, norm), of_q) / scale;
    return after_write(status);
}

/* ---- least squares ------------------------------------------------------------------------------------------------------ */

static ompfact_status check_solution(const ompfact_matrix *A, const ompfact_matrix *X, const ompfact_matrix *B)
{
    if (X->work == NULL || B->work == NULL || !tiling_equal(&X->rows, &A->cols) || !tiling_equal(&B->rows, &A->rows) ||
        !tiling_equal(&X->cols, &B->cols) || X->precision != A->precision || B->precision != A->precision || X->grid != A->grid ||
        B->grid != A->grid)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "solution and right-hand sides are not of this matrix: ompfact_gels, ompfact_matrix_create_rhs");
    return check_dense(A);
}

/* The largest ||error|| / (norm size) over columns. */
static ompfact_status compare(double norm, ompfact_matrix *errors, const double *size, double *worst)
{
    double *sums;
    TRY(column_sums(errors, &sums));
    *worst = worst_column(errors->shape.n, norm, sums, size);
    free(sums);
    return OMPFACT_SUCCESS;
}

/* ||b|| + ||A|| ||x|| of each column; the caller frees the result. */
static ompfact_status sizes(ompfact_matrix *X, ompfact_matrix *B, double norm, double **sums)
{
    double *x;
    TRY(column_sums(B, sums));
    ompfact_status status = column_sums(X, &x);
    if (status != OMPFACT_SUCCESS) {
        free(*sums);
        return status;
    }
    for (int64_t j = 0; j < B->shape.n; j++)
        (*sums)[j] += norm * x[j];
    free(x);
    return OMPFACT_SUCCESS;
}

/* ||A^H r|| / (||A|| b) of the residuals r in B; the call uses X's memory. */
static ompfact_status compare_with_columns(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double norm, const double *b,
                                           double *worst)
{
    ompfact_report report;
    ompfact_matrix *Y;
    ompfact_status status = ompfact_matrix_create_like(X, &Y);
    if (status == OMPFACT_SUCCESS) {
        matrix_clear(Y);
        status = subtract_product(CONJ_TRANS, A, B, Y, X->work, &report);
    }
    if (status == OMPFACT_SUCCESS)
        status = compare(norm, Y, b, worst);
    ompfact_matrix_destroy(&Y);
    return status;
}

/* ||A^H (b - A x)|| / (||A|| (||b|| + ||A|| ||x||)); the call overwrites B by the residuals. */
static ompfact_status orthogonality(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double norm, double *worst)
{
    ompfact_report report;
    double *b;
    TRY(sizes(X, B, norm, &b));
    ompfact_status status = subtract_product(NO_TRANS, A, X, B, B->work, &report);
    if (status == OMPFACT_SUCCESS)
        status = after_write(compare_with_columns(A, X, B, norm, b, worst));
    free(b);
    return status;
}

static void clear_rows(void *context, const ompfact_tile *t)
{
    const ompfact_matrix *At = context;
    int64_t rows = At->shape.n - t->row;
    rows = rows < 0 ? 0 : rows > t->mb ? t->mb : rows;
    for (int c = 0; c < t->nb; c++)
        memset((char *)t->data + (size_t)c * (size_t)t->ld * At->precision->size, 0, (size_t)rows * At->precision->size);
}

/*
 * The part of X outside the span of A's rows: with A^H = Q R, the rows of Q^H X below those of R. With R W = the other rows, X =
 * A^H W plus that part, which over ||A|| ||W|| is a backward error: relative to X it would grow with A's condition number.
 */
static ompfact_status outside_rows(ompfact_matrix *A, ompfact_matrix *X, double norm, double *worst)
{
    ompfact_matrix *At = NULL, *Z = NULL, *W = NULL;
    double *w = NULL;
    ompfact_status status = ompfact_conj_transpose(A, &At);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_geqrf(At);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_matrix_create_rhs(At, X->shape.n, &Z);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_redistribute(X, Z);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_unmqr(At, true, Z);
    if (status == OMPFACT_SUCCESS)
        status = solve_with_triangle(At, Z, &W);
    if (status == OMPFACT_SUCCESS)
        status = column_sums(W, &w);
    if (status == OMPFACT_SUCCESS)
        status = fill(Z, clear_rows, At);
    if (status == OMPFACT_SUCCESS)
        status = compare(norm, Z, w, worst);
    free(w);
    ompfact_matrix_destroy(&W);
    ompfact_matrix_destroy(&Z);
    ompfact_matrix_destroy(&At);
    return status;
}

/* 0 for X = 0, the solution for A = 0. */
static ompfact_status shortest_for_zeros(ompfact_matrix *X, double *worst)
{
    double *x;
    TRY(column_sums(X, &x));
    *worst = worst_column(X->shape.n, 0, x, x);
    free(x);
    return OMPFACT_SUCCESS;
}

/* The larger one of ||b - A x|| / (||A|| ||x||) and of the error of x as A^H w; the call overwrites B by the residuals. */
static ompfact_status least_norm(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double norm, double *worst)
{
    ompfact_report report;
    double *x, outside;
    if (norm == 0)
        return shortest_for_zeros(X, worst);
    TRY(column_sums(X, &x));
    ompfact_status status = subtract_product(NO_TRANS, A, X, B, B->work, &report);
    if (status == OMPFACT_SUCCESS)
        status = after_write(compare(norm, B, x, worst));
    if (status == OMPFACT_SUCCESS)
        status = after_write(outside_rows(A, X, norm, &outside));
    if (status == OMPFACT_SUCCESS)
        *worst = larger_or_nan(*worst, outside);
    free(x);
    return status;
}

static ompfact_status judge_least_squares(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    double norm, worst;
    TRY(ompfact_norm1(A, &norm));
    TRY(A->shape.m >= A->shape.n ? orthogonality(A, X, B, norm, &worst) : least_norm(A, X, B, norm, &worst));
    *ratio = worst / (largest_side(A) * A->precision->eps);
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_residual_gels(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    TRY(check_solution(A, X, B));
    *ratio = 0;
    if (A->mt == 0 || A->nt == 0)
        return OMPFACT_SUCCESS;
    return judge_in_range(judge_least_squares, A, X, B, ratio);
}
