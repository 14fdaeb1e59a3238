#include "bench/blis_packed.h"

#include "config.h"

#ifdef HAVE_BLIS
#include <blis.h>
#include <stdlib.h>
#include <time.h>

enum { POOL_BYTES = 48 << 20 };

struct micro {
    dgemm_ukr_ft kernel;
    cntx_t *context;
    int rows, columns;      /* of the block of C in registers */
    bool by_rows;           /* the rows of C must be contiguous */
};

static struct micro micro_kernel(void)
{
    cntx_t *context = (bli_init(), bli_gks_query_cntx());
    return (struct micro){ .kernel = (dgemm_ukr_ft)bli_cntx_get_l3_vir_ukr_dt(BLIS_DOUBLE, BLIS_GEMM_UKR, context),
                           .context = context,
                           .rows = (int)bli_cntx_get_blksz_def_dt(BLIS_DOUBLE, BLIS_MR, context),
                           .columns = (int)bli_cntx_get_blksz_def_dt(BLIS_DOUBLE, BLIS_NR, context),
                           .by_rows = bli_cntx_l3_vir_ukr_prefers_rows_dt(BLIS_DOUBLE, BLIS_GEMM_UKR, context) };
}

/* Strips of A in the inner loop, so that one of B stays in the first-level cache. */
static void multiply(const struct micro *m, int nb, double *A, double *B, double *C)
{
    double minus_one = -1, one = 1;
    int rs = m->by_rows ? nb : 1, cs = m->by_rows ? 1 : nb;
    for (int j = 0; j < nb; j += m->columns)
        for (int i = 0; i < nb; i += m->rows) {
            auxinfo_t next = { 0 };
            bool last = i + m->rows == nb;
            bli_auxinfo_set_next_a(A + (last ? 0 : i + m->rows) * (size_t)nb, &next);
            bli_auxinfo_set_next_b(B + (last && j + m->columns < nb ? j + m->columns : j) * (size_t)nb, &next);
            m->kernel(m->rows, m->columns, nb, &minus_one, A + i * (size_t)nb, B + j * (size_t)nb, &one,
                      C + i * (size_t)rs + j * (size_t)cs, rs, cs, &next, m->context);
        }
}

static double thread_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double blis_packed_rate(int nb, bool cold, double seconds)
{
    struct micro m = micro_kernel();
    size_t elements = (size_t)nb * (size_t)nb, tiles = cold ? POOL_BYTES / sizeof(double) / elements : 3;
    double *pool = nb % m.rows == 0 && nb % m.columns == 0 ? aligned_alloc(64, tiles * elements * sizeof *pool) : NULL;
    if (pool == NULL)
        return 0;
    for (size_t i = 0; i < tiles * elements; i++)
        pool[i] = 0;
    unsigned state = 1;
    double start = thread_time(), spent = 0;
    long times = -1;        /* the first run is not counted */
    while (times < 1 || spent < seconds) {
        double *tile[3];
        for (int i = 0; i < 3; i++)
            tile[i] = pool + (cold ? (size_t)rand_r(&state) % (tiles / 3) * 3 + (size_t)i : (size_t)i) * elements;
        multiply(&m, nb, tile[0], tile[1], tile[2]);
        if (++times == 0)
            start = thread_time();
        spent = thread_time() - start;
    }
    free(pool);
    return 2e-9 * nb * (double)elements * (double)times / spent;
}

#else

double blis_packed_rate(int nb, bool cold, double seconds)
{
    (void)nb, (void)cold, (void)seconds;
    return 0;
}

#endif
