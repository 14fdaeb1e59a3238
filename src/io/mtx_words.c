#include "src/io/mtx_words.h"
#include "src/io/c_locale.h"
#include "src/io/io.h"

#include <inttypes.h>
#include <strings.h>

int fail_at(const struct scan *s, const char *format, ...)
{
    char what[IO_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return io_fail(s->text, s->path, "line %" PRId64 ": %s", s->line, what);
}

bool same(struct mtx_word w, const char *name)
{
    return (size_t)w.length == strlen(name) && strncasecmp(w.at, name, (size_t)w.length) == 0;
}

int end_line(struct scan *s)
{
    if (!at_line_end(s)) {
        const struct mtx_word w = take_word(s);
        return fail_at(s, "'%.*s' is too much on this line", shown(w), w.at);
    }
    if (s->at < s->end) {
        s->at++;
        s->line++;
    }
    return 0;
}

int read_integer(struct scan *s, const char *what, int64_t *value)
{
    const struct mtx_word w = take_word(s);
    *value = 0;
    for (int k = 0; k < w.length; k++) {
        const int digit = w.at[k] - '0';
        if (digit < 0 || digit > 9 || *value > (INT64_MAX - digit) / 10)
            return fail_at(s, "'%.*s' is not %s", shown(w), w.at, what);
        *value = *value * 10 + digit;
    }
    return w.length > 0 ? 0 : fail_at(s, "%s is missing", what);
}

/*
 * Converts plain decimals whose digits form an integer up to 2^53: one exact conversion and one rounding (Clinger, "How to Read
 * Floating Point Numbers Accurately", PLDI 1990, section 4). strtod converts all others.
 */
static bool quick_number(struct mtx_word w, double *x)
{
    static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
                                   1e17, 1e18};
    const bool negative = w.length > 0 && *w.at == '-';
    uint64_t digits = 0;
    int count = 0, point = -1;      /* digits so far; those before the decimal point */
    for (int k = negative; k < w.length; k++) {
        if (w.at[k] == '.' && point < 0) {
            point = count;
            continue;
        }
        if (w.at[k] < '0' || w.at[k] > '9' || count == 18)
            return false;
        digits = digits * 10 + (uint64_t)(w.at[k] - '0');
        count++;
    }
    if (count == 0 || digits > (uint64_t)1 << 53)
        return false;
    *x = (double)digits / power[point < 0 ? 0 : count - point];
    *x = negative ? -*x : *x;
    return true;
}

bool number(struct mtx_word w, double *x)
{
    char copy[LONGEST + 1], *end;
    if (quick_number(w, x))
        return true;
    memcpy(copy, w.at, (size_t)w.length);
    copy[w.length] = '\0';
    if (w.length == 0 || strpbrk(copy, "xX(\v\f"))     /* refuses strtod's hexadecimal numbers, nan(...), leading space */
        return false;
    char *exponent = strpbrk(copy, "dD");               /* Fortran's exponent */
    if (exponent)
        *exponent = 'e';
    *x = c_locale_real(copy, &end);
    return end == copy + w.length;
}
