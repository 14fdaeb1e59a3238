/* Facts of a run, or of a dry run: a record of what is told of it. All forms of output follow from the rows of facts_list.h. */
#ifndef OMPFACT_SRC_FACTS_FACTS_H
#define OMPFACT_SRC_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An integer not known: like a double that is not finite, a NULL text, a letter '\0' and a list that is nowhere. */
#define FACT_NONE INT64_MIN

/* Of a count that is negative where it is not known. */
static inline int64_t or_none(int64_t count)
{
    return count < 0 ? FACT_NONE : count;
}

/* Numbers that lie elsewhere. */
struct fact_list {
    const void *first;          /* NULL: not known */
    size_t stride;              /* bytes from one to the next */
    int count;
    int digits;                 /* of doubles; 0: they are ints */
};

/* Kinds of values, and what they are in the record: a boolean is 0, 1 or FACT_NONE. */
enum fact_kind { FACT_INTEGER, FACT_BOOLEAN, FACT_REAL, FACT_TEXT, FACT_LETTER, FACT_LIST };
typedef int64_t fact_INTEGER, fact_BOOLEAN;
typedef double fact_REAL;
typedef const char *fact_TEXT;
typedef char fact_LETTER;
typedef struct fact_list fact_LIST;

/* What is told of: a run, and where it factors and solves, its tiles are compressed, or of mixed precision, or it is for
   indefinite matrices; or a dry run. */
enum fact_parts { IN_RUN = 1, IN_SOLVE = 2, IN_COMPRESSED = 4, IN_DRY = 8, IN_INDEFINITE = 16, IN_MIXED = 32, IN_ANY = 63 };

/* What a number is, and so how people read it. */
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
    int parts;                  /* it is told of any of these */
    enum fact_group group;
    enum fact_as as;
    const char *label;          /* for people; NULL: this fact has another row */
};

/* Ends with a row that has no key. */
extern const struct fact fact_table[];
/* The row of a key; NULL: there is none. */
const struct fact *fact_find(const char *key);

/* Nothing is known. */
void facts_clear(struct facts *facts, int parts);

/* The exact value, in the record or in number; NULL where it is not known, and of lists. */
enum { FACT_NUMBER = 32 };      /* characters of a number, its end included */
const char *fact_text(const struct fact *fact, const struct facts *facts, char number[FACT_NUMBER]);
/* An integer or real; NAN where it is not known, and of other kinds. */
double fact_number(const struct fact *fact, const struct facts *facts);

/* One object on one line. */
void facts_write_json(FILE *out, const struct facts *facts);
/* RFC 4180, an empty cell where a value is not known. */
void facts_write_csv_header(FILE *out, int parts);
void facts_write_csv(FILE *out, const struct facts *facts);

/* Reads such an object, whose text it changes, and into which texts then point; lists are passed over, and a value of another
   kind counts as not known. The place is moved past it, or false, and it is where the object is wrong. */
struct json_place;
bool facts_take_json(struct facts *facts, struct json_place *p);
/* The same of a line. NULL, or where it is wrong. */
const char *facts_read_json(struct facts *facts, char *line);

/* Texts are now in one block, which the caller frees. NULL: no memory. */
char *facts_hold_texts(struct facts *facts);

#endif
