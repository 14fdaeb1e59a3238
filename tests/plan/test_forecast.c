/* Plans: their counts equal those that other calls return, and wrong jobs are refused in one line. No MPI. */
#include "src/ompfact_plan.h"
#include "tests/failing_memory.h"
#include "tests/suite.h"

#include <math.h>

enum { NB = 40 };

static const int rank_counts[] = { 1, 2, 5, 7, 12, 23 };
enum { RANK_COUNTS = sizeof rank_counts / sizeof *rank_counts };

static ompfact_job job_of(const char *routine, int64_t m, int64_t n, int ranks)
{
    const ompfact_routine *r = ompfact_routine_find(routine);
    ck_assert_ptr_nonnull(r);
    bool triangle = r->factor == OMPFACT_BY_CHOLESKY || r->factor == OMPFACT_BY_INDEFINITE;
    return (ompfact_job){ .routine = routine, .ranks = ranks,
                          .shape = { .m = m, .n = n, .nb = NB,
                                     .structure = triangle ? OMPFACT_HERMITIAN_LOWER : OMPFACT_GENERAL } };
}

static ompfact_plan *plan_of(const ompfact_job *job)
{
    ompfact_plan *plan;
    char why[OMPFACT_MESSAGE] = "";
    ck_assert_msg(ompfact_plan_create(job, &plan, why) == OMPFACT_SUCCESS, "%s: %s", job->routine, why);
    return plan;
}

static ompfact_forecast forecast_of(const ompfact_job *job)
{
    ompfact_plan *plan = plan_of(job);
    ompfact_forecast f = *ompfact_plan_forecast(plan);
    ompfact_plan_destroy(&plan);
    ck_assert_ptr_null(plan);
    return f;
}

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

/* Every stored tile has an owner, and the largest number of tiles on a rank is the forecast's. */
START_TEST(owners)
{
    static const ompfact_structure structures[] = { OMPFACT_GENERAL, OMPFACT_HERMITIAN_LOWER, OMPFACT_HERMITIAN_UPPER };
    ompfact_job job = job_of(_i == 0 ? "getrf" : "potrf", 530, 530, 7);
    job.shape.structure = structures[_i];
    ompfact_plan *plan = plan_of(&job);
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    int64_t tiles[7] = { 0 }, most = 0;
    for (int i = 0; i < f->mt; i++)
        for (int j = 0; j < f->nt; j++) {
            int owner = ompfact_plan_owner(plan, i, j);
            bool stored = _i == 0 || (_i == 1 ? i >= j : i <= j);
            ck_assert(stored ? owner >= 0 && owner < 7 : owner == -1);
            if (stored)
                most = ++tiles[owner] > most ? tiles[owner] : most;
        }
    ck_assert_int_eq(most, f->tiles_max);
    ck_assert(ompfact_plan_devices(plan).devices == 0 && strcmp(ompfact_plan_devices(plan).backend, "") == 0);
    ompfact_plan_destroy(&plan);
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

/* Candidates are sorted by transfers, the fewest first, and the chosen one is the plan's. */
START_TEST(choice)
{
    ompfact_job job = job_of("potrf", 800, 800, 23);
    ompfact_plan *plan = plan_of(&job);
    const ompfact_choice *c, *again;
    ck_assert_int_eq(ompfact_plan_choice(plan, &c, NULL), OMPFACT_SUCCESS);
    ck_assert(c->count > 2 && c->counted_mt == 20 && c->candidate[c->chosen].balanced);
    ck_assert_str_eq(c->candidate[c->chosen].name, ompfact_plan_forecast(plan)->layout);
    ck_assert_int_eq(c->candidate[c->chosen].transfers, ompfact_plan_forecast(plan)->transfers);
    for (int k = 1; k < c->count; k++)
        ck_assert_int_le(c->candidate[k - 1].wire_transfers, c->candidate[k].wire_transfers);
    for (int k = 0; k < c->chosen; k++)
        ck_assert(!c->candidate[k].balanced || c->candidate[k].wire_transfers == c->candidate[c->chosen].wire_transfers);
    ck_assert(ompfact_plan_choice(plan, &again, NULL) == OMPFACT_SUCCESS && again == c);
    ompfact_plan_destroy(&plan);
}
END_TEST

/* Every routine that does more than solve has a plan, also for an empty matrix, and uses the given tile size. */
START_TEST(routines)
{
    for (const ompfact_routine *r = ompfact_routines(); r->name != NULL; r++) {
        ompfact_job job = job_of(r->name, 300, 300, 3);
        ompfact_plan *plan;
        bool only_solves = r->solves && (r->factored || r->triangular);
        ck_assert_int_eq(ompfact_plan_create(&job, &plan, NULL), only_solves ? OMPFACT_BAD_ARGUMENT : OMPFACT_SUCCESS);
        ck_assert(only_solves == (plan == NULL) && ompfact_job_flops(&job) > 0);
        ompfact_plan_destroy(&plan);
        if (only_solves)
            continue;
        int nb = -1;
        job.shape.nb = 0;
        ck_assert_int_eq(ompfact_plan_tile_size(&job, &nb, NULL), OMPFACT_SUCCESS);
        ck_assert_int_eq(forecast_of(&job).nb, nb);
        ompfact_forecast nothing = forecast_of(&(ompfact_job){ .routine = r->name, .ranks = 3,
                                                               .shape = { .nb = NB, .structure = job.shape.structure } });
        ck_assert(nothing.transfers == 0 && nothing.transfer_bytes == 0 && nothing.mt == 0);
    }
    ck_assert_ptr_null(ompfact_routine_find("potrg"));
    ck_assert(isnan(ompfact_job_flops(&(ompfact_job){ .routine = "potrg" })));
}
END_TEST

/* Wrong jobs are refused with a status and one line. */
START_TEST(refused)
{
    static const int nowhere[] = { 0, 2, 1 };
    enum { JOBS = 12 };
    ompfact_job job = job_of("potrf", 300, 300, 3), wrong[JOBS];
    for (int i = 0; i < JOBS; i++)
        wrong[i] = job;
    wrong[0].routine = "potrg";
    wrong[1].routine = NULL;
    wrong[2].routine = "getrf";         /* needs a general matrix */
    wrong[3].ranks = 0;
    wrong[4].shape.type = 'q';
    wrong[5].shape.layout = "2dbc:2x2";
    wrong[6].options.threads = -1;
    wrong[7].shape.node_of = nowhere;
    wrong[7].shape.nodes = 2;
    wrong[8] = job_of("gesv", 300, 200, 3);
    wrong[9].routine = "sytrf";         /* needs a symmetric matrix; the other two a Hermitian one */
    wrong[9].shape.type = wrong[10].shape.type = wrong[11].shape.type = 'z';
    wrong[10].routine = "hesv";
    wrong[10].shape.structure = wrong[11].shape.structure = OMPFACT_SYMMETRIC_LOWER;
    for (int i = 0; i < JOBS; i++) {
        ompfact_plan *plan = NULL;
        char why[OMPFACT_MESSAGE] = "";
        ompfact_status status = ompfact_plan_create(&wrong[i], &plan, why);
        ck_assert_msg(status == (i == 5 ? OMPFACT_BAD_LAYOUT : OMPFACT_BAD_ARGUMENT), "%d: status %d: %s", i, status, why);
        ck_assert(plan == NULL && why[0] != '\0' && strchr(why, '\n') == NULL);
    }
}
END_TEST

/* Whichever allocation fails, the result is a status with one line and no plan, or the same plan as with enough memory. */
START_TEST(no_memory)
{
    static const struct { const char *routine; ompfact_pivot pivot; } jobs[] = {
        { "posv", OMPFACT_PIVOT_AUTO },        { "getrf", OMPFACT_PIVOT_PARTIAL }, { "gesv", OMPFACT_PIVOT_TOURNAMENT },
        { "gels", OMPFACT_PIVOT_AUTO },        { "potri", OMPFACT_PIVOT_AUTO },
    };
    ompfact_job job = job_of(jobs[_i].routine, 2 * NB + 1, 2 * NB + 1, 3);
    job.options.pivot = jobs[_i].pivot;
    ompfact_forecast whole = forecast_of(&job);
    bool failed = true;
    for (int k = 0; failed; k++) {
        ompfact_plan *plan;
        char why[OMPFACT_MESSAGE] = "";
        long before = blocks_made;
        memory_fails_after(k, false);
        ompfact_status status = ompfact_plan_create(&job, &plan, why);
        failed = memory.failures > 0;
        memory_recovers();
        ck_assert_msg(status == OMPFACT_NO_MEMORY || status == OMPFACT_SUCCESS, "%s, allocation %d: status %d", jobs[_i].routine,
                      k, status);
        ck_assert((status == OMPFACT_NO_MEMORY) == (why[0] != '\0') && (status == OMPFACT_NO_MEMORY) == (plan == NULL));
        if (plan != NULL) {
            ompfact_forecast f = *ompfact_plan_forecast(plan);
            ck_assert_msg(f.memory_bytes_max == whole.memory_bytes_max && f.transfers == whole.transfers &&
                          f.tiles_max == whole.tiles_max, "%s, allocation %d at 0x%lx: %lld bytes, not %lld", jobs[_i].routine, k,
                          place_of(memory.where), (long long)f.memory_bytes_max, (long long)whole.memory_bytes_max);
        }
        ompfact_plan_destroy(&plan);
        ck_assert_int_eq(blocks_left(before), 0);
    }
}
END_TEST

/* The shares of all ranks add up to the matrix, and the cells of the pattern are the owners. */
START_TEST(shares)
{
    enum { RANKS = 6 };
    ompfact_job job = job_of(_i == 0 ? "potrf" : _i == 1 ? "getrf" : "geqrf", 530, 490 + 40 * (_i == 0), RANKS);
    job.shape.layout = "2dbc:3x2";
    ompfact_plan *plan = plan_of(&job);
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    const ompfact_layout_counts *c = ompfact_plan_layout(plan);
    const ompfact_pattern p = ompfact_plan_pattern(plan);
    ompfact_share share[RANKS];
    int64_t tiles[RANKS] = { 0 };
    double work = 0, most = 0;
    ck_assert_int_eq(ompfact_plan_shares(plan, share, NULL), OMPFACT_SUCCESS);
    ck_assert(p.ranks == RANKS && p.rows == 3 && p.cols == 2 && strcmp(p.name, f->layout) == 0);
    for (int i = 0; i < f->mt; i++)
        for (int j = 0; j < f->nt; j++) {
            int owner = ompfact_plan_owner(plan, i, j);
            ck_assert_int_eq(owner, _i == 0 && i < j ? -1 : p.cell[i % 3 * 2 + j % 2]);
            if (owner >= 0) tiles[owner]++;
        }
    for (int rank = 0; rank < RANKS; rank++) {
        ck_assert(share[rank].tiles == tiles[rank] && ompfact_plan_node_of(plan)[rank] == rank);
        work += share[rank].work / RANKS;
        most = share[rank].work > most ? share[rank].work : most;
    }
    ck_assert(fabs(work - 1) < 1e-12 && fabs(most - c->flops_max_over_mean) < 1e-12 && c->tiles_max == f->tiles_max);
    ompfact_plan_destroy(&plan);
}
END_TEST

/* The sections of 1d1d-c cover all steps, the last ones first, and release ranks one after another. Other layouts have no
   sections. */
START_TEST(partition)
{
    static const double speeds[] = { 1, 1, 2, 4 };
    ompfact_job job = job_of("getrf", 1600, 1600, 4);
    const ompfact_partition *p;
    ompfact_plan *plan = plan_of(&job);
    ck_assert(ompfact_plan_partition(plan, &p, NULL) == OMPFACT_SUCCESS && p == NULL);
    ompfact_plan_destroy(&plan);
    job.shape.speeds = speeds;
    job.shape.layout = _i == 0 ? "1d1d-c:cpb=2/4/8" : "1d1d-cs:cpb=2/4/8";
    plan = plan_of(&job);
    ck_assert(ompfact_plan_partition(plan, &p, NULL) == OMPFACT_SUCCESS && p != NULL && p->ranks == 4);
    int in_columns = 0, last = 39;
    for (int c = 0; c < p->columns; c++)
        in_columns += p->ranks_of_column[c];
    for (int k = 0; k < p->sections; k++) {
        const ompfact_section *s = &p->section[k];
        ck_assert(s->last == last && s->first <= last && s->most >= s->ideal * (1 - 1e-12) && s->ideal > 0);
        ck_assert(k == 0 || s->ranks > s[-1].ranks);
        last = s->first - 1;
    }
    ck_assert(in_columns == 4 && last == -1 && p->most >= p->ideal && p->levelled >= -1 && (p->levelled < 0) == (_i == 0));
    ck_assert(p->perisum == ompfact_plan_forecast(plan)->perisum && p->section_of_rank[3] == 0);
    ompfact_plan_destroy(&plan);
}
END_TEST

/* Without MPI a grid is refused by the library, because MPI would end the program. */
START_TEST(no_mpi)
{
    char why[OMPFACT_MESSAGE] = "";
    ompfact_grid *grid;
    ck_assert_int_eq(ompfact_grid_create(MPI_COMM_WORLD, NULL, &grid, why), OMPFACT_BAD_MPI);
    ck_assert_str_eq(why, "MPI is not initialized: call MPI_Init first");
    ck_assert_ptr_null(grid);
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
    tcase_add_loop_test(tests, many_ranks, 0, 2);
    tcase_add_loop_test(tests, owners, 0, 3);
    tcase_add_loop_test(tests, outlooks, 0, 2);
    tcase_add_loop_test(tests, shares, 0, 3);
    tcase_add_loop_test(tests, partition, 0, 2);
    tcase_add_test(tests, cores);
    tcase_add_test(tests, other_machines);
    tcase_add_test(tests, loads);
    tcase_add_test(tests, choice);
    tcase_add_test(tests, routines);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, no_mpi);
    add_turns(tests, no_memory, 5, 3);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
