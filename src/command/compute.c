/* What a run computes: the factorization, the solution, the condition, the residual. */
#include "src/command/compute.h"

#include "src/command/case.h"

#include <math.h>

int refuse_status(struct session *s, ompfact_status status, char text[COMMAND_TEXT])
{
    return status == OMPFACT_SUCCESS ? 0 : refuse(text, "%s", ompfact_message(s->grid));
}

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

static ompfact_status factor_only(struct instance *x)
{
    return is_cholesky(x->session->options) ? ompfact_potrf(x->A, &x->info) : ompfact_getrf(x->A, &x->info);
}

static ompfact_status factor_and_refine(struct instance *x)
{
    return is_cholesky(x->session->options) ? ompfact_posv_refined(x->A, x->B, &x->info, &x->iterations)
                                            : ompfact_gesv_refined(x->A, x->B, &x->info, &x->iterations);
}

ompfact_status compute_factors(struct instance *x)
{
    const struct options *o = x->session->options;
    struct progress *progress = x->session->progress;
    x->norm = NAN;
    ompfact_status status = o->rcond ? ompfact_norm1(x->A, &x->norm) : OMPFACT_SUCCESS;
    if (status != OMPFACT_SUCCESS)
        return status;
    if (progress != NULL)
        progress_begin(progress, case_flops(o, &x->problem));
    status = is_refined(o) ? factor_and_refine(x) : factor_only(x);
    if (progress != NULL)
        progress_end(progress);
    x->factored = ompfact_last_report(x->A);
    return status;
}

ompfact_status compute_solution(struct instance *x)
{
    const struct options *o = x->session->options;
    if (!o->routine->solves || is_refined(o) || x->info != 0)
        return OMPFACT_SUCCESS;
    return is_cholesky(o) ? ompfact_potrs(x->A, x->B) : ompfact_getrs(x->A, x->B);
}

ompfact_status compute_condition(struct instance *x)
{
    bool wanted = x->session->options->rcond;
    x->rcond = wanted ? 0 : NAN;
    return wanted && x->info == 0 ? ompfact_rcond(x->A, x->norm, &x->rcond) : OMPFACT_SUCCESS;
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
    if (code == 0 && !is_cholesky(s->options) && !is_refined(s->options))
        code = refuse_status(s, ompfact_growth(A, x->A, &x->growth), text);
    if (code == 0)
        code = refuse_status(s, solves ? ompfact_residual_solve(A, x->B, B, &x->error) : ompfact_residual_factors(A, x->A, &x->error), text);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    return code;
}

const char *why_no_refinement(int iterations)
{
    static const struct { int iterations; const char *text; } reasons[] = {
        { -1, "no memory for a copy in single precision" },
        { -2, "a number is too large for single precision, or none" },
        { -3, "the factorization in single precision failed" },
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].iterations == iterations)
            return reasons[i].text;
    return "it did not converge";
}
