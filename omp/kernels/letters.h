/* What letters stand for: BLAS's, and those of the four types. */
#ifndef OMPFACT_OMP_KERNELS_LETTERS_H
#define OMPFACT_OMP_KERNELS_LETTERS_H

/* BLAS's, which are passed on as they are. */
enum side { LEFT = 'L', RIGHT = 'R' };
enum uplo { LOWER = 'L', UPPER = 'U', GENERAL = 'G' };
enum trans { NO_TRANS = 'N', TRANS = 'T', CONJ_TRANS = 'C' };      /* BLAS takes 'C' for real types too, where it means 'T' */
enum diag { NON_UNIT = 'N', UNIT = 'U', NON_ZERO = 'Z' };   /* not unit, and a zero counts as one */

/* Where a type is in a table of all four; -1: it is none of them. */
enum { TYPE_S, TYPE_D, TYPE_C, TYPE_Z, TYPES };
static inline int type_index(char type)
{
    return type == 's' ? TYPE_S : type == 'd' ? TYPE_D : type == 'c' ? TYPE_C : type == 'z' ? TYPE_Z : -1;
}

#endif
