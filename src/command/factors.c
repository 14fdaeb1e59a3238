#include "src/command/factors.h"

#include "src/facts/facts.h"

#include <math.h>

ompfact_status factors_tell(ompfact_matrix *A, bool factored, int64_t info, bool pivots, struct told *told)
{
    bool is_complex = ompfact_type(A) == 'c' || ompfact_type(A) == 'z';
    double re, im;
    int64_t k;
    *told = (struct told){ .logdet = NAN, .det_phase = NAN, .smallest_pivot = NAN, .det_sign = FACT_NONE };
    if (!factored || ompfact_rows(A) != ompfact_cols(A) || (info != 0 && !pivots))
        return OMPFACT_SUCCESS;
    if (info != 0) {        /* a zero pivot in spite of exchanges of rows: A is singular */
        told->smallest_pivot = 0;
        told->det_sign = 0;
        return OMPFACT_SUCCESS;
    }
    ompfact_status status = ompfact_determinant(A, &told->logdet, &re, &im);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_smallest_pivot(A, &told->smallest_pivot, &k);
    if (status != OMPFACT_SUCCESS)
        return status;
    if (is_complex)
        told->det_phase = atan2(im, re);
    else if (!isnan(re))
        told->det_sign = re > 0 ? 1 : -1;
    return OMPFACT_SUCCESS;
}
