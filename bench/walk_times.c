/*
 * usage: walk_times potrf|getrf LAYOUT RANKS NT...
 *
 * Prints, as CSV, the costs of a rank before its first task can run: the matrix on paper (pattern, owners), and one walk through
 * the loops of the factorization with the counting sink, as in every run. The rank is the one with the most tiles. The first walk
 * also creates the tables of the displacements of other ranks' tiles; the second walk is the cost of another factorization of the
 * matrix. Times are processor times, because other programs on the machine affect these less. bench/growth builds and runs this
 * program.
 */
#include "src/choose/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int complain(const char *why)
{
    fprintf(stderr, "walk_times: %s\n", why);
    return 1;
}

static int measure(const char *routine, const char *layout, int ranks, int nt, bool show)
{
    bool symmetric = strcmp(routine, "potrf") == 0;
    ompfact_shape shape = { .m = nt, .n = nt, .nb = 1, .layout = layout,
                            .structure = symmetric ? OMPFACT_HERMITIAN_LOWER : OMPFACT_GENERAL };
    struct pattern *pattern;
    ompfact_matrix *A;
    char why[MESSAGE];
    double begin = now();
    if (shape_pattern(&shape, ranks, 0, &pattern, why) != OMPFACT_SUCCESS ||
        matrix_on_paper(&shape, pattern, 0, &A, why) != OMPFACT_SUCCESS)
        return complain(why);
    double paper = now() - begin;
    A->me = fullest_rank(A);
    struct job job = { .A = A, .algorithm = symmetric ? &cholesky : &lu };
    struct run_plan plan = { .loops = factor_loops, .context = &job };
    struct run_tally tally;
    double walk[2];
    for (int i = 0; i < 2; i++) {
        begin = now();
        run_count(&plan, NULL, &tally);
        walk[i] = now() - begin;
    }
    if (show)
        printf("%s,%s,%d,%d,%lld,%lld,%.6f,%.6f,%.6f\n", routine, A->pattern->name, ranks, nt, (long long)tally.tasks,
               (long long)tally.transfers, paper, walk[0], walk[1]);
    ompfact_matrix_destroy(&A);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 5 || (strcmp(argv[1], "potrf") != 0 && strcmp(argv[1], "getrf") != 0))
        return complain("usage: walk_times potrf|getrf LAYOUT RANKS NT...");
    int ranks = atoi(argv[3]), code;
    printf("routine,layout,ranks,nt,tasks,transfers,paper_s,first_walk_s,second_walk_s\n");
    code = ranks < 1 ? complain("no ranks") : measure(argv[1], argv[2], ranks, 20, false);     /* loads the program */
    for (int i = 4; i < argc && code == 0; i++)
        code = measure(argv[1], argv[2], ranks, atoi(argv[i]), true);
    return code;
}
