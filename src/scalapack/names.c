/* Every name of every routine: name_, name and NAME, the spellings of Fortran compilers, and ompfact_name_ and ompfact_name.
   Compiled twice: for the library that serves calls, and for the drop-in that selects it. */
#ifdef SCALAPACK_DISPATCHER
#include "src/scalapack/dispatch.h"
#define SERVE(letter, name, parameter) dispatch("p" #letter #name "_", parameter, sizeof parameter / sizeof parameter[0])
#else
#include "src/scalapack/call.h"
#define SERVE(letter, name, parameter) scalapack_call(&scalapack_##name, #letter[0], parameter)
#endif

#define PARAMETERS_4 void *p1, void *p2, void *p3, void *p4
#define PARAMETERS_6 PARAMETERS_4, void *p5, void *p6
#define PARAMETERS_7 PARAMETERS_6, void *p7
#define PARAMETERS_8 PARAMETERS_7, void *p8
#define PARAMETERS_9 PARAMETERS_8, void *p9
#define PARAMETERS_10 PARAMETERS_9, void *p10
#define PARAMETERS_11 PARAMETERS_10, void *p11
#define PARAMETERS_12 PARAMETERS_11, void *p12
#define PARAMETERS_13 PARAMETERS_12, void *p13
#define PARAMETERS_15 PARAMETERS_13, void *p14, void *p15
#define PARAMETERS_16 PARAMETERS_15, void *p16
#define PARAMETERS_17 PARAMETERS_16, void *p17
#define VALUES_4 p1, p2, p3, p4
#define VALUES_6 VALUES_4, p5, p6
#define VALUES_7 VALUES_6, p7
#define VALUES_8 VALUES_7, p8
#define VALUES_9 VALUES_8, p9
#define VALUES_10 VALUES_9, p10
#define VALUES_11 VALUES_10, p11
#define VALUES_12 VALUES_11, p12
#define VALUES_13 VALUES_12, p13
#define VALUES_15 VALUES_13, p14, p15
#define VALUES_16 VALUES_15, p16
#define VALUES_17 VALUES_16, p17

#define SPELLING(name, target, count)                                                                                           \
    void name(PARAMETERS_##count) __attribute__((alias(#target), visibility("default")))

/* Fortran appends the lengths of strings to the parameters; we ignore them. */
#define ENTRY(letter, name, LETTER, NAME, count)                                                                                \
    void ompfact_p##letter##name##_(PARAMETERS_##count) __attribute__((visibility("default")));                                 \
    void ompfact_p##letter##name##_(PARAMETERS_##count)                                                                         \
    {                                                                                                                           \
        void *parameter[] = { VALUES_##count };                                                                                 \
        SERVE(letter, name, parameter);                                                                                         \
    }                                                                                                                           \
    SPELLING(ompfact_p##letter##name, ompfact_p##letter##name##_, count);                                                       \
    SPELLING(p##letter##name##_, ompfact_p##letter##name##_, count);                                                            \
    SPELLING(p##letter##name, ompfact_p##letter##name##_, count);                                                               \
    SPELLING(P##LETTER##NAME, ompfact_p##letter##name##_, count);

#define REAL(name, NAME, count) ENTRY(s, name, S, NAME, count) ENTRY(d, name, D, NAME, count)
#define COMPLEX(name, NAME, count) ENTRY(c, name, C, NAME, count) ENTRY(z, name, Z, NAME, count)
#define ALL(name, NAME, count) REAL(name, NAME, count) COMPLEX(name, NAME, count)

ALL(potrf, POTRF, 7)
ALL(potrs, POTRS, 12)
ALL(potri, POTRI, 7)
ALL(posv, POSV, 12)
ALL(pocon, POCON, 13)
ALL(trtri, TRTRI, 8)
ALL(trsm, TRSM, 15)
ALL(getrf, GETRF, 8)
ALL(getrs, GETRS, 13)
ALL(getri, GETRI, 11)
ALL(gesv, GESV, 12)
ALL(geqrf, GEQRF, 10)
REAL(ormqr, ORMQR, 17)
COMPLEX(unmqr, UNMQR, 17)
REAL(orgqr, ORGQR, 11)
COMPLEX(ungqr, UNGQR, 11)
ALL(gels, GELS, 15)
