/*
 * Random subsets of ranks for tile rows and tile columns (slides, section 3.3), any two of which intersect. Small random
 * subsets rarely do. So these subsets begin with the lines of a pattern, which intersect in its cells, and grow by random
 * ranks, those in fewest subsets first.
 */
#include "layouts/uneven/subsets.h"
#include "layouts/builders.h"
#include "layouts/random.h"
#include "layouts/refusal.h"

#include <limits.h>
#include <stdlib.h>

enum line { LINE_ROW, LINE_COL, LINE_COLROW };

static int subsets_alloc(struct subsets *s, int ranks, int count)
{
    *s = (struct subsets){ .ranks = ranks, .words = (ranks + 63) / 64, .count = count };
    s->bits = calloc((size_t)s->words * (size_t)count + 1, sizeof *s->bits);
    return s->bits == NULL;
}

void subsets_destroy(struct subsets *s)
{
    free(s->bits);
    s->bits = NULL;
}

static void add_rank(struct subsets *s, int set, int rank, int *size, int *uses)
{
    if (rank == LAYOUT_FREE || has_rank(set_of(s, set), rank))
        return;
    s->bits[(int64_t)set * s->words + rank / 64] |= UINT64_C(1) << (rank % 64);
    size[set]++;
    uses[rank]++;
}

/* Adds the ranks of line number `at` of the pattern, which repeats. */
static void add_line(struct subsets *s, int set, const struct pattern *p, enum line line, int at, int *size, int *uses)
{
    for (int j = 0; j < p->cols && line != LINE_COL; j++)
        add_rank(s, set, p->cell[(int64_t)(at % p->rows) * p->cols + j], size, uses);
    for (int i = 0; i < p->rows && line != LINE_ROW; i++)
        add_rank(s, set, p->cell[(int64_t)i * p->cols + at % p->cols], size, uses);
}

/* A random rank among those in fewest subsets that is not in this one; -1: all are. */
static int draw_rank(const struct subsets *s, int set, const int *uses, uint64_t *state)
{
    int best = -1, equal = 0;
    for (int rank = 0; rank < s->ranks; rank++) {
        if (has_rank(set_of(s, set), rank) || (best >= 0 && uses[rank] > uses[best]))
            continue;
        equal = best >= 0 && uses[rank] == uses[best] ? equal + 1 : 1;
        if (random_below(state, equal) == 0)
            best = rank;
    }
    return best;
}

enum { UNCOVERED = -1, NO_MEMORY = -2 };

/* Returns the size of the largest subset before it grew; or UNCOVERED: a rank is in no subset. */
static int grow(struct subsets *s, const struct pattern *p, enum line line, int limit, uint64_t *state)
{
    int *size = calloc((size_t)s->count, sizeof *size), *uses = calloc((size_t)s->ranks, sizeof *uses);
    int largest = size != NULL && uses != NULL ? 0 : NO_MEMORY;
    for (int set = 0; set < s->count && largest >= 0; set++) {
        add_line(s, set, p, line, set, size, uses);
        largest = size[set] > largest ? size[set] : largest;
    }
    for (int set = 0; set < s->count && largest >= 0; set++)
        for (int rank = 0; rank >= 0 && size[set] < limit;)
            if ((rank = draw_rank(s, set, uses, state)) >= 0)
                add_rank(s, set, rank, size, uses);
    for (int rank = 0; rank < s->ranks && largest >= 0; rank++)
        if (uses[rank] == 0)
            largest = UNCOVERED;
    free(size);
    free(uses);
    return largest;
}

/* The number of ranks of the pattern's largest colrow; INT_MAX: no pattern, or no memory. */
static int largest_colrow(const struct pattern *p)
{
    struct subsets s = { .count = 0 };
    uint64_t state = 1;
    bool made = p != NULL && subsets_alloc(&s, p->ranks, greatest(p->rows, p->cols)) == 0;
    int largest = made ? grow(&s, p, LINE_COLROW, 0, &state) : NO_MEMORY;
    subsets_destroy(&s);
    return largest < 0 ? INT_MAX : largest;
}

/* The design of the catalogue, or without one G-2DBC, whose largest colrow has the fewest ranks. */
static struct pattern *narrow_pattern(int ranks)
{
    struct pattern *best = pattern_g2dbc(ranks);
    int sizes[DESIGN_SIZES], count = design_sizes(ranks, sizes);
    int least = largest_colrow(best);
    for (int k = 0; k < count; k++) {
        struct pattern *p = pattern_design(ranks, sizes[k]);
        int largest = largest_colrow(p);
        if (largest < least) {
            pattern_destroy(&best);
            best = p;
            least = largest;
        } else {
            pattern_destroy(&p);
        }
    }
    return best;
}

/* Enough subsets that every rank is in many; for a design, where a rank is in few colrows, all colrows. */
static int default_count(int ranks, const struct pattern *p)
{
    enum { FEWEST = 24 };
    int count = FEWEST, is_design = p->rows == p->cols;
    while (count / 4 * (count / 4) < ranks)
        count++;
    return is_design && p->rows > count ? p->rows : count;
}

int subsets_create(const struct uneven *u, bool symmetric, struct subsets *rows, struct subsets *cols, char *text)
{
    int ranks = u->question->ranks, largest[2] = { NO_MEMORY, 0 };
    uint64_t state = 1 + (uint64_t)u->draw;
    struct pattern *p = symmetric ? narrow_pattern(ranks) : pattern_g2dbc(ranks);
    int count = p != NULL ? u->q > 0 ? u->q : default_count(ranks, p) : 0;
    *rows = *cols = (struct subsets){ .count = 0 };
    if (p != NULL && subsets_alloc(rows, ranks, count) == 0 && subsets_alloc(cols, ranks, symmetric ? 0 : count) == 0) {
        largest[0] = grow(rows, p, symmetric ? LINE_COLROW : LINE_ROW, u->limit, &state);
        if (!symmetric)
            largest[1] = grow(cols, p, LINE_COL, u->limit, &state);
    }
    pattern_destroy(&p);
    int most = largest[0] > largest[1] ? largest[0] : largest[1];
    if (largest[0] == NO_MEMORY || largest[1] == NO_MEMORY)
        return layout_refuse(text, "no memory for subsets of %d ranks", ranks);
    if (most > u->limit)
        return refuse_alpha("random subsets", u, most, text);
    if (largest[0] < 0 || largest[1] < 0)
        return layout_refuse(text, "%d subsets of %d ranks leave some of %d ranks out: use a larger q, or omit q", count,
                             u->limit, ranks);
    return 0;
}
