/*
 * The arithmetic on tiles, in three parts for each precision: what is known of its numbers, what is computed wherever a tile
 * lives, and what the host alone computes. Tiles are column-major; sizes are in elements; ld is the leading dimension. Nothing
 * here knows matrices or ranks.
 */
#ifndef OMPFACT_OMP_KERNELS_KERNELS_H
#define OMPFACT_OMP_KERNELS_KERNELS_H

#include "omp/kernels/letters.h"

#include <stddef.h>

enum { FEW_COLUMNS = 32 };     /* the most of geqrt_columns and tpqrt_columns */

/* A tile, or the part of it that counts, as a factor of a product. */
struct multiplicand {
    const void *data;
    int ld;
    enum uplo part;     /* GENERAL: all of it; LOWER or UPPER: the rest is zero */
    enum diag diag;     /* UNIT: ones on the diagonal, whatever is stored */
    enum trans trans;
};

/* What is computed where a tile lives: the host and each backend of devices fill in all of it. */
struct kernels {
    /* A = L L^H in the lower triangle, or A = U^H U in the upper one;
       the other is neither read nor written. Returns LAPACK's info. */
    int (*potrf)(enum uplo uplo, int n, void *A, int lda);
    /* A = L U without pivoting, L unit lower. Goes on past a zero pivot, whose column stays unscaled; returns the first one's
       1-based column, or 0. */
    int (*getrf)(int m, int n, void *A, int lda);
    /* Rows to[r] of B = rows from[r] of A, r < count, n columns; NULL stands for 0, 1, 2, ... */
    void (*copy_rows)(int count, int n, const int *from, const void *A, int lda, const int *to, void *B, int ldb);
    /* op(A) X = B or X op(A) = B, X overwrites the m x n matrix B. A zero on A's diagonal is divided by, as by BLAS; NON_ZERO: it
       counts as one, see getrf. */
    void (*trsm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, const void *A, int lda, void *B,
                 int ldb);
    /* B := alpha op(A) B or alpha B op(A), A triangular, B m x n. */
    void (*trmm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, double alpha, const void *A,
                 int lda, void *B, int ldb);
    /* C += alpha op(A) op(A)^H on one triangle of the n x n matrix C, op(A) n x k. */
    void (*herk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C, int ldc);
    /* The same without conjugates: C += alpha op(A) op(A)^T, trans NO_TRANS or TRANS. */
    void (*syrk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C, int ldc);
    /* C += alpha op(A) op(B), C m x n, inner dimension k. One column is a product of a matrix and a vector, at memory's speed. */
    void (*gemm)(enum trans transa, enum trans transb, int m, int n, int k, double alpha, const void *A, int lda, const void *B,
                 int ldb, void *C, int ldc);
    /* C += alpha A B, A Hermitian m x m of which one triangle is read, C m x n. */
    void (*hemm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb, void *C, int ldc);
    /* B += alpha A, both m x n. */
    void (*add)(int m, int n, double alpha, const void *A, int lda, void *B, int ldb);
    /* B := A^H, A m x n. */
    void (*conj_transpose)(int m, int n, const void *A, int lda, void *B, int ldb);
    /* B := A, A of the type `other`, both m x n. */
    void (*from_other)(int m, int n, const void *A, int lda, void *B, int ldb);
    /* A := 0, m x n. */
    void (*clear)(int m, int n, void *A, int lda);
    /* C += alpha op(A) op(B) with triangular factors, C m x n, inner dimension k.
       Returns 0, or 1 where there is no memory for the copies. */
    int (*product)(int m, int n, int k, double alpha, struct multiplicand A, struct multiplicand B, void *C, int ldc);
};

/* What the host alone computes: panels of few columns, norms, and what moves numbers between precisions. */
struct host_kernels {
    /* P A = L U with partial pivoting, for a few columns, n <= m: rows j and swap[j] (0-based, swap[j] >= j) were interchanged in
       step j < n, as LAPACK does. Goes on past a zero pivot, whose column stays unscaled; returns the first one's 1-based column,
       or 0. See panel.h. */
    int (*getrf_columns)(int m, int n, void *A, int lda, int *swap);
    /* A = Q R of a few columns, n <= FEW_COLUMNS, n <= m: R in the upper triangle, below it V, Q = I - V T V^H. T's strictly
       lower triangle becomes zero. See panel_qr.h. */
    void (*geqrt_columns)(int m, int n, void *A, int lda, void *T, int ldt);
    /* QR of the upper triangle R on top of the m x n matrix B, n <= FEW_COLUMNS, whose last l <= n rows are an upper
       trapezoid: V's upper part is the unit matrix, the rest replaces B. Below the diagonals nothing is read or written. */
    void (*tpqrt_columns)(int m, int l, int n, void *R, int ldr, void *B, int ldb, void *T, int ldt);
    /* As hemm and conj_transpose of struct kernels, without conjugates: A symmetric, B := A^T. */
    void (*symm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb, void *C, int ldc);
    void (*transpose)(int m, int n, const void *A, int lda, void *B, int ldb);
    /* Interchanges rows j and swap[j], j = from .. to-1 in this order, in n columns. */
    void (*laswp)(int n, void *A, int lda, int from, int to, const int *swap);
    /* sums[j] += sum_i |a_ij|, and where rows is not NULL also rows[i] += |a_ij| summed over j. part LOWER or UPPER:
       of that triangle only, and its strict part counts for rows. m x n. */
    void (*sums)(enum uplo part, int m, int n, const void *A, int lda, double *sums, double *rows);
    /* The largest modulus in the part of A, infinity where a NaN is among them. */
    double (*largest)(enum uplo part, int m, int n, const void *A, int lda);
    /* maxima[j] = max(maxima[j], max_i |a_ij|), infinity where a NaN is among them. m x n. */
    void (*maxima)(int m, int n, const void *A, int lda, double *maxima);
    /* B := A, B of the type `other`, m x n; part LOWER or UPPER: that triangle only. Returns 0, or 1 if an element of B is not
       finite: it was not in A, or is too large for B. */
    int (*convert)(enum uplo part, int m, int n, const void *A, int lda, void *B, int ldb);
    /* Smallest 1-based column-major place (j * m + i + 1) of a NaN or infinity in the part of A, or 0. */
    size_t (*not_finite)(enum uplo part, int m, int n, const void *A, int lda);
};

struct precision {
    char type;          /* 's', 'd', 'c', 'z' */
    size_t size;        /* bytes of an element */
    double eps;         /* unit roundoff, LAPACK's DLAMCH('E') */
    double smallest;    /* normal number, LAPACK's DLAMCH('U') */
    int flops_scale;    /* real operations of one multiply-add over a real one's: 1, or 4 for complex types */
    char other;         /* the type of the same numbers in the other precision */
    /* element = re + i im (im is dropped by real types), and back. */
    void (*set)(void *element, double re, double im);
    void (*get)(const void *element, double *re, double *im);
    const struct kernels *kernels;      /* the host's */
    const struct host_kernels *host;
};

/* Of a type's letter; NULL for any other letter. */
const struct precision *precision_of(char type);

/*
 * Chooses BLIS's kernels before its first call in this process, unless the user has (BLIS_ARCH_TYPE): BLIS up to 0.9 does not
 * know newer processors by name and falls back to slow kernels, on virtual machines above all. Returns the name of the kernels in
 * use, or "" where the BLAS is not BLIS.
 */
const char *blas_select_kernels(void);

#endif
