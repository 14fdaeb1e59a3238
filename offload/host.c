/* Backend "host": the host's own kernels on the memory of LLVM's emulated devices, which are addresses of this process. */
#include "offload/backend.h"

const struct kernels *kernels_of_host(char type)
{
    const struct precision *precision = precision_of(type);
    return precision == NULL ? NULL : precision->kernels;
}

int open_host(struct offload *offload, char *text, size_t text_size)
{
    (void)text, (void)text_size;
    use_openmp(offload);
    return 0;
}
