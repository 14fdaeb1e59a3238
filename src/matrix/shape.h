/* What the shape of a matrix says: zeros stand for defaults. That of nb is chosen in src/choose/. */
#ifndef OMPFACT_SRC_MATRIX_SHAPE_H
#define OMPFACT_SRC_MATRIX_SHAPE_H

#include "src/ompfact.h"

static inline char shape_type(const ompfact_shape *s)
{
    return s->type == '\0' ? 'd' : s->type;
}

static inline bool is_hermitian(const ompfact_shape *s)
{
    return s->structure == OMPFACT_HERMITIAN_LOWER || s->structure == OMPFACT_HERMITIAN_UPPER;
}

static inline bool is_upper(const ompfact_shape *s)
{
    return s->structure == OMPFACT_HERMITIAN_UPPER;
}

static inline bool is_for_qr(const ompfact_shape *s)
{
    return !is_hermitian(s) && (s->purpose == OMPFACT_FOR_QR || s->purpose == OMPFACT_FOR_LEAST_SQUARES);
}

/* Is A^H factored in place of A? */
static inline bool shape_is_transposed(const ompfact_shape *s)
{
    return s->purpose == OMPFACT_FOR_LEAST_SQUARES && s->structure == OMPFACT_GENERAL && s->m < s->n;
}

#endif
