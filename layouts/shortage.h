/*
 * Whether an allocation has failed on this thread since shortage_begin(): malloc sets errno (POSIX). A search leaves out what
 * it has no memory for, and might then choose another layout than on other ranks; so its caller returns an error for lack of
 * memory.
 */
#ifndef OMPFACT_LAYOUTS_SHORTAGE_H
#define OMPFACT_LAYOUTS_SHORTAGE_H

#include <errno.h>
#include <stdbool.h>

/* Returns the argument of shortage_end(). Searches may be nested. */
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
