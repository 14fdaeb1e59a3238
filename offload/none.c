/* Replaces all other files in a build without devices (configure --disable-offload, or a compiler without support). */
#include "offload/offload.h"

#include "config.h"

#include <stdio.h>

int offload_open(const struct offload_request *request, struct devices **devices, char *text, size_t text_size)
{
    *devices = NULL;
    if (request->devices == 0 || request->devices == -1)
        return 0;
    snprintf(text, text_size, "%d device%s requested (backend \"%.20s\"), but this build has none: %s", request->devices,
             request->devices == 1 ? " was" : "s were", request->backend != NULL ? request->backend : "auto", OFFLOAD_WHY_NOT);
    return 1;
}

void offload_close(struct devices **devices)
{
    *devices = NULL;
}
