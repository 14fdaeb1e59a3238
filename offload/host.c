/* Backend "host": the host's own kernels on the memory of LLVM's emulated devices, which are addresses of this process. */
#include "offload/backend.h"
#include "omp/kernels/panel.h"
#include "omp/kernels/panel_qr.h"

const struct kernels *kernels_of_host(char type)
{
    const struct precision *precision = precision_of(type);
    return precision == NULL ? NULL : precision->kernels;
}

/* ---- panels, by the calling thread ----------------------------------------------------------------------------------------- */

static int getrf(const struct precision *precision, int m, int n, void *A, int lda, int *swap)
{
    atomic_int idle = 0;
    int info = getrf_panel(precision, &idle, m, n, A, lda, swap);
    for (int j = 0; j < m && j < n; j++)
        swap[j]++;
    return info;
}

static void geqrt(const struct precision *precision, int m, int n, void *A, int lda, void *T, int ldt)
{
    atomic_int idle = 0;
    if (geqrt_panel(precision, &idle, m, n, FEW_COLUMNS, A, lda, T, ldt) != 0)
        offload_fail(current.offload, "device %d: no memory for a panel of %d x %d", current.device, m, n);
}

#define PANELS(letter)                                                                                                         \
    static int letter##_getrf(int m, int n, void *A, int lda, int *swap, bool tells)                                           \
    {                                                                                                                          \
        (void)tells;                                                                                                           \
        return getrf(precision_of(#letter[0]), m, n, A, lda, swap);                                                            \
    }                                                                                                                          \
    static void letter##_geqrt(int m, int n, void *A, int lda, void *T, int ldt)                                               \
    {                                                                                                                          \
        geqrt(precision_of(#letter[0]), m, n, A, lda, T, ldt);                                                                 \
    }                                                                                                                          \
    static const struct panel_kernels letter##_panels = { .getrf = letter##_getrf, .geqrt = letter##_geqrt };

PANELS(s)
PANELS(d)
PANELS(c)
PANELS(z)

static const struct panel_kernels *panels(char type)
{
    switch (type) {
    case 's': return &s_panels;
    case 'd': return &d_panels;
    case 'c': return &c_panels;
    default: return &z_panels;
    }
}

/* ---------------------------------------------------------------------------------------------------------------------------- */

int open_host(struct offload *offload, char *text, size_t text_size)
{
    (void)text, (void)text_size;
    use_openmp(offload);
    offload->table.panels = panels;
    return 0;
}
