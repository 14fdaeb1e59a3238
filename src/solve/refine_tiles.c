/* What all methods of refinement do with tiles: copies in another precision, scaled columns, solves with the factors. */
#include "src/solve/refine.h"

#include <math.h>
#include <string.h>

struct origin {
    const ompfact_matrix *from;
    _Atomic bool lost;              /* a number that is too large, or is none */
};

static void convert_tile(void *context, const ompfact_tile *to)
{
    struct origin *o = context;
    const ompfact_matrix *A = o->from;
    ompfact_tile from;
    if (is_unused(A, to->i, to->j))
        return;
    matrix_view(A, to->i, to->j, &from);
    if (A->precision->host->convert(part_used(A, to->i, to->j), to->mb, to->nb, from.data, from.ld, to->data, to->ld) != 0)
        o->lost = true;
}

static void copy_tile(void *context, const ompfact_tile *to)
{
    const struct origin *o = context;
    ompfact_tile from;
    matrix_view(o->from, to->i, to->j, &from);
    memcpy(to->data, from.data, (size_t)to->ld * (size_t)to->nb * o->from->precision->size);
}

/* By all threads. */
ompfact_status copy_tiles(ompfact_matrix *from, ompfact_matrix *to, bool *fits)
{
    struct origin o = { .from = from };
    TRY(agree(to->grid, ompfact_fill_tiles(to, from->precision == to->precision ? copy_tile : convert_tile, &o)));
    int lost = o.lost;
    if (fits == NULL)
        return OMPFACT_SUCCESS;
    TRY_MPI(to->grid, rma_allreduce(to->grid->rma, &lost, 1, MPI_INT, MPI_MAX));
    *fits = !lost;
    return OMPFACT_SUCCESS;
}

/* A power of two: nothing is rounded. LAPACK does not scale, and finds more numbers too large. */
double size_of_residual(const struct refinement *f, int64_t j)
{
    double size = fmax(f->sizes[j], f->A->precision->smallest);
    return f->way == OMPFACT_REFINE_CLASSIC ? 1 : ldexp(1, ilogb(size));
}

char *column_of(const struct refinement *f, const ompfact_tile *t, int c)
{
    return (char *)t->data + f->A->precision->size * (size_t)c * (size_t)t->ld;
}

void scale_column(const struct refinement *f, const ompfact_tile *t, int c, double by)
{
    const struct precision *p = f->A->precision;
    char *x = column_of(f, t, c);
    for (int i = 0; i < t->mb; i++, x += p->size) {
        double re, im;
        p->get(x, &re, &im);
        p->set(x, by * re, by * im);
    }
}

ompfact_status add_up_shares(const ompfact_matrix *A, const char *arrays, int shares, int64_t stride, int64_t length,
                             double *totals)
{
    for (int64_t i = 0; i < length; i++) {
        totals[2 * i] = totals[2 * i + 1] = 0;
        for (int share = 0; share < shares; share++) {
            double re, im;
            A->precision->get(arrays + A->precision->size * (size_t)(share * stride + i), &re, &im);
            totals[2 * i] += re;
            totals[2 * i + 1] += im;
        }
    }
    return reduce_over_ranks(A->grid, totals, 2 * length, MPI_SUM);
}

ompfact_status precondition(struct refinement *f, ompfact_matrix *W, ompfact_matrix *Y, bool *fits)
{
    TRY(copy_tiles(W, Y, fits));
    if (!*fits)
        return OMPFACT_SUCCESS;
    TRY(f->method->solve(f->F, Y));
    report_add(&f->solved, &Y->report);
    return copy_tiles(Y, W, NULL);
}
