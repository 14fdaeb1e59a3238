/* A thread's memory for kernels: it is taken, returned and taken again. No MPI. */
#include "omp/kernels/workspace.h"
#include "tests/suite.h"

#include <stdint.h>

/* Pieces are aligned, do not overlap, and are usable to their ends. */
START_TEST(pieces)
{
    enum { PIECES = 6 };
    unsigned char *piece[PIECES];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < PIECES; i++) {
            size_t bytes = (size_t)(100 * i + 1) << (4 * round);
            piece[i] = workspace_take(bytes);
            ck_assert_ptr_nonnull(piece[i]);
            ck_assert_int_eq((uintptr_t)piece[i] % 64, 0);
            memset(piece[i], i, bytes);
        }
        for (int i = 0; i < PIECES; i++) {
            size_t bytes = (size_t)(100 * i + 1) << (4 * round);
            ck_assert_int_eq(piece[i][0], i);
            ck_assert_int_eq(piece[i][bytes - 1], i);
            workspace_give(piece[i]);
        }
    }
    workspace_free();
}
END_TEST

/* The smallest piece that is large enough is reused, from the middle of the list, too. */
START_TEST(again)
{
    void *large = workspace_take(4000), *small = workspace_take(1000), *middle = workspace_take(2000);
    workspace_give(large);
    workspace_give(small);
    workspace_give(middle);
    ck_assert_ptr_eq(workspace_take(500), small);
    ck_assert_ptr_eq(workspace_take(1500), middle);
    ck_assert_ptr_eq(workspace_take(1), large);
    workspace_give(small);
    workspace_give(large);
    workspace_give(middle);
    workspace_give(NULL);
    workspace_free();
    workspace_free();
}
END_TEST

/* Impossible requests fail: an address space has an end. */
START_TEST(no_memory)
{
    ck_assert_ptr_null(workspace_take(SIZE_MAX / 4));
    void *piece = workspace_take(10);
    ck_assert_ptr_nonnull(piece);
    workspace_give(piece);
    workspace_free();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { pieces, again, no_memory };
    Suite *suite = suite_create("workspace");
    TCase *tcase = tcase_create("workspace");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return run_serial_suite(suite);
}
