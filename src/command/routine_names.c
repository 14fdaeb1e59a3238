/* Routines by the names that they have elsewhere. */
#include "src/command/options_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *here;
} elsewhere[] = {
    { "chol", "potrf" }, { "cholesky", "potrf" }, { "llt", "potrf" }, { "cho_factor", "potrf" },
    { "lu", "getrf" }, { "plu", "getrf" }, { "lu_factor", "getrf" }, { "gauss", "getrf" },
    { "ldl", "sytrf" }, { "ldlt", "sytrf" }, { "bunch-kaufman", "sytrf" }, { "inertia", "sytrf" },
    { "det", "getrf, whose logdet is in --json" },
    { "qr", "geqrf" },
    { "solve", "gesv, or posv where A is positive definite" }, { "linsolve", "gesv" },
    { "cho_solve", "posv" }, { "lu_solve", "gesv" },
    { "lstsq", "gels" }, { "ls", "gels" }, { "leastsquares", "gels" }, { "least-squares", "gels" },
    { "inv", "getri, or potri where A is positive definite" }, { "inverse", "getri, or potri where A is positive definite" },
    { "solve_triangular", "trsm" }, { "trtrs", "trsm" }, { "hpl", "gesv" }, { "linpack", "gesv" },
};

/* Names of LAPACK and ScaLAPACK, in upper or lower case: "dpotrf", "PZGETRF". */
static const char *without_type(const char *name)
{
    name += strlen(name) > 5 && tolower((unsigned char)*name) == 'p' && strchr("sdczSDCZ", name[1]) != NULL;
    name += strlen(name) > 4 && strchr("sdczSDCZ", *name) != NULL;
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        if (strcasecmp(r->name, name) == 0)
            return r->name;
    return NULL;
}

const char *routine_meant(const char *name)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcasecmp(elsewhere[i].name, name) == 0)
            return elsewhere[i].here;
    return without_type(name);
}
