/*
 * usage: mpiexec -n P soak COUNT SEED PATIENCE
 * COUNT random factorizations and solves, with random delays and little room, checked by LAPACK's test ratios: small ones by
 * what these are, element by element; large ones, with tiles and host strips as users have them, by the library's own
 * functions. Some are saved while they run, and other matrices on other grids go on from that; some carry sums, by which flipped
 * bits are found; some are compressed. All ranks draw the same random numbers. A failure, or a hang, prints what was run and the
 * command that runs it again. One that has not ended after PATIENCE seconds hangs.
 *     SOAK_DEVICES  in the environment: devices in all cases
 *     SOAK_MOST     of them
 *     SOAK_BACKEND  theirs, in place of host or portable
 *     SOAK_ROUNDS   factorizations of one matrix
 */
#include "src/grid/grid.h"
#include "tests/soak.h"

#include <signal.h>

/* Factorizations of one matrix, if SOAK_ROUNDS does not say: windows take long to make where ranks outnumber cores */
enum { ROUNDS = 5 };

struct tally tally;

/* ---- a grid with its matrices -------------------------------------------------------------------------------------------- */

/* Kernels of devices in blocks of some columns, for every other seed. */
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

/* Of one that goes on from a checkpoint the matrix is another one. */
static const char *fill(const struct stage *s, const struct setup *c)
{
    struct setup other = *c;
    other.problem.seed += c->from != NULL;
    EXPECT(fill_matrix(s->A, &other) == OMPFACT_SUCCESS, "the matrix was not filled");
    return fill_rhs(s, c);
}

/* In place of the stage's matrices one of the first rows alone, which grows, and then right-hand sides for all of it. */
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

static void count(const struct setup *c, bool told, const ompfact_report *report)
{
    tally.factored++;
    tally.failing += c->problem.fails > 0;
    tally.saved += c->interval_ms > 0;
    tally.summed += c->options.abft;
    tally.flipped += c->testing.flip.on;
    tally.told += told;
    tally.corrected += !told && report->faults_found > 0;
    tally.unseen += c->testing.flip.on && !told && report->faults_found == 0;
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
    bool told = everywhere(faults_are_told(c, status));
    ompfact_report report = ompfact_last_report(s->A);
    count(c, told, &report);
    EXPECT(told || status == OMPFACT_SUCCESS, "the factorization returned an error");
    wrong = saved_check(s, c, !told, info);
    if (wrong == NULL && !told)
        wrong = faults_check(c, &report);
    if (wrong == NULL && !told)
        wrong = solve_and_check(s, c, info);
    if (wrong == NULL && (told || c->grows)) {      /* what is left may only be destroyed, or is another matrix */
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
            wrong = saved_go_on(&c);
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
    printf("mixed: %d flips, %d corrected, %d told, %d let be\n", t->flipped, t->corrected, t->told, t->unseen);
    printf("mixed: %d saved, %d restarted, %d in the middle, %d compressed ones, %d saved again\n", t->saved, t->resumed,
           t->in_the_middle, t->compressed_resumed, t->saved_again);
}

/* The clock runs on every rank and until its end, for MPI may hang at both ends. */
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
