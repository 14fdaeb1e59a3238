/*
 * A forecast of the transfers, the memory and the time of a Cholesky factorization of n = 50000 on 23 ranks of 64 threads. The
 * program starts no MPI. The bounds are for nodes with this machine's cores and rates. The command prints the same numbers:
 *
 *     ompfact --dry-run --ranks 23 --threads 64 --dim 50000 --wire 100gbit --json - --quiet potrf
 *
 *     cc $(pkg-config --cflags ompfact) -o cholesky_forecast cholesky_forecast.c $(pkg-config --libs ompfact)
 *     ./cholesky_forecast
 */
#include <ompfact_plan.h>
#include <stdio.h>

int main(void)
{
    ompfact_job job = { .routine = "potrf", .ranks = 23, .shape = { .n = 50000, .structure = OMPFACT_HERMITIAN_LOWER },
                        .options = { .threads = 64 }, .wire_rate = 100e9 / 8, .bounds = true };
    ompfact_plan *plan;
    char message[OMPFACT_MESSAGE];
    if (ompfact_plan_create(&job, &plan, message) != OMPFACT_SUCCESS) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    printf("layout               %s\n", f->layout);
    printf("nb                   %d\n", f->nb);
    printf("transfers            %lld\n", (long long)f->transfers);
    printf("transfer_bytes       %lld\n", (long long)f->transfer_bytes);
    printf("memory_bytes_max     %lld\n", (long long)f->memory_bytes_max);
    printf("tiles_max            %lld\n", (long long)f->tiles_max);
    printf("tiles_min            %lld\n", (long long)f->tiles_min);
    printf("flops_max_over_mean  %.6g\n", f->flops_max_over_mean);
    printf("work_bound_s         %.6g\n", f->work_bound_s);
    printf("link_bound_s         %.6g\n", f->link_bound_s);
    printf("chain_bound_s        %.6g\n", f->chain_bound_s);
    ompfact_plan_destroy(&plan);
    return 0;
}
