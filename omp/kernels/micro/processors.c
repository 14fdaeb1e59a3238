#include "omp/kernels/micro/processors.h"

enum vectors vectors(void)
{
#if defined __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4"))
        return VECTORS_WIDE;
    if (__builtin_cpu_supports("x86-64-v3"))
        return VECTORS_MIDDLE;
#endif
    return VECTORS_PLAIN;
}

/* The packed kernels that this processor can run, the fastest first. Returns their number. */
static int find(const struct packed_kernels *const *found[])
{
    int count = 0;
#if defined __x86_64__
    if (vectors() == VECTORS_WIDE)
        found[count++] = packed_avx512;
    if (vectors() <= VECTORS_MIDDLE)
        found[count++] = packed_avx2;
#elif defined __aarch64__
    found[count++] = packed_neon;
#endif
    found[count++] = packed_generic;
    return count;
}

const struct packed_kernels *packed_kernels_number(int i, char type)
{
    const struct packed_kernels *const *found[3];
    return i < find(found) ? found[i][type_index(type)] : NULL;
}

const struct packed_kernels *packed_kernels_of(char type)
{
    return packed_kernels_number(0, type);
}
