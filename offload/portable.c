/* What target regions of the backend "portable" need of the host. */
#include "offload/portable.h"
#include "offload/backend.h"

int portable_begin(void)
{
    return atomic_load(&current.offload->failed) ? -1 : physical_of(current.offload, current.device);
}

bool portable_end(void)
{
    if (runtime_region_failed())
        offload_fail(current.offload, "device %d: a kernel did not run", current.device);
    return atomic_load(&current.offload->failed);
}

void *portable_scratch(int device, size_t bytes)
{
    void *data = openmp()->target_alloc(bytes, device);
    if (data == NULL)
        offload_fail(current.offload, "device %d: no memory left for the %zu bytes that a kernel works with", current.device,
                     bytes);
    return data;
}

void portable_free(int device, void *data)
{
    openmp()->target_free(data, device);
}

int *portable_lists(int device, int count, const int *from, const int *to)
{
    size_t bytes = (size_t)count * sizeof(int);
    int *lists = portable_scratch(device, 2 * bytes), host = openmp()->get_initial_device(), failed = 0;
    if (lists != NULL && from != NULL)
        failed |= openmp()->target_memcpy(lists, from, bytes, 0, 0, device, host);
    if (lists != NULL && to != NULL)
        failed |= openmp()->target_memcpy(lists, to, bytes, bytes, 0, device, host);
    if (failed)
        copy_failed(bytes, "to");
    return lists;
}
