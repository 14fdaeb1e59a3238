#include "src/generate/generate.h"

#include "src/generate/generator_kind.h"
#include "src/generate/random_by_place.h"
#include "src/io/element.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- random numbers ----------------------------------------------------------------------------------------------------- */

enum { BLOCK = 256 };       /* entries of a column that are computed at a time: they stay in the first-level cache */

/* `count` entries from (i,j) on, in steps of (di,dj): down the column or along the row. */
struct run {
    int64_t i, j;
    int di, dj;
    int count;
};

static inline void draw_run(uint64_t seed, struct run r, int stream, double *u)
{
    for (int k = 0; k < r.count; k++)
        u[k] = random_uniform(random_draw(random_key(seed, r.j + k * r.dj, stream), r.i + k * r.di));
}

static void draw_uniform(uint64_t seed, struct run r, int stream, double *u)
{
    if (r.dj == 0)      /* dj is a constant in this call, so that the compiler moves the key out of the loop */
        draw_run(seed, (struct run){r.i, r.j, 1, 0, r.count}, stream, u);
    else
        draw_run(seed, r, stream, u);
}

static void shape(const struct generator_kind *kind, int count, double *u)
{
    const double low = kind->low, high = kind->high;
    if (kind->distribution == TWO_POINT)
        for (int k = 0; k < count; k++)
            u[k] = u[k] < 0.5 ? low : high;
    else
        for (int k = 0; k < count; k++)
            u[k] = low + (high - low) * u[k];
}

/* Box and Muller, "A Note on the Generation of Random Normal Deviates", Ann. Math. Stat. 29 (1958). */
static void normal(int count, double *u, double *v)
{
    const double two_pi = 6.283185307179586;
    for (int k = 0; k < count; k++) {
        const double radius = sqrt(-2 * log(u[k])), angle = two_pi * v[k];
        u[k] = radius * cos(angle);
        v[k] = radius * sin(angle);
    }
}

/* ---- types --------------------------------------------------------------------------------------------------------------- */

/* Elements from `at` on. */
static void store(char type, void *tile, size_t at, int count, const double *re, const double *im)
{
    const size_t end = at + (size_t)count;
    float *single = tile;
    double *twice = tile;
    switch (type) {
    case 's':
        for (size_t k = at; k < end; k++)
            single[k] = (float)re[k - at];
        break;
    case 'd':
        memcpy(twice + at, re, (size_t)count * sizeof *re);
        break;
    case 'c':
        for (size_t k = at; k < end; k++) {
            single[2 * k] = (float)re[k - at];
            single[2 * k + 1] = (float)im[k - at];
        }
        break;
    default:
        for (size_t k = at; k < end; k++) {
            twice[2 * k] = re[k - at];
            twice[2 * k + 1] = im[k - at];
        }
    }
}

/* LAPACK's test matrices near underflow and overflow have norms of 2^-e and 2^e: a quarter of the safe minimum over the
   precision, and its reciprocal (DLATB4). */
enum { SCALE_SINGLE = -(FLT_MIN_EXP - 1) - (FLT_MANT_DIG - 1) + 2, SCALE_DOUBLE = -(DBL_MIN_EXP - 1) - (DBL_MANT_DIG - 1) + 2 };

/* ---- entries and tiles -------------------------------------------------------------------------------------------------- */

static int64_t size_of(const struct generator *g)
{
    return g->m > g->n ? g->m : g->n;
}

static void fill_formula(const struct generator *g, struct run r, double *re, double *im)
{
    for (int k = 0; k < r.count; k++) {
        re[k] = formula_entry(g->kind->formula,
                              (struct entry_place){r.i + k * r.di, r.j + k * r.dj, size_of(g), g->n - 1, g->argument});
        im[k] = 0;
    }
}

static void fill_random(const struct generator *g, struct run r, bool is_complex, double *re, double *im)
{
    const struct generator_kind *kind = g->kind;
    draw_uniform(g->seed, r, 0, re);
    if (is_complex || kind->distribution == NORMAL)
        draw_uniform(g->seed, r, 1, im);
    if (kind->distribution == NORMAL) {
        normal(r.count, re, im);
        return;
    }
    shape(kind, r.count, re);
    if (is_complex)
        shape(kind, r.count, im);
}

static void fill_spectrum(const struct generator *g, struct run r, bool is_complex, double *re, double *im)
{
    struct spectrum_line row = spectrum_row(&g->spectrum, r.i), column = spectrum_column(&g->spectrum, r.j);
    for (int k = 0; k < r.count; k++) {
        if (k > 0 && r.di != 0)
            row = spectrum_row(&g->spectrum, r.i + k * r.di);
        if (k > 0 && r.dj != 0)
            column = spectrum_column(&g->spectrum, r.j + k * r.dj);
        spectrum_entry(&g->spectrum, &row, &column, is_complex, &re[k], &im[k]);
    }
}

/* A kernel is symmetric, so an entry along a row equals one down a column. */
static void fill_kernel(const struct generator *g, struct run r, bool is_complex, double *re, double *im)
{
    const bool down = r.di != 0;
    kernel_run(&g->kernel, down ? r.i : r.j, down ? r.j : r.i, r.count, re);
    if (is_complex)
        memset(im, 0, (size_t)r.count * sizeof *im);
}

/* [H C^H; C 0]. H is I and the lower triangle of a random Hermitian matrix of norm well below 1. C is random and real; its
   singular values are near 1 where m is well below n. */
static void fill_saddle(const struct generator *g, struct run r, bool is_complex, double *re, double *im)
{
    const double k = (double)g->n - g->argument, of_H = 0.25 / sqrt(k), of_C = sqrt(3 / k);
    draw_uniform(g->seed, r, 0, re);
    if (is_complex)
        draw_uniform(g->seed, r, 1, im);
    for (int e = 0; e < r.count; e++) {
        const int64_t i = r.i + e * r.di, j = r.j + e * r.dj;
        const int constraints = ((double)i >= k) + ((double)j >= k);
        const double scale[] = { of_H, of_C, 0 };
        re[e] = scale[constraints] * (2 * re[e] - 1) + (i == j && constraints == 0);
        im[e] = is_complex && constraints == 0 ? of_H * (2 * im[e] - 1) : 0;
    }
}

static void fill_run(const struct generator *g, struct run r, bool is_complex, double *re, double *im)
{
    if (g->kind->family == FORMULA)
        fill_formula(g, r, re, im);
    else if (g->kind->family == RANDOM)
        fill_random(g, r, is_complex, re, im);
    else if (g->kind->family == KERNEL)
        fill_kernel(g, r, is_complex, re, im);
    else if (g->kind->family == SADDLE)
        fill_saddle(g, r, is_complex, re, im);
    else
        fill_spectrum(g, r, is_complex, re, im);
}

/* Clears column `zero`, and in a matrix with a symmetry the row, too. */
static void clear(const struct generator *g, int64_t i, int64_t j, int count, double *re, double *im)
{
    const bool symmetric = g->averaged || g->symmetry != GENERATE_GENERAL;
    const bool column = j == g->zero, row = symmetric && i <= g->zero && g->zero < i + count;
    const int first = column ? 0 : (int)(g->zero - i), cleared = column ? count : row ? 1 : 0;
    for (int k = first; k < first + cleared; k++)
        re[k] = im[k] = 0;
}

/* The factor from an imaginary part below the diagonal to the one above. */
static double image(const struct generator *g)
{
    return g->symmetry == GENERATE_HERMITIAN ? -1 : 1;
}

/* A(i : i+count, j) of a matrix with a symmetry, from its lower triangle. */
static void fill_mirrored(const struct generator *g, int64_t i, int64_t j, int count, bool is_complex, double *re, double *im)
{
    const int64_t diagonal = j - i;
    int above = 0;
    if (g->symmetry != GENERATE_GENERAL && diagonal > 0) {
        above = diagonal < count ? (int)diagonal : count;
        fill_run(g, (struct run){j, i, 0, 1, above}, is_complex, re, im);
        for (int k = 0; is_complex && k < above; k++)
            im[k] *= image(g);
    }
    fill_run(g, (struct run){i + above, j, 1, 0, count - above}, is_complex, re + above, im + above);
    if (diagonal >= 0 && diagonal < count && g->symmetry == GENERATE_HERMITIAN)
        im[diagonal] = 0;
}

/* A(i : i+count, j) of the mean of both triangles. */
static void fill_averaged(const struct generator *g, int64_t i, int64_t j, int count, bool is_complex, double *re, double *im)
{
    double mirror_re[BLOCK], mirror_im[BLOCK];
    fill_run(g, (struct run){i, j, 1, 0, count}, is_complex, re, im);
    fill_run(g, (struct run){j, i, 0, 1, count}, is_complex, mirror_re, mirror_im);
    for (int k = 0; k < count; k++)
        re[k] = (re[k] + mirror_re[k]) / 2;
    for (int k = 0; is_complex && k < count; k++)
        im[k] = (im[k] + image(g) * mirror_im[k]) / 2;
}

/* A(i : i+count, j), count <= BLOCK. im is scratch memory where the matrix is real. */
static void fill_column(const struct generator *g, char type, int64_t i, int64_t j, int count, double *re, double *im)
{
    const bool is_complex = element_is_complex(type);
    const int64_t diagonal = j - i;
    (g->averaged ? fill_averaged : fill_mirrored)(g, i, j, count, is_complex, re, im);
    if (diagonal >= 0 && diagonal < count && g->dominant)
        re[diagonal] += g->kind->dominance * (is_complex ? 2 : 1) * (double)size_of(g);
    if (g->zero >= 0)
        clear(g, i, j, count, re, im);
    if (g->scaling != 0) {
        const double scale = ldexp(1, g->scaling * (element_is_single(type) ? SCALE_SINGLE : SCALE_DOUBLE) / 2);
        for (int k = 0; k < count; k++) {
            re[k] *= scale;
            im[k] *= scale;
        }
    }
}

void generate_entry(const struct generator *g, char type, int64_t i, int64_t j, double *re, double *im)
{
    fill_column(g, type, i, j, 1, re, im);
    *im = element_is_complex(type) ? *im : 0;
}

void generate_tile(const struct generator *g, char type, int64_t i0, int64_t j0, int rows, int cols, void *tile, int ld)
{
    double re[BLOCK], im[BLOCK];
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i += BLOCK) {
            const int count = rows - i < BLOCK ? rows - i : BLOCK;
            fill_column(g, type, i0 + i, j0 + j, count, re, im);
            store(type, tile, (size_t)j * (size_t)ld + (size_t)i, count, re, im);
        }
}
