/* The first failure of any device of a rank. */
#include "offload/backend.h"

#include <stdarg.h>
#include <stdio.h>

void offload_fail(struct offload *offload, const char *format, ...)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&offload->failed, &none, 1))
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(offload->text, sizeof offload->text, format, arguments);
    va_end(arguments);
    atomic_store(&offload->failed, 2);
}

const char *offload_failure(struct devices *devices)
{
    struct offload *o = offload_of(devices);
    return atomic_load(&o->failed) == 2 ? o->text : NULL;
}
