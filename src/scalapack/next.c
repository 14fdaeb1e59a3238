/* The libraries behind this one. */
#include "src/scalapack/blacs.h"
#include "src/scalapack/call.h"
#include "src/scalapack/find.h"

#include <stdio.h>
#include <string.h>

typedef void any_routine(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                         void *, void *, void *, void *, void *, void *, void *);

/* Of the routine that this call is for, in the spelling that Fortran compilers mostly use. */
static any_routine *next_of(const struct call *c)
{
    char name[sizeof c->name + 1];
    any_routine *routine;
    snprintf(name, sizeof name, "%s_", c->name);
    *(void **)&routine = find_name(name);
    return routine;
}

bool has_next(const struct call *c)
{
    return next_of(c) != NULL;
}

static int handed_on;       /* calls, one in another, that are being served by somebody else */

bool is_called_by_next(void)
{
    return handed_on > 0;
}

/* Behind the parameters are the lengths of strings, all of one letter, for Fortran routines that look for them. More than a
   routine takes do no harm where the caller takes parameters off the stack, as C compilers on all our systems do. */
void hand_on(struct call *c)
{
    void *p[MOST_PARAMETERS];
    for (int i = 0; i < MOST_PARAMETERS; i++)
        p[i] = i < c->count ? c->parameter[i] : (void *)1;
    handed_on++;
    next_of(c)(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17],
               p[18], p[19]);
    handed_on--;
}

/* PDPOTRF */
static void upper_case(const struct call *c, char name[sizeof c->name])
{
    for (size_t i = 0; i < sizeof c->name; i++)
        name[i] = c->name[i] != '\0' ? (char)(c->name[i] - 'a' + 'A') : '\0';
}

void complain(const struct call *c, int info)
{
    void (*pxerbla)(int *context, const char *name, int *info, size_t length);
    char name[sizeof c->name];
    int context = desc_of(c, ARRAY_A)[CTXT_], number = -info, nprow, npcol, myrow, mycol;
    *(void **)&pxerbla = find_name("pxerbla_");
    upper_case(c, name);
    if (pxerbla != NULL) {
        pxerbla(&context, name, &number, strlen(name));
        return;
    }
    blacs_grid(context, &nprow, &npcol, &myrow, &mycol);
    fprintf(stderr, "{%5d,%5d}:  On entry to %s parameter number %4d had an illegal value\n", myrow, mycol, name, number);
}
