#include "offload/regions.h"

#include <omp.h>

/* The images differ in what the compiler says of itself. */
enum device_kind region_kind(int device)
{
    int kind = DEVICE_NONE;
    #pragma omp target device(device) map(tofrom : kind)
    {
        if (!omp_is_initial_device())
#if defined __NVPTX__
            kind = DEVICE_NVIDIA;
#elif defined __AMDGCN__ || defined __SPIRV__
            kind = DEVICE_OTHER;
#else
            kind = DEVICE_EMULATED;
#endif
    }
    return (enum device_kind)kind;
}
