/*
 * SBC, the symmetric block cyclic distribution: cells (i,j) and (j,i) belong to the rank of the pair. Beaumont, Duchon,
 * Eyraud-Dubois, Langou, Verite, "Symmetric Block-Cyclic Distribution: Fewer Communications Leads to Faster Dense Cholesky
 * Factorization", SC 2022.
 *
 *     extended, P = r(r-1)/2, T = r-1         basic, P = r^2/2 for even r, T = r
 *
 *         .  0  1  3                             6  0  1  3        the diagonal belongs to r/2 more ranks, two cells each:
 *         0  .  2  4                             0  7  2  4        k and r-1-k, whose work adds up to much the same
 *         1  2  .  5                             1  2  7  5
 *         3  4  5  .                             3  4  5  6
 */
#include "layouts/builders.h"

int sbc_size(int ranks, enum sbc_kind kind)
{
    for (int64_t r = 2; r * (r - 1) / 2 <= ranks; r++) {
        if (kind == SBC_EXTENDED && r * (r - 1) / 2 == ranks)
            return (int)r;
        if (kind == SBC_BASIC && r % 2 == 0 && r * r / 2 == ranks)
            return (int)r;
    }
    return 0;
}

struct pattern *pattern_sbc(int ranks, enum sbc_kind kind)
{
    int r = sbc_size(ranks, kind);
    struct pattern *pattern = pattern_alloc(ranks, r, r);
    if (pattern == NULL)
        return NULL;

    int pairs = (int)((int64_t)r * (r - 1) / 2);
    for (int i = 0, pair = 0; i < r; i++) {
        for (int j = 0; j < i; j++, pair++)
            pattern->cell[(int64_t)i * r + j] = pattern->cell[(int64_t)j * r + i] = pair;
        int *diagonal = &pattern->cell[(int64_t)i * (r + 1)];
        *diagonal = kind == SBC_EXTENDED ? LAYOUT_FREE : pairs + (i < r / 2 ? i : r - 1 - i);
    }
    snprintf(pattern->name, sizeof pattern->name, kind == SBC_EXTENDED ? "sbc:extended" : "sbc:basic");
    return pattern;
}
