/*
 * Selection of BLIS's kernels on processors that BLIS does not know. BLIS 0.9 selects kernels by the processor's family and
 * model. On a newer processor, or on one that a virtual machine hides, it uses kernels for AVX2 or even plain C (measured:
 * DGEMM at 18 GFLOP/s where the AVX-512 kernels run at 93). BLIS reads BLIS_ARCH_TYPE, a number of its own list, at its first
 * call.
 */
#include "config.h"
#include "omp/kernels/kernels.h"
#include "omp/kernels/micro/processors.h"

#ifdef HAVE_BLIS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bli_arch_string(int id);
int bli_arch_query_id(void);
void bli_init(void);
const char *bli_info_get_version_str(void);

/* The configuration to use instead of BLIS's own choice; NULL: BLIS's choice. BLIS from 1.0 on knows more processors. */
static const char *better_configuration(void)
{
    if (bli_info_get_version_str()[0] != '0')
        return NULL;
    return vectors() == VECTORS_WIDE ? "skx" : NULL;
}

/* The number of a configuration differs between BLIS's versions. */
static int id_of(const char *name)
{
    for (int id = 0;; id++) {
        const char *known = bli_arch_string(id);
        if (strcmp(known, name) == 0)
            return id;
        if (strcmp(known, "generic") == 0)     /* the last one */
            return -1;
    }
}

const char *blas_select_kernels(void)
{
    const char *best = better_configuration();
    int id = best == NULL ? -1 : id_of(best);
    if (id >= 0 && getenv("BLIS_ARCH_TYPE") == NULL) {
        char text[16];
        snprintf(text, sizeof text, "%d", id);
        setenv("BLIS_ARCH_TYPE", text, 0);
    }
    bli_init();     /* if the variable is set, bli_arch_query_id aborts before bli_init */
    return bli_arch_string(bli_arch_query_id());
}

#else

const char *blas_select_kernels(void)
{
    return "";
}

#endif
