/*
 * Compared with ScaLAPACK itself: PDPOTRF's factor equals the library's to rounding, PDPOTRS solves with the library's factor,
 * and PDGEMR2D's redistributions equal the library's bit for bit.
 */
#include "tests/move/redistribution.h"

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int nprow, int npcol);
void Cblacs_gridexit(int context);
void pdpotrf_(const char *uplo, const int *n, double *a, const int *ia, const int *ja, const int *desca, int *info);
void pdpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *ia, const int *ja, const int *desca,
              double *b, const int *ib, const int *jb, const int *descb, int *info);
void Cpdgemr2d(int m, int n, const double *a, int ia, int ja, const int *desca, double *b, int ib, int jb, const int *descb,
               int context);

enum { NRHS = 4 };
static const int size = SIZE, nrhs = NRHS, one = 1;

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 1 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* ---- process grids and arrays on them ------------------------------------------------------------------------------------- */

/* 2 x 2, 3 x 1 and 1 x 1, where there are as many ranks. Collective over all ranks. */
static const int grids[][2] = { { 2, 2 }, { 3, 1 }, { 1, 1 } };

static bool fits(int number)
{
    return grids[number][0] * grids[number][1] <= all_ranks_count();
}

static int new_context(int nprow, int npcol)
{
    int context;
    Cblacs_get(0, 0, &context);
    Cblacs_gridinit(&context, "Row", nprow, npcol);
    return context;
}

static struct array array_on(int context, int number, int n, int block)
{
    struct array_shape s = { .M = SIZE, .N = n, .mb = block, .nb = block, .nprow = grids[number][0], .npcol = grids[number][1],
                             .ia = 1, .ja = 1, .more_ld = 2 };
    struct array a = new_array(&s, 'd');
    a.desc[1] = a.local != NULL ? context : -1;
    return a;
}

static struct array copy_of(const struct array *a)
{
    struct array copy = *a;
    copy.owner = NULL;
    copy.place = NULL;
    copy.local = a->local != NULL ? memcpy(malloc(a->bytes + 1), a->local, a->bytes) : NULL;
    return copy;
}

/* max |a - b| over the used elements of the problem, or over all if p is NULL, on all ranks. Places and owners are a's. */
static double difference(const struct array *a, const struct array *b, const struct problem *p)
{
    double most = 0;
    for (int64_t j = 0; j < a->desc[3]; j++)
        for (int64_t i = 0; i < a->desc[2]; i++) {
            int64_t g = i + j * a->desc[2];
            if (a->owner[g] == my_rank() && (p == NULL || !is_beyond(p, i, j)))
                most = fmax(most, fabs(((double *)a->local)[a->place[g]] - ((double *)b->local)[a->place[g]]));
        }
    reduce(&most, 1, MPI_DOUBLE, MPI_MAX);
    return most;
}

static void fill_rhs_array(struct array *b, const struct problem *p)
{
    for (int64_t g = 0; g < SIZE * NRHS; g++)
        if (b->owner[g] == my_rank())
            *(double *)array_element(b, g) = creal(rhs_entry(p, g % SIZE, g / SIZE));
}

/* ---- tests ---------------------------------------------------------------------------------------------------------------- */

/* For the same array || L - L' || is a few roundings of || L ||, and so for U. Elements beyond the diagonal stay. PDPOTRS
   solves with the library's factor. */
START_TEST(factors)
{
    static const int blocks[] = { 7, 13 };
    int number = _i / 2 % 3, info = 0, solved = 0;
    int64_t our_info = -1;
    if (!fits(number))
        return;
    struct problem p = { .type = 'd', .hermitian = true, .upper = _i / 6, .m = SIZE, .n = SIZE, .seed = 31 };
    const char *uplo = p.upper ? "U" : "L";
    int context = new_context(grids[number][0], grids[number][1]);
    struct array a = array_on(context, number, SIZE, blocks[_i % 2]), b = array_on(context, number, NRHS, blocks[_i % 2]);
    fill_array(&a, &p);
    fill_rhs_array(&b, &p);
    struct array theirs = copy_of(&a), solution = copy_of(&b);
    ompfact_shape shape = shape_of(&p, 16, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, NRHS);

    assert_everywhere(ompfact_from_scalapack(A, where(&a), a.local) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_from_scalapack(B, where(&b), b.local) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_posv(A, B, &our_info) == OMPFACT_SUCCESS && our_info == 0);
    assert_everywhere(ompfact_to_scalapack(A, where(&a), a.local) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_to_scalapack(B, where(&b), b.local) == OMPFACT_SUCCESS);
    if (a.local != NULL) {
        pdpotrf_(uplo, &size, theirs.local, &one, &one, a.desc, &info);
        pdpotrs_(uplo, &size, &nrhs, a.local, &one, &one, a.desc, solution.local, &one, &one, b.desc, &solved);
    }
    assert_everywhere(info == 0 && solved == 0);
    double worst = difference(&a, &theirs, &p), bound = 20 * sqrt(3 * SIZE) * precision_of('d')->eps;
    assert_everywhere_msg(worst < bound, "the factors differ by %g, more than %g", worst, bound);
    double all = difference(&a, &theirs, NULL);
    assert_everywhere_msg(all == worst, "beyond the diagonal there is a change of %g", all);
    worst = difference(&b, &solution, NULL);
    assert_everywhere_msg(worst < 1e-14, "the solutions differ by %g", worst);

    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    free_array(&solution);
    free_array(&theirs);
    free_array(&b);
    free_array(&a);
    if (context >= 0)
        Cblacs_gridexit(context);
}
END_TEST

/* An array moves through a matrix into an array of other blocks on another process grid, with the same result as by PDGEMR2D. */
START_TEST(as_pdgemr2d)
{
    int from = _i / 3, to = _i % 3;
    if (!fits(from) || !fits(to))
        return;
    struct problem p = { .type = 'd', .m = SIZE, .n = SIZE, .seed = 41 };
    int all = new_context(1, all_ranks_count());
    int contexts[2] = { new_context(grids[from][0], grids[from][1]), new_context(grids[to][0], grids[to][1]) };
    struct array a = array_on(contexts[0], from, SIZE, 7), b = array_on(contexts[1], to, SIZE, 13);
    ompfact_shape shape = shape_of(&p, 10, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill_array(&a, &p);
    fill_array(&b, NULL);
    struct array theirs = copy_of(&b);
    assert_everywhere(ompfact_from_scalapack(A, where(&a), a.local) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_to_scalapack(A, where(&b), b.local) == OMPFACT_SUCCESS);
    Cpdgemr2d(SIZE, SIZE, a.local, 1, 1, a.desc, theirs.local, 1, 1, theirs.desc, all);
    assert_everywhere(difference(&b, &theirs, NULL) == 0);
    assert_everywhere(b.local == NULL || memcmp(b.local, theirs.local, b.bytes) == 0);
    ompfact_matrix_destroy(&A);
    free_array(&theirs);
    free_array(&b);
    free_array(&a);
    for (int i = 0; i < 2; i++)
        if (contexts[i] >= 0)
            Cblacs_gridexit(contexts[i]);
    Cblacs_gridexit(all);
}
END_TEST

static Suite *scalapack_suite(void)
{
    Suite *suite = suite_create("scalapack");
    TCase *tests = tcase_create("scalapack");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, factors, 0, 12);
    tcase_add_loop_test(tests, as_pdgemr2d, 0, 9);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, scalapack_suite());
}
