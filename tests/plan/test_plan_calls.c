/* What a plan returns beside its forecast, and jobs that are refused. No MPI. */
#include "tests/failing_memory.h"
#include "tests/plan/plans.h"

#include <math.h>

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
    Suite *suite = suite_create("plans");
    TCase *tests = tcase_create("plans");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, owners, 0, 3);
    tcase_add_loop_test(tests, shares, 0, 3);
    tcase_add_loop_test(tests, partition, 0, 2);
    tcase_add_test(tests, choice);
    tcase_add_test(tests, routines);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, no_mpi);
    add_turns(tests, no_memory, 5, 3);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
