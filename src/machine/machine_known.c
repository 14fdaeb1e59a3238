#include "src/machine/machine_known.h"

#include "src/machine/quick_rates.h"

#include <stdlib.h>
#include <string.h>

/* Adds the break-even ranks of low rank, which only runs measure. */
static void add_low_ranks(struct machine *m)
{
    char path[MACHINE_PATH], unread[MACHINE_TEXT];
    struct machine *other = malloc(sizeof *other);
    if (other == NULL)
        return;
    *other = *m;
    if (machine_quick_path(m, path) && machine_read(path, other, unread) == MACHINE_MEASURED) {
        m->low_ranks = other->low_ranks;
        memcpy(m->low_rank, other->low_rank, sizeof m->low_rank);
    }
    free(other);
}

struct machine_known *machine_know(const char *blas_kernels)
{
    char path[MACHINE_PATH], unread[MACHINE_TEXT];
    struct machine_known *k = calloc(1, sizeof *k);
    if (k == NULL)
        return NULL;
    struct machine *m = &k->machine;
    machine_here(m, blas_kernels);
    k->source = MACHINE_NO_FILE;
    if (machine_path(path))
        k->source = machine_read(path, m, k->why);
    if (k->source == MACHINE_NO_FILE)
        k->why[0] = '\0';
    if (k->source == MACHINE_MEASURED)
        add_low_ranks(m);
    else if (machine_quick_path(m, path) && machine_read(path, m, unread) == MACHINE_MEASURED)
        k->source = MACHINE_QUICK;
    return k;
}

ompfact_status machine_of_grid(ompfact_grid *grid, struct machine_known **known)
{
    if (grid->known == NULL) {
        CLEANUP(free_at) struct machine_known *k = NULL;
        k = rma_rank(grid->rma) == 0 ? machine_know(grid->blas_kernels) : calloc(1, sizeof *k);
        TRY(agree_memory(grid, k != NULL, "for the rates of a machine"));
        TRY_MPI(grid, rma_bcast(grid->rma, k, sizeof *k, MPI_BYTE, 0));
        grid->known = k;
        k = NULL;
    }
    *known = grid->known;
    return OMPFACT_SUCCESS;
}

/* Keeps rates for other runs. It is no error if the file cannot be written. */
static void write_quick(const struct machine *m)
{
    char path[MACHINE_PATH];
    if (machine_quick_path(m, path))
        machine_write(path, m);
}

void machine_keep_low_rank(struct machine_known *k, struct machine_low_rank low_rank)
{
    struct machine *m = &k->machine;
    if (m->low_ranks == MACHINE_LOW_RANKS)
        m->low_ranks = 0;       /* the table is full of other orders: it starts again */
    m->low_rank[m->low_ranks++] = low_rank;
    if (k->source != MACHINE_MEASURED)
        k->source = MACHINE_QUICK;
    write_quick(m);
}

ompfact_status machine_with_rates(ompfact_grid *grid, char type, struct machine_known **known)
{
    enum { OF_ONE_KIND = 64 };      /* most rates of one type and number of threads */
    TRY(machine_of_grid(grid, known));
    struct machine_known *k = *known;
    struct machine *m = &k->machine;
    bool first = rma_rank(grid->rma) == 0;
    int busy = machine_busy(m, grid->cores, rma_ranks_on_node(grid->rma)), rates = m->rates;
    if (grid->typical_rates || k->source == MACHINE_MEASURED || machine_has_rates(m, type, busy))
        busy = 0;
    if (first && busy > 0 && rates + OF_ONE_KIND > MACHINE_RATES)
        m->rates = rates = 0;       /* the table is full of other kinds of runs: it starts again */
    TRY(quick_rates(grid, type, busy, m));
    if (first && m->rates > rates) {
        k->source = MACHINE_QUICK;
        write_quick(m);
    }
    return OMPFACT_SUCCESS;
}
