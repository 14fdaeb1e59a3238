/* Numbers in files and options have a point in them, whatever the program's language is: around what writes or reads them. */
#ifndef OMPFACT_IO_C_LOCALE_H
#define OMPFACT_IO_C_LOCALE_H

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct c_locale {
    locale_t c, before;
};

/* Of this thread alone. Without memory it stays as it was; and where there is a point already, which is quickly seen. */
static inline struct c_locale c_locale_begin(void)
{
    bool has_point = strcmp(nl_langinfo(RADIXCHAR), ".") == 0;
    struct c_locale l = { .c = has_point ? (locale_t)0 : newlocale(LC_ALL_MASK, "C", (locale_t)0) };
    l.before = l.c == (locale_t)0 ? (locale_t)0 : uselocale(l.c);
    return l;
}

static inline void c_locale_end(struct c_locale l)
{
    if (l.c == (locale_t)0)
        return;
    uselocale(l.before);
    freelocale(l.c);
}

/* strtod() so. */
static inline double c_locale_real(const char *text, char **end)
{
    struct c_locale l = c_locale_begin();
    double value = strtod(text, end);
    c_locale_end(l);
    return value;
}

#endif
