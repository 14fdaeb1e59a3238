/*
 * usage: mpiexec -n P soak COUNT SEED PATIENCE
 * Runs COUNT random factorizations and solves, with random delays and small caches, and checks them by LAPACK's test ratios.
 * Small matrices are checked element by element. Large ones, with tiles and host strips of usual sizes, are checked by the
 * library's own functions. Some factorizations are saved while they run, and other matrices on other grids continue from the
 * checkpoints. Some carry checksums, which find flipped bits. Some are compressed. All ranks draw the same random numbers. After
 * a failure or a hang the program prints the case and the command that runs it again. A case that has not ended after PATIENCE
 * seconds hangs.
 * Environment:
 *     SOAK_DEVICES  all cases use devices
 *     SOAK_MOST     the largest number of devices
 *     SOAK_BACKEND  the devices' backend, instead of host or portable
 *     SOAK_ROUNDS   factorizations of one matrix
 */
#include "src/grid/grid.h"
#include "tests/soak.h"

#include <signal.h>

/* Factorizations of one matrix, unless SOAK_ROUNDS is set. Creating windows takes long where ranks outnumber cores. */
enum { ROUNDS = 5 };

struct tally tally;

/* ---- a grid with its matrices -------------------------------------------------------------------------------------------- */

/* For every other seed the kernels of devices work in blocks of columns. */
static void use_blocks(ompfact_grid *grid, int64_t seed)
{
    for (int type = 0; grid->devices != NULL && grid->devices->blocks != NULL && seed % 2 == 0 && type < TYPES; type++)
        grid->devices->blocks[type] = (struct device_blocks){ .herk = (int)(seed % 37 + 8), .trsm = (int)(seed % 41 + 8) };
}

static const char *make_rhs(struct stage *s, const struct setup *c)
{
    EXPECT(c->nrhs < 0 || ompfact_matrix_create_rhs(s->A, c->nrhs, &s->B) == OMPFACT_SUCCESS,
           "right-hand sides could not be made");
    return NULL;
}

static const char *make_matrices(struct stage *s, const struct setup *c)
{
    EXPECT(ompfact_matrix_create(s->grid, &c->shape, &s->A) == OMPFACT_SUCCESS, "a matrix could not be made");
    return make_rhs(s, c);
}

static void destroy_matrices(struct stage *s)
{
    ompfact_matrix_destroy(&s->B);
    ompfact_matrix_destroy(&s->A);
}

const char *stage_open(struct stage *s, struct setup *c)
{
    *s = (struct stage){ 0 };
    c->options.testing = &c->testing;
    EXPECT(ompfact_grid_create(MPI_COMM_WORLD, &c->options, &s->grid, NULL) == OMPFACT_SUCCESS, "a grid could not be made");
    use_blocks(s->grid, c->seed);
    return make_matrices(s, c);
}

void stage_close(struct stage *s)
{
    destroy_matrices(s);
    ompfact_grid_destroy(&s->grid);
}

/* ---- one factorization and its solve: what went wrong, or NULL; the same on every rank ----------------------------------- */

static ompfact_status factor_indefinite(const struct stage *s, const struct setup *c, int64_t *info)
{
    int iterations;
    if (c->in_one_call)
        return (c->problem.symmetric ? ompfact_sysv : ompfact_hesv)(s->A, s->B, info, &iterations);
    return (c->problem.symmetric ? ompfact_sytrf : ompfact_hetrf)(s->A, info);
}

static ompfact_status factor(const struct stage *s, const struct setup *c, int64_t *info)
{
    if (c->qr)
        return ompfact_geqrf(s->A);
    if (c->indefinite)
        return factor_indefinite(s, c, info);
    if (c->in_one_call)
        return c->problem.hermitian ? ompfact_posv(s->A, s->B, info) : ompfact_gesv(s->A, s->B, info);
    return c->problem.hermitian ? ompfact_potrf(s->A, info) : ompfact_getrf(s->A, info);
}

static ompfact_status solve(const struct stage *s, const struct setup *c)
{
    if (c->indefinite)
        return (c->problem.symmetric ? ompfact_sytrs : ompfact_hetrs)(s->A, s->B);
    return c->problem.hermitian ? ompfact_potrs(s->A, s->B) : ompfact_getrs(s->A, s->B);
}

static const char *fill_rhs(const struct stage *s, const struct setup *c)
{
    EXPECT(s->B == NULL || ompfact_fill_tiles(s->B, fill_rhs_tile, (void *)&c->problem) == OMPFACT_SUCCESS,
           "the right-hand sides were not filled");
    return NULL;
}

/* A matrix that continues from a checkpoint is filled with another problem: the restart must replace all of it. */
static const char *fill(const struct stage *s, const struct setup *c)
{
    struct setup other = *c;
    other.problem.seed += c->from != NULL;
    EXPECT(fill_matrix(s->A, &other) == OMPFACT_SUCCESS, "the matrix was not filled");
    return fill_rhs(s, c);
}

/* Replaces the stage's matrices by one of the first rows alone, which grows to all rows, and then by right-hand sides for all
   rows. */
static const char *grow(struct stage *s, const struct setup *c, int64_t *info)
{
    struct setup first = *c;
    first.nrhs = -1;
    first.shape.m = first.shape.n = c->ends[0];
    first.shape.mt = first.shape.nt = 0;
    first.shape.row_heights = first.shape.col_widths = NULL;
    destroy_matrices(s);
    const char *wrong = make_matrices(s, &first);
    if (wrong == NULL)
        wrong = fill(s, &first);
    if (wrong != NULL)
        return wrong;
    EXPECT(ompfact_potrf(s->A, info) == OMPFACT_SUCCESS, "the factorization of the first rows returned an error");
    wrong = parts_append(s->A, c, info);
    if (wrong == NULL && *info == 0)
        wrong = make_rhs(s, c);
    return wrong != NULL ? wrong : fill_rhs(s, c);
}

static const char *solve_and_check(const struct stage *s, const struct setup *c, int64_t info)
{
    double growth = 1;
    if (c->qr)
        return qr_check(s->A, s->B, c);
    EXPECT(info == c->problem.fails, "info is wrong");
    if (s->B != NULL && !c->in_one_call)
        EXPECT(solve(s, c) == (info == 0 ? OMPFACT_SUCCESS : OMPFACT_BAD_ARGUMENT), "the solve's status is wrong");
    const char *wrong = info == 0 ? factors_check(s->A, c, &growth) : NULL;
    if (wrong == NULL && info == 0 && s->B != NULL)
        wrong = solution_check(s->B, c, c->in_one_call ? 1 : growth);
    bool inverts = !c->compressed && !c->indefinite && c->problem.m == c->problem.n && draw(3) == 0;
    return wrong == NULL && info == 0 && inverts ? inverse_check(s->A, c) : wrong;
}

static void count(const struct setup *c, bool reported, const ompfact_report *report)
{
    tally.factored++;
    tally.failing += c->problem.fails > 0;
    tally.saved += c->interval_ms > 0;
    tally.summed += c->options.abft;
    tally.flipped += c->testing.flip.on;
    tally.reported += reported;
    tally.corrected += !reported && report->faults_found > 0;
    tally.unseen += c->testing.flip.on && !reported && report->faults_found == 0;
    tally.compressed += c->compressed;
    tally.indefinite += c->indefinite;
    tally.in_copies += c->shape.copies > 1;
    tally.in_parts += c->parts > 0 && !c->grows;
    tally.grown += c->grows;
    tally.with_devices += c->options.devices > 0;
}

const char *stage_run(struct stage *s, struct setup *c)
{
    int64_t info = 0;
    const char *wrong = c->grows ? grow(s, c, &info) : fill(s, c);
    if (wrong == NULL)
        wrong = saved_begin(s, c);
    if (wrong == NULL && !c->grows)
        wrong = parts_eliminate(s->A, c, &info);
    if (wrong != NULL)
        return wrong;
    ompfact_status status = info != 0 || parts_are_all(c) ? OMPFACT_SUCCESS : factor(s, c, &info);
    bool reported = everywhere(faults_are_reported(c, status));
    ompfact_report report = ompfact_last_report(s->A);
    count(c, reported, &report);
    EXPECT(reported || status == OMPFACT_SUCCESS, "the factorization returned an error");
    wrong = saved_check(s, c, !reported, info);
    if (wrong == NULL && !reported)
        wrong = faults_check(c, &report);
    if (wrong == NULL && !reported)
        wrong = solve_and_check(s, c, info);
    if (wrong == NULL && (reported || c->grows)) {  /* these matrices may only be destroyed, or have another size */
        destroy_matrices(s);
        wrong = make_matrices(s, c);
    }
    return wrong;
}

/* ---- all of them --------------------------------------------------------------------------------------------------------- */

static bool passed(const char *wrong, int round, const ompfact_grid *grid)
{
    if (wrong != NULL && my_rank() == 0)
        printf("soak: %s, in round %d (%s): %s", wrong, round, grid != NULL ? ompfact_message(grid) : "", description);
    fflush(stdout);
    return wrong == NULL;
}

static void give_up(int signal)
{
    static const char text[] = "soak: hangs: ";
    (void)signal;
    if (write(STDOUT_FILENO, text, sizeof text - 1) < 0 || write(STDOUT_FILENO, description, strlen(description)) < 0)
        _exit(4);
    _exit(3);
}

static int run_case(int64_t seed, int rounds, unsigned patience)
{
    struct setup c;
    struct stage s;
    int good = 0;
    setup_draw(&c, seed, rounds);
    alarm(patience);
    bool usable = passed(stage_open(&s, &c), 0, s.grid);
    for (int round = 0; usable && round < rounds; round++) {
        alarm(patience);
        setup_draw_round(&c, round);
        kept_remove(&c.kept);
        const char *wrong = stage_run(&s, &c);
        if (wrong == NULL)
            wrong = saved_continue(&c);
        good += passed(wrong, round, s.grid);
    }
    stage_close(&s);
    setup_forget(&c);
    kept_remove(&c.kept);
    return good;
}

static void print_tally(void)
{
    const struct tally *t = &tally;
    printf("mixed: %d factored, %d with devices, %d with failing pivots, %d indefinite, %d compressed, %d with sums, "
           "%d in copies, %d in parts, %d grown\n",
           t->factored, t->with_devices, t->failing, t->indefinite, t->compressed, t->summed, t->in_copies,
           t->in_parts, t->grown);
    printf("mixed: %d flips, %d corrected, %d reported, %d not found\n", t->flipped, t->corrected, t->reported, t->unseen);
    printf("mixed: %d saved, %d restarted, %d in the middle, %d compressed ones, %d saved again\n", t->saved, t->resumed,
           t->in_the_middle, t->compressed_resumed, t->saved_again);
}

/* The clock runs on every rank and until the program ends, because MPI may hang at its start and its end. */
int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: mpiexec -n P soak COUNT SEED PATIENCE\n", stderr);
        return EXIT_FAILURE;
    }
    int count = atoi(argv[1]), good = 0;
    int64_t seed = atoll(argv[2]);
    unsigned patience = (unsigned)atoi(argv[3]);
    signal(SIGALRM, give_up);
    alarm(patience);
    start_mpi(&argc, &argv);
    int rounds = getenv("SOAK_ROUNDS") != NULL ? atoi(getenv("SOAK_ROUNDS")) : ROUNDS;
    for (int done = 0; rounds > 0 && done < count; done += rounds)
        good += run_case(seed++, count - done < rounds ? count - done : rounds, patience);
    if (my_rank() == 0) {
        print_tally();
        printf("%d passed, %d failed\n", good, count - good);
    }
    MPI_Finalize();
    return good == count ? EXIT_SUCCESS : EXIT_FAILURE;
}
