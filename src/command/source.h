/*
 * Where a matrix comes from: a generator, or a file that every rank opens. A source fills a distributed matrix, each rank its own
 * tiles, as often as it is asked to.
 */
#ifndef OMPFACT_SRC_COMMAND_SOURCE_H
#define OMPFACT_SRC_COMMAND_SOURCE_H

#include "src/command/together.h"
#include "src/generate/generate.h"
#include "src/io/mtx.h"
#include "src/io/npy.h"
#include "src/ompfact_plan.h"

struct source {
    enum { SOURCE_GENERATOR, SOURCE_NPY, SOURCE_MTX } kind;
    struct generator generator;
    struct points points;   /* of a kernel's generator; count 0: none */
    struct npy npy;
    struct mtx mtx;
    char type;              /* of the file's values; of a generator '\0': any */
    int64_t rows, cols, seed;
    const struct points *order;     /* of the rows in a matrix that is filled, somebody else's; NULL: the source's own */
};

/* KIND[:ARGS] of a generator. Local. 0, or COMMAND_USAGE and a line. To be closed after. */
int source_generate(struct source *source, const char *kind, enum generate_symmetry symmetry, int64_t m, int64_t n, int64_t seed,
                    char text[COMMAND_TEXT]);
/* The same of a kernel with the points of a file, which say how large it is; `before`: of a run that goes on. */
int source_generate_on(struct source *source, const char *points, const struct batches *before, const char *kind,
                       enum generate_symmetry symmetry, int64_t seed, char text[COMMAND_TEXT]);
/* A kernel's points, by the seed, where it has none yet: they take time and memory, and nobody looks at them but who fills or
   weighs. Local. */
int source_make_points(struct source *source, const struct batches *before, char text[COMMAND_TEXT]);
/* The right-hand sides that belong to a matrix of that seed: another stream of random numbers in (-1, 1). Local. */
int source_generate_rhs(struct source *source, int64_t n, int64_t nrhs, int64_t seed, char text[COMMAND_TEXT]);
/* A .npy or .mtx file. Local. */
int source_open(struct source *source, const char *path, char text[COMMAND_TEXT]);
void source_close(struct source *source);

/* "x.npy" ends in ".npy". */
bool path_ends_in(const char *path, const char *ending);

/* Can values of this source become elements of that type? */
bool source_suits(const struct source *source, char type);
/* The narrowest type that holds the file's elements and those of that type, as NumPy takes it. */
char source_type_of_both(const struct source *source, char type);

/* Local, but for compressed matrices: fills this rank's tiles. Entries beyond a Hermitian matrix's diagonal are not looked at. */
int source_fill(const struct source *source, ompfact_matrix *A, char text[COMMAND_TEXT]);

/* Collective: ompfact_refine() with the matrix that the source gives. B: right-hand sides, X: their solution. */
int source_refine(const struct source *source, ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix *X, int *iterations,
                  char text[COMMAND_TEXT]);

/* Collective: the weights that ompfact_predict_weights() gives to the source's tiles of this shape. Not of a .mtx file, where
   elements are in no order. */
int source_weigh(const struct source *source, ompfact_grid *grid, const ompfact_shape *shape, double *weights,
                 char text[COMMAND_TEXT]);

/* Local: what ompfact_plan_precisions() foretells of the source's tiles. Not of a .mtx file, likewise. */
int source_foretell(const struct source *source, ompfact_plan *plan, char type, ompfact_tile_precisions *precisions,
                    char text[COMMAND_TEXT]);

/* Collective: what a file gave must be finite, or the line names the first element that is not. Generated matrices are. */
int source_check(const struct source *source, ompfact_matrix *A, const char *path, char text[COMMAND_TEXT]);

/* Collective: what a file gave for a complex Hermitian matrix must have a real diagonal. comm: of all ranks. */
int source_check_diagonal(MPI_Comm comm, const struct source *source, const ompfact_matrix *A, const char *path,
                          char text[COMMAND_TEXT]);

/* Row r of a tile as a tile of its own, in the place that the row has without the order; `size` of an element. */
ompfact_tile tile_row(const ompfact_tile *t, int r, const struct points *order, size_t size);

/* What part of a factored matrix LAPACK would leave there. */
enum output_part { OUTPUT_ALL, OUTPUT_LOWER, OUTPUT_UPPER };
/* Collective: every rank writes its own tiles into a .npy or .mtx file, which replaces what was there when it is whole. Returns
   what this rank met. comm: of all ranks. `order` is what the rows were filled in, as a source's; NULL: none. */
int output_matrix(MPI_Comm comm, ompfact_matrix *A, enum output_part part, const struct points *order, const char *option,
                  const char *path, char text[COMMAND_TEXT]);
/* Local: is this the name of a file that output_matrix can write? */
int output_check(const char *option, const char *path, char text[COMMAND_TEXT]);

#endif
