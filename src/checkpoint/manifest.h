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
    uint64_t run;                   /* a number that differs for each factorization */
    int step;                       /* number of finished steps of the factorization */
    int kept;                       /* tile rows of an existing factor while rows are appended; 0: a whole factorization */
    char factorization[8];          /* potrf, getrf, geqrf */
    char pivot[12];                 /* none, partial, tournament; for sytrf inside0, inside1, inside2: pivots in tiles after a
                                       butterfly of that depth */
    char type;                      /* s, d, c, z */
    char structure;                 /* g; for a Hermitian matrix its triangle, l or u; for a complex symmetric one s or t */
    int64_t m, n;
    int mt, nt;
    int *heights, *widths;          /* of tile rows and tile columns */
    char tiles;                     /* letter_of_tiles(); programs without tiles in bfloat16 refuse t and u */
    double tolerance, allowance;    /* as in struct compression, unless tiles are dense */
    double rounding, roundings;
    double norm;                    /* norm of the factored matrix, unless tiles are dense */
    int64_t not_finite;
    char *about;                    /* the caller's text */
    int files;
    struct manifest_file *file;
};

/* The members of the file, in its order; the digest is the last one. */
enum manifest_kind { MEMBER_FORMAT, MEMBER_NUMBER_16, MEMBER_INT, MEMBER_INTEGER, MEMBER_REAL, MEMBER_WORD, MEMBER_LETTER,
                     MEMBER_TEXT, MEMBER_SIZES, MEMBER_FILES, MEMBER_DIGEST };
struct manifest_member {
    const char *name;
    enum manifest_kind kind;        /* an int, an int64_t and a real are not negative; a number is of 16 hexadecimal digits */
    size_t place;                   /* of its value in struct manifest */
    size_t room;                    /* of a word */
    const char *letters;            /* of which a letter is one */
    size_t count;                   /* the place of the number of sizes */
    bool optional;                  /* 0 where the file does not have it */
};
enum { MANIFEST_MEMBERS = 22 };
extern const struct manifest_member manifest_members[MANIFEST_MEMBERS];

static inline const char *name_of_tiles(char tiles)
{
    switch (tiles) {
    case 'c': return "compressed";
    case 'm': return "mixed precision";
    case 'b': return "compressed mixed precision";
    case 't': return "mixed precision with bfloat16";
    case 'u': return "compressed mixed precision with bfloat16";
    default: return "dense";
    }
}

/* The name of a file. Files of final tiles are never written again; the next checkpoint replaces files of other tiles. */
void manifest_name(char name[SAVED_NAME], uint64_t run, int epoch, int rank, bool final);
/* Parses such a name. False: it is none. */
struct saved_name {
    uint64_t run;
    int epoch, rank;
    bool final;
};
bool manifest_names(const char *name, struct saved_name *found);

/* Returns the text, which the caller frees. NULL: no memory. */
char *manifest_write(const struct manifest *m);
/* Reads the text, which the call changes. The caller calls manifest_forget in either case. */
int manifest_parse(char *text, size_t length, struct manifest *m, char *why);
/* The same without a check of the digest. */
int manifest_parse_members(char *text, struct manifest *m, char *why);
/* Reads the manifest of a folder. */
int manifest_read(const char *folder, struct manifest *m, char *why);
void manifest_forget(struct manifest *m);

/* FOLDER/NAME, which the caller frees; NULL: no memory. */
char *manifest_path(const char *folder, const char *name);

#endif
