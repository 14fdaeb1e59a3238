/*
 * manifest.json: what a checkpoint is of, and which files it consists of. It is written last and renamed into place, so what is
 * there is always whole. Its last member is the digest of all its other bytes.
 *
 * Functions return 0, or 1 and a text of MANIFEST_TEXT characters that says what is wrong.
 */
#ifndef OMPFACT_SRC_CHECKPOINT_MANIFEST_H
#define OMPFACT_SRC_CHECKPOINT_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MANIFEST_FORMAT "ompfact checkpoint 2"

enum { MANIFEST_TEXT = 160, SAVED_NAME = 64 };

struct manifest_file {
    char name[SAVED_NAME];
    int64_t bytes;
    uint64_t digest;
};

struct manifest {
    uint64_t run;                   /* a number of its own for each factorization */
    int step;                       /* of the factorization: so many are done */
    int kept;                       /* tile rows of a factor that was there, while others are appended; 0: it is a whole one */
    char factorization[8];          /* potrf, getrf, geqrf */
    char pivot[12];                 /* none, partial, tournament; of sytrf inside0, inside1, inside2:
                                       tiles, behind a butterfly of that depth */
    char type;                      /* s, d, c, z */
    char structure;                 /* g; of a Hermitian matrix the triangle, l or u; of a complex symmetric one s or t */
    int64_t m, n;
    int mt, nt;
    int *heights, *widths;          /* of tile rows and tile columns */
    char tiles;                     /* d: dense; c: compressed, m: of mixed precision, b: both; of these, */
    double tolerance, allowance;    /*   as struct compression says, */
    double rounding, roundings;
    double norm;                    /*   and the norm of what was factored */
    int64_t not_finite;
    char *about;                    /* the caller's text */
    int files;
    struct manifest_file *file;
};

static inline const char *name_of_tiles(char tiles)
{
    return tiles == 'c' ? "compressed" : tiles == 'm' ? "mixed precision" : tiles == 'b' ? "compressed mixed precision" : "dense";
}

/* A file's name: what is final there is not written again, what is in work is replaced by the next checkpoint's. */
void manifest_name(char name[SAVED_NAME], uint64_t run, int epoch, int rank, bool final);
/* What such a name says. False: it is none. */
struct saved_name {
    uint64_t run;
    int epoch, rank;
    bool final;
};
bool manifest_names(const char *name, struct saved_name *said);

/* As text, freed by the caller. NULL: no memory. */
char *manifest_write(const struct manifest *m);
/* From text, which is changed; forgotten either way. */
int manifest_parse(char *text, size_t length, struct manifest *m, char *why);
/* Without a look at its digest. */
int manifest_parse_members(char *text, struct manifest *m, char *why);
/* From a folder. */
int manifest_read(const char *folder, struct manifest *m, char *why);
void manifest_forget(struct manifest *m);

/* FOLDER/NAME; NULL: no memory. Freed by the caller. */
char *manifest_path(const char *folder, const char *name);

#endif
