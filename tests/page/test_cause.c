/* The cause that limited a run, on made-up traces with one cause each. */
#include "src/page/cause.h"
#include "tests/page/made_up.h"

/* The length of a run in microseconds. */
enum { LONG = 10000 };

static struct cause cause_of(struct made_up *m, const char *about)
{
    struct page_data *data = data_of(m, about);
    struct cause cause = find_cause(data);
    page_data_destroy(&data);
    size_t length = strlen(cause.sentence);
    ck_assert_msg(length >= 20 && length < CAUSE_SENTENCE - 1, "%s", cause.sentence);
    ck_assert_msg(cause.sentence[length - 1] == '.' && strpbrk(cause.sentence, "0123456789"), "%s", cause.sentence);
    ck_assert_msg(!strstr(cause.sentence, "nan") && !strstr(cause.sentence, "inf"), "%s", cause.sentence);
    ck_assert_int_ge(strlen(cause.advice), 20);
    return cause;
}

static void expect(struct made_up *m, const char *about, const char *by, int rank)
{
    struct cause cause = cause_of(m, about);
    char name[16];
    ck_assert_msg(strcmp(cause.by, by) == 0 && cause.rank == rank, "expected %s of rank %d, found %s of rank %d: %s", by, rank,
                  cause.by, cause.rank, cause.sentence);
    snprintf(name, sizeof name, "rank %d", rank);
    ck_assert_msg(rank < 0 || strstr(cause.sentence, name), "%s", cause.sentence);
}

/* Adds so many tasks of a rank, one after another, in steps. Each task takes `each` microseconds. */
static void fill(struct made_up *m, int rank, int tasks, double each, double flops)
{
    for (int t = 0; t < tasks; t++)
        a_task(m, t % 10 == 0 ? "trsm" : "gemm", rank, 0, t / 10, t * each, (t + 1) * each, flops);
}

/* One rank takes five times as long for the same flops, and the others wait for it. */
START_TEST(slow_rank)
{
    for (int slow = 0; slow < 3; slow++) {
        struct made_up *m = make_trace();
        for (int rank = 0; rank < 3; rank++)
            fill(m, rank, 100, rank == slow ? LONG / 100.0 : LONG / 500.0, 1e6);
        expect(m, "{\"row\":{\"ranks\":3,\"nb\":64}}", "rank", slow);
    }
}
END_TEST

/* One slow task does not make a rank slow: the kernel's other tasks are as fast as on other ranks. */
START_TEST(slowness_of_ranks)
{
    struct made_up *m = make_trace();
    fill(m, 0, 100, 10, 1e6);
    fill(m, 1, 50, 40, 1e6);
    fill(m, 2, 200, 10, 1e6);
    struct page_data *data = data_of(m, "{}");
    ck_assert_double_eq_tol(slowness_of(data, 0), 0.4, 1e-9);       /* the median of 1 and 4 */
    ck_assert_double_eq_tol(slowness_of(data, 1), 4, 1e-9);
    ck_assert_double_eq_tol(slowness_of(data, 2), 0.4, 1e-9);
    ck_assert_double_eq_tol(load_of(data, 1), 2e-3, 1e-12);
    page_data_destroy(&data);
}
END_TEST

/* A slow rank with less work delays nobody: all ranks are at work. */
START_TEST(slow_rank_with_less_work)
{
    struct made_up *m = make_trace();
    fill(m, 0, 100, 95, 1e6);
    fill(m, 1, 50, 190, 1e6);
    fill(m, 2, 100, 95, 1e6);
    expect(m, "{\"row\":{\"ranks\":3,\"nb\":64}}", "work", -1);
}
END_TEST

/* Where ranks share cores, busy cores are the limit, however long threads wait. */
START_TEST(shared_cores)
{
    struct made_up *m = make_trace();
    for (int rank = 0; rank < 8; rank++)
        for (int t = 0; t < 10; t++)
            a_task(m, "gemm", rank, 0, t, 1000 * t + 125 * rank, 1000 * t + 125 * (rank + 1), 1e6);
    expect(m, "{\"row\":{\"ranks\":8,\"nb\":64},\"cores\":1,\"nodes\":[0,0,0,0,0,0,0,0]}", "work", -1);
}
END_TEST

/* Two ranks compute a tenth of the time, and wait for each other's tiles, which were sent `after_write` microseconds before
   they arrived. */
static void wait_for_tiles(struct made_up *m, double after_write)
{
    for (int k = 0; k < 10; k++)
        for (int rank = 0; rank < 2; rank++) {
            double begin = 1000.0 * k;
            a_transfer(m, 2 * k + rank, 1 - rank, rank, k + 2, k, begin + 900 - after_write, begin + 900);
            a_wait(m, rank, 0, begin, begin + 900);
            for (int t = 0; t < 10; t++)
                a_task(m, "gemm", rank, 0, k, begin + 900 + 10 * t, begin + 910 + 10 * t, 1e6);
        }
}

/* The same waits have different causes: for tiles that are final and in flight it is the wire, for tiles that are not final the
   panel. On one node no tile is in flight. */
START_TEST(wire_or_panel)
{
    static const char two_nodes[] = "{\"row\":{\"ranks\":2,\"nb\":64,\"nodes\":2},\"nodes\":[0,1]}";
    static const char one_node[] = "{\"row\":{\"ranks\":2,\"nb\":64,\"nodes\":1},\"nodes\":[0,0]}";
    struct made_up *m = make_trace();
    wait_for_tiles(m, 880);
    expect(m, two_nodes, "wire", -1);
    m = make_trace();
    wait_for_tiles(m, 5);
    expect(m, two_nodes, "panel", -1);
    m = make_trace();
    wait_for_tiles(m, 880);
    expect(m, one_node, "panel", -1);
}
END_TEST

/* Half of the waits are for four of forty panels, which one rank owns. */
START_TEST(panels_of_a_rank)
{
    struct made_up *m = make_trace();
    double now = 0;
    for (int k = 0; k < 40; k++) {
        double wait = k >= 20 && k < 24 ? 100 : 5;
        a_transfer(m, k, 0, 1, k + 1, k, now + wait - 1, now + wait);
        a_wait(m, 1, 0, now, now + wait);
        now += wait;
        for (int t = 0; t < 20; t++)
            for (int rank = 0; rank < 2; rank++)
                a_task(m, "gemm", rank, 0, k, now + t, now + t + 1, 1e6);
        now += 20;
    }
    struct cause cause = cause_of(m, "{\"row\":{\"ranks\":2,\"nb\":64}}");
    ck_assert_str_eq(cause.by, "panel");
    ck_assert_int_eq(cause.rank, 0);
    ck_assert_msg(strstr(cause.sentence, "panels 20 to 2") && strstr(cause.sentence, "rank 0"), "%s", cause.sentence);
}
END_TEST

/* Steps whose tasks run one after the other. Large tiles are then too large; with small tiles the matrix is too small. */
static void step_by_step(struct made_up *m)
{
    for (int k = 0; k < 10; k++) {
        double begin = 900.0 * k;
        a_task(m, "potrf", k % 2, 0, k, begin, begin + 300, 1e6);
        a_wait(m, 1 - k % 2, 0, begin, begin + 300);
        a_task(m, "trsm", 1 - k % 2, 0, k, begin + 300, begin + 600, 1e6);
        a_task(m, "syrk", k % 2, 0, k, begin + 600, begin + 900, 1e6);
    }
}

START_TEST(chain_or_tiles)
{
    struct made_up *m = make_trace();
    step_by_step(m);
    expect(m, "{\"row\":{\"ranks\":2,\"nb\":512}}", "tiles", -1);
    m = make_trace();
    step_by_step(m);
    expect(m, "{\"row\":{\"ranks\":2,\"nb\":64}}", "chain", -1);
}
END_TEST

/* One rank has three times the flops of the others, at the same rate. */
START_TEST(balance)
{
    struct made_up *m = make_trace();
    for (int rank = 0; rank < 4; rank++)
        fill(m, rank, rank == 2 ? 300 : 100, 30, 1e6);
    expect(m, "{\"row\":{\"ranks\":4,\"nb\":64}}", "balance", 2);
}
END_TEST

/* A trace with almost no data has a sentence, too. */
START_TEST(least)
{
    struct made_up *m = make_trace();
    a_task(m, "potrf", 0, 0, 0, 0, 0, 0);
    cause_of(m, "{}");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cause");
    TCase *tests = tcase_create("cause");
    tcase_add_test(tests, slow_rank);
    tcase_add_test(tests, slowness_of_ranks);
    tcase_add_test(tests, slow_rank_with_less_work);
    tcase_add_test(tests, shared_cores);
    tcase_add_test(tests, wire_or_panel);
    tcase_add_test(tests, panels_of_a_rank);
    tcase_add_test(tests, chain_or_tiles);
    tcase_add_test(tests, balance);
    tcase_add_test(tests, least);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
