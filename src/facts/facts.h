/* The facts of a run or of a dry run, as a record. All forms of output follow from the rows of facts_list.h. */
#ifndef OMPFACT_SRC_FACTS_FACTS_H
#define OMPFACT_SRC_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The value of an unknown integer. Other unknown values are a double that is not finite, a NULL text, the letter '\0' and a list
   without memory. */
#define FACT_NONE INT64_MIN

/* A count, or FACT_NONE if it is negative. */
static inline int64_t or_none(int64_t count)
{
    return count < 0 ? FACT_NONE : count;
}

/* A list of numbers outside the record. */
struct fact_list {
    const void *first;          /* NULL: not known */
    size_t stride;              /* bytes from one to the next */
    int count;
    int digits;                 /* significant digits of doubles; 0: the numbers are ints */
};

/* Kinds of values, and their type in the record; a boolean is 0, 1 or FACT_NONE. */
enum fact_kind { FACT_INTEGER, FACT_BOOLEAN, FACT_REAL, FACT_TEXT, FACT_LETTER, FACT_LIST };
typedef int64_t fact_INTEGER, fact_BOOLEAN;
typedef double fact_REAL;
typedef const char *fact_TEXT;
typedef char fact_LETTER;
typedef struct fact_list fact_LIST;

/* The runs that have a fact: runs, runs that factor and solve, runs with compressed tiles, with tiles of mixed precision, of
   indefinite matrices; and dry runs. */
enum fact_parts { IN_RUN = 1, IN_SOLVE = 2, IN_COMPRESSED = 4, IN_DRY = 8, IN_INDEFINITE = 16, IN_MIXED = 32, IN_ANY = 63 };

/* The meaning of a number, which selects its form for people. */
enum fact_as { AS_IT_IS, AS_COUNT, AS_NUMBER, AS_EXPONENT, AS_SECONDS, AS_BYTES, AS_RATE, AS_SHARE, FACT_AS };

enum fact_group {
    ABOUT_PROBLEM, ABOUT_HOW, ABOUT_SPEED, ABOUT_RESULT, ABOUT_TRANSFERS, ABOUT_MEMORY, ABOUT_DEVICES, ABOUT_ORIGIN,
    FACT_GROUPS
};

/* The members are the keys of --json. Texts and lists are borrowed. */
struct facts {
    int parts;
#define FACT(kind, key, parts, group, as, label) fact_##kind key;
#define FACT_AGAIN(kind, key, parts)
#include "src/facts/facts_list.h"
#undef FACT
#undef FACT_AGAIN
};

struct fact {
    const char *key;
    enum fact_kind kind;
    size_t offset;              /* in the record */
    int parts;                  /* the runs that have this fact */
    enum fact_group group;
    enum fact_as as;
    const char *label;          /* for people; NULL: another row has the label of this fact */
};

/* The last row has no key. */
extern const struct fact fact_table[];
/* The row of a key; NULL: there is none. */
const struct fact *fact_find(const char *key);

/* Sets all facts to unknown. */
void facts_clear(struct facts *facts, int parts);

/* The exact value, from the record or written to `number`; NULL if it is not known, and for lists. */
enum { FACT_NUMBER = 32 };      /* characters of a number, including the terminating zero */
const char *fact_text(const struct fact *fact, const struct facts *facts, char number[FACT_NUMBER]);
/* An integer or real value; NAN if it is not known, and for other kinds. */
double fact_number(const struct fact *fact, const struct facts *facts);

/* Writes one object on one line. */
void facts_write_json(FILE *out, const struct facts *facts);
/* RFC 4180; an unknown value is an empty cell. */
void facts_write_csv_header(FILE *out, int parts);
void facts_write_csv(FILE *out, const struct facts *facts);

/* Reads such an object. The call changes the text, and texts of the facts point into it. It skips lists, and a value of another
   kind counts as unknown. The place moves past the object; on failure (false) it is where the object is wrong. */
struct json_place;
bool facts_take_json(struct facts *facts, struct json_place *p);
/* The same for a line. Returns NULL, or the place of the error. */
const char *facts_read_json(struct facts *facts, char *line);

/* Copies the texts into one block, which the caller frees. NULL: no memory. */
char *facts_hold_texts(struct facts *facts);

#endif
