/* Backend "portable": OpenMP target regions on memory of OpenMP. */
#include "offload/backend.h"
#include "offload/cuda_library.h"
#include "offload/regions.h"

/* OpenMP has no such function. NVIDIA's driver has one, for the device that this thread used last. */
static size_t memory(struct devices *devices, int device)
{
    void *data = devices->allocate(devices, device, 1);
    size_t bytes = data == NULL ? 0 : cuda_driver_memory();
    devices->release(devices, device, data);
    return share_of_memory(offload_of(devices), bytes);
}

int open_portable(struct offload *offload, char *text, size_t text_size)
{
    (void)text, (void)text_size;
    use_openmp(offload);
    offload->table.bf16 = &portable_bf16;
    if (offload->kind != DEVICE_EMULATED)
        offload->table.memory = memory;
    return 0;
}
