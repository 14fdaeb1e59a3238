/*
 * G-2DBC: a nearly square pattern for any number of ranks P. Beaumont et al., IPDPS 2023, section IV-A.
 *
 * With a = ceil(sqrt(P)) columns and b = ceil(P / a) rows, the incomplete pattern IP numbers its cells row by row and leaves
 * the last c = ab - P of them empty. P_u is IP with the empty cells filled from row u, u = 0..b-2; LP is the a - c columns of
 * IP without empty cells. Block row u of the pattern is b - 1 copies of P_u and then LP: b(b-1) x P cells, each rank in b(b-1).
 *
 *     P = 10: a = 4, b = 3, c = 2          P_0     P_0     LP
 *
 *           0  1  2  3                   0 1 2 3 0 1 2 3 0 1
 *      IP = 4  5  6  7                   4 5 6 7 4 5 6 7 4 5
 *           8  9  .  .                   8 9 2 3 8 9 2 3 8 9
 *                                        0 1 2 3 0 1 2 3 0 1
 *                                        4 5 6 7 4 5 6 7 4 5
 *                                        8 9 6 7 8 9 6 7 8 9
 *
 *                                          P_1     P_1     LP
 */
#include "layouts/arithmetic.h"
#include "layouts/layout.h"

static struct pattern *complete(int ranks, int a, int b)
{
    int64_t rows = (int64_t)b * (b - 1);
    struct pattern *pattern = rows <= INT32_MAX ? pattern_alloc(ranks, (int)rows, ranks) : NULL;
    if (pattern == NULL)
        return NULL;

    int *cell = pattern->cell;
    for (int row = 0; row < pattern->rows; row++) {
        int u = row / b, i = row % b;
        for (int col = 0; col < ranks; col++) {
            int j = col % a;
            *cell++ = i * a + j < ranks ? i * a + j : u * a + j;
        }
    }
    return pattern;
}

struct pattern *pattern_g2dbc(int ranks)
{
    int a = ceil_sqrt(ranks), b = (ranks - 1) / a + 1;
    int c = (int)((int64_t)a * b - ranks);
    /* P = 1 and 2 have b = 1 and c = 0: without this case they would get b(b-1) = 0 rows. */
    struct pattern *pattern = c == 0 ? pattern_2dbc(b, a) : complete(ranks, a, b);
    if (pattern != NULL)
        snprintf(pattern->name, sizeof pattern->name, "g2dbc");
    return pattern;
}
