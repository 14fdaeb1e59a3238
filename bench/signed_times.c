/*
 * usage: signed_times [TYPES [ROUNDS]]
 * Prints, as CSV, milliseconds on one thread: of a tile's factorization with signs and of its Cholesky factorization, of the
 * solve of a panel's tile with G, which leaves the tile packed, and with Cholesky's factor. Times are medians of ROUNDS rounds
 * (default 31), in which the four alternate. TYPES are letters of sdcz (default all). Elements are random; complex tiles are
 * Hermitian.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "omp/kernels/packed_tile.h"
#include "omp/kernels/signed_block.h"

static const int orders[] = { 64, 128, 192, 256, 320, 384, 512 };
enum { ORDERS = sizeof orders / sizeof orders[0], FACTOR, POTRF, SOLVE, TRSM, KINDS };
#define COUNT (KINDS - FACTOR)

struct tiles {
    const struct precision *precision;
    int n;
    size_t bytes;
    char *A, *S, *B, *L, *G, *X;        /* indefinite tile, positive definite tile, panel's tile; factors of both, copy of B */
    struct signed_block *signs;
};

static void run(const struct tiles *t, int kind)
{
    const struct precision *p = t->precision;
    int n = t->n;
    if (kind == FACTOR)
        signed_factor(p, false, LOWER, n, t->G, n, p->eps, t->signs);
    else if (kind == POTRF)
        p->kernels->potrf(LOWER, n, t->L, n);
    else if (kind == SOLVE)
        signed_solve_packed(p, RIGHT, LOWER, n, n, t->G, n, t->signs, t->X, n);
    else
        packed_trsm(p, RIGHT, CONJ_TRANS, NON_UNIT, n, n, t->L, n, t->X, n, true);
}

static double measure(const struct tiles *t, int kind)
{
    struct timespec from, to;
    memcpy(kind == FACTOR ? t->G : kind == POTRF ? t->L : t->X, kind == FACTOR ? t->A : kind == POTRF ? t->S : t->B, t->bytes);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    run(t, kind);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    return 1e3 * (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_nsec - from.tv_nsec);
}

static void fill(const struct tiles *t)
{
    unsigned state = 1;
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->n; i++) {
            size_t at = ((size_t)i + (size_t)j * (size_t)t->n) * t->precision->size;
            state = state * 1664525 + 1013904223;
            double re = state / 2147483648.0 - 1;
            state = state * 1664525 + 1013904223;
            double im = i == j ? 0 : state / 2147483648.0 - 1;
            t->precision->set(t->A + at, re, im);
            t->precision->set(t->B + at, im, re);
            t->precision->set(t->S + at, i == j ? 2 * t->n : re, im);
        }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void times(const struct tiles *t, int rounds)
{
    double *seconds = calloc((size_t)(rounds * COUNT), sizeof *seconds);
    if (seconds == NULL)
        exit(1);
    fill(t);
    for (int r = 0; r < rounds; r++)
        for (int kind = FACTOR; kind < KINDS; kind++)
            seconds[(kind - FACTOR) * rounds + r] = measure(t, kind);
    printf("%c,%d", t->precision->type, t->n);
    for (int i = 0; i < COUNT; i++) {
        qsort(seconds + i * rounds, (size_t)rounds, sizeof *seconds, compare);
        printf(",%.4f", seconds[i * rounds + rounds / 2]);
    }
    printf("\n");
    fflush(stdout);
    free(seconds);
}

int main(int argc, char **argv)
{
    const char *types = argc > 1 ? argv[1] : "sdcz";
    int rounds = argc > 2 ? atoi(argv[2]) : 31;
    if (types[strspn(types, "sdcz")] != '\0' || rounds <= 0) {
        fprintf(stderr, "usage: signed_times [TYPES [ROUNDS]]\n");
        return 2;
    }
    blas_select_kernels();
    printf("type,n,signed,potrf,solve,trsm\n");
    for (const char *type = types; *type != '\0'; type++)
        for (int i = 0; i < ORDERS; i++) {
            struct tiles t = { .precision = precision_of(*type), .n = orders[i] };
            t.bytes = (size_t)t.n * (size_t)t.n * t.precision->size;
            t.A = malloc(6 * t.bytes);
            t.signs = malloc(signed_block_bytes(t.n, t.precision->size));
            if (t.A == NULL || t.signs == NULL)
                return 1;
            t.S = t.A + t.bytes;
            t.B = t.S + t.bytes;
            t.L = t.B + t.bytes;
            t.G = t.L + t.bytes;
            t.X = t.G + t.bytes;
            times(&t, rounds);
            free(t.A);
            free(t.signs);
        }
    return 0;
}
