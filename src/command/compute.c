/* The computations of a run: the factorization, the inverse, the solution, the residual. */
#include "src/command/instance.h"

#include "src/io/element.h"

#include <math.h>
#include <mpi.h>

static int fill(struct instance *x, ompfact_matrix *matrix, const struct source *source, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    TRY_STEP(agree_line(x->session, source_fill(source, matrix, text), text));
    TRY_STEP(source_check(source, matrix, source == &x->rhs_source ? o->rhs : o->input, text));
    if (source == &x->matrix_source && is_indefinite(o) && !o->routine->symmetric)
        TRY_STEP(source_check_diagonal(x->session->comm, source, matrix, o->input, text));
    return 0;
}

int compute_inputs(struct instance *x, char text[COMMAND_TEXT])
{
    int code = fill(x, x->A, &x->matrix_source, text);
    return code == 0 && x->B != NULL ? fill(x, x->B, &x->rhs_source, text) : code;
}

/* ---- what each factorization calls, and a triangle ------------------------------------------------------------------------- */

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

static ompfact_status invert_the_triangle(ompfact_matrix *A, int64_t *info)
{
    return ompfact_trtri(A, false, info);
}

static ompfact_status solve_the_triangle(ompfact_matrix *A, ompfact_matrix *B)
{
    ompfact_uplo uplo = ompfact_shape_of(A).structure == OMPFACT_HERMITIAN_UPPER ? OMPFACT_UPPER : OMPFACT_LOWER;
    return ompfact_trsm(OMPFACT_LEFT, uplo, OMPFACT_NO_TRANS, false, 1, 0, A, B);
}

struct calls {
    ompfact_status (*factor)(ompfact_matrix *A, int64_t *info);
    ompfact_status (*eliminate)(ompfact_matrix *A, int64_t rows, int64_t *info);
    ompfact_status (*invert)(ompfact_matrix *A, int64_t *info);
    ompfact_status (*solve)(ompfact_matrix *A, ompfact_matrix *B);
    ompfact_status (*refine)(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);
    ompfact_status (*residual)(ompfact_matrix *A, ompfact_matrix *factors, double *ratio);
};

static const struct calls *calls_of(const struct instance *x)
{
    static const struct calls calls[] = {
        [OMPFACT_BY_CHOLESKY] = { ompfact_potrf, ompfact_potrf_partial, ompfact_potri, ompfact_potrs, ompfact_posv_refined,
                                  ompfact_residual_factors },
        [OMPFACT_BY_LU] = { ompfact_getrf, ompfact_getrf_partial, ompfact_getri, ompfact_getrs, ompfact_gesv_refined,
                            ompfact_residual_factors },
        [OMPFACT_BY_QR] = { factor_qr, NULL, NULL, solved_already, NULL, ompfact_residual_qr },
        [OMPFACT_BY_INDEFINITE] = { ompfact_hetrf, ompfact_hetrf_partial, NULL, ompfact_hetrs, ompfact_hesv,
                                    ompfact_residual_factors },
    };
    static const struct calls of_symmetric = { ompfact_sytrf, ompfact_sytrf_partial, NULL, ompfact_sytrs, ompfact_sysv,
                                               ompfact_residual_factors };
    static const struct calls of_triangle = { .invert = invert_the_triangle, .solve = solve_the_triangle };
    const ompfact_routine *routine = x->session->options->routine;
    return routine->triangular ? &of_triangle : routine->symmetric ? &of_symmetric : &calls[routine->factor];
}

static ompfact_status factor(struct instance *x)
{
    const struct options *o = x->session->options;
    if (refines_at_once(o))
        return calls_of(x)->refine(x->A, x->B, &x->info, &x->iterations);
    if (o->job.partial > 0)
        return calls_of(x)->eliminate(x->A, o->job.partial, &x->info);
    if (!is_qr(o) || !o->routine->solves)
        return calls_of(x)->factor(x->A, &x->info);
    ompfact_matrix_destroy(&x->X);      /* of the previous run */
    return ompfact_gels(x->A, x->B, &x->X, &x->info);
}

/* ---- a run ----------------------------------------------------------------------------------------------------------------- */

static ompfact_status prepare_factors(struct instance *x)
{
    const struct options *o = x->session->options;
    x->info = 0;
    ompfact_status status = condition_begin(x);
    return status == OMPFACT_SUCCESS && o->routine->factored ? calls_of(x)->factor(x->A, &x->info) : status;
}

static ompfact_status what_is_timed(struct instance *x)
{
    const struct options *o = x->session->options;
    const ompfact_routine *routine = o->routine;
    if (!times_factors(routine))
        return routine->inverts ? calls_of(x)->invert(x->A, &x->info) : calls_of(x)->solve(x->A, x->B);
    ompfact_status status = factor(x);
    bool writes_factors = o->output != NULL && !routine->solves;
    return status == OMPFACT_SUCCESS && writes_factors ? ompfact_bring_home(x->A) : status;
}

/* Without --progress, ranks share their progress only in a long run: each sends 100 small messages to the first rank.
   Collective. */
static ompfact_status share_late(struct session *s, double flops)
{
    const double WORTH_IT = 1e11;       /* flops of a rank: seconds on a core */
    int ranks = ompfact_ranks(s->grid);
    if (!s->shares_late || s->shares || ranks == 1 || flops < WORTH_IT * ranks)
        return OMPFACT_SUCCESS;
    s->shares = true;
    if (s->progress != NULL)
        s->progress->names_slowest = true;
    return ompfact_share_progress(s->grid);
}

ompfact_status compute_timed(struct instance *x)
{
    const struct options *o = x->session->options;
    struct progress_line *progress = times_factors(o->routine) ? x->session->progress : NULL;
    ompfact_status status = prepare_factors(x);
    if (status == OMPFACT_SUCCESS && o->routine->triangular && o->routine->solves)
        status = ompfact_zero_on_diagonal(x->A, &x->info);
    x->timed = ompfact_last_report(x->A);
    if (status != OMPFACT_SUCCESS || x->info != 0)
        return status;
    if (times_factors(o->routine))
        status = share_late(x->session, ompfact_job_flops(&x->job));
    if (status != OMPFACT_SUCCESS)
        return status;
    if (progress != NULL)
        progress_begin(progress, ompfact_job_flops(&x->job), x->job.shape.type, gemm_known(x->session, x->job.shape.type));
    MPI_Pcontrol(1);        /* a profiler measures this part */
    status = what_is_timed(x);
    MPI_Pcontrol(0);
    if (progress != NULL)
        progress_end(progress, status == OMPFACT_SUCCESS);
    const ompfact_report factored = x->timed;
    x->timed = ompfact_last_report(times_solution(o->routine) ? x->B : x->A);
    if (o->routine->factored) {     /* not timed, but perhaps saved or restored */
        x->timed.checkpoints = factored.checkpoints;
        x->timed.restarted_from_step = factored.restarted_from_step;
        x->timed.tiles_restored = factored.tiles_restored;
    }
    if (status == OMPFACT_SUCCESS && o->job.shape.accuracy > 0)
        status = ompfact_count_ranks(x->A, &x->tile_ranks);
    if (status == OMPFACT_SUCCESS && o->job.shape.tile_precision != 0)
        status = ompfact_count_precisions(x->A, &x->precisions);
    return status;
}

ompfact_status compute_solution(struct instance *x)
{
    const struct options *o = x->session->options;
    if (!o->routine->solves || times_solution(o->routine) || refines_at_once(o) || !has_factors(x))
        return OMPFACT_SUCCESS;
    return calls_of(x)->solve(x->A, x->B);
}

int compute_refinement(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *B = NULL;
    if (!refines(o) || refines_in_mixed(o) || !has_factors(x))
        return 0;
    TRY_STEP(refuse_status(x->session, create_rhs(x, x->A, &B), text));
    TRY_STEP(fill(x, B, &x->rhs_source, text));
    return agree_line(x->session, source_refine(&x->matrix_source, x->A, B, x->B, &x->iterations, text), text);
}

ompfact_status compute_determinant(struct instance *x)
{
    const struct options *o = x->session->options;
    struct facts *r = &x->facts;
    bool is_complex = element_is_complex(x->job.shape.type);
    double re, im;
    int64_t k;
    if (is_qr(o) || x->lost || !leaves_factors(o->routine) || !keeps_factors(x))
        return OMPFACT_SUCCESS;
    if (x->job.shape.m != x->job.shape.n || (x->info != 0 && !pivots(o)))
        return OMPFACT_SUCCESS;
    if (x->info != 0) {     /* a zero pivot in spite of row exchanges: A is singular */
        r->smallest_pivot = 0;
        r->det_sign = 0;
        return OMPFACT_SUCCESS;
    }
    ompfact_status status = ompfact_determinant(x->A, &r->logdet, &re, &im);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_smallest_pivot(x->A, &r->smallest_pivot, &k);
    if (status == OMPFACT_SUCCESS && is_complex)
        r->det_phase = atan2(im, re);
    else if (status == OMPFACT_SUCCESS && !isnan(re))
        r->det_sign = re > 0 ? 1 : -1;
    return status;
}

ompfact_status compute_inertia(struct instance *x)
{
    const struct options *o = x->session->options;
    struct facts *r = &x->facts;
    ompfact_inertia_counts counts;
    if (!is_indefinite(o) || x->lost)
        return OMPFACT_SUCCESS;
    ompfact_status status = ompfact_inertia(x->A, &counts);
    if (status != OMPFACT_SUCCESS)
        return status;
    r->growth = counts.growth;
    r->perturbed_pivots = counts.perturbed;
    if (fell_back(x))
        return OMPFACT_SUCCESS;
    r->inertia_positive = or_none(counts.positive);
    r->inertia_negative = or_none(counts.negative);
    r->inertia_zero = or_none(counts.zero);
    return OMPFACT_SUCCESS;
}

/* Checks approximate factors by a solve, because inexact tiles have no elements to compare, and by their tolerance. B: right-hand
   sides, with the solution in X. */
static ompfact_status residual_of_approximate(struct instance *x, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B)
{
    const ompfact_shape shape = ompfact_shape_of(x->A);
    double unit = element_roundoff(x->job.shape.type), accuracy = fmax(shape.accuracy, shape.tile_precision);
    ompfact_status status = ompfact_residual_solve(A, X, B, &x->facts.error);
    x->facts.error *= accuracy > unit ? unit / accuracy : 1;
    return status;
}

static ompfact_status residual(struct instance *x, ompfact_matrix *A, ompfact_matrix *B)
{
    const ompfact_routine *routine = x->session->options->routine;
    if (routine->inverts)
        return ompfact_residual_inverse(A, x->A, routine->triangular, &x->facts.error);
    if (routine->triangular)
        return ompfact_residual_triangle(A, x->B, B, &x->facts.error);
    if (x->X != NULL)
        return ompfact_residual_gels(A, x->X, B, &x->facts.error);
    return B != NULL ? ompfact_residual_solve(A, x->B, B, &x->facts.error) : calls_of(x)->residual(A, x->A, &x->facts.error);
}

int compute_error(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *A = NULL, *B = NULL, *X = NULL;
    bool approximate = approximates(s->options), solves = s->options->routine->solves || approximate;
    if (!s->options->job.checked || !has_factors(x))
        return 0;
    bool exact = s->options->job.shape.accuracy == 0;     /* compressed matrices may not have the memory for that */
    TRY_STEP(refuse_status(s, exact ? ompfact_matrix_create_dense(x->A, &A) : ompfact_matrix_create_like(x->A, &A), text));
    TRY_STEP(fill(x, A, &x->matrix_source, text));
    if (solves) {
        TRY_STEP(refuse_status(s, create_rhs(x, A, &B), text));
        TRY_STEP(fill(x, B, &x->rhs_source, text));
    }
    if (solves && x->B == NULL) {       /* solves with factors although the routine does not solve */
        TRY_STEP(refuse_status(s, create_rhs(x, A, &X), text));
        TRY_STEP(fill(x, X, &x->rhs_source, text));
        TRY_STEP(refuse_status(s, calls_of(x)->solve(x->A, X), text));
    }
    if (is_lu(s->options) && leaves_factors(s->options->routine) && !refines_in_mixed(s->options))
        TRY_STEP(refuse_status(s, ompfact_growth(A, x->A, &x->facts.growth), text));
    return refuse_status(s, approximate ? residual_of_approximate(x, A, X != NULL ? X : x->B, B) : residual(x, A, B), text);
}
