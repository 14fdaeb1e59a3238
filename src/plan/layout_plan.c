/* The layout of a plan: its pattern, the share of each rank, and for ranks of unequal speed the partition. */
#include "src/plan/forecast.h"

#include "layouts/unequal/plan.h"
#include "src/matrix/layers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ompfact_plan_owner(const ompfact_plan *plan, int i, int j)
{
    return ompfact_owner(plan->A, i, j);
}

int ompfact_plan_owner_in(const ompfact_plan *plan, int layer, int i, int j)
{
    return ompfact_owner(layer_of(plan->A, layer), i, j);
}

int ompfact_plan_layer_of_step(const ompfact_plan *plan, int step)
{
    return plan->A->layers != NULL ? plan->A->layers->of_step[step] : 0;
}

ompfact_layer_nodes ompfact_plan_layer_nodes(const ompfact_plan *plan)
{
    const struct layers *s = plan->A->layers;
    struct layers_placement p = s != NULL ? s->placement : (struct layers_placement){ 0 };
    return (ompfact_layer_nodes){ p.compared, p.dealt, p.in_a_row, p.in_turn };
}

const ompfact_layout_counts *ompfact_plan_layout(const ompfact_plan *plan)
{
    return &plan->counts;
}

ompfact_pattern ompfact_plan_pattern(const ompfact_plan *p)
{
    return ompfact_plan_pattern_in(p, 0);
}

ompfact_pattern ompfact_plan_pattern_in(const ompfact_plan *p, int layer)
{
    const struct pattern *of = layer_of(p->A, layer)->pattern;
    bool cholesky = stores_triangle(&p->A->shape);
    ompfact_pattern pattern = { .ranks = of->ranks, .rows = of->rows, .cols = of->cols, .cell = of->cell,
                                .cost_lu = cholesky ? NAN : p->counts.cost, .cost_cholesky = cholesky ? p->counts.cost : NAN };
    memcpy(pattern.name, of->name, sizeof of->name);
    return pattern;
}

const int *ompfact_plan_node_of(const ompfact_plan *plan)
{
    return plan->job.shape.node_of;
}

ompfact_device_use ompfact_plan_devices(const ompfact_plan *plan)
{
    return plan->devices;
}

ompfact_status ompfact_plan_shares(const ompfact_plan *p, ompfact_share *share, char *message)
{
    const ompfact_matrix *A = p->A;
    bool empty = A->mt == 0 || A->nt == 0;
    double total = 0;
    CLEANUP(free_at) int64_t *work = calloc((size_t)A->ranks, sizeof *work);
    if (work == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the shares of ranks");
    if (!empty)
        work_of_ranks(A, work);
    for (int rank = 0; rank < A->ranks; rank++)
        total += (double)work[rank];
    for (int rank = 0; rank < A->ranks; rank++)
        share[rank] = empty ? (ompfact_share){ 0, 0 }
                            : (ompfact_share){ tiles_of_rank(A, rank), (double)work[rank] * A->ranks / total };
    return OMPFACT_SUCCESS;
}

/* ---- ranks of unequal speed ------------------------------------------------------------------------------------------------ */

/* The largest time of a rank, and the time of each if the ranks shared all work evenly. */
static double most_of(const struct plan *u, const double *time, double *even)
{
    double most = 0, work = 0, speed = 0;
    for (int rank = 0; rank < u->ranks; rank++) {
        most = time[rank] > most ? time[rank] : most;
        work += time[rank] * u->speed[rank];
        speed += u->speed[rank];
    }
    *even = work / speed;
    return most;
}

static void fill_section(const struct plan *u, const struct section *s, double *time, ompfact_section *section)
{
    double unused;
    *section = (ompfact_section){ .first = s->first, .last = s->last, .ranks = s->ranks, .speed = s->speed, .bound = s->cpb };
    plan_abe(u, s->first, s->last, time);
    for (int step = s->first; step <= s->last; step++)
        section->ideal += plan_abe_star(u, step, s->speed);
    section->most = most_of(u, time, &unused);
}

/* False: no memory. */
static bool fill(const struct plan *u, ompfact_partition *partition)
{
    ompfact_section *section = calloc((size_t)u->sections, sizeof *section);
    int *ranks = calloc((size_t)u->partition.columns, sizeof *ranks);
    CLEANUP(free_at) double *time = malloc((size_t)u->ranks * sizeof *time);
    *partition = (ompfact_partition){ .ranks = u->ranks, .columns = u->partition.columns, .ranks_of_column = ranks,
                                      .rows = u->rows.count, .perisum = u->partition.perisum, .sections = u->sections,
                                      .section = section, .section_of_rank = u->section_of_rank,
                                      .levelled = u->kind == PLAN_SHUFFLED ? u->rounds : -1, .moved = u->moved };
    snprintf(partition->name, sizeof partition->name, "%s", u->name);
    bool whole = section != NULL && ranks != NULL && time != NULL;
    for (int c = 0; whole && c < u->partition.columns; c++)
        ranks[c] = u->partition.first[c + 1] - u->partition.first[c];
    for (int k = 0; whole && k < u->sections; k++)
        fill_section(u, &u->section[k], time, &section[k]);
    if (whole) {
        plan_abe(u, 0, u->section[0].last, time);
        partition->most = most_of(u, time, &partition->ideal);
    }
    return whole;
}

ompfact_status ompfact_plan_partition(ompfact_plan *p, const ompfact_partition **partition, char *message)
{
    const ompfact_matrix *A = p->A;
    char text[MESSAGE] = "no memory to explain a layout";
    ompfact_status status = OMPFACT_SUCCESS;
    *partition = NULL;
    if (A->mt == 0 || A->nt == 0 || A->layers != NULL || !plan_is_scheme(A->pattern->name))
        return OMPFACT_SUCCESS;
    if (p->unequal == NULL) {
        status = shape_plan(&p->job.shape, A->pattern->name, A->ranks, &p->unequal, text);
        if (status == OMPFACT_SUCCESS && !fill(p->unequal, &p->partition))
            status = OMPFACT_NO_MEMORY;
    }
    if (status == OMPFACT_SUCCESS)
        *partition = &p->partition;
    else
        plan_forget_partition(p);
    return status == OMPFACT_SUCCESS ? status : fail_with(message, status, text);
}

void plan_forget_partition(ompfact_plan *p)
{
    free((void *)p->partition.section);
    free((void *)p->partition.ranks_of_column);
    p->partition = (ompfact_partition){ 0 };
    plan_destroy(&p->unequal);
}
