/* Butterflies of rows and columns of a block, and copies of blocks, for all types. */
#include "omp/kernels/mixing.h"

#include <complex.h>
#include <float.h>

/* A pair of images x and y, and the place of their factors. */
struct crossing {
    int level, pair, x, y;
};
static const struct crossing all_crossings[] = { { 0, 0, 0, 1 }, { 0, 1, 2, 3 }, { 1, 0, 0, 2 }, { 1, 1, 1, 3 } };
enum { MOST_CROSSINGS = sizeof all_crossings / sizeof *all_crossings };

#define PRECISION_s
#include "omp/kernels/precision_on.h"
#include "omp/kernels/mixing_body.h"
#include "omp/kernels/mixing_real_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_d
#include "omp/kernels/precision_on.h"
#include "omp/kernels/mixing_body.h"
#include "omp/kernels/mixing_real_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_c
#include "omp/kernels/precision_on.h"
#include "omp/kernels/mixing_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_z
#include "omp/kernels/precision_on.h"
#include "omp/kernels/mixing_body.h"
#include "omp/kernels/precision_off.h"

typedef void mix_function(const struct butterfly *w, bool back, const struct crossing *crossings, int count, int parts,
                          int others, void *B, int64_t ld);

static const struct of_numbers {
    int parts;                  /* real numbers of one element */
    mix_function *rows, *columns;
    void (*copy)(bool conjugate, enum uplo part, int m, int n, struct steps from, struct steps to);
    void (*complete)(bool hermitian, enum uplo part, int n, void *B, int ldb);
} of_numbers[TYPES] = {
    [TYPE_S] = { 1, s_mix_rows, s_mix_columns, s_copy, s_complete },
    [TYPE_D] = { 1, d_mix_rows, d_mix_columns, d_copy, d_complete },
    [TYPE_C] = { 2, s_mix_rows, s_mix_columns, c_copy, c_complete },
    [TYPE_Z] = { 2, d_mix_rows, d_mix_columns, z_copy, z_complete },
};

/* W = W_0 W_1: W^T applies level 0 first, W applies level 1 first. */
void butterfly_mix(const struct precision *precision, const struct butterfly *with, bool back, enum side side, int others,
                   void *B, int ldb)
{
    const struct of_numbers *numbers = &of_numbers[type_index(precision->type)];
    struct crossing crossings[MOST_CROSSINGS];
    int count = 0;
    for (int k = 0; k < MOST_CROSSINGS; k++) {
        const struct crossing *c = &all_crossings[back ? MOST_CROSSINGS - 1 - k : k];
        if (c->x < with->images && c->y < with->images)
            crossings[count++] = *c;
    }
    (side == LEFT ? numbers->rows : numbers->columns)(with, back, crossings, count, numbers->parts, others, B, ldb);
}

void copy_by_steps(const struct precision *precision, bool conjugate, enum uplo part, int m, int n, struct steps from,
                   struct steps to)
{
    of_numbers[type_index(precision->type)].copy(conjugate, part, m, n, from, to);
}

void prefetch_steps(const struct precision *precision, int m, int n, struct steps from)
{
    enum { LINE = 64 };
    bool across = from.row_step != 1 && from.row_step != -1;
    int64_t size = (int64_t)precision->size, near = size * (across ? from.column_step : from.row_step);
    int64_t far = size * (across ? from.row_step : from.column_step);
    int runs = across ? m : n, length = across ? n : m, in_line = LINE / (int)size;
    for (int run = 0; run < runs; run++)
        for (int i = 0; i < length; i += in_line)
            __builtin_prefetch((const char *)from.data + run * far + i * near, 0, 2);
}

void complete_square(const struct precision *precision, bool hermitian, enum uplo part, int n, void *B, int ldb)
{
    of_numbers[type_index(precision->type)].complete(hermitian, part, n, B, ldb);
}
