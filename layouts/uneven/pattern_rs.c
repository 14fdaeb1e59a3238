/*
 * Random subsets (slides, section 3.3), for the tiles of a matrix or for the cells of a pattern that repeats (section 5).
 *
 * Tile rows and tile columns are lines. Initially any subset of its family may become a line's subset; when a rank gets a tile
 * of the line, only the subsets with this rank remain open. The candidates for a tile are the ranks that are in some open
 * subset of its row and in one of its column: there is always one, since any two subsets intersect. Tiles go to the least
 * loaded candidate, heaviest first, but tiles with only one candidate come before all others. In the end a line has one
 * subset, and so no more ranks than that.
 *
 * For Cholesky row i and column i, whose tiles have the same ranks, are one line.
 */
#include "layouts/arithmetic.h"
#include "layouts/refusal.h"
#include "layouts/uneven/subsets.h"

#include <stdlib.h>

struct allocation {
    const struct layout_question *question;
    int rows, cols;
    bool symmetric, lower;          /* lower: only pieces on and below the diagonal */
    struct subsets families[2];     /* families for rows, or for all lines; for columns */
    int lines, open_words, words;
    uint64_t *open;                 /* lines x open_words: open subsets of each line */
    uint64_t *candidates;           /* lines x words: the ranks in open subsets */
    struct piece *pieces;
    int64_t count;
    int64_t *forced;                /* cells with one candidate, in the order in which they were found */
    int64_t forced_done, forced_count;
    unsigned char *known;           /* whether the cell is in `forced` */
    double *load;
    int64_t *held;                  /* number of pieces of each rank */
    int *cell;                      /* rows x cols: the rank; -1: none yet */
    double *work;                   /* rows x cols */
};

/* Tile row i is line i. */
static int line_of_col(const struct allocation *a, int j)
{
    return a->symmetric ? j : a->rows + j;
}

static const struct subsets *family_of(const struct allocation *a, int line)
{
    return &a->families[!a->symmetric && line >= a->rows];
}

/* Computes the ranks of the line's open subsets. Returns 1 if they have changed. */
static int unite(struct allocation *a, int line)
{
    const struct subsets *family = family_of(a, line);
    const uint64_t *open = a->open + (int64_t)line * a->open_words;
    uint64_t *ranks = a->candidates + (int64_t)line * a->words;
    int changed = 0;
    for (int w = 0; w < a->words; w++) {
        uint64_t bits = 0;
        for (int set = 0; set < family->count; set++)
            if (has_rank(open, set))
                bits |= set_of(family, set)[w];
        changed |= bits != ranks[w];
        ranks[w] = bits;
    }
    return changed;
}

static int count_candidates(const struct allocation *a, int i, int j)
{
    const uint64_t *row = a->candidates + (int64_t)i * a->words;
    const uint64_t *col = a->candidates + (int64_t)line_of_col(a, j) * a->words;
    int count = 0;
    for (int w = 0; w < a->words; w++)
        count += __builtin_popcountll(row[w] & col[w]);
    return count;
}

static void note_if_forced(struct allocation *a, int i, int j)
{
    int64_t c = (int64_t)i * a->cols + j;
    if ((a->lower && i < j) || a->cell[c] >= 0 || a->known[c] || count_candidates(a, i, j) > 1)
        return;
    a->known[c] = 1;
    a->forced[a->forced_count++] = c;
}

static void note_forced_in_line(struct allocation *a, int line)
{
    if (line < a->rows)
        for (int j = 0; j < a->cols; j++)
            note_if_forced(a, line, j);
    if (a->symmetric || line >= a->rows)
        for (int i = 0; i < a->rows; i++)
            note_if_forced(a, i, a->symmetric ? line : line - a->rows);
}

/* The rank got a tile of the line: closes the line's subsets without this rank. */
static void commit(struct allocation *a, int line, int rank)
{
    const struct subsets *family = family_of(a, line);
    uint64_t *open = a->open + (int64_t)line * a->open_words;
    int closed = 0;
    for (int set = 0; set < family->count; set++)
        if (has_rank(open, set) && !has_rank(set_of(family, set), rank)) {
            open[set / 64] &= ~(UINT64_C(1) << (set % 64));
            closed = 1;
        }
    if (closed && unite(a, line))
        note_forced_in_line(a, line);
}

static void place(struct allocation *a, int i, int j)
{
    const uint64_t *row = a->candidates + (int64_t)i * a->words;
    const uint64_t *col = a->candidates + (int64_t)line_of_col(a, j) * a->words;
    double work = a->work[(int64_t)i * a->cols + j];
    int best = -1;
    for (int w = 0; w < a->words; w++)
        for (uint64_t bits = row[w] & col[w]; bits != 0; bits &= bits - 1) {
            int rank = 64 * w + __builtin_ctzll(bits);
            if (best < 0 || takes_before(a->load, a->held, rank, best, work))
                best = rank;
        }
    a->cell[(int64_t)i * a->cols + j] = best;
    a->load[best] += work;
    a->held[best]++;
    commit(a, i, best);
    commit(a, line_of_col(a, j), best);
}

static void place_forced(struct allocation *a)
{
    while (a->forced_done < a->forced_count) {
        int64_t c = a->forced[a->forced_done++];
        place(a, (int)(c / a->cols), (int)(c % a->cols));
    }
}

static void place_all(struct allocation *a)
{
    for (int line = 0; line < a->lines; line++) {
        for (int set = 0; set < family_of(a, line)->count; set++)
            a->open[(int64_t)line * a->open_words + set / 64] |= UINT64_C(1) << (set % 64);
        unite(a, line);
    }
    for (int line = 0; line < a->rows; line++)
        note_forced_in_line(a, line);
    for (int64_t k = 0; k < a->count; k++) {
        place_forced(a);
        if (a->cell[(int64_t)a->pieces[k].i * a->cols + a->pieces[k].j] < 0)
            place(a, a->pieces[k].i, a->pieces[k].j);
    }
    place_forced(a);
}

static int allocate(struct allocation *a)
{
    size_t cells = (size_t)a->rows * (size_t)a->cols;
    a->lines = a->symmetric ? a->rows : a->rows + a->cols;
    a->words = a->families[0].words;
    a->open_words = (a->families[0].count + 63) / 64;
    a->open = calloc((size_t)a->lines * (size_t)a->open_words, sizeof *a->open);
    a->candidates = calloc((size_t)a->lines * (size_t)a->words, sizeof *a->candidates);
    a->pieces = malloc(cells * sizeof *a->pieces);
    a->forced = malloc(cells * sizeof *a->forced);
    a->known = calloc(cells, 1);
    a->load = calloc((size_t)a->question->ranks, sizeof *a->load);
    a->held = calloc((size_t)a->question->ranks, sizeof *a->held);
    a->work = cell_work(a->question, a->rows, a->cols);
    return a->open == NULL || a->candidates == NULL || a->pieces == NULL || a->forced == NULL || a->known == NULL ||
           a->load == NULL || a->held == NULL || a->work == NULL;
}

static void release(struct allocation *a)
{
    subsets_destroy(&a->families[0]);
    subsets_destroy(&a->families[1]);
    free(a->open);
    free(a->candidates);
    free(a->pieces);
    free(a->forced);
    free(a->known);
    free(a->load);
    free(a->held);
    free(a->work);
}

static void fill(struct allocation *a, struct pattern *p)
{
    a->cell = p->cell;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++) {
            a->cell[(int64_t)i * a->cols + j] = -1;
            if (!a->lower || i >= j)
                a->pieces[a->count++] = (struct piece){ a->work[(int64_t)i * a->cols + j], i, j };
        }
    sort_pieces(a->pieces, a->count);
    place_all(a);
    for (int i = 0; i < a->rows && a->lower; i++)       /* these tiles are not stored */
        for (int j = i + 1; j < a->cols; j++)
            a->cell[(int64_t)i * a->cols + j] = a->cell[(int64_t)j * a->cols + i];
}

/* A pattern of rows x cols cells, which is all of the matrix if `whole`, and the load of its most loaded rank. */
static int create(const struct uneven *u, int rows, int cols, bool whole, struct pattern **pattern, double *load, char *text)
{
    const struct layout_question *q = u->question;
    bool symmetric = q->algorithm == LAYOUT_CHOLESKY;
    struct allocation a = { .question = q, .rows = rows, .cols = cols, .symmetric = symmetric, .lower = symmetric && whole };
    int failed = subsets_create(u, symmetric, &a.families[0], &a.families[1], text);
    *pattern = NULL;
    if (!failed) {
        *pattern = allocate(&a) == 0 ? pattern_alloc(q->ranks, rows, cols) : NULL;
        if (*pattern != NULL)
            fill(&a, *pattern);
        else
            failed = layout_refuse(text, "no memory for random subsets on %d x %d tiles", rows, cols);
    }
    *load = failed ? 0 : max_over_mean(a.load, q->ranks);
    release(&a);
    return failed;
}

/* If few tiles have nearly all of the work, other subsets may be better. */
static int build_rs(const struct uneven *u, struct pattern **pattern, char *text)
{
    enum { DRAWS = 8, MOST_TILES = 1 << 24 };
    const double good = 1.002;
    double best = 0, load;
    if ((int64_t)u->question->mt * u->question->nt > MOST_TILES)
        return layout_refuse(text, "layout rs takes at most %d tiles, not %d x %d: rsp takes more", MOST_TILES, u->question->mt,
                             u->question->nt);
    for (struct uneven here = *u; here.draw < DRAWS && (*pattern == NULL || best > good); here.draw++) {
        struct pattern *p;
        if (create(&here, u->question->mt, u->question->nt, true, &p, &load, text))
            break;
        keep_better(pattern, &best, p, load);
    }
    return *pattern == NULL;
}

/* The best of several sizes, from 4 to 36 cells a rank. The number of repetitions of a pattern matters, too, and whether the
   last is complete. */
static int build_rsp(const struct uneven *u, struct pattern **pattern, char *text)
{
    const struct layout_question *q = u->question;
    int root = ceil_sqrt(q->ranks), longer = q->mt > q->nt ? q->mt : q->nt;
    int first = u->size > 0 ? u->size : 2 * root, last = u->size > 0 ? u->size : 6 * root, step = root < 16 ? 1 : root / 8;
    double best = 0, load;
    for (int size = first; size <= last && (size == first || size <= longer); size += step) {
        struct pattern *p;
        if (create(u, size < q->mt ? size : q->mt, size < q->nt ? size : q->nt, false, &p, &load, text))
            break;
        keep_better(pattern, &best, p, load);
    }
    return *pattern == NULL;
}

int create_rs(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    static const struct uneven_scheme rs = { "rs", 2, "alpha=A,q=SUBSETS", build_rs };
    return uneven_create(&rs, args, q, pattern, text);
}

int create_rsp(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    static const struct uneven_scheme rsp = { "rsp", 3, "alpha=A,q=SUBSETS,size=SIZE", build_rsp };
    return uneven_create(&rsp, args, q, pattern, text);
}
