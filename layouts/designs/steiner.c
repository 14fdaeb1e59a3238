/*
 * Steiner triple systems: every pair of v points in one triple. Points are (x,i), x in Z_n and i in 0, 1, 2, and one more.
 *
 * R. C. Bose, "On the construction of balanced incomplete block designs", Annals of Eugenics 9 (1939), for v = 6t+3, and T.
 * Skolem, "Some remarks on the triple systems of Steiner", Mathematica Scandinavica 6 (1958), for v = 6t+1.
 */
#include "layouts/designs/designs.h"

static void add_triple(struct blocks *b, int *count, int a, int c, int d)
{
    int *point = b->point + 3 * *count;
    point[0] = a;
    point[1] = c;
    point[2] = d;
    ++*count;
    b->first[*count] = 3 * *count;
}

/* n = 2t+1: {(x,0), (x,1), (x,2)}, and {(x,i), (y,i), ((x+y)/2, i+1)} for x < y. */
static void bose(struct blocks *b, int n)
{
    int count = 0;
    for (int x = 0; x < n; x++)
        add_triple(b, &count, x, n + x, 2 * n + x);
    for (int i = 0; i < 3; i++)
        for (int x = 0; x < n; x++)
            for (int y = x + 1; y < n; y++)
                add_triple(b, &count, i * n + x, i * n + y, (i + 1) % 3 * n + (x + y) * (n + 1) / 2 % n);
}

/* x * y of the half-idempotent commutative quasigroup on Z_n, n = 2t: x * x = x for x < t, x - t for the others. */
static int half_idempotent(int x, int y, int n)
{
    int sum = (x + y) % n;
    return sum % 2 == 0 ? sum / 2 : (sum - 1) / 2 + n / 2;
}

/* n = 2t, z the extra point: {(x,0), (x,1), (x,2)} for x < t, {z, (x+t,i), (x,i+1)} for x < t, {(x,i), (y,i), (x*y, i+1)}. */
static void skolem(struct blocks *b, int n)
{
    int count = 0, t = n / 2;
    for (int x = 0; x < t; x++)
        add_triple(b, &count, x, n + x, 2 * n + x);
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        for (int x = 0; x < t; x++)
            add_triple(b, &count, 3 * n, i * n + x + t, next * n + x);
        for (int x = 0; x < n; x++)
            for (int y = x + 1; y < n; y++)
                add_triple(b, &count, i * n + x, i * n + y, next * n + half_idempotent(x, y, n));
    }
}

int steiner_triples(int v, struct blocks *b)
{
    if (v < 7 || (v % 6 != 1 && v % 6 != 3))
        return 1;
    int triples = v * (v - 1) / 6;
    if (blocks_create(b, triples, v, 3 * (int64_t)triples))
        return 1;
    if (v % 6 == 3)
        bose(b, v / 3);
    else
        skolem(b, (v - 1) / 3);
    return 0;
}
