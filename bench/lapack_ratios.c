/*
 * usage: lapack_ratios < CASES
 *
 * Prints LAPACK's test ratios on the matrices that ompfact generates. A case is a line "ROUTINE TYPE M N NRHS SEED KIND", such as
 * "gesv d 100 100 2 1 rands"; the result is one line of JSON with error and info. getrf and gesv pivot, as in LAPACK. The ratios
 * are computed in the same way as ompfact's, on one rank with the matrix as one tile, those of geqrf with the Q of LAPACK's orgqr
 * or ungqr. bench/accuracy builds and runs this program.
 */
#include "omp/kernels/kernels.h"
#include "src/command/source.h"
#include "src/solve/solve.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY "bench/lapack_ratios_body.h"
#include "omp/kernels/each_precision.h"

static const struct lapack {
    char type;
    int (*potrf)(const ompfact_tile *A);
    int (*getrf)(const ompfact_tile *A, int *ipiv);
    int (*potrs)(const ompfact_tile *A, const ompfact_tile *B);
    int (*getrs)(const ompfact_tile *A, const int *ipiv, const ompfact_tile *B);
    int (*geqrf)(const ompfact_tile *A, void *tau);
    int (*ungqr)(int m, int k, void *Q, const void *tau);       /* Q: m x k, with the result of geqrf */
    int (*gels)(const ompfact_tile *A, int nrhs, void *B, int ldb);
} lapacks[] = {
    { 's', s_potrf, s_getrf, s_potrs, s_getrs, s_geqrf, s_ungqr, s_gels },
    { 'd', d_potrf, d_getrf, d_potrs, d_getrs, d_geqrf, d_ungqr, d_gels },
    { 'c', c_potrf, c_getrf, c_potrs, c_getrs, c_geqrf, c_ungqr, c_gels },
    { 'z', z_potrf, z_getrf, z_potrs, z_getrs, z_geqrf, z_ungqr, z_gels },
};

struct test {
    char routine[16], type, kind[128];
    long long m, n, nrhs, seed;
    const struct lapack *lapack;
    bool cholesky, qr, solves;
    struct source matrix, rhs;
};

static void must(bool done, const char *why)
{
    if (done)
        return;
    fprintf(stderr, "lapack_ratios: %s\n", why);
    exit(2);
}

static bool read_test(struct test *t)
{
    int count = scanf("%15s %c %lld %lld %lld %lld %127s", t->routine, &t->type, &t->m, &t->n, &t->nrhs, &t->seed, t->kind);
    if (count == EOF)
        return false;
    must(count == 7 && strchr("sdcz", t->type) != NULL, "a case is ROUTINE TYPE M N NRHS SEED KIND");
    t->lapack = lapacks;
    while (t->lapack->type != t->type)
        t->lapack++;
    t->cholesky = t->routine[0] == 'p';
    t->qr = strcmp(t->routine, "geqrf") == 0 || strcmp(t->routine, "gels") == 0;
    t->solves = strcmp(t->routine + 2, "sv") == 0 || strcmp(t->routine, "gels") == 0;
    return true;
}

static void fill(ompfact_matrix *A, const struct source *source)
{
    char text[COMMAND_TEXT];
    must(source_fill(source, A, text) == 0, text);
}

/* The rows of A in the order of P A, P the exchanges of ipiv. */
static void exchange_rows(const ompfact_tile *A, size_t size, const int *ipiv)
{
    char other[16];
    for (int j = 0; j < A->nb; j++)
        for (int k = 0; k < A->mb && k < A->nb; k++) {
            char *a = (char *)A->data + size * ((size_t)k + (size_t)j * (size_t)A->ld);
            char *b = (char *)A->data + size * ((size_t)(ipiv[k] - 1) + (size_t)j * (size_t)A->ld);
            memcpy(other, a, size);
            memcpy(a, b, size);
            memcpy(b, other, size);
        }
}

/* Computes LAPACK's factors in F and its solution in X, and the residuals in A and B. */
struct place {
    ompfact_matrix *F, *X, *A, *B;
};

static void *new_array(size_t count, size_t size)
{
    void *array = calloc(count, size);
    must(array != NULL, "no memory");
    return array;
}

/* ||I - Q^H Q||, Q m x k */
static double unitarity_error(const struct precision *precision, int m, int k, const void *Q)
{
    char *G = new_array((size_t)k * (size_t)k, precision->size);
    double *sums = new_array((size_t)k, sizeof *sums), largest = 0;
    for (int i = 0; i < k; i++)
        precision->set(G + (size_t)i * (size_t)(k + 1) * precision->size, 1, 0);
    precision->kernels->gemm(CONJ_TRANS, NO_TRANS, k, k, m, -1, Q, m, Q, m, G, k);
    precision->host->sums(GENERAL, k, k, G, k, sums, NULL);
    for (int i = 0; i < k; i++)
        largest = larger_or_nan(largest, sums[i]);
    free(sums);
    free(G);
    return largest;
}

static void clear_below_diagonal(const ompfact_tile *t, size_t size)
{
    for (int j = 0; j < t->nb && j < t->mb; j++)
        memset((char *)t->data + size * ((size_t)j + 1 + (size_t)j * (size_t)t->ld), 0, size * (size_t)(t->mb - j - 1));
}

static ompfact_status measure_geqrf(const struct test *t, const struct place *p, double *error, int *info)
{
    const struct precision *precision = precision_of(t->type);
    int m = (int)t->m, n = (int)t->n, k = m < n ? m : n;
    double norm, of_product, scale = (m > n ? m : n) * precision->eps;
    char *Q = new_array((size_t)m * (size_t)k, precision->size), *tau = new_array((size_t)k, precision->size);
    ompfact_tile f, a;
    must(ompfact_tile_get(p->F, 0, 0, &f) == OMPFACT_SUCCESS && ompfact_tile_get(p->A, 0, 0, &a) == OMPFACT_SUCCESS, "no matrix");
    ompfact_status status = ompfact_norm1(p->A, &norm);
    *info = t->lapack->geqrf(&f, tau);
    precision->kernels->copy_rows(m, k, NULL, f.data, f.ld, NULL, Q, m);
    clear_below_diagonal(&f, precision->size);
    if (*info == 0)
        *info = t->lapack->ungqr(m, k, Q, tau);
    precision->kernels->gemm(NO_TRANS, NO_TRANS, m, n, k, -1, Q, m, f.data, f.ld, a.data, a.ld);   /* A - Q R */
    if (status == OMPFACT_SUCCESS)
        status = ompfact_norm1(p->A, &of_product);
    if (status == OMPFACT_SUCCESS)
        *error = larger_or_nan(ratio_of(of_product, norm * scale), unitarity_error(precision, m, k, Q) / scale);
    free(tau);
    free(Q);
    return status;
}

/* In LAPACK one array has the right-hand sides and the solution, with the rows of the larger one. */
static ompfact_status measure_gels(const struct test *t, const struct place *p, double *error, int *info)
{
    const struct precision *precision = precision_of(t->type);
    int m = (int)t->m, n = (int)t->n, nrhs = (int)t->nrhs, ld = m > n ? m : n;
    char *both = new_array((size_t)ld * (size_t)nrhs, precision->size);
    ompfact_tile f, b, x;
    must(ompfact_tile_get(p->F, 0, 0, &f) == OMPFACT_SUCCESS, "no matrix");
    for (int j = 0; j < ompfact_tile_cols(p->B); j++) {
        must(ompfact_tile_get(p->B, 0, j, &b) == OMPFACT_SUCCESS, "no right-hand sides");
        precision->kernels->copy_rows(m, b.nb, NULL, b.data, b.ld, NULL, both + (size_t)b.col * (size_t)ld * precision->size, ld);
    }
    *info = t->lapack->gels(&f, nrhs, both, ld);
    for (int j = 0; j < ompfact_tile_cols(p->X); j++) {
        must(ompfact_tile_get(p->X, 0, j, &x) == OMPFACT_SUCCESS, "no solution");
        precision->kernels->copy_rows(n, x.nb, NULL, both + (size_t)x.col * (size_t)ld * precision->size, ld, NULL, x.data, x.ld);
    }
    free(both);
    return *info == 0 ? ompfact_residual_gels(p->A, p->X, p->B, error) : OMPFACT_SUCCESS;
}

static ompfact_status measure(const struct test *t, const struct place *p, double *error, int *info)
{
    if (t->qr)
        return t->solves ? measure_gels(t, p, error, info) : measure_geqrf(t, p, error, info);
    ompfact_tile f, x, a;
    int *ipiv = new_array((size_t)t->m, sizeof *ipiv);
    must(ompfact_tile_get(p->F, 0, 0, &f) == OMPFACT_SUCCESS, "no matrix");
    *info = t->cholesky ? t->lapack->potrf(&f) : t->lapack->getrf(&f, ipiv);
    ompfact_status status = OMPFACT_SUCCESS;
    if (*info == 0 && t->solves) {
        for (int j = 0; j < ompfact_tile_cols(p->X); j++) {
            must(ompfact_tile_get(p->X, 0, j, &x) == OMPFACT_SUCCESS, "no right-hand sides");
            *info = t->cholesky ? t->lapack->potrs(&f, &x) : t->lapack->getrs(&f, ipiv, &x);
        }
        status = ompfact_residual_solve(p->A, p->X, p->B, error);
    } else if (*info == 0) {
        must(ompfact_tile_get(p->A, 0, 0, &a) == OMPFACT_SUCCESS, "no matrix");
        if (!t->cholesky)
            exchange_rows(&a, precision_of(t->type)->size, ipiv);
        status = ompfact_residual_factors(p->A, p->F, error);
    }
    free(ipiv);
    return status;
}

/* Right-hand sides for A^H, whose rows are A's columns. */
static ompfact_status create_solution(ompfact_grid *grid, ompfact_shape shape, long long nrhs, ompfact_matrix **X)
{
    ompfact_matrix *At;
    int64_t m = shape.m;
    shape.m = shape.n;
    shape.n = m;
    ompfact_status status = ompfact_matrix_create(grid, &shape, &At);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_matrix_create_rhs(At, nrhs, X);
    ompfact_matrix_destroy(&At);
    return status;
}

static ompfact_status make_places(ompfact_grid *grid, const struct test *t, struct place *p)
{
    ompfact_shape shape = { .m = t->m, .n = t->n, .type = t->type, .nb = (int)(t->m > t->n ? t->m : t->n), .layout = "2dbc",
                            .structure = t->cholesky ? OMPFACT_HERMITIAN_LOWER : OMPFACT_GENERAL };
    ompfact_status status = ompfact_matrix_create(grid, &shape, &p->F);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_matrix_create_like(p->F, &p->A);
    if (status == OMPFACT_SUCCESS && t->solves)
        status = create_solution(grid, shape, t->nrhs, &p->X);
    if (status == OMPFACT_SUCCESS && t->solves)
        status = ompfact_matrix_create_rhs(p->A, t->nrhs, &p->B);
    return status;
}

static ompfact_status run_test(ompfact_grid *grid, struct test *t, double *error, int *info)
{
    struct place p = { 0 };
    char text[COMMAND_TEXT];
    *error = 0;
    *info = 0;
    if (t->m == 0 || t->n == 0)
        return OMPFACT_SUCCESS;
    const enum generate_symmetry symmetry = t->cholesky ? GENERATE_HERMITIAN : GENERATE_GENERAL;
    must(source_generate(&t->matrix, t->kind, symmetry, t->m, t->n, t->seed, text) == 0, text);
    must(source_generate_rhs(&t->rhs, t->m, t->nrhs, t->seed, text) == 0, text);
    ompfact_status status = make_places(grid, t, &p);
    if (status == OMPFACT_SUCCESS) {
        fill(p.F, &t->matrix);
        fill(p.A, &t->matrix);
        if (t->solves)
            fill(p.B, &t->rhs);
        if (t->solves && !t->qr)
            fill(p.X, &t->rhs);
        status = measure(t, &p, error, info);
    }
    ompfact_matrix_destroy(&p.B);
    ompfact_matrix_destroy(&p.X);
    ompfact_matrix_destroy(&p.A);
    ompfact_matrix_destroy(&p.F);
    return status;
}

int main(int argc, char **argv)
{
    ompfact_grid *grid;
    char message[OMPFACT_MESSAGE] = "";
    struct test t;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    must(ompfact_grid_create(MPI_COMM_WORLD, &(ompfact_options){ .threads = 1 }, &grid, message) == OMPFACT_SUCCESS, message);
    while (read_test(&t)) {
        double error;
        int info;
        must(run_test(grid, &t, &error, &info) == OMPFACT_SUCCESS, ompfact_message(grid));
        if (info == 0 && isfinite(error))
            printf("{\"error\": %.9g, \"info\": 0}\n", error);
        else
            printf("{\"error\": null, \"info\": %d}\n", info);
    }
    ompfact_grid_destroy(&grid);
    MPI_Finalize();
    return 0;
}
