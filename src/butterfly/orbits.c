/* Orbits of rows: their members, the tile boundaries that cut them, and the factors that mix them. */
#include "src/butterfly/orbits.h"
#include "src/butterfly/butterfly.h"

#include <math.h>
#include <stdlib.h>

/* Orbits a = begin .. end - 1. The rows of orbit a are base[0] + a, base[1] + a, base[2] - a and base[3] - a, the first `images`
   of these. */
struct stratum {
    int64_t begin, end;
    int images;
    int64_t base[MOST_IMAGES];
};
enum { STRATA = 3 };

/* Lists the kinds of orbits. A stratum may be empty. */
static void stratify(int64_t n, int depth, struct stratum strata[STRATA])
{
    int64_t half = depth == 0 ? 0 : n / 2, mixed = depth == 2 ? half / 2 : 0, odd = depth == 2 ? half % 2 : half;
    int64_t other = n - half;       /* the first row of the second half */
    strata[0] = (struct stratum){ 0, mixed, 4, { 0, other, half - 1, n - 1 } };
    strata[1] = (struct stratum){ mixed, mixed + odd, 2, { 0, other } };
    strata[2] = (struct stratum){ half, other, 1, { 0 } };
}

/* The image at orbit a of the longest span that stays in one tile. *size is reduced to the length of that span. */
static struct image image_of(const struct tiling *rows, const struct stratum *s, int u, int64_t a, int *size)
{
    bool backwards = u >= 2;
    int64_t row = s->base[u] + (backwards ? -a : a);
    int tile = tiling_part(rows, row);
    int64_t room = backwards ? row - rows->start[tile] + 1 : rows->start[tile + 1] - row;
    *size = room < *size ? (int)room : *size;
    return (struct image){ .first = row, .tile = tile, .backwards = backwards };
}

static struct span span_from(const struct tiling *rows, const struct stratum *s, int64_t a)
{
    struct span span = { .size = s->end - a < LONGEST_SPAN ? (int)(s->end - a) : LONGEST_SPAN, .images = s->images };
    for (int u = 0; u < s->images; u++)
        span.image[u] = image_of(rows, s, u, a, &span.size);
    for (int u = 0; u < s->images; u++) {
        struct image *image = &span.image[u];
        image->first -= image->backwards ? span.size - 1 : 0;
        image->at = (int)(image->first - rows->start[image->tile]);
    }
    return span;
}

/* Cuts the strata into spans. Without memory for the spans it only counts them. */
static void cut(struct spans *s, const struct tiling *rows, int depth)
{
    struct stratum strata[STRATA];
    stratify(rows->start[rows->count], depth, strata);
    s->count = 0;
    for (int i = 0; i < STRATA; i++)
        for (int64_t a = strata[i].begin; a < strata[i].end;) {
            struct span span = span_from(rows, &strata[i], a);
            if (s->span != NULL)
                s->span[s->count] = span;
            s->count++;
            a += span.size;
        }
}

bool spans_create(struct spans *s, const struct tiling *rows, int depth)
{
    *s = (struct spans){ 0 };
    cut(s, rows, depth);
    s->span = malloc(((size_t)s->count + 1) * sizeof *s->span);
    if (s->span == NULL)
        return false;
    cut(s, rows, depth);
    return true;
}

void spans_destroy(struct spans *s)
{
    free(s->span);
    s->span = NULL;
}

/* ---- factors ------------------------------------------------------------------------------------------------------------ */

/* r of the pair whose first row is `row`: the row-th number of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
   number generators", 2014). */
static double factor_of(int level, int64_t row)
{
    uint64_t z = UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)(level + 1) << 48 ^ (uint64_t)row);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return exp((double)(int64_t)(z ^ z >> 31) * (0x1p-64 / 10));
}

/* The row number of the t-th row of an image. */
static int64_t row_of(const struct span *span, int image, int t)
{
    const struct image *of = &span->image[image];
    return of->first + (of->backwards ? span->size - 1 - t : t);
}

/* Finds the two images of a pair in a level. false: the span has no such pair. */
static bool find_pair(const struct span *span, int level, int pair, int *x, int *y)
{
    *x = level == 0 ? 2 * pair : pair;
    *y = level == 0 ? *x + 1 : *x + 2;
    return *y < span->images;
}

void span_factors(const struct span *span, struct butterfly *with)
{
    with->images = span->images;
    with->size = span->size;
    for (int level = 0; level < LEVELS; level++)
        for (int pair = 0, x, y; pair < LEVEL_PAIRS && find_pair(span, level, pair, &x, &y); pair++)
            for (int t = 0; t < span->size; t++) {
                double r = factor_of(level, row_of(span, x, t));
                with->first[level][pair][t] = r * sqrt(0.5);
                with->second[level][pair][t] = sqrt(0.5) / r;
            }
}

static void describe_pair(const struct span *span, int level, int x, int y, ompfact_ldl_row *rows)
{
    for (int t = 0; t < span->size; t++) {
        const int64_t row[] = { row_of(span, x, t), row_of(span, y, t) };
        const double r = factor_of(level, row[0]), weight[] = { r * sqrt(0.5), sqrt(0.5) / r };
        for (int side = 0; side < 2; side++) {
            rows[row[side]].partner[level] = row[1 - side] + 1;
            rows[row[side]].weight[level] = weight[side];
        }
    }
}

bool butterfly_rows(const struct tiling *tiling, int depth, ompfact_ldl_row *rows)
{
    struct spans spans;
    if (!spans_create(&spans, tiling, depth))
        return false;
    for (int64_t i = 0; i < tiling->start[tiling->count]; i++)
        rows[i] = (ompfact_ldl_row){ .partner = { i + 1, i + 1 }, .weight = { 1, 1 } };
    for (int64_t s = 0; s < spans.count; s++)
        for (int level = 0; level < LEVELS; level++)
            for (int pair = 0, x, y; pair < LEVEL_PAIRS && find_pair(&spans.span[s], level, pair, &x, &y); pair++)
                describe_pair(&spans.span[s], level, x, y, rows);
    spans_destroy(&spans);
    return true;
}
