/*
 * The arithmetic on tiles of each precision, in three parts: properties of its numbers, kernels for every place of a tile, and
 * kernels of the host only. Tiles are column-major; sizes are in elements; ld is the leading dimension. Nothing here depends
 * on matrices or ranks.
 */
#ifndef OMPFACT_OMP_KERNELS_KERNELS_H
#define OMPFACT_OMP_KERNELS_KERNELS_H

#include "omp/kernels/letters.h"

#include <stdbool.h>
#include <stddef.h>

enum { FEW_COLUMNS = 32 };     /* most columns of geqrt_columns and tpqrt_columns */

/* A tile, or the relevant part of it, as a factor of a product. */
struct multiplicand {
    const void *data;
    int ld;
    enum uplo part;     /* GENERAL: all of it; LOWER or UPPER: the rest is zero */
    enum diag diag;     /* UNIT: ones on the diagonal, whatever is stored */
    enum trans trans;
};

/* Kernels for every place of a tile: the host and each backend of devices implement all of them. */
struct kernels {
    /* A = L L^H in the lower triangle, or A = U^H U in the upper one; the other triangle is neither read nor written. Returns
       LAPACK's info. */
    int (*potrf)(enum uplo uplo, int n, void *A, int lda);
    /* A = L U without pivoting, L unit lower. Continues after a zero pivot, whose column remains unscaled. Returns the 1-based
       column of the first zero pivot, or 0. */
    int (*getrf)(int m, int n, void *A, int lda);
    /* Rows to[r] of B = rows from[r] of A, r < count, n columns; NULL stands for 0, 1, 2, ... */
    void (*copy_rows)(int count, int n, const int *from, const void *A, int lda, const int *to, void *B, int ldb);
    /* op(A) X = B or X op(A) = B; X overwrites the m x n matrix B. Divides by a zero on A's diagonal, as BLAS does; with
       NON_ZERO a zero counts as one: see getrf. */
    void (*trsm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, const void *A, int lda, void *B,
                 int ldb);
    /* B := alpha op(A) B or alpha B op(A), A triangular, B m x n. */
    void (*trmm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, double alpha, const void *A,
                 int lda, void *B, int ldb);
    /* C += alpha op(A) op(A)^H on one triangle of the n x n matrix C, op(A) n x k. */
    void (*herk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C, int ldc);
    /* The same without conjugates: C += alpha op(A) op(A)^T, trans NO_TRANS or TRANS. */
    void (*syrk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C, int ldc);
    /* C += alpha op(A) op(B), C m x n, inner dimension k. A product with one column runs at the speed of memory. */
    void (*gemm)(enum trans transa, enum trans transb, int m, int n, int k, double alpha, const void *A, int lda, const void *B,
                 int ldb, void *C, int ldc);
    /* C += alpha A B, A Hermitian m x m of which one triangle is read, C m x n. */
    void (*hemm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb, void *C, int ldc);
    /* B += alpha A, both m x n. */
    void (*add)(int m, int n, double alpha, const void *A, int lda, void *B, int ldb);
    /* B := A^H, A m x n. */
    void (*conj_transpose)(int m, int n, const void *A, int lda, void *B, int ldb);
    /* B := A, where A has the type `other`; both m x n. */
    void (*from_other)(int m, int n, const void *A, int lda, void *B, int ldb);
    /* *sum := the sum of the squares of the moduli in this part of A, m x n. `sum` is memory of the same place. */
    void (*squares)(enum uplo part, int m, int n, const void *A, int lda, double *sum);
    /* A := 0, m x n. */
    void (*clear)(int m, int n, void *A, int lda);
    /* C += alpha op(A) op(B) with triangular factors, C m x n, inner dimension k. Returns 0, or 1 if there is no memory for
       copies. */
    int (*product)(int m, int n, int k, double alpha, struct multiplicand A, struct multiplicand B, void *C, int ldc);
};

/* Kernels of the host only: panels of few columns, norms, and conversions between precisions. */
struct host_kernels {
    /* P A = L U with partial pivoting, for a few columns, n <= m. Step j < n interchanged rows j and swap[j] (0-based, swap[j]
       >= j), as in LAPACK. Continues after a zero pivot, whose column remains unscaled. Returns the 1-based column of the first
       zero pivot, or 0. See panel.h. */
    int (*getrf_columns)(int m, int n, void *A, int lda, int *swap);
    /* A = Q R of a few columns, n <= FEW_COLUMNS, n <= m: R in the upper triangle, below it V, Q = I - V T V^H. T's strictly
       lower triangle becomes zero. See panel_qr.h. */
    void (*geqrt_columns)(int m, int n, void *A, int lda, void *T, int ldt);
    /* QR of the upper triangle R on top of the m x n matrix B, n <= FEW_COLUMNS, whose last l <= n rows are an upper
       trapezoid: V's upper part is the unit matrix, the rest replaces B. Below the diagonals nothing is read or written. */
    void (*tpqrt_columns)(int m, int l, int n, void *R, int ldr, void *B, int ldb, void *T, int ldt);
    /* Like hemm and conj_transpose of struct kernels, without conjugates: A is symmetric, B := A^T. */
    void (*symm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb, void *C, int ldc);
    void (*transpose)(int m, int n, const void *A, int lda, void *B, int ldb);
    /* Interchanges rows j and swap[j], j = from .. to-1 in this order, in n columns. */
    void (*laswp)(int n, void *A, int lda, int from, int to, const int *swap);
    /* Row from[r] of B becomes row to[r] of A, and row r of C takes its place, r < count; n columns. */
    void (*swap_rows)(int count, int n, const int *from, void *B, int ldb, const int *to, void *A, int lda, const void *C,
                      int ldc);
    /* sums[j] += sum_i |a_ij|, and where rows is not NULL also rows[i] += |a_ij| summed over j. part LOWER or UPPER:
       of that triangle only, and its strict part counts for rows. m x n. */
    void (*sums)(enum uplo part, int m, int n, const void *A, int lda, double *sums, double *rows);
    /* The largest modulus in this part of A; infinity if the part has a NaN. */
    double (*largest)(enum uplo part, int m, int n, const void *A, int lda);
    /* maxima[j] = max(maxima[j], max_i |a_ij|); infinity if the column has a NaN. m x n. */
    void (*maxima)(int m, int n, const void *A, int lda, double *maxima);
    /* B := A, where B has the type `other`, m x n; part LOWER or UPPER: only that triangle. Returns 0, or 1 if an element of B
       is not finite, because it is not finite in A or overflows. */
    int (*convert)(enum uplo part, int m, int n, const void *A, int lda, void *B, int ldb);
    /* The smallest 1-based column-major index (j * m + i + 1) of a NaN or infinity in this part of A, or 0. */
    size_t (*not_finite)(enum uplo part, int m, int n, const void *A, int lda);
};

struct precision {
    char type;          /* 's', 'd', 'c', 'z' */
    size_t size;        /* bytes of an element */
    double eps;         /* unit roundoff, LAPACK's DLAMCH('E') */
    double smallest;    /* smallest normal number, LAPACK's DLAMCH('U') */
    int flops_scale;    /* real operations of one multiply-add, relative to real types: 1, or 4 for complex types */
    char other;         /* the type of the same numbers in the other precision */
    /* set: element = re + i im (real types ignore im). get: the inverse. */
    void (*set)(void *element, double re, double im);
    void (*get)(const void *element, double *re, double *im);
    const struct kernels *kernels;      /* kernels of the host */
    const struct host_kernels *host;
};

/* Real numbers of an element. */
static inline int reals_of(const struct precision *precision)
{
    return precision->flops_scale == 1 ? 1 : 2;
}

static inline bool is_single(const struct precision *precision)
{
    return precision->size == (size_t)reals_of(precision) * sizeof(float);
}

/* The precision with this type letter, or NULL. */
const struct precision *precision_of(char type);
/* Real and complex bfloat16 (bf16.h), types 'b' and 'y': sizes and limits of their numbers. They have no kernels, and
   precision_of() does not return them. */
extern const struct precision bf16_precision, bf16_complex_precision;
/* The one with the same kind of numbers as this precision. */
static inline const struct precision *bf16_of(const struct precision *precision)
{
    return precision->flops_scale == 1 ? &bf16_precision : &bf16_complex_precision;
}

/*
 * Selects BLIS's kernels before its first call in this process, unless the user has selected them (BLIS_ARCH_TYPE). BLIS up to
 * 0.9 does not know newer processors by name and uses slow kernels on them, above all on virtual machines. Returns the name of
 * the kernels in use, or "" if the BLAS is not BLIS.
 */
const char *blas_select_kernels(void);

#endif
