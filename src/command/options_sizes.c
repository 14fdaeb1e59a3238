/* Lists of sizes: N, MxN, first:last:step; 4k and 4e3 are 4000. */
#include "src/command/options_parts.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MAX = 10000 };

/* The powers of ten after a number: "k", "M" or "e" and a digit. */
static int take_power(const char **s)
{
    static const char letters[] = "kKmM";
    const char *letter = **s != '\0' ? strchr(letters, **s) : NULL;
    if (letter != NULL) {
        ++*s;
        return letter - letters < 2 ? 3 : 6;
    }
    if ((**s != 'e' && **s != 'E') || !isdigit((unsigned char)(*s)[1]) || isdigit((unsigned char)(*s)[2]))
        return 0;
    *s += 2;
    return (*s)[-1] - '0';
}

static bool take_size_number(const char **s, int64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**s))
        return false;
    errno = 0;
    *value = strtoll(*s, &end, 10);
    int64_t tenths = 0, digits = 0;     /* "1.5k" */
    *s = end;
    if (end[0] == '.' && isdigit((unsigned char)end[1])) {
        for (++*s; isdigit((unsigned char)**s) && digits < 9; ++*s, digits++)
            tenths = 10 * tenths + (**s - '0');
    }
    int64_t power = take_power(s);
    if (errno != 0 || power < digits)
        return false;
    for (int64_t i = 0; i < power; i++) {
        if (*value > (INT64_MAX - 9) / 10)
            return false;
        *value *= 10;
    }
    for (int64_t i = digits; i < power; i++)
        tenths *= 10;
    if (*value > INT64_MAX - tenths)
        return false;
    *value += tenths;
    return true;
}

/* Moves *s past a size that the option allows. */
static bool take_size_of(const struct option *option, const char **s, int64_t *value)
{
    return take_size_number(s, value) && *value >= option->min && *value <= option->max;
}

static bool append(struct size_list *sizes, int64_t m, int64_t n)
{
    if (sizes->count == SIZES_MAX)
        return false;
    sizes->item[sizes->count++] = (struct problem_size){ m, n };
    return true;
}

/* Reads the rest of a:b:step, from its first colon. */
static bool take_range(const struct option *option, const char **s, int64_t first, struct size_list *sizes)
{
    int64_t last, step;
    ++*s;
    if (!take_size_of(option, s, &last) || **s != ':')
        return false;
    ++*s;
    if (!take_size_of(option, s, &step) || step == 0 || first > last)
        return false;
    for (int64_t size = first; size <= last; size += step)
        if (!append(sizes, size, size))
            return false;
    return true;
}

static bool take_size(const struct option *option, const char **s, bool pairs, struct size_list *sizes)
{
    int64_t m, n;
    if (!pairs && strncmp(*s, "auto", 4) == 0) {
        *s += 4;
        return append(sizes, 0, 0);
    }
    if (!take_size_of(option, s, &m))
        return false;
    if (**s == ':')
        return take_range(option, s, m, sizes);
    n = m;
    if (pairs && **s == 'x') {
        ++*s;
        if (!take_size_of(option, s, &n))
            return false;
    }
    return append(sizes, m, n);
}

static int parse_list(const struct option *option, const char *value, bool pairs, struct size_list *sizes, char *text)
{
    const char *s = value;
    sizes->count = 0;
    sizes->item = malloc(SIZES_MAX * sizeof *sizes->item);
    if (!sizes->item)
        return refuse(text, "--%s: out of memory", option->name);

    bool good = take_size(option, &s, pairs, sizes);
    while (good && *s == ',') {
        s++;
        good = take_size(option, &s, pairs, sizes);
    }
    if (!good || *s)
        return refuse(text, "--%s: \"%.64s\" is not a list of %s%s, integers from %" PRId64 " to %" PRId64 ", at most %d in all",
                      option->name, value, pairs ? "N, MxN or " : "NB, ", pairs ? "a:b:step" : "a:b:step or auto", option->min,
                      option->max, SIZES_MAX);
    return 0;
}

int parse_sizes(const struct option *option, const char *value, void *field, char *text)
{
    return parse_list(option, value, true, field, text);
}

int parse_tile_sizes(const struct option *option, const char *value, void *field, char *text)
{
    return parse_list(option, value, false, field, text);
}

int parse_size(const struct option *option, const char *value, void *field, char *text)
{
    const char *s = value;
    int64_t number;
    if (!take_size_of(option, &s, &number) || *s)
        return refuse(text, "--%s: \"%.64s\" is not an integer from %" PRId64 " to %" PRId64, option->name, value, option->min,
                      option->max);
    *(int64_t *)field = number;
    return 0;
}

/* ---- the problems of a sweep ----------------------------------------------------------------------------------------------- */

int64_t options_problem_count(const struct options *o)
{
    return (int64_t)strlen(o->type) * o->dim.count * o->nb.count;
}

void shape_resize(ompfact_shape *shape, int64_t m, int64_t n)
{
    static const int none[1];       /* heights of a matrix with columns, but no rows */
    shape->m = m;
    shape->n = n;
    shape->row_heights = m == 0 && n > 0 ? none : NULL;
}

ompfact_job options_problem(const struct options *o, int64_t index)
{
    ompfact_job job = o->job;
    job.shape.nb = (int)o->nb.item[index % o->nb.count].n;
    index /= o->nb.count;
    const struct problem_size *dim = &o->dim.item[index % o->dim.count];
    job.shape.type = o->type[index / o->dim.count];
    shape_resize(&job.shape, dim->m, dim->n);
    return job;
}
