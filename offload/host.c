/* Backend "host": the host's own kernels on the memory of LLVM's emulated devices, which are addresses of this process. */
#include "offload/backend.h"
#include "omp/kernels/bf16_numbers.h"
#include "omp/kernels/panel.h"
#include "omp/kernels/panel_qr.h"

const struct kernels *kernels_of_host(char type)
{
    const struct precision *precision = precision_of(type);
    return precision == NULL ? NULL : precision->kernels;
}

/* ---- panels, factored by the calling thread -------------------------------------------------------------------------------- */

#define BODY "offload/host_panels_body.h"
#include "omp/kernels/each_precision.h"

static const struct panel_kernels *panels(char type)
{
    switch (type) {
    case 's': return &s_panels;
    case 'd': return &d_panels;
    case 'c': return &c_panels;
    default: return &z_panels;
    }
}

/* ---- bfloat16 -------------------------------------------------------------------------------------------------------------- */

static void widen(size_t count, const void *A, float *B)
{
    for (size_t i = 0; i < count; i++)
        B[i] = bf16_value(((const uint16_t *)A)[i]);
}

static void round_numbers(size_t count, const float *A, void *B)
{
    for (size_t i = 0; i < count; i++)
        ((uint16_t *)B)[i] = (uint16_t)bf16_bits(A[i]);
}

static void changes(size_t count, const double *A, double *sum)
{
    *sum = 0;
    for (size_t i = 0; i < count; i++)
        *sum += bf16_change(A[i]) * bf16_change(A[i]);
}

static const struct bf16_kernels bf16 = { .widen = widen, .round = round_numbers, .changes = changes };

/* ---- opening --------------------------------------------------------------------------------------------------------------- */

int open_host(struct offload *offload, char *text, size_t text_size)
{
    (void)text, (void)text_size;
    use_openmp(offload);
    offload->table.panels = panels;
    offload->table.bf16 = &bf16;
    return 0;
}
