/* The counts of a plan: for Cholesky and LU from the layout alone, for QR from its tasks, for inverses from their readers. */
#include "src/plan/forecast.h"

#include "layouts/unequal/plan.h"
#include "src/butterfly/butterfly.h"
#include "src/factor/signs.h"
#include "src/matrix/layers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The balance of the job's steps and of the tiles that it appends. False: no memory. */
static bool balance_part(ompfact_plan *p)
{
    const ompfact_matrix *A = p->A;
    const double *speeds = p->job.shape.speeds;
    ompfact_forecast *f = &p->forecast;
    CLEANUP(free_at) int64_t *work = calloc((size_t)A->ranks, sizeof *work);
    if (work == NULL)
        return false;
    layout_work_of_part(A->layout, algorithm_of(p->routine), kept_of_job(&p->job, A), steps_of_job(&p->job, A), work);
    find_balance(work, speeds, A->ranks, &f->flops_max_over_mean, &f->abe_max_over_mean);
    if (speeds == NULL)
        f->abe_max_over_mean = NAN;
    return true;
}

/* Bytes of all transfers: each final tile to each of its readers. -1: no memory. */
static int64_t transferred_bytes(const ompfact_plan *p)
{
    int64_t elements = plan_transferred(p, p->A->layout, true);
    return elements < 0 ? -1 : elements * job_element_bytes(&p->job, p->A);
}

static void show(void *context, double done)
{
    const ompfact_options *options = context;
    options->progress(options->progress_context, done);
}

/* Counts the tasks of QR, or of an inverse. */
static bool count_tasks(ompfact_plan *p)
{
    ompfact_options *o = &p->job.options;
    ompfact_forecast *f = &p->forecast;
    const ompfact_shape *s = &p->job.shape;
    struct rma_nodes nodes = { .ranks = p->job.ranks, .node_of = s->node_of, .count = s->nodes, .in_place = true };
    struct watcher watcher = { show, o };
    struct task_counts counts;
    bool counted = p->routine->factor == OMPFACT_BY_QR
                       ? qr_count(p->A, o->tree, o->ib, s->nodes < p->job.ranks ? &nodes : NULL,
                                  o->progress != NULL ? &watcher : NULL, &counts)
                       : inverse_count(p->A, p->routine->triangular, &counts);
    if (!counted)
        return false;
    f->transfers = counts.transfers;
    f->transfer_bytes = counts.transfer_bytes;
    f->wire_transfers = counts.wire_transfers;
    f->wire_bytes = counts.wire_bytes;
    f->flops_max_over_mean = counts.flops_max_over_mean;
    if (s->speeds != NULL)
        f->abe_max_over_mean = counts.abe_max_over_mean;
    return true;
}

/* The counts of any matrix, also of an empty one. */
static ompfact_status describe(ompfact_plan *p, char message[MESSAGE])
{
    const ompfact_matrix *A = p->A;
    const ompfact_job *job = &p->job;
    bool empty = A->mt == 0 || A->nt == 0, qr = p->routine->factor == OMPFACT_BY_QR;
    bool bytes = !empty && !qr && p->grid == NULL;
    TRY(layout_counts(A, job->shape.speeds, &p->counts, message));
    const ompfact_layout_counts c = p->counts;
    p->forecast = (ompfact_forecast){
        .nb = job->shape.nb, .mt = A->mt, .nt = A->nt, .ranks = job->ranks, .nodes = job->shape.nodes,
        .threads = p->threads, .pattern_rows = c.pattern_rows, .pattern_cols = c.pattern_cols, .cost = c.cost,
        .cost_bound = c.cost_bound, .transfers = c.transfers,
        .transfer_bytes = bytes ? transferred_bytes(p) : 0,
        .tiles_max = c.tiles_max, .tiles_min = c.tiles_min, .flops = ompfact_job_flops(job),
        .flops_max_over_mean = c.flops_max_over_mean,
        .abe_max_over_mean = job->shape.speeds != NULL && !empty ? c.abe_max_over_mean : NAN, .perisum = c.perisum,
        .max_ranks_per_row = c.max_ranks_per_row, .max_ranks_per_col = c.max_ranks_per_col,
        .work_bound_s = NAN, .link_bound_s = NAN, .chain_bound_s = NAN, .predicted_s = NAN,
        .tasks_bound_s = NAN, .copies = layers_count(A), .transfers_sums = layers_sums(A) };
    memcpy(p->forecast.layout, c.name, sizeof p->forecast.layout);
    return p->forecast.transfer_bytes >= 0 ? OMPFACT_SUCCESS
                                           : fail_with(message, OMPFACT_NO_MEMORY, "no memory to sum up a layout");
}

/* Adds what indefinite matrices send in this layout, of ranks or of nodes: the signs, and what a butterfly has moved. */
static bool add_indefinite(const ompfact_plan *p, const struct layout *l, int64_t mixed, int64_t mixed_bytes, int64_t *transfers,
                           int64_t *bytes)
{
    struct signs_moves signs;
    if (!signs_count(p->A, l, steps_of_job(&p->job, p->A), &signs))
        return false;
    *transfers += signs.transfers + mixed;
    *bytes += signs.bytes + mixed_bytes;
    return true;
}

static bool count_indefinite(ompfact_plan *p, struct butterfly_moves *mixed)
{
    ompfact_forecast *f = &p->forecast;
    return butterfly_count(p->A, job_butterfly_depth(&p->job), p->job.shape.node_of, mixed) &&
           add_indefinite(p, p->A->layout, mixed->transfers, mixed->bytes, &f->transfers, &f->transfer_bytes);
}

/* Counts transfers between nodes in Cholesky or LU, from the layout alone. */
static ompfact_status count_wire(ompfact_plan *p, const struct butterfly_moves *mixed, char message[MESSAGE])
{
    ompfact_forecast *f = &p->forecast;
    CLEANUP(layout_destroy) struct layout *of_nodes = NULL;
    if (layout_of_nodes(p->A->layout, p->job.shape.node_of, p->job.shape.nodes, &of_nodes, message) != 0)
        return OMPFACT_NO_MEMORY;
    f->wire_transfers = plan_transferred(p, of_nodes, false);
    f->wire_bytes = plan_transferred(p, of_nodes, true) * job_element_bytes(&p->job, p->A);
    bool counted = f->wire_transfers >= 0 && f->wire_bytes >= 0;
    if (counted && p->routine->factor == OMPFACT_BY_INDEFINITE)
        counted = add_indefinite(p, of_nodes, mixed->wire_transfers, mixed->wire_bytes, &f->wire_transfers, &f->wire_bytes);
    return counted ? OMPFACT_SUCCESS : fail_with(message, OMPFACT_NO_MEMORY, "no memory to count what crosses between nodes");
}

static bool count_layers(ompfact_plan *p)
{
    ompfact_forecast *f = &p->forecast;
    int64_t size = job_element_bytes(&p->job, p->A);
    struct layers_moves moves;
    if (!layers_moved(p->A, p->job.shape.node_of, p->job.shape.nodes, &moves))
        return false;
    f->transfers = moves.transfers;
    f->transfer_bytes = moves.elements * size;
    f->wire_transfers = moves.wire_transfers;
    f->wire_bytes = moves.wire_elements * size;
    return true;
}

/* Counts for an existing matrix. Its tasks are not walked; its report has the rest. */
static void leave_uncounted(ompfact_plan *p)
{
    ompfact_forecast *f = &p->forecast;
    const ompfact_report *r = &p->A->report;
    f->transfer_bytes = f->wire_transfers = f->wire_bytes = f->memory_bytes_max = -1;
    if (p->routine->factor != OMPFACT_BY_QR && times_factorization(p->routine))
        return;
    f->transfers = -1;
    f->abe_max_over_mean = NAN;
    if (r->flops > 0)
        f->flops_max_over_mean = r->flops_max_over_mean;
}

ompfact_status plan_count(ompfact_plan *p, char message[MESSAGE])
{
    const ompfact_matrix *A = p->A;
    bool empty = A->mt == 0 || A->nt == 0, qr = p->routine->factor == OMPFACT_BY_QR, counted = true;
    struct butterfly_moves mixed = { 0 };
    TRY(describe(p, message));
    if (!empty && p->job.partial + p->job.factored > 0) {       /* replaces the counts of the whole factorization */
        p->forecast.transfers = plan_transferred(p, A->layout, false);
        counted = p->forecast.transfers >= 0 && balance_part(p);
    }
    if (!empty && counted && p->routine->factor == OMPFACT_BY_INDEFINITE)
        counted = count_indefinite(p, &mixed);
    if (p->grid != NULL)
        leave_uncounted(p);
    else if (!empty && A->layers != NULL)
        counted = count_layers(p);
    else if (!empty && !qr && !p->routine->inverts && counted)
        TRY(count_wire(p, &mixed, message));
    else if (!empty && counted)
        counted = count_tasks(p);
    if (!counted) {
        snprintf(message, MESSAGE, "no memory to count the transfers of %s", p->routine->name);
        return OMPFACT_NO_MEMORY;
    }
    if (!shape_weigh(&p->job.shape, A->layout, &p->forecast.flops_max_over_mean))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the weights of a layout");
    return job_has_loads(&p->job, A) ? step_loads_create(&p->job.shape, A, &p->loads, message) : OMPFACT_SUCCESS;
}
