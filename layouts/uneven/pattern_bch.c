/*
 * Block cyclic hybrid (slides, section 2.2). 2DBC puts the tiles of the diagonal, the heaviest ones, on few ranks. So the
 * tiles of a band along the diagonal go to all ranks in turn, column by column, and the others follow 2DBC. 8 x 8 tiles, 6
 * ranks, a band of one diagonal:
 *
 *     0  1  2  0  1  2  0  1
 *     3  1  5  3  4  5  3  4
 *     0  1  2  0  1  2  0  1
 *     3  4  5  3  4  5  3  4
 *     0  1  2  0  4  2  0  1
 *     3  4  5  3  4  5  3  4
 *     0  1  2  0  1  2  0  1
 *     3  4  5  3  4  5  3  1
 */
#include "layouts/arguments.h"
#include "layouts/arithmetic.h"
#include "layouts/refusal.h"
#include "layouts/uneven/uneven.h"

/* A band of `width` diagonals around the main one; an even width has one more diagonal below. For a lower triangle all of them
   are below. */
static void fill_band(const struct layout_question *q, int width, struct pattern *p)
{
    int64_t above = q->algorithm == LAYOUT_CHOLESKY ? 0 : (width - 1) / 2, below = width - 1 - above;
    int rank = 0;
    for (int64_t j = 0; j < q->nt; j++)
        for (int64_t i = j > above ? j - above : 0; i <= j + below && i < q->mt; i++) {
            p->cell[i * q->nt + j] = rank;
            rank = rank + 1 < q->ranks ? rank + 1 : 0;
        }
}

int create_bch(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    const char *s = args != NULL ? args : "1";
    int nprow, npcol, width = parse_count(&s);
    *pattern = NULL;
    if (uneven_check("bch", q, text))
        return 1;
    if (width < 1 || *s != '\0')
        return layout_refuse(text, "bch:%.60s: write bch, or bch:WIDTH, the diagonals of its band", args);
    struct pattern *p = *pattern = pattern_alloc(q->ranks, q->mt, q->nt);
    if (p == NULL)
        return layout_refuse(text, "no memory for layout bch on %d x %d tiles", q->mt, q->nt);
    best_grid(q->ranks, &nprow, &npcol);
    for (int64_t i = 0; i < q->mt; i++)
        for (int64_t j = 0; j < q->nt; j++)
            p->cell[i * q->nt + j] = (int)(i % nprow) * npcol + (int)(j % npcol);
    fill_band(q, width, p);
    snprintf(p->name, sizeof p->name, width == 1 ? "bch" : "bch:%d", width);
    return 0;
}
