/* From MPI_Init to MPI_Finalize: which rank is on which node, and whether ranks may read each other's memory. */
#include "tests/nodes/card.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SKIPPED = 77 };          /* automake's "skipped" */

struct card card;

/* Splits by nodes as the library does (rma/comm.c). */
static void split_node(MPI_Comm *node)
{
    const char *value = getenv("OMPFACT_TEST_NODES");
    int nodes = value == NULL ? 1 : atoi(value), place, ranks;
    MPI_Comm whole = *node;
    if (nodes <= 1)
        return;
    PMPI_Comm_rank(whole, &place);
    PMPI_Comm_size(whole, &ranks);
    PMPI_Comm_split(whole, place * nodes / ranks, place, node);
    PMPI_Comm_free(&whole);
}

static void find_nodes(void)
{
    MPI_Comm node;
    int lowest;
    PMPI_Comm_rank(MPI_COMM_WORLD, &card.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &card.ranks);
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    split_node(&node);
    PMPI_Allreduce(&card.rank, &lowest, 1, MPI_INT, MPI_MIN, node);
    PMPI_Comm_free(&node);
    card.node_of = malloc((size_t)card.ranks * sizeof *card.node_of);
    if (card.node_of == NULL)
        abort();
    PMPI_Allgather(&lowest, 1, MPI_INT, card.node_of, 1, MPI_INT, MPI_COMM_WORLD);
}

/* Each rank reads a word of the next rank. Returns 0, or the error of a rank that cannot read. */
static int try_reading(void)
{
    enum { PID, PLACE, WORDS };
    int64_t word = INT64_C(4711) + card.rank, seen = 0, mine[WORDS] = { getpid(), (intptr_t)&word }, *all;
    int next = (card.rank + 1) % card.ranks, why = 0;
    all = malloc((size_t)card.ranks * sizeof mine);
    if (all == NULL)
        abort();
    PMPI_Allgather(mine, WORDS, MPI_INT64_T, all, WORDS, MPI_INT64_T, MPI_COMM_WORLD);
    struct iovec here = { &seen, sizeof seen }, there = { (void *)(intptr_t)all[WORDS * next + PLACE], sizeof seen };
    if (process_vm_readv((pid_t)all[WORDS * next + PID], &here, 1, &there, 1, 0) != (ssize_t)sizeof seen)
        why = errno;
    else if (seen != INT64_C(4711) + next)
        why = ESRCH;
    free(all);
    PMPI_Allreduce(MPI_IN_PLACE, &why, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);    /* the word must exist until all have read */
    return why;
}

static void start(void)
{
    card.settings = card_settings();
    find_nodes();
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);     /* needed where Yama allows only parents to read */
    int why = try_reading();
    if (why != 0) {
        if (card.rank == 0)
            fprintf(stderr, "native: ranks may not read each other's memory: process_vm_readv: %s\n", strerror(why));
        PMPI_Finalize();
        exit(SKIPPED);
    }
    card_plug_in();
}

int MPI_Init(int *argc, char ***argv)
{
    int code = PMPI_Init(argc, argv);
    start();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code = PMPI_Init_thread(argc, argv, required, provided);
    start();
    return code;
}

int MPI_Finalize(void)
{
    card_complete_all();
    struct card_counts mine = card_counts();
    int64_t sum[] = { mine.reads, mine.writes, mine.bytes };
    PMPI_Reduce(card.rank == 0 ? MPI_IN_PLACE : sum, sum, 3, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (card.rank == 0 && card.settings.report)
        fprintf(stderr, "native: %lld reads, %lld writes, %lld bytes between nodes\n", (long long)sum[0], (long long)sum[1],
                (long long)sum[2]);
    free(card.node_of);
    return PMPI_Finalize();
}
