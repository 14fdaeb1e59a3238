/* What is wrong with a tile, by its sums. The picture and the thresholds are in tile_sums.h. */
#include "omp/kernels/tile_sums.h"
#include "omp/kernels/workspace.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4 };        /* columns that may be wrong at once */

struct number {
    double re, im;
};

static char *element(const struct summed_tile *t, const void *of, int i, int j)
{
    return (char *)of + ((size_t)i + (size_t)j * (size_t)t->m) * t->precision->size;
}

static struct number get(const struct summed_tile *t, const void *of, int i, int j)
{
    struct number x;
    t->precision->get(element(t, of, i, j), &x.re, &x.im);
    return x;
}

static struct number less(struct number a, struct number b)
{
    return (struct number){ a.re - b.re, a.im - b.im };
}

/* Infinite for what is not a number. */
static double modulus(struct number x)
{
    double largest = fmax(fabs(x.re), fabs(x.im));
    return isfinite(x.re) && isfinite(x.im) ? largest : INFINITY;
}

static double threshold(const struct summed_tile *t, const struct tile_scale *now)
{
    double factor = fmax(16, t->widest / 4.0) * sqrt(t->depth) * t->precision->eps, n = sqrt(t->n);
    double largest = fmax(now->element, now->sum), seen = isfinite(largest) ? fmin(0.25, factor * (n + 1)) * largest : 0;
    return factor * (n * t->past.element + t->past.sum) + seen + t->precision->smallest;
}

/* ---- what is wrong ---------------------------------------------------------------------------------------------------------- */

/* A look at all rows: those whose sums say something else than their elements. */
struct look {
    int rows, worst;        /* how many, and the one that is most wrong */
    double most, limit;
    bool sums_alone;        /* in each of them one sum is right */
};

/* D: the sums as they should be. */
static struct look look_at(const struct summed_tile *t, void *D)
{
    struct tile_scale now = tile_sums(t->precision, t->widest, t->m, t->n, t->A, t->m, D);
    struct look look = { .limit = threshold(t, &now), .sums_alone = true, .worst = -1 };
    for (int i = 0; i < t->m; i++) {
        double d0 = modulus(less(get(t, t->S, i, 0), get(t, D, i, 0))), d1 = modulus(less(get(t, t->S, i, 1), get(t, D, i, 1)));
        double larger = fmax(d0, d1);
        if (larger <= look.limit && larger < INFINITY)
            continue;
        look.rows++;
        look.sums_alone = look.sums_alone && fmin(d0, d1) <= look.limit;
        if (look.worst < 0 || larger > look.most) {
            look.worst = i;
            look.most = larger;
        }
    }
    return look;
}

/* The column of the only element of the row that is no number; -1: there are none, or several. */
static int column_without_number(const struct summed_tile *t, int i)
{
    int column = -1, count = 0;
    for (int j = 0; j < t->n; j++)
        if (modulus(get(t, t->A, i, j)) == INFINITY) {
            column = j;
            count++;
        }
    return count == 1 ? column : -1;
}

/* By d1 / d0, whose imaginary part is rounding; -1: it is no column's. */
static int column_of(const struct summed_tile *t, const void *D, const struct look *look)
{
    const double APART = 0.4;
    int i = look->worst;
    if (look->most == INFINITY)
        return column_without_number(t, i);
    struct number d0 = less(get(t, t->S, i, 0), get(t, D, i, 0)), d1 = less(get(t, t->S, i, 1), get(t, D, i, 1));
    double scale = modulus(d0);
    double re = d0.re / scale, im = d0.im / scale, ratio = (d1.re / scale * re + d1.im / scale * im) / (re * re + im * im);
    double column = t->widest * (ratio - 1) - 1, nearest = round(column);
    return fabs(column - nearest) < APART && nearest >= 0 && nearest < t->n ? (int)nearest : -1;
}

/* ---- and is put right ------------------------------------------------------------------------------------------------------- */

static void correct(const struct summed_tile *t, int i, int j)
{
    struct number x = get(t, t->S, i, 0);
    for (int c = 0; c < t->n; c++)
        if (c != j)
            x = less(x, get(t, t->A, i, c));
    t->precision->set(element(t, t->A, i, j), x.re, x.im);
}

/* Does the row say of this column what the worst one does? Then d1 = w d0. */
static bool says_so(const struct summed_tile *t, const void *D, const struct look *look, int i, int j)
{
    const double UNSURE = 3;
    struct number d0 = less(get(t, t->S, i, 0), get(t, D, i, 0)), d1 = less(get(t, t->S, i, 1), get(t, D, i, 1));
    double w = 1 + (j + 1.0) / t->widest;
    if (modulus(d0) == INFINITY || modulus(d1) == INFINITY)
        return column_without_number(t, i) == j;
    return modulus((struct number){ d1.re - w * d0.re, d1.im - w * d0.im }) <= UNSURE * look->limit;
}

/* If several rows are wrong reflections have spread it, over the others, too. A Hermitian tile has its elements twice. */
static void correct_column(const struct summed_tile *t, const void *D, const struct look *look, int j)
{
    correct(t, look->worst, j);
    for (int i = 0; i < t->m && look->rows > 1 && t->part == GENERAL; i++)
        if (i != look->worst && says_so(t, D, look, i, j))
            correct(t, i, j);
    struct number x = get(t, t->A, look->worst, j);
    if (t->part != GENERAL && look->worst != j)
        t->precision->set(element(t, t->A, j, look->worst), x.re, -x.im);
}

/* Sums of a row of which one is wrong become what they should be. */
static void correct_sums(const struct summed_tile *t, const void *D, const struct look *look)
{
    for (int i = 0; i < t->m; i++)
        for (int s = 0; s < SUMS; s++) {
            struct number right = get(t, D, i, s);
            if (!(modulus(less(get(t, t->S, i, s), right)) <= look->limit))
                t->precision->set(element(t, t->S, i, s), right.re, right.im);
        }
}

/* Until nothing is wrong any more. D: room for sums. */
static void repair(const struct summed_tile *t, void *D, struct tile_finding *finding)
{
    for (struct look look; (look = look_at(t, D)).rows > 0;) {
        int column = look.sums_alone ? -1 : column_of(t, D, &look);
        finding->found++;
        finding->lost = finding->found > ROUNDS || (!look.sums_alone && column < 0);
        if (finding->lost)
            break;
        if (look.sums_alone)
            correct_sums(t, D, &look);
        else
            correct_column(t, D, &look, column);
        finding->corrected++;
    }
}

/* ---- Hermitian tiles, of which a triangle is there ------------------------------------------------------------------------------ */

static void expand(const struct precision *precision, enum uplo part, int n, const char *A, char *all)
{
    size_t size = precision->size;
    for (int j = 0; j < n; j++)
        for (int i = part == LOWER ? j : 0; i < (part == LOWER ? n : j + 1); i++) {
            double re, im;
            precision->get(A + ((size_t)i + (size_t)j * (size_t)n) * size, &re, &im);
            im = i == j ? 0 : im;
            precision->set(all + ((size_t)i + (size_t)j * (size_t)n) * size, re, im);
            precision->set(all + ((size_t)j + (size_t)i * (size_t)n) * size, re, -im);
        }
}

static void put_triangle(const struct precision *precision, enum uplo part, int n, const char *all, char *A)
{
    for (int j = 0; j < n; j++) {
        size_t at = ((size_t)j * (size_t)n + (size_t)(part == LOWER ? j : 0)) * precision->size;
        memcpy(A + at, all + at, (size_t)(part == LOWER ? n - j : j + 1) * precision->size);
    }
}

int hermitian_sums(const struct precision *precision, int widest, enum uplo part, int n, const void *A, void *S,
                   struct tile_scale *scale)
{
    char *all = workspace_take((size_t)n * (size_t)n * precision->size);
    if (all == NULL)
        return 1;
    expand(precision, part, n, A, all);
    *scale = tile_sums(precision, widest, n, n, all, n, S);
    workspace_give(all);
    return 0;
}

int tile_repair(const struct summed_tile *t, struct tile_finding *finding)
{
    size_t sums = (size_t)t->m * SUMS * t->precision->size, bytes = (size_t)t->m * (size_t)t->n * t->precision->size;
    char *D = workspace_take(sums + (t->part == GENERAL ? 0 : bytes));
    struct summed_tile whole = *t;
    *finding = (struct tile_finding){ 0 };
    if (D == NULL)
        return 1;
    if (t->part != GENERAL) {
        whole.A = D + sums;
        expand(t->precision, t->part, t->n, t->A, whole.A);
    }
    repair(&whole, D, finding);
    if (t->part != GENERAL && finding->found > 0)
        put_triangle(t->precision, t->part, t->n, whole.A, t->A);
    workspace_give(D);
    return 0;
}
