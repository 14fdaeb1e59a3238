/* The sweep: each problem's runs. One is prepared in prepare_case.c, computed in compute.c, reported in report_case.c. */
#include "src/command/instance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranks and precisions of tiles, as filled and as factored: for --tile-ranks, traces and pages -------------------------- */

static bool are_shown(const struct options *o)
{
    return o->job.shape.accuracy > 0 && (o->tile_ranks != NULL || o->trace != NULL || o->report != NULL);
}

/* Records the present rank or precision of each tile. Collective. */
static int note_map(struct instance *x, int **map, ompfact_status (*look)(ompfact_matrix *A, int *map), char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    int code = 0;
    if (*map == NULL)
        *map = malloc(((size_t)ompfact_tile_rows(x->A) * (size_t)ompfact_tile_cols(x->A) + 1) * sizeof **map);
    if (*map == NULL)
        code = refuse(text, "rank %d: no memory for a map of tiles", ompfact_rank(s->grid));
    code = agree_line(s, code, text);
    return code == 0 ? refuse_status(s, look(x->A, *map), text) : code;
}

/* Records ranks and precisions; factored: of the factors. Collective. */
static int note_tiles(struct instance *x, bool factored, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    int code = 0;
    if (are_shown(o))
        code = note_map(x, &x->rank_map[factored], ompfact_rank_map, text);
    if (code == 0 && o->job.shape.tile_precision != 0 && (o->trace != NULL || o->report != NULL))
        code = note_map(x, &x->precision_map[factored], ompfact_precision_map, text);
    return code;
}

/* On the first rank. */
static int write_tile_ranks(const struct instance *x, char text[COMMAND_TEXT])
{
    CLEANUP(output_drop) struct output output = { 0 };
    TRY_STEP(output_open(&output, "tile-ranks", x->session->options->tile_ranks, text));
    for (int i = 0; i < 2 && output.file != NULL; i++)
        if (x->rank_map[i] != NULL)
            case_write_map(output.file, ompfact_tile_rows(x->A), ompfact_tile_cols(x->A), x->rank_map[i]);
    return output_close(&output, text);
}

/* ---- a run ----------------------------------------------------------------------------------------------------------------- */

/* Compares runs that are long enough with GEMM, measured in the same process on the cores in use, if the result is shown, in a
   fraction of the run's time. */
static int measure_gemm(struct instance *x, char text[COMMAND_TEXT])
{
    const double WORTH_IT = 0.5, SHARE = 0.1, MOST = 0.4;
    struct session *s = x->session;
    if (!report_shows_rates(s->options) || gemm_known(s, x->job.shape.type) > 0 || x->timed.seconds < WORTH_IT)
        return 0;
    s->gemm_type = x->job.shape.type;
    double seconds = fmin(SHARE * x->timed.seconds, MOST);
    return refuse_status(s, ompfact_gemm_rate(s->grid, s->gemm_type, seconds, &s->gemm_gflops), text);
}

/* The timed part. A fault that cannot be corrected is a numerical failure, which one rank reports at once. */
static int factor(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    ompfact_status status = compute_timed(x);
    if (status == OMPFACT_STOPPED)
        return stopping_message(s, text);
    x->lost = status == OMPFACT_FAULT_FOUND;
    if (x->lost && ompfact_rank(s->grid) == 0)
        fprintf(stderr, "ompfact: %s\n", ompfact_message(s->grid));
    return x->lost ? 0 : refuse_status(s, status, text);
}

/* A part of a run beside the factorization that may take as long. */
static int warn_if_long(struct instance *x, const char *what, int (*part)(struct instance *, char *), char text[COMMAND_TEXT])
{
    enum { PATIENCE_S = 10 };
    return doing_part(x, PATIENCE_S, what, part, text);
}

static int solve(struct instance *x, char text[COMMAND_TEXT])
{
    return refuse_status(x->session, compute_solution(x), text);
}

static int run_once(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    facts_clear(&x->facts, IN_RUN);
    peak_reset();
    TRY_STEP(saving_restart(x, text));
    TRY_STEP(warn_if_long(x, "filling the matrix", compute_inputs, text));
    TRY_STEP(note_tiles(x, false, text));
    TRY_STEP(stopping_poll(s, text));
    TRY_STEP(factor(x, text));
    TRY_STEP(saving_check(x, text));
    TRY_STEP(note_tiles(x, true, text));
    TRY_STEP(stopping_poll(s, text));
    TRY_STEP(warn_if_long(x, "solving", solve, text));
    TRY_STEP(compute_refinement(x, text));
    x->facts.memory_peak_bytes = peak_resident() - x->memory_before;    /* of the rank with the largest growth */
    together_reduce(s->comm, &x->facts.memory_peak_bytes, 1, MPI_INT64_T, MPI_MAX);
    TRY_STEP(measure_gemm(x, text));
    TRY_STEP(refuse_status(s, compute_determinant(x), text));
    TRY_STEP(refuse_status(s, compute_inertia(x), text));
    TRY_STEP(refuse_status(s, compute_condition(x), text));
    TRY_STEP(warn_if_long(x, "checking the result", compute_error, text));
    return agree_line(s, report_case(x, text), text);
}

static int run_instance(struct instance *x, bool last, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    TRY_STEP(prepare_case(x, text));
    if (o->warmup) {
        TRY_STEP(compute_inputs(x, text));
        TRY_STEP(factor(x, text));
    }
    for (int i = 0; i < o->repeat; i++)
        TRY_STEP(run_once(x, text));
    if (o->trace != NULL || o->report != NULL)
        TRY_STEP(write_trace_and_page(x, text));
    if (o->tile_ranks != NULL && are_shown(o))
        TRY_STEP(agree_line(s, ompfact_rank(s->grid) == 0 ? write_tile_ranks(x, text) : 0, text));
    return last ? warn_if_long(x, "writing the result", write_result, text) : 0;
}

/* The speeds that the first rank reads, or that all ranks measure, count for all. */
static int know_speeds(struct session *s, char text[COMMAND_TEXT])
{
    const char *from = s->options->speeds;
    int ranks = ompfact_ranks(s->grid), code;
    if (from == NULL)
        return 0;
    bool measures = strcmp(from, "auto") == 0;
    if (measures || ompfact_rank(s->grid) != 0)
        code = speeds_create(ranks, &s->speeds, text);
    else
        code = speeds_read(from, ranks, &s->speeds, text);
    TRY_STEP(agree_line(s, code, text));
    if (measures)
        TRY_STEP(speeds_measure(s->grid, !is_qr(s->options), &s->speeds, text));
    else if (!together_share(s->comm, s->speeds.speed, ranks, MPI_DOUBLE, 0))
        return refuse(text, "ranks could not exchange their speeds: MPI failed");
    if (s->report.table.file != NULL && !s->options->explain)
        speeds_print(&s->speeds, s->report.table.file);
    return 0;
}

int run_sweep(struct session *s, char text[COMMAND_TEXT])
{
    int code = know_speeds(s, text);
    int64_t count = options_problem_count(s->options);
    for (int64_t i = 0; code == 0 && i < count; i++) {
        struct instance x = instance_of(s, i);
        code = run_instance(&x, i == count - 1, text);
        forget_case(&x);
    }
    speeds_forget(&s->speeds);
    return code != 0 ? code : s->failed ? COMMAND_NUMERICAL : 0;
}
