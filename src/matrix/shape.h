/* Properties of a shape. Zeros stand for defaults; src/choose/ chooses nb. */
#ifndef OMPFACT_SRC_MATRIX_SHAPE_H
#define OMPFACT_SRC_MATRIX_SHAPE_H

#include "src/ompfact.h"

static inline char shape_type(const ompfact_shape *s)
{
    return s->type == '\0' ? 'd' : s->type;
}

static inline bool has_complex_type(const ompfact_shape *s)
{
    return s->type == 'c' || s->type == 'z';
}

/* Whether A = A^T and the type is complex, so that A^T is not A^H. */
static inline bool is_symmetric(const ompfact_shape *s)
{
    return (s->structure == OMPFACT_SYMMETRIC_LOWER || s->structure == OMPFACT_SYMMETRIC_UPPER) && has_complex_type(s);
}

/* The structure of real symmetric matrices is that of Hermitian ones. */
static inline ompfact_structure shape_structure(const ompfact_shape *s)
{
    static const ompfact_structure hermitian[] = { [OMPFACT_SYMMETRIC_LOWER] = OMPFACT_HERMITIAN_LOWER,
                                                   [OMPFACT_SYMMETRIC_UPPER] = OMPFACT_HERMITIAN_UPPER };
    bool renamed = s->structure == OMPFACT_SYMMETRIC_LOWER || s->structure == OMPFACT_SYMMETRIC_UPPER;
    return renamed && !has_complex_type(s) ? hermitian[s->structure] : s->structure;
}

/* Whether the matrix is Hermitian or symmetric, and one triangle is stored. */
static inline bool stores_triangle(const ompfact_shape *s)
{
    return s->structure >= OMPFACT_HERMITIAN_LOWER && s->structure <= OMPFACT_SYMMETRIC_UPPER;
}

/* The rows of a shape: m, where zero means n unless row_heights has no tile rows. */
static inline int64_t shape_rows(const ompfact_shape *s)
{
    bool has_no_rows = s->row_heights != NULL && s->mt == 0;
    return stores_triangle(s) || (s->m == 0 && !has_no_rows) ? s->n : s->m;
}

static inline bool is_hermitian(const ompfact_shape *s)
{
    return stores_triangle(s) && !is_symmetric(s);
}

/* Whether sytrf accepts the matrix: A = A^T, real or complex. hetrf accepts is_hermitian(). */
static inline bool is_own_transpose(const ompfact_shape *s)
{
    return stores_triangle(s) && (is_symmetric(s) || !has_complex_type(s));
}

static inline bool is_upper(const ompfact_shape *s)
{
    return s->structure == OMPFACT_HERMITIAN_UPPER || s->structure == OMPFACT_SYMMETRIC_UPPER;
}

/* The letter in files. */
static inline char structure_letter(const ompfact_shape *s)
{
    return "glust"[shape_structure(s)];
}

static inline bool is_for_qr(const ompfact_shape *s)
{
    return !stores_triangle(s) && (s->purpose == OMPFACT_FOR_QR || s->purpose == OMPFACT_FOR_LEAST_SQUARES);
}

/* Whether A^H is factored in place of A. */
static inline bool shape_is_transposed(const ompfact_shape *s)
{
    return s->purpose == OMPFACT_FOR_LEAST_SQUARES && s->structure == OMPFACT_GENERAL && shape_rows(s) < s->n;
}

#endif
