/* JSON lines: an object of numbers, texts, booleans and nulls for each run, and a strict reader of that form. */
#include "src/command/fields.h"
#include "src/io/json_text.h"

#include <stdlib.h>
#include <string.h>

static bool is_string(const struct field *field)
{
    return field->kind == FIELD_TEXT || field->kind == FIELD_LETTER;
}

void json_write(FILE *out, const struct field *fields, int shown, const void *record)
{
    const char *separator = "{";
    for (; fields->key; fields++) {
        char number[FIELD_NUMBER];
        if (fields->only & ~shown)
            continue;
        const char *text = field_text(fields, record, number);
        fprintf(out, "%s\"%s\": ", separator, fields->key);
        if (text && is_string(fields))
            json_write_string(out, text);
        else
            fputs(text ? text : "null", out);
        separator = ", ";
    }
    fputs("}\n", out);
}

/* ---- reader ---------------------------------------------------------------------------------------------------- */

static bool is_integer(const char *number)
{
    number += *number == '-';
    number += strspn(number, "0123456789");
    return *number != '.' && *number != 'e' && *number != 'E';
}

/* A value of another kind than the field's counts as not known, as null does. */
static void assign(const struct field *field, struct json_value value, void *record)
{
    void *to = (char *)record + field->offset;
    if (value.kind == JSON_STRING && field->kind == FIELD_TEXT)
        *(const char **)to = value.text;
    if (value.kind == JSON_STRING && field->kind == FIELD_LETTER && strlen(value.text) == 1)
        *(char *)to = value.text[0];
    if (value.kind == JSON_BOOLEAN && field->kind == FIELD_BOOLEAN)
        *(int64_t *)to = value.text[0] == 't';
    if (value.kind == JSON_NUMBER && field->kind == FIELD_REAL)
        *(double *)to = strtod(value.text, NULL);
    if (value.kind == JSON_NUMBER && field->kind == FIELD_INTEGER && is_integer(value.text))
        *(int64_t *)to = strtoll(value.text, NULL, 10);
}

struct record {
    const struct field *fields;
    void *at;
};

static bool take_member(void *context, struct json_place *p, const char *key)
{
    struct record *record = context;
    struct json_value value;
    if (!json_take_value(p, &value))
        return false;
    const struct field *field = field_find(record->fields, key);
    if (field)
        assign(field, value, record->at);
    return true;
}

const char *json_read(char *line, const struct field *fields, void *record)
{
    struct json_place p = { line };
    struct record of = { fields, record };
    fields_clear(fields, record);
    if (!json_take_object(&p, take_member, &of))
        return p.s;
    json_skip_blanks(&p);
    return *p.s ? p.s : NULL;
}
