/*
 * Mixed precision: factors in single precision, solutions refined to double's accuracy (LAPACK's dsposv and dsgesv; Langou et
 * al., "Exploiting the Performance of 32 bit Floating Point Arithmetic in Obtaining 64 bit Accuracy", SC 2006).
 *
 *     F = factors of A                                                     single
 *     X = 0, R = B;  repeat   X += F^-1 R         the solve in single, the sum in double
 *                             R  = B - A X        double
 *     until |r| <= sqrt(n) eps ||A|| |x| for each column, the largest elements' moduli and ||A||_inf
 *
 * Where the grid's options say so, X += F^-1 (R D^-1) D, D the diagonal matrix of the sizes of R's columns, as long as that
 * halves the error; from then on X += C with A C = R by GMRES (gmres.c).
 *
 * Matrices of both precisions have one tiling and one layout, so each rank converts its own tiles. A matrix in copies has the
 * factors in as many, and they stay spread; the first layer has A, and the residuals. Where it does not work, A and
 * B are as they were, and are factored and solved in double.
 */
#include "src/solve/refine.h"

#include <math.h>
#include <stdlib.h>

/* LAPACK's ITER where refinement has failed. */
enum { NO_ROOM = -1, OUT_OF_RANGE = -2, NO_FACTORS = -3 };

const struct method method_cholesky = { ompfact_potrf, ompfact_potrs };
const struct method method_lu = { ompfact_getrf, ompfact_getrs };

enum { MAX_IDLE = 4 };
struct gains {
    bool by_gmres;          /* the factors alone have not halved the error */
    double error;
    int64_t wrong;          /* the fewest columns that were not right */
    int idle;               /* how many corrections by GMRES in a row have neither halved the error nor put a column right */
};

/* ---- refinement --------------------------------------------------------------------------------------------------------- */

static void divide_residual(void *context, const ompfact_tile *r)
{
    const struct refinement *f = context;
    for (int c = 0; c < r->nb; c++)
        scale_column(f, r, c, 1 / size_of_residual(f, r->col + c));
}

static void add_correction(void *context, const ompfact_tile *x)
{
    const struct refinement *f = context;
    ompfact_tile r;
    matrix_view(f->R, x->i, x->j, &r);
    for (int c = 0; c < x->nb; c++)
        f->A->precision->kernels->add(x->mb, 1, size_of_residual(f, x->col + c), column_of(f, &r, c), r.ld, column_of(f, x, c),
                                      x->ld);
}

/* X += F^-1 (R D^-1) D */
static ompfact_status correct(struct refinement *f, bool *fits)
{
    ompfact_grid *grid = f->A->grid;
    TRY(agree(grid, ompfact_fill_tiles(f->R, divide_residual, f)));
    TRY(precondition(f, f->R, f->Y, fits));
    if (!*fits)
        return OMPFACT_SUCCESS;
    f->solves++;
    return agree(grid, ompfact_fill_tiles(f->X, add_correction, f));
}

static ompfact_status measure_residual(struct refinement *f)
{
    free(f->sizes);
    f->sizes = NULL;
    return f->norms(f->R, &f->sizes);
}

ompfact_status subtract_dense(struct refinement *f, ompfact_matrix *V, ompfact_matrix *W)
{
    return subtract_product(NO_TRANS, f->A, V, W, f->R->work, &f->solved);
}

ompfact_status compute_residual(struct refinement *f)
{
    TRY(copy_tiles(f->B, f->R, NULL));
    TRY(f->subtract(f, f->X, f->R));
    return measure_residual(f);
}

/* The errors, and the largest of them. One rank's word decides for all, whose libraries may round as their processors like. */
static ompfact_status judge(struct refinement *f)
{
    const double *r = f->sizes;
    CLEANUP(free_at) double *x = NULL;
    TRY(f->norms(f->X, &x));
    for (int64_t j = 0; j < f->X->shape.n; j++) {
        bool right = r[j] <= f->allowed * x[j];
        f->errors[j] = !isfinite(r[j]) || !isfinite(x[j]) ? INFINITY : right ? 0 : r[j] / (f->allowed * x[j]);
    }
    TRY(reduce_over_ranks(f->A->grid, f->errors, f->X->shape.n, MPI_MAX));
    f->worst = 0;
    for (int64_t j = 0; j < f->X->shape.n; j++)
        f->worst = fmax(f->worst, f->errors[j]);
    return OMPFACT_SUCCESS;
}

/* Is there hope? The classic way counts as LAPACK does. With GMRES the first corrections may gain nothing: what was too small to
   be seen in single comes up; and near the end of its reach errors of many columns go up and down while one after the other is
   done. */
static bool goes_on(const struct refinement *f, struct gains *gains)
{
    if (f->way == OMPFACT_REFINE_CLASSIC)
        return f->solves <= MAX_ITERATIONS;
    int64_t wrong = 0;
    for (int64_t j = 0; j < f->X->shape.n; j++)
        wrong += f->errors[j] > 0;
    bool halved = f->worst <= gains->error / 2, turns = !halved && !gains->by_gmres;
    gains->idle = halved || turns || wrong < gains->wrong ? 0 : gains->idle + 1;
    gains->wrong = wrong < gains->wrong ? wrong : gains->wrong;
    gains->error = gains->idle == 0 ? f->worst : gains->error;
    gains->by_gmres |= turns;
    return gains->idle < MAX_IDLE && isfinite(f->worst) && f->solves + 2 <= GMRES_SOLVES;
}

ompfact_status improve_with_factors(struct refinement *f, int *iterations)
{
    struct gains gains = { .error = INFINITY, .wrong = INT64_MAX };
    bool fits;
    f->solves = 0;
    do {
        TRY(gains.by_gmres ? gmres_correct(f, &fits) : correct(f, &fits));
        *iterations = OUT_OF_RANGE;
        if (!fits)
            return OMPFACT_SUCCESS;
        TRY(compute_residual(f));
        TRY(judge(f));
        *iterations = f->worst == 0 ? f->solves : NO_CONVERGENCE;
    } while (f->worst > 0 && goes_on(f, &gains));
    return OMPFACT_SUCCESS;
}

ompfact_status refine_with_factors(struct refinement *f, int *iterations)
{
    matrix_clear(f->X);
    TRY(copy_tiles(f->B, f->R, NULL));
    TRY(measure_residual(f));
    TRY(improve_with_factors(f, iterations));
    *iterations -= *iterations > 0;     /* the first solve is no refinement */
    return OMPFACT_SUCCESS;
}

/* Leaves the solution in X. *iterations is LAPACK's ITER. */
static ompfact_status refine(struct refinement *f, int *iterations)
{
    bool fits;
    int64_t info;
    double norm;
    TRY(matrix_create_in_layers_like(f->A, f->A->precision->other, &f->F));
    TRY(refinement_create(f));
    *iterations = OUT_OF_RANGE;
    TRY(copy_tiles(f->A, f->F, &fits));
    if (!fits)
        return OMPFACT_SUCCESS;
    TRY(norm_inf(f->A, &norm));
    f->allowed = sqrt((double)f->A->shape.n) * f->A->precision->eps * norm;
    TRY(f->method->factor(f->F, &info));
    f->factored = f->F->report;
    *iterations = NO_FACTORS;
    if (info != 0)
        return OMPFACT_SUCCESS;
    return refine_with_factors(f, iterations);
}

ompfact_status refinement_prepare(struct refinement *f)
{
    int64_t nrhs = f->B->shape.n;
    f->errors = malloc((size_t)(nrhs + 1) * sizeof *f->errors);
    TRY(agree_memory(f->A->grid, f->errors != NULL, "to refine"));
    TRY(ompfact_matrix_create_rhs(f->F, nrhs, &f->Y));
    return ompfact_matrix_create_rhs(f->A, nrhs, &f->R);
}

ompfact_status refinement_create(struct refinement *f)
{
    TRY(refinement_prepare(f));
    return ompfact_matrix_create_rhs(f->A, f->B->shape.n, &f->X);
}

void refinement_destroy(struct refinement *f)
{
    gmres_destroy(&f->gmres);
    ompfact_matrix_destroy(&f->X);
    ompfact_matrix_destroy(&f->R);
    ompfact_matrix_destroy(&f->Y);
    free(f->errors);
    free(f->sizes);
}

ompfact_status check_refined(const ompfact_matrix *A, const ompfact_matrix *B)
{
    TRY(check_dense(A));
    TRY(check_whole(A, NULL));
    return check_system(A, B);
}

ompfact_status report_refined(const struct refinement *f, double start, ompfact_matrix *B)
{
    double seconds = run_clock() - start;
    TRY_MPI(B->grid, rma_allreduce(B->grid->rma, &seconds, 1, MPI_DOUBLE, MPI_MAX));
    B->report = f->solved;
    B->report.seconds = seconds - f->factored.seconds;
    return OMPFACT_SUCCESS;
}

static ompfact_status try_refinement(struct refinement *f, int *iterations)
{
    ompfact_status status = refine(f, iterations);
    if (status == OMPFACT_NO_MEMORY) {
        *iterations = NO_ROOM;
        status = OMPFACT_SUCCESS;
    }
    if (status == OMPFACT_SUCCESS && *iterations >= 0)
        status = after_write(copy_tiles(f->X, f->B, NULL));
    refinement_destroy(f);
    ompfact_matrix_destroy(&f->F);
    return status;
}

static ompfact_status solve_in_double(struct refinement *f, int64_t *info)
{
    TRY(f->method->factor(f->A, info));
    report_add(&f->factored, &f->A->report);
    if (*info != 0)
        return OMPFACT_SUCCESS;
    TRY(after_write(f->method->solve(f->A, f->B)));
    report_add(&f->solved, &f->B->report);
    return OMPFACT_SUCCESS;
}

static ompfact_status solve_refined(ompfact_matrix *A, ompfact_matrix *B, const struct method *method, int64_t *info,
                                    int *iterations)
{
    ompfact_grid *grid = A->grid;
    struct refinement f = { .method = method, .A = A, .B = B, .subtract = subtract_dense, .norms = column_maxima,
                            .way = grid->refinement, .factored = report_of_nothing(), .solved = report_of_nothing() };
    double start = run_clock();
    if (A->precision->type != 'd' && A->precision->type != 'z')
        return fail(grid, OMPFACT_BAD_ARGUMENT, "mixed precision is for matrices of type d or z, not %c", A->precision->type);
    TRY(check_refined(A, B));
    TRY(ompfact_bring_home(A));
    TRY(try_refinement(&f, iterations));
    *info = 0;
    if (*iterations < 0)
        TRY(solve_in_double(&f, info));
    A->report = f.factored;
    return report_refined(&f, start, B);
}

ompfact_status ompfact_posv_refined(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations)
{
    TRY(check_potrf(A));
    return solve_refined(A, B, &method_cholesky, info, iterations);
}

ompfact_status ompfact_gesv_refined(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations)
{
    TRY(check_getrf(A));
    return solve_refined(A, B, &method_lu, info, iterations);
}
