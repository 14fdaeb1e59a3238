/*
 * One rank that owned all tiles would execute all tasks in the order of the loops: so its walk comes to a task after all that the
 * task waits for. Readers hold nobody up but the next writer of what they read, and tiles that others read are final.
 */
#include "src/model/chain.h"

#include "src/factor/signs.h"

#include <math.h>
#include <stdlib.h>

struct walk {
    const ompfact_matrix *A;
    const int *node_of;
    const struct model_machine *machine;
    int mt;
    double *done;               /* of each tile of the leading part: when it was last written */
    double *beside;             /* of each step the same of what is beside its tiles */
    double longest;
};

/* Where it is written when an operand was last written. */
static double *done_at(const struct walk *w, const struct operand *o)
{
    return o->address.what != NULL ? &w->beside[o->j] : &w->done[o->i + (size_t)o->j * (size_t)w->mt];
}

/* When a tile can be used where the rank is. */
static double there(const struct walk *w, const struct operand *o, int rank)
{
    const struct model_wire *wire = w->machine->wire;
    int owner = layout_owner(w->A->layout, o->i, o->j);
    double done = *done_at(w, o);
    bool crosses = wire != NULL && (w->node_of == NULL ? owner != rank : w->node_of[owner] != w->node_of[rank]);
    return crosses ? done + wire->alone(wire->context, owner, rank, (int64_t)o->address.bytes) : done;
}

static void add_task(void *context, enum task_kind kind, int step, double flops, int count, const struct operand *operands)
{
    struct walk *w = context;
    const struct operand *output = &operands[count - 1];
    int rank = layout_owner(w->A->layout, output->i, output->j);
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

static double leading_chain(struct walk *w, const struct algorithm *algorithm, int mt, int nt)
{
    ompfact_matrix *leading = NULL;
    char unread[MESSAGE];
    double longest = NAN;
    struct signs signs = { 0 };
    w->done = calloc(((size_t)mt + 1) * (size_t)nt + 1, sizeof *w->done);
    if (w->done != NULL && matrix_leading_of_one_rank(w->A, mt, nt, &leading, unread) == OMPFACT_SUCCESS) {
        struct job job = { .A = leading, .algorithm = algorithm, .signs = &signs };
        struct visitor visitor = { .context = w, .task = add_task };
        w->mt = mt;
        w->beside = w->done + (size_t)mt * (size_t)nt;
        w->longest = 0;
        if (signs_on_paper(leading, &signs) && run_visit(&(struct run_plan){ .loops = factor_loops, .context = &job }, &visitor))
            longest = w->longest;
    }
    signs_free(&signs);
    ompfact_matrix_destroy(&leading);
    free(w->done);
    return longest;
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
