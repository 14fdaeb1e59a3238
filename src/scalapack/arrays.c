/* Copies block-cyclic arrays and vectors to matrices and back. */
#include "src/scalapack/call.h"

#include <string.h>
#include <unistd.h>

/* ---- matrices ----------------------------------------------------------------------------------------------------------- */

static ompfact_scalapack place_of(const struct call *c, enum word array)
{
    const struct process_grid *p = c->processes;
    return (ompfact_scalapack){ .desc = desc_of(c, array), .nprow = p->nprow, .npcol = p->npcol, .rank = p->rank,
                                .ia = first_row_of(c, array), .ja = first_col_of(c, array) };
}

ompfact_status copy_in(struct call *c, enum word array, ompfact_matrix *A)
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

ompfact_status take(struct call *c, enum word array, ompfact_shape shape, ompfact_matrix **A)
{
    shape.m = rows_of(c, array);
    shape.n = cols_of(c, array);
    shape.type = c->type;
    TRY(ompfact_matrix_create(c->processes->grid, &shape, A));
    return copy_in(c, array, *A);
}

ompfact_status take_triangle(struct call *c, ompfact_purpose purpose, ompfact_matrix **A)
{
    bool upper = letter_of(c, UPLO) == 'U';
    ompfact_shape shape = { .structure = upper ? OMPFACT_HERMITIAN_UPPER : OMPFACT_HERMITIAN_LOWER, .purpose = purpose };
    return take_A(c, shape, A);
}

ompfact_status take_rhs(struct call *c, ompfact_matrix *A, ompfact_matrix **B)
{
    TRY(ompfact_matrix_create_rhs(A, cols_of(c, ARRAY_B), B));
    return copy_in(c, ARRAY_B, *B);
}

/* ---- a matrix for several calls ----------------------------------------------------------------------------------------- */

/* A layout is named or not; a name is the same for all calls of a grid. */
static bool is_like_kept(const struct process_grid *p, const ompfact_shape *b)
{
    const ompfact_shape *a = &p->shape;
    return p->kept != NULL && a->m == b->m && a->n == b->n && a->type == b->type && a->structure == b->structure &&
           a->purpose == b->purpose && p->has_layout == (b->layout != NULL);
}

ompfact_status take_A(struct call *c, ompfact_shape shape, ompfact_matrix **A)
{
    struct process_grid *p = c->processes;
    shape.m = rows_of(c, ARRAY_A);
    shape.n = c->of[K] != NULL ? number_of(c, K) : cols_of(c, ARRAY_A);
    shape.type = c->type;
    c->shape = shape;
    c->shape.layout = NULL;
    c->has_layout = shape.layout != NULL;
    if (is_like_kept(p, &shape)) {
        *A = p->kept;
        p->kept = NULL;
    } else {
        ompfact_matrix_destroy(&p->kept);
        TRY(ompfact_matrix_create(p->grid, &shape, A));
    }
    return copy_in(c, ARRAY_A, *A);
}

/* Whether all such matrices of a node take a small part of its free memory, on every node. Collective if the matrix is not
   small. */
static bool is_memory_plenty(const struct call *c)
{
    enum { PART = 16, SMALL = 1 << 20 };
    const struct process_grid *p = c->processes;
    double bytes = (double)c->shape.m * (double)c->shape.n * (double)element_bytes(c) / (p->nprow * p->npcol);
    if (bytes < SMALL)
        return true;
    double available = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    int plenty = bytes * ompfact_ranks_on_node(p->grid) * PART < available;
    return reduce_over(p, &plenty, 1, MPI_INT, MPI_MIN) == OMPFACT_SUCCESS && plenty;
}

void release(struct call *c, ompfact_matrix **A, ompfact_status status)
{
    struct process_grid *p = c->processes;
    if (status == OMPFACT_SUCCESS && *A != NULL && is_memory_plenty(c)) {
        p->kept = *A;
        p->shape = c->shape;
        p->has_layout = c->has_layout;
        *A = NULL;
    }
    ompfact_matrix_destroy(A);
}

/* ---- vectors ------------------------------------------------------------------------------------------------------------ */

/* One dimension of an array over the processes of a column or row of their grid. */
struct cyclic {
    int64_t before;         /* elements of the array before the sub-matrix */
    int block, source, processes, me;
};

static struct cyclic rows_of_A(const struct call *c)
{
    const int *desc = desc_of(c, ARRAY_A);
    return (struct cyclic){ first_row_of(c, ARRAY_A) - 1, desc[MB_], desc[RSRC_], c->processes->nprow, c->processes->myrow };
}

static struct cyclic cols_of_A(const struct call *c)
{
    const int *desc = desc_of(c, ARRAY_A);
    return (struct cyclic){ first_col_of(c, ARRAY_A) - 1, desc[NB_], desc[CSRC_], c->processes->npcol, c->processes->mycol };
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
    struct cyclic rows = rows_of_A(c);
    const int *theirs = c->of[IPIV];
    for (int64_t i = 0; i < count; i++) {
        int64_t local = local_of(&rows, i);
        ipiv[i] = local >= 0 ? theirs[local] - rows.before : 0;
    }
    return reduce_over(c->processes, ipiv, (int)count, MPI_INT64_T, MPI_MAX);
}

void ipiv_out(const struct call *c, int64_t count, const int64_t *ipiv)
{
    struct cyclic rows = rows_of_A(c);
    int *theirs = c->of[IPIV];
    for (int64_t i = 0; i < count; i++) {
        int64_t local = local_of(&rows, i);
        if (local >= 0)
            theirs[local] = (int)(ipiv[i] + rows.before);
    }
}

size_t element_bytes(const struct call *c)
{
    return (size_t)(c->type == 's' || c->type == 'c' ? 4 : 8) * (c->type == 'c' || c->type == 'z' ? 2 : 1);
}

/* All process rows have the same data, so the first one's counts. The bytes of the others are 0. */
ompfact_status tau_in(const struct call *c, int64_t count, void *tau)
{
    struct cyclic cols = cols_of_A(c);
    size_t bytes = element_bytes(c);
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
    struct cyclic cols = cols_of_A(c);
    size_t bytes = element_bytes(c);
    for (int64_t j = 0; j < count; j++) {
        int64_t local = local_of(&cols, j);
        if (local >= 0)
            memcpy((char *)c->of[TAU] + (size_t)local * bytes, (const char *)tau + (size_t)j * bytes, bytes);
    }
}
