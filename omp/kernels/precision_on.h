/* The names of one precision, for the bodies (*_body.h). All differences between real and complex are here. PRECISION_s, _d, _c
   or _z is defined before; so is SYMMETRIC for complex matrices where ^H means ^T. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#if defined PRECISION_s
#define LETTER s
#define OTHER d
#define SCALAR float
#define REAL float
#define REAL_EPSILON FLT_EPSILON
#define REAL_SMALLEST FLT_MIN
#elif defined PRECISION_d
#define LETTER d
#define OTHER s
#define SCALAR double
#define REAL double
#define REAL_EPSILON DBL_EPSILON
#define REAL_SMALLEST DBL_MIN
#elif defined PRECISION_c
#define LETTER c
#define OTHER z
#define SCALAR float _Complex
#define REAL float
#define REAL_EPSILON FLT_EPSILON
#define REAL_SMALLEST FLT_MIN
#define IS_COMPLEX 1
#elif defined PRECISION_z
#define LETTER z
#define OTHER c
#define SCALAR double _Complex
#define REAL double
#define REAL_EPSILON DBL_EPSILON
#define REAL_SMALLEST DBL_MIN
#define IS_COMPLEX 1
#endif

#if defined PRECISION_s || defined PRECISION_c
#define REAL_BYTES 4
#define OTHER_REAL double
#else
#define REAL_BYTES 8
#define OTHER_REAL float
#endif

#if defined IS_COMPLEX
#define PARTS 2                 /* real numbers in a scalar */
#define HERK BLAS(herk)
#define HEMM BLAS(hemm)
#define HEMV BLAS(hemv)
#define MAKE_SCALAR(re, im) __builtin_complex(re, im)     /* with glibc only GCC has CMPLX */
#define MODULUS(a) cabs(a)
#define MODULUS1(a) (REAL)(fabs(creal(a)) + fabs(cimag(a)))     /* |re| + |im|, which LAPACK compares for pivots */
#if defined SYMMETRIC
#define CONJUGATE(a) (a)
#else
#define CONJUGATE(a) conj(a)
#endif
#define FLOPS_SCALE 4
#else
#define PARTS 1
#define HERK BLAS(syrk)
#define HEMM BLAS(symm)
#define HEMV BLAS(symv)
#define MAKE_SCALAR(re, im) ((void)(im), (re))
#define MODULUS(a) fabs(a)
#define MODULUS1(a) (REAL)fabs(a)
#define CONJUGATE(a) (a)
#define FLOPS_SCALE 1
#endif

#if defined SYMMETRIC
#define NAME(name) JOIN(JOIN(LETTER, sy_), name)            /* for example zsy_factor */
#else
#define NAME(name) JOIN(JOIN(LETTER, _), name)              /* for example d_potrf: a name of this library */
#endif
#define BLAS(name) JOIN(JOIN(LETTER, name), _)              /* for example dgemm_: a name of Fortran's BLAS */
#define LETTER_TEXT_(letter) #letter[0]
#define LETTER_TEXT(letter) LETTER_TEXT_(letter)
