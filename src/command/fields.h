/* Inside the reporters: results as tables of fields, which every form of output walks. */
#ifndef OMPFACT_SRC_COMMAND_FIELDS_H
#define OMPFACT_SRC_COMMAND_FIELDS_H

#include <stddef.h>
#include <stdio.h>

#include "src/command/result.h"

enum { FIELD_NUMBER = 32 };     /* characters of a number, its end included */
enum { CELL_TEXT = 256 };       /* of a cell of a table */

/* A boolean is an int64_t, 0, 1 or REPORT_NONE; a list is as JSON has it, and not read back. */
enum field_kind { FIELD_INTEGER, FIELD_BOOLEAN, FIELD_REAL, FIELD_TEXT, FIELD_LETTER, FIELD_LIST };

/* Where the routine factors and solves; where tiles are compressed. */
enum { FIELD_SOLVES = 1, FIELD_COMPRESSED = 2 };

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;              /* in the record */
    int only;                   /* where, if it is not always shown: */
};

/* Tables end with a field that has no key. */
extern const struct field run_fields[];     /* of struct result */
extern const struct field dry_fields[];     /* of struct dry_result */

const struct field *field_find(const struct field *fields, const char *key);
void fields_clear(const struct field *fields, void *record);
/* The exact value, in the record or in number; NULL where it is not known. */
const char *field_text(const struct field *field, const void *record, char number[FIELD_NUMBER]);

/* How a number looks in a table: '\0' as it is, 'f' or 'e' with so many digits, 'b' bytes with a unit. */
struct cell_look {
    char letter;
    int digits;
};

void cell_real(double value, struct cell_look look, char cell[CELL_TEXT]);
void cell_field(const struct field *field, const void *record, struct cell_look look, char cell[CELL_TEXT]);
/* Columns that a cell takes; its bytes may be more. */
int cell_width(const char *cell);
/* Texts that are too long are cut, numbers never. */
void cell_print(FILE *out, const char *cell, int width, bool text);
/* "1.50 GiB" */
void cell_bytes(int64_t bytes, char cell[CELL_TEXT]);

/* One object on one line. shown: which fields are there that are not always. */
void json_write(FILE *out, const struct field *fields, int shown, const void *record);
/* Reads such a line into the record, whose texts then point into the line. Returns NULL or where it is wrong. */
const char *json_read(char *line, const struct field *fields, void *record);

void csv_header(FILE *out, const struct field *fields, int shown);
void csv_write(FILE *out, const struct field *fields, int shown, const void *record);

/* At most 100 columns but for unusually large numbers, or where the form is verbose. */
void table_header(FILE *out, const struct table_form *form);
void table_run(FILE *out, const struct result *result, const struct table_form *form);
void table_dry(FILE *out, const struct dry_result *result);

#endif
