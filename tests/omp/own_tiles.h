/* Tiles of this rank, and loops with tasks that read and write random ones of them. */
#ifndef OMPFACT_TESTS_OMP_OWN_TILES_H
#define OMPFACT_TESTS_OMP_OWN_TILES_H

#include "omp/help.h"
#include "tests/omp/one_run.h"

enum { NB = 2, TILES = 6 };

static double memory[TILES][NB * NB];

static inline struct operand own(int tile, enum access access)
{
    return (struct operand){ .access = access, .mine = true, .i = tile, .j = 0, .mb = NB, .nb = NB, .data = memory[tile],
                             .precision = precision_of('d'), .address = { .bytes = sizeof memory[tile], .id = tile } };
}

static inline struct task *new_task(struct run *run, void (*compute)(struct task *), int count, const struct operand *operands)
{
    return task_create(run, TASK_GEMM, compute, 0, count, operands);
}

/* ---- random tasks ---------------------------------------------------------------------------------------------------------- */

enum { MIXED = 400 };

/* Writes values to its last tiles that depend on all its tiles and on the old values. */
static inline void mix(struct task *t)
{
    double sum = t->with.k;
    for (int i = 0; i < t->count; i++)
        sum += (i + 2) * *(double *)(void *)t->tile[i].data;
    for (int i = t->count - (int)t->with.row; i < t->count; i++)
        *(double *)(void *)t->tile[i].data = sum + i - 997 * (double)(int64_t)(sum / 997);
}

/* Returns the number of operands, and in *outputs the number of written ones. */
static inline int mixed_operands(unsigned *state, struct operand operands[TASK_OPERANDS], int *outputs)
{
    int count = 1 + rand_r(state) % TASK_OPERANDS, first = rand_r(state) % TILES;
    *outputs = 1 + (count > 1 && rand_r(state) % 2);
    for (int i = 0; i < count; i++)
        operands[i] = own((first + i) % TILES, i < count - *outputs ? READ : UPDATE);
    return count;
}

static inline void mixed_loops(struct run *run, const void *context)
{
    const struct run_settings *s = context;
    unsigned state = 7;
    for (int k = 0; k < MIXED; k++) {
        struct operand operands[TASK_OPERANDS];
        run_step(run, k / 20, k / 20);
        int outputs, count = mixed_operands(&state, operands, &outputs);
        struct task *t = new_task(run, mix, count, operands);
        expect(run_in_flight(run) <= s->max_tasks);
        t->with = (struct task_arguments){ .k = k, .row = outputs };
        task_submit(t);
    }
    run_wait(run);
    expect(run->submitted == MIXED);
}

#endif
