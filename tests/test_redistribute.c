/*
 * Matrices from any layout to any other, and from and to block-cyclic arrays as ScaLAPACK has them: every element is looked at, and
 * the bytes reported are the elements counted that change their rank.
 */
#include "tests/redistribution.h"

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 1 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* On many ranks some cases are enough: windows take long to make where ranks outnumber cores. */
static bool is_spared(int number, int step)
{
    return all_ranks_count() > 3 && (number + all_ranks_count()) % step != 0;
}

/* ---- from layout to layout ------------------------------------------------------------------------------------------------ */

/* Ways to cut a matrix into tiles and to spread them. */
enum { SIZE = 61, WAYS = 7 };
static char backwards[64];      /* a map file */

static int from_the_last(int cell)
{
    return all_ranks_count() - 1 - cell % all_ranks_count();
}

static void create_map(void)
{
    write_map(backwards, 5, 5, from_the_last);
}

static void remove_the_map(void)
{
    remove_map(backwards);
}

static ompfact_shape way(int number, const struct problem *p)
{
    static const int uneven[] = { 3, 20, 1, 1, 30, 6 }, columns[] = { 7, 11, 2, 30 };
    static const struct {
        const char *layout;
        int nb;
        bool full, uneven;
    } ways[WAYS] = {
        { "2dbc", 16, false, false }, { "1xP", 7, true, false }, { "g2dbc", 16, false, false }, { "g2dbc", 13, true, false },
        { "map", 10, false, false }, { "2dbc", 0, false, true }, { "map", 64, true, false },
    };
    static char one_row[32];
    snprintf(one_row, sizeof one_row, "2dbc:1x%d", all_ranks_count());
    const char *layout = ways[number].layout;
    layout = !strcmp(layout, "map") ? backwards : !strcmp(layout, "1xP") ? one_row : layout;
    ompfact_shape shape = shape_of(p, ways[number].nb, layout);
    shape.full_storage = ways[number].full;
    if (ways[number].uneven && p->m == SIZE) {
        shape.row_heights = uneven;
        shape.mt = 6;
        shape.col_widths = p->n == 50 ? columns : uneven;
        shape.nt = p->n == 50 ? 4 : 6;
    }
    return shape;
}

/* B := A, and nothing else. */
static void moves(const struct problem *p, ompfact_matrix *A, ompfact_matrix *B, const int *owner_in_A, const int *owner_in_B)
{
    struct problem other = *p;
    other.seed++;
    fill(B, &other);
    assert_everywhere_msg(ompfact_redistribute(A, B) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    assert_everywhere_msg(holds(A, p) && holds(B, p), "%c, %lld x %lld, from %s to %s", p->type, (long long)p->m, (long long)p->n,
                          ompfact_layout(A), ompfact_layout(B));
    ompfact_report report = ompfact_last_report(B);
    int64_t expected = bytes_between(p, owner_in_A, owner_in_B);
    assert_everywhere_msg(report.transfer_bytes == expected, "%lld bytes reported, %lld counted, from %s to %s",
                          (long long)report.transfer_bytes, (long long)expected, ompfact_layout(A), ompfact_layout(B));
    assert_everywhere(report.seconds >= 0 && agreed((int64_t)(report.seconds * 1e9)) && report.transfers == 0);
}

/* From every way to every other. */
static void all_moves(const struct problem *p)
{
    ompfact_matrix *A[WAYS];
    int *owner[WAYS];
    for (int k = 0; k < WAYS; k++) {
        ompfact_shape shape = way(k, p);
        A[k] = new_matrix(grid, &shape);
        owner[k] = owners_of(A[k]);
    }
    for (int from = 0; from < WAYS; from++) {
        fill(A[from], p);
        for (int to = 0; to < WAYS; to++)
            if (to != from)
                moves(p, A[from], A[to], owner[from], owner[to]);
    }
    for (int k = 0; k < WAYS; k++) {
        free(owner[k]);
        ompfact_matrix_destroy(&A[k]);
    }
}

/* All pairs, of general and of Hermitian matrices, in all types. */
START_TEST(all_pairs)
{
    bool hermitian = _i % 2;
    if (is_spared(_i, 3))
        return;
    all_moves(&(struct problem){ .type = "sdcz"[_i / 2], .hermitian = hermitian, .m = SIZE, .n = hermitian ? SIZE : 50, .seed = 7 });
}
END_TEST

/* Empty matrices move, and a single element; so do those of fewer tiles than ranks. */
START_TEST(small)
{
    static const struct problem sizes[] = {
        { .m = 0, .n = 5 }, { .m = 5, .n = 0 }, { .hermitian = true }, { .m = 1, .n = 1, .hermitian = true }, { .m = 3, .n = 17 },
    };
    struct problem p = sizes[_i];
    p.type = "dz"[_i % 2];
    if (!is_spared(_i, 2))
        all_moves(&p);
}
END_TEST

/* More than fits the staging memory, so in several rounds, and from a rank that has everything. */
START_TEST(rounds)
{
    struct problem p = { .type = "zd"[_i], .hermitian = _i, .m = 1000 + 500 * _i, .n = 1100 + 400 * _i, .seed = 5 };
    ompfact_shape shape = shape_of(&p, 700, "2dbc"), cut = shape_of(&p, 96, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_matrix(grid, &cut), *C = new_matrix(grid, &shape);
    fill(A, &p);
    fill(B, &(struct problem){ .type = p.type, .hermitian = _i, .m = p.m, .n = p.n });
    fill(C, &(struct problem){ .type = p.type, .hermitian = _i, .m = p.m, .n = p.n });
    assert_everywhere(ompfact_redistribute(A, B) == OMPFACT_SUCCESS && ompfact_redistribute(B, C) == OMPFACT_SUCCESS);
    assert_everywhere(holds(B, &p) && holds(C, &p));
    assert_everywhere(ompfact_last_report(B).transfer_bytes == ompfact_last_report(C).transfer_bytes);
    assert_everywhere(all_ranks_count() == 1 || ompfact_last_report(B).transfer_bytes > 0);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Factors moved to other tiles and ranks solve there; right-hand sides move too. What is no factor does not become one. */
START_TEST(factors)
{
    struct problem p = { .type = "zd"[_i], .hermitian = _i, .m = SIZE, .n = SIZE, .seed = 11 };
    ompfact_shape one = shape_of(&p, 16, "2dbc"), two = shape_of(&p, 9, backwards);
    ompfact_matrix *A = new_matrix(grid, &one), *F = new_matrix(grid, &two), *B = new_rhs(A, 3), *X = new_rhs(F, 3);
    int64_t info = -1;
    fill(A, &p);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_redistribute(A, F) == OMPFACT_SUCCESS && ompfact_redistribute(B, X) == OMPFACT_SUCCESS);
    assert_everywhere((_i ? ompfact_potrs(F, X) : ompfact_getrs(F, X)) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere((_i ? ompfact_potrf(A, &info) : ompfact_getrf(A, &info)) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_redistribute(A, F) == OMPFACT_SUCCESS);
    assert_everywhere((_i ? ompfact_potrs(F, X) : ompfact_getrs(F, X)) == OMPFACT_SUCCESS);
    number *dense = gather(X, false);
    double ratio = solve_ratio(&p, dense, 3);
    free(dense);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Only what has the same size, type, structure and grid is a copy of a matrix, and not the matrix itself. */
START_TEST(refuses)
{
    static const struct problem others[] = {
        { .type = 'd', .m = 20, .n = 21 }, { .type = 'd', .m = 21, .n = 20 }, { .type = 'z', .m = 20, .n = 20 },
        { .type = 'd', .m = 20, .n = 20, .hermitian = true },
    };
    struct problem p = { .type = 'd', .m = 20, .n = 20 };
    ompfact_shape shape = shape_of(&p, 8, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere(ompfact_redistribute(A, A) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        ompfact_shape other = shape_of(&others[k], 8, "2dbc");
        ompfact_matrix *B = new_matrix(grid, &other);
        fill(B, &others[k]);
        assert_everywhere(ompfact_redistribute(A, B) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
        assert_everywhere(holds(B, &others[k]));
        ompfact_matrix_destroy(&B);
    }
    ompfact_grid *second = new_grid((ompfact_options){ .threads = 1 });
    ompfact_matrix *B = new_matrix(second, &shape);
    assert_everywhere(ompfact_redistribute(A, B) == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "another grid") != NULL);
    ompfact_matrix_destroy(&B);
    ompfact_grid_destroy(&second);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- ScaLAPACK ------------------------------------------------------------------------------------------------------------ */

/* Process grids for so many ranks: some smaller than the ranks. Returns false where there are no more. */
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

/* Array to matrix and back into another one: nothing else changes in either. */
static void there_and_back(const struct problem *p, const struct array_shape *s, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    struct array source = new_array(s, p->type), target = new_array(s, p->type);
    fill(A, &(struct problem){ .type = p->type, .hermitian = p->hermitian, .m = p->m, .n = p->n, .seed = 1 });
    fill_array(&source, p);
    fill_array(&target, NULL);
    assert_everywhere_msg(ompfact_from_scalapack(A, where(&source), source.local) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
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
START_TEST(scalapack)
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
START_TEST(scalapack_small)
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

/* ia = ja = 0 mean 1, no map means row by row; a system and its right-hand sides come in, the solution goes back in place. */
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
            host_kernels('d')->set(array_element(&b, g), creal(rhs_entry(&p, g % SIZE, g / SIZE)), 0);
    ompfact_scalapack in_a = { .desc = a.desc, .nprow = 1, .npcol = s.npcol }, in_b = { .desc = b.desc, .nprow = 1, .npcol = s.npcol };
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
    assert_everywhere(ompfact_from_scalapack(A, &in_a, a.local) == OMPFACT_SUCCESS && ompfact_potrs(A, B) == OMPFACT_BAD_ARGUMENT);
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

/* Says whether both directions are refused on every rank, with these words, and leave A and the array alone. */
static void is_refused(const ompfact_scalapack *s, void *local, const char *text)
{
    assert_everywhere(ompfact_from_scalapack(refusing, s, local) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere_msg(strstr(ompfact_message(grid), text) != NULL, "no \"%s\" in \"%s\"", text, ompfact_message(grid));
    assert_everywhere(ompfact_to_scalapack(refusing, s, local) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(holds(refusing, &held) && array_holds(&described, NULL));
}

/* Each wrong entry of a descriptor is refused, by its name; also if it is wrong on one rank alone. */
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

/* So are process grids and maps that do not fit the ranks, sub-matrices that do not fit the array, and missing memory. */
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
    is_refused((w = right, w.rank = map, &w), described.local, "which there is not");
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

static Suite *redistribute_suite(void)
{
    Suite *suite = suite_create("redistribute");
    TCase *layouts = tcase_create("layouts"), *arrays = tcase_create("ScaLAPACK");
    tcase_add_unchecked_fixture(layouts, create_grid, destroy_grid);
    tcase_add_unchecked_fixture(layouts, create_map, remove_the_map);
    tcase_add_loop_test(layouts, all_pairs, 0, 8);
    tcase_add_loop_test(layouts, small, 0, 5);
    tcase_add_loop_test(layouts, rounds, 0, 2);
    tcase_add_loop_test(layouts, factors, 0, 2);
    tcase_add_test(layouts, refuses);
    suite_add_tcase(suite, layouts);
    tcase_add_unchecked_fixture(arrays, create_grid, destroy_grid);
    tcase_add_unchecked_fixture(arrays, create_map, remove_the_map);
    tcase_add_loop_test(arrays, scalapack, 0, 8);
    tcase_add_loop_test(arrays, scalapack_small, 0, 4);
    tcase_add_test(arrays, solves_in_place);
    tcase_add_test(arrays, wrong_descriptors);
    tcase_add_test(arrays, wrong_grids);
    suite_add_tcase(suite, arrays);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, redistribute_suite());
}
