/* Factorizations of the soak in several calls: in parts, or with rows appended to a smaller factor. */
#include "tests/soak.h"

static int64_t order(const struct setup *c)
{
    return c->problem.m < c->problem.n ? c->problem.m : c->problem.n;
}

/* The row where a part of so many tile rows ends: the first row of a tile, or the end of the matrix. */
static int64_t end_of_tiles(const struct setup *c, int tiles)
{
    int64_t end = 0;
    for (int i = 0; i < tiles && end < order(c); i++)
        end += c->shape.mt > 0 ? c->shape.row_heights[i] : c->shape.nb;
    return end < order(c) ? end : order(c);
}

void parts_draw(struct setup *c)
{
    const struct problem *p = &c->problem;
    int parts = draw(4), grows = draw(2);
    bool plain = !c->qr && !c->compressed && c->shape.copies <= 1 && !c->options.abft && c->interval_ms == 0 && !c->in_one_call;
    c->parts = plain ? parts : 0;
    c->grows = c->parts > 0 && grows && p->hermitian && !c->indefinite;
    int64_t end = 0;
    for (int i = 0, tiles = 0; i < c->parts; i++) {
        tiles += 1 + draw(4);
        if (!c->grows)
            end = end_of_tiles(c, tiles);
        else if (end < p->n)
            end += 1 + draw((int)(p->n - end));
        end = end < p->n ? end : p->n;
        c->ends[i] = end;
    }
}

bool parts_are_all(const struct setup *c)
{
    return c->grows || (c->parts > 0 && c->ends[c->parts - 1] == order(c));
}

static ompfact_status eliminate(ompfact_matrix *A, const struct setup *c, int64_t rows, int64_t *info)
{
    if (c->indefinite)
        return (c->problem.symmetric ? ompfact_sytrf_partial : ompfact_hetrf_partial)(A, rows, info);
    return (c->problem.hermitian ? ompfact_potrf_partial : ompfact_getrf_partial)(A, rows, info);
}

const char *parts_eliminate(ompfact_matrix *A, const struct setup *c, int64_t *info)
{
    *info = 0;
    for (int i = 0; i < c->parts && *info == 0 && (i == 0 || c->ends[i] > c->ends[i - 1]); i++) {
        EXPECT(eliminate(A, c, c->ends[i], info) == OMPFACT_SUCCESS, "a part returned an error");
        ompfact_report report = ompfact_last_report(A);
        EXPECT(report.transfers == report.transfers_predicted, "a part's transfers are not as predicted");
    }
    return NULL;
}

const char *parts_append(ompfact_matrix *A, const struct setup *c, int64_t *info)
{
    struct problem p = c->problem;
    for (int i = 1; i <= c->parts && *info == 0; i++) {
        int64_t rows = ompfact_rows(A), more = (i < c->parts ? c->ends[i] : p.n) - rows;
        EXPECT(ompfact_potrf_append(A, more, fill_tile, &p, info) == OMPFACT_SUCCESS, "appending returned an error");
        EXPECT(ompfact_rows(A) == (*info == 0 ? rows + more : rows), "the number of rows after appending is wrong");
        ompfact_report report = ompfact_last_report(A);
        EXPECT(*info != 0 || more == 0 || report.transfers == report.transfers_predicted,
               "transfers of an append are not as predicted");
    }
    return NULL;
}
