/*
 * Butterflies of a matrix or of right-hand sides, group after group. What moves goes in rounds, through staging memory: each a
 * run of positions of the groups, which ends where the first rank would have more to send or to receive than it has room for.
 * Every rank walks the same groups, so it knows without a message what comes from whom. In a round
 *
 *     patches go to the ranks that compute their groups;  B := W^T B W there;  they go back, each where it was
 */
#include "src/butterfly/butterfly.h"

#include "omp/kernels/workspace.h"
#include "src/butterfly/groups.h"

#include <stdlib.h>

enum { LEAST_ROOM = 1 << 20 };      /* of a box: a group of the largest numbers fits */
enum { ROOM_SHARE = 256 };          /*   and more of a large matrix, a small part of what each rank has of it */
enum { LEAST_GROUPS = 64 };         /* of a round, of each rank on average: its threads share them */
enum { MOST_STOPS = 1024 };         /* groups of a round that this rank has to do with */
enum box { OUT, IN };               /* what is mine and goes to a worker; what comes to me, the worker */

/* A group of the round, and where its patches are in a box, after what else goes to or comes from their rank. */
struct stop {
    int64_t position;
    int at[GROUP_PATCHES];
};

struct tour {
    struct groups groups;
    bool back;
    int me, ranks;
    struct rma_exchange *exchange;
    int64_t room, most;             /* bytes of a box; positions of a round */
    int64_t *first[2];              /* [box][ranks + 1] */
    int64_t *next[2];               /* [box][ranks]: how far it is filled */
    struct stop *stops;
    int count;
    _Atomic bool no_memory;
};

/* ---- what a round has ------------------------------------------------------------------------------------------------------ */

/* Whether a patch goes through a box of mine: which, and the rank at the other end. */
static bool travels(const struct tour *t, const struct group *group, const struct patch *patch, enum box *box, int *other)
{
    if (patch->rank == group->worker || (patch->rank != t->me && group->worker != t->me))
        return false;
    *box = patch->rank == t->me ? OUT : IN;
    *other = *box == OUT ? group->worker : patch->rank;
    return true;
}

static bool is_mine(const struct tour *t, const struct group *group)
{
    bool mine = group->worker == t->me;
    for (int k = 0; k < group->count && !mine; k++)
        mine = group->patch[k].rank == t->me;
    return mine;
}

/* How far a round goes, for this rank. */
static int64_t find_end(const struct tour *t, int64_t begin)
{
    int64_t load[2] = { 0 }, end = groups_end(&t->groups), position = begin;
    end = end - begin < t->most ? end : begin + t->most;
    for (int stops = 0; position < end && stops < MOST_STOPS; position++) {
        struct group group;
        enum box box;
        int other;
        if (!group_at(&t->groups, position, &group) || !is_mine(t, &group))
            continue;
        for (int k = 0; k < group.count; k++)
            if (travels(t, &group, &group.patch[k], &box, &other))
                load[box] += patch_bytes(&t->groups, &group);
        if (load[OUT] > t->room || load[IN] > t->room)
            return position;
        stops++;
    }
    return position;
}

static void list_stops(struct tour *t, int64_t begin, int64_t end)
{
    t->count = 0;
    for (int i = 0; i < t->ranks; i++)
        t->next[OUT][i] = t->next[IN][i] = 0;
    for (int64_t position = begin; position < end; position++) {
        struct group group;
        enum box box;
        int other;
        if (!group_at(&t->groups, position, &group) || !is_mine(t, &group))
            continue;
        struct stop *stop = &t->stops[t->count++];
        stop->position = position;
        for (int k = 0; k < group.count; k++)
            if (travels(t, &group, &group.patch[k], &box, &other)) {
                stop->at[k] = (int)t->next[box][other];
                t->next[box][other] += patch_bytes(&t->groups, &group);
            }
    }
    for (enum box box = OUT; box <= IN; box++) {
        t->first[box][0] = 0;
        for (int i = 0; i < t->ranks; i++)
            t->first[box][i + 1] = t->first[box][i] + t->next[box][i];
    }
}

/* ---- a round --------------------------------------------------------------------------------------------------------------- */

/* Of others' patches what came, or what goes back, is where they are in the box IN. */
static char *place_in(const struct tour *t, enum box box, int rank, const struct stop *stop, int k, void *memory)
{
    return (char *)memory + t->first[box][rank] + stop->at[k];
}

static void send_patches(void *tour, int64_t index)
{
    struct tour *t = tour;
    const struct stop *stop = &t->stops[index];
    struct group group;
    if (!group_at(&t->groups, stop->position, &group) || group.worker == t->me)
        return;
    for (int k = 0; k < group.count; k++)
        if (group.patch[k].rank == t->me)
            patch_read(&t->groups, &group, &group.patch[k],
                       place_in(t, OUT, group.worker, stop, k, rma_exchange_outbox(t->exchange)), group.rows->size);
}

static void take_patches(void *tour, int64_t index)
{
    struct tour *t = tour;
    const struct stop *stop = &t->stops[index];
    struct group group;
    if (!group_at(&t->groups, stop->position, &group) || group.worker == t->me)
        return;
    for (int k = 0; k < group.count; k++)
        if (group.patch[k].rank == t->me)
            patch_write(&t->groups, &group, &group.patch[k],
                        place_in(t, OUT, group.worker, stop, k, (void *)rma_exchange_inbox(t->exchange)), group.rows->size);
}

/* A group as one block, image under image, and patch k in it. */
struct block {
    char *data;
    int ld;
};
static void *place_in_block(const struct tour *t, const struct group *group, const struct block *b, int k)
{
    const struct patch *patch = &group->patch[k];
    int64_t row = (int64_t)patch->u * group->rows->size, col = (int64_t)patch->v * group->cols->size;
    return b->data + (row + col * b->ld) * (int64_t)t->groups.A->precision->size;
}

static void gather(struct tour *t, const struct stop *stop, const struct group *group, const struct block *b)
{
    const struct precision *precision = t->groups.A->precision;
    bool hermitian = is_hermitian(&t->groups.A->shape);
    int m = group->rows->size, n = group->cols->size;
    for (int k = 0; k < group->count; k++) {
        const struct patch *patch = &group->patch[k];
        void *place = place_in_block(t, group, b, k);
        if (patch->rank == t->me)
            patch_read(&t->groups, group, patch, place, b->ld);
        else
            copy_by_steps(precision, false, patch->part, m, n,
                          (struct steps){ place_in(t, IN, patch->rank, stop, k, (void *)rma_exchange_inbox(t->exchange)), 1, m },
                          (struct steps){ place, 1, b->ld });
        if (patch->part != GENERAL)
            complete_square(precision, hermitian, patch->part, n, place, b->ld);
    }
    if (group->square)
        complete_square(precision, hermitian, LOWER, b->ld, b->data, b->ld);
}

static void scatter(struct tour *t, const struct stop *stop, const struct group *group, const struct block *b)
{
    const struct precision *precision = t->groups.A->precision;
    int m = group->rows->size, n = group->cols->size;
    for (int k = 0; k < group->count; k++) {
        const struct patch *patch = &group->patch[k];
        void *place = place_in_block(t, group, b, k);
        if (patch->part != GENERAL)     /* its diagonal is real again */
            complete_square(precision, is_hermitian(&t->groups.A->shape), patch->part, n, place, b->ld);
        if (patch->rank == t->me)
            patch_write(&t->groups, group, patch, place, b->ld);
        else
            copy_by_steps(precision, false, patch->part, m, n, (struct steps){ place, 1, b->ld },
                          (struct steps){ place_in(t, IN, patch->rank, stop, k, rma_exchange_outbox(t->exchange)), 1, m });
    }
}

static void compute(void *tour, int64_t index)
{
    struct tour *t = tour;
    const struct stop *stop = &t->stops[index];
    const struct precision *precision = t->groups.A->precision;
    struct butterfly rows, cols;
    struct group group;
    if (!group_at(&t->groups, stop->position, &group) || group.worker != t->me)
        return;
    int m = group.rows->images * group.rows->size, n = group.cols->images * group.cols->size;
    struct block b = { .data = workspace_take((size_t)m * (size_t)n * precision->size), .ld = m };
    if (b.data == NULL) {
        t->no_memory = true;
        return;
    }
    span_factors(group.rows, &rows);
    gather(t, stop, &group, &b);
    butterfly_mix(precision, &rows, t->back, LEFT, n, b.data, m);
    if (t->groups.both_sides) {
        span_factors(group.cols, &cols);
        butterfly_mix(precision, &cols, t->back, RIGHT, m, b.data, m);
    }
    scatter(t, stop, &group, &b);
    workspace_give(b.data);
}

/* From position begin on; *end becomes where the round ended. What failed here is told in the end: the others go on. Outboxes are
   written only when all ranks have what was in them (rma/rma.h). */
static int make_round(struct tour *t, int threads, int64_t begin, int64_t *end)
{
    int64_t all_have_read = 0;
    *end = find_end(t, begin);
    int code = rma_exchange_agree(t->exchange, end);
    if (code != MPI_SUCCESS)
        return code;
    list_stops(t, begin, *end);
    run_each(threads, t->count, send_patches, t);
    code = rma_exchange_move(t->exchange, t->first[OUT], t->first[IN]);
    int agreed = rma_exchange_agree(t->exchange, &all_have_read);
    run_each(threads, t->count, compute, t);
    int back = rma_exchange_move(t->exchange, t->first[IN], t->first[OUT]);
    run_each(threads, t->count, take_patches, t);
    return code != MPI_SUCCESS ? code : agreed != MPI_SUCCESS ? agreed : back;
}

static ompfact_status make_rounds(struct tour *t, ompfact_grid *grid)
{
    int code = MPI_SUCCESS, threads = grid->settings.threads;
    for (int64_t begin = 0, end; begin < groups_end(&t->groups); begin = end) {
        int now = make_round(t, threads, begin, &end);
        code = code == MPI_SUCCESS ? now : code;
    }
    ompfact_status status = code == MPI_SUCCESS ? OMPFACT_SUCCESS : fail_mpi(grid, code);
    if (status == OMPFACT_SUCCESS && t->no_memory)
        status = fail(grid, OMPFACT_OUT_OF_MEMORY, "rank %d: no memory for a butterfly", t->me);
    return agree(grid, status);
}

/* ---- a tour ---------------------------------------------------------------------------------------------------------------- */

static void destroy(struct tour *t)
{
    groups_destroy(&t->groups);
    free(t->stops);
    free(t->first[OUT]);        /* all four arrays */
}

static int64_t bytes_of(const ompfact_matrix *A)
{
    return A->shape.m * A->shape.n * (int64_t)A->precision->size;
}

/* Bytes of a box. */
static int64_t room_for(const ompfact_matrix *A)
{
    int64_t bytes = bytes_of(A), room = bytes / A->ranks / ROOM_SHARE;
    room = room < LEAST_ROOM ? LEAST_ROOM : room < STAGING_BYTES ? room : STAGING_BYTES;
    return room < bytes ? room : bytes;
}

/* Leaves nothing behind on failure. Collective. */
static ompfact_status create(struct tour *t, const ompfact_matrix *A, bool both_sides, int depth, bool back)
{
    ompfact_grid *grid = A->grid;
    *t = (struct tour){ .back = back, .me = A->me, .ranks = A->ranks };
    TRY(staging_get(grid, room_for(A)));
    t->exchange = grid->exchange;
    t->room = grid->exchange_room;
    int64_t *numbers = malloc((4 * (size_t)t->ranks + 2) * sizeof *numbers);
    t->stops = malloc(MOST_STOPS * sizeof *t->stops);
    for (enum box box = OUT; numbers != NULL && box <= IN; box++) {
        t->first[box] = numbers + box * (t->ranks + 1);
        t->next[box] = numbers + 2 * (t->ranks + 1) + box * t->ranks;
    }
    bool complete = groups_create(&t->groups, A, both_sides, depth) && numbers != NULL && t->stops != NULL;
    /* And four times as many as fill all boxes, were all of average size: a rank with little to do must not look at all. */
    double filling = 4.0 * t->ranks * (double)t->room / ((double)bytes_of(A) + 1);
    t->most = LEAST_GROUPS * t->ranks + (int64_t)(filling * (double)groups_end(&t->groups));
    ompfact_status status = agree(grid, complete ? OMPFACT_SUCCESS
                                                 : fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a butterfly", A->me));
    if (status != OMPFACT_SUCCESS)
        destroy(t);
    return status;
}

/* What all groups of a matrix or of right-hand sides move, there and back. */
static struct butterfly_moves count_moves(const struct groups *g)
{
    const ompfact_matrix *A = g->A;
    struct butterfly_moves moves = { 0 };
    int64_t tile_bytes = (int64_t)A->rows.largest * A->cols.largest * (int64_t)A->precision->size;
    for (int64_t position = 0; position < groups_end(g); position++) {
        struct group group;
        if (group_at(g, position, &group))
            for (int k = 0; k < group.count; k++)
                moves.bytes += group.patch[k].rank != group.worker ? 2 * patch_bytes(g, &group) : 0;
    }
    moves.transfers = (moves.bytes + tile_bytes - 1) / tile_bytes;
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
    int64_t before = rma_exchange_bytes(t.exchange);
    ompfact_status status = make_rounds(&t, A->grid);
    struct butterfly_moves moves = count_moves(&t.groups);
    int64_t bytes = rma_exchange_bytes(t.exchange) - before;
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
    return depth == 0 ? 0 : 2 * room_for(A) + MOST_STOPS * (int64_t)sizeof(struct stop);
}

bool butterfly_count(const ompfact_matrix *A, int depth, struct butterfly_moves *moves)
{
    struct groups groups;
    *moves = (struct butterfly_moves){ 0 };
    if (depth == 0)
        return true;
    if (!groups_create(&groups, A, true, depth))
        return false;
    *moves = count_moves(&groups);
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
