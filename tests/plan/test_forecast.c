/* Forecasts: their counts and times are those that the library computes in other ways. No MPI. */
#include "tests/plan/plans.h"

#include <math.h>

static const int rank_counts[] = { 1, 2, 5, 7, 12, 23 };
enum { RANK_COUNTS = sizeof rank_counts / sizeof *rank_counts };

/* Transfers and balance are those of ompfact_layout_count(), and of ompfact_layout_count_qr(). */
START_TEST(counts)
{
    static const char *const routines[] = { "potrf", "getrf", "geqrf" };
    for (int i = 0; i < 3; i++) {
        ompfact_job job = job_of(routines[i], 530, 530, rank_counts[_i]);
        ompfact_forecast f = forecast_of(&job);
        ompfact_layout_counts c;
        job.shape.purpose = ompfact_routine_find(routines[i])->purpose;
        ck_assert_int_eq(i < 2 ? ompfact_layout_count(&job.shape, job.ranks, &c, NULL)
                               : ompfact_layout_count_qr(&job.shape, job.ranks, OMPFACT_TREE_AUTO, 0, &c, NULL), OMPFACT_SUCCESS);
        ck_assert_str_eq(f.layout, c.name);
        ck_assert(f.transfers == c.transfers && f.tiles_max == c.tiles_max && f.tiles_min == c.tiles_min);
        ck_assert(f.flops_max_over_mean == c.flops_max_over_mean && f.cost == c.cost && f.cost_bound == c.cost_bound);
        ck_assert(f.max_ranks_per_row == c.max_ranks_per_row && f.max_ranks_per_col == c.max_ranks_per_col);
        ck_assert(f.nb == NB && f.mt == 14 && f.nt == 14 && f.nodes == job.ranks);
        ck_assert(f.memory_bytes_max > (int64_t)c.bytes_max && (f.transfer_bytes > 0) == (job.ranks > 1));
        ck_assert(isnan(f.work_bound_s) && isnan(f.link_bound_s) && isnan(f.chain_bound_s) && isnan(f.predicted_s) &&
                  isnan(f.tasks_bound_s));
    }
}
END_TEST

/* Factors with signs, with butterflies or without. If each rank is a node all transfers cross, on two nodes some do, and on one
   node none. A step sends at most one tile of signs to each rank. */
START_TEST(signs_and_butterflies)
{
    ompfact_job job = job_of("hetrf", 530, 530, 12), cholesky = job_of("potrf", 530, 530, 12);
    job.options.butterfly = (ompfact_butterfly)_i;
    job.shape.structure = OMPFACT_HERMITIAN_LOWER;
    ompfact_forecast apart = forecast_of(&job), tiles = forecast_of(&cholesky);
    ck_assert(apart.wire_transfers == apart.transfers && apart.wire_bytes == apart.transfer_bytes);
    int64_t more = apart.transfers - tiles.transfers;
    ck_assert(_i == OMPFACT_BUTTERFLY_NONE ? more > 0 && more <= 14 * 11 : more > 14 * 11);
    job.ranks_per_node = cholesky.ranks_per_node = 6;
    ompfact_forecast two = forecast_of(&job);
    ck_assert(two.wire_transfers < apart.wire_transfers && two.wire_bytes < apart.wire_bytes);
    ck_assert(two.wire_transfers > forecast_of(&cholesky).wire_transfers && two.transfers == apart.transfers);
    job.ranks_per_node = 12;
    ompfact_forecast one = forecast_of(&job);
    ck_assert(one.wire_transfers == 0 && one.wire_bytes == 0);
}
END_TEST

/* Symmetric matrices have the counts of Hermitian ones. Real ones are the same. */
START_TEST(symmetric)
{
    ompfact_job hermitian = job_of("hesv", 530, 530, 7), symmetric = hermitian;
    hermitian.shape.type = symmetric.shape.type = "sdcz"[_i];
    symmetric.routine = "sysv";
    symmetric.shape.structure = OMPFACT_SYMMETRIC_LOWER;
    ompfact_forecast h = forecast_of(&hermitian), s = forecast_of(&symmetric);
    ck_assert(s.transfers == h.transfers && s.transfer_bytes == h.transfer_bytes && s.memory_bytes_max == h.memory_bytes_max);
    ck_assert_str_eq(s.layout, h.layout);
    symmetric.routine = hermitian.routine;
    ompfact_plan *plan = NULL;
    bool same = ompfact_plan_create(&symmetric, &plan, NULL) == OMPFACT_SUCCESS;
    ompfact_plan_destroy(&plan);
    ck_assert(same == (_i < 2));
}
END_TEST

/* Ranks on nodes, by number and by name. If all ranks are on one node nothing crosses. */
START_TEST(nodes)
{
    static const int node_of[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3 };
    ompfact_job job = job_of(_i == 0 ? "getrf" : "geqrf", 400, 400, 12);
    ompfact_forecast apart = forecast_of(&job);
    job.ranks_per_node = 3;
    ompfact_forecast f = forecast_of(&job);
    job.shape.node_of = node_of;
    job.shape.nodes = 4;
    ompfact_forecast named = forecast_of(&job);
    ck_assert(f.nodes == 4 && named.nodes == 4 && f.wire_transfers == named.wire_transfers && f.wire_bytes == named.wire_bytes);
    ck_assert(f.wire_transfers > 0 && f.wire_transfers < apart.wire_transfers);
    job.shape.node_of = NULL;
    job.ranks_per_node = 12;
    ck_assert_int_eq(forecast_of(&job).wire_transfers, 0);
}
END_TEST

/* Bounds where they are requested: total work, links and chains of Cholesky and LU on hosts. Twice the rate halves the link's
   bound. */
START_TEST(bounds)
{
    ompfact_job job = job_of("potrf", 800, 800, 6);
    job.bounds = true;
    job.wire_rate = 1e8;
    ompfact_forecast slow = forecast_of(&job);
    job.wire_rate = 2e8;
    ompfact_forecast fast = forecast_of(&job);
    ck_assert(slow.work_bound_s > 0 && slow.chain_bound_s > fast.chain_bound_s && fast.chain_bound_s > 0);
    ck_assert_double_eq_tol(slow.link_bound_s, 2 * fast.link_bound_s, 1e-12);
    job = job_of("geqrf", 800, 800, 6);
    job.bounds = true;
    ompfact_forecast qr = forecast_of(&job);
    ck_assert(qr.work_bound_s > 0 && isnan(qr.link_bound_s) && isnan(qr.chain_bound_s) && qr.tasks_bound_s > 0);
}
END_TEST

/* Data besides tiles take memory: checksums, right-hand sides, copies for a refinement and a check. */
START_TEST(beside_tiles)
{
    ompfact_job job = job_of("posv", 500, 500, 5);
    int64_t plain = forecast_of(&job).memory_bytes_max;
    job.nrhs = 300;
    int64_t wide = forecast_of(&job).memory_bytes_max;
    job.checked = true;
    int64_t checked = forecast_of(&job).memory_bytes_max;
    job.options.abft = true;
    ck_assert(plain < wide && wide < checked && checked < forecast_of(&job).memory_bytes_max);
    job = job_of("gesv", 500, 500, 5);
    plain = forecast_of(&job).memory_bytes_max;
    job.refined = true;
    ck_assert_int_lt(plain, forecast_of(&job).memory_bytes_max);
}
END_TEST

/* A refinement in mixed precision sends factors in single, with copies too. */
START_TEST(factors_in_single)
{
    ompfact_job job = job_of("posv", 500, 500, 6);
    job.ranks_per_node = 2;
    job.bounds = true;
    job.wire_rate = 1e9;
    job.shape.copies = 1 + _i;
    ompfact_forecast f = forecast_of(&job);
    job.refined = true;
    ompfact_forecast single = forecast_of(&job);
    ck_assert(single.transfers == f.transfers && 2 * single.transfer_bytes == f.transfer_bytes);
    ck_assert(f.wire_bytes > 0 && 2 * single.wire_bytes == f.wire_bytes);
    ck_assert_double_eq(2 * single.link_bound_s, f.link_bound_s);
}
END_TEST

/* OpenMP's runtime needs memory for each tile that tasks name: more with pivoting, and where ranks read the tiles of others in
   place. */
START_TEST(names_of_tiles)
{
    ompfact_job job = job_of("potrf", 3000, 3000, 6), lu = job_of("getrf", 3000, 3000, 6);
    job.shape.nb = 100;
    ompfact_forecast few = forecast_of(&job);
    job.shape.nb = lu.shape.nb = 10;
    ompfact_forecast many = forecast_of(&job);
    ck_assert_int_gt(many.memory_bytes_max - few.memory_bytes_max, 2000 * (many.tiles_max - few.tiles_max));
    ompfact_forecast pivoted = forecast_of(&lu);
    lu.options.pivot = OMPFACT_PIVOT_NONE;
    ck_assert_int_gt(pivoted.memory_bytes_max - forecast_of(&lu).memory_bytes_max, 2000 * pivoted.tiles_max);
    job.ranks_per_node = 6;
    int64_t together = forecast_of(&job).memory_bytes_max;
    ck_assert_int_gt(together - many.memory_bytes_max, 2000 * many.tiles_max);
    job.options.copy_on_node = true;
    ck_assert_int_lt(forecast_of(&job).memory_bytes_max, together);
}
END_TEST

/* On very many ranks a rank keeps flags only for pivots, T and other data of its own columns, and QR is counted for all ranks
   at once. */
START_TEST(many_ranks)
{
    ompfact_job job = job_of(_i == 0 ? "getrf" : "geqrf", 100000, 100000, 10000);
    job.shape.nb = 256;
    ompfact_forecast f = forecast_of(&job);
    ck_assert_msg(f.transfers > 0 && f.memory_bytes_max < (_i == 0 ? 380 : 128) << 20, "%lld", (long long)f.memory_bytes_max);
}
END_TEST

/* An outlook takes this machine as a node of the job: its cores, suitable tile sizes, the use of devices. */
START_TEST(outlooks)
{
    ompfact_job job = job_of("potrf", 2000, 2000, 6);
    job.ranks_per_node = 2;
    job.cores_per_node = 64;
    job.options = (ompfact_options){ .devices = 2, .device_backend = "cuda", .host_share = _i == 0 ? 0.125 : -1 };
    ompfact_plan *plan = plan_of(&job);
    ompfact_outlook of;
    char why[OMPFACT_MESSAGE] = "";
    ck_assert_msg(ompfact_plan_outlook(plan, &of, why) == OMPFACT_SUCCESS, "%s", why);
    ck_assert(of.machine.cores == 64 && of.ranks_on_node == 2 && of.threads == 32);
    ck_assert(of.nb == NB && of.best_nb >= 32 && of.nb_s > of.best_nb_s && of.best_nb_s > 0);
    ck_assert(of.devices.devices == 2 && strcmp(of.devices.backend, "cuda") == 0 && !of.devices.measured);
    ck_assert(_i == 0 ? of.devices.source == OMPFACT_SHARE_GIVEN && of.devices.host_share == 0.125
                      : of.devices.source == OMPFACT_SHARE_UNKNOWN && isnan(of.devices.host_share));
    ck_assert(isnan(of.balanced_share));
    ompfact_plan_destroy(&plan);
}
END_TEST

/* More cores on a node give its ranks more threads, and shorten the work. */
START_TEST(cores)
{
    ompfact_job job = job_of("potrf", 800, 800, 6);
    job.bounds = true;
    job.ranks_per_node = 2;
    job.cores_per_node = 4;
    ompfact_forecast few = forecast_of(&job);
    job.cores_per_node = 128;
    ompfact_forecast many = forecast_of(&job);
    ck_assert(few.threads == 2 && many.threads == 64 && many.work_bound_s < few.work_bound_s);
}
END_TEST

/* Nodes other than this machine: as many cores as threads, a given rate, another machine's file. */
START_TEST(other_machines)
{
    static const char name[] = "other-machine";
    char why[OMPFACT_MESSAGE] = "";
    ompfact_outlook of;
    ompfact_job job = job_of("potrf", 800, 800, 8);
    job.bounds = true;
    job.ranks_per_node = 2;
    job.options.threads = 500;
    job.core_gflops = 40;
    ompfact_plan *plan = plan_of(&job);
    ck_assert(ompfact_plan_outlook(plan, &of, why) == OMPFACT_SUCCESS);
    ck_assert(of.machine.cores == 1000 && of.machine.source == OMPFACT_MACHINE_GIVEN);
    double work = ompfact_plan_forecast(plan)->work_bound_s;
    ompfact_plan_destroy(&plan);
    job.core_gflops = 20;
    ck_assert(fabs(forecast_of(&job).work_bound_s / work - 2) < 1e-12);
    FILE *file = fopen(name, "w");
    fputs("version 2\nhost far\ncpu strange\ncores 48\nblas odd\ntask 24 1000\nrate d gemm 48 100 96\n", file);
    fclose(file);
    job = job_of("potrf", 800, 800, 8);
    job.ranks_per_node = 2;
    job.machine = name;
    job.bounds = true;
    plan = plan_of(&job);
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    const double nt = f->nt;
    ck_assert_double_eq_tol(f->tasks_bound_s, 1e-3 * nt * (nt + 1) * (nt + 2) / 6 / 8, 1e-3 * 1e-9);
    ck_assert(ompfact_plan_outlook(plan, &of, why) == OMPFACT_SUCCESS);
    ck_assert(of.machine.cores == 48 && of.threads == 24 && strcmp(of.machine.host, "far") == 0);
    ck_assert(fabs(ompfact_machine_rate(&of.machine, 'd', "gemm", 48, 100) - 2) < 1e-12);
    ompfact_plan_destroy(&plan);
    remove(name);
    ck_assert(ompfact_plan_create(&job, &plan, why) == OMPFACT_BAD_ARGUMENT && strstr(why, name) != NULL);
}
END_TEST

/* A plan has loads of ranks if their speeds are given, and none otherwise. */
START_TEST(loads)
{
    static const double speeds[] = { 1, 1, 2, 4 };
    ompfact_job job = job_of("getrf", 600, 600, 4);
    ompfact_plan *plan = plan_of(&job);
    ck_assert_ptr_null(ompfact_plan_loads(plan));
    ompfact_plan_destroy(&plan);
    job.shape.speeds = speeds;
    plan = plan_of(&job);
    const ompfact_loads *l = ompfact_plan_loads(plan);
    ck_assert(l != NULL && l->ranks == 4 && l->points == 15 && l->point[14].last_step == 14);
    double most = 0;
    for (int rank = 0; rank < 4; rank++)
        most = fmax(most, l->time[rank]);
    ck_assert(most > 0 && ompfact_plan_forecast(plan)->abe_max_over_mean >= 1);
    ompfact_plan_destroy(&plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forecast");
    TCase *tests = tcase_create("forecast");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, counts, 0, RANK_COUNTS);
    tcase_add_loop_test(tests, symmetric, 0, 4);
    tcase_add_loop_test(tests, nodes, 0, 2);
    tcase_add_loop_test(tests, signs_and_butterflies, 0, 4);
    tcase_add_test(tests, bounds);
    tcase_add_test(tests, beside_tiles);
    tcase_add_loop_test(tests, factors_in_single, 0, 2);
    tcase_add_test(tests, names_of_tiles);
    tcase_add_loop_test(tests, many_ranks, 0, 2);
    tcase_add_loop_test(tests, outlooks, 0, 2);
    tcase_add_test(tests, cores);
    tcase_add_test(tests, other_machines);
    tcase_add_test(tests, loads);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
