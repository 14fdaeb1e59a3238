#include "src/io/generate.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- formulas, i and j from 0 --------------------------------------------------------------------------------------------- */

struct place {
    int64_t i, j;
    int64_t size;           /* max(m, n) */
    double argument;
};

static int64_t lesser(struct place p)
{
    return p.i < p.j ? p.i : p.j;
}

static int64_t distance(struct place p)
{
    return p.i < p.j ? p.j - p.i : p.i - p.j;
}

static double zeros(struct place p)
{
    (void)p;
    return 0;
}

static double ones(struct place p)
{
    (void)p;
    return 1;
}

static double identity(struct place p)
{
    return p.i == p.j;
}

static double ij(struct place p)
{
    double scale = 1;
    while (scale < (double)p.size)
        scale *= 10;
    return (double)p.i + (double)p.j / scale;
}

static double minij(struct place p)
{
    return (double)(lesser(p) + 1);
}

static double hilb(struct place p)
{
    return 1 / (double)(p.i + p.j + 1);
}

static double lehmer(struct place p)
{
    return (double)(lesser(p) + 1) / (double)(lesser(p) + distance(p) + 1);
}

static double kms(struct place p)
{
    return pow(p.argument, (double)distance(p));
}

static double fiedler(struct place p)
{
    return (double)distance(p);
}

static double moler(struct place p)
{
    return (double)(p.i == p.j ? p.i + 1 : lesser(p) - 1);
}

static double parter(struct place p)
{
    return 1 / ((double)(p.i - p.j) + 0.5);
}

static double cauchy(struct place p)
{
    return 1 / (double)(p.i + p.j + 2);
}

static double pei(struct place p)
{
    return p.i == p.j ? 1 + p.argument : 1;
}

static double circul(struct place p)
{
    return (double)(p.j - p.i + (p.j < p.i ? p.size : 0) + 1);
}

/* ---- the table of kinds ------------------------------------------------------------------------------------------------- */

enum distribution { UNIFORM, TWO_POINT, NORMAL };

struct generator_kind {
    const char *name;
    double (*formula)(struct place p);      /* NULL: random */
    const char *argument;                   /* its name, or NULL */
    double usual;                           /* the argument where none is given */
    enum distribution distribution;
    double low, high;                       /* ends of the interval, or the two values */
    double dominance;                       /* times max(m,n), and 2 if complex: more than the others of a row can sum up to */
};

static const struct generator_kind kinds[] = {
    {.name = "zeros",    .formula = zeros},                                     /* 0 */
    {.name = "ones",     .formula = ones},                                      /* 1 */
    {.name = "identity", .formula = identity},                                  /* i == j */
    {.name = "ij",       .formula = ij},                                        /* i + j / 10^k, 10^k >= max(m,n); from 0 */
    {.name = "minij",    .formula = minij},                                     /* min(i,j), from 1; SPD */
    {.name = "hilb",     .formula = hilb},                                      /* 1 / (i + j - 1), from 1; SPD */
    {.name = "lehmer",   .formula = lehmer},                                    /* min(i,j) / max(i,j), from 1; SPD */
    {.name = "kms",      .formula = kms, .argument = "rho", .usual = 0.5},      /* rho^|i-j|; SPD for 0 < |rho| < 1 */
    {.name = "fiedler",  .formula = fiedler},                                   /* |i - j| */
    {.name = "moler",    .formula = moler},                                     /* i if i == j, min(i,j) - 2, from 1; SPD */
    {.name = "parter",   .formula = parter},                                    /* 1 / (i - j + 0.5) */
    {.name = "cauchy",   .formula = cauchy},                                    /* 1 / (i + j), from 1; SPD */
    {.name = "pei",      .formula = pei, .argument = "alpha", .usual = 1},      /* 1 + alpha if i == j, 1; SPD for alpha > 0 */
    {.name = "circul",   .formula = circul},                                    /* (j - i) mod max(m,n) + 1 */
    {.name = "rand",  .distribution = UNIFORM,   .low = 0,  .high = 1, .dominance = 1},     /* in (0, 1) */
    {.name = "rands", .distribution = UNIFORM,   .low = -1, .high = 1, .dominance = 1},     /* in (-1, 1) */
    {.name = "randn", .distribution = NORMAL,                          .dominance = 9},     /* mean 0, variance 1; |x| < 8.6 */
    {.name = "randb", .distribution = TWO_POINT, .low = 0,  .high = 1, .dominance = 1},     /* 0 or 1 */
    {.name = "randr", .distribution = TWO_POINT, .low = -1, .high = 1, .dominance = 2},     /* -1 or 1 */
};

enum { KINDS = sizeof kinds / sizeof *kinds };

void generate_kinds(char list[IO_TEXT])
{
    size_t at = 0;
    list[0] = '\0';
    for (int k = 0; k < KINDS && at < IO_TEXT; k++) {
        const char *argument = kinds[k].argument;
        at += (size_t)snprintf(list + at, IO_TEXT - at, "%s%s%s%s%s", k > 0 ? " " : "", kinds[k].name, argument ? "[:" : "",
                               argument ? argument : "", argument ? "]" : "");
    }
}

/* ---- parsing ------------------------------------------------------------------------------------------------------------ */

static const struct generator_kind *find_kind(const char *name, size_t length)
{
    for (int k = 0; k < KINDS; k++)
        if (strlen(kinds[k].name) == length && strncmp(name, kinds[k].name, length) == 0)
            return &kinds[k];
    return NULL;
}

__attribute__((format(printf, 2, 3)))
static int refuse(char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(text, IO_TEXT, format, list);
    va_end(list);
    return 1;
}

static int parse_argument(const char *argument, struct generator *g, char *text)
{
    char *end;
    if (!g->kind->argument)
        return refuse(text, "matrix kind '%s' takes no argument, but ':%.40s' follows", g->kind->name, argument);
    g->argument = strtod(argument, &end);
    if (end == argument || *end || !isfinite(g->argument))
        return refuse(text, "matrix kind '%s': %s is a number, not '%.40s'", g->kind->name, g->kind->argument, argument);
    return 0;
}

int generate_parse(const char *spec, bool symmetric, int64_t m, int64_t n, uint64_t seed, struct generator *g,
                   char text[IO_TEXT])
{
    static const char suffix[] = "_dominant";
    const size_t tail = sizeof suffix - 1, whole = strcspn(spec, ":");
    const bool dominant = whole > tail && strncmp(spec + whole - tail, suffix, tail) == 0;
    const struct generator_kind *kind = find_kind(spec, dominant ? whole - tail : whole);
    char list[IO_TEXT];
    generate_kinds(list);
    if (!kind)
        return refuse(text, "matrix kind '%.*s' is not known; known: %s (rand kinds also with %s)", whole < 20 ? (int)whole : 20,
                      spec, list, suffix);
    if (dominant && kind->formula)
        return refuse(text, "matrix kind '%s' has no form '%s'; only random kinds have", kind->name, suffix);
    if (symmetric && m != n)
        return refuse(text, "a symmetric matrix is square, not %" PRId64 " x %" PRId64, m, n);
    *g = (struct generator){kind, symmetric, dominant, m, n, seed, kind->usual};
    return spec[whole] ? parse_argument(spec + whole + 1, g, text) : 0;
}

/* ---- random numbers ----------------------------------------------------------------------------------------------------- */

/* SplitMix64's finaliser: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014. */
static inline uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static const uint64_t golden = 0x9e3779b97f4a7c15u;     /* SplitMix64's increment: 2^64 / golden ratio, odd */

static inline uint64_t column_key(uint64_t seed, int64_t j, int stream)
{
    return mix(mix(seed + golden) + golden * (2 * (uint64_t)j + (uint64_t)stream + 1));
}

/*
 * A column is a SplitMix64 sequence that starts at its key. Sequences of one increment overlap once there are enough of them, so
 * a second round brings the key in again.
 */
static inline uint64_t draw(uint64_t key, int64_t i)
{
    return mix(mix(key + golden * (uint64_t)i) + key);
}

/* An odd multiple of 2^-53 in (0,1), each as likely; every step is exact. */
static inline double uniform(uint64_t bits)
{
    double x;
    bits = bits >> 12 | (uint64_t)1023 << 52;       /* 1 + k 2^-52 */
    memcpy(&x, &bits, sizeof x);
    return x - (1 - 0x1p-53);
}

/* `count` entries, from (i,j) down the column or along the row. */
struct run {
    int64_t i, j;
    int di, dj;
    int count;
};

static inline void draw_run(uint64_t seed, struct run r, int stream, double *u)
{
    for (int k = 0; k < r.count; k++)
        u[k] = uniform(draw(column_key(seed, r.j + k * r.dj, stream), r.i + k * r.di));
}

static void draw_uniform(uint64_t seed, struct run r, int stream, double *u)
{
    if (r.dj == 0)      /* a constant, so that the compiler takes the key out of the loop */
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

/* ---- entries and tiles -------------------------------------------------------------------------------------------------- */

static int64_t size_of(const struct generator *g)
{
    return g->m > g->n ? g->m : g->n;
}

static void fill_run(const struct generator *g, struct run r, bool is_complex, double *re, double *im)
{
    const struct generator_kind *kind = g->kind;
    if (kind->formula) {
        for (int k = 0; k < r.count; k++) {
            re[k] = kind->formula((struct place){r.i + k * r.di, r.j + k * r.dj, size_of(g), g->argument});
            im[k] = 0;
        }
        return;
    }
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

/* A(i : i+count, j). im is scratch where the matrix is real. */
static void fill_column(const struct generator *g, int64_t i, int64_t j, int count, bool is_complex, double *re, double *im)
{
    const int64_t diagonal = j - i;
    int above = 0;
    if (g->symmetric && diagonal > 0) {
        above = diagonal < count ? (int)diagonal : count;
        fill_run(g, (struct run){j, i, 0, 1, above}, is_complex, re, im);
        for (int k = 0; is_complex && k < above; k++)
            im[k] = -im[k];
    }
    fill_run(g, (struct run){i + above, j, 1, 0, count - above}, is_complex, re + above, im + above);
    if (diagonal < 0 || diagonal >= count)
        return;
    if (g->dominant)
        re[diagonal] += g->kind->dominance * (is_complex ? 2 : 1) * (double)size_of(g);
    if (g->symmetric)
        im[diagonal] = 0;
}

void generate_entry(const struct generator *g, int64_t i, int64_t j, double *re, double *im, bool is_complex)
{
    fill_column(g, i, j, 1, is_complex, re, im);
    *im = is_complex ? *im : 0;
}

static void store_s(void *tile, size_t at, int count, const double *re, const double *im)
{
    float *to = (float *)tile + at;
    (void)im;
    for (int k = 0; k < count; k++)
        to[k] = (float)re[k];
}

static void store_d(void *tile, size_t at, int count, const double *re, const double *im)
{
    (void)im;
    memcpy((double *)tile + at, re, (size_t)count * sizeof *re);
}

static void store_c(void *tile, size_t at, int count, const double *re, const double *im)
{
    float *to = (float *)tile + 2 * at;
    for (int k = 0; k < count; k++) {
        to[2 * k] = (float)re[k];
        to[2 * k + 1] = (float)im[k];
    }
}

static void store_z(void *tile, size_t at, int count, const double *re, const double *im)
{
    double *to = (double *)tile + 2 * at;
    for (int k = 0; k < count; k++) {
        to[2 * k] = re[k];
        to[2 * k + 1] = im[k];
    }
}

static const struct form {
    char type;
    bool is_complex;
    void (*store)(void *tile, size_t at, int count, const double *re, const double *im);
} forms[] = {
    {'s', false, store_s},
    {'d', false, store_d},
    {'c', true,  store_c},
    {'z', true,  store_z},
};

void generate_tile(const struct generator *g, char type, int64_t i0, int64_t j0, int rows, int cols, void *tile, int ld)
{
    enum { BLOCK = 256 };       /* stays in the first cache */
    const struct form *form = forms;
    double re[BLOCK], im[BLOCK];
    while (form->type != type)
        form++;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i += BLOCK) {
            const int count = rows - i < BLOCK ? rows - i : BLOCK;
            fill_column(g, i0 + i, j0 + j, count, form->is_complex, re, im);
            form->store(tile, (size_t)j * (size_t)ld + (size_t)i, count, re, im);
        }
}
