/* Backend "host": the host's own kernels on the memory of LLVM's emulated devices, which are addresses of this process. */
#include "offload/backend.h"
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

/* ---- opening --------------------------------------------------------------------------------------------------------------- */

int open_host(struct offload *offload, char *text, size_t text_size)
{
    (void)text, (void)text_size;
    use_openmp(offload);
    offload->table.panels = panels;
    return 0;
}
