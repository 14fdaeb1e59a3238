/*
 * The test at start-up: every rank sets a flag of every rank and reads a word from it, the way it will read tiles. The test
 * proves that one-sided operations proceed under polling here. It also connects pairs of ranks on different nodes while all
 * ranks are in MPI; otherwise the first operation towards a rank waits until that rank enters MPI.
 */
#include "rma/state.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATIENCE = 60 };     /* seconds; much more than a slow start of many ranks on few cores takes */

/* The word in the window of a rank; no other rank has the same. */
static int64_t word_of(int rank)
{
    return INT64_C(0x6f6d706661637400) ^ ((int64_t)rank << 8 | 1);
}

static void ignore(struct rma_slot *slot)
{
    (void)slot;
}

/* The requests of one rank to all others. */
struct exchange {
    struct rma_slot *slot;
    int64_t *words;
    struct rma_publication *publication;
};

static void request_all(struct rma *rma, struct rma_space *space, struct exchange *x)
{
    struct rma_publication *p = x->publication;
    struct rma_slot *slot = x->slot;
    p->tile = (struct rma_address){ .space = space, .rank = rma->rank, .bytes = sizeof x->words[0], .id = rma->rank };
    p->count = rma->ranks;
    p->sent = NULL;
    for (int i = 0; i < rma->ranks; i++)
        p->reader[i] = (rma->rank + i) % rma->ranks;
    rma_publish(rma, p);
    x->publication = NULL;      /* rma_publish owns it */
    for (int i = 0; i < rma->ranks; i++) {
        int target = (rma->rank + i) % rma->ranks;
        slot[i].from = (struct rma_address){ .space = space, .rank = target, .bytes = sizeof x->words[0], .id = target };
        slot[i].route.parent = target;
        slot[i].data = &x->words[target];
        slot[i].copied = rma_space_in_place(space, target) == NULL;
        slot[i].arrived = ignore;
        rma_fetch(rma, &slot[i]);
    }
}

static bool all_is_here(struct rma *rma)
{
    return rma->waiting == NULL && rma->reads == 0;
}

/* Polls until the condition holds; returns false after PATIENCE seconds. */
static bool wait_until(struct rma *rma, bool (*reached)(struct rma *rma))
{
    struct rma_backoff backoff = { 0 };
    double end = MPI_Wtime() + PATIENCE;
    do {
        if (!rma_progress(rma, true))
            rma_back_off(&backoff);
        if (reached(rma))
            return true;
    } while (MPI_Wtime() < end);
    return false;
}

static bool words_are_right(const struct rma *rma, const int64_t *words)
{
    for (int i = 0; i < rma->ranks; i++)
        if (words[i] != word_of(i))
            return false;
    return true;
}

/* The exchange itself; returns the error of this rank, or NULL. Data that has not arrived may arrive later, so nothing is
   freed then. */
static const char *exchange(struct rma *rma, struct rma_space **space, struct exchange *x)
{
    *(int64_t *)rma_space_base(*space) = word_of(rma->rank);
    if (rma_open(rma, space, &(bool){ false }, 1, NULL) != MPI_SUCCESS)
        return "a barrier failed";
    request_all(rma, *space, x);
    bool arrived = wait_until(rma, all_is_here);
    for (int i = 0; arrived && i < rma->ranks; i++)
        if (!x->slot[i].copied)
            x->words[x->slot[i].from.rank] = *(const int64_t *)rma_space_in_place(*space, x->slot[i].from.rank);
    arrived &= wait_until(rma, rma_close);
    rma_deliver(rma);
    if (!arrived)
        return "a flag or a read did not arrive in 60 s";
    if (rma_error(rma) != MPI_SUCCESS)
        return "an operation returned an error";
    return words_are_right(rma, x->words) ? NULL : "a read brought wrong data";
}

int rma_selftest(struct rma *rma, char *text, size_t text_size)
{
    struct rma_space *space;
    struct exchange x = { .slot = calloc((size_t)rma->ranks, sizeof *x.slot),
                          .words = calloc((size_t)rma->ranks, sizeof *x.words),
                          .publication = malloc(sizeof *x.publication + (size_t)rma->ranks * sizeof x.publication->reader[0]) };
    int failed = x.slot == NULL || x.words == NULL || x.publication == NULL;
    snprintf(text, text_size, "a small window cannot be created on every rank: no memory, too many open files, or MPI cannot");
    RMA_TRY(rma_allreduce(rma, &failed, 1, MPI_INT, MPI_MAX));
    int code = failed ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    if (code == MPI_SUCCESS)
        code = rma_space_create(rma, sizeof x.words[0], rma->ranks, rma->ranks, &space);
    if (code == MPI_SUCCESS) {
        const char *wrong = exchange(rma, &space, &x);
        failed = wrong != NULL;
        code = rma_allreduce(rma, &failed, 1, MPI_INT, MPI_MAX);
        if (failed)
            snprintf(text, text_size, "one-sided MPI operations do not work here: %s",
                     wrong != NULL ? wrong : "another rank failed");
        if (failed)
            return MPI_ERR_RMA_CONFLICT;    /* reads into `words` may still be in flight, so nothing is freed */
        rma_space_destroy(&space);
    }
    free(x.slot);
    free(x.words);
    free(x.publication);
    return code;
}
