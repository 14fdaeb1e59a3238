/* Passes over tiles: sums and norms. tile_repair.c uses them. */
#include "omp/kernels/tile_sums.h"
#include "omp/kernels/micro/processors.h"
#include "omp/kernels/micro/targets.h"
#include "omp/kernels/workspace.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define PRECISION_s
#include "omp/kernels/precision_on.h"
#include "omp/kernels/tile_sums_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_d
#include "omp/kernels/precision_on.h"
#include "omp/kernels/tile_sums_body.h"
#include "omp/kernels/precision_off.h"

struct tile_scale tile_sums(const struct precision *precision, int widest, int m, int n, const void *A, int lda, void *S)
{
    int parts = reals_of(precision);
    return (is_single(precision) ? s_tile_sums : d_tile_sums)(widest, m * parts, n, A, (ptrdiff_t)lda * parts, S);
}

int sums_period(int widest)
{
    return (int)ceil(sqrt(widest));
}

double sums_weight(int widest, int j, int sum)
{
    int period = sums_period(widest);
    double coarse = 1 + (j + 1.0) / widest, fine = 1 + (j % period + 1.0) / period;
    return sum == 0 ? 1 : sum == 1 ? coarse : fine;
}

void tile_weights(const struct precision *precision, int widest, int rows, void *W)
{
    for (int s = 0; s < SUMS; s++)
        for (int i = 0; i < rows; i++)
            precision->set((char *)W + ((size_t)s * (size_t)rows + (size_t)i) * precision->size, sums_weight(widest, i, s), 0);
}

struct tile_scale packed_sums(const struct precision *precision, int widest, int m, int n, const void *P, void *V)
{
    return (is_single(precision) ? s_packed_sums : d_packed_sums)(widest, m, n * reals_of(precision), P, V);
}

static double largest_of(int count, const double *values)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = values[i] <= largest ? largest : isnan(values[i]) ? INFINITY : values[i];
    return largest;
}

static int norm_of(const struct precision *precision, bool of_rows, int m, int n, const void *A, double *norm)
{
    double *sums = workspace_take(((size_t)m + (size_t)n) * sizeof *sums), *rows = sums + n;
    if (sums == NULL)
        return 1;
    memset(sums, 0, ((size_t)m + (size_t)n) * sizeof *sums);
    precision->host->sums(GENERAL, m, n, A, m, sums, rows);
    double sum = of_rows ? largest_of(m, rows) : largest_of(n, sums);
    workspace_give(sums);
    *norm = sqrt(sum) * sqrt(precision->host->largest(GENERAL, m, n, A, m));
    return 0;
}

int row_norm(const struct precision *precision, int m, int n, const void *A, double *norm)
{
    return norm_of(precision, true, m, n, A, norm);
}

int column_norm(const struct precision *precision, int m, int n, const void *A, double *norm)
{
    return norm_of(precision, false, m, n, A, norm);
}
