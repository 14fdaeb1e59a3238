/* Operands that are no tiles, and the readers of all operands. */
#include "src/factor/beside.h"

#include "src/factor/layer_sums.h"

struct operand beside_operand(const struct beside *kind, const ompfact_matrix *A, int i, int j, int m, int n,
                              struct rma_address address)
{
    struct operand o = { .access = READ, .matrix = kind, .i = i, .j = j, .due = j, .mine = address.rank == A->me, .mb = m,
                         .nb = n,
                         .precision = A->precision, .address = address };
    o.address.what = kind->name;
    if (o.mine && address.space != NULL)
        o.data = (char *)rma_space_base(address.space) + address.disp;
    return o;
}

int others(int *ranks, int count, int owner)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (ranks[i] != owner)
            ranks[kept++] = ranks[i];
    return kept;
}

int job_readers(const void *context, const struct operand *o, int *ranks)
{
    const struct job *job = context;
    if (o->address.what != NULL) {
        const struct beside *kind = o->matrix;
        return kind->readers == NULL ? 0 : kind->readers(job, o, ranks);
    }
    if (job->algorithm == NULL)     /* in a product, tiles are settled, or only their owner reads them */
        return 0;
    if ((ranks[0] = layers_only_reader(job, o)) >= 0)
        return 1;
    if (job->algorithm->readers != NULL)
        return job->algorithm->readers(job, o, ranks);
    return layout_readers(job->A->layout, job->algorithm->layout, o->i, o->j, ranks, job->seen);
}
