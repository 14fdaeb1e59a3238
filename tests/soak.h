/* Random cases of the soak: drawing, description, checks. */
#ifndef OMPFACT_TESTS_SOAK_H
#define OMPFACT_TESTS_SOAK_H

#include "tests/checkpoint/kept.h"
#include "tests/smooth.h"

/* ---- the same random numbers on every rank: soak_setup.c ----------------------------------------------------------------- */

/* A number in 0 .. count-1. */
int draw(int count);
int one_of(int count, const int *values);
#define ONE_OF(...) one_of(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (int[]){ __VA_ARGS__ })

/* ---- a case: a grid, a matrix, some right-hand sides --------------------------------------------------------------------- */

struct setup {
    int64_t seed;
    struct problem problem;
    bool qr, large;
    bool indefinite;            /* the matrix is Hermitian or symmetric without being definite; its factors have signs */
    bool compressed;            /* tiles have forms, by an accuracy, a tile_precision or both; the unused one is 0 */
    double length, accuracy, precision;     /* of the smooth problem */
    ompfact_options options;
    ompfact_testing testing;
    ompfact_shape shape;
    int sizes[32];              /* heights and widths of ragged tiles */
    int nrhs;                   /* -1: the matrix is only factored */
    char layout[64];
    bool in_one_call;           /* in this round one call factors and solves */
    int parts;                  /* the number of calls before the last one that factor a part each; 0: one call factors all */
    int64_t ends[4];            /* each of these calls ends at this row */
    bool grows;                 /* each call appends its rows to the factor */
    int interval_ms;            /* milliseconds between checkpoints; 0: none */
    struct kept kept;
    const char *from;           /* the folder of the checkpoint that the matrix continues from; NULL: it starts from the
                                   beginning */
    int step;                   /* the step of that checkpoint */
};

/* Describes the case, for a person who runs it again, and all matrices that continued from one of its checkpoints. */
enum { DESCRIPTION = 4096 };
extern char description[DESCRIPTION];

void setup_draw(struct setup *c, int64_t seed, int rounds);
/* Draws the case of a matrix that continues from the checkpoint of c in this folder. */
void setup_draw_next(struct setup *next, const struct setup *c, const char *folder, const ompfact_restarted *from);
/* Draws all that differs between two factorizations of one matrix. */
void setup_draw_round(struct setup *c, int round);
/* Adds a line to the description. */
void setup_print(const char *line);
void setup_forget(const struct setup *c);
struct smooth smooth_of(const struct setup *c);

/* ---- checks: what went wrong, or NULL; the same on every rank ------------------------------------------------------------ */

#define EXPECT(condition, otherwise)                                                                                            \
    do {                                                                                                                        \
        if (!everywhere(condition))                                                                                             \
            return otherwise;                                                                                                   \
    } while (0)

/* soak_checks.c */
/* Where pivots are not bounded, *growth >= 1 is the factor by which the bounds of other errors grow. */
const char *factors_check(ompfact_matrix *A, const struct setup *c, double *growth);
const char *qr_check(ompfact_matrix *A, ompfact_matrix *B, const struct setup *c);
const char *solution_check(ompfact_matrix *B, const struct setup *c, double growth);
/* Replaces the factors by the inverse. */
const char *inverse_check(ompfact_matrix *A, const struct setup *c);
ompfact_status fill_matrix(ompfact_matrix *A, const struct setup *c);

/* soak_faults.c: checksums. faults_are_reported(): the status reports a flip that could not be corrected. */
void faults_draw(struct setup *c);
int faults_describe(const struct setup *c, char *text, size_t room);
bool faults_are_reported(const struct setup *c, ompfact_status status);
const char *faults_check(const struct setup *c, const ompfact_report *report);

/* soak_parts.c */
void parts_draw(struct setup *c);
/* Whether the calls before the last one have factored the whole matrix. */
bool parts_are_all(const struct setup *c);
/* Factors all parts but the last, until info is not 0. */
const char *parts_eliminate(ompfact_matrix *A, const struct setup *c, int64_t *info);
/* Appends all parts but the first. */
const char *parts_append(ompfact_matrix *A, const struct setup *c, int64_t *info);

/* ---- a grid with its matrices: soak.c ------------------------------------------------------------------------------------ */

struct stage {
    ompfact_grid *grid;
    ompfact_matrix *A, *B;
};

const char *stage_open(struct stage *s, struct setup *c);
/* Factors, solves and checks once, as c requires. */
const char *stage_run(struct stage *s, struct setup *c);
void stage_close(struct stage *s);

/* ---- checkpoints: soak_saved.c ------------------------------------------------------------------------------------------- */

/* From now on this grid saves its factorizations if c requires it. */
const char *saved_begin(struct stage *s, struct setup *c);
/* Checks the report of a factorization with this info about its checkpoints. */
const char *saved_check(struct stage *s, struct setup *c, bool sound, int64_t info);
/* Other grids and matrices continue from the saved checkpoints, and from those that these matrices save. */
const char *saved_continue(struct setup *c);

/* ---- counts of factorizations, the same on every rank -------------------------------------------------------------------- */

struct tally {
    int factored, failing, saved, resumed, in_the_middle, saved_again, summed, flipped, corrected, reported, unseen, indefinite,
        compressed, compressed_resumed, with_devices, in_copies, in_parts, grown;
};
extern struct tally tally;

#endif
