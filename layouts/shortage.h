/*
 * Whether memory has run short on this thread since shortage_begin(): malloc says so in errno (POSIX). A search leaves out what
 * it has no memory for, and may then end with another layout than on other ranks; who asked is told that there was no memory.
 */
#ifndef OMPFACT_LAYOUTS_SHORTAGE_H
#define OMPFACT_LAYOUTS_SHORTAGE_H

#include <errno.h>
#include <stdbool.h>

/* Returns what shortage_end() wants. One search may be part of another. */
static inline int shortage_begin(void)
{
    int before = errno;
    errno = 0;
    return before;
}

static inline bool shortage_end(int before)
{
    bool any = errno == ENOMEM;
    if (!any)
        errno = before;
    return any;
}

#endif
