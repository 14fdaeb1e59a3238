/* The number of tiles, or of elements of tiles, that the ranks of a layout fetch: for Cholesky and LU, from the layout alone. */
#include "src/plan/forecast.h"

#include <stdlib.h>

static void set(int *sizes, int count, int value)
{
    for (int i = 0; i < count; i++)
        sizes[i] = value;
}

/* All tiles except those that no step makes final. These are counted alone, with size 0 for all others. */
static int64_t part_transferred(const ompfact_plan *p, const struct layout *l, int *heights, int *widths)
{
    enum layout_algorithm algorithm = algorithm_of(p->routine);
    int steps = steps_of_job(&p->job, p->A);
    int64_t all = layout_transferred(l, algorithm, heights, widths), left = 0;
    set(heights, steps, 0);
    set(widths, steps, 0);
    if (steps < steps_of(p->A))
        left = layout_transferred(l, algorithm, heights, widths);
    return all < 0 || left < 0 ? -1 : all - left;
}

/* Counts tile by tile. */
static int64_t appended_transferred(const ompfact_plan *p, const struct layout *l, const int *heights, const int *widths)
{
    const ompfact_matrix *A = p->A;
    int kept = kept_of_job(&p->job, A), *ranks = malloc((size_t)l->ranks * sizeof *ranks);
    unsigned char *seen = calloc((size_t)l->ranks, 1);
    int64_t all = ranks != NULL && seen != NULL ? 0 : -1;
    for (int j = 0; j < A->nt && all >= 0; j++)
        for (int i = j; i < A->mt; i++)
            all += (int64_t)heights[i] * widths[j] * appended_readers(l, kept, i, j, ranks, seen);
    free(ranks);
    free(seen);
    return all;
}

int64_t plan_transferred(const ompfact_plan *p, const struct layout *l, bool sized)
{
    const ompfact_matrix *A = p->A;
    CLEANUP(free_at) int *heights = tiling_sizes(&A->rows), *widths = tiling_sizes(&A->cols);
    if (heights == NULL || widths == NULL)
        return -1;
    if (!sized) {
        set(heights, A->mt, 1);
        set(widths, A->nt, 1);
    }
    return p->job.factored > 0 ? appended_transferred(p, l, heights, widths) : part_transferred(p, l, heights, widths);
}
