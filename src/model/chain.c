/*
 * One rank that owns all tiles would execute all tasks in the order of the loops, so the walk of such a rank visits a task after
 * all tasks that it waits for. Readers only delay the next writer of the tiles that they read, and tiles that other ranks read
 * are final. For a matrix in copies the rank owns the tiles of all layers, and walks each step on one layer after the other.
 */
#include "src/model/chain.h"

#include "src/factor/signs.h"
#include "src/matrix/layers.h"

#include <math.h>
#include <stdlib.h>

struct walk {
    const ompfact_matrix *A;
    const int *node_of;
    const struct model_machine *machine;
    int mt;
    size_t layer_tiles;
    double *done;               /* the time of the last write of each tile in the leading part, layer after layer */
    double *beside;             /* of each step, the time of the last write of the data beside its tiles */
    double longest;
};

/* Data beside the tiles belong to the first layer. */
static int layer_of_operand(const struct operand *o)
{
    return o->address.what != NULL ? 0 : ((const ompfact_matrix *)o->matrix)->layer;
}

static int owner_of(const struct walk *w, const struct operand *o)
{
    return layout_owner(layer_of(w->A, layer_of_operand(o))->layout, o->i, o->j);
}

/* The place of the time at which an operand was last written. */
static double *done_at(const struct walk *w, const struct operand *o)
{
    size_t first = (size_t)layer_of_operand(o) * w->layer_tiles;
    return o->address.what != NULL ? &w->beside[o->j] : &w->done[first + (size_t)o->i + (size_t)o->j * (size_t)w->mt];
}

/* The time from which a tile can be used on the rank's node. */
static double there(const struct walk *w, const struct operand *o, int rank)
{
    const struct model_wire *wire = w->machine->wire;
    int owner = owner_of(w, o);
    double done = *done_at(w, o);
    bool crosses = wire != NULL && (w->node_of == NULL ? owner != rank : w->node_of[owner] != w->node_of[rank]);
    return crosses ? done + wire->alone(wire->context, owner, rank, (int64_t)o->address.bytes) : done;
}

static void add_task(void *context, enum task_kind kind, int step, double flops, int count, const struct operand *operands)
{
    struct walk *w = context;
    const struct operand *output = &operands[count - 1];
    int rank = owner_of(w, output);
    double start = 0;
    (void)step;
    for (int i = 0; i < count; i++)
        start = fmax(start, there(w, &operands[i], rank));
    double end = start + model_task_seconds(w->machine, rank, kind, flops);
    for (int i = 0; i < count; i++)
        if (operands[i].access != READ)
            *done_at(w, &operands[i]) = end;
    w->longest = fmax(w->longest, end);
}

/* The layer that does a step comes last: it adds up the parts of the others. */
static void walk_steps(struct run *run, const void *context)
{
    const struct job *job = context;
    struct job step = *job;
    const struct layers *s = job->A->layers;
    for (int k = 0; k < steps_of(job->A); k++)
        for (int l = 1, layers = layers_count(job->A); l <= layers; l++) {
            step.A = layer_of(job->A, s != NULL ? (s->of_step[k] + l) % layers : 0);
            step.first = k;
            step.end = k + 1;
            factor_loops(run, &step);
        }
}

static double leading_chain(struct walk *w, const struct algorithm *algorithm, int mt, int nt)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *leading = NULL;
    CLEANUP(signs_free) struct signs signs = { 0 };
    char unread[MESSAGE];
    size_t tiles = (size_t)mt * (size_t)nt * (size_t)layers_count(w->A);
    CLEANUP(free_at) double *done = calloc(tiles + (size_t)nt + 1, sizeof *done);
    w->done = done;
    if (done == NULL || matrix_leading_of_one_rank(w->A, mt, nt, &leading, unread) != OMPFACT_SUCCESS)
        return NAN;
    struct job job = { .A = leading, .algorithm = algorithm, .signs = &signs };
    struct visitor visitor = { .context = w, .task = add_task };
    w->mt = mt;
    w->layer_tiles = (size_t)mt * (size_t)nt;
    w->beside = done + tiles;
    w->longest = 0;
    bool walked = signs_on_paper(leading, &signs) &&
                  run_visit(&(struct run_plan){ .loops = walk_steps, .context = &job }, &visitor);
    return walked ? w->longest : NAN;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

double chain_seconds(const ompfact_matrix *A, const struct algorithm *algorithm, const int *node_of,
                     const struct model_machine *machine)
{
    struct walk w = { .A = A, .node_of = node_of, .machine = machine };
    double whole = leading_chain(&w, algorithm, least(A->mt, CHAIN_STEPS), least(A->nt, CHAIN_STEPS));
    int left = steps_of(A) - CHAIN_STEPS;
    if (left <= 0)
        return whole;
    double half = leading_chain(&w, algorithm, CHAIN_STEPS / 2, CHAIN_STEPS / 2);
    return whole + left * (whole - half) / (CHAIN_STEPS - CHAIN_STEPS / 2);
}
