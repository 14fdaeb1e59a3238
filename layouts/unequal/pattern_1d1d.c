/* The pattern of a plan: the fewest cells that repeat over the matrix's tiles, or one cell for each tile. */
#include "layouts/arithmetic.h"
#include "layouts/refusal.h"
#include "layouts/unequal/plan.h"

#include <stdlib.h>

/* The least p with s[i] = s[i + p] for all i (Knuth, Morris, Pratt); n without memory. */
static int period(const int *s, int n)
{
    /* border[i]: length of the longest proper prefix of the first i + 1 values that is also their suffix. */
    int *border = calloc((size_t)n, sizeof *border), longest = 0;
    for (int i = 1; border != NULL && i < n; i++) {
        while (longest > 0 && s[i] != s[longest])
            longest = border[longest - 1];
        longest += s[i] == s[longest];
        border[i] = longest;
    }
    free(border);
    return n - longest;
}

struct pattern *pattern_of_plan(const struct plan *p)
{
    int rows = p->owner != NULL ? p->mt : period(p->row, p->mt), cols = p->owner != NULL ? p->nt : period(p->col, p->nt);
    int64_t square = (int64_t)rows / gcd(rows, cols) * cols;     /* order of the smallest square that repeats */
    int whole = p->algorithm == LAYOUT_CHOLESKY && square >= p->nt;
    struct pattern *pattern = pattern_alloc(p->ranks, whole ? p->mt : rows, whole ? p->nt : cols);
    if (pattern == NULL)
        return NULL;
    snprintf(pattern->name, sizeof pattern->name, "%s", p->name);
    /* Tiles above Cholesky's diagonal are not stored; their cells get the mirrored tile's owner. */
    for (int i = 0; i < pattern->rows; i++)
        for (int j = 0; j < pattern->cols; j++)
            pattern->cell[(int64_t)i * pattern->cols + j] = whole && j > i ? plan_owner(p, j, i) : plan_owner(p, i, j);
    return pattern;
}

static int create(enum plan_kind kind, const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    struct plan *plan;
    *pattern = NULL;
    if (plan_create_kind(kind, args, q, &plan, text))
        return 1;
    *pattern = pattern_of_plan(plan);
    int failed = *pattern != NULL ? 0
                 : layout_refuse(text, "no memory for layout %.100s on %d x %d tiles", plan->name, q->mt, q->nt);
    plan_destroy(&plan);
    return failed;
}

int create_1d1d(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    return create(PLAN_1D1D, args, q, pattern, text);
}

int create_1d1d_c(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    return create(PLAN_CONSTRAINED, args, q, pattern, text);
}

int create_1d1d_cs(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    return create(PLAN_SHUFFLED, args, q, pattern, text);
}
