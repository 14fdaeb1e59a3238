/* Functions that the schemes for uneven tiles share. */
#include "layouts/uneven/uneven.h"
#include "layouts/arguments.h"
#include "layouts/refusal.h"

#include <stdlib.h>

enum { MOST_RANKS = 4096, MOST_TILES = 1 << 26 };       /* more take too long */

/* floor(alpha sqrt(P)), alpha in thousandths. */
static int uneven_limit(int alpha, int ranks)
{
    int64_t limit = 0;
    while ((limit + 1) * (limit + 1) * 1000000 <= (int64_t)alpha * alpha * ranks)
        limit++;
    return (int)limit;
}

/* The least alpha for which the limit is at least this. */
static int uneven_alpha(int limit, int ranks)
{
    int alpha = 1000;
    while (uneven_limit(alpha, ranks) < limit)
        alpha++;
    return alpha;
}

static const char *alpha_text(int alpha, char text[16])
{
    int length = snprintf(text, 16, "%d.%03d", alpha / 1000, alpha % 1000);
    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[--length] = '\0';
    return text;
}

int refuse_alpha(const char *scheme, const struct uneven *u, int limit, char *text)
{
    char least[16];
    int ranks = u->question->ranks;
    alpha_text(uneven_alpha(limit, ranks), least);
    return layout_refuse(text, "%s: alpha times the square root of %d ranks must be %d or more: alpha=%s is the minimum", scheme,
                         ranks, limit, least);
}

static int heaviest_first(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;
    if (a->work != b->work)
        return a->work > b->work ? -1 : 1;
    return a->i != b->i ? (a->i > b->i) - (a->i < b->i) : (a->j > b->j) - (a->j < b->j);
}

void sort_pieces(struct piece *pieces, int64_t count)
{
    qsort(pieces, (size_t)count, sizeof *pieces, heaviest_first);
}

double *cell_work(const struct layout_question *q, int rows, int cols)
{
    double *work = calloc((size_t)rows * (size_t)cols, sizeof *work);
    for (int i = 0; i < q->mt && work != NULL; i++) {
        double *row = work + (int64_t)(i % rows) * cols;
        for (int j = 0, col = 0; j < row_end(q, i); j++, col = col + 1 < cols ? col + 1 : 0)
            row[col] += tile_weight(q, i, j);
    }
    return work;
}

double max_over_mean(const double *load, int ranks)
{
    double most = 0, total = 0;
    for (int rank = 0; rank < ranks; rank++) {
        if (load[rank] > most)
            most = load[rank];
        total += load[rank];
    }
    return total > 0 ? most * ranks / total : 1;
}

void keep_better(struct pattern **best, double *best_load, struct pattern *p, double load)
{
    if (*best != NULL && load >= *best_load) {
        pattern_destroy(&p);
        return;
    }
    pattern_destroy(best);
    *best = p;
    *best_load = load;
}

/* ---- names ------------------------------------------------------------------------------------------------------------ */

/* Writes "alpha=2" and the other arguments that were given. */
static void name_pattern(struct pattern *p, const char *scheme, const struct uneven *u)
{
    char alpha[16];
    int length = snprintf(p->name, sizeof p->name, "%s:alpha=%s", scheme, alpha_text(u->alpha, alpha));
    if (u->q > 0)
        length += snprintf(p->name + length, sizeof p->name - (size_t)length, ",q=%d", u->q);
    if (u->size > 0)
        snprintf(p->name + length, sizeof p->name - (size_t)length, ",size=%d", u->size);
}

int uneven_check(const char *scheme, const struct layout_question *q, char *text)
{
    if (q->ranks < 1 || q->mt < 1 || q->nt < 1)
        return layout_refuse(text, "layout %s needs at least one rank and one tile, not %d and %d x %d", scheme, q->ranks, q->mt,
                             q->nt);
    if (q->ranks > MOST_RANKS || (int64_t)q->mt * q->nt > MOST_TILES)
        return layout_refuse(text, "layout %s takes at most %d ranks and %d tiles, not %d and %d x %d", scheme, MOST_RANKS,
                             MOST_TILES, q->ranks, q->mt, q->nt);
    return 0;
}

int uneven_create(const struct uneven_scheme *scheme, const char *args, const struct layout_question *q, struct pattern **pattern,
                  char *text)
{
    enum { MOST_ALPHA = 1000000, MOST_SUBSETS = 4096, MOST_SIZE = 4096 };
    struct uneven u = { .question = q, .alpha = 2000 };
    const struct argument known[] = { { .name = "alpha", .value = &u.alpha, .decimals = 3 }, { .name = "q", .value = &u.q },
                                      { .name = "size", .value = &u.size } };
    *pattern = NULL;
    if (uneven_check(scheme->name, q, text))
        return 1;
    if (parse_arguments(args, known, scheme->arguments) || u.alpha < 1000 || u.alpha > MOST_ALPHA || u.q > MOST_SUBSETS ||
        u.size > MOST_SIZE)
        return layout_refuse(text,
                             "%s:%.60s: write %s:%s or a part of it, alpha from 1 to 1000 with up to three decimals, numbers "
                             "from "
                             "1 to 4096", scheme->name, args, scheme->name, scheme->form);
    u.limit = uneven_limit(u.alpha, q->ranks);
    int failed = scheme->build(&u, pattern, text);
    if (!failed)
        name_pattern(*pattern, scheme->name, &u);
    return failed;
}
