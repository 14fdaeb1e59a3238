/* The owner and the value of each element, determined one by one. The library's arithmetic is compared with them. */
#ifndef OMPFACT_TESTS_MOVE_REDISTRIBUTION_H
#define OMPFACT_TESTS_MOVE_REDISTRIBUTION_H

#include "tests/fixtures.h"

/* Skips cases on many ranks, because creating windows takes long where ranks outnumber cores. */
static inline bool is_spared(int number, int step)
{
    return all_ranks_count() > 3 && (number + all_ranks_count()) % step != 0;
}

/* ---- our matrices --------------------------------------------------------------------------------------------------------- */

/* Ways to cut a matrix into tiles and to distribute them. */
enum { SIZE = 61, WAYS = 7 };
static char backwards[64];      /* the layout of a map file */

static inline int from_the_last(int cell)
{
    return all_ranks_count() - 1 - cell % all_ranks_count();
}

static inline void create_map(void)
{
    write_map(backwards, 5, 5, from_the_last);
}

static inline void remove_the_map(void)
{
    remove_map(backwards);
}

static inline ompfact_shape way(int number, const struct problem *p)
{
    static const int uneven[] = { 3, 20, 1, 1, 30, 6 }, columns[] = { 7, 11, 2, 30 };
    static const struct {
        const char *layout;
        int nb;
        bool full, uneven;
    } ways[WAYS] = {
        { "2dbc", 16, false, false }, { "1xP", 7, true, false }, { "g2dbc", 16, false, false }, { "g2dbc", 13, true, false },
        { "map", 10, false, false }, { "2dbc", 0, false, true }, { "map", 64, true, false },
    };
    static char one_row[32];
    snprintf(one_row, sizeof one_row, "2dbc:1x%d", all_ranks_count());
    const char *layout = ways[number].layout;
    layout = !strcmp(layout, "map") ? backwards : !strcmp(layout, "1xP") ? one_row : layout;
    ompfact_shape shape = shape_of(p, ways[number].nb, layout);
    shape.full_storage = ways[number].full;
    if (ways[number].uneven && p->m == SIZE) {
        shape.row_heights = uneven;
        shape.mt = 6;
        shape.col_widths = p->n == 50 ? columns : uneven;
        shape.nt = p->n == 50 ? 4 : 6;
    }
    return shape;
}

static inline bool counts(const struct problem *p, int64_t i, int64_t j)
{
    return !is_beyond(p, i, j);
}

/* Whether every element of A on this rank is the problem's. */
static inline bool holds(ompfact_matrix *A, const struct problem *p)
{
    bool right = true;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        if (ompfact_tile_get(A, i, j, &t) != OMPFACT_SUCCESS)
            return false;
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                right &= !counts(p, t.row + r, t.col + c) || get(&t, p->type, r, c) == entry_of(p, t.row + r, t.col + c);
        ompfact_tile_restore(A, &t);
    }
    return right && rest_is_untouched(A, p);
}

/* Collective: the rank of each element, column by column. The caller frees it. */
static inline int *owners_of(ompfact_matrix *A)
{
    int64_t m = ompfact_rows(A), n = ompfact_cols(A);
    int *owner = calloc((size_t)(m * n) + 1, sizeof *owner);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        if (ompfact_tile_get(A, i, j, &t) != OMPFACT_SUCCESS)
            continue;
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                owner[t.row + r + (t.col + c) * m] = my_rank();
        ompfact_tile_restore(A, &t);
    }
    reduce(owner, (int)(m * n), MPI_INT, MPI_SUM);
    return owner;
}

/* Bytes of elements that have different ranks in the two maps. */
static inline int64_t bytes_between(const struct problem *p, const int *from, const int *to)
{
    int64_t elements = 0;
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->m; i++)
            elements += counts(p, i, j) && from[i + j * p->m] != to[i + j * p->m];
    return elements * (int64_t)precision_of(p->type)->size;
}

/* ---- ScaLAPACK arrays ----------------------------------------------------------------------------------------------------- */

struct array {
    ompfact_scalapack where;
    int desc[9];
    int rank[64];
    char type;
    void *local;        /* the local array of this rank; NULL if there is none */
    size_t bytes;
    int *owner;         /* [M * N] */
    int64_t *place;     /* [M * N]: the element's place in its owner's local array */
};

struct array_shape {
    int M, N, mb, nb, nprow, npcol, rsrc, csrc;
    int64_t ia, ja;
    int more_ld;        /* unused rows of the local arrays */
    bool column_major;  /* the numbering of processes */
};

/* The process row of row g. *count is the number of earlier rows there. Counts rows instead of computing. */
static inline int process_of(int g, int block, int source, int processes, int64_t *count)
{
    int process = source, left = block;
    int64_t have[64] = { 0 };
    for (int i = 0;; i++, left--) {
        if (left == 0) {
            process = process + 1 == processes ? 0 : process + 1;
            left = block;
        }
        *count = have[process]++;
        if (i == g)
            return process;
    }
}

/* Elements outside a sub-matrix, or beyond its diagonal. */
static inline number filler(char type, int64_t i, int64_t j)
{
    return random_number(type, 999, i, j);
}

static inline void *array_element(const struct array *a, int64_t g)
{
    return (char *)a->local + (size_t)a->place[g] * precision_of(a->type)->size;
}

static inline struct array new_array(const struct array_shape *s, char type)
{
    struct array a = { .type = type };
    int64_t row[4096], col[4096], height = 0, width = 0;
    int prow[4096], pcol[4096], me = -1;
    for (int p = 0; p < s->nprow * s->npcol; p++) {
        a.rank[p] = s->column_major ? p % s->npcol * s->nprow + p / s->npcol : p;
        me = a.rank[p] == my_rank() ? p : me;
    }
    for (int i = 0; i < s->M; i++) {
        prow[i] = process_of(i, s->mb, s->rsrc, s->nprow, &row[i]);
        height += me >= 0 && prow[i] == me / s->npcol;
    }
    for (int j = 0; j < s->N; j++) {
        pcol[j] = process_of(j, s->nb, s->csrc, s->npcol, &col[j]);
        width += me >= 0 && pcol[j] == me % s->npcol;
    }
    int64_t ld = height + s->more_ld > 0 ? height + s->more_ld : 1;
    a.owner = malloc(((size_t)s->M * (size_t)s->N + 1) * sizeof *a.owner);
    a.place = malloc(((size_t)s->M * (size_t)s->N + 1) * sizeof *a.place);
    for (int64_t j = 0; j < s->N; j++)
        for (int64_t i = 0; i < s->M; i++) {
            a.owner[i + j * s->M] = a.rank[prow[i] * s->npcol + pcol[j]];
            a.place[i + j * s->M] = row[i] + col[j] * ld;
        }
    a.bytes = (size_t)(ld * width) * precision_of(type)->size;
    a.local = me >= 0 ? malloc(a.bytes + 1) : NULL;
    memcpy(a.desc, (int[9]){ 1, -7, s->M, s->N, s->mb, s->nb, s->rsrc, s->csrc, (int)ld }, sizeof a.desc);
    a.where = (ompfact_scalapack){ .nprow = s->nprow, .npcol = s->npcol, .ia = s->ia, .ja = s->ja };
    return a;
}

/* Sets the array's pointers into itself. Called when the array has its final place in memory. */
static inline const ompfact_scalapack *where(struct array *a)
{
    a->where.desc = a->local != NULL ? a->desc : NULL;
    a->where.rank = a->rank;
    return &a->where;
}

static inline void free_array(struct array *a)
{
    free(a->local);
    free(a->owner);
    free(a->place);
}

/* Element (i,j) of the array: the problem's in the used part of the sub-matrix, and filler elsewhere. */
static inline number array_entry(const struct array *a, const struct problem *p, int64_t i, int64_t j)
{
    int64_t r = i - (a->where.ia - 1), c = j - (a->where.ja - 1);
    bool inside = p != NULL && r >= 0 && r < p->m && c >= 0 && c < p->n && counts(p, r, c);
    return inside ? entry_of(p, r, c) : filler(a->type, i, j);
}

/* Fills the array; with p NULL by filler alone. */
static inline void fill_array(struct array *a, const struct problem *p)
{
    memset(a->local != NULL ? a->local : &(char){ 0 }, 0x5a, a->local != NULL ? a->bytes : 1);
    for (int64_t j = 0; j < a->desc[3]; j++)
        for (int64_t i = 0; i < a->desc[2]; i++) {
            int64_t g = i + j * a->desc[2];
            number value = array_entry(a, p, i, j);
            if (a->owner[g] == my_rank())
                precision_of(a->type)->set(array_element(a, g), creal(value), cimag(value));
        }
}

static inline bool array_holds(const struct array *a, const struct problem *p)
{
    bool right = true;
    for (int64_t j = 0; j < a->desc[3]; j++)
        for (int64_t i = 0; i < a->desc[2]; i++) {
            int64_t g = i + j * a->desc[2];
            double re, im;
            if (a->owner[g] != my_rank())
                continue;
            precision_of(a->type)->get(array_element(a, g), &re, &im);
            right &= re + im * (number)I == array_entry(a, p, i, j);
        }
    return right;
}

/* The owners of the sub-matrix's elements. The caller frees them. */
static inline int *owners_in(const struct array *a, const struct problem *p)
{
    int *owner = malloc((size_t)(p->m * p->n) * sizeof *owner + 1);
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->m; i++)
            owner[i + j * p->m] = a->owner[i + a->where.ia - 1 + (j + a->where.ja - 1) * a->desc[2]];
    return owner;
}

#endif
