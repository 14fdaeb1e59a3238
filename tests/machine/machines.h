/* Machines with chosen rates. */
#ifndef OMPFACT_TESTS_MACHINE_MACHINES_H
#define OMPFACT_TESTS_MACHINE_MACHINES_H

#include "src/machine/machine.h"
#include "tests/command/test_command.h"

static inline struct machine *new_machine(void)
{
    struct machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    machine_here(m, "skx");
    return m;
}

static inline void add_rate(struct machine *m, char type, enum rate_kernel kernel, int threads, int nb, double gflops)
{
    m->rate[m->rates++] = (struct machine_rate){ .type = type, .kernel = kernel, .threads = threads, .nb = nb, .gflops = gflops };
}

#endif
