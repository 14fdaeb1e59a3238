/* Begins and ends a part of the code that writes or reads numbers with a decimal point, whatever the program's locale is. */
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

/* Switches this thread to the C locale. It does nothing where the locale already has a decimal point, a cheap test, or where
   there is no memory. */
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

/* strtod() in the C locale. */
static inline double c_locale_real(const char *text, char **end)
{
    struct c_locale l = c_locale_begin();
    double value = strtod(text, end);
    c_locale_end(l);
    return value;
}

#endif
