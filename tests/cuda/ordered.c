/*
 * The order of operations. Operation i of stream s precedes all operations with a clock c such that c[s] >= i: later ones of the
 * stream; those behind an event that was recorded after it; and all that are queued after the host has seen it done.
 */
#include "tests/cuda/engine.h"

#include <stdlib.h>

static struct operation *newest;        /* newest of the operations that new ones are compared with */

void emulated_clock_merge(struct clock *into, const struct clock *from)
{
    if (from->count > into->count) {
        uint64_t *more = emulated_need((size_t)from->count * sizeof *more);
        for (int i = 0; i < into->count; i++)
            more[i] = into->seen[i];
        free(into->seen);
        *into = (struct clock){ .count = from->count, .seen = more };
    }
    for (int i = 0; i < from->count; i++)
        if (from->seen[i] > into->seen[i])
            into->seen[i] = from->seen[i];
}

void emulated_clock_free(struct clock *clock)
{
    free(clock->seen);
    *clock = (struct clock){ 0 };
}

static bool covers(const struct clock *clock, const struct operation *o)
{
    return o->stream->index < clock->count && clock->seen[o->stream->index] >= o->number;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------------- */

/* Bytes from the range's first to its last. */
size_t emulated_hull(const struct range *r)
{
    return r->width == 0 || r->count == 0 ? 0 : (r->count - 1) * r->pitch + r->width;
}

/* With one pitch P, column i of a and column j of b share a byte if and only if for k = i - j d - width(a) < k P < d + width(b),
   where d is the offset of b from a. */
static bool columns_overlap(const struct range *a, const struct range *b, int64_t P)
{
    int64_t d = b->start - a->start, least = d - (int64_t)a->width, first = 1 - (int64_t)b->count;
    int64_t k = least / P - (least % P < 0) + 1;
    if (k < first)
        k = first;
    return k < (int64_t)a->count && k * P < d + (int64_t)b->width;
}

bool emulated_overlap(const struct range *a, const struct range *b)
{
    size_t in_a = emulated_hull(a), in_b = emulated_hull(b);
    if (in_a == 0 || in_b == 0 || a->start + in_a <= b->start || b->start + in_b <= a->start)
        return false;
    size_t pitch = a->count == 1 ? b->pitch : a->pitch;
    if ((b->count > 1 && b->pitch != pitch) || pitch == 0)
        return true;
    return columns_overlap(a, b, (int64_t)pitch);
}

/* The range of o that conflicts: the two overlap, and one of them is written. NULL: there is none. */
static const struct range *conflict(const struct operation *o, const struct range *range)
{
    for (int i = 0; i < o->work.ranges; i++) {
        const struct range *other = &o->work.range[i];
        if ((range->written || other->written) && range->on_host == other->on_host && emulated_overlap(range, other))
            return other;
    }
    return NULL;
}

/* ---- operations --------------------------------------------------------------------------------------------------------- */

/* Discards operations that are done and that the host has seen done: they precede all later ones. */
static void forget_seen(void)
{
    for (struct operation **link = &newest; *link != NULL;) {
        struct operation *o = *link;
        if (o->finished && covers(&engine.host, o)) {
            *link = o->older;
            free(o);
        } else {
            link = &o->older;
        }
    }
}

static const char *verb(const struct range *range)
{
    return range->written ? "writes" : "reads";
}

static void compare(const struct operation *o, const struct operation *other)
{
    for (int i = 0; i < o->work.ranges; i++) {
        const struct range *mine = &o->work.range[i], *its = conflict(other, mine);
        if (its == NULL)
            continue;
        emulated_accuse(mine->on_host ? "moving" : "unordered",
                        "%s on stream %d of device %d %s memory that %s on stream %d of device %d %s, and nothing orders them",
                        o->work.name, o->stream->index, o->stream->device, verb(mine), other->work.name, other->stream->index,
                        other->stream->device, verb(its));
        return;
    }
}

void emulated_order(struct operation *o)
{
    struct stream *s = o->stream;
    forget_seen();
    emulated_clock_merge(&s->clock, &engine.host);
    o->number = s->clock.seen[s->index] + 1;
    for (const struct operation *other = newest; other != NULL; other = other->older)
        if (other->stream != s && !covers(&s->clock, other))
            compare(o, other);
    s->clock.seen[s->index] = o->number;
    o->older = newest;
    newest = o;
}

static struct operation *user(const struct range *range, bool seen_matters)
{
    struct range any = *range;
    any.written = true;
    for (struct operation *o = newest; o != NULL; o = o->older)
        if ((seen_matters ? !covers(&engine.host, o) : !o->finished) && conflict(o, &any) != NULL)
            return o;
    return NULL;
}

struct operation *emulated_unseen_user(const struct range *range)
{
    return user(range, true);
}

struct operation *emulated_unfinished_user(const struct range *range)
{
    return user(range, false);
}
