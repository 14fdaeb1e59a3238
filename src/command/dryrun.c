/* What a run would cost, from its layout alone: no matrix, no MPI. */
#include "src/command/run_case.h"

#include "src/command/case.h"
#include "src/command/explain.h"
#include "src/matrix.h"

#include <math.h>
#include <stdlib.h>

/* What the transfers carry: each final tile, as large as it is, to each of its readers. -1: no memory. */
static int64_t transferred_bytes(const ompfact_matrix *A, enum layout_algorithm algorithm)
{
    int *heights = tiling_sizes(&A->rows), *widths = tiling_sizes(&A->cols);
    int64_t elements = heights == NULL || widths == NULL ? -1 : layout_transferred(A->layout, algorithm, heights, widths);
    free(heights);
    free(widths);
    return elements < 0 ? -1 : elements * (int64_t)A->kernels->size;
}

/* What only the loops know. */
static int count_qr(const struct options *o, ompfact_matrix *A, struct dry_result *r, char text[COMMAND_TEXT])
{
    struct qr_counts counts;
    if (!qr_count(A, case_tree(o).value, o->ib, &counts))
        return refuse(text, "no memory to count the transfers of %s", o->routine->name);
    r->transfers = counts.transfers;
    r->transfer_bytes = counts.transfer_bytes;
    r->flops_max_over_mean = counts.flops_max_over_mean;
    if (A->shape.speeds != NULL)
        r->abe_max_over_mean = counts.abe_max_over_mean;
    return 0;
}

static int describe(const struct options *o, const struct problem *p, const struct speeds *speeds, ompfact_matrix *A, struct dry_result *r,
                    char text[COMMAND_TEXT])
{
    enum layout_algorithm algorithm = is_cholesky(o) ? LAYOUT_CHOLESKY : LAYOUT_LU;
    struct layout_summary s = { .flops_max_over_mean = 1 };
    bool empty = A->mt == 0 || A->nt == 0;
    int64_t bytes = empty || is_qr(o) ? 0 : transferred_bytes(A, algorithm);
    if (bytes < 0 || (!empty && layout_summarise(A->layout, algorithm, &s) != 0))
        return refuse(text, "no memory to sum up a layout");
    *r = (struct dry_result){
        .routine = o->routine->name, .n = p->n, .nb = p->nb, .layout = A->pattern->name, .ranks = o->ranks, .mt = A->mt,
        .nt = A->nt, .pattern_rows = A->pattern->rows, .pattern_cols = A->pattern->cols,
        .cost = is_cholesky(o) ? pattern_cost_cholesky(A->pattern) : pattern_cost_lu(A->pattern),
        .cost_bound = pattern_bound(A->pattern, algorithm, speeds->speed),
        .transfers = s.transfers, .transfer_bytes = bytes, .tiles_max = s.tiles_max, .tiles_min = s.tiles_min,
        .flops_max_over_mean = s.flops_max_over_mean, .max_ranks_per_row = s.max_ranks_per_row,
        .max_ranks_per_col = s.max_ranks_per_col, .weighed = p->weights != NULL, .speeds = speeds->list, .perisum = case_perisum(A, speeds),
        .abe_max_over_mean = speeds->count > 0 && !empty ? layout_abe_max_over_mean(A->layout, algorithm, speeds->speed) : NAN,
    };
    int code = is_qr(o) && !empty ? count_qr(o, A, r, text) : 0;
    ompfact_shape shape = case_shape(o, p, speeds);
    if (code == 0 && !shape_weigh(&shape, A->layout, &r->flops_max_over_mean))
        code = refuse(text, "no memory to weigh a layout");
    return code == 0 && case_has_loads(A, o, speeds) ? loads_create(&shape, A, &r->loads, text) : code;
}

/* The right-hand sides, too, on paper. */
static int describe_memory(const struct options *o, ompfact_matrix *A, struct dry_result *r, char text[COMMAND_TEXT])
{
    ompfact_matrix *B = NULL;
    char why[MESSAGE];
    A->me = fullest_rank(A->layout);
    if (o->routine->solves && matrix_rhs_on_paper(A, o->nrhs, &B, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    r->memory_bytes_max = (int64_t)matrix_bytes(A, A->me) + (int64_t)A->mt * A->nt + case_extra_memory(A, B, o);
    if (B != NULL)
        r->memory_bytes_max += (int64_t)(matrix_bytes(B, A->me) + matrix_bytes(B->work, A->me));
    ompfact_matrix_destroy(&B);
    return 0;
}

/* And devices. As if all ranks were on one node like this one, as far as its cores go. */
static int choose_tile_size(const struct options *o, struct machine_known *known, struct device_plan *devices, struct problem *p,
                            char text[COMMAND_TEXT])
{
    if (p->nb > 0 && !o->explain && o->devices == 0)
        return 0;
    if (known->machine == NULL && machine_know(known, blas_select_kernels(), text) != 0)
        return COMMAND_USAGE;
    struct tile_question q = case_tile_question(o, p, o->ranks, o->threads > 0 ? o->threads : default_threads(1), 0);
    *devices = device_plan_dry(o, q.threads, known->machine);
    p->nb = p->nb > 0 ? p->nb : device_plan_tile_size(devices, known->machine, p->m, p->n, tile_size_choose(known->machine, &q));
    return 0;
}

static int explain(const struct options *o, const struct report *report, const struct machine_known *known, const struct device_plan *devices,
                   const struct problem *p, const struct speeds *speeds, const ompfact_matrix *A, char text[COMMAND_TEXT])
{
    int code = explain_layout(report, o, p, speeds, A, text);
    struct tile_question q = case_tile_question(o, p, o->ranks, o->threads > 0 ? o->threads : default_threads(1), 0);
    if (code == 0 && o->explain) {
        explain_machine(explain_file(report), known, &q, p->nb);
        explain_devices(explain_file(report), known->machine, devices);
    }
    return code;
}

int dry_run_sweep(const struct options *o, char text[COMMAND_TEXT])
{
    struct report report = { 0 };
    if (report_open(&report, o, text) != 0)
        return COMMAND_USAGE;
    struct machine_known known = { 0 };
    struct speeds speeds = { 0 };
    int code = o->speeds != NULL ? speeds_read(o->speeds, o->ranks, &speeds, text) : 0;
    for (int64_t i = 0; code == 0 && i < options_problem_count(o); i++) {
        struct problem p = options_problem(o, i);
        struct device_plan devices = { 0 };
        if ((code = choose_tile_size(o, &known, &devices, &p, text)) != 0 || (code = case_weights(o, &p, text)) != 0)
            break;
        ompfact_shape shape = case_shape(o, &p, &speeds);
        struct pattern *pattern;
        ompfact_matrix *A = NULL;
        struct dry_result r = { 0 };
        char why[MESSAGE];
        if (shape_pattern(&shape, o->ranks, 0, &pattern, why) != OMPFACT_SUCCESS ||
            matrix_on_paper(&shape, pattern, 0, &A, why) != OMPFACT_SUCCESS)
            code = refuse(text, "%s", why);
        else if ((code = describe(o, &p, &speeds, A, &r, text)) == 0 &&
                 (code = describe_memory(o, A, &r, text)) == 0 &&
                 (code = case_write_layout(A, o, &devices, text)) == 0 &&
                 (code = explain(o, &report, &known, &devices, &p, &speeds, A, text)) == 0)
            code = report_dry(&report, &r, text);
        ompfact_matrix_destroy(&A);
        loads_forget(&r.loads);
        free(p.weights);
    }
    speeds_forget(&speeds);
    machine_forget(&known);
    int closed = report_close(&report, text);
    return code != 0 ? code : closed;
}
