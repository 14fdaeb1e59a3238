/* Makes the forecast of a plan from its job. */
#include "src/plan/forecast.h"

#include "src/matrix/layers.h"
#include "src/plan/limits.h"

#include <math.h>
#include <stdlib.h>

/* ---- what the job leaves open ---------------------------------------------------------------------------------------------- */

/* The ranks of the largest node. The layout refuses wrong nodes. */
static int most_of_a_node(const int *node_of, int nodes, int ranks)
{
    CLEANUP(free_at) int *count = calloc((size_t)(nodes > 0 ? nodes : 1), sizeof *count);
    int most = 1;
    for (int rank = 0; count != NULL && rank < ranks; rank++)
        if (node_of[rank] >= 0 && node_of[rank] < nodes && ++count[node_of[rank]] > most)
            most = count[node_of[rank]];
    return count != NULL ? most : 0;
}

static ompfact_status complete_nodes(ompfact_plan *p, char message[MESSAGE])
{
    ompfact_shape *s = &p->job.shape;
    int ranks = p->job.ranks, together = p->job.ranks_per_node > 0 ? p->job.ranks_per_node : 1;
    if (s->node_of == NULL) {
        p->own_nodes = malloc((size_t)ranks * sizeof *p->own_nodes);
        for (int rank = 0; p->own_nodes != NULL && rank < ranks; rank++)
            p->own_nodes[rank] = rank / together;
        s->node_of = p->own_nodes;
        s->nodes = (ranks - 1) / together + 1;
    }
    p->most_on_node = s->node_of != NULL ? most_of_a_node(s->node_of, s->nodes, ranks) : 0;
    return p->most_on_node > 0 ? OMPFACT_SUCCESS : fail_with(message, OMPFACT_NO_MEMORY, "no memory for the ranks of a plan");
}

/* Chooses the tile size by the machine of the nodes and the devices. */
static ompfact_status choose_tile_size(ompfact_plan *p, char message[MESSAGE])
{
    const ompfact_options *o = &p->job.options;
    ompfact_shape *s = &p->job.shape;
    p->devices = (ompfact_device_use){ .threads = p->threads, .backend = "" };
    p->question = shape_question(s, p->job.options.pivot, p->job.ranks, p->threads, p->most_on_node);
    s->nb = shape_nb(s);
    if (s->nb == 0)
        TRY(shape_check_choice(s, message));
    if (s->nb == 0 && s->accuracy > 0)
        s->nb = tile_size_compressed(s->n, p->job.ranks);
    if (s->nb != 0 && !p->job.bounds && o->devices == 0)
        return OMPFACT_SUCCESS;
    TRY(plan_know_machine(p, message));
    const struct machine *machine = &p->known->machine;
    p->devices = device_use_of(o->host_share, o->devices > 0 ? o->devices : 0, p->threads,
                               o->device_backend != NULL ? o->device_backend : "", machine);
    if (s->nb == 0)
        s->nb = machine_tile_for_devices(machine, &p->devices, p->job.ranks, p->question.m, p->question.n,
                                         tile_size_choose(machine, &p->question));
    return OMPFACT_SUCCESS;
}

/* ---- the forecast ---------------------------------------------------------------------------------------------------------- */

static ompfact_status make_on_paper(ompfact_plan *p, char message[MESSAGE])
{
    const ompfact_job *job = &p->job;
    TRY(matrix_check_shape(&job->shape, message));
    TRY(shape_on_paper(&job->shape, job->ranks, job->memory, 0, &p->A, message));
    p->A->room = job->memory;
    if (job->options.abft && !storage_add_sums(p->A))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for a matrix's addresses");
    return OMPFACT_SUCCESS;
}

/* Memory of the rank with most of A, including right-hand sides. The libraries' code, stacks and buffers, which a first run
   touches, are about the same everywhere. */
static ompfact_status count_memory(ompfact_plan *p, char message[MESSAGE])
{
    enum { LIBRARIES_BYTES = 8 << 20 };
    int fullest = fullest_rank(p->A), flags = layers_count(p->A);
    ompfact_matrix *A = layer_of_rank(p->A, fullest);
    A->me = p->A->me = fullest;
    if (p->routine->solves)
        TRY(matrix_rhs_on_paper(A, p->job.nrhs, &p->B, message));
    int64_t extra = job_extra_memory(&p->job, A, p->B);
    if (extra < 0)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to count what a rank needs");
    p->forecast.memory_bytes_max = LIBRARIES_BYTES + (int64_t)matrix_bytes(A, A->me) +
                                   RMA_FLAG_BYTES * flags * (int64_t)A->mt * A->nt + (int64_t)rhs_bytes(p->B, A->me) + extra;
    return OMPFACT_SUCCESS;
}

ompfact_status plan_find_bounds(ompfact_plan *p, char message[MESSAGE])
{
    ompfact_forecast *f = &p->forecast;
    enum machine_source source = p->known->source;
    bool rated = source == MACHINE_MEASURED || source == MACHINE_QUICK || source == MACHINE_GIVEN || !p->job.as_measured;
    struct limits_place at = { .machine = rated && !isnan(p->flat_gflops) ? &p->known->machine : NULL,
                               .flat_gflops = p->flat_gflops, .threads = p->threads,
                               .ranks_on_node = p->most_on_node, .question = &p->question, .gemm_gflops = p->job.gemm_gflops,
                               .max_over_mean = f->abe_max_over_mean > 0 ? f->abe_max_over_mean : f->flops_max_over_mean };
    if (!limits_find(&p->job, p->A, &at, f))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the bounds of a run");
    bool empty = p->A->mt == 0 || p->A->nt == 0;
    if (empty && p->job.wire_rate > 0 && p->routine->factor != OMPFACT_BY_QR && !p->routine->inverts)
        f->link_bound_s = 0;
    return OMPFACT_SUCCESS;
}

/* Cuts the tiles so that one begins after a part. */
static ompfact_status cut_tiles(ompfact_plan *p, char message[MESSAGE])
{
    struct cut_sizes own;
    ompfact_shape *s = &p->job.shape;
    int64_t cut = p->job.factored < s->n ? p->job.partial + p->job.factored : 0;
    s->cut = s->cut == 0 ? cut : s->cut;
    ompfact_status status = shape_cut(s, &own, message);
    p->own_heights = own.heights;
    p->own_widths = own.widths;
    return status;
}

/* Sets cores_per_node and, with a platform, the wire and flat_gflops, from the job. */
static ompfact_status settle_nodes(ompfact_plan *p, char message[MESSAGE])
{
    p->cores_given = p->job.cores_per_node > 0 && p->job.platform == NULL;
    if (p->job.platform != NULL)
        TRY(plan_take_platform(p, message));
    if (p->job.machine != NULL)
        TRY(plan_know_machine(p, message));
    if (p->job.machine != NULL && p->job.cores_per_node == 0)
        p->job.cores_per_node = p->known->machine.cores;
    p->threads = threads_of_job(&p->job, p->most_on_node);
    return OMPFACT_SUCCESS;
}

static ompfact_status complete(ompfact_plan *p, char message[MESSAGE])
{
    TRY(job_check(&p->job, true, message));
    p->routine = routine_of(&p->job);
    p->job.shape.purpose = p->routine->purpose;
    p->job.nrhs = p->job.nrhs > 0 ? p->job.nrhs : 1;
    p->job.shape.m = shape_rows(&p->job.shape);
    TRY(complete_nodes(p, message));
    TRY(settle_nodes(p, message));
    return choose_tile_size(p, message);
}

static ompfact_status forecast_on_paper(ompfact_plan *p, char *message)
{
    TRY(complete(p, message));
    TRY(cut_tiles(p, message));
    TRY(make_on_paper(p, message));
    TRY(plan_count(p, message));
    TRY(count_memory(p, message));
    return p->job.bounds ? plan_find_bounds(p, message) : OMPFACT_SUCCESS;
}

/* ---- calls ----------------------------------------------------------------------------------------------------------------- */

ompfact_status plan_make(const ompfact_job *job, const ompfact_matrix *A, plan_forecast *forecast, ompfact_plan **plan,
                         char *message)
{
    char text[MESSAGE] = "no memory for a plan";
    ompfact_plan *p = *plan = calloc(1, sizeof *p);
    if (p != NULL) {
        p->job = *job;
        p->A = (ompfact_matrix *)A;
        p->grid = A != NULL ? A->grid : NULL;
    }
    ompfact_status status = p != NULL ? forecast(p, text) : OMPFACT_NO_MEMORY;
    if (status == OMPFACT_SUCCESS)
        return status;
    ompfact_plan_destroy(plan);
    return fail_with(message, status, text);
}

ompfact_status ompfact_plan_create(const ompfact_job *job, ompfact_plan **plan, char *message)
{
    return plan_make(job, NULL, forecast_on_paper, plan, message);
}

void ompfact_plan_destroy(ompfact_plan **plan)
{
    ompfact_plan *p = *plan;
    if (p != NULL) {
        choices_forget(&p->choices);
        plan_forget_partition(p);
        plan_forget_traces(p);
        step_loads_forget(&p->loads);
        ompfact_matrix_destroy(&p->B);
        if (p->grid == NULL)
            ompfact_matrix_destroy(&p->A);
        free(p->own_known);
        free(p->precision_map);
        free(p->own_nodes);
        free(p->own_heights);
        free(p->own_widths);
    }
    free(p);
    *plan = NULL;
}

const ompfact_forecast *ompfact_plan_forecast(const ompfact_plan *plan)
{
    return &plan->forecast;
}

const ompfact_loads *ompfact_plan_loads(const ompfact_plan *plan)
{
    return plan->loads.view.time != NULL ? &plan->loads.view : NULL;
}

ompfact_status ompfact_plan_choice(ompfact_plan *p, const ompfact_choice **choice, char *message)
{
    char text[MESSAGE] = "";
    ompfact_status status = OMPFACT_SUCCESS;
    ompfact_shape shape = p->job.shape;
    if (p->grid != NULL && !ompfact_reads_in_place(p->grid))     /* as when the matrix got its layout */
        shape.node_of = NULL;
    if (p->choices.candidate == NULL)
        status = choices_create(&shape, p->A, &p->choices, text);
    *choice = status == OMPFACT_SUCCESS ? &p->choices.view : NULL;
    return status == OMPFACT_SUCCESS ? status : fail_with(message, status, text);
}

ompfact_status ompfact_plan_tile_size(const ompfact_job *job, int *nb, char *message)
{
    char text[MESSAGE] = "";
    ompfact_plan p = { .job = *job };
    ompfact_status status = complete(&p, text);
    *nb = p.job.shape.nb;
    free(p.own_known);
    free(p.own_nodes);
    return status == OMPFACT_SUCCESS ? status : fail_with(message, status, text);
}
