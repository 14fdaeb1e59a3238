/* Finds and corrects errors of a tile by its checksums. tile_sums.h has the method and the thresholds. */
#include "omp/kernels/tile_sums.h"
#include "omp/kernels/workspace.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4 };        /* most columns that may be wrong at once */

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

/* The larger modulus of the parts; infinity for a NaN. */
static double modulus(struct number x)
{
    double largest = fmax(fabs(x.re), fabs(x.im));
    return isfinite(x.re) && isfinite(x.im) ? largest : INFINITY;
}

/* limit / noise: see tile_sums.h. */
static double reach_of(const struct summed_tile *t)
{
    return 4 * sqrt(fmax(t->m, t->widest));
}

/* The noise by computing in single. */
static double noise_of_single(const struct summed_tile *t)
{
    const struct precision *single = precision_of(t->precision->other);
    double alike = t->past.element > 0 ? t->past.sum / (sqrt(t->n) * t->past.element) : 0;
    return t->rounded / sqrt(fmax(t->m, t->widest)) * (1 + fmin(alike, sqrt(t->n))) + single->smallest;
}

/* The size of the deviations that rounding may cause in a row. */
static double noise_of(const struct summed_tile *t, const struct tile_scale *now)
{
    const double HIDDEN = 0.25;
    double unit = sqrt(t->depth) * t->precision->eps, n = sqrt(t->n), most = HIDDEN / reach_of(t);
    double noise = unit * n * t->past.element + unit * t->past.sum + t->precision->smallest;
    if (t->rounded > 0)
        noise += noise_of_single(t);
    if (isfinite(now->element) && isfinite(now->sum))
        noise += fmin(unit * n, most) * now->element + fmin(unit, most / HEAVIEST) * now->sum;
    return noise;
}

/* ---- measuring deviations ---------------------------------------------------------------------------------------------- */

/* The deviations of all rows: checksums minus the sums of the elements. */
struct deviation {
    enum { NOTHING, SUMS_ALONE, ELEMENTS, NO_NUMBERS } wrong;
    int worst, rows;        /* the row with the largest deviation, and the number of rows that are certainly wrong */
    double noise, length[SUMS];     /* noise of a row; norms of d0, d1, d2 */
};

static struct number apart(const struct summed_tile *t, const void *D, int i, int s)
{
    return less(get(t, t->S, i, s), get(t, D, i, s));
}

static double largest_apart(const struct summed_tile *t, const void *D, int i)
{
    double largest = 0;
    for (int s = 0; s < SUMS; s++)
        largest = fmax(largest, modulus(apart(t, D, i, s)));
    return largest;
}

static bool are_numbers(const struct summed_tile *t, const void *sums, int i)
{
    bool all = true;
    for (int s = 0; s < SUMS; s++)
        all = all && modulus(get(t, sums, i, s)) < INFINITY;
    return all;
}

/* A row whose checksums and sums of elements have both overflowed is not checked. */
static void measure_row(const struct summed_tile *t, const void *D, int i, struct deviation *deviation)
{
    const double SURE = 8;
    if (!are_numbers(t, D, i) && !are_numbers(t, t->S, i))
        return;
    double largest = largest_apart(t, D, i);
    deviation->rows += largest > SURE * deviation->noise;
    if (deviation->worst < 0 || largest > largest_apart(t, D, deviation->worst))
        deviation->worst = i;
    if (largest == INFINITY && deviation->wrong != NO_NUMBERS)
        deviation->wrong = are_numbers(t, D, i) && !are_numbers(t, t->S, i) ? SUMS_ALONE : NO_NUMBERS;
    for (int s = 0; s < SUMS; s++) {
        struct number d = apart(t, D, i, s);
        deviation->length[s] = hypot(deviation->length[s], hypot(d.re, d.im));
    }
}

static double most_wrong(const struct deviation *deviation)
{
    return fmax(deviation->length[0], fmax(deviation->length[1], deviation->length[2]));
}

/* If one of the three sums deviates, that sum is wrong; if more deviate, elements are. The deviation of an element may be near
   the limit: it counts if all three sums are above the limit, or if one is so far above it that all should be. */
static void judge(const struct summed_tile *t, struct deviation *deviation)
{
    double limit = reach_of(t) * deviation->noise;
    int differ = 0;
    for (int s = 0; s < SUMS; s++)
        differ += deviation->length[s] > limit;
    if (deviation->wrong != NOTHING)
        return;
    if (differ == SUMS || (differ > 1 && most_wrong(deviation) > HEAVIEST * limit))
        deviation->wrong = ELEMENTS;
    else if (most_wrong(deviation) > HEAVIEST * HEAVIEST * limit)
        deviation->wrong = SUMS_ALONE;
}

/* D: memory for the sums of the elements. */
static struct deviation measure(const struct summed_tile *t, void *D)
{
    struct tile_scale now = tile_sums(t->precision, t->widest, t->m, t->n, t->A, t->m, D);
    struct deviation deviation = { .wrong = NOTHING, .noise = noise_of(t, &now), .worst = -1 };
    for (int i = 0; i < t->m; i++)
        measure_row(t, D, i, &deviation);
    judge(t, &deviation);
    return deviation;
}

/* For a row whose sums are not finite: the column of the only element that is not finite or is so large that the sums are not;
   -1: there are several. */
static int column_beyond_sums(const struct summed_tile *t, int i)
{
    int column = 0, infinite = 0;
    double most = 0;
    for (int j = 0; j < t->n; j++) {
        double x = modulus(get(t, t->A, i, j));
        infinite += x == INFINITY;
        column = x > most ? j : column;
        most = x > most ? x : most;
    }
    return infinite <= 1 ? column : -1;
}

/* The weights of a column, or ratios that should be such weights. */
struct weights {
    double coarse, fine;
};

static struct weights weights_of(const struct summed_tile *t, int j)
{
    return (struct weights){ sums_weight(t->widest, j, 1), sums_weight(t->widest, j, 2) };
}

/* The distance in units of the smallest distance between columns. */
static double distance(const struct summed_tile *t, struct weights a, struct weights b)
{
    return sums_period(t->widest) * hypot(a.coarse - b.coarse, a.fine - b.fine);
}

/* d1 / d0 and d2 / d0 by least squares over rows from .. to-1; the imaginary part is a rounding error. */
static struct weights weights_by(const struct summed_tile *t, const void *D, const struct deviation *deviation, int from, int to)
{
    double square = 0, product[SUMS] = { 0 }, scale = deviation->length[0];
    for (int i = from; i < to; i++) {
        struct number d0 = apart(t, D, i, 0);
        square += d0.re / scale * (d0.re / scale) + d0.im / scale * (d0.im / scale);
        for (int s = 1; s < SUMS; s++) {
            struct number d = apart(t, D, i, s);
            product[s] += d.re / scale * (d0.re / scale) + d.im / scale * (d0.im / scale);
        }
    }
    return (struct weights){ product[1] / square, product[2] / square };
}

/* The column with the nearest weights; -1: none is within `near`. */
static int column_near(const struct summed_tile *t, struct weights w, double near)
{
    int column = -1;
    for (int j = 0; j < t->n; j++) {
        double far = distance(t, w, weights_of(t, j));
        column = far <= near ? j : column;
        near = fmin(near, far);
    }
    return column;
}

/* The uncertainty of weights that come from a deviation d0. */
static double unsure_of(const struct summed_tile *t, const struct deviation *deviation, double d0)
{
    const double EXACT = 0.05, UNSURE = 4;
    return EXACT + UNSURE * sums_period(t->widest) * deviation->noise / d0;
}

/* The column of the wrong element. All rows together give the best estimate, if the worst row is consistent with that column.
   Otherwise the worst row decides, and always for a Hermitian tile, whose elements count in two rows. -1: no column fits. */
static int column_of(const struct summed_tile *t, const void *D, const struct deviation *deviation)
{
    const double NEAR = 0.4;
    if (deviation->wrong == NO_NUMBERS)
        return column_beyond_sums(t, deviation->worst);
    struct weights all = weights_by(t, D, deviation, 0, t->m);
    struct weights one = weights_by(t, D, deviation, deviation->worst, deviation->worst + 1);
    double unsure = unsure_of(t, deviation, modulus(apart(t, D, deviation->worst, 0)));
    int column = t->part == GENERAL ? column_near(t, all, fmin(NEAR, unsure_of(t, deviation, deviation->length[0]))) : -1;
    return column >= 0 && distance(t, one, weights_of(t, column)) <= unsure ? column : column_near(t, one, fmin(NEAR, unsure));
}

/* ---- correction -------------------------------------------------------------------------------------------------------- */

static void correct(const struct summed_tile *t, int i, int j)
{
    struct number x = get(t, t->S, i, 0);
    for (int c = 0; c < t->n; c++)
        if (c != j)
            x = less(x, get(t, t->A, i, c));
    t->precision->set(element(t, t->A, i, j), x.re, x.im);
}

/* Whether the row's deviations are consistent with an error in this column: d1 and d2 are d0 times the column's weights. */
static bool confirms(const struct summed_tile *t, const void *D, const struct deviation *deviation, int i, int j)
{
    const double UNSURE = 16;
    struct number d0 = apart(t, D, i, 0);
    if (largest_apart(t, D, i) == INFINITY)
        return column_beyond_sums(t, i) == j;
    for (int s = 1; s < SUMS; s++) {
        struct number d = apart(t, D, i, s);
        double w = sums_weight(t->widest, j, s);
        if (modulus((struct number){ d.re - w * d0.re, d.im - w * d0.im }) > UNSURE * deviation->noise)
            return false;
    }
    return true;
}

/* If several rows are wrong, reflections have spread the error over rows, so the other rows are corrected, too. A Hermitian
   tile has its elements twice. */
static void correct_column(const struct summed_tile *t, const void *D, const struct deviation *deviation, int j)
{
    correct(t, deviation->worst, j);
    for (int i = 0; i < t->m && deviation->rows > 1 && t->part == GENERAL; i++)
        if (i != deviation->worst && confirms(t, D, deviation, i, j))
            correct(t, i, j);
    struct number x = get(t, t->A, deviation->worst, j);
    if (t->part != GENERAL && deviation->worst != j)
        t->precision->set(element(t, t->A, j, deviation->worst), x.re, t->symmetric ? x.im : -x.im);
}

/* Repeats corrections until nothing is wrong. D: memory for sums. */
static void repair(const struct summed_tile *t, void *D, struct tile_finding *finding)
{
    for (struct deviation deviation; (deviation = measure(t, D)).wrong != NOTHING;) {
        int column = deviation.wrong == SUMS_ALONE ? -1 : column_of(t, D, &deviation);
        finding->found++;
        finding->lost = finding->found > ROUNDS || (deviation.wrong != SUMS_ALONE && column < 0);
        if (finding->lost)
            return;
        if (deviation.wrong == SUMS_ALONE)
            memcpy(t->S, D, (size_t)t->m * SUMS * t->precision->size);
        else
            correct_column(t, D, &deviation, column);
        finding->corrected++;
    }
}

/* ---- tiles of which a triangle is stored ------------------------------------------------------------------------------- */

/* Copies the triangle's columns, from the diagonal on or up to it. */
static void put_triangle(const struct precision *precision, enum uplo part, int n, const char *from, char *to)
{
    for (int j = 0; j < n; j++) {
        size_t at = ((size_t)j * (size_t)n + (size_t)(part == LOWER ? j : 0)) * precision->size;
        memcpy(to + at, from + at, (size_t)(part == LOWER ? n - j : j + 1) * precision->size);
    }
}

/* Fills in the other triangle and then the triangle itself, in squares that fit into caches. A Hermitian diagonal is real. */
static void expand(const struct precision *precision, enum uplo part, bool symmetric, int n, const char *A, char *all)
{
    void (*turn)(int m, int n, const void *A, int lda, void *B, int ldb);
    enum { SQUARE = 32 };
    size_t size = precision->size;
    turn = symmetric ? precision->host->transpose : precision->kernels->conj_transpose;
    for (int j = 0; j < n; j += SQUARE)
        for (int i = part == LOWER ? j : 0; i < (part == LOWER ? n : j + 1); i += SQUARE) {
            int rows = n - i < SQUARE ? n - i : SQUARE, columns = n - j < SQUARE ? n - j : SQUARE;
            turn(rows, columns, A + ((size_t)i + (size_t)j * (size_t)n) * size, n,
                 all + ((size_t)j + (size_t)i * (size_t)n) * size, n);
        }
    put_triangle(precision, part, n, A, all);
    for (int i = 0; i < n && !symmetric; i++) {
        double re, im;
        char *diagonal = all + (size_t)i * (size_t)(n + 1) * size;
        precision->get(diagonal, &re, &im);
        precision->set(diagonal, re, 0);
    }
}

int triangle_sums(const struct precision *precision, int widest, enum uplo part, bool symmetric, int n, const void *A, void *S,
                  struct tile_scale *scale)
{
    char *all = workspace_take((size_t)n * (size_t)n * precision->size);
    if (all == NULL)
        return 1;
    expand(precision, part, symmetric, n, A, all);
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
        expand(t->precision, t->part, t->symmetric, t->n, t->A, whole.A);
    }
    repair(&whole, D, finding);
    if (t->part != GENERAL && finding->found > 0)
        put_triangle(t->precision, t->part, t->n, whole.A, t->A);
    workspace_give(D);
    return 0;
}
