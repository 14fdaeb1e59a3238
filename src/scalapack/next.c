/* Calls of the libraries behind this one. */
#include "src/scalapack/blacs.h"
#include "src/scalapack/call.h"
#include "src/scalapack/find.h"

#include <stdio.h>
#include <string.h>

/* Finds the routine of this call, in the spelling that most Fortran compilers use. */
static void *next_of(const struct call *c)
{
    char name[sizeof c->name + 1];
    snprintf(name, sizeof name, "%s_", c->name);
    return find_name(name);
}

bool has_next(const struct call *c)
{
    return next_of(c) != NULL;
}

static int handed_on;       /* nested calls that another library is serving */

bool is_called_by_next(void)
{
    return handed_on > 0;
}

void hand_on(struct call *c)
{
    handed_on++;
    call_by_name(next_of(c), c->parameter, c->count);
    handed_on--;
}

void complain(const struct call *c, int info)
{
    void (*pxerbla)(int *context, const char *name, int *info, size_t length);
    char name[sizeof c->name];      /* PDPOTRF */
    int context = desc_of(c, ARRAY_A)[CTXT_], number = -info, nprow, npcol, myrow, mycol;
    *(void **)&pxerbla = find_name("pxerbla_");
    for (size_t i = 0; i < sizeof c->name; i++)
        name[i] = c->name[i] != '\0' ? (char)(c->name[i] - 'a' + 'A') : '\0';
    if (pxerbla != NULL) {
        pxerbla(&context, name, &number, strlen(name));
        return;
    }
    blacs_grid(context, &nprow, &npcol, &myrow, &mycol);
    fprintf(stderr, "{%5d,%5d}:  On entry to %s parameter number %4d had an illegal value\n", myrow, mycol, name, number);
}
