/* Compiles a body (*_body.h) once for each precision: BODY, which is defined before, is its name in quotation marks. */
#define PRECISION_s
#include "omp/kernels/precision_on.h"
#include BODY
#include "omp/kernels/precision_off.h"

#define PRECISION_d
#include "omp/kernels/precision_on.h"
#include BODY
#include "omp/kernels/precision_off.h"

#define PRECISION_c
#include "omp/kernels/precision_on.h"
#include BODY
#include "omp/kernels/precision_off.h"

#define PRECISION_z
#include "omp/kernels/precision_on.h"
#include BODY
#include "omp/kernels/precision_off.h"

#undef BODY
