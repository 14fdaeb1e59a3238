#include "omp/kernels/workspace.h"

#include <stdlib.h>

/* The header of a piece of memory. */
struct piece {
    struct piece *next;
    size_t bytes;
};

enum { ALIGNMENT = 64 };

static _Thread_local struct piece *kept;

static void *memory_of(struct piece *piece)
{
    return (char *)piece + ALIGNMENT;
}

/* Removes the piece that *at points to from the list. */
static struct piece *unlink_piece(struct piece **at)
{
    struct piece *piece = *at;
    *at = piece->next;
    return piece;
}

/* Returns the smallest piece that is large enough. If all are too small, one of them is freed for a larger one, so that there
   are never more pieces than are in use at once. */
void *workspace_take(size_t bytes)
{
    struct piece **best = NULL;
    for (struct piece **at = &kept; *at != NULL; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (best == NULL || (*at)->bytes < (*best)->bytes))
            best = at;
    if (best != NULL)
        return memory_of(unlink_piece(best));
    if (kept != NULL)
        free(unlink_piece(&kept));
    size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct piece *piece = aligned_alloc(ALIGNMENT, ALIGNMENT + whole);
    if (piece == NULL) {        /* pieces that are too small may take the memory that is needed */
        workspace_free();
        piece = aligned_alloc(ALIGNMENT, ALIGNMENT + whole);
    }
    if (piece == NULL)
        return NULL;
    piece->bytes = whole;
    return memory_of(piece);
}

void workspace_give(void *memory)
{
    if (memory == NULL)
        return;
    struct piece *piece = (struct piece *)((char *)memory - ALIGNMENT);
    piece->next = kept;
    kept = piece;
}

void workspace_free(void)
{
    while (kept != NULL)
        free(unlink_piece(&kept));
}
