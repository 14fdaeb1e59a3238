/* The parameters of a call by their kinds, and sizes. */
#include "src/scalapack/call.h"

#include <stdio.h>

void call_open(struct call *c)
{
    snprintf(c->name, sizeof c->name, "p%c%s", c->type, c->routine->name);
    for (const enum word *w = c->routine->parameter; *w != END; w++) {
        c->of[*w] = c->parameter[c->count];
        c->place[*w] = c->count + 1;
        c->count += *w == ARRAY_A || *w == ARRAY_B ? 4 : 1;
    }
}

int64_t size_of(const struct call *c, int size)
{
    int64_t m = c->of[M] != NULL ? number_of(c, M) : 0, n = c->of[N] != NULL ? number_of(c, N) : 0;
    switch (size) {
    case M:
        return m;
    case N:
        return n;
    case ORDER:
        return letter_of(c, SIDE) == 'L' ? m : n;
    case LONGER:
        return m > n ? m : n;
    default:
        return number_of(c, (enum word)size);
    }
}

void set_info(const struct call *c, int64_t info)
{
    if (c->of[INFO] != NULL)
        *(int *)c->of[INFO] = (int)info;
}
