/* What the tests of generated matrices share: generators, and single entries. */
#ifndef OMPFACT_TESTS_GENERATE_ONE_ENTRY_H
#define OMPFACT_TESTS_GENERATE_ONE_ENTRY_H

#include "src/generate/generate.h"
#include "tests/suite.h"

static inline struct generator generator(const char *spec, enum generate_symmetry symmetry, int64_t m, int64_t n, uint64_t seed)
{
    char text[IO_TEXT];
    struct generator g;
    ck_assert_msg(generate_parse(spec, symmetry, m, n, seed, &g, text) == 0, "%s", text);
    return g;
}

static inline double real_entry(const struct generator *g, int64_t i, int64_t j)
{
    double re, im;
    generate_entry(g, 'd', i, j, &re, &im);
    return im == 0 ? re : NAN;
}

#endif
