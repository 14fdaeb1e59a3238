/* The tile sizes that a machine's rates lead to. No MPI. */
#include "src/machine/tile_size.h"
#include "tests/machine/machines.h"

#include <math.h>

/* As many tiles as with nb, all but the last of one size, a multiple of 16. */
static int evened(int64_t n, int nb)
{
    int64_t count = (n + nb - 1) / nb;
    return (int)(((n + count - 1) / count + 15) / 16 * 16);
}

/* With typical rates sizes are within bounds, never above the matrix's order, and not smaller for a larger matrix except to be
   even, or, in LU and QR, balanced. */
START_TEST(sizes)
{
    static const int workers[][2] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 5, 1 }, { 3, 4 }, { 23, 2 }, { 100, 16 } };
    struct machine *m = new_machine();
    for (int w = 0; w < 7; w++)
        for (int variant = 0; variant < 12; variant++) {
            int last = 0;
            for (int64_t n = 1; n < 200000; n += 1 + n / 7) {
                struct tile_question q = { .cholesky = variant % 3 == 1, .qr = variant % 3 == 2, .type = "sdcz"[variant / 3],
                                           .m = n, .n = n,
                                           .ranks = workers[w][0], .threads = workers[w][1] };
                int nb = tile_size_choose(m, &q);
                bool fits = nb >= (n < TILE_SIZE_MIN ? n : TILE_SIZE_MIN) && nb <= TILE_SIZE_MAX && nb <= n;
                int smaller = last / (!q.cholesky && q.ranks > 1 ? 2 : 4);
                fits &= nb >= last - last / 4 || tile_size_seconds(m, &q, nb) < tile_size_seconds(m, &q, evened(n, last));
                ck_assert_msg(fits && nb >= last - smaller, "n = %lld: %d after %d", (long long)n, nb, last);
                last = nb;
            }
            ck_assert_int_ge(last, 192);
        }
    free(m);
}
END_TEST

/* Empty, thin and huge matrices have tile sizes, too; more workers get smaller tiles. */
START_TEST(odd_shapes)
{
    static const int64_t shape[][2] = { { 0, 0 }, { 0, 5 }, { 7, 0 }, { 1, 1000000 }, { 1000000, 3 }, { 1000000000, 1000000000 },
                                        { 400, 30000 }, { 30000, 400 } };
    struct machine *m = new_machine();
    for (int s = 0; s < 8; s++)
        for (int ranks = 1; ranks <= 1000; ranks *= 10) {
            struct tile_question q = { .qr = s & 1, .type = 'd', .m = shape[s][0], .n = shape[s][1], .ranks = ranks,
                                       .threads = 2 };
            int nb = tile_size_choose(m, &q);
            int64_t longer = q.m > q.n ? q.m : q.n, least = longer < 1 || longer > TILE_SIZE_MIN ? TILE_SIZE_MIN : longer;
            ck_assert_msg(nb >= least && nb <= TILE_SIZE_MAX, "shape %d on %d ranks: %d", s, ranks, nb);
            ck_assert(isfinite(tile_size_seconds(m, &q, nb)) && (tile_size_is_open(&q) || tile_size_choose(NULL, &q) == nb));
        }
    struct tile_question few = { .cholesky = true, .type = 'd', .m = 4000, .n = 4000, .ranks = 1, .threads = 2 }, many = few;
    many.ranks = 64;
    ck_assert_int_lt(tile_size_choose(m, &many), tile_size_choose(m, &few));
    free(m);
}
END_TEST

/* For any number of threads, and any routine, tiles are so large that the rank can submit their tasks, at 2 us each, while the
   cores compute; at a tenth of that time tiles are smaller. */
START_TEST(tasks_are_fed)
{
    struct machine *m = new_machine(), *free_of_charge = new_machine();
    bool smaller = false;
    machine_keep_task(free_of_charge, (struct machine_task){ 1, 2e-7 });
    for (int threads = 16; threads <= 192; threads += 16)
        for (int variant = 0; variant < 4; variant++)
            for (int64_t n = 2000; n <= 50000; n += n / 6) {
                struct tile_question q = { .cholesky = variant == 1, .qr = variant == 2, .pivots = variant == 3, .type = 'd',
                                           .m = n, .n = n, .ranks = 1, .threads = threads };
                m->cores = free_of_charge->cores = threads;
                int nb = tile_size_choose(m, &q);
                double submission = 2e-6 * tile_size_tasks(&q, nb), cores = tile_size_seconds(free_of_charge, &q, nb);
                ck_assert_msg(submission <= cores, "n = %lld, %d threads, variant %d, nb %d: %g s of tasks in %g s",
                              (long long)n, threads, variant, nb, submission, cores);
                smaller |= tile_size_choose(free_of_charge, &q) < nb;
            }
    ck_assert(smaller);
    free(m);
    free(free_of_charge);
}
END_TEST

/* With pivots a whole column is searched while other threads wait: that takes longer, and leads to smaller tiles. */
START_TEST(pivots_take_time)
{
    struct machine *m = new_machine();
    struct tile_question plain = { .type = 'd', .m = 10000, .n = 10000, .ranks = 1, .threads = 32 }, pivoted = plain;
    m->cores = 32;
    pivoted.pivots = true;
    ck_assert(tile_size_seconds(m, &pivoted, 256) > tile_size_seconds(m, &plain, 256));
    ck_assert_int_lt(tile_size_choose(m, &pivoted), tile_size_choose(m, &plain));
    free(m);
}
END_TEST

/* The updates, step by step, of the busiest of two ranks over the mean, if tile columns are dealt in turn. */
static double busiest_of_two(int64_t n, int nb, bool qr)
{
    double work[2] = { 0, 0 };
    for (int64_t step = 0; step < n; step += nb)
        for (int64_t column = step + nb; column < n; column += nb) {
            double depth = fmin(nb, (double)(n - step)), width = fmin(nb, (double)(n - column)), rows = (double)(n - step);
            work[column / nb % 2] += width * depth * (qr ? 4 * rows - 2 * depth : 2 * rows - depth);
        }
    return 2 * fmax(work[0], work[1]) / (work[0] + work[1]);
}

/* Where all sizes have the same rates two ranks get nearly the same work: with columns of 168, of n = 2000, one has 1.06 of the
   mean, with 160 1.005. */
START_TEST(columns_are_balanced)
{
    struct machine *m = new_machine();
    for (enum rate_kernel kernel = 0; kernel < RATE_KERNELS; kernel++)
        for (int nb = 32; nb <= 512; nb *= 16)
            add_rate(m, 'd', kernel, 1, nb, 30);
    for (int qr = 0; qr < 2; qr++) {
        double sum = 0;
        for (int64_t n = 2000; n < 5000; n += 50) {
            struct tile_question q = { .qr = qr, .type = 'd', .m = n, .n = n, .ranks = 2, .threads = 1 };
            sum += busiest_of_two(n, tile_size_choose(m, &q), qr);
        }
        ck_assert_msg(sum / 60 < 1.008, "%s: a mean of %g", qr ? "QR" : "LU", sum / 60);
    }
    free(m);
}
END_TEST

/* A grid of ranks is the same for a matrix that is nearly square. */
START_TEST(nearly_square)
{
    struct machine *m = new_machine();
    for (int variant = 0; variant < 12; variant++) {
        struct tile_question square = { .qr = variant % 2, .type = 'd', .m = 4000, .n = 4000, .ranks = 4 + variant / 2 * 4,
                                        .threads = 1 }, wider = square, higher = square;
        wider.n++;
        higher.m++;
        int nb = tile_size_choose(m, &square), of_wider = tile_size_choose(m, &wider), of_higher = tile_size_choose(m, &higher);
        ck_assert_msg(nb == of_wider && nb == of_higher, "%d ranks: %d, %d, %d", square.ranks, nb, of_wider, of_higher);
    }
    free(m);
}
END_TEST

/* The choice follows the measured rates: a size at which kernels are fast is taken, and a slow one is not. */
START_TEST(follows_rates)
{
    struct machine *m = new_machine();
    struct tile_question q = { .type = 'd', .m = 20000, .n = 20000, .ranks = 1, .threads = 1 };
    for (int nb = 64; nb <= 512; nb += 32)
        for (enum rate_kernel kernel = 0; kernel < RATE_KERNELS; kernel++)
            add_rate(m, 'd', kernel, 1, nb, nb == 288 ? 50 : 30);
    ck_assert_int_eq(tile_size_choose(m, &q), 288);
    free(m);
}
END_TEST

/* A size that would leave a thin last tile is reduced; one that divides the matrix stays. */
START_TEST(no_sliver)
{
    static const struct { int64_t n; int fast, least, most; } cases[] = { { 4100, 128, 97, 120 }, { 2500, 96, 73, 88 },
                                                                          { 4096, 128, 128, 128 }, { 20000, 288, 288, 288 } };
    for (int i = 0; i < 4; i++) {
        struct machine *m = new_machine();
        struct tile_question q = { .type = 'd', .m = cases[i].n, .n = cases[i].n, .ranks = 1, .threads = 1 };
        for (int nb = 32; nb <= 512; nb += 8)
            for (enum rate_kernel kernel = 0; kernel < RATE_KERNELS; kernel++)
                if (nb % 32 == 0 || nb == cases[i].fast)
                    add_rate(m, 'd', kernel, 1, nb, nb == cases[i].fast ? 50 : 10);
        int nb = tile_size_choose(m, &q);
        int64_t last = q.n - (q.n - 1) / nb * nb;
        ck_assert_msg(nb >= cases[i].least && nb <= cases[i].most && 4 * last >= nb, "%lld: %d, last %lld", (long long)q.n, nb,
                      (long long)last);
        free(m);
    }
}
END_TEST

/* If only one size is possible the matrix is cut so that each worker has many tiles, as long as these are not large. */
START_TEST(thin)
{
    static const struct { int64_t m, n; int ranks, nb; } cases[] = { { 95, 95, 1, 32 }, { 10, 20, 1, 20 }, { 6400, 5, 1, 100 },
                                                                     { 5, 6400, 2, 50 }, { 1000000, 90, 4, 256 }, { 0, 0, 1, 32 },
                                                                     { 0, 9, 1, 9 } };
    for (int i = 0; i < 7; i++) {
        struct tile_question q = { .type = 'd', .m = cases[i].m, .n = cases[i].n, .ranks = cases[i].ranks, .threads = 1 };
        ck_assert(!tile_size_is_open(&q));
        ck_assert_int_eq(tile_size_choose(NULL, &q), cases[i].nb);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tile sizes");
    TCase *c = tcase_create("tile sizes");
    tcase_add_test(c, sizes);
    tcase_add_test(c, odd_shapes);
    tcase_add_test(c, tasks_are_fed);
    tcase_add_test(c, pivots_take_time);
    tcase_add_test(c, columns_are_balanced);
    tcase_add_test(c, nearly_square);
    tcase_add_test(c, follows_rates);
    tcase_add_test(c, no_sliver);
    tcase_add_test(c, thin);
    suite_add_tcase(suite, c);
    return run_serial_suite(suite);
}
