/*
 * Rounds of a tour. A round is a range of positions of the groups. It ends where the first rank would send or receive more than
 * its staging memory holds. Every rank walks the same groups, so it knows without a message what each rank sends.
 */
#include "src/butterfly/tour.h"

enum { LEAST_ROOM = 1 << 20 };      /* least bytes of a box: a group of the largest elements fits, so each round makes progress */
enum { ROOM_SHARE = 256 };          /* a box of a large matrix has this fraction of the rank's part of the matrix */
enum { LEAST_GROUPS = 64 };         /* least groups of a round for each rank on average, for its threads to compute */

_Static_assert(GROUP_PATCHES * LONGEST_SPAN * LONGEST_SPAN * 16 <= LEAST_ROOM, "a group does not fit into a box");

/* ---- the contents of a round -------------------------------------------------------------------------------------------- */

/* Whether a patch passes a box of this rank: fills in which box, and the rank at the other end. */
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
    for (int k = 0; k < group->count; k++)      /* the worker is a rank that owns some patches of the group */
        if (group->patch[k].rank == t->me)
            return true;
    return false;
}

/* The position at which a round would end for this rank. */
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

/* Copies this rank's patches of a group that another rank computes: into the box OUT, or with `back` out of the results in that
   box. */
static void pass_patches(struct tour *t, int64_t index, bool back)
{
    const struct stop *stop = &t->stops[index];
    void *box = back ? (void *)rma_exchange_inbox(t->exchange) : rma_exchange_outbox(t->exchange);
    struct group group;
    if (!group_at(&t->groups, stop->position, &group) || group.worker == t->me)
        return;
    for (int k = 0; k < group.count; k++) {
        if (group.patch[k].rank != t->me)
            continue;
        char *place = place_in(t, OUT, group.worker, stop, k, box);
        if (back)
            patch_write(&t->groups, &group, &group.patch[k], place, group.rows->size);
        else
            patch_read(&t->groups, &group, &group.patch[k], place, group.rows->size);
    }
}

static void send_patches(void *tour, int64_t index)
{
    pass_patches(tour, index, false);
}

static void take_patches(void *tour, int64_t index)
{
    pass_patches(tour, index, true);
}

/* Does the round that begins at position `begin`; *end becomes its end. A failure is returned after the last exchange, so that
   other ranks can continue. Outboxes are written only after all ranks have read them (rma/rma.h). */
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
    run_each(threads, t->count, compute_group, t);
    int back = rma_exchange_move(t->exchange, t->first[IN], t->first[OUT]);
    run_each(threads, t->count, take_patches, t);
    return code != MPI_SUCCESS ? code : agreed != MPI_SUCCESS ? agreed : back;
}

int make_all_rounds(struct tour *t, int threads)
{
    int code = MPI_SUCCESS;
    for (int64_t begin = 0, end; begin < groups_end(&t->groups); begin = end) {
        int now = make_round(t, threads, begin, &end);
        code = code == MPI_SUCCESS ? now : code;
    }
    return code;
}

/* ---- the size of a round ------------------------------------------------------------------------------------------------ */

static int64_t bytes_of(const ompfact_matrix *A)
{
    return A->shape.m * A->shape.n * (int64_t)A->precision->size;
}

int64_t round_room(const ompfact_matrix *A)
{
    int64_t bytes = bytes_of(A), room = bytes / A->ranks / ROOM_SHARE;
    room = room < LEAST_ROOM ? LEAST_ROOM : room < STAGING_BYTES ? room : STAGING_BYTES;
    return room < bytes ? room : bytes;
}

/* Four times the number of positions that would fill all boxes at the mean patch size. The limit keeps a rank with little to send
   from visiting all groups in one round. */
int64_t round_positions(const struct tour *t)
{
    double filling = 4.0 * t->ranks * (double)t->room / ((double)bytes_of(t->groups.A) + 1);
    return LEAST_GROUPS * t->ranks + (int64_t)(filling * (double)groups_end(&t->groups));
}
