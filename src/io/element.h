/* Elements of a matrix by the letter of its type: 's' 'd' 'c' 'z'. */
#ifndef OMPFACT_IO_ELEMENT_H
#define OMPFACT_IO_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool element_is_complex(char type)
{
    return type == 'c' || type == 'z';
}

static inline bool element_is_single(char type)
{
    return type == 's' || type == 'c';
}

/* The size of an element in bytes. */
static inline size_t element_size(char type)
{
    return (element_is_single(type) ? sizeof(float) : sizeof(double)) * (element_is_complex(type) ? 2 : 1);
}

/* The unit roundoff. */
static inline double element_roundoff(char type)
{
    return element_is_single(type) ? 0x1p-24 : 0x1p-53;
}

static inline void element_set(char type, void *element, double re, double im)
{
    const float single[2] = {(float)re, (float)im};
    const double twice[2] = {re, im};
    memcpy(element, element_is_single(type) ? (const void *)single : twice, element_size(type));
}

/* im of a real element is 0. */
static inline void element_get(char type, const void *element, double *re, double *im)
{
    float single[2] = {0, 0};
    double twice[2] = {0, 0};
    memcpy(element_is_single(type) ? (void *)single : twice, element, element_size(type));
    *re = element_is_single(type) ? single[0] : twice[0];
    *im = element_is_single(type) ? single[1] : twice[1];
}

#endif
