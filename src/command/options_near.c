/* Finds the name that was probably meant. */
#include "src/command/options_parts.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_LENGTH = 31 };

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Insertions, deletions, changes and exchanges of neighbours that turn a into b (optimal string alignment). */
static int distance(const char *a, int na, const char *b, int nb)
{
    int d[NAME_MAX_LENGTH + 1][NAME_MAX_LENGTH + 1];

    for (int i = 0; i <= na; i++)
        d[i][0] = i;
    for (int j = 0; j <= nb; j++)
        d[0][j] = j;
    for (int i = 1; i <= na; i++)
        for (int j = 1; j <= nb; j++) {
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[na][nb];
}

/* The nearest name so far. */
struct near {
    const char *word;
    int length;
    const char *name;
    int distance;
};

/* A name is near if few letters differ, or if the name or the word begins with the other one. `means` is the name to suggest. */
static void consider(struct near *near, const char *name, const char *means)
{
    int length = (int)strlen(name), both = near->length < length ? near->length : length;
    if (near->length > NAME_MAX_LENGTH || length > NAME_MAX_LENGTH || both == 0)
        return;
    int d = distance(near->word, near->length, name, length);
    bool beginning = !strncmp(name, near->word, (size_t)both);
    if (d < near->distance && (beginning || d <= (near->length + 1) / 3)) {
        near->name = means;
        near->distance = d;
    }
}

static struct near near_start(const char *word, size_t length)
{
    int clipped = length > NAME_MAX_LENGTH ? NAME_MAX_LENGTH + 1 : (int)length;
    return (struct near){ .word = word, .length = clipped, .distance = INT_MAX };
}

/* Options and routines by the names that they have in other programs; the last one has no name. */
static const struct elsewhere {
    const char *name, *here;
} others[] = {
    { "n", "dim" }, { "m", "dim" }, { "size", "dim" }, { "order", "dim" },
    { "block", "nb" }, { "blocksize", "nb" }, { "block-size", "nb" }, { "tile", "nb" }, { "tile-size", "nb" },
    { "kind", "matrix" }, { "precision", "type" }, { "dtype", "type" }, { "grid", "layout" }, { "p", "layout" },
    { "nthreads", "threads" }, { "t", "threads" }, { "gpu", "devices" }, { "gpus", "devices" }, { "ngpus", "devices" },
    { "i", "input" }, { "in", "input" }, { "file", "input" }, { "a", "input" }, { "b", "rhs" },
    { "o", "output" }, { "out", "output" }, { "x", "output" }, { "iter", "repeat" }, { "niter", "repeat" },
    { NULL, NULL },
}, other_routines[] = {
    { "chol", "potrf" }, { "cholesky", "potrf" }, { "llt", "potrf" }, { "cho_factor", "potrf" },
    { "lu", "getrf" }, { "plu", "getrf" }, { "lu_factor", "getrf" }, { "gauss", "getrf" },
    { "ldl", "sytrf" }, { "ldlt", "sytrf" }, { "bunch-kaufman", "sytrf" }, { "inertia", "sytrf" },
    { "det", "getrf, whose logdet is in --json" },
    { "qr", "geqrf" },
    { "solve", "gesv, or posv where A is positive definite" }, { "linsolve", "gesv" },
    { "cho_solve", "posv" }, { "lu_solve", "gesv" },
    { "lstsq", "gels" }, { "ls", "gels" }, { "leastsquares", "gels" }, { "least-squares", "gels" },
    { "inv", "getri, or potri where A is positive definite" }, { "inverse", "getri, or potri where A is positive definite" },
    { "solve_triangular", "trsm" }, { "trtrs", "trsm" }, { "hpl", "gesv" }, { "linpack", "gesv" },
    { NULL, NULL },
};

static const char *find_elsewhere(const struct elsewhere *list, const char *name, size_t length)
{
    while (list->name != NULL && (strlen(list->name) != length || strncasecmp(list->name, name, length) != 0))
        list++;
    return list->here;
}

/* Also names of LAPACK and ScaLAPACK, in upper or lower case: "dpotrf", "PZGETRF". */
const char *routine_meant(const char *name)
{
    const char *here = find_elsewhere(other_routines, name, strlen(name));
    name += strlen(name) > 5 && tolower((unsigned char)*name) == 'p' && strchr("sdczSDCZ", name[1]) != NULL;
    name += strlen(name) > 4 && strchr("sdczSDCZ", *name) != NULL;
    for (const ompfact_routine *r = ompfact_routines(); r->name && here == NULL; r++)
        if (strcasecmp(r->name, name) == 0)
            here = r->name;
    return here;
}

const char *option_near(const struct option *options, const char *name, size_t length)
{
    enum { SHORTEST = 3 };      /* length of names from other programs: many words begin with a shorter one */
    const char *here = find_elsewhere(others, name, length);
    if (here != NULL)
        return here;
    struct near near = near_start(name, length);
    for (const struct option *o = options; o->name; o++)
        consider(&near, o->name, o->name);
    for (const struct elsewhere *other = others; other->name != NULL; other++)
        if (strlen(other->name) >= SHORTEST)
            consider(&near, other->name, other->here);
    return near.name;
}

const char *routine_near(const char *name)
{
    struct near near = near_start(name, strlen(name));
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        consider(&near, r->name, r->name);
    return near.name;
}

const char *word_near(const char *name, char *words)
{
    struct near near = near_start(name, strlen(name));
    for (const char *word = strtok(words, "|"); word != NULL; word = strtok(NULL, "|"))
        consider(&near, word, word);
    return near.name;
}
