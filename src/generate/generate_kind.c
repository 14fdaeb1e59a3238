/* The kinds of generated matrices: formulas, names and suffixes. */
#include "src/io/c_locale.h"
#include "src/generate/generate.h"
#include "src/generate/generator_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- formulas, i and j from 0 --------------------------------------------------------------------------------------------- */

/* The least power of 10 that is not below the size. */
static double power_of_ten(int64_t size)
{
    double power = 1;
    while (power < (double)size)
        power *= 10;
    return power;
}

double formula_entry(enum formula formula, struct entry_place p)
{
    const int64_t i = p.i, j = p.j, lesser = i < j ? i : j, distance = i < j ? j - i : i - j;
    const double n = (double)p.last + 2, pi = 3.141592653589793;
    switch (formula) {
    case ZEROS: return 0;
    case ONES: return 1;
    case IDENTITY: return i == j;
    case IJ: return (double)i + (double)j / power_of_ten(p.size);
    case MINIJ: return (double)(lesser + 1);
    case HILB: return 1 / (double)(i + j + 1);
    case LEHMER: return (double)(lesser + 1) / (double)(lesser + distance + 1);
    case KMS: return pow(p.argument, (double)distance);
    case FIEDLER: return (double)distance;
    case MOLER: return (double)(i == j ? i + 1 : lesser - 1);
    case PARTER: return 1 / ((double)(i - j) + 0.5);
    case CAUCHY: return 1 / (double)(i + j + 2);
    case PEI: return i == j ? 1 + p.argument : 1;
    case CIRCUL: return (double)(j - i + (j < i ? p.size : 0) + 1);
    case ORTHOG: return sqrt(2 / n) * sin((double)(i + 1) * (double)(j + 1) * pi / n);  /* vectors of the second difference */
    case GFPP: return j == p.last ? 1 : i > j ? -1 : i == j ? 0.5 : 0;      /* with partial pivoting the last column grows by 3/2
                                                                               at each step */
    case EXCHANGE: return i + j == p.last;      /* reverses rows or columns */
    }
    return 0;
}

/* ---- the table of kinds ------------------------------------------------------------------------------------------------- */

static const struct generator_kind kinds[] = {
    {.name = "zeros",    .formula = ZEROS},                                     /* 0 */
    {.name = "ones",     .formula = ONES},                                      /* 1 */
    {.name = "identity", .formula = IDENTITY},                                  /* i == j */
    {.name = "ij",       .formula = IJ, .sized = true},                         /* i + j / 10^k, 10^k >= max(m,n); from 0 */
    {.name = "minij",    .formula = MINIJ},                                     /* min(i,j), from 1; SPD */
    {.name = "hilb",     .formula = HILB},                                      /* 1 / (i + j - 1), from 1; SPD */
    {.name = "lehmer",   .formula = LEHMER},                                    /* min(i,j) / max(i,j), from 1; SPD */
    {.name = "kms",      .formula = KMS, .argument = "rho", .usual = 0.5},      /* rho^|i-j|; SPD for 0 < |rho| < 1 */
    {.name = "fiedler",  .formula = FIEDLER},                                   /* |i - j| */
    {.name = "moler",    .formula = MOLER},                                     /* i if i == j, min(i,j) - 2, from 1; SPD */
    {.name = "parter",   .formula = PARTER},                                    /* 1 / (i - j + 0.5) */
    {.name = "cauchy",   .formula = CAUCHY},                                    /* 1 / (i + j), from 1; SPD */
    {.name = "pei",      .formula = PEI, .argument = "alpha", .usual = 1},      /* 1 + alpha if i == j, 1; SPD for alpha > 0 */
    {.name = "circul",   .formula = CIRCUL, .sized = true},                     /* (j - i) mod max(m,n) + 1 */
    {.name = "gfpp",     .formula = GFPP, .sized = true}, /* last column 1, else 1/2 on the diagonal, -1 below */
    {.name = "orthog",   .formula = ORTHOG, .sized = true},                 /* sqrt(2 / (n+1)) sin(i j pi / (n+1)), from 1 */
    {.name = "exchange", .formula = EXCHANGE, .sized = true},                   /* i + j == n - 1 */
    {.name = "kkt",   .family = SADDLE, .argument = "m", .usual = NAN},         /* [H C^H; C 0], m rows of C; usually n / 5 */
    {.name = "rand",  .family = RANDOM, .distribution = UNIFORM,   .low = 0,  .high = 1, .dominance = 1},   /* in (0, 1) */
    {.name = "rands", .family = RANDOM, .distribution = UNIFORM,   .low = -1, .high = 1, .dominance = 1},   /* in (-1, 1) */
    {.name = "randn", .family = RANDOM, .distribution = NORMAL,                          .dominance = 9},   /* |x| < 8.6 */
    {.name = "randb", .family = RANDOM, .distribution = TWO_POINT, .low = 0,  .high = 1, .dominance = 1},   /* 0 or 1 */
    {.name = "randr", .family = RANDOM, .distribution = TWO_POINT, .low = -1, .high = 1, .dominance = 2},   /* -1 or 1 */
    {.name = "diag",  .family = SPECTRUM, .form = SPECTRUM_DIAG, .argument = "cond", .usual = 1000},        /* S */
    {.name = "svd",   .family = SPECTRUM, .form = SPECTRUM_SVD,  .argument = "cond", .usual = 1000},        /* U S V^H */
    {.name = "poev",  .family = SPECTRUM, .form = SPECTRUM_POEV, .argument = "cond", .usual = 1000},        /* V S V^H; SPD */
    {.name = "spd",   .family = SPECTRUM, .form = SPECTRUM_POEV, .argument = "cond", .usual = 1000},        /* V S V^H; SPD */
    {.name = "sqexp",    .family = KERNEL, .kernel = KERNEL_SQEXP,    .argument = "LENGTH"},     /* kernel.h; SPD, */
    {.name = "matern12", .family = KERNEL, .kernel = KERNEL_MATERN12, .argument = "LENGTH"},     /* where no two points */
    {.name = "matern32", .family = KERNEL, .kernel = KERNEL_MATERN32, .argument = "LENGTH"},     /* are one */
    {.name = "matern52", .family = KERNEL, .kernel = KERNEL_MATERN52, .argument = "LENGTH"},
    {.name = "invdist",  .family = KERNEL, .kernel = KERNEL_INVDIST,  .argument = "LENGTH"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Suffixes, each after an underscore. */
enum suffix_use { DOMINANT, SCALING, VALUES, REVERSED_VALUES, AVERAGED };
static const struct suffix {
    const char *name;
    enum suffix_use use;
    int value;
} suffixes[] = {
    {"dominant", DOMINANT, 1},
    {"ufl", SCALING, -2}, {"ofl", SCALING, 2}, {"small", SCALING, -1}, {"large", SCALING, 1},
    {"logrand", VALUES, SPECTRUM_LOGRAND}, {"arith", VALUES, SPECTRUM_ARITH}, {"geo", VALUES, SPECTRUM_GEO},
    {"cluster0", VALUES, SPECTRUM_CLUSTER0}, {"cluster1", VALUES, SPECTRUM_CLUSTER1},
    {"rarith", REVERSED_VALUES, SPECTRUM_ARITH}, {"rgeo", REVERSED_VALUES, SPECTRUM_GEO},
    {"rcluster0", REVERSED_VALUES, SPECTRUM_CLUSTER0}, {"rcluster1", REVERSED_VALUES, SPECTRUM_CLUSTER1},
    {"sym", AVERAGED, 1},
};
static const char zero_column[] = "zerocol";        /* a number follows */

enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

void generate_kinds(char list[IO_TEXT])
{
    size_t at = 0;
    list[0] = '\0';
    for (int k = 0; k < KINDS && at < IO_TEXT; k++) {
        const bool wanted = kinds[k].family == KERNEL;
        const char *argument = kinds[k].argument;
        at += (size_t)snprintf(list + at, IO_TEXT - at, "%s%s%s%s%s", k > 0 ? " " : "", kinds[k].name,
                               wanted ? ":" : argument ? "[:" : "", argument ? argument : "", argument && !wanted ? "]" : "");
    }
}

void generate_suffixes(char list[IO_TEXT])
{
    size_t at = 0;
    list[0] = '\0';
    for (int k = 0; k < SUFFIXES && at < IO_TEXT; k++)
        at += (size_t)snprintf(list + at, IO_TEXT - at, "_%s ", suffixes[k].name);
    if (at < IO_TEXT)
        snprintf(list + at, IO_TEXT - at, "_%sN", zero_column);
}

/* ---- parsing ------------------------------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3)))
static int decline(char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(text, IO_TEXT, format, list);
    va_end(list);
    return 1;
}

static bool is(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

static const struct generator_kind *find_kind(const char *name, size_t length)
{
    for (int k = 0; k < KINDS; k++)
        if (is(name, length, kinds[k].name))
            return &kinds[k];
    return NULL;
}

/* Parses a column number from 0, or a number with a decimal point: the fraction of the way from the first column to the last. */
static int parse_zero_column(const char *word, size_t length, struct generator *g, char *text)
{
    char number[24] = "";
    if (length > 0 && length < sizeof number)
        memcpy(number, word, length);
    const bool fraction = strchr(number, '.') != NULL;
    char *end;
    const double x = c_locale_real(number, &end);
    if (!number[0] || *end || number[strspn(number, "0123456789.")] || (fraction && x > 1) || (!fraction && x >= (double)g->n))
        return decline(text, "matrix kind '%s_%s%.*s': a column from 0 to n - 1 = %" PRId64 ", or a fraction from 0.0 to 1.0",
                      g->kind->name, zero_column, length < 24 ? (int)length : 24, word, g->n - 1);
    g->zero = (int64_t)(fraction ? x * (double)(g->n - 1) : x);
    return 0;
}

static int parse_suffix(const char *word, size_t length, struct generator *g, char *text)
{
    static const enum matrix_family family[] = {
        [DOMINANT] = RANDOM, [VALUES] = SPECTRUM, [REVERSED_VALUES] = SPECTRUM, [SCALING] = FORMULA,
        [AVERAGED] = FORMULA,
    };
    static const char *const only[] = { [RANDOM] = "random kinds", [SPECTRUM] = "diag, svd, poev and spd", [FORMULA] = "all" };
    const size_t head = sizeof zero_column - 1;
    if (length > head && strncmp(word, zero_column, head) == 0)
        return parse_zero_column(word + head, length - head, g, text);
    const struct suffix *s = suffixes;
    while (s < suffixes + SUFFIXES && !is(word, length, s->name))
        s++;
    if (s == suffixes + SUFFIXES) {
        char list[IO_TEXT];
        generate_suffixes(list);
        return decline(text, "matrix kind '%s' with '_%.*s' is unknown; known: %s", g->kind->name,
                      length < 20 ? (int)length : 20, word, list);
    }
    if (family[s->use] != FORMULA && g->kind->family != family[s->use])
        return decline(text, "matrix kind '%s' has no form '_%s'; only %s have", g->kind->name, s->name, only[family[s->use]]);
    if (s->use == DOMINANT)
        g->dominant = true;
    else if (s->use == SCALING)
        g->scaling = s->value;
    else if (s->use == AVERAGED)
        g->averaged = true;
    else {
        g->spectrum.distribution = (enum spectrum_distribution)s->value;
        g->spectrum.reversed = s->use == REVERSED_VALUES;
    }
    return 0;
}

/* Parses LENGTH[,NUGGET]. */
static int parse_kernel(const char *argument, struct generator *g, char *text)
{
    char *end;
    g->kernel = (struct kernel){ .form = g->kind->kernel, .length = c_locale_real(argument, &end) };
    if (end == argument || (*end && *end != ',') || !(g->kernel.length > 0) || !isfinite(1 / g->kernel.length) ||
        !isfinite(g->kernel.length))
        return decline(text, "matrix kind '%s': write %s:LENGTH[,NUGGET], LENGTH a positive number, not '%.40s'", g->kind->name,
                       g->kind->name, argument);
    if (!*end)
        return 0;
    const char *nugget = end + 1;
    g->kernel.nugget = c_locale_real(nugget, &end);
    if (end == nugget || *end || !(g->kernel.nugget >= 0) || !isfinite(g->kernel.nugget))
        return decline(text, "matrix kind '%s': the nugget behind the length is a number from 0 up, not '%.40s'", g->kind->name,
                       nugget);
    return 0;
}

/* Parses the number of constraints. More than n/2 rows of zeros and constraints make any such matrix singular. */
static int parse_constraints(struct generator *g, char *text)
{
    if (isnan(g->argument))
        g->argument = (double)(g->n / 5);
    if (g->argument < 0 || g->argument > (double)(g->n / 2) || g->argument != floor(g->argument))
        return decline(text, "matrix kind '%s': m is a number of constraints from 0 to n/2 = %" PRId64 ", not %g", g->kind->name,
                       g->n / 2, g->argument);
    return 0;
}

/* Parses a number, or NAME=number. */
static int parse_argument(const char *argument, struct generator *g, char *text)
{
    const char *name = g->kind->argument;
    char *end;
    if (!name)
        return decline(text, "matrix kind '%s' takes no argument, but ':%.40s' follows", g->kind->name, argument);
    const size_t length = strlen(name);
    const char *number = strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : argument;
    g->argument = c_locale_real(number, &end);
    if (end == number || *end || !isfinite(g->argument))
        return decline(text, "matrix kind '%s': %s is a number, not '%.40s'", g->kind->name, name, argument);
    if (g->kind->family == SPECTRUM && g->argument < 1)
        return decline(text, "matrix kind '%s': %s is 1 or more, not %g", g->kind->name, name, g->argument);
    return 0;
}

bool generate_wants_points(const struct generator *g)
{
    return g->kind->family == KERNEL;
}

bool generate_is_nested(const struct generator *g)
{
    const struct generator_kind *kind = g->kind;
    const bool plain = kind->family == KERNEL || (kind->family == RANDOM && !g->dominant) ||
                       (kind->family == FORMULA && !kind->sized);
    return plain && g->zero < 0;
}

void generate_on(struct generator *g, const struct points *points)
{
    g->kernel.points = *points;
}

int generate_parse(const char *spec, enum generate_symmetry symmetry, int64_t m, int64_t n, uint64_t seed, struct generator *g,
                   char text[IO_TEXT])
{
    const char *at = spec + strcspn(spec, "_:");
    const struct generator_kind *kind = find_kind(spec, (size_t)(at - spec));
    if (!kind) {
        char list[IO_TEXT];
        generate_kinds(list);
        return decline(text, "matrix kind '%.20s' is unknown; known: %s", spec, list);
    }
    if (symmetry != GENERATE_GENERAL && m != n)
        return decline(text, "a symmetric matrix is square, not %" PRId64 " x %" PRId64, m, n);
    if ((kind->form == SPECTRUM_POEV || kind->family == KERNEL || kind->family == SADDLE) && m != n)
        return decline(text, "matrix kind '%s' is square, not %" PRId64 " x %" PRId64, kind->name, m, n);
    if (kind->family == SADDLE && symmetry == GENERATE_GENERAL)
        symmetry = GENERATE_HERMITIAN;
    *g = (struct generator){ .kind = kind, .symmetry = symmetry, .m = m, .n = n, .seed = seed, .argument = kind->usual,
                             .zero = -1 };
    while (*at == '_') {
        const char *word = at + 1;
        at = word + strcspn(word, "_:");
        if (parse_suffix(word, (size_t)(at - word), g, text) != 0)
            return 1;
    }
    if (g->averaged && m != n)
        return decline(text, "matrix kind '%s' with '_sym' is square, not %" PRId64 " x %" PRId64, kind->name, m, n);
    if (kind->family == KERNEL)
        return parse_kernel(*at ? at + 1 : "", g, text);
    if (*at && parse_argument(at + 1, g, text) != 0)
        return 1;
    if (kind->family == SADDLE)
        return parse_constraints(g, text);
    if (kind->family == SPECTRUM) {
        g->spectrum.cond = g->argument;
        spectrum_prepare(&g->spectrum, kind->form, m, n, seed);
    }
    return 0;
}
