/*
 * usage: lapack_ratios < CASES
 *
 * LAPACK's own test ratios on the matrices that ompfact generates. A case is a line "ROUTINE TYPE M N NRHS SEED KIND", such as
 * "gesv d 100 100 2 1 rands"; for each, one line of JSON with error and info. getrf and gesv pivot, as LAPACK does. The ratios are
 * computed as ompfact computes its own, on one rank, the matrix being one tile. bench/accuracy builds and runs it.
 */
#include "omp/kernels.h"
#include "src/command/source.h"
#include "src/ompfact.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRECISION_s
#include "omp/precision_on.h"
#include "bench/lapack_ratios_body.h"
#include "omp/precision_off.h"
#undef PRECISION_s
#define PRECISION_d
#include "omp/precision_on.h"
#include "bench/lapack_ratios_body.h"
#include "omp/precision_off.h"
#undef PRECISION_d
#define PRECISION_c
#include "omp/precision_on.h"
#include "bench/lapack_ratios_body.h"
#include "omp/precision_off.h"
#undef PRECISION_c
#define PRECISION_z
#include "omp/precision_on.h"
#include "bench/lapack_ratios_body.h"
#include "omp/precision_off.h"
#undef PRECISION_z

static const struct lapack {
    char type;
    int (*potrf)(const ompfact_tile *A);
    int (*getrf)(const ompfact_tile *A, int *ipiv);
    int (*potrs)(const ompfact_tile *A, const ompfact_tile *B);
    int (*getrs)(const ompfact_tile *A, const int *ipiv, const ompfact_tile *B);
} lapacks[] = {
    { 's', s_potrf, s_getrf, s_potrs, s_getrs },
    { 'd', d_potrf, d_getrf, d_potrs, d_getrs },
    { 'c', c_potrf, c_getrf, c_potrs, c_getrs },
    { 'z', z_potrf, z_getrf, z_potrs, z_getrs },
};

struct test {
    char routine[16], type, kind[128];
    long long m, n, nrhs, seed;
    const struct lapack *lapack;
    bool cholesky, solves;
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
    t->solves = strcmp(t->routine + 2, "sv") == 0;
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

/* LAPACK's factors in F, its solution in X, and what is left over in A and B. */
struct place {
    ompfact_matrix *F, *X, *A, *B;
};

static ompfact_status measure(const struct test *t, const struct place *p, double *error, int *info)
{
    ompfact_tile f, x, a;
    int *ipiv = malloc((size_t)t->m * sizeof *ipiv);
    must(ipiv != NULL && ompfact_tile_get(p->F, 0, 0, &f) == OMPFACT_SUCCESS, "no memory");
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
            exchange_rows(&a, host_kernels(t->type)->size, ipiv);
        status = ompfact_residual_factors(p->A, p->F, error);
    }
    free(ipiv);
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
        status = ompfact_matrix_create_rhs(p->A, t->nrhs, &p->X);
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
    must(source_generate(&t->matrix, t->kind, t->cholesky, t->m, t->n, t->seed, text) == 0, text);
    must(source_generate_rhs(&t->rhs, t->n, t->nrhs, t->seed, text) == 0, text);
    ompfact_status status = make_places(grid, t, &p);
    if (status == OMPFACT_SUCCESS) {
        fill(p.F, &t->matrix);
        fill(p.A, &t->matrix);
        if (t->solves) {
            fill(p.X, &t->rhs);
            fill(p.B, &t->rhs);
        }
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
