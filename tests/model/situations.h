/* What the tests of the model share: situations, a wire without contention, and machines with known rates. */
#ifndef OMPFACT_TESTS_MODEL_SITUATIONS_H
#define OMPFACT_TESTS_MODEL_SITUATIONS_H

#include "src/choose/choose.h"
#include "src/matrix/layers.h"
#include "src/model/chain.h"
#include "src/model/heap.h"
#include "src/model/model.h"
#include "tests/suite.h"

#include <math.h>

enum { NB = 10, ENDLESS = 1000000 };

/* ---- situations ------------------------------------------------------------------------------------------------------------ */

struct situation {
    bool lu;
    const struct algorithm *algorithm;      /* NULL: as `lu` selects */
    int ranks, nt, nb;
    const char *layout;
    ompfact_schedule schedule;
    enum rma_bcast bcast;
    const int *node_of;                     /* NULL: every rank is a node */
    int nodes, copies;
};

static inline const struct algorithm *loops_of(const struct situation *c)
{
    return c->algorithm != NULL ? c->algorithm : c->lu ? &lu : &cholesky;
}

static const ompfact_schedule schedules[] = { OMPFACT_BASIC, OMPFACT_STATIC, OMPFACT_DYNAMIC };

static inline ompfact_matrix *paper(const struct situation *c)
{
    ompfact_shape shape = { .nb = c->nb, .m = (int64_t)c->nb * c->nt, .n = (int64_t)c->nb * c->nt, .layout = c->layout,
                            .structure = c->lu ? OMPFACT_GENERAL : OMPFACT_HERMITIAN_LOWER, .copies = c->copies };
    ompfact_matrix *A;
    char why[MESSAGE];
    ck_assert_msg(shape_on_paper(&shape, c->ranks, 0, 0, &A, why) == OMPFACT_SUCCESS, "%s", why);
    return A;
}

/* Runs the model. `ranks` is NULL, or has an element for each rank. */
static inline struct model_outcome outcome_of(const struct situation *c, const struct model_machine *machine,
                                              struct model_rank *ranks)
{
    ompfact_matrix *A = paper(c);
    struct rma_nodes nodes = { .ranks = c->ranks, .node_of = c->node_of, .count = c->node_of != NULL ? c->nodes : c->ranks,
                               .in_place = true, .bcast = c->bcast };
    struct model_graph *graph = model_graph_create(A, loops_of(c), c->schedule, &nodes);
    struct model_outcome o;
    ck_assert_ptr_nonnull(graph);
    ck_assert_int_eq(model_run(graph, machine, &o, ranks, NULL), 0);
    ck_assert_int_eq(A->me, 0);
    model_graph_destroy(&graph);
    ck_assert_ptr_null(graph);
    ompfact_matrix_destroy(&A);
    return o;
}

static inline double chain_of(const struct situation *c, const struct model_machine *machine)
{
    ompfact_matrix *A = paper(c);
    double chain = chain_seconds(A, loops_of(c), c->node_of, machine);
    ompfact_matrix_destroy(&A);
    return chain;
}

/* ---- a wire without contention --------------------------------------------------------------------------------------------- */

struct clear_wire {
    double latency, seconds;        /* of a message; of a tile of any size */
    double now;
    struct heap ends;               /* of the tiles in flight */
    struct model_wire wire;
};

static inline double clear_latency(void *context, int from, int to)
{
    (void)from, (void)to;
    return ((struct clear_wire *)context)->latency;
}

static inline double clear_alone(void *context, int from, int to, int64_t bytes)
{
    (void)from, (void)to, (void)bytes;
    return ((struct clear_wire *)context)->seconds;
}

static inline bool clear_start(void *context, double now, int transfer, int from, int to, int64_t bytes)
{
    struct clear_wire *w = context;
    return heap_push(&w->ends, (struct entry){ now + clear_alone(w, from, to, bytes), transfer });
}

static inline double clear_wait(void *context, double until)
{
    struct clear_wire *w = context;
    ck_assert_int_gt(w->ends.count, 0);
    w->now = fmin(until, w->ends.entry[0].first);
    return w->now;
}

static inline int clear_arrived(void *context)
{
    struct clear_wire *w = context;
    return w->ends.count > 0 && w->ends.entry[0].first <= w->now ? (int)heap_pop(&w->ends).second : -1;
}

static inline const struct model_wire *clear_wire(struct clear_wire *w, double latency, double seconds)
{
    *w = (struct clear_wire){ .latency = latency, .seconds = seconds,
                              .wire = { .context = w, .latency = clear_latency, .alone = clear_alone, .start = clear_start,
                                        .wait = clear_wait, .arrived = clear_arrived } };
    return &w->wire;
}

/* Every kernel takes one second on tiles of NB x NB. */
static inline struct model_machine seconds_machine(int threads)
{
    double cube = 1e-9 * NB * NB * NB;
    return (struct model_machine){ .threads = threads,
                                   .rates.gflops = { [TASK_POTRF] = cube / 3, [TASK_SYTRF] = cube / 3,
                                                     [TASK_GETRF] = 2 * cube / 3, [TASK_TRSM] = cube, [TASK_SYRK] = cube,
                                                     [TASK_GEMM] = 2 * cube, [TASK_ADD] = 2 * cube / NB } };
}

#define assert_near(a, b) ck_assert_double_eq_tol(a, b, 1e-9 * (1 + fabs(b)))

static inline void nothing(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    (void)run, (void)job, (void)k, (void)n, (void)from, (void)to;
}

#endif
