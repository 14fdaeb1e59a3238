/*
 * Moves matrices from one layout to another, factors from the layers that have computed them to the first layer, and matrices
 * from and to ScaLAPACK's arrays. Each of these moves pieces between two places. A piece that stays on its rank is copied there;
 * the others pass staging memory of a fixed size in rounds.
 *
 * A round is a range of positions of the walk over the pieces. It begins where the last round ended, and ends where the first
 * rank would send or receive more than its staging memory holds. Every rank visits the same pieces in the same order, so each
 * rank knows without a message what the others send, and all ranks do the same round. A single piece always fits, so a round has
 * at least one piece, and the rounds end.
 */
#include "src/matrix/layers.h"
#include "src/move/pieces.h"

#include <stdlib.h>

enum { LARGEST_ELEMENT = 16 };
_Static_assert(STAGING_BYTES >= LARGEST_ELEMENT * PIECE_ROWS * PIECE_ROWS, "a piece fits a box, or a round would never begin");

struct journey {
    struct pieces pieces;
    struct rma_exchange *exchange;
    int me, ranks;
    bool homeward;              /* both places are of one matrix: a piece that stays on its rank is already in place */
    int64_t room;               /* of each box of the exchange, in bytes */
    int64_t most;               /* most positions of a round: a rank with little to send must not visit all remaining pieces */
    int64_t load[2];            /* bytes that would leave and arrive */
    int64_t *first[2];          /* [end][ranks + 1]: offsets by target rank in the outbox, by source rank in the inbox */
    int64_t *next[2];           /* [end][rank]: the next offset while pieces are packed and unpacked */
};

/* ---- visits to the pieces of a round -------------------------------------------------------------------------------------- */

static bool stays(const struct piece *piece)
{
    return piece->rank[FROM] == piece->rank[TO];
}

/* The box of this rank that a travelling piece passes: the outbox at the FROM end. Also finds the rank at the other end. */
static enum piece_end my_end(const struct journey *j, const struct piece *piece)
{
    return piece->rank[FROM] == j->me ? FROM : TO;
}
static int other_rank(const struct journey *j, const struct piece *piece)
{
    return piece->rank[my_end(j, piece) == FROM ? TO : FROM];
}

static bool still_fits(void *journey, const struct piece *piece)
{
    struct journey *j = journey;
    int64_t *load = &j->load[my_end(j, piece)], bytes = piece_bytes(&j->pieces, piece);
    if (stays(piece))
        return true;
    if (*load + bytes > j->room)
        return false;
    *load += bytes;
    return true;
}

static bool count_bytes(void *journey, const struct piece *piece)
{
    struct journey *j = journey;
    if (!stays(piece))
        j->first[my_end(j, piece)][other_rank(j, piece) + 1] += piece_bytes(&j->pieces, piece);
    return true;
}

/* The piece's offset in a box. */
static int64_t take_place(struct journey *j, const struct piece *piece)
{
    int64_t *next = &j->next[my_end(j, piece)][other_rank(j, piece)], place = *next;
    *next += piece_bytes(&j->pieces, piece);
    return place;
}

static bool send_off(void *journey, const struct piece *piece)
{
    struct journey *j = journey;
    if (stays(piece) && !j->homeward)
        piece_copy(&j->pieces, piece);
    else if (!stays(piece) && my_end(j, piece) == FROM)
        piece_pack(&j->pieces, piece, (char *)rma_exchange_outbox(j->exchange) + take_place(j, piece));
    return true;
}

static bool receive(void *journey, const struct piece *piece)
{
    struct journey *j = journey;
    if (!stays(piece) && my_end(j, piece) == TO)
        piece_unpack(&j->pieces, piece, (const char *)rma_exchange_inbox(j->exchange) + take_place(j, piece));
    return true;
}

/* ---- rounds --------------------------------------------------------------------------------------------------------------- */

/* Fills first and next for the pieces at positions begin .. end-1. */
static void plan_round(struct journey *j, int64_t begin, int64_t end)
{
    for (enum piece_end e = FROM; e <= TO; e++)
        for (int i = 0; i <= j->ranks; i++)
            j->first[e][i] = 0;
    pieces_walk(&j->pieces, begin, end, count_bytes, j);
    for (enum piece_end e = FROM; e <= TO; e++)
        for (int i = 0; i < j->ranks; i++) {
            j->next[e][i] = j->first[e][i];
            j->first[e][i + 1] += j->first[e][i];
        }
}

/* Does the round that begins at position `begin`; *end becomes the position where the round ended. */
static int make_round(struct journey *j, int64_t begin, int64_t *end)
{
    j->load[FROM] = j->load[TO] = 0;
    *end = pieces_walk(&j->pieces, begin, begin + j->most < pieces_end(&j->pieces) ? begin + j->most : pieces_end(&j->pieces),
                       still_fits, j);
    int code = rma_exchange_agree(j->exchange, end);
    if (code != MPI_SUCCESS)
        return code;
    plan_round(j, begin, *end);
    pieces_walk(&j->pieces, begin, *end, send_off, j);
    code = rma_exchange_move(j->exchange, j->first[FROM], j->first[TO]);
    if (code == MPI_SUCCESS)
        pieces_walk(&j->pieces, begin, *end, receive, j);
    return code;
}

/* After a failure this rank continues with the following rounds, because the other ranks would wait for it. */
static ompfact_status make_rounds(struct journey *j, ompfact_grid *grid)
{
    ompfact_status status = OMPFACT_SUCCESS;
    for (int64_t begin = 0, end; begin < pieces_end(&j->pieces); begin = end) {
        int code = make_round(j, begin, &end);
        if (code != MPI_SUCCESS && status == OMPFACT_SUCCESS)
            status = fail_mpi(grid, code);
    }
    return agree(grid, status);
}

static ompfact_status report_journey(ompfact_grid *grid, double seconds, int64_t bytes, ompfact_report *report)
{
    TRY_MPI(grid, rma_allreduce(grid->rma, &seconds, 1, MPI_DOUBLE, MPI_MAX));
    TRY_MPI(grid, rma_allreduce(grid->rma, &bytes, 1, MPI_INT64_T, MPI_SUM));
    *report = report_of_nothing();
    report->seconds = seconds;
    report->transfer_bytes = bytes;
    return OMPFACT_SUCCESS;
}

/* ---- a journey ------------------------------------------------------------------------------------------------------------ */

/* Allocates a journey. On failure the function frees all that it allocated. Collective. */
static ompfact_status prepare(struct journey *j, const ompfact_matrix *A, struct piece_place from, struct piece_place to)
{
    ompfact_grid *grid = A->grid;
    int ranks = A->ranks;
    int64_t bytes = A->shape.m * A->shape.n * (int64_t)A->precision->size, room = bytes < STAGING_BYTES ? bytes : STAGING_BYTES;
    *j = (struct journey){ .me = A->me, .ranks = ranks, .homeward = from.A == to.A };
    TRY(staging_get(grid, room));
    j->exchange = grid->exchange;
    j->room = grid->exchange_room;
    int64_t *numbers = malloc((4 * (size_t)ranks + 2) * sizeof *numbers);
    ompfact_status status = OMPFACT_SUCCESS;
    if (!pieces_create(&j->pieces, A, from, to, (double)ranks * (double)j->room) || numbers == NULL)
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory to plan a redistribution", A->me);
    else
        for (enum piece_end e = FROM; e <= TO; e++) {
            j->first[e] = numbers + e * (ranks + 1);
            j->next[e] = numbers + 2 * (ranks + 1) + e * ranks;
        }
    if (status == OMPFACT_SUCCESS)      /* four times the number of average pieces that would fill all boxes */
        j->most = 1 + (int64_t)(4.0 * ranks * (double)j->room / ((double)bytes + 1) * (double)pieces_end(&j->pieces));
    status = agree(grid, status);
    if (status != OMPFACT_SUCCESS) {
        pieces_destroy(&j->pieces);
        free(numbers);
    }
    return status;
}

/* A is one of the places, and has the shape and the grid. */
static ompfact_status make_journey(ompfact_matrix *A, struct piece_place from, struct piece_place to, ompfact_report *report)
{
    struct journey j;
    double start = run_clock();
    TRY(prepare(&j, A, from, to));
    if (to.A != NULL && !j.homeward) {
        matrix_begins_anew(to.A);
        matrix_touched(to.A);
    }
    int64_t before = rma_exchange_bytes(j.exchange);
    ompfact_status status = make_rounds(&j, A->grid);
    int64_t bytes = rma_exchange_bytes(j.exchange) - before;
    pieces_destroy(&j.pieces);
    free(j.first[FROM]);        /* frees all four arrays */
    return status != OMPFACT_SUCCESS ? status : report_journey(A->grid, run_clock() - start, bytes, report);
}

static struct piece_place tiles_of(ompfact_matrix *A)
{
    return (struct piece_place){ .A = A, .spread = A->spread };
}

/* ---- for the caller ------------------------------------------------------------------------------------------------------- */

/* For a matrix whose first rows are eliminated: the number of finished steps in B. A tile of B must begin at the first remaining
   row. */
static ompfact_status part_of(const ompfact_matrix *A, const ompfact_matrix *B, int *done)
{
    *done = 0;
    if (!is_in_part(A))
        return OMPFACT_SUCCESS;
    if (holds_signs(A))      /* the other parts of such factors do not move */
        return check_whole(A, NULL);
    int64_t rows = ompfact_eliminated(A);
    *done = tiling_part(&B->rows, rows);
    if (B->rows.start[*done] == rows && B->cols.start[*done] == rows)
        return OMPFACT_SUCCESS;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "%lld rows are eliminated, and in the other matrix no tile begins behind row "
                                               "and column %lld: set ompfact_shape.cut", (long long)rows, (long long)rows);
}

ompfact_status ompfact_redistribute(ompfact_matrix *A, ompfact_matrix *B)
{
    int done;
    if (A == B || A->grid != B->grid)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "a matrix is redistributed to another one on the same grid, not to %s",
                    A == B ? "itself" : "one on another grid");
    if (A->shape.m != B->shape.m || A->shape.n != B->shape.n || A->precision != B->precision ||
        A->shape.structure != B->shape.structure)
        return fail(
            A->grid, OMPFACT_BAD_ARGUMENT,
            "a matrix is redistributed to another one of the same rows, columns, type and structure: not %lld x %lld of type "
            "%c to %lld x %lld of type %c%s",
            (long long)A->shape.m, (long long)A->shape.n, A->precision->type, (long long)B->shape.m, (long long)B->shape.n,
            B->precision->type, A->shape.structure != B->shape.structure ? ", or to another structure" : "");
    TRY(check_dense(A));
    TRY(check_dense(B));
    TRY(part_of(A, B, &done));
    TRY(agree_memory(A->grid, !A->pivoted || matrix_has_ipiv(B), "for pivots"));
    TRY(make_journey(A, tiles_of(A), (struct piece_place){ .A = B }, &B->report));
    /* Factors of Cholesky and LU do not depend on the tiles. Reflectors and partly factored matrices do. */
    B->contents = A->contents == CONTENTS_CHOLESKY || A->contents == CONTENTS_LU ? A->contents : CONTENTS_PLAIN;
    B->pivoted = A->pivoted;
    for (int64_t i = 0; A->pivoted && i < shorter_side(A); i++)
        B->ipiv[i] = A->ipiv[i];
    B->done = B->left = done;
    B->done_by = A->done_by;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_bring_home(ompfact_matrix *A)
{
    ompfact_report way;
    if (!A->spread)
        return OMPFACT_SUCCESS;
    TRY(make_journey(A, tiles_of(A), (struct piece_place){ .A = A }, &way));
    A->spread = false;
    A->report.transfers_home += layers_tiles_elsewhere(A);
    A->report.seconds += way.seconds;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_from_scalapack(ompfact_matrix *A, const ompfact_scalapack *source, const void *local)
{
    CLEANUP(block_cyclic_destroy) struct block_cyclic array;
    TRY(block_cyclic_create(&array, A, source, local));
    struct piece_place from = { .array = &array, .local = (char *)local };
    return make_journey(A, from, (struct piece_place){ .A = A }, &A->report);
}

ompfact_status ompfact_to_scalapack(ompfact_matrix *A, const ompfact_scalapack *target, void *local)
{
    CLEANUP(block_cyclic_destroy) struct block_cyclic array;
    TRY(block_cyclic_create(&array, A, target, local));
    return make_journey(A, tiles_of(A), (struct piece_place){ .array = &array, .local = local }, &A->report);
}
