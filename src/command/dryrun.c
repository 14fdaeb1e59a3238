/* What a run would cost, from its layout alone: no matrix, no MPI. */
#include "src/command/run_case.h"

#include "src/matrix.h"

#include <stdio.h>

/* The rank that holds most tiles, whose memory is asked for. */
static int fullest_rank(const struct layout *l)
{
    int fullest = 0;
    for (int rank = 1; rank < l->ranks; rank++)
        if (layout_tiles(l, rank) > layout_tiles(l, fullest))
            fullest = rank;
    return fullest;
}

static int nobody_reads(const void *context, const struct operand *tile, int *ranks)
{
    (void)context;
    (void)tile;
    (void)ranks;
    return 0;
}

int64_t case_memory(const ompfact_matrix *A, const struct options *o)
{
    struct job job = { .A = (ompfact_matrix *)A };
    struct run_plan plan = { .loops = o->routine->factor == FACTOR_CHOLESKY ? potrf_loops : getrf_loops, .context = &job,
                             .readers = nobody_reads };
    struct run_tally tally;
    run_count(&plan, &tally);
    int slots = run_cache_tiles(&tally, &(struct run_settings){ .cache_tiles = o->cache });
    int64_t matrices = o->check ? 2 : 1;
    return matrices * ((int64_t)matrix_bytes(A, A->me) + (int64_t)A->mt * A->nt) + (int64_t)slots * (int64_t)matrix_largest_tile(A);
}

static int describe(const struct options *o, const struct problem *p, ompfact_matrix *A, struct dry_result *r, char text[COMMAND_TEXT])
{
    bool cholesky = o->routine->factor == FACTOR_CHOLESKY;
    struct layout_summary s = { .flops_max_over_mean = 1 };
    if (A->mt > 0 && A->nt > 0 && layout_summarise(A->layout, cholesky ? LAYOUT_CHOLESKY : LAYOUT_LU, &s) != 0)
        return refuse(text, "no memory to sum up a layout");
    A->me = fullest_rank(A->layout);
    *r = (struct dry_result){
        .routine = o->routine->name, .n = p->n, .nb = p->nb, .layout = A->pattern->name, .ranks = o->ranks, .mt = A->mt, .nt = A->nt,
        .pattern_rows = A->pattern->rows, .pattern_cols = A->pattern->cols,
        .cost = cholesky ? pattern_cost_cholesky(A->pattern) : pattern_cost_lu(A->pattern), .transfers = s.transfers,
        .transfer_bytes = s.transfers * (int64_t)matrix_largest_tile(A), .tiles_max = s.tiles_max, .tiles_min = s.tiles_min,
        .flops_max_over_mean = s.flops_max_over_mean, .max_ranks_per_row = s.max_ranks_per_row,
        .max_ranks_per_col = s.max_ranks_per_col, .memory_bytes_max = case_memory(A, o),
    };
    return 0;
}

static int write_outputs(const struct options *o, const ompfact_matrix *A, char text[COMMAND_TEXT])
{
    struct output map = { 0 }, owners = { 0 };
    if (output_open(&map, "--map", o->map, text) != 0 || output_open(&owners, "--owners", o->owners, text) != 0)
        return COMMAND_USAGE;
    if (map.file != NULL)
        pattern_write(A->pattern, map.file);
    if (owners.file != NULL)
        layout_write_owners(A->layout, owners.file);
    return output_close(&map, text) != 0 || output_close(&owners, text) != 0 ? COMMAND_USAGE : 0;
}

int dry_run_sweep(const struct options *o, char text[COMMAND_TEXT])
{
    struct report report = { 0 };
    if (report_open(&report, o, text) != 0)
        return COMMAND_USAGE;
    int code = 0;
    for (int64_t i = 0; code == 0 && i < options_problem_count(o); i++) {
        struct problem p = options_problem(o, i);
        ompfact_shape shape = case_shape(o, &p);
        struct pattern *pattern;
        ompfact_matrix *A = NULL;
        struct dry_result r;
        char why[MESSAGE];
        if (pattern_create(shape.layout, o->ranks, &pattern, why) != 0 ||
            matrix_on_paper(&shape, pattern, 0, &A, why) != OMPFACT_SUCCESS)
            code = refuse(text, "%s", why);
        else if ((code = describe(o, &p, A, &r, text)) == 0 && (code = write_outputs(o, A, text)) == 0)
            code = report_dry(&report, &r, text);
        ompfact_matrix_destroy(&A);
    }
    int closed = report_close(&report, text);
    return code != 0 ? code : closed;
}
