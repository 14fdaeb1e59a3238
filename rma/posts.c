/*
 * Posts: small send buffers in flight, each with the request that completes when MPI has read the buffer. Under the lock.
 *
 * If malloc fails, the caller waits for a post in flight. There is at least one, the reserve. Its receiver takes it as soon as it
 * polls, and every rank polls until the closing barrier of the run, also while it waits here.
 */
#include "rma/state.h"

#include <stdlib.h>

static struct rma_post *spare_of(struct rma_posts *p)
{
    struct rma_post *post = p->spare;
    if (post != NULL)
        p->spare = post->next;
    return post;
}

struct rma_post *rma_post_take(struct rma *rma)
{
    struct rma_posts *p = &rma->posts;
    struct rma_post *post = spare_of(p);
    if (post == NULL)
        post = malloc(sizeof *post);
    for (struct rma_backoff backoff = { 0 }; post == NULL; rma_back_off(&backoff)) {
        rma_posts_progress(rma);
        rma_messages_progress(rma);
        post = spare_of(p);
    }
    post->request = MPI_REQUEST_NULL;
    return post;
}

void rma_posted(struct rma *rma, struct rma_post *post)
{
    post->next = rma->posts.sent;
    rma->posts.sent = post;
}

void rma_posts_progress(struct rma *rma)
{
    struct rma_posts *p = &rma->posts;
    for (struct rma_post **link = &p->sent; *link != NULL;) {
        struct rma_post *post = *link;
        int taken = 1;
        rma_note_error(rma, MPI_Test(&post->request, &taken, MPI_STATUS_IGNORE));
        if (!taken) {
            link = &post->next;
            continue;
        }
        *link = post->next;
        post->next = p->spare;
        p->spare = post;
    }
}

void rma_posts_free(struct rma *rma)
{
    struct rma_posts *p = &rma->posts;
    for (struct rma_post *post = spare_of(p); post != NULL; post = spare_of(p))
        if (post != &p->reserve)
            free(post);
    p->reserve.next = NULL;
    p->spare = &p->reserve;
}

bool rma_posts_are_quiet(const struct rma *rma)
{
    return rma->posts.sent == NULL;
}
