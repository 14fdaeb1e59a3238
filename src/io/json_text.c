#include "src/io/json_text.h"

#include "src/io/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char ESCAPED[] = "\"\\/\b\f\n\r\t";    /* the character after a backslash, and ... */
static const char ESCAPES[] = "\"\\/bfnrt";         /* ... the character that it stands for, in the same order */

static void write_character(FILE *out, const char *s, int bytes)
{
    const char *escaped = *s == '/' ? NULL : strchr(ESCAPED, *s);
    if (escaped)
        fprintf(out, "\\%c", ESCAPES[escaped - ESCAPED]);
    else if ((unsigned char)*s < 0x20)
        fprintf(out, "\\u%04x", *s);
    else
        fwrite(s, 1, (size_t)bytes, out);
}

/* Writes a byte that belongs to no character as half of a surrogate pair with `exact`, as Python's surrogateescape does (PEP
   383), else as UTF8_REPLACEMENT. */
static void write_string(FILE *out, const char *text, bool exact)
{
    fputc('"', out);
    while (*text) {
        int bytes = utf8_bytes(text);
        if (bytes > 0)
            write_character(out, text, bytes);
        else if (exact)
            fprintf(out, "\\udc%02x", (unsigned char)*text);
        else
            fputs(UTF8_REPLACEMENT, out);
        text += bytes > 0 ? bytes : 1;
    }
    fputc('"', out);
}

void json_write_string(FILE *out, const char *text)
{
    write_string(out, text, false);
}

void json_write_exact(FILE *out, const char *text)
{
    write_string(out, text, true);
}

/* ---- reader ---------------------------------------------------------------------------------------------------- */

void json_skip_blanks(struct json_place *p)
{
    p->s += strspn(p->s, " \t\r\n");
}

bool json_take(struct json_place *p, char c)
{
    json_skip_blanks(p);
    if (*p->s != c)
        return false;
    p->s++;
    return true;
}

/* Decodes \uXXXX as UTF-8, or as the byte that json_write_exact() has written so. Other halves of surrogate pairs, and the
   character that would end a string, are refused. */
static bool take_unicode(struct json_place *p, char **to)
{
    char digits[5] = "";
    char *end;
    strncat(digits, p->s, 4);
    unsigned long code = strtoul(digits, &end, 16);
    bool is_byte = code >= 0xdc80 && code <= 0xdcff;
    if (strspn(digits, "0123456789abcdefABCDEF") != 4 || code == 0 || (code >= 0xd800 && code < 0xe000 && !is_byte))
        return false;
    p->s += 4;
    if (is_byte) {
        *(*to)++ = (char)(code & 0xff);
        return true;
    }
    if (code >= 0x800) {
        *(*to)++ = (char)(0xe0 | code >> 12);
        *(*to)++ = (char)(0x80 | (code >> 6 & 0x3f));
    } else if (code >= 0x80) {
        *(*to)++ = (char)(0xc0 | code >> 6);
    }
    *(*to)++ = (char)(code < 0x80 ? code : 0x80 | (code & 0x3f));
    return true;
}

/* Decodes what follows a backslash. */
static bool take_escape(struct json_place *p, char **to)
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

bool json_take_string(struct json_place *p, const char **string)
{
    if (!json_take(p, '"'))
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

static bool take_digits(struct json_place *p)
{
    size_t digits = strspn(p->s, "0123456789");
    p->s += digits;
    return digits > 0;
}

static bool take_number(struct json_place *p)
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

/* Takes a string, a number, null, true or false. */
static bool take_scalar(struct json_place *p, struct json_value *value)
{
    static const struct {
        const char *word;
        enum json_kind kind;
    } words[] = { { "null", JSON_OTHER }, { "true", JSON_BOOLEAN }, { "false", JSON_BOOLEAN } };
    json_skip_blanks(p);
    *value = (struct json_value){ JSON_OTHER, p->s, 0 };
    if (*p->s == '"') {
        value->kind = JSON_STRING;
        return json_take_string(p, &value->text);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strncmp(p->s, words[i].word, strlen(words[i].word))) {
            value->kind = words[i].kind;
            value->length = (int)strlen(words[i].word);
            p->s += value->length;
            return true;
        }
    value->kind = JSON_NUMBER;
    bool is_number = take_number(p);
    value->length = (int)(p->s - value->text);
    return is_number;
}

enum { DEEPEST = 64 };

static bool skip(struct json_place *p, struct json_value *value, int depth);

static bool skip_member(struct json_place *p, bool named, int depth)
{
    struct json_value value;
    const char *key;
    return (!named || (json_take_string(p, &key) && json_take(p, ':'))) && skip(p, &value, depth);
}

static bool skip(struct json_place *p, struct json_value *value, int depth)
{
    json_skip_blanks(p);
    *value = (struct json_value){ JSON_OTHER, p->s, 0 };
    bool named = *p->s == '{';
    if (!named && *p->s != '[')
        return take_scalar(p, value);
    char end = *p->s++ == '{' ? '}' : ']';
    if (json_take(p, end))
        return true;
    do {
        if (depth == 0 || !skip_member(p, named, depth - 1))
            return false;
    } while (json_take(p, ','));
    return json_take(p, end);
}

bool json_take_value(struct json_place *p, struct json_value *value)
{
    return skip(p, value, DEEPEST);
}

bool json_take_object(struct json_place *p, json_member *member, void *context)
{
    const char *key;
    if (!json_take(p, '{'))
        return false;
    if (json_take(p, '}'))
        return true;
    do {
        if (!json_take_string(p, &key) || !json_take(p, ':') || !member(context, p, key))
            return false;
    } while (json_take(p, ','));
    return json_take(p, '}');
}

bool json_take_list(struct json_place *p, json_element *element, void *context)
{
    if (!json_take(p, '['))
        return false;
    if (json_take(p, ']'))
        return true;
    do {
        if (!element(context, p))
            return false;
    } while (json_take(p, ','));
    return json_take(p, ']');
}
