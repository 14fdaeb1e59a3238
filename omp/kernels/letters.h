/* The meaning of letters: those of BLAS, and those of the four types. */
#ifndef OMPFACT_OMP_KERNELS_LETTERS_H
#define OMPFACT_OMP_KERNELS_LETTERS_H

/* Letters of BLAS, passed to it unchanged. */
enum side { LEFT = 'L', RIGHT = 'R' };
enum uplo { LOWER = 'L', UPPER = 'U', GENERAL = 'G' };
enum trans { NO_TRANS = 'N', TRANS = 'T', CONJ_TRANS = 'C' };      /* for real types BLAS takes 'C' as 'T' */
enum diag { NON_UNIT = 'N', UNIT = 'U', NON_ZERO = 'Z' };   /* NON_ZERO: not unit, and a zero counts as one */

/* The index of a type in tables of all four; -1: no type has this letter. */
enum { TYPE_S, TYPE_D, TYPE_C, TYPE_Z, TYPES };
static inline int type_index(char type)
{
    return type == 's' ? TYPE_S : type == 'd' ? TYPE_D : type == 'c' ? TYPE_C : type == 'z' ? TYPE_Z : -1;
}

#endif
