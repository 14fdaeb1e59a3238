/* JSON lines: an object of numbers, texts and nulls for each run, and a strict reader of that form. */
#include "src/command/fields.h"

#include <stdlib.h>
#include <string.h>

static const char ESCAPED[] = "\"\\/\b\f\n\r\t";    /* what a backslash and ... */
static const char ESCAPES[] = "\"\\/bfnrt";         /* ... one of these stand for */

static bool is_string(const struct field *field)
{
    return field->kind == FIELD_TEXT || field->kind == FIELD_LETTER;
}

static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        const char *escaped = *text == '/' ? NULL : strchr(ESCAPED, *text);
        if (escaped)
            fprintf(out, "\\%c", ESCAPES[escaped - ESCAPED]);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
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
            write_string(out, text);
        else
            fputs(text ? text : "null", out);
        separator = ", ";
    }
    fputs("}\n", out);
}

/* ---- reader ---------------------------------------------------------------------------------------------------- */

/*
 * A place in the line. Functions move it past what they take, or return false and leave it at what is wrong. Strings
 * are decoded in place: no escape is shorter than what it stands for.
 */
struct place {
    char *s;
};

enum value_kind { VALUE_NUMBER, VALUE_STRING, VALUE_OTHER };

struct value {
    enum value_kind kind;
    const char *text;       /* a string, or where a number begins */
};

static void skip_blanks(struct place *p)
{
    p->s += strspn(p->s, " \t\r\n");
}

static bool take(struct place *p, char c)
{
    skip_blanks(p);
    if (*p->s != c)
        return false;
    p->s++;
    return true;
}

/* \uXXXX as UTF-8; halves of surrogate pairs and the character that would end a string are refused. */
static bool take_unicode(struct place *p, char **to)
{
    char digits[5] = "";
    char *end;
    strncat(digits, p->s, 4);
    unsigned long code = strtoul(digits, &end, 16);
    if (strspn(digits, "0123456789abcdefABCDEF") != 4 || code == 0 || (code >= 0xd800 && code < 0xe000))
        return false;
    p->s += 4;
    if (code >= 0x800) {
        *(*to)++ = (char)(0xe0 | code >> 12);
        *(*to)++ = (char)(0x80 | (code >> 6 & 0x3f));
    } else if (code >= 0x80) {
        *(*to)++ = (char)(0xc0 | code >> 6);
    }
    *(*to)++ = (char)(code < 0x80 ? code : 0x80 | (code & 0x3f));
    return true;
}

/* What follows a backslash. */
static bool take_escape(struct place *p, char **to)
{
    if (*p->s == 'u') {
        p->s++;
        return take_unicode(p, to);
    }
    const char *escape = *p->s ? strchr(ESCAPES, *p->s) : NULL;
    if (!escape)
        return false;
    *(*to)++ = ESCAPED[escape - ESCAPES];
    p->s++;
    return true;
}

static bool take_string(struct place *p, const char **string)
{
    if (!take(p, '"'))
        return false;
    char *to = p->s;
    *string = to;
    while (*p->s != '"') {
        if ((unsigned char)*p->s < 0x20)
            return false;
        if (*p->s != '\\') {
            *to++ = *p->s++;
            continue;
        }
        p->s++;
        if (!take_escape(p, &to))
            return false;
    }
    p->s++;
    *to = '\0';
    return true;
}

static bool take_digits(struct place *p)
{
    size_t digits = strspn(p->s, "0123456789");
    p->s += digits;
    return digits > 0;
}

static bool take_number(struct place *p)
{
    p->s += *p->s == '-';
    if (*p->s == '0')
        p->s++;
    else if (!take_digits(p))
        return false;
    if (*p->s == '.') {
        p->s++;
        if (!take_digits(p))
            return false;
    }
    if (*p->s == 'e' || *p->s == 'E') {
        p->s++;
        p->s += *p->s == '+' || *p->s == '-';
        return take_digits(p);
    }
    return true;
}

/* A string, a number, null, true or false. */
static bool take_scalar(struct place *p, struct value *value)
{
    static const char *const words[] = { "null", "true", "false" };
    skip_blanks(p);
    *value = (struct value){ VALUE_OTHER, p->s };
    if (*p->s == '"') {
        value->kind = VALUE_STRING;
        return take_string(p, &value->text);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strncmp(p->s, words[i], strlen(words[i]))) {
            p->s += strlen(words[i]);
            return true;
        }
    value->kind = VALUE_NUMBER;
    return take_number(p);
}

/* A list of scalars, which nothing here wants. */
static bool skip_list(struct place *p)
{
    struct value value;
    if (!take(p, '['))
        return false;
    if (take(p, ']'))
        return true;
    do {
        if (!take_scalar(p, &value))
            return false;
    } while (take(p, ','));
    return take(p, ']');
}

static bool take_value(struct place *p, struct value *value)
{
    skip_blanks(p);
    *value = (struct value){ VALUE_OTHER, p->s };
    return *p->s == '[' ? skip_list(p) : take_scalar(p, value);
}

static bool is_integer(const char *number)
{
    number += *number == '-';
    number += strspn(number, "0123456789");
    return *number != '.' && *number != 'e' && *number != 'E';
}

/* A value of another kind than the field's counts as not known, as null does. */
static void assign(const struct field *field, struct value value, void *record)
{
    void *to = (char *)record + field->offset;
    if (value.kind == VALUE_STRING && field->kind == FIELD_TEXT)
        *(const char **)to = value.text;
    if (value.kind == VALUE_STRING && field->kind == FIELD_LETTER && strlen(value.text) == 1)
        *(char *)to = value.text[0];
    if (value.kind == VALUE_NUMBER && field->kind == FIELD_REAL)
        *(double *)to = strtod(value.text, NULL);
    if (value.kind == VALUE_NUMBER && field->kind == FIELD_INTEGER && is_integer(value.text))
        *(int64_t *)to = strtoll(value.text, NULL, 10);
}

static bool take_member(struct place *p, const struct field *fields, void *record)
{
    const char *key;
    struct value value;
    if (!take_string(p, &key) || !take(p, ':') || !take_value(p, &value))
        return false;
    const struct field *field = field_find(fields, key);
    if (field)
        assign(field, value, record);
    return true;
}

const char *json_read(char *line, const struct field *fields, void *record)
{
    struct place p = { line };
    fields_clear(fields, record);
    if (!take(&p, '{'))
        return p.s;
    if (!take(&p, '}')) {
        do {
            if (!take_member(&p, fields, record))
                return p.s;
        } while (take(&p, ','));
        if (!take(&p, '}'))
            return p.s;
    }
    skip_blanks(&p);
    return *p.s ? p.s : NULL;
}
