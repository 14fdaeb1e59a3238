/* What the shape of a matrix says: zeros stand for defaults. That of nb is chosen in src/choose/. */
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

/* A = A^T, which of complex numbers is not A^H. */
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

/* Hermitian or symmetric: one triangle stands for both. */
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

/* What sytrf takes: A = A^T, real or complex. hetrf takes what is_hermitian(). */
static inline bool is_own_transpose(const ompfact_shape *s)
{
    return stores_triangle(s) && (is_symmetric(s) || !has_complex_type(s));
}

static inline bool is_upper(const ompfact_shape *s)
{
    return s->structure == OMPFACT_HERMITIAN_UPPER || s->structure == OMPFACT_SYMMETRIC_UPPER;
}

/* As files have it. */
static inline char structure_letter(const ompfact_shape *s)
{
    return "glust"[shape_structure(s)];
}

static inline bool is_for_qr(const ompfact_shape *s)
{
    return !stores_triangle(s) && (s->purpose == OMPFACT_FOR_QR || s->purpose == OMPFACT_FOR_LEAST_SQUARES);
}

/* Is A^H factored in place of A? */
static inline bool shape_is_transposed(const ompfact_shape *s)
{
    return s->purpose == OMPFACT_FOR_LEAST_SQUARES && s->structure == OMPFACT_GENERAL && shape_rows(s) < s->n;
}

#endif
