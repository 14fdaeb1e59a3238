/* Comma-separated values (RFC 4180), an empty cell where a value is not known. */
#include "src/command/fields.h"

#include <string.h>

static void write_text(FILE *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void csv_header(FILE *out, const struct field *fields, int shown)
{
    const char *comma = "";
    for (; fields->key; fields++) {
        if (fields->only & ~shown)
            continue;
        fprintf(out, "%s%s", comma, fields->key);
        comma = ",";
    }
    fputc('\n', out);
}

void csv_write(FILE *out, const struct field *fields, int shown, const void *record)
{
    const char *comma = "";
    for (; fields->key; fields++) {
        char number[FIELD_NUMBER];
        if (fields->only & ~shown)
            continue;
        const char *text = field_text(fields, record, number);
        fputs(comma, out);
        write_text(out, text ? text : "");
        comma = ",";
    }
    fputc('\n', out);
}
