/* Random cases of the soak: how they are drawn, what is said of them, and what is checked. */
#ifndef OMPFACT_TESTS_SOAK_H
#define OMPFACT_TESTS_SOAK_H

#include "tests/checkpoint/kept.h"
#include "tests/smooth.h"

/* ---- the same random numbers on every rank: soak_setup.c ----------------------------------------------------------------- */

/* In 0 .. count-1. */
int draw(int count);
int one_of(int count, const int *values);
#define ONE_OF(...) one_of(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (int[]){ __VA_ARGS__ })

/* ---- a case: a grid, a matrix, some right-hand sides --------------------------------------------------------------------- */

struct setup {
    int64_t seed;
    struct problem problem;
    bool qr, large;
    bool indefinite;            /* Hermitian or symmetric, and so are its factors */
    bool compressed;            /* tiles have forms: by an accuracy, a tile_precision, or both; what is not is 0 */
    double length, accuracy, precision;     /* of a smooth problem */
    ompfact_options options;
    ompfact_testing testing;
    ompfact_shape shape;
    int sizes[32];              /* of ragged tiles */
    int nrhs;                   /* -1: only factored */
    char layout[64];
    bool in_one_call;           /* this time it is factored and solved so */
    int parts;                  /* this time it is factored in so many calls before the last; 0: in one */
    int64_t ends[4];            /*   which end at these rows */
    bool grows;                 /*   and of which each appends its rows to the factor */
    int interval_ms;            /* between checkpoints; 0: none */
    struct kept kept;
    const char *from;           /* the folder that it goes on from; NULL: it begins */
    int step;                   /*   and how much is done there */
};

/* All of a case, for whoever has to run it again, and what each matrix was that went on from a checkpoint of it. */
enum { DESCRIPTION = 4096 };
extern char description[DESCRIPTION];

void setup_draw(struct setup *c, int64_t seed, int rounds);
/* Of a matrix that goes on from one of c's checkpoints, in this folder. */
void setup_draw_next(struct setup *next, const struct setup *c, const char *folder, const ompfact_restarted *from);
/* What changes from one factorization to the next. */
void setup_draw_round(struct setup *c, int round);
/* A line more in the description. */
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
/* Where pivots are not bounded, *growth, at least 1, is how many times the other bounds errors may be. */
const char *factors_check(ompfact_matrix *A, const struct setup *c, double *growth);
const char *qr_check(ompfact_matrix *A, ompfact_matrix *B, const struct setup *c);
const char *solution_check(ompfact_matrix *B, const struct setup *c, double growth);
/* Makes the inverse of the factors in their place. */
const char *inverse_check(ompfact_matrix *A, const struct setup *c);
ompfact_status fill_matrix(ompfact_matrix *A, const struct setup *c);

/* soak_faults.c: sums that go with tiles. Whether a status says that there was a flip that could not be put right. */
void faults_draw(struct setup *c);
int faults_describe(const struct setup *c, char *text, size_t room);
bool faults_are_told(const struct setup *c, ompfact_status status);
const char *faults_check(const struct setup *c, const ompfact_report *report);

/* soak_parts.c */
void parts_draw(struct setup *c);
/* What is factored before the last call is the whole matrix already. */
bool parts_are_all(const struct setup *c);
/* All parts but the last; until info is not 0. */
const char *parts_eliminate(ompfact_matrix *A, const struct setup *c, int64_t *info);
/* All parts but the first, to which they are appended. */
const char *parts_append(ompfact_matrix *A, const struct setup *c, int64_t *info);

/* ---- a grid with its matrices: soak.c ------------------------------------------------------------------------------------ */

struct stage {
    ompfact_grid *grid;
    ompfact_matrix *A, *B;
};

const char *stage_open(struct stage *s, struct setup *c);
/* Factors, solves and checks once, by all that c says. */
const char *stage_run(struct stage *s, struct setup *c);
void stage_close(struct stage *s);

/* ---- checkpoints: soak_saved.c ------------------------------------------------------------------------------------------- */

/* From now on the factorizations of this grid are saved as c says, or not. */
const char *saved_begin(struct stage *s, struct setup *c);
/* After a factorization with this info: what it says of its checkpoints. */
const char *saved_check(struct stage *s, struct setup *c, bool sound, int64_t info);
/* Other grids and matrices go on from what was saved, and what these have saved. */
const char *saved_go_on(struct setup *c);

/* ---- what was mixed in: factorizations, the same on every rank ----------------------------------------------------------- */

struct tally {
    int factored, failing, saved, resumed, in_the_middle, saved_again, summed, flipped, corrected, told, unseen, indefinite,
        compressed, compressed_resumed, with_devices, in_copies, in_parts, grown;
};
extern struct tally tally;

#endif
