/*
 * Lower bounds for the cost T, which show how far a layout is from the optimum.
 *
 * A rank that owns c cells of an r x r pattern is in at least v colrows with v * v >= c, since it owns cells (i,j) with i and
 * j among its colrows only; v * (v-1) of them are off the diagonal. If loads are balanced, c = r^2 / P: T = (sum of the v) / r
 * >= sqrt(P), for any r. For a given r, integers give a sharper bound. For LU the same holds with separate rows and columns: T
 * >= 2 sqrt(P). Of ranks of unequal speed each owns a share s of the cells, and v >= sqrt(s) r.
 */
#include "layouts/layout.h"
#include "layouts/rank_speeds.h"

#include <math.h>

double pattern_bound_lu(int ranks)
{
    return 2 * sqrt(ranks);
}

double pattern_bound_cholesky(int ranks, int r)
{
    if (r <= 0 || ranks == 1)
        return sqrt(ranks);

    int64_t cells = (int64_t)r * r, off_diagonal = cells - r, share = cells / ranks;
    int64_t v = 1;
    while (v * v * ranks < cells)
        v++;
    int64_t held = v * (v - 1) < share ? v * (v - 1) : share;       /* cells off the diagonal of a rank in v colrows */
    int64_t missing = off_diagonal - ranks * held;
    int64_t larger = missing > 0 && share > held ? (missing + share - held - 1) / (share - held) : 0;   /* ranks in v + 1
                                                                                                           colrows */
    return fmax(sqrt(ranks), (double)(ranks * v + larger) / r);
}

/* The bound if shares are proportional to the speeds. */
static double bound_of_shares(enum layout_algorithm algorithm, const double *speeds, int ranks)
{
    double total = 0, roots = 0;
    for (int rank = 0; rank < ranks; rank++)
        total += speeds[rank] / speeds[0];
    for (int rank = 0; rank < ranks; rank++)
        roots += sqrt(speeds[rank] / speeds[0] / total);
    return algorithm == LAYOUT_CHOLESKY ? roots : 2 * roots;
}

double pattern_bound(const struct pattern *p, enum layout_algorithm algorithm, const double *speeds)
{
    if (speeds_differ(speeds, p->ranks))
        return bound_of_shares(algorithm, speeds, p->ranks);
    if (algorithm == LAYOUT_LU)
        return pattern_bound_lu(p->ranks);
    return pattern_bound_cholesky(p->ranks, p->rows == p->cols ? p->rows : 0);
}
