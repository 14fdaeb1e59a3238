/* Numbers in files and options have a point in them, whatever the program's language is: around what writes or reads them. */
#ifndef OMPFACT_IO_C_LOCALE_H
#define OMPFACT_IO_C_LOCALE_H

#include <locale.h>

struct c_locale {
    locale_t c, before;
};

/* Of this thread alone. Without memory it stays as it was. */
static inline struct c_locale c_locale_begin(void)
{
    struct c_locale l = { .c = newlocale(LC_ALL_MASK, "C", (locale_t)0) };
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

#endif
