/* Traces, checkpoints and layouts are written and read right in a locale with decimal commas. Skipped where there is no such
   locale. */
#include "tests/commas.h"
#include "tests/fixtures.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

enum { PATH = 64 };

static char place[PATH];

/* A comma of JSON is never followed by a digit. */
static bool has_commas_in_numbers(FILE *file)
{
    bool found = false;
    for (int before = ' ', c, next = getc(file); (c = next) != EOF; before = c) {
        next = getc(file);
        found |= isdigit(before) && c == ',' && isdigit(next);
    }
    return found;
}

START_TEST(trace)
{
    char path[2 * PATH];
    struct problem p = { .type = 'd', .hermitian = true, .m = 90, .n = 90 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .trace = true });
    ompfact_shape shape = shape_of(&p, 30, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    int64_t info;
    fill(A, &p);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    snprintf(path, sizeof path, "%s.json", place);
    assert_everywhere_msg(ompfact_trace_write(grid, path) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    if (my_rank() == 0) {
        FILE *file = fopen(path, "r");
        ck_assert(file != NULL && !has_commas_in_numbers(file));
        fclose(file);
        unlink(path);
    }
    ck_assert_str_eq(localeconv()->decimal_point, ",");
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

START_TEST(layout)
{
    double speeds[64];
    struct problem p = { .type = 'd', .m = 200, .n = 200 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    ompfact_shape shape = shape_of(&p, 20, "1d1d-cs:cpb=1.5/2.5");
    for (int rank = 0; rank < all_ranks_count(); rank++)
        speeds[rank] = 1 + rank % 2;
    shape.speeds = speeds;
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("locale");
    TCase *tests = tcase_create("commas");
    start_mpi(&argc, &argv);
    long number = my_rank() == 0 ? (long)getpid() : 0;
    reduce(&number, 1, MPI_LONG, MPI_SUM);
    snprintf(place, sizeof place, "/tmp/ompfact-locale-%ld", number);
    bool is_first = my_rank() == 0, speaks = is_first ? set_comma_locale(place) : true;
    speaks = everywhere(speaks) && (is_first || set_comma_locale(place));
    if (!everywhere(speaks)) {
        MPI_Finalize();
        return 77;
    }
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, trace);
    tcase_add_test(tests, layout);
    suite_add_tcase(suite, tests);
    int failed = run_suite(argc, argv, suite);
    if (is_first)
        remove_comma_locale(place);
    return failed;
}
