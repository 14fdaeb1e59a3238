/* Backend "host": the host's own kernels on the memory of LLVM's emulated devices, which are addresses of this process. */
#include "offload/backend.h"

static const struct kernels *kernels_of(char type)
{
    const struct precision *precision = precision_of(type);
    return precision == NULL ? NULL : precision->kernels;
}

int open_host(struct offload *offload, char *text, size_t text_size)
{
    (void)text, (void)text_size;
    use_openmp(offload);
    offload->table.backend = "host";
    offload->table.kernels = kernels_of;
    return 0;
}
