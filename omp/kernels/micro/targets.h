/* The instructions for which loops are compiled: AVX-512, or AVX2 and FMA. vectors() of processors.h selects at run time. (The
   compiler's target_clones selects before sanitizers have started, and crashes with them.) */
#ifndef OMPFACT_OMP_KERNELS_MICRO_TARGETS_H
#define OMPFACT_OMP_KERNELS_MICRO_TARGETS_H

#if defined __x86_64__
/* Without a width the compiler uses halves of vectors, at half the rate. */
#define TARGET_WIDE __attribute__((target("arch=x86-64-v4"), min_vector_width(512)))
#define TARGET_MIDDLE __attribute__((target("arch=x86-64-v3")))
#else
#define TARGET_WIDE
#define TARGET_MIDDLE
#endif

#define INLINED static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")

#endif
