/*
 * From and to block-cyclic arrays in ScaLAPACK's form, without ScaLAPACK. Every element is checked, and the reported bytes must
 * be those of the elements that change their rank.
 */
#include "tests/move/redistribution.h"

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 1 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* ---- there and back ------------------------------------------------------------------------------------------------------- */

/* A process grid for so many ranks, some grids smaller than the ranks. Returns false after the last grid. */
static bool process_grid(int number, int *nprow, int *npcol)
{
    int ranks = all_ranks_count();
    int grids[][2] = { { 1, 1 }, { 1, ranks }, { ranks, 1 }, { 2, ranks / 2 }, { (ranks + 1) / 2, 1 }, { 2, 3 } };
    if (number >= 6)
        return false;
    *nprow = grids[number][0];
    *npcol = grids[number][1];
    if (*nprow * *npcol > ranks || *npcol == 0)
        *nprow = *npcol = 1;
    return true;
}

/* Moves an array to a matrix, and back to another array. Nothing else changes in either. */
static void there_and_back(const struct problem *p, const struct array_shape *s, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    struct array source = new_array(s, p->type), target = new_array(s, p->type);
    struct problem other = *p;
    other.seed = 1;
    fill(A, &other);
    fill_array(&source, p);
    fill_array(&target, NULL);
    assert_everywhere_msg(ompfact_from_scalapack(A, where(&source), source.local) == OMPFACT_SUCCESS, "%s",
                          ompfact_message(grid));
    int64_t there = ompfact_last_report(A).transfer_bytes;
    assert_everywhere(holds(A, p) && array_holds(&source, p));
    assert_everywhere_msg(ompfact_to_scalapack(A, where(&target), target.local) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    int64_t back = ompfact_last_report(A).transfer_bytes;
    assert_everywhere(holds(A, p) && array_holds(&target, p));
    int *ours = owners_of(A), *theirs = owners_in(&source, p);
    int64_t expected = bytes_between(p, ours, theirs);
    free(ours);
    free(theirs);
    assert_everywhere_msg(there == expected && back == expected, "%lld bytes there, %lld back, %lld counted", (long long)there,
                          (long long)back, (long long)expected);
    free_array(&target);
    free_array(&source);
    ompfact_matrix_destroy(&A);
}

/* Any block sizes, source processes, numberings and sub-matrices, on all process grids. */
START_TEST(any_description)
{
    static const struct array_shape shapes[] = {
        { .M = 61, .N = 61, .mb = 7, .nb = 7, .ia = 1, .ja = 1 },
        { .M = 80, .N = 70, .mb = 5, .nb = 13, .ia = 9, .ja = 4, .rsrc = 1, .more_ld = 3, .column_major = true },
        { .M = 61, .N = 90, .mb = 64, .nb = 1, .ia = 1, .ja = 30, .csrc = 1 },
        { .M = 100, .N = 61, .mb = 2, .nb = 40, .ia = 40, .ja = 1, .rsrc = 2, .csrc = 2, .more_ld = 1, .column_major = true },
    };
    struct array_shape s = shapes[_i % 4];
    for (int number = 0; process_grid(number, &s.nprow, &s.npcol); number++) {
        if (is_spared(number + _i, 3))
            continue;
        struct problem p = { .type = "dscz"[(_i + number) % 4], .hermitian = (_i / 4 + number) % 2, .m = SIZE, .seed = 2 };
        p.upper = p.hermitian && (_i / 4 + number) / 2 % 2;
        p.symmetric = _i % 2;
        p.n = p.hermitian ? SIZE : 59;
        s.rsrc = shapes[_i % 4].rsrc % s.nprow;
        s.csrc = shapes[_i % 4].csrc % s.npcol;
        ompfact_shape shape = way((_i + number) % WAYS, &p);
        if (p.n == 59 && shape.row_heights != NULL)
            shape = way(0, &p);
        there_and_back(&p, &s, &shape);
    }
}
END_TEST

/* Single elements and empty sub-matrices, also at the array's end. */
START_TEST(small)
{
    static const struct { int m, n; struct array_shape s; } cases[] = {
        { 1, 1, { .M = 9, .N = 11, .mb = 2, .nb = 3, .ia = 9, .ja = 11 } },
        { 1, 1, { .M = 1, .N = 1, .mb = 8, .nb = 8, .ia = 1, .ja = 1 } },
        { 0, 4, { .M = 9, .N = 11, .mb = 2, .nb = 3, .ia = 10, .ja = 8 } },
        { 3, 0, { .M = 9, .N = 0, .mb = 2, .nb = 3, .ia = 1, .ja = 1 } },
    };
    struct problem p = { .type = 'd', .m = cases[_i].m, .n = cases[_i].n, .seed = 8 };
    struct array_shape s = cases[_i].s;
    ompfact_shape shape = shape_of(&p, 5, "g2dbc");
    for (int number = 0; process_grid(number, &s.nprow, &s.npcol); number++)
        if (!is_spared(number + _i, 3))
            there_and_back(&p, &s, &shape);
}
END_TEST

/* ia = ja = 0 mean 1, and no map means row by row. A system and its right-hand sides are read, and the solution is written in
   place. */
START_TEST(solves_in_place)
{
    enum { NRHS = 5 };
    struct problem p = { .type = 'd', .hermitian = true, .m = SIZE, .n = SIZE, .seed = 21 };
    struct array_shape s = { .M = SIZE, .N = SIZE, .mb = 6, .nb = 6, .nprow = 1, .npcol = all_ranks_count(), .ia = 1, .ja = 1 };
    struct array a = new_array(&s, 'd');
    s.N = NRHS;
    struct array b = new_array(&s, 'd');
    ompfact_shape shape = shape_of(&p, 16, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, NRHS);
    int64_t info = -1;
    fill_array(&a, &p);
    for (int g = 0; g < SIZE * NRHS; g++)
        if (b.owner[g] == my_rank())
            precision_of('d')->set(array_element(&b, g), creal(rhs_entry(&p, g % SIZE, g / SIZE)), 0);
    ompfact_scalapack in_a = { .desc = a.desc, .nprow = 1, .npcol = s.npcol }, in_b = { .desc = b.desc, .nprow = 1,
                                                                                        .npcol = s.npcol };
    assert_everywhere(ompfact_from_scalapack(A, &in_a, a.local) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_from_scalapack(B, &in_b, b.local) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_posv(A, B, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_to_scalapack(B, &in_b, b.local) == OMPFACT_SUCCESS);
    number X[SIZE * NRHS] = { 0 };
    for (int g = 0; g < SIZE * NRHS; g++)
        X[g] = b.owner[g] == my_rank() ? *(double *)array_element(&b, g) : 0;
    reduce(X, 2 * SIZE * NRHS, MPI_DOUBLE, MPI_SUM);
    assert_everywhere(solve_ratio(&p, X, NRHS) < 30);
    assert_everywhere(ompfact_potrs(A, B) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_from_scalapack(A, &in_a, a.local) == OMPFACT_SUCCESS &&
                      ompfact_potrs(A, B) == OMPFACT_BAD_ARGUMENT);
    free_array(&b);
    free_array(&a);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- wrong descriptions --------------------------------------------------------------------------------------------------- */

static ompfact_matrix *refusing;
static struct array described;
static struct problem held;

/* Checks that both directions are refused on every rank with this text, and change neither A nor the array. */
static void is_refused(const ompfact_scalapack *s, void *local, const char *text)
{
    assert_everywhere(ompfact_from_scalapack(refusing, s, local) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere_msg(strstr(ompfact_message(grid), text) != NULL, "no \"%s\" in \"%s\"", text, ompfact_message(grid));
    assert_everywhere(ompfact_to_scalapack(refusing, s, local) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(holds(refusing, &held) && array_holds(&described, NULL));
}

/* Each wrong entry of a descriptor is refused by its name, also if it is wrong on one rank alone. */
START_TEST(wrong_descriptors)
{
    static const struct { int entry, value; bool everywhere; const char *words; } wrong[] = {
        { 0, 501, true, "DTYPE_" }, { 2, -1, true, "M_" }, { 2, 22, true, "not all in" }, { 3, 20, true, "not all in" },
        { 4, 0, true, "MB_" }, { 5, -3, true, "NB_" }, { 6, -1, true, "RSRC_" }, { 7, 63, true, "CSRC_" }, { 8, 0, true, "LLD_" },
        { 8, 1, false, "LLD_" }, { 0, 2, false, "DTYPE_" }, { 4, 5, false, "different" }, { 3, 40, false, "different" },
    };
    const struct array_shape s = { .M = 25, .N = 24, .mb = 4, .nb = 3, .nprow = 1, .npcol = all_ranks_count(), .ia = 3, .ja = 2 };
    held = (struct problem){ .type = 'd', .m = 21, .n = 22, .seed = 4 };
    described = new_array(&s, 'd');
    ompfact_shape shape = shape_of(&held, 8, "2dbc");
    refusing = new_matrix(grid, &shape);
    fill(refusing, &held);
    fill_array(&described, NULL);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        int desc[9];
        memcpy(desc, described.desc, sizeof desc);
        if (wrong[k].everywhere || my_rank() == all_ranks_count() - 1)
            desc[wrong[k].entry] = wrong[k].value;
        if (all_ranks_count() == 1 && strcmp(wrong[k].words, "different") == 0)
            continue;
        ompfact_scalapack to_wrong = *where(&described);
        to_wrong.desc = desc;
        is_refused(&to_wrong, described.local, wrong[k].words);
    }
    free_array(&described);
    ompfact_matrix_destroy(&refusing);
}
END_TEST

/* Refused are also process grids and maps that do not fit the ranks, sub-matrices that do not fit the array, and missing
   memory. */
START_TEST(wrong_grids)
{
    const struct array_shape s = { .M = 25, .N = 24, .mb = 4, .nb = 3, .nprow = 1, .npcol = all_ranks_count(), .ia = 3, .ja = 2 };
    int ranks = all_ranks_count(), map[64] = { 0 };
    held = (struct problem){ .type = 'd', .m = 21, .n = 22, .seed = 4 };
    described = new_array(&s, 'd');
    ompfact_shape shape = shape_of(&held, 8, "2dbc");
    refusing = new_matrix(grid, &shape);
    fill(refusing, &held);
    fill_array(&described, NULL);
    ompfact_scalapack right = *where(&described), w;
    is_refused((w = right, w.nprow = 0, &w), described.local, "0 x");
    is_refused((w = right, w.npcol = -1, &w), described.local, "x -1");
    is_refused((w = right, w.nprow = 2, &w), described.local, "does not fit");
    is_refused((w = right, w.nprow = w.npcol = 65536, &w), described.local, "does not fit");
    is_refused((w = right, w.ia = -1, &w), described.local, "count from 1");
    is_refused((w = right, w.ja = 4, &w), described.local, "not all in");
    is_refused((w = right, w.ia = INT64_MAX, &w), described.local, "not all in");
    is_refused(&right, NULL, "no local array");
    map[ranks - 1] = ranks;
    for (int p = 0; p + 1 < ranks; p++)
        map[p] = p;
    is_refused((w = right, w.rank = map, &w), described.local, "which does not exist");
    map[ranks - 1] = 0;
    if (ranks > 1) {
        is_refused((w = right, w.rank = map, &w), described.local, "already");
        is_refused((w = right, w.desc = my_rank() == 0 ? NULL : w.desc, &w), described.local, "no descriptor");
        is_refused((w = right, w.ia = my_rank() == 0 ? 2 : 1, &w), described.local, "different");
    }
    free_array(&described);
    ompfact_matrix_destroy(&refusing);
}
END_TEST

static Suite *block_cyclic_suite(void)
{
    Suite *suite = suite_create("block-cyclic");
    TCase *tests = tcase_create("block-cyclic");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_unchecked_fixture(tests, create_map, remove_the_map);
    tcase_add_loop_test(tests, any_description, 0, 8);
    tcase_add_loop_test(tests, small, 0, 4);
    tcase_add_test(tests, solves_in_place);
    tcase_add_test(tests, wrong_descriptors);
    tcase_add_test(tests, wrong_grids);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, block_cyclic_suite());
}
