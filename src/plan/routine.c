/* The table of routines. */
#include "src/plan/forecast.h"

#include <string.h>

static const ompfact_routine routines[] = {
    { "potrf", "Cholesky factorization",              OMPFACT_BY_CHOLESKY, .square = true },
    { "getrf", "LU factorization",                    OMPFACT_BY_LU,       .square = false },
    { "geqrf", "QR factorization",                    OMPFACT_BY_QR,       .square = false, .purpose = OMPFACT_FOR_QR },
    { "sytrf", "symmetric indefinite factorization",  OMPFACT_BY_INDEFINITE, .square = true, .symmetric = true },
    { "hetrf", "Hermitian indefinite factorization",  OMPFACT_BY_INDEFINITE, .square = true },
    { "posv",  "solves A X = B by Cholesky",          OMPFACT_BY_CHOLESKY, .square = true, .solves = true },
    { "gesv",  "solves A X = B by LU",                OMPFACT_BY_LU,       .square = true, .solves = true },
    { "gels",  "solves least squares problems by QR", OMPFACT_BY_QR,       .solves = true, .purpose = OMPFACT_FOR_LEAST_SQUARES },
    { "sysv",  "solves A X = B, A symmetric",         OMPFACT_BY_INDEFINITE, .square = true, .solves = true, .symmetric = true },
    { "hesv",  "solves A X = B, A Hermitian",         OMPFACT_BY_INDEFINITE, .square = true, .solves = true },
    { "potrs", "solves A X = B after potrf",          OMPFACT_BY_CHOLESKY, .square = true, .solves = true, .factored = true },
    { "getrs", "solves A X = B after getrf",          OMPFACT_BY_LU,       .square = true, .solves = true, .factored = true },
    { "sytrs", "solves A X = B after sytrf",          OMPFACT_BY_INDEFINITE, .square = true, .solves = true, .factored = true,
      .symmetric = true },
    { "hetrs", "solves A X = B after hetrf",          OMPFACT_BY_INDEFINITE, .square = true, .solves = true, .factored = true },
    { "trsm",  "solves T X = B, T a triangle",        OMPFACT_BY_CHOLESKY, .square = true, .solves = true, .triangular = true },
    { "potri", "inverse by Cholesky",                 OMPFACT_BY_CHOLESKY, .square = true, .inverts = true, .factored = true,
      .purpose = OMPFACT_FOR_INVERSE },
    { "getri", "inverse by LU",                       OMPFACT_BY_LU,       .square = true, .inverts = true, .factored = true,
      .purpose = OMPFACT_FOR_INVERSE },
    { "trtri", "inverse of a triangle",               OMPFACT_BY_CHOLESKY, .square = true, .inverts = true, .triangular = true,
      .purpose = OMPFACT_FOR_INVERSE },
    { .name = NULL },
};

const ompfact_routine *ompfact_routines(void)
{
    return routines;
}

const ompfact_routine *ompfact_routine_find(const char *name)
{
    for (const ompfact_routine *r = routines; name != NULL && r->name != NULL; r++)
        if (strcmp(r->name, name) == 0)
            return r;
    return NULL;
}
