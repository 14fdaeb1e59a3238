/* LAPACK's test ratios of QR and of least squares, with the library's own Q and by task graphs of products. Nothing is
   gathered. */
#include "src/solve/check_in_range.h"

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
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *C = NULL;
    TRY(ompfact_matrix_create_like(factors, &C));
    TRY(fill(C, copy_upper, factors));
    TRY(ompfact_unmqr(factors, false, C));      /* C = Q R */
    TRY(after_write(fill(A, subtract_tile, C)));
    return after_write(norm1_of_scaled(A, exponent, error));
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
    CLEANUP(free_at) int *widths = tiling_sizes(&Q->cols);
    *G = NULL;
    TRY(agree_memory(Q->grid, widths != NULL, "for the tiling of Q^H Q"));
    ompfact_shape shape = { .n = Q->shape.n, .type = Q->shape.type, .structure = OMPFACT_HERMITIAN_LOWER, .row_heights = widths,
                            .mt = Q->nt,
                            /* any layout will do; the symmetric ones are for Cholesky, and their choice takes time */
                            .layout = "g2dbc" };
    return ompfact_matrix_create(Q->grid, &shape, G);
}

/* ||I - Q^H Q|| */
static ompfact_status unitarity_error(ompfact_matrix *Q, double *error)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *G = NULL;
    TRY(create_gram(Q, &G));
    TRY(agree(G->grid, ompfact_fill_entries(G, set_unit, G)));
    struct job job = { .A = G, .B = Q };
    struct job_plan plan = { .run.loops = gram_loops, .uses = { { G, true }, { Q, true } } };
    TRY(job_run(G->grid, &job, &plan, NULL, NULL));
    return ompfact_norm1(G, error);
}

ompfact_status ompfact_residual_qr(ompfact_matrix *A, ompfact_matrix *factors, double *ratio)
{
    double norm, of_product, of_q, scale = largest_side(A) * A->precision->eps;
    int exponent;
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *Q = NULL;
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
    TRY(after_write(ompfact_ungqr(factors, Q)));
    TRY(after_write(unitarity_error(Q, &of_q)));
    *ratio = larger_or_nan(ratio_of(of_product, norm), of_q) / scale;
    return OMPFACT_SUCCESS;
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
    CLEANUP(free_at) double *sums = NULL;
    TRY(column_sums(errors, &sums));
    *worst = worst_column(errors->shape.n, norm, sums, size);
    return OMPFACT_SUCCESS;
}

/* ||b|| + ||A|| ||x|| of each column; the caller frees the result. */
static ompfact_status sizes(ompfact_matrix *X, ompfact_matrix *B, double norm, double **sums)
{
    CLEANUP(free_at) double *x = NULL;
    TRY(column_sums(B, sums));
    TRY(column_sums(X, &x));
    for (int64_t j = 0; j < B->shape.n; j++)
        (*sums)[j] += norm * x[j];
    return OMPFACT_SUCCESS;
}

/* ||A^H r|| / (||A|| b) of the residuals r in B; the call uses X's memory. */
static ompfact_status compare_with_columns(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double norm, const double *b,
                                           double *worst)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *Y = NULL;
    TRY(ompfact_matrix_create_like(X, &Y));
    matrix_clear(Y);
    TRY(subtract_product(CONJ_TRANS, A, B, Y, X->work, &(ompfact_report){ 0 }));
    return compare(norm, Y, b, worst);
}

/* ||A^H (b - A x)|| / (||A|| (||b|| + ||A|| ||x||)); the call overwrites B by the residuals. */
static ompfact_status orthogonality(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double norm, double *worst)
{
    CLEANUP(free_at) double *b = NULL;
    TRY(sizes(X, B, norm, &b));
    TRY(subtract_product(NO_TRANS, A, X, B, B->work, &(ompfact_report){ 0 }));
    return after_write(compare_with_columns(A, X, B, norm, b, worst));
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
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *At = NULL, *Z = NULL, *W = NULL;
    CLEANUP(free_at) double *w = NULL;
    TRY(ompfact_conj_transpose(A, &At));
    TRY(ompfact_geqrf(At));
    TRY(ompfact_matrix_create_rhs(At, X->shape.n, &Z));
    TRY(ompfact_redistribute(X, Z));
    TRY(ompfact_unmqr(At, true, Z));
    TRY(solve_with_triangle(At, Z, &W));
    TRY(column_sums(W, &w));
    TRY(fill(Z, clear_rows, At));
    return compare(norm, Z, w, worst);
}

/* 0 for X = 0, the solution for A = 0. */
static ompfact_status shortest_for_zeros(ompfact_matrix *X, double *worst)
{
    CLEANUP(free_at) double *x = NULL;
    TRY(column_sums(X, &x));
    *worst = worst_column(X->shape.n, 0, x, x);
    return OMPFACT_SUCCESS;
}

/* The larger one of ||b - A x|| / (||A|| ||x||) and of the error of x as A^H w; the call overwrites B by the residuals. */
static ompfact_status least_norm(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double norm, double *worst)
{
    CLEANUP(free_at) double *x = NULL;
    double outside;
    if (norm == 0)
        return shortest_for_zeros(X, worst);
    TRY(column_sums(X, &x));
    TRY(subtract_product(NO_TRANS, A, X, B, B->work, &(ompfact_report){ 0 }));
    TRY(after_write(compare(norm, B, x, worst)));
    TRY(after_write(outside_rows(A, X, norm, &outside)));
    *worst = larger_or_nan(*worst, outside);
    return OMPFACT_SUCCESS;
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
