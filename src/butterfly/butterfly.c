/* Applies butterflies to a matrix or to right-hand sides, group by group, and counts what that moves. */
#include "src/butterfly/butterfly.h"

#include "src/butterfly/tour.h"

#include <stdlib.h>

/* Computes this rank's groups in place. No two groups share an element. All ranks have filled the matrix before the call, and the
   caller agrees with them after it. */
static int compute_in_place(struct tour *t, int threads)
{
    int code = rma_barrier(t->groups.A->grid->rma);
    for (int64_t begin = 0; begin < groups_end(&t->groups);) {
        for (t->count = 0; t->count < MOST_STOPS && begin < groups_end(&t->groups); begin++) {
            struct group group;
            if (group_at(&t->groups, begin, &group) && group.worker == t->me)
                t->stops[t->count++].position = begin;
        }
        run_each(threads, t->count, compute_group, t);
    }
    return code;
}

static ompfact_status mix_groups(struct tour *t, ompfact_grid *grid)
{
    int threads = grid->settings.threads, code = t->in_place ? compute_in_place(t, threads) : make_all_rounds(t, threads);
    ompfact_status status = code == MPI_SUCCESS ? OMPFACT_SUCCESS : fail_mpi(grid, code);
    if (status == OMPFACT_SUCCESS && t->no_memory)
        status = fail(grid, OMPFACT_OUT_OF_MEMORY, "rank %d: no memory for a butterfly", t->me);
    return agree(grid, status);
}

/* ---- one walk over all groups ------------------------------------------------------------------------------------------- */

static void destroy(struct tour *t)
{
    groups_destroy(&t->groups);
    free(t->stops);
    free(t->first[OUT]);        /* frees all four arrays */
}

/* Allocates the parts of a tour. On failure the function frees all that it allocated. Collective. */
static ompfact_status create(struct tour *t, ompfact_matrix *A, bool both_sides, int depth, bool back)
{
    ompfact_grid *grid = A->grid;
    *t = (struct tour){ .back = back, .in_place = !rma_copies(grid->rma), .me = A->me, .ranks = A->ranks };
    if (!t->in_place)
        TRY(staging_get(grid, round_room(A)));
    t->exchange = grid->exchange;
    t->room = grid->exchange_room;
    int64_t *numbers = malloc((4 * (size_t)t->ranks + 2) * sizeof *numbers);
    t->stops = malloc(MOST_STOPS * sizeof *t->stops);
    for (enum box box = OUT; numbers != NULL && box <= IN; box++) {
        t->first[box] = numbers + box * (t->ranks + 1);
        t->next[box] = numbers + 2 * (t->ranks + 1) + box * t->ranks;
    }
    bool complete = groups_create(&t->groups, A, both_sides, depth) && numbers != NULL && t->stops != NULL;
    complete &= !t->in_place || matrix_has_addresses(A);
    t->most = round_positions(t);
    ompfact_status status = agree_memory(grid, complete, "for a butterfly");
    if (status != OMPFACT_SUCCESS)
        destroy(t);
    return status;
}

/* Counts what all groups of a matrix or of right-hand sides move, to their workers and back. */
static struct butterfly_moves count_moves(const struct groups *g, const int *node_of)
{
    const ompfact_matrix *A = g->A;
    struct butterfly_moves moves = { 0 };
    int64_t tile_bytes = (int64_t)A->rows.largest * A->cols.largest * (int64_t)A->precision->size;
    for (int64_t position = 0; position < groups_end(g); position++) {
        struct group group;
        if (group_at(g, position, &group))
            for (int k = 0; k < group.count; k++) {
                int from = group.patch[k].rank, to = group.worker;
                bool crosses = node_of == NULL ? from != to : node_of[from] != node_of[to];
                moves.bytes += from != to ? 2 * patch_bytes(g, &group) : 0;
                moves.wire_bytes += crosses ? 2 * patch_bytes(g, &group) : 0;
            }
    }
    moves.transfers = (moves.bytes + tile_bytes - 1) / tile_bytes;
    moves.wire_transfers = (moves.wire_bytes + tile_bytes - 1) / tile_bytes;
    return moves;
}

static ompfact_status report_tour(ompfact_grid *grid, struct butterfly_moves moves, int64_t bytes, double seconds,
                                  ompfact_report *report)
{
    TRY_MPI(grid, rma_allreduce(grid->rma, &seconds, 1, MPI_DOUBLE, MPI_MAX));
    TRY_MPI(grid, rma_allreduce(grid->rma, &bytes, 1, MPI_INT64_T, MPI_SUM));
    report->seconds += seconds;
    report->transfers += moves.transfers;
    report->transfers_predicted += moves.transfers;
    report->transfer_bytes += bytes;
    report->wire_transfers += moves.wire_transfers;
    report->wire_transfers_predicted += moves.wire_transfers;
    report->wire_bytes += moves.wire_bytes;
    return OMPFACT_SUCCESS;
}

static ompfact_status make_tour(ompfact_matrix *A, bool both_sides, int depth, bool back, ompfact_report *report)
{
    struct tour t;
    double start = run_clock();
    if (depth == 0)
        return OMPFACT_SUCCESS;
    TRY(check_dense(A));
    TRY(create(&t, A, both_sides, depth, back));
    int64_t before = t.in_place ? 0 : rma_exchange_bytes(t.exchange);
    ompfact_status status = mix_groups(&t, A->grid);
    struct butterfly_moves moves = count_moves(&t.groups, rma_nodes(A->grid->rma)->node_of);
    int64_t bytes = !t.in_place ? rma_exchange_bytes(t.exchange) - before : A->me == 0 ? moves.bytes : 0;
    destroy(&t);
    return status != OMPFACT_SUCCESS ? status : report_tour(A->grid, moves, bytes, run_clock() - start, report);
}

/* ---- for other rooms ------------------------------------------------------------------------------------------------------- */

int butterfly_depth(ompfact_butterfly choice)
{
    return choice == OMPFACT_BUTTERFLY_AUTO ? 2 : (int)choice - OMPFACT_BUTTERFLY_NONE;
}

int64_t butterfly_bytes(const ompfact_matrix *A, int depth)
{
    return depth == 0 ? 0 : 2 * round_room(A) + MOST_STOPS * (int64_t)sizeof(struct stop);
}

bool butterfly_count(const ompfact_matrix *A, int depth, const int *node_of, struct butterfly_moves *moves)
{
    struct groups groups;
    *moves = (struct butterfly_moves){ 0 };
    if (depth == 0)
        return true;
    if (!groups_create(&groups, A, true, depth))
        return false;
    *moves = count_moves(&groups, node_of);
    groups_destroy(&groups);
    return true;
}

ompfact_status butterfly_of_matrix(ompfact_matrix *A, int depth, ompfact_report *report)
{
    return make_tour(A, true, depth, false, report);
}

ompfact_status butterfly_of_rhs(ompfact_matrix *B, int depth, bool back, ompfact_report *report)
{
    return make_tour(B, false, depth, back, report);
}
