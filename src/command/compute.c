/* What a run computes: the factorization, the solution, the condition, the residual. */
#include "src/command/instance.h"

#include "src/command/case.h"

#include <math.h>
#include <mpi.h>

static int fill(struct instance *x, ompfact_matrix *matrix, const struct source *source, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    int code = agree_line(x->session, source_fill(source, matrix, text), text);
    return code != 0 ? code : source_check(source, matrix, source == &x->rhs_source ? o->rhs : o->input, text);
}

int compute_inputs(struct instance *x, char text[COMMAND_TEXT])
{
    int code = fill(x, x->A, &x->matrix_source, text);
    return code == 0 && x->B != NULL ? fill(x, x->B, &x->rhs_source, text) : code;
}

/* ---- what each factorization calls ----------------------------------------------------------------------------------------- */

static ompfact_status factor_qr(ompfact_matrix *A, int64_t *info)
{
    *info = 0;
    return ompfact_geqrf(A);
}

static ompfact_status solved_already(ompfact_matrix *A, ompfact_matrix *B)
{
    (void)A, (void)B;
    return OMPFACT_SUCCESS;
}

static ompfact_status invert_triangle_of(ompfact_matrix *A, int64_t *info)
{
    return ompfact_trtri(A, false, info);
}

struct calls {
    ompfact_status (*factor)(ompfact_matrix *A, int64_t *info);
    ompfact_status (*solve)(ompfact_matrix *A, ompfact_matrix *B);
    ompfact_status (*refine)(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);
    ompfact_status (*residual)(ompfact_matrix *A, ompfact_matrix *factors, double *ratio);
};

static const struct calls *calls_of(const struct instance *x)
{
    static const struct calls calls[] = {
        [FACTOR_CHOLESKY] = { ompfact_potrf, ompfact_potrs, ompfact_posv_refined, ompfact_residual_factors },
        [FACTOR_LU] = { ompfact_getrf, ompfact_getrs, ompfact_gesv_refined, ompfact_residual_factors },
        [FACTOR_QR] = { factor_qr, solved_already, NULL, ompfact_residual_qr },
    };
    return &calls[x->session->options->routine->factor];
}

/* The factors are made beforehand. */
static ompfact_status invert(struct instance *x)
{
    const struct options *o = x->session->options;
    if (o->routine->triangular)
        return invert_triangle_of(x->A, &x->info);
    ompfact_status status = calls_of(x)->factor(x->A, &x->info);
    if (status != OMPFACT_SUCCESS || x->info != 0)
        return status;
    return is_lu(o) ? ompfact_getri(x->A, &x->info) : ompfact_potri(x->A, &x->info);
}

static ompfact_status factor(struct instance *x)
{
    const struct options *o = x->session->options;
    if (o->routine->inverts)
        return invert(x);
    if (o->refine)
        return calls_of(x)->refine(x->A, x->B, &x->info, &x->iterations);
    if (!is_qr(o) || !o->routine->solves)
        return calls_of(x)->factor(x->A, &x->info);
    ompfact_matrix_destroy(&x->X);      /* of the run before */
    return ompfact_gels(x->A, x->B, &x->X, &x->info);
}

/* ---- a run ----------------------------------------------------------------------------------------------------------------- */

ompfact_status compute_factors(struct instance *x)
{
    const struct options *o = x->session->options;
    struct progress_line *progress = has_factors(o) ? x->session->progress : NULL;
    x->norm = NAN;
    ompfact_status status = o->rcond ? ompfact_norm1(x->A, &x->norm) : OMPFACT_SUCCESS;
    if (status != OMPFACT_SUCCESS)
        return status;
    if (progress != NULL)
        progress_begin(progress, case_flops(o, &x->problem), x->problem.type, gemm_known(x->session, x->problem.type));
    MPI_Pcontrol(1);        /* a profiler, where there is one, is to look at this */
    status = factor(x);
    MPI_Pcontrol(0);
    if (progress != NULL)
        progress_end(progress);
    x->factored = ompfact_last_report(x->A);
    return status;
}

ompfact_status compute_solution(struct instance *x)
{
    const struct options *o = x->session->options;
    if (!o->routine->solves || o->refine || x->info != 0)
        return OMPFACT_SUCCESS;
    return calls_of(x)->solve(x->A, x->B);
}

ompfact_status compute_condition(struct instance *x)
{
    bool wanted = x->session->options->rcond;
    x->rcond = wanted ? 0 : NAN;
    return wanted && x->info == 0 ? ompfact_rcond(x->A, x->norm, &x->rcond) : OMPFACT_SUCCESS;
}

static ompfact_status residual(struct instance *x, ompfact_matrix *A, ompfact_matrix *B)
{
    const struct routine *routine = x->session->options->routine;
    if (routine->inverts)
        return ompfact_residual_inverse(A, x->A, routine->triangular, &x->error);
    if (x->X != NULL)
        return ompfact_residual_gels(A, x->X, B, &x->error);
    return B != NULL ? ompfact_residual_solve(A, x->B, B, &x->error) : calls_of(x)->residual(A, x->A, &x->error);
}

int compute_error(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    ompfact_matrix *A = NULL, *B = NULL;
    bool solves = s->options->routine->solves;
    x->error = x->growth = NAN;
    if (!s->options->check || x->info != 0)
        return 0;
    int code = refuse_status(s, ompfact_matrix_create_like(x->A, &A), text);
    if (code == 0)
        code = fill(x, A, &x->matrix_source, text);
    if (code == 0 && solves)
        code = refuse_status(s, ompfact_matrix_create_rhs(A, ompfact_cols(x->B), &B), text);
    if (code == 0 && solves)
        code = fill(x, B, &x->rhs_source, text);
    if (code == 0 && is_lu(s->options) && has_factors(s->options) && !s->options->refine)
        code = refuse_status(s, ompfact_growth(A, x->A, &x->growth), text);
    if (code == 0)
        code = refuse_status(s, residual(x, A, B), text);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    return code;
}
