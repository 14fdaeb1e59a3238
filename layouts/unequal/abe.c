/*
 * The time that a plan's ranks spend on the steps of a factorization.
 */
#include "layouts/unequal/plan.h"
#include "layouts/work.h"

/* All work of step k, with a trailing matrix of m x n tiles behind its diagonal tile. */
double plan_abe_star(const struct plan *p, int k, double speed)
{
    double m = p->mt - k - 1, n = p->nt - k - 1;
    double thirds = p->algorithm == LAYOUT_CHOLESKY ? 6 * m * (m - 1) / 2 + 3 * m + 3 * m + 1 : 6 * m * n + 3 * (m + n) + 2;
    return thirds / 6 / speed;
}

void plan_abe(const struct plan *p, int first, int last, double *time)
{
    for (int rank = 0; rank < p->ranks; rank++)
        time[rank] = 0;
    for (int i = first; i < p->mt; i++)
        for (int j = first; j < (p->algorithm == LAYOUT_CHOLESKY ? i + 1 : p->nt); j++)
            time[plan_owner(p, i, j)] += (double)layout_work_between(p->algorithm, i, j, first, last);
    for (int rank = 0; rank < p->ranks; rank++)
        time[rank] /= 6 * p->speed[rank];
}
