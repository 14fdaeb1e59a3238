/*
 * The time that ranks of unequal speed spend on each step. Steps are walked from the last to the first, with a growing
 * trailing matrix.
 */
#include "layouts/rank_speeds.h"
#include "layouts/unequal/plan.h"
#include "layouts/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    const struct layout *layout;
    enum layout_algorithm algorithm;
    int64_t *behind;            /* for each rank: its updates in each step before the walked ones */
    int64_t *work;              /* for each rank: the work in the steps of a point */
};

static void pass(struct walk *w, int i, int j, int step)
{
    int rank = layout_owner(w->layout, i, j);
    w->work[rank] += layout_work_between(w->algorithm, i, j, step, step);
    if (step > 0)
        w->behind[rank] += layout_work_between(w->algorithm, i, j, step - 1, step - 1);
}

/* Adds the work of a step. */
static void walk_step(struct walk *w, int step)
{
    const struct layout *l = w->layout;
    for (int rank = 0; rank < l->ranks; rank++)
        w->work[rank] += w->behind[rank];
    for (int i = step; i < l->mt; i++)
        pass(w, i, step, step);
    for (int j = step + 1; j < l->nt && w->algorithm == LAYOUT_LU; j++)
        pass(w, step, j, step);
}

/* The time, in updates of a tile on the slowest rank, of the rank that takes longest and of the one that ends first. */
static void find_extremes(const int64_t *work, const double *speed, int ranks, double *most, double *least)
{
    *most = 0;
    *least = HUGE_VAL;
    for (int rank = 0; rank < ranks; rank++) {
        double time = (double)work[rank] / (6 * speed[rank]);
        *most = fmax(*most, time);
        *least = fmin(*least, time);
    }
}

/* The even shares and bounds of a point's steps: those of the plan's sections, or those of all ranks without bounds. */
static void sum_bounds(const struct plan *p, const int64_t *work, const double *speed, int ranks, int first, int last,
                       struct layout_point *point)
{
    double sum = 0, together = 0;
    for (int rank = 0; rank < ranks; rank++) {
        sum += (double)work[rank];
        together += speed[rank];
    }
    point->ideal = p != NULL ? 0 : sum / (6 * together);
    point->bound = p != NULL ? 0 : HUGE_VAL;
    for (int step = last, k = 0; p != NULL && step >= first; step--) {
        while (step < p->section[k].first)
            k++;
        point->ideal += plan_abe_star(p, step, p->section[k].speed);
        point->bound += p->section[k].cpb;
    }
}

int layout_points(const struct layout *l, enum layout_algorithm algorithm, const double *speeds, const struct plan *plan,
                  int points, struct layout_point *point, double *abe)
{
    size_t ranks = (size_t)l->ranks;
    int steps = l->mt < l->nt ? l->mt : l->nt;
    double *speed = speeds_of_ranks(speeds, l->ranks), most, least;
    int64_t *left = calloc(ranks, sizeof *left);        /* work in all steps up to the present ones */
    struct walk w = { .layout = l, .algorithm = algorithm, .behind = calloc(ranks, sizeof *w.behind),
                      .work = calloc(ranks, sizeof *w.work) };
    int failed = speed == NULL || left == NULL || w.behind == NULL || w.work == NULL;
    if (!failed)
        layout_work_of_ranks(l, algorithm, left);
    for (int rank = 0; !failed && rank < l->ranks; rank++)
        abe[rank] = (double)left[rank] / (6 * speed[rank]);
    for (int k = points - 1; !failed && k >= 0; k--) {
        int first = (int)((int64_t)steps * k / points), last = (int)((int64_t)steps * (k + 1) / points) - 1;
        memset(w.work, 0, ranks * sizeof *w.work);
        for (int step = last; step >= first; step--)
            walk_step(&w, step);
        find_extremes(left, speed, l->ranks, &most, &least);
        point[k] = (struct layout_point){ .last = last, .spread = most - least };
        find_extremes(w.work, speed, l->ranks, &point[k].most, &least);
        sum_bounds(plan, w.work, speed, l->ranks, first, last, &point[k]);
        for (int rank = 0; rank < l->ranks; rank++)
            left[rank] -= w.work[rank];
    }
    free(speed);
    free(left);
    free(w.behind);
    free(w.work);
    return failed;
}
