/*
 * Which data a restart reads, and how often. The checkpoints are made here byte by byte, with right digests, so they can have
 * contents that no run would write. Each wrong one is refused with a message on every rank.
 */
#include "src/checkpoint/tile_file.h"
#include "src/factor/restored.h"
#include "tests/fixtures.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

enum { OLD = 32, STEPS = 3, N = OLD * STEPS, NEW = 4, FILES = 5, PATHS = 64 };

static char place[PATHS];

/* ---- counted reads --------------------------------------------------------------------------------------------------------- */

static atomic_int tile_reads, header_reads;

/* Counts the library's reads: the linker finds this pread() before the system's. */
ssize_t pread(int file, void *data, size_t bytes, off_t offset)
{
    atomic_fetch_add(&tile_reads, bytes == OLD * OLD * sizeof(double));
    atomic_fetch_add(&header_reads, offset == 0 && bytes == 64);
    return syscall(SYS_pread64, file, data, bytes, offset);
}

/* ---- made-up checkpoints --------------------------------------------------------------------------------------------------- */

struct made_up {
    const char *factorization, *pivot;
    char structure;
    int step;
    double allowance;
    int64_t pivot_off;              /* added to right pivots */
    int64_t shape_bytes;            /* bytes for each panel of QR */
    int i, j, times;                /* tile (i,j) is in the file `times` times; each other tile once */
    struct saved_record tile;       /* the record of each tile; bytes 0: the right record */
};

static int file_of(int i, int j)
{
    return (i + j * STEPS) % FILES;
}

static void put_tiles(struct tile_writer w[FILES], const struct made_up *c)
{
    static double data[OLD * OLD];
    for (int j = 0; j < STEPS; j++)
        for (int i = c->structure == 'l' ? j : 0; i < STEPS; i++) {
            struct saved_record record = c->tile;
            for (int k = 0; k < OLD * OLD; k++)
                data[k] = i == j && k % (OLD + 1) == 0 ? N : 1.0 / (1 + k % OLD + k / OLD);
            record.i = i;
            record.j = j;
            record.bytes = record.bytes > 0 ? record.bytes : (int64_t)sizeof data;
            for (int times = i == c->i && j == c->j ? c->times : 1; times > 0; times--)
                tile_writer_put(&w[file_of(i, j)], record, data);
        }
}

static void put_beside(struct tile_writer *w, const struct made_up *c, int k)
{
    int64_t ipiv[OLD];
    for (int i = 0; i < OLD; i++)
        ipiv[i] = k * OLD + i + c->pivot_off;
    if (c->pivot[0] != 'n')
        tile_writer_put(w, (struct saved_record){ .kind = SAVED_PIVOTS, .i = k, .j = k, .bytes = sizeof ipiv }, ipiv);
    if (c->factorization[2] == 'q')
        tile_writer_put(w, (struct saved_record){ .kind = SAVED_TREE, .i = 0, .j = k, .bytes = c->shape_bytes }, ipiv);
}

static void write_manifest(const struct manifest *m)
{
    char path[PATHS + 32], *text = manifest_write(m);
    snprintf(path, sizeof path, "%s/manifest.json", place);
    FILE *file = fopen(path, "wb");
    ck_assert(file != NULL && text != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    free(text);
}

/* Opens a writer for each file. */
static void open_files(struct tile_writer w[FILES])
{
    for (int f = 0; f < FILES; f++) {
        struct manifest_file name = { .bytes = 0 };
        manifest_name(name.name, 1, 0, f, true);
        tile_writer_open(&w[f], place, &name, 4 * STEPS * STEPS);
    }
}

static void write_checkpoint(const struct made_up *c)
{
    struct tile_writer w[FILES];
    struct manifest_file sealed_files[FILES];
    open_files(w);
    put_tiles(w, c);
    for (int k = 0; k < c->step; k++)
        put_beside(&w[0], c, k);
    for (int f = 0; f < FILES; f++) {
        ck_assert_int_eq(tile_writer_seal(&w[f]), 0);
        sealed_files[f] = w[f].sealed;
        tile_writer_forget(&w[f]);
    }
    int sizes[STEPS] = { OLD, OLD, OLD };
    struct manifest m = { .run = 1, .step = c->step, .type = 'd', .structure = c->structure,
                          .tiles = c->allowance > 0 ? 'c' : 'd', .m = N, .n = N, .mt = STEPS,
                          .nt = STEPS, .heights = sizes, .widths = sizes, .tolerance = c->allowance, .allowance = c->allowance,
                          .files = FILES, .file = sealed_files };
    strcpy(m.factorization, c->factorization);
    strcpy(m.pivot, c->pivot);
    write_manifest(&m);
}

/* Writes the checkpoint. Collective, as are all functions below. */
static void make(const struct made_up *c)
{
    if (my_rank() == 0) {
        mkdir(place, 0777);
        write_checkpoint(c);
    }
    everywhere(true);
}

static void clean_up(void)
{
    char path[PATHS + 2 * SAVED_NAME], name[SAVED_NAME];
    everywhere(true);
    if (my_rank() != 0)
        return;
    for (int f = 0; f < FILES; f++) {
        manifest_name(name, 1, 0, f, true);
        snprintf(path, sizeof path, "%s/%s", place, name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/manifest.json", place);
    unlink(path);
    rmdir(place);
}

static void make_name(void)
{
    long number = my_rank() == 0 ? (long)getpid() : 0;
    reduce(&number, 1, MPI_LONG, MPI_SUM);
    snprintf(place, sizeof place, "/tmp/ompfact-restarts-%ld", number);
}

static ompfact_status factor(ompfact_matrix *A, const char *factorization)
{
    int64_t info = 0;
    ompfact_status status = factorization[0] == 'p'   ? ompfact_potrf(A, &info)
                            : factorization[2] == 't' ? ompfact_getrf(A, &info)
                                                      : ompfact_geqrf(A);
    assert_everywhere(info == 0);
    return status;
}

/* Tiles that partial pivoting sends to the ranks that search, from this step on. */
static int64_t candidates(const ompfact_matrix *A, int step)
{
    int64_t tiles = 0;
    for (int k = step; k < ompfact_tile_cols(A); k++)
        for (int m = k; m < ompfact_tile_rows(A); m++)
            tiles += ompfact_owner(A, m, k) != ompfact_owner(A, k, k);
    return tiles;
}

/* Reads the checkpoint into a matrix with tiles of nb. Returns the status and the message. */
static ompfact_status go_on(const struct made_up *c, int nb, char message[OMPFACT_MESSAGE])
{
    ompfact_pivot pivot = c->pivot[0] == 'n' ? OMPFACT_PIVOT_NONE : OMPFACT_PIVOT_PARTIAL;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = pivot });
    ompfact_shape shape = { .m = N, .n = N, .nb = nb, .type = 'd', .accuracy = c->allowance > 0 ? 1e-3 : 0,
                            .structure = c->structure == 'g' ? OMPFACT_GENERAL : OMPFACT_HERMITIAN_LOWER };
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_status status = ompfact_restart(grid, place);
    bool opened = status == OMPFACT_SUCCESS;
    if (opened)
        status = factor(A, c->factorization);
    strcpy(message, ompfact_message(grid));
    bool taken = false;
    for (int i = -1, j = -1; opened && status != OMPFACT_SUCCESS && c->allowance > 0 && ompfact_next_tile(A, &i, &j);)
        taken |= ompfact_tile_rank(A, i, j) == c->tile.rank;
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(!taken && (status != OMPFACT_SUCCESS || report.restarted_from_step == c->step));
    assert_everywhere(status != OMPFACT_SUCCESS || c->pivot[0] == 'n' || report.candidate_tiles == candidates(A, c->step));
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    return status;
}

static void refused(const struct made_up *c, const char *why)
{
    char message[OMPFACT_MESSAGE];
    make(c);
    ompfact_status status = go_on(c, OLD, message);
    assert_everywhere_msg(status != OMPFACT_SUCCESS && is_one_line(message) && strstr(message, place) != NULL &&
                          strstr(message, why) != NULL, "%d, \"%s\" lacks \"%s\"", status, message, why);
    clean_up();
}

/* ---- tests ----------------------------------------------------------------------------------------------------------------- */

static bool verifies(int file)
{
    int ranks = 1;
    reduce(&ranks, 1, MPI_INT, MPI_SUM);
    return (file + 1) % ranks == my_rank();
}

/* One rank reads each file as a whole; then each rank reads each tile once, whatever tiles it owns. */
START_TEST(read_once)
{
    struct made_up c = { .factorization = "getrf", .pivot = "none", .structure = 'g', .i = -1 };
    char message[OMPFACT_MESSAGE];
    make(&c);
    atomic_store(&tile_reads, 0);
    atomic_store(&header_reads, 0);
    assert_everywhere_msg(go_on(&c, NEW, message) == OMPFACT_SUCCESS, "%s", message);
    int most = STEPS * STEPS, mine = 0, tiles = atomic_load(&tile_reads), headers = atomic_load(&header_reads);
    for (int f = 0; f < FILES; f++)
        mine += verifies(f);
    for (int t = 0; t < STEPS * STEPS; t++)
        most += verifies(file_of(t, 0));
    assert_everywhere_msg(tiles > 0 && tiles <= most && headers == mine, "%d reads of tiles, %d of headers", tiles, headers);
    clean_up();
}
END_TEST

START_TEST(tiles)
{
    struct made_up c = { .factorization = "getrf", .pivot = "none", .structure = 'g', .i = 2, .j = 1 };
    refused(&c, "manifest.json lacks tile (2,1)");
    c.times = 2;
    refused(&c, ".final is damaged");
    c = (struct made_up){ .factorization = "getrf", .pivot = "none", .structure = 'g', .i = -1, .tile.bytes = 8 };
    refused(&c, ".final is damaged");
}
END_TEST

/* Pivots move rows down, and not below the last one. */
START_TEST(pivots)
{
    static const int64_t off[] = { -1, N, INT64_MAX / 2, INT64_MIN / 2 };
    struct made_up c = { .factorization = "getrf", .pivot = "partial", .structure = 'g', .step = STEPS, .i = -1 };
    char message[OMPFACT_MESSAGE];
    for (int step = 0; step <= STEPS; step++) {
        c.step = step;
        make(&c);
        assert_everywhere_msg(go_on(&c, OLD, message) == OMPFACT_SUCCESS, "%s", message);
        clean_up();
    }
    for (size_t k = 0; k < sizeof off / sizeof off[0]; k++) {
        c.pivot_off = off[k];
        refused(&c, ".final is damaged");
    }
}
END_TEST

START_TEST(shapes_of_nothing)
{
    struct made_up c = { .factorization = "geqrf", .pivot = "none", .structure = 'g', .step = STEPS, .i = -1 };
    refused(&c, "what QR left");
    c.shape_bytes = 6;
    refused(&c, "what QR left");
}
END_TEST

/* Counts of domains beyond any number of ranks are refused after one pass over their rows and merges. */
START_TEST(many_domains)
{
    enum { RUNS = 200000, DOMAINS = RUNS / 2, SECONDS = 2 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    const int heights[] = { 1, RUNS - 1 };
    ompfact_shape shape = { .type = 'd', .m = RUNS, .n = 1, .nb = 1, .row_heights = heights, .mt = 2 };
    ompfact_matrix *A = new_matrix(grid, &shape);
    int32_t *panel = malloc((2 + 2 * RUNS + 2 * DOMAINS) * sizeof *panel), *next = panel;
    *next++ = RUNS;
    *next++ = DOMAINS;
    for (int r = 0; r < RUNS; r++) {
        *next++ = 1;
        *next++ = r % DOMAINS;
    }
    for (int d = 1; d < DOMAINS; d++) {
        *next++ = 0;
        *next++ = d;
    }
    A->done = 1;
    clock_t begin = clock();
    bool sound = check_shapes(A, panel, next - panel) == 0, quick = clock() - begin < (clock_t)SECONDS * CLOCKS_PER_SEC;
    assert_everywhere(sound && quick);
    next[-1] = 1;           /* a merged domain is merged again */
    assert_everywhere(check_shapes(A, panel, next - panel) == EINVAL);
    A->done = 0;
    free(panel);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A tile whose rank is wrong is refused. */
START_TEST(compressed)
{
    struct made_up c = { .factorization = "potrf", .pivot = "none", .structure = 'l', .allowance = 1e-3, .i = -1,
                         .tile = { .rank = 3, .bytes = 8 } };
    refused(&c, ".final is damaged");
}
END_TEST

/* Numbers of tiles beyond the largest possible are refused, in a checkpoint and for a matrix. */
START_TEST(too_many)
{
    enum { COUNT = 200000 };
    int *ones = malloc(COUNT * sizeof *ones), large[] = { INT_MAX, INT_MAX, INT_MAX };
    for (int i = 0; i < COUNT; i++)
        ones[i] = 1;
    struct manifest m = { .factorization = "getrf", .pivot = "none", .type = 'd', .structure = 'g', .tiles = 'd',
                          .m = COUNT, .n = COUNT, .mt = COUNT, .nt = COUNT, .heights = ones, .widths = ones };
    if (my_rank() == 0) {
        mkdir(place, 0777);
        write_manifest(&m);
    }
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    assert_everywhere_msg(ompfact_restart(grid, place) == OMPFACT_BAD_ARGUMENT &&
                          strstr(ompfact_message(grid), "lacks tile (0,0)") != NULL, "%s", ompfact_message(grid));
    ompfact_grid_destroy(&grid);
    m.m = m.n = 3 * (int64_t)INT_MAX;
    m.mt = m.nt = 3;
    m.heights = m.widths = large;
    if (my_rank() == 0)
        write_manifest(&m);
    everywhere(true);
    ompfact_restarted from;
    char message[OMPFACT_MESSAGE] = "";
    assert_everywhere_msg(ompfact_restart_read(place, 1, &from, message) == OMPFACT_BAD_ARGUMENT &&
                          strstr(message, "too many tiles") != NULL, "%s", message);
    free(ones);
    clean_up();
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("restarts");
    TCase *tests = tcase_create("made-up checkpoints");
    start_mpi(&argc, &argv);
    make_name();
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, read_once);
    tcase_add_test(tests, tiles);
    tcase_add_test(tests, pivots);
    tcase_add_test(tests, shapes_of_nothing);
    tcase_add_test(tests, many_domains);
    tcase_add_test(tests, compressed);
    tcase_add_test(tests, too_many);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
