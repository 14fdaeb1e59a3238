/* Copies block-cyclic arrays and vectors to matrices and back. */
#include "src/scalapack/call.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- matrices ----------------------------------------------------------------------------------------------------------- */

static ompfact_scalapack place_of(const struct call *c, enum word array)
{
    const struct process_grid *p = c->processes;
    return (ompfact_scalapack){ .desc = desc_of(c, array), .nprow = p->nprow, .npcol = p->npcol, .rank = p->rank,
                                .ia = first_row_of(c, array), .ja = first_col_of(c, array) };
}

static ompfact_status copy_in(struct call *c, enum word array, ompfact_matrix *A)
{
    ompfact_scalapack place = place_of(c, array);
    double start = MPI_Wtime();
    ompfact_status status = ompfact_from_scalapack(A, &place, c->of[array]);
    c->copying += MPI_Wtime() - start;
    return status;
}

ompfact_status give_back(struct call *c, enum word array, ompfact_matrix *A)
{
    ompfact_scalapack place = place_of(c, array);
    double start = MPI_Wtime();
    ompfact_status status = ompfact_to_scalapack(A, &place, c->of[array]);
    c->copying += MPI_Wtime() - start;
    c->written |= status <= OMPFACT_SUCCESS;
    return status;
}

ompfact_status take_B(struct call *c, const char *layout)
{
    ompfact_shape shape = { .m = rows_of(c, ARRAY_B), .n = cols_of(c, ARRAY_B), .type = c->type,
                            .nb = ompfact_tile_height(c->A), .layout = layout };
    TRY(ompfact_matrix_create(c->processes->grid, &shape, &c->B));
    return copy_in(c, ARRAY_B, c->B);
}

ompfact_status take_rhs(struct call *c, ompfact_matrix *A)
{
    TRY(ompfact_matrix_create_rhs(A, cols_of(c, ARRAY_B), &c->B));
    return copy_in(c, ARRAY_B, c->B);
}

ompfact_status take_triangle(struct call *c, ompfact_purpose purpose)
{
    bool upper = letter_of(c, UPLO) == 'U';
    return take_A(c, (ompfact_shape){ .structure = upper ? OMPFACT_HERMITIAN_UPPER : OMPFACT_HERMITIAN_LOWER,
                                      .purpose = purpose });
}

/* ---- a matrix for several calls ----------------------------------------------------------------------------------------- */

/* A layout is named or not; a name is the same for all calls of a grid. */
static bool is_like_kept(const struct process_grid *p, const ompfact_shape *b)
{
    const ompfact_shape *a = &p->shape;
    return p->kept != NULL && a->m == b->m && a->n == b->n && a->type == b->type && a->structure == b->structure &&
           a->purpose == b->purpose && p->has_layout == (b->layout != NULL);
}

ompfact_status take_A(struct call *c, ompfact_shape shape)
{
    struct process_grid *p = c->processes;
    shape.m = rows_of(c, ARRAY_A);
    shape.n = c->of[K] != NULL ? number_of(c, K) : cols_of(c, ARRAY_A);
    shape.type = c->type;
    c->shape = shape;
    c->shape.layout = NULL;
    c->has_layout = shape.layout != NULL;
    if (is_like_kept(p, &shape)) {
        c->A = p->kept;
        p->kept = NULL;
    } else {
        ompfact_matrix_destroy(&p->kept);
        TRY(ompfact_matrix_create(p->grid, &shape, &c->A));
    }
    return copy_in(c, ARRAY_A, c->A);
}

/* Whether all such matrices of a node take a small part of its free memory, on every node. Collective if the matrix is not
   small. */
static bool is_memory_plenty(const struct call *c)
{
    enum { PART = 16, SMALL = 1 << 20 };
    const struct process_grid *p = c->processes;
    double bytes = (double)c->shape.m * (double)c->shape.n * (double)element_size(c->type) / (p->nprow * p->npcol);
    if (bytes < SMALL)
        return true;
    double available = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    int plenty = bytes * ompfact_ranks_on_node(p->grid) * PART < available;
    return reduce_over(p, &plenty, 1, MPI_INT, MPI_MIN) == OMPFACT_SUCCESS && plenty;
}

void release_A(struct call *c, ompfact_status status)
{
    struct process_grid *p = c->processes;
    if (status == OMPFACT_SUCCESS && c->A != NULL && is_memory_plenty(c)) {
        p->kept = c->A;
        p->shape = c->shape;
        p->has_layout = c->has_layout;
        c->A = NULL;
    }
    ompfact_matrix_destroy(&c->A);
}

/* ---- vectors ------------------------------------------------------------------------------------------------------------ */

struct cyclic cyclic_rows(const struct call *c, enum word array)
{
    const int *desc = desc_of(c, array);
    const struct process_grid *p = c->processes;
    return (struct cyclic){ first_row_of(c, array) - 1, desc[MB_], desc[RSRC_], p ? p->nprow : 0, p ? p->myrow : 0 };
}

struct cyclic cyclic_cols(const struct call *c, enum word array)
{
    const int *desc = desc_of(c, array);
    const struct process_grid *p = c->processes;
    return (struct cyclic){ first_col_of(c, array) - 1, desc[NB_], desc[CSRC_], p ? p->npcol : 0, p ? p->mycol : 0 };
}

/* The local index of element i of the sub-matrix's dimension; -1: another process has it. */
static int64_t local_of(const struct cyclic *d, int64_t i)
{
    int64_t place = d->before + i, block = place / d->block;
    bool mine = (block + d->source) % d->processes == d->me;
    return mine ? block / d->processes * d->block + place % d->block : -1;
}

int local_count(int count, int block, int me, int source, int processes)
{
    struct cyclic d = { 0, block, source, processes, me };
    int mine = 0;
    for (int64_t first = 0; first < count; first += block)
        if (local_of(&d, first) >= 0)
            mine += count - first < block ? (int)(count - first) : block;
    return mine;
}

ompfact_status ipiv_in(const struct call *c, int64_t count, int64_t *ipiv)
{
    struct cyclic rows = cyclic_rows(c, ARRAY_A);
    const int *theirs = c->of[IPIV];
    for (int64_t i = 0; i < count; i++) {
        int64_t local = local_of(&rows, i);
        ipiv[i] = local >= 0 ? theirs[local] - rows.before : 0;
    }
    return reduce_over(c->processes, ipiv, (int)count, MPI_INT64_T, MPI_MAX);
}

void ipiv_out(const struct call *c, int64_t count, const int64_t *ipiv)
{
    struct cyclic rows = cyclic_rows(c, ARRAY_A);
    int *theirs = c->of[IPIV];
    for (int64_t i = 0; i < count; i++) {
        int64_t local = local_of(&rows, i);
        if (local >= 0)
            theirs[local] = (int)(ipiv[i] + rows.before);
    }
}

ompfact_status make_vector(struct call *c, int64_t count, size_t bytes)
{
    c->vector = malloc((size_t)count * bytes + 1);
    int made = c->vector != NULL;
    TRY(reduce_over(c->processes, &made, 1, MPI_INT, MPI_MIN));
    return made ? OMPFACT_SUCCESS : OMPFACT_NO_MEMORY;
}

/* All process rows have the same data, so the first one's counts. The bytes of the others are 0. */
ompfact_status tau_in(const struct call *c, int64_t count, void *tau)
{
    struct cyclic cols = cyclic_cols(c, ARRAY_A);
    size_t bytes = element_size(c->type);
    memset(tau, 0, (size_t)count * bytes);
    for (int64_t j = 0; j < count && c->processes->myrow == 0; j++) {
        int64_t local = local_of(&cols, j);
        if (local >= 0)
            memcpy((char *)tau + (size_t)j * bytes, (const char *)c->of[TAU] + (size_t)local * bytes, bytes);
    }
    return reduce_over(c->processes, tau, (int)(count * (int64_t)bytes / 4), MPI_UINT32_T, MPI_BOR);
}

void tau_out(const struct call *c, int64_t count, const void *tau)
{
    struct cyclic cols = cyclic_cols(c, ARRAY_A);
    size_t bytes = element_size(c->type);
    for (int64_t j = 0; j < count; j++) {
        int64_t local = local_of(&cols, j);
        if (local >= 0)
            memcpy((char *)c->of[TAU] + (size_t)local * bytes, (const char *)tau + (size_t)j * bytes, bytes);
    }
}
