/* The moves of rows for a step's pivots (omp/kernels/pivots.h), and elimination with partial pivoting on one tile
   (getrf_panel). No MPI. */
#include "omp/kernels/panel.h"
#include "omp/kernels/pivots.h"
#include "tests/omp/kernels/test_kernels.h"

/* ---- moves of rows ------------------------------------------------------------------------------------------------------ */

enum { HEIGHT = 7, TILES = 5, ROWS = HEIGHT * TILES - 3, RANKS = 3 };

static int owner(const void *context, int i, int j)
{
    (void)context;
    return (i * i + 2 * j) % RANKS;
}

static struct pivots *new_pivots(const struct tile_rows *rows, int k, int count, unsigned seed, int64_t *chosen)
{
    int64_t scratch[3 * HEIGHT], left = ROWS - rows->start[k], place[ROWS];
    struct pivots *p = malloc(pivots_bytes(HEIGHT));
    for (int64_t i = 0; i < left; i++)
        place[i] = rows->start[k] + i;
    for (int j = 0; j < count; j++) {       /* among the rows that are not chosen yet */
        int64_t at = j + (int64_t)((1 + noise(seed, j, k, 0)) / 2 * (double)(left - j));
        chosen[j] = place[at];
        place[at] = place[j];
    }
    pivots_make(p, HEIGHT, rows, k, count, chosen, scratch);
    return p;
}

/* The moves by lists have the same result as the interchanges one after the other, which bring up the chosen rows. */
START_TEST(moves)
{
    int64_t start[TILES + 1];
    for (int i = 0; i <= TILES; i++)
        start[i] = i < TILES ? i * HEIGHT : ROWS;
    struct tile_rows rows = { start, TILES };
    int k = _i % TILES, height = (int)(start[k + 1] - start[k]), count = 1 + _i / TILES % height;
    int64_t chosen[HEIGHT], after[ROWS], moved[ROWS];
    struct pivots *p = new_pivots(&rows, k, count, (unsigned)_i, chosen);
    for (int i = 0; i < ROWS; i++)
        after[i] = moved[i] = i;
    for (int j = 0; j < count; j++) {
        int64_t a = start[k] + j, b = pivot_rows(p)[j], row = after[a];
        after[a] = after[b];
        after[b] = row;
        ck_assert_int_eq(after[a], chosen[j]);
    }
    for (int e = 0; e < p->below; e++) {
        int64_t b = start[below_tile(p)[e]] + below_row(p)[e];
        ck_assert(below_tile(p)[e] > k);
        moved[start[k] + below_to(p)[e]] = b;
        moved[b] = start[k] + below_from(p)[e];
    }
    for (int e = 0; e < p->inside; e++)
        moved[start[k] + inside_to(p)[e]] = start[k] + inside_from(p)[e];
    for (int i = 0; i < ROWS; i++)
        ck_assert_int_eq(moved[i], after[i]);
    free(p);
}
END_TEST

/* Shares of ranks follow one another, and pieces of tiles fill the shares without a gap. */
START_TEST(shares)
{
    int64_t start[TILES + 1], chosen[HEIGHT];
    for (int i = 0; i <= TILES; i++)
        start[i] = i < TILES ? i * HEIGHT : ROWS;
    struct tile_rows rows = { start, TILES };
    struct tile_owners owners = { owner, NULL };
    struct pivots *p = new_pivots(&rows, 0, HEIGHT, (unsigned)_i, chosen);
    int before = 0, seen = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        struct share share = pivots_share(p, &owners, 4, rank, p->below);
        ck_assert_int_eq(share.first, before);
        before += share.count;
        int filled = 0;
        for (int m = 1; m < TILES; m++) {
            int first, count = pivots_of_tile(p, m, &first);
            if (owner(NULL, m, 4) != rank)
                continue;
            ck_assert_int_eq(pivots_share(p, &owners, 4, rank, first).count, filled);
            filled += count;
        }
        ck_assert_int_eq(filled, share.count);
        seen += filled;
    }
    ck_assert_int_eq(seen, p->below);
    free(p);
}
END_TEST

/* ---- one tile ----------------------------------------------------------------------------------------------------------- */

static double size_of(number a)
{
    return fabs(creal(a)) + fabs(cimag(a));
}

/* Textbook elimination in double. Returns the chosen pivots. Column `zero` contains zeros. */
static void eliminate(number *a, int m, int n, int *swap)
{
    for (int j = 0; j < m && j < n; j++) {
        int best = j;
        for (int i = j; i < m; i++)
            best = size_of(a[i + j * m]) > size_of(a[best + j * m]) ? i : best;
        swap[j] = best;
        for (int c = 0; c < n; c++) {
            number other = a[best + c * m];
            a[best + c * m] = a[j + c * m];
            a[j + c * m] = other;
        }
        for (int i = j + 1; i < m && a[j + j * m] != 0; i++) {
            number factor = a[i + j * m] /= a[j + j * m];
            for (int c = j + 1; c < n; c++)
                a[i + c * m] -= factor * a[j + c * m];
        }
    }
}

static void try_tile(bool alone, int m, int n, int zero)
{
    ompfact_tile A = new_tile(m, n, (unsigned)(m + 3 * n));
    number *reference = calloc((size_t)(m * n), sizeof *reference);
    int *swap = calloc((size_t)m + (size_t)n, sizeof *swap), *wanted = calloc((size_t)m + (size_t)n, sizeof *wanted);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            if (c == zero)
                set(&A, r, c, 0);
            reference[r + c * m] = at(&A, r, c);
        }
    eliminate(reference, m, n, wanted);
    atomic_int idle = alone ? 0 : 1;
    ck_assert_int_eq(getrf_panel(precision, &idle, m, n, A.data, A.ld, swap), zero >= 0 && zero < m ? zero + 1 : 0);
    for (int j = 0; j < m && j < n; j++)
        ck_assert_msg(swap[j] == wanted[j], "%c %d x %d: pivot %d is row %d, not %d", precision->type, m, n, j, swap[j],
                      wanted[j]);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++)
            check_close(at(&A, r, c), reference[r + c * m], 2000.0 * (m + n), "getrf_panel", r, c);
    check_padding(&A);
    free(reference);
    free(swap);
    free(wanted);
    FREE(&A);
}

/* The pivots and the factors are those of the textbook, for tall, wide and singular tiles. */
START_TEST(panel)
{
    bool alone = _i < 4;    /* otherwise in pieces */
    use_type("sdcz"[_i % 4]);
    for (int s = 0; s < SIZES; s++) {
        int n = sizes[s];
        try_tile(alone, n, n, -1);
        try_tile(alone, 4 * n + 1, n, -1);
        try_tile(alone, n, 2 * n + 3, -1);
        try_tile(alone, 2 * n, n, 0);
        try_tile(alone, 2 * n, n, n - 1);
    }
    try_tile(alone, 1500, 40, -1);
    try_tile(alone, 1500, 40, 20);
    try_tile(alone, 1500, 300, -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pivots");
    TCase *rows = tcase_create("rows"), *tile = tcase_create("tile");
    add_turns(rows, moves, TILES * HEIGHT * 4, 7);
    tcase_add_loop_test(rows, shares, 0, 40);
    tcase_add_loop_test(tile, panel, 0, 8);
    suite_add_tcase(suite, rows);
    suite_add_tcase(suite, tile);
    return run_serial_suite(suite);
}
