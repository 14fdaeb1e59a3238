/*
 * Cyclic difference covers: a set B of residues modulo P whose differences are all residues. With r = P points and rank p on
 * the colrows B + p, every cell is covered and every rank has exactly its share: a symmetric pattern for any P, T = |B|, where
 * |B| (|B| - 1) >= P - 1.
 *
 * The cover is found by annealing at constant temperature: a move exchanges one residue for another, half of the time for one
 * that makes a missing difference. When no difference is missing, the search continues with one residue less. The result is a
 * good cover, and no proof that there is no smaller one.
 */
#include "layouts/arithmetic.h"
#include "layouts/designs/designs.h"
#include "layouts/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOGS = 1 << 10 };

struct cover {
    int modulus, size;
    uint64_t random;
    int *residue;           /* the set */
    unsigned char *in;      /* for each residue: whether it is in the set */
    int *count;             /* for each difference d = 1 .. modulus / 2: number of pairs that make d or -d */
    int *missing, *missing_at, missing_count;
};

static int difference(const struct cover *c, int a, int b)
{
    int d = a < b ? b - a : a - b;
    return 2 * d <= c->modulus ? d : c->modulus - d;
}

static void insert(struct cover *c, int a)
{
    for (int k = 0; k < c->size; k++) {
        int d = difference(c, a, c->residue[k]);
        if (c->count[d]++ > 0)
            continue;
        int last = c->missing[--c->missing_count], at = c->missing_at[d];
        c->missing[at] = last;
        c->missing_at[last] = at;
    }
    c->residue[c->size++] = a;
    c->in[a] = 1;
}

/* Removes the k-th residue. */
static void erase(struct cover *c, int k)
{
    int a = c->residue[k];
    c->residue[k] = c->residue[--c->size];
    c->in[a] = 0;
    for (k = 0; k < c->size; k++) {
        int d = difference(c, a, c->residue[k]);
        if (--c->count[d] > 0)
            continue;
        c->missing_at[d] = c->missing_count;
        c->missing[c->missing_count++] = d;
    }
}

/* A residue that is not in the set. */
static int draw_residue(struct cover *c)
{
    int a;
    do {
        a = random_below(&c->random, c->modulus);
        if (c->missing_count > 0 && random_below(&c->random, 2)) {
            int d = c->missing[random_below(&c->random, c->missing_count)];
            int from = c->residue[random_below(&c->random, c->size)];
            a = (random_below(&c->random, 2) ? from + d : from - d + c->modulus) % c->modulus;
        }
    } while (c->in[a]);
    return a;
}

static void anneal(struct cover *c, int64_t steps, int *best, int *best_size)
{
    const double temperature = 0.25;
    int allowed[LOGS];          /* largest increase that a move may cause, for equally likely draws */
    for (int k = 0; k < LOGS; k++)
        allowed[k] = (int)(-log((k + 0.5) / LOGS) * temperature);

    while (steps-- > 0) {
        if (c->missing_count == 0) {
            memcpy(best, c->residue, (size_t)c->size * sizeof *best);
            *best_size = c->size;
            if (c->size == 1 || (int64_t)(c->size - 1) * (c->size - 2) < c->modulus - 1)
                return;
            erase(c, random_below(&c->random, c->size));
            continue;
        }
        int before = c->missing_count, a = draw_residue(c), k = random_below(&c->random, c->size), lost = c->residue[k];
        erase(c, k);
        insert(c, a);
        if (c->missing_count - before <= allowed[random_below(&c->random, LOGS)])
            continue;
        erase(c, c->size - 1);
        insert(c, lost);
    }
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Begins with 0 .. s-1 and the multiples of s, for s near the root: they make every difference. */
static void start(struct cover *c, int modulus)
{
    int s = ceil_sqrt(modulus);
    for (int d = 1; d <= modulus / 2; d++) {
        c->missing_at[d] = c->missing_count;
        c->missing[c->missing_count++] = d;
    }
    for (int a = 0; a < s; a++)
        insert(c, a);
    for (int a = s; a <= modulus / 2 + s && a < modulus; a += s)
        if (!c->in[a])
            insert(c, a);
}

int cyclic_cover(int modulus, int *cover)
{
    struct cover c = { .modulus = modulus, .random = (uint64_t)modulus };
    size_t count = (size_t)modulus;
    c.residue = malloc(count * sizeof *c.residue);
    c.in = calloc(count, 1);
    c.count = calloc(count, sizeof *c.count);
    c.missing = malloc(count * sizeof *c.missing);
    c.missing_at = malloc(count * sizeof *c.missing_at);
    int size = 0;
    if (c.residue != NULL && c.in != NULL && c.count != NULL && c.missing != NULL && c.missing_at != NULL) {
        start(&c, modulus);
        anneal(&c, (int64_t)(3e7 / sqrt(modulus)), cover, &size);
        qsort(cover, (size_t)size, sizeof *cover, compare);
    }
    free(c.residue);
    free(c.in);
    free(c.count);
    free(c.missing);
    free(c.missing_at);
    return size;
}

struct pattern *cyclic_pattern(int modulus, const int *residues, int count)
{
    struct pattern *pattern = pattern_alloc(modulus, modulus, modulus);
    /* For each difference: the residue at which it begins. */
    int *from = pattern != NULL ? calloc((size_t)modulus, sizeof *from) : NULL;
    if (from == NULL) {
        pattern_destroy(&pattern);
        return NULL;
    }
    for (int s = 0; s < count; s++)
        for (int t = 0; t < count; t++)
            from[(residues[t] - residues[s] + modulus) % modulus] = residues[s];
    for (int i = 0; i < modulus; i++)
        for (int d = 0; d < modulus; d++)
            pattern->cell[(int64_t)i * modulus + (i + d) % modulus] = d == 0 ? LAYOUT_FREE : (i - from[d] + modulus) % modulus;
    free(from);
    return pattern;
}
