#include "src/plan/device_plan.h"

#include <math.h>
#include <string.h>

struct device_plan device_plan(double host_share, int devices, int threads, const char *backend, const struct machine *m)
{
    bool measured = m != NULL && m->device_rates > 0 && (backend[0] == '\0' || strcmp(backend, m->device_backend) == 0);
    struct device_plan plan = { .devices = devices, .threads = threads, .backend = backend, .measured = measured, .share = NAN };
    const struct machine_share *searched = measured ? machine_share_of(m, devices, threads) : NULL;
    if (host_share >= 0) {
        plan.source = SHARE_GIVEN;
        plan.share = host_share;
    } else if (searched != NULL) {
        plan.source = SHARE_SEARCHED;
        plan.share = searched->share;
    } else if (measured) {
        plan.source = SHARE_FORMULA;
        plan.share = machine_formula_share(m, devices, threads);
    }
    return plan;
}

struct device_plan device_plan_on_paper(const ompfact_options *o, int threads, const struct machine *m)
{
    const char *backend = o->device_backend != NULL ? o->device_backend : "";
    return device_plan(o->host_share, o->devices > 0 ? o->devices : 0, threads, backend, m);
}

int device_plan_tile_size(const struct device_plan *plan, const struct machine *m, int ranks, int64_t rows, int64_t cols, int nb)
{
    struct device_use use = { .devices = plan->devices, .ranks = ranks, .backend = plan->backend, .host_share = plan->share };
    return plan->devices == 0 ? nb : machine_tile_for_devices(m, &use, rows, cols, nb);
}
