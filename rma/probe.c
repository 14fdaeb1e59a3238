/*
 * Two experiments with windows between nodes, since MPI has no function that returns these properties.
 *
 * First: do reads proceed while their target is outside MPI?
 *
 *   target                                    origin
 *   word = before, window sync
 *   sends the round's number            ->    a little later starts a read, and polls
 *   word = silent      +                      starts a second read
 *   sleeps             | outside MPI
 *   word = after       +
 *   sends "back in MPI"                 ->    waits for both reads, and for this message
 *                                       <-    sends whether both reads returned `silent`
 *
 * If both reads return `silent`, the second one began and ended while the target was outside MPI, for there is no other way to
 * read that value. (The first one may have been granted before.) Any other result proves nothing, because the origin may have
 * slept. So a scheduler can hide a proof but not fake one, and one successful round is enough. Each rank reads from the rank
 * with its own place on the next node. No node is read while it reads: first every other node reads, then those in between, and
 * with an odd number of nodes the last node alone. The ranks first read a word; if that proceeds on all ranks, they read 256
 * KiB, the size of a tile, because transports treat large reads differently.
 *
 * Second: does a window take all of its memory at once, as where network cards pin it? Then sparse spaces use messages.
 */
#define _DEFAULT_SOURCE     /* mincore */
#include "rma/state.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { TAG_ROUND = 6, TAG_BACK, TAG_PROVED };       /* on rma->comm, as the tags of ping.c */
enum { WORD = sizeof(uint64_t), BYTES = 1 << 18, WORDS = BYTES / WORD };
static const double SILENCE = 0.002, PHASE = 0.01;  /* seconds: of a round; after PHASE no other round begins */

static void sleep_us(long microseconds)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000 * microseconds }, NULL);
}

/* The value of the word at a moment of a round; rounds count from 1. */
enum moment { BEFORE, SILENT, AFTER };
static uint64_t word_in(int round, enum moment moment)
{
    return 4 * (uint64_t)round + (uint64_t)moment;
}

static int send(struct rma *rma, int value, int to, int tag)
{
    MPI_Request request;
    RMA_TRY(MPI_Isend(&value, 1, MPI_INT, to, tag, rma->comm, &request));
    return rma_wait(rma, &request);
}

static int receive(struct rma *rma, int *value, int from, int tag)
{
    MPI_Request request;
    RMA_TRY(MPI_Irecv(value, 1, MPI_INT, from, tag, rma->comm, &request));
    return rma_wait(rma, &request);
}

/* ---- pairs of origin and target -------------------------------------------------------------------------------------------- */

static int target_of(const struct rma *rma, int origin)
{
    int node = (rma->node_of[origin] + 1) % rma->nodes.count, ranks = 0, target = 0;
    for (int rank = 0; rank < rma->ranks; rank++)
        ranks += rma->node_of[rank] == node;
    for (int rank = 0; rank < rma->ranks; rank++)
        if (rma->node_of[rank] == node && rma->place_on_node[rank] == rma->place_on_node[origin] % ranks)
            target = rank;
    return target;
}

static int phase_of(const struct rma *rma, int origin)
{
    int node = rma->node_of[origin];
    return rma->nodes.count % 2 == 1 && node == rma->nodes.count - 1 ? 2 : node % 2;
}

/* The ranks that read from this rank in the phase; returns their number. */
static int origins_of(const struct rma *rma, int phase, int *origin)
{
    int origins = 0;
    for (int rank = 0; rank < rma->ranks; rank++)
        if (phase_of(rma, rank) == phase && target_of(rma, rank) == rma->rank)
            origin[origins++] = rank;
    return origins;
}

/* ---- do reads proceed? ----------------------------------------------------------------------------------------------------- */

/* Outside MPI: MPI_Wtime makes no progress. */
static void be_silent(_Atomic uint64_t *word, int round)
{
    atomic_store(word, word_in(round, SILENT));
    for (double end = MPI_Wtime() + SILENCE; MPI_Wtime() < end;)
        sleep_us(50);
    atomic_store(word, word_in(round, AFTER));
}

/* The part of the target. Round 0 ends the phase. */
static int be_read(struct rma *rma, const struct rma_space *space, const int *origin, int origins)
{
    _Atomic uint64_t *word = (_Atomic uint64_t *)rma_space_base(space) + WORDS - 1;
    double begun = MPI_Wtime();
    for (int round = 1, unproved = origins; origins > 0; round++) {
        bool over = unproved == 0 || (round > 1 && MPI_Wtime() - begun > PHASE);
        atomic_store(word, word_in(round, BEFORE));
        RMA_TRY(rma_space_sync(space));
        for (int i = 0; i < origins; i++)
            RMA_TRY(send(rma, over ? 0 : round, origin[i], TAG_ROUND));
        if (over)
            break;
        be_silent(word, round);
        unproved = 0;
        for (int i = 0; i < origins; i++)
            RMA_TRY(send(rma, round, origin[i], TAG_BACK));
        for (int i = 0, proved; i < origins; i++) {
            RMA_TRY(receive(rma, &proved, origin[i], TAG_PROVED));
            unproved += !proved;
        }
    }
    return MPI_SUCCESS;
}

/* The part of the origin: reads the last `bytes` bytes. */
static int read_from(struct rma *rma, const struct rma_space *space, int target, uint64_t *buffer, int bytes, int *proved)
{
    for (int round, back;;) {
        MPI_Request request;
        RMA_TRY(receive(rma, &round, target, TAG_ROUND));
        if (round == 0)
            return MPI_SUCCESS;
        sleep_us(100);
        bool silent = true;
        for (int i = 0; i < 2; i++) {
            RMA_TRY(rma_read(space, target, BYTES - bytes, buffer, bytes, &request));
            RMA_TRY(rma_wait(rma, &request));
            silent &= buffer[bytes / WORD - 1] == word_in(round, SILENT);
        }
        RMA_TRY(receive(rma, &back, target, TAG_BACK));
        *proved |= silent;
        RMA_TRY(send(rma, *proved, target, TAG_PROVED));
    }
}

static int probe_reads(struct rma *rma, const struct rma_space *space, int *origin, uint64_t *buffer, int bytes)
{
    int proved = 0;
    for (int phase = 0; phase < 2 + rma->nodes.count % 2; phase++) {
        if (phase_of(rma, rma->rank) == phase)
            RMA_TRY(read_from(rma, space, target_of(rma, rma->rank), buffer, bytes, &proved));
        else
            RMA_TRY(be_read(rma, space, origin, origins_of(rma, phase, origin)));
    }
    rma->reads_proceed = proved;
    return rma_allreduce(rma, &rma->reads_proceed, 1, MPI_INT, MPI_MIN);
}

/* ---- does a window take its memory? ---------------------------------------------------------------------------------------- */

/* Tests a page that nobody has touched. If the test is impossible the answer is no; MPI's own memory is not tested. */
static int probe_memory(struct rma *rma, const struct rma_space *space)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), middle = (uintptr_t)rma_space_base(space) + BYTES / 2;
    unsigned char is_there = 0;
    int taken = rma->nodes.in_place && mincore((void *)(middle / page * page), 1, &is_there) == 0 && (is_there & 1);
    RMA_TRY(rma_allreduce(rma, &taken, 1, MPI_INT, MPI_MAX));
    return taken ? rma_messages_create(rma) : MPI_SUCCESS;
}

int rma_probe(struct rma *rma)
{
    struct rma_space *space;
    rma->reads_proceed = rma->nodes.count < 2 ? -1 : 0;
    if (rma->nodes.count < 2 || rma->between == RMA_MESSAGES)
        return MPI_SUCCESS;
    RMA_TRY(rma_space_create_sparse(rma, BYTES, 0, 1, &space));
    uint64_t *buffer = malloc(BYTES);
    int *origin = malloc((size_t)rma->ranks * sizeof *origin), no_memory = buffer == NULL || origin == NULL;
    int code = rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX);
    if (code == MPI_SUCCESS)
        code = no_memory ? MPI_ERR_NO_MEM : probe_memory(rma, space);
    if (code == MPI_SUCCESS)
        code = probe_reads(rma, space, origin, buffer, WORD);
    if (code == MPI_SUCCESS && rma->reads_proceed == 1)
        code = probe_reads(rma, space, origin, buffer, BYTES);
    free(buffer);
    free(origin);
    rma_space_destroy(&space);
    return code;
}
