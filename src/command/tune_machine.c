/* --tune: a summary of the measurements, and a file with all of them. */
#include "src/command/instance.h"

#include <stdlib.h>

enum { ORDER = 20000 };         /* order of the matrices for which tile sizes are printed */

/* "448 for potrf, 384 for getrf and geqrf". Collective; the result is that of the first rank. */
static int find_tiles(struct session *s, char tiles[128], char text[COMMAND_TEXT])
{
    static const char *const routines[] = { "potrf", "getrf", "geqrf" };
    int length = 0;
    for (int i = 0; i < 3; i++) {
        const ompfact_routine *routine = ompfact_routine_find(routines[i]);
        bool cholesky = routine->factor == OMPFACT_BY_CHOLESKY;
        ompfact_shape shape = { .m = ORDER, .n = ORDER, .structure = cholesky ? OMPFACT_HERMITIAN_LOWER : OMPFACT_GENERAL,
                                .purpose = routine->purpose };
        int nb;
        TRY_STEP(refuse_status(s, ompfact_tile_size(s->grid, &shape, &nb), text));
        length += snprintf(tiles + length, 128 - (size_t)length, "%s%d for %s", i == 0 ? "" : ", ", nb, routines[i]);
    }
    return 0;
}

static void print_kernels(FILE *out, const ompfact_machine *m)
{
    enum { LARGE = 448 };
    double one = ompfact_machine_rate(m, 'd', "gemm", 1, LARGE), all = ompfact_machine_rate(m, 'd', "gemm", m->cores, LARGE);
    fprintf(out, "kernels  DGEMM %.3g GFLOP/s on one core", one);
    if (m->cores > 1)
        fprintf(out, ", %.3g on each of %d", all, m->cores);
    fprintf(out, ", on tiles of %d\n", LARGE);
}

/* Prints "ranks x threads", with a star at the fastest. */
static void print_runs(FILE *out, const ompfact_machine *m)
{
    int best = 0;
    for (int i = 1; i < m->runs; i++)
        best = m->run[i].gflops > m->run[best].gflops ? i : best;
    fputs("ranks x threads  ", out);
    for (int i = 0; i < m->runs; i++)
        fprintf(out, "%s%d x %d%s %.3g", i == 0 ? "" : ", ", m->run[i].ranks, m->run[i].threads, i == best ? "*" : "",
                m->run[i].gflops);
    if (m->runs > 0)
        fprintf(out, " GFLOP/s for potrf of %d (* fastest)\n", m->run[best].n);
    else
        fputs("not measured\n", out);
}

static void print_tasks(FILE *out, const ompfact_machine *m)
{
    fprintf(out, "tasks    %.3g us each besides their arithmetic on one thread", 1e6 * ompfact_machine_task(m, 1));
    if (m->cores > 1)
        fprintf(out, ", %.3g us on all", 1e6 * ompfact_machine_task(m, m->cores));
    fputs("\n", out);
}

static void print_link(FILE *out, const ompfact_machine *m)
{
    if (m->transfers_measured)
        fprintf(out, "link     %s: %.3g us and %.3g GB/s\n", m->over_network ? "to another node" : "to a rank of this node",
                1e6 * m->transfer_s, 8e-9 / m->word_s);
    else
        fputs("link     not measured: this needs two ranks, on two nodes if there are several\n", out);
}

static void print_summary(FILE *out, const ompfact_machine *m, const char *tiles, const char *file)
{
    fprintf(out, "machine  %s, %s, %d core%s, BLAS kernels %s\n", m->host, m->processor, m->cores, m->cores == 1 ? "" : "s",
            m->blas);
    print_kernels(out, m);
    fprintf(out, "tiles    %s, of order %d\n", tiles, ORDER);
    print_runs(out, m);
    print_tasks(out, m);
    print_link(out, m);
    fprintf(out, "kept     for --nb auto, --explain and dry runs; %s%s\n",
            file[0] != '\0' ? "all of it in " : "--tune FILE writes all of it", file);
    explain_best_share(out, m->best_share);
}

/* Prints and writes the first rank's results. */
static int print_machine(const ompfact_machine *m, const char *tiles, struct output *all, const char *file,
                         char text[COMMAND_TEXT])
{
    char *measured = ompfact_machine_text(m);
    if (measured == NULL)
        return refuse(text, "--tune: no memory to print the results");
    if (all->file != NULL)
        fputs(measured, all->file);
    free(measured);
    if (all->file != stdout)
        print_summary(stdout, m, tiles, file);
    return output_close(all, text);
}

int tune_run(struct session *s, char text[COMMAND_TEXT])
{
    const char *file = s->options->tune;
    bool first = ompfact_rank(s->grid) == 0;
    CLEANUP(output_drop) struct output all = { 0 };
    ompfact_machine machine;
    char tiles[128] = "";
    TRY_STEP(agree_line(s, first && file[0] != '\0' ? output_open(&all, "tune", file, text) : 0, text));
    if (ompfact_tune(s->grid, NULL, &machine) != OMPFACT_SUCCESS)
        return refuse(text, "--tune: %s", ompfact_message(s->grid));
    TRY_STEP(find_tiles(s, tiles, text));
    return agree_line(s, first ? print_machine(&machine, tiles, &all, file, text) : 0, text);
}
