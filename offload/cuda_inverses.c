/*
 * Inverses by which trsm multiplies instead of solving (J. Du Croz, N. Higham, "Stability of methods for matrix inversion",
 * IMA J. Numer. Anal. 12, 1992: as accurate as blocks of the triangle are well conditioned). A lane keeps those of the last
 * few triangles, since all tiles of a panel use the same ones; its stream orders their computation before their use. The
 * address of the triangle identifies them, so every write to that memory discards them: all kernels do so, and moves to the
 * device. The order of tasks puts such a write after the reads of the triangle.
 */
#include "offload/cuda.h"

static struct cuda_device *device_now(void)
{
    return cuda_device_of(current.offload, current.device);
}

static bool same(const struct cuda_inverses *a, const struct cuda_inverses *b)
{
    return a->of == b->of && a->type == b->type && a->uplo == b->uplo && a->diag == b->diag && a->order == b->order &&
           a->ld == b->ld && a->block == b->block;
}

const struct cuda_inverses *cuda_find_inverses(struct cuda_lane *lane, const struct cuda_inverses *like)
{
    struct cuda_device *d = device_now();
    const struct cuda_inverses *found = NULL;
    pthread_mutex_lock(&d->inverses_held);
    for (int i = 0; i < CUDA_INVERSES && found == NULL; i++)
        if (same(&lane->inverses[i], like))
            found = &lane->inverses[i];
    pthread_mutex_unlock(&d->inverses_held);
    return found;
}

/* The lane's kernels that read the former inverses come before those that write the new ones. */
const struct cuda_inverses *cuda_new_inverses(struct cuda_lane *lane, const struct cuda_inverses *like)
{
    struct cuda_device *d = device_now();
    struct cuda_inverses *i = &lane->inverses[lane->next_inverses];
    void *data = cuda_room(&i->data, &i->bytes, like->bytes);
    if (data == NULL)
        return NULL;
    lane->next_inverses = (lane->next_inverses + 1) % CUDA_INVERSES;
    struct cuda_inverses made = *like;
    made.data = data;
    made.bytes = i->bytes;
    pthread_mutex_lock(&d->inverses_held);
    *i = made;
    pthread_mutex_unlock(&d->inverses_held);
    atomic_store(&d->has_inverses, true);
    return i;
}

static void discard(struct cuda_lane *lane, const char *start, const char *end)
{
    for (int i = 0; i < CUDA_INVERSES; i++)
        if (lane->inverses[i].of < end && start < lane->inverses[i].end)
            lane->inverses[i].of = lane->inverses[i].end = NULL;
}

void cuda_discard_inverses(const void *on_device, size_t bytes)
{
    struct cuda_device *d = device_now();
    const char *start = on_device;
    if (!atomic_load(&d->has_inverses))
        return;
    pthread_mutex_lock(&d->inverses_held);
    for (int lane = 0; lane < LANES; lane++)
        discard(&d->lane[lane], start, start + bytes);
    pthread_mutex_unlock(&d->inverses_held);
}

bool cuda_room_for_inverses(struct cuda_lane *lane, size_t bytes)
{
    struct cuda_device *d = device_now();
    bool made = true;
    pthread_mutex_lock(&d->inverses_held);
    for (int i = 0; i < CUDA_INVERSES; i++)
        lane->inverses[i].of = lane->inverses[i].end = NULL;
    pthread_mutex_unlock(&d->inverses_held);
    for (int i = 0; i < CUDA_INVERSES && made && bytes > 0; i++)
        made = cuda_room(&lane->inverses[i].data, &lane->inverses[i].bytes, bytes) != NULL;
    return made;
}
