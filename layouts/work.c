#include "layouts/work.h"

int64_t layout_work_of_cell(int a, int b, int period, int nt)
{
    int64_t work = 0;
    int rows = a < nt ? (nt - 1 - a) / period + 1 : 0, above = a <= b;      /* number of these, down to tile (k,k) */
    for (int64_t k = b; k < nt && above <= rows; k += period, above++) {
        if (a == b)
            work += layout_work(LAYOUT_CHOLESKY, (int)k, (int)k);
        work += (rows - above) * layout_work(LAYOUT_CHOLESKY, (int)k + 1, (int)k);
    }
    return work;
}

void add_work_of_cells(const struct pattern *p, int nt, int64_t *work)
{
    for (int a = 0; a < p->rows; a++)
        for (int b = 0; b < p->cols; b++) {
            int rank = p->cell[(int64_t)a * p->cols + b];
            if (rank != LAYOUT_FREE)
                work[rank] += layout_work_of_cell(a, b, p->rows, nt);
        }
}
