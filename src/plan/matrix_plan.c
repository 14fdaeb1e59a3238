/* Plans of existing matrices, and checks of the memory for a routine. */
#include "src/matrix/layers.h"
#include "src/plan/forecast.h"

/* Takes the shape from the matrix; the shape in the job is ignored. */
static void take_matrix(ompfact_job *job, const ompfact_matrix *A)
{
    ompfact_shape *s = &job->shape;
    job->ranks = A->ranks;
    s->m = A->shape.m;
    s->n = A->shape.n;
    s->type = A->shape.type;
    s->structure = A->shape.structure;
    s->full_storage = A->shape.full_storage;
    s->nb = A->shape.nb;
    s->accuracy = A->shape.accuracy;
    s->tile_precision = A->shape.tile_precision;
    s->bf16_tiles = A->shape.bf16_tiles;
    s->band = A->shape.band;
    s->max_rank = A->shape.max_rank;
    s->copies = layers_count(A);
}

/* Takes its tiles, which may have any sizes. */
static ompfact_status take_tiles(ompfact_plan *p, char *message)
{
    ompfact_shape *s = &p->job.shape;
    s->row_heights = p->own_heights = tiling_sizes(&p->A->rows);
    s->col_widths = p->own_widths = tiling_sizes(&p->A->cols);
    s->mt = p->A->mt;
    s->nt = p->A->nt;
    bool taken = p->own_heights != NULL && p->own_widths != NULL;
    return taken ? OMPFACT_SUCCESS : fail_with(message, OMPFACT_NO_MEMORY, "no memory for the tiles of a plan");
}

/* Takes the settings of the grid. */
static void take_grid(ompfact_plan *p)
{
    const ompfact_grid *grid = p->grid;
    const struct rma_nodes *nodes = rma_nodes(grid->rma);
    ompfact_shape *s = &p->job.shape;
    p->job.cores_per_node = 0;      /* the grid's machine counts, not the job's; also for the next three */
    p->job.machine = NULL;
    p->job.core_gflops = 0;
    p->job.platform = NULL;
    s->node_of = nodes->node_of;
    s->nodes = nodes->count;
    p->most_on_node = rma_ranks_on_node(grid->rma);
    p->threads = grid->settings.threads;
    p->question = shape_question(s, grid->pivot, p->A->ranks, grid->cores, p->most_on_node);
    p->devices = grid->device_use;
    p->known = grid->known;
}

static ompfact_status describe(ompfact_plan *p, char *message)
{
    take_matrix(&p->job, p->A);
    TRY(take_tiles(p, message));
    take_grid(p);
    TRY(job_check(&p->job, false, message));
    p->routine = routine_of(&p->job);
    p->job.shape.purpose = p->routine->purpose;
    TRY(plan_count(p, message));
    if (!p->job.bounds)
        return OMPFACT_SUCCESS;
    TRY(plan_know_machine(p, message));
    return plan_find_bounds(p, message);
}

ompfact_status ompfact_plan_of_matrix(const ompfact_job *job, const ompfact_matrix *A, ompfact_plan **plan, char *message)
{
    return plan_make(job, A, describe, plan, message);
}

ompfact_status ompfact_job_fits(const ompfact_job *job, const ompfact_matrix *A, const ompfact_matrix *B)
{
    ompfact_job here = *job;
    take_matrix(&here, A);
    ompfact_status status = job_check(&here, false, A->grid->message);
    int64_t bytes = status == OMPFACT_SUCCESS ? job_extra_memory(&here, A, B) : 0;
    if (bytes < 0)
        status = fail(A->grid, OMPFACT_NO_MEMORY, "no memory to count what a rank needs");
    TRY(agree(A->grid, status));
    return memory_check(A->grid, bytes, "the tiles, those of other ranks and the checks");
}
