/* Undoes precision_on.h. */
#undef JOIN_
#undef JOIN
#undef LETTER
#undef SCALAR
#undef REAL
#undef REAL_EPSILON
#undef IS_COMPLEX
#undef HERK
#undef HEMM
#undef MAKE_SCALAR
#undef MODULUS
#undef CONJUGATE
#undef FLOPS_SCALE
#undef NAME
#undef BLAS
#undef LETTER_TEXT_
#undef LETTER_TEXT
