/*
 * usage: mpiexec -n P indefinite_cases < CASES
 *
 * Compares sysv and hesv with LAPACK's on generated matrices. A case is a line "FAMILY TYPE UPLO N NB LAYOUT REVERSED KIND", such
 * as "he z l 100 16 2dbc 0 kkt"; REVERSED 1: rows and columns in the opposite order. For each case rank 0 prints one line of
 * JSON: backward errors max |b - A x| / (||A||_inf max |x| + max |b|) of both solutions, the largest of all columns, in units of
 * sqrt(n) u; whether LU was needed; D's inertia and that of LAPACK's eigenvalues; and the smallest singular value over n u
 * ||A||_inf: a matrix with a value below 1 is singular to working precision. bench/indefinite builds and runs this program.
 */
#include "src/command/source.h"
#include "src/io/element.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

enum { NRHS = 2, SEED = 1 };

struct test {
    char family[3], type, uplo, layout[32], kind[64];
    int n, nb, reversed;
    bool hermitian;             /* Hermitian or real */
    size_t size;                /* bytes of an element */
    struct source matrix, rhs;
};

static void must(bool done, const char *why)
{
    if (done)
        return;
    fprintf(stderr, "indefinite_cases: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void *new_array(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    must(array != NULL, "no memory");
    return array;
}

/* Broadcasts the standard input of rank 0. */
static bool read_test(struct test *t)
{
    char line[256] = "", text[COMMAND_TEXT];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && fgets(line, sizeof line, stdin) == NULL)
        line[0] = '\0';
    MPI_Bcast(line, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (line[0] == '\0')
        return false;
    *t = (struct test){ 0 };
    int count = sscanf(line, "%2s %c %c %d %d %31s %d %63s", t->family, &t->type, &t->uplo, &t->n, &t->nb, t->layout,
                       &t->reversed, t->kind);
    must(count == 8 && strchr("sdcz", t->type) != NULL, "a case is FAMILY TYPE UPLO N NB LAYOUT REVERSED KIND");
    t->hermitian = strcmp(t->family, "he") == 0 || !element_is_complex(t->type);
    t->size = element_size(t->type);
    const enum generate_symmetry symmetry = t->hermitian ? GENERATE_HERMITIAN : GENERATE_SYMMETRIC;
    must(source_generate(&t->matrix, t->kind, symmetry, t->n, t->n, SEED, text) == 0, text);
    must(source_make_points(&t->matrix, NULL, text) == 0, text);
    must(source_generate_rhs(&t->rhs, t->n, NRHS, SEED, text) == 0, text);
    return true;
}

/* ---- matrices ------------------------------------------------------------------------------------------------------------ */

static void fill_block(const struct test *t, int64_t i0, int64_t j0, int rows, int cols, char *data, int ld)
{
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) {
            const int64_t row = t->reversed ? t->n - 1 - (i0 + i) : i0 + i, column = t->reversed ? t->n - 1 - (j0 + j) : j0 + j;
            char *element = data + t->size * ((size_t)i + (size_t)j * (size_t)ld);
            generate_tile(&t->matrix.generator, t->type, row, column, 1, 1, element, 1);
        }
}

static void fill_tile(void *context, const ompfact_tile *tile)
{
    fill_block(context, tile->row, tile->col, tile->mb, tile->nb, tile->data, tile->ld);
}

static number at(const struct test *t, const void *array, int64_t i, int64_t j)
{
    double re, im;
    element_get(t->type, (const char *)array + t->size * (size_t)(i + j * t->n), &re, &im);
    return re + im * I;
}

/* All of B on all ranks, as elements of its type. */
static void *gather(const struct test *t, ompfact_matrix *B)
{
    double *all = new_array((size_t)t->n * NRHS * 2, sizeof *all);
    char *X = new_array((size_t)t->n * NRHS, t->size);
    for (int i = -1, j = -1; ompfact_next_tile(B, &i, &j);) {
        ompfact_tile tile;
        must(ompfact_tile_get(B, i, j, &tile) == OMPFACT_SUCCESS, "no tile");
        for (int c = 0; c < tile.nb; c++)
            for (int r = 0; r < tile.mb; r++) {
                double *to = all + 2 * (tile.row + r + (tile.col + c) * t->n);
                element_get(t->type, (char *)tile.data + t->size * ((size_t)r + (size_t)c * (size_t)tile.ld), &to[0], &to[1]);
            }
        ompfact_tile_restore(B, &tile);
    }
    MPI_Allreduce(MPI_IN_PLACE, all, t->n * NRHS * 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int e = 0; e < t->n * NRHS; e++)
        element_set(t->type, X + t->size * (size_t)e, all[2 * e], all[2 * e + 1]);
    free(all);
    return X;
}

/* ---- judgement ----------------------------------------------------------------------------------------------------------- */

static double norm_inf(const struct test *t, const void *A)
{
    double largest = 0;
    for (int i = 0; i < t->n; i++) {
        double sum = 0;
        for (int j = 0; j < t->n; j++)
            sum += cabs(at(t, A, i, j));
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

/* The backward error in units of sqrt(n) u. Numbers are scaled, because some matrices have norms near the ends of the range. */
static double backward_error(const struct test *t, const void *A, const void *X, const void *B)
{
    const double norm = norm_inf(t, A), scale = norm > 0 ? 1 / norm : 1;
    double worst = 0;
    for (int c = 0; c < NRHS; c++) {
        double size = 0, of_b = 0, residual = 0;
        for (int i = 0; i < t->n; i++) {
            size = fmax(size, cabs(at(t, X, i, c)) / scale);
            of_b = fmax(of_b, cabs(at(t, B, i, c)));
        }
        const double all = size + of_b;
        for (int i = 0; i < t->n; i++) {
            long double complex r = at(t, B, i, c) / all;
            for (int j = 0; j < t->n; j++)
                r -= (long double complex)(at(t, A, i, j) * scale) * (at(t, X, j, c) / scale / all);
            residual = !(cabsl(r) <= residual) ? (double)cabsl(r) : residual;
        }
        worst = !(residual <= worst) ? residual : worst;
    }
    return worst / (sqrt(t->n) * element_roundoff(t->type));
}

static void lapack_solve(const struct test *t, const void *A, void *X)
{
    int n = t->n, *ipiv = new_array((size_t)n, sizeof *ipiv);
    void *F = memcpy(new_array((size_t)n * (size_t)n, t->size), A, (size_t)n * (size_t)n * t->size);
    const char uplo = (char)(t->uplo == 'u' ? 'U' : 'L');
    if (t->type == 's')
        LAPACKE_ssysv(LAPACK_COL_MAJOR, uplo, n, NRHS, F, n, ipiv, X, n);
    else if (t->type == 'd')
        LAPACKE_dsysv(LAPACK_COL_MAJOR, uplo, n, NRHS, F, n, ipiv, X, n);
    else if (t->type == 'c')
        (t->hermitian ? LAPACKE_chesv : LAPACKE_csysv)(LAPACK_COL_MAJOR, uplo, n, NRHS, F, n, ipiv, X, n);
    else
        (t->hermitian ? LAPACKE_zhesv : LAPACKE_zsysv)(LAPACK_COL_MAJOR, uplo, n, NRHS, F, n, ipiv, X, n);
    free(F);
    free(ipiv);
}

/* The number of negative eigenvalues of a Hermitian matrix, otherwise -1; the smallest singular value over the norm. */
static double spectrum(const struct test *t, const void *A, int *negative)
{
    const int n = t->n;
    const double norm = norm_inf(t, A), scale = norm > 0 ? 1 / norm : 1;
    number *F = new_array((size_t)n * (size_t)n, sizeof *F);
    double *values = new_array(2 * (size_t)n, sizeof *values), least = INFINITY;
    for (int e = 0; e < n * n; e++)
        F[e] = at(t, A, e, 0) * scale;
    int info = t->hermitian ? LAPACKE_zheev(LAPACK_COL_MAJOR, 'N', 'L', n, F, n, values)
                            : LAPACKE_zgesvd(LAPACK_COL_MAJOR, 'N', 'N', n, n, F, n, values, NULL, 1, NULL, 1, values + n);
    must(info == 0, "LAPACK found no spectrum");
    *negative = t->hermitian ? 0 : -1;
    for (int i = 0; i < n; i++) {
        *negative += t->hermitian && values[i] < 0;
        least = fmin(least, fabs(values[i]));
    }
    free(values);
    free(F);
    return least;
}

/* ---- a case -------------------------------------------------------------------------------------------------------------- */

struct found {
    int64_t info;
    int iterations;
    ompfact_inertia_counts counts;
    void *X, *B;                /* the solution, the right-hand sides */
};

static struct found solve(ompfact_grid *grid, struct test *t)
{
    static const ompfact_structure structures[2][2] = { { OMPFACT_SYMMETRIC_LOWER, OMPFACT_SYMMETRIC_UPPER },
                                                        { OMPFACT_HERMITIAN_LOWER, OMPFACT_HERMITIAN_UPPER } };
    ompfact_shape shape = { .m = t->n, .n = t->n, .type = t->type, .nb = t->nb, .layout = t->layout,
                            .structure = structures[t->hermitian][t->uplo == 'u'] };
    ompfact_matrix *A, *B;
    struct found f = { 0 };
    char text[COMMAND_TEXT];
    must(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_SUCCESS, ompfact_message(grid));
    must(ompfact_matrix_create_rhs(A, NRHS, &B) == OMPFACT_SUCCESS, ompfact_message(grid));
    must(ompfact_fill_tiles(A, fill_tile, t) == OMPFACT_SUCCESS, ompfact_message(grid));
    must(source_fill(&t->rhs, B, text) == 0, text);
    f.B = gather(t, B);
    ompfact_status status = (strcmp(t->family, "he") == 0 ? ompfact_hesv : ompfact_sysv)(A, B, &f.info, &f.iterations);
    must(status == OMPFACT_SUCCESS, ompfact_message(grid));
    f.X = gather(t, B);
    if (f.info == 0 || f.iterations >= 0)
        must(ompfact_inertia(A, &f.counts) == OMPFACT_SUCCESS, ompfact_message(grid));
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    return f;
}

static void print_number(const char *name, double x)
{
    if (isfinite(x))
        printf(", \"%s\": %.4g", name, x);
    else
        printf(", \"%s\": null", name);
}

static void report(const struct test *t, const struct found *f)
{
    void *A = new_array((size_t)t->n * (size_t)t->n, t->size), *X = new_array((size_t)t->n * NRHS, t->size);
    int negative;
    fill_block(t, 0, 0, t->n, t->n, A, t->n);
    memcpy(X, f->B, (size_t)t->n * NRHS * t->size);
    lapack_solve(t, A, X);
    const double least = spectrum(t, A, &negative);
    printf("{\"info\": %lld, \"fallback\": %s, \"iterations\": %d", (long long)f->info, f->iterations < 0 ? "true" : "false",
           f->iterations);
    printf(", \"negative\": %lld, \"perturbed\": %lld, \"lapack_negative\": %d", (long long)f->counts.negative,
           (long long)f->counts.perturbed, negative);
    print_number("growth", f->counts.growth);
    print_number("error", f->info == 0 ? backward_error(t, A, f->X, f->B) : NAN);
    print_number("lapack_error", backward_error(t, A, X, f->B));
    print_number("regular", least / (t->n * element_roundoff(t->type)));
    printf("}\n");
    fflush(stdout);
    free(A);
    free(X);
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
        struct found f = solve(grid, &t);
        if (ompfact_rank(grid) == 0)
            report(&t, &f);
        source_close(&t.matrix);
        free(f.X);
        free(f.B);
    }
    ompfact_grid_destroy(&grid);
    MPI_Finalize();
    return 0;
}
