/* Compares ranks with each other. */
#include "src/page/cause.h"
#include "src/page/page_parts.h"

#include <math.h>
#include <stdlib.h>

static double median(double *value, int count)
{
    if (count == 0)
        return NAN;
    qsort(value, (size_t)count, sizeof *value, page_by_size);
    return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

/* The measure of its tasks of a kernel: flops, or their number if a trace has no flops. */
static double amount(const struct page_rank *rank, int kernel, bool by_flops)
{
    return by_flops ? rank->flops[kernel] : (double)rank->tasks[kernel];
}

static double median_of_others(const struct page_data *d, int rank, int kernel, bool by_flops, double *scratch)
{
    int count = 0;
    for (int q = 0; q < d->ranks; q++) {
        double much = amount(&d->rank[q], kernel, by_flops);
        if (q != rank && much > 0)
            scratch[count++] = d->rank[q].seconds[kernel] / much;
    }
    return median(scratch, count);
}

double slowness_of(const struct page_data *d, int rank)
{
    double own = 0, others = 0, *scratch = malloc((size_t)d->ranks * sizeof *scratch);
    bool by_flops = false;
    for (int k = 0; k < d->kernels; k++)
        by_flops |= d->kernel[k].flops > 0;
    for (int k = 0; scratch != NULL && k < d->kernels; k++) {
        double much = amount(&d->rank[rank], k, by_flops),
               usual = much > 0 ? median_of_others(d, rank, k, by_flops, scratch) : NAN;
        if (isnan(usual))
            continue;
        own += d->rank[rank].seconds[k];
        others += much * usual;
    }
    free(scratch);
    return others > 0 ? own / others : NAN;
}

double load_of(const struct page_data *d, int rank)
{
    return d->rank[rank].tracks > 0 ? d->rank[rank].busy / d->rank[rank].tracks : 0;
}

double usual_load(const struct page_data *d, int but_of)
{
    double *scratch = malloc((size_t)d->ranks * sizeof *scratch);
    int count = 0;
    for (int q = 0; scratch != NULL && q < d->ranks; q++)
        if (q != but_of)
            scratch[count++] = load_of(d, q);
    double usual = median(scratch, count);
    free(scratch);
    return usual;
}
