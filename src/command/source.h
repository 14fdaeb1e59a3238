/*
 * The source of a matrix: a generator, or a file that every rank opens. A source fills a distributed matrix any number of times;
 * each rank fills its own tiles.
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
    struct points points;   /* points of a kernel's generator; count 0: none */
    struct npy npy;
    struct mtx mtx;
    char type;              /* type of the file's values; '\0' for a generator: any */
    int64_t rows, cols, seed;
    const struct points *order;     /* order of the rows in the matrix, from another source; NULL: this source's own */
};

/* Parses KIND[:ARGS] of a generator. Local. 0, or COMMAND_USAGE and a line. The caller closes the source. */
int source_generate(struct source *source, const char *kind, enum generate_symmetry symmetry, int64_t m, int64_t n, int64_t seed,
                    char text[COMMAND_TEXT]);
/* The same for a kernel with the points of a file, which give its size; `before`: batches of a run that continues. */
int source_generate_on(struct source *source, const char *points, const struct batches *before, const char *kind,
                       enum generate_symmetry symmetry, int64_t seed, char text[COMMAND_TEXT]);
/* Makes a kernel's points from the seed, if it has none: they take time and memory, and only filling and weights need them.
   Local. */
int source_make_points(struct source *source, const struct batches *before, char text[COMMAND_TEXT]);
/* The right-hand sides of a matrix of that seed: another stream of random numbers in (-1, 1). Local. */
int source_generate_rhs(struct source *source, int64_t n, int64_t nrhs, int64_t seed, char text[COMMAND_TEXT]);
/* Opens a .npy or .mtx file. Local. */
int source_open(struct source *source, const char *path, char text[COMMAND_TEXT]);
void source_close(struct source *source);

/* input_cut.c: if another program truncates a mapped input file during the run, SIGBUS becomes a line that names the file, and
   exit status 2. Local. Call the first before a file is mapped and read; the path must outlive the map. Call the second after the
   attempt to map the file; NULL: the attempt failed. */
void input_open(const char *path);
void input_mapped(const char *map, size_t bytes);
void input_close(const char *map);

/* "x.npy" ends in ".npy". */
bool path_ends_in(const char *path, const char *ending);

/* Whether values of this source can become elements of that type. */
bool source_suits(const struct source *source, char type);
/* The narrowest type that holds the file's elements and those of that type, as in NumPy. */
char source_type_of_both(const struct source *source, char type);

/* Fills this rank's tiles. Local, except for compressed matrices. It ignores entries beyond the diagonal of a Hermitian
   matrix. */
int source_fill(const struct source *source, ompfact_matrix *A, char text[COMMAND_TEXT]);

/* Collective: ompfact_refine() with the matrix of the source. B: right-hand sides, X: their solution. */
int source_refine(const struct source *source, ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix *X, int *iterations,
                  char text[COMMAND_TEXT]);

/* Collective: the weights of ompfact_predict_weights() for the source's tiles of this shape. Not for a .mtx file, whose elements
   have no order. */
int source_weigh(const struct source *source, ompfact_grid *grid, const ompfact_shape *shape, double *weights,
                 char text[COMMAND_TEXT]);

/* Local: the prediction of ompfact_plan_precisions() for the source's tiles. Not for a .mtx file. */
int source_predict(const struct source *source, ompfact_plan *plan, char type, ompfact_tile_precisions *precisions,
                    char text[COMMAND_TEXT]);

/* Collective: checks that the values of a file are finite; otherwise the line names the first element that is not. Generated
   matrices are finite. */
int source_check(const struct source *source, ompfact_matrix *A, const char *path, char text[COMMAND_TEXT]);

/* Collective: checks that a complex Hermitian matrix from a file has a real diagonal. comm: of all ranks. */
int source_check_diagonal(MPI_Comm comm, const struct source *source, const ompfact_matrix *A, const char *path,
                          char text[COMMAND_TEXT]);

/* Row r of a tile as a tile of its own, at the row's place without the order; `size` of an element. */
ompfact_tile tile_row(const ompfact_tile *t, int r, const struct points *order, size_t size);

/* The part of a factored matrix that LAPACK would return. */
enum output_part { OUTPUT_ALL, OUTPUT_LOWER, OUTPUT_UPPER };
/* Collective: every rank writes its own tiles into a .npy or .mtx file, which replaces an existing file when it is complete.
   Returns this rank's error. comm: of all ranks. `order`: order of the rows in the matrix, as for a source; NULL: none. */
int output_matrix(MPI_Comm comm, ompfact_matrix *A, enum output_part part, const struct points *order, const char *option,
                  const char *path, char text[COMMAND_TEXT]);
/* Local: checks that output_matrix can write a file of this name. */
int output_check(const char *option, const char *path, char text[COMMAND_TEXT]);

#endif
