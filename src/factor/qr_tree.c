/* The order in which the triangles of a panel are merged. */
#include "src/factor/qr_tree.h"

/* Merges neighbours at distance 1, then the remaining ones at distance 2, 4, ... */
static void binary(int domains, struct qr_merge *merge)
{
    for (int count = 0, distance = 1; distance < domains; distance *= 2)
        for (int into = 0; into + distance < domains; into += 2 * distance)
            merge[count++] = (struct qr_merge){ .into = into, .from = into + distance };
}

/* Repeatedly merges the two triangles that are ready first. ready: the time when a domain's triangle is ready, in units of a
   tile's work; negative: merged already. */
static void greedy(int domains, double *ready, struct qr_merge *merge)
{
    for (int count = 0; count < domains - 1; count++) {
        int first = -1, second = -1;
        for (int d = 0; d < domains; d++) {
            if (ready[d] < 0)
                continue;
            if (first < 0 || ready[d] < ready[first]) {
                second = first;
                first = d;
            } else if (second < 0 || ready[d] < ready[second]) {
                second = d;
            }
        }
        int into = first < second ? first : second, from = first < second ? second : first;
        merge[count] = (struct qr_merge){ .into = into, .from = from };
        ready[into] = ready[second] + 1;
        ready[from] = -1;
    }
}

/* A domain with fewer rows than the panel has columns is the last one, and into < from in all trees, so nothing is merged into
   it. */
void tree_merges(ompfact_tree tree, const struct domain *domain, int count, double *ready, struct qr_merge *merge)
{
    for (int d = 0; d < count; d++)
        ready[d] = (double)domain[d].rows / domain[0].reflectors;
    if (tree == OMPFACT_TREE_FLAT)
        for (int d = 1; d < count; d++)
            merge[d - 1] = (struct qr_merge){ .into = 0, .from = d };
    else if (tree == OMPFACT_TREE_BINARY)
        binary(count, merge);
    else
        greedy(count, ready, merge);
}
