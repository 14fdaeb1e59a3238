/* Triangular solves with matrices of any layout. */
#ifndef OMPFACT_SRC_SOLVE_TRSM_H
#define OMPFACT_SRC_SOLVE_TRSM_H

#include "src/solve/solve.h"

/* Refuses a side, a triangle or an op that is none of these letters: a caller's own letters are converted without a check. */
ompfact_status check_letter(const ompfact_matrix *A, const char *name, int letter, const char *letters);

/* B := (re + i im) B, or the complex conjugate of that. Local. */
void scale_tiles(ompfact_matrix *B, double re, double im, bool conjugate);

/* job->B := op(T)^-1 B or B op(T)^-1, where T is the triangle of job->A that the job names; B has A's tile rows (columns).
   Collective. */
ompfact_status solve_matrix(struct job *job, ompfact_report *report);

#endif
