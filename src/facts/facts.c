#include "src/facts/facts.h"
#include "src/io/c_locale.h"
#include "src/io/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct fact fact_table[] = {
#define FACT(kind, key, parts, group, as, label) { #key, FACT_##kind, offsetof(struct facts, key), parts, group, as, label },
#define FACT_AGAIN(kind, key, parts) { #key, FACT_##kind, offsetof(struct facts, key), parts, FACT_GROUPS, AS_IT_IS, NULL },
#include "src/facts/facts_list.h"
    { .key = NULL },
};

const struct fact *fact_find(const char *key)
{
    for (const struct fact *fact = fact_table; fact->key != NULL; fact++)
        if (strcmp(fact->key, key) == 0)
            return fact;
    return NULL;
}

static const void *at(const struct fact *fact, const struct facts *facts)
{
    return (const char *)facts + fact->offset;
}

static void *place_of(const struct fact *fact, struct facts *facts)
{
    return (char *)facts + fact->offset;
}

void facts_clear(struct facts *facts, int parts)
{
    *facts = (struct facts){ .parts = parts };      /* texts, letters and lists are then unknown */
    for (const struct fact *fact = fact_table; fact->key != NULL; fact++)
        if (fact->kind == FACT_REAL)
            *(double *)place_of(fact, facts) = NAN;
        else if (fact->kind == FACT_INTEGER || fact->kind == FACT_BOOLEAN)
            *(int64_t *)place_of(fact, facts) = FACT_NONE;
}

/* ---- values ---------------------------------------------------------------------------------------------------------------- */

/* The fewest digits that read back as the same number. */
static const char *text_of_real(double real, char *number)
{
    if (!isfinite(real))
        return NULL;
    struct c_locale c = c_locale_begin();
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number, FACT_NUMBER, "%.*g", digits, real);
        if (c_locale_real(number, NULL) == real)
            break;
    }
    c_locale_end(c);
    return number;
}

const char *fact_text(const struct fact *fact, const struct facts *facts, char number[FACT_NUMBER])
{
    const void *value = at(fact, facts);
    if (fact->kind == FACT_REAL)
        return text_of_real(*(const double *)value, number);
    if (fact->kind == FACT_TEXT)
        return *(const char *const *)value;
    if (fact->kind == FACT_LETTER) {
        snprintf(number, FACT_NUMBER, "%c", *(const char *)value);
        return number[0] != '\0' ? number : NULL;
    }
    if (fact->kind == FACT_LIST || *(const int64_t *)value == FACT_NONE)
        return NULL;
    if (fact->kind == FACT_BOOLEAN)
        return *(const int64_t *)value != 0 ? "true" : "false";
    snprintf(number, FACT_NUMBER, "%" PRId64, *(const int64_t *)value);
    return number;
}

double fact_number(const struct fact *fact, const struct facts *facts)
{
    const void *value = at(fact, facts);
    if (fact->kind == FACT_REAL)
        return isfinite(*(const double *)value) ? *(const double *)value : NAN;
    return fact->kind == FACT_INTEGER && *(const int64_t *)value != FACT_NONE ? (double)*(const int64_t *)value : NAN;
}

/* ---- written --------------------------------------------------------------------------------------------------------------- */

static void write_list(FILE *out, const struct fact_list *list)
{
    const char *number = list->first;
    for (int i = 0; i < list->count; i++, number += list->stride) {
        fputs(i == 0 ? "[" : ", ", out);
        if (list->digits > 0)
            fprintf(out, "%.*g", list->digits, *(const double *)(const void *)number);
        else
            fprintf(out, "%d", *(const int *)(const void *)number);
    }
    fputs(list->count > 0 ? "]" : "[]", out);
}

static const struct fact_list *list_of(const struct fact *fact, const struct facts *facts)
{
    const struct fact_list *list = fact->kind == FACT_LIST ? at(fact, facts) : NULL;
    return list != NULL && list->first != NULL ? list : NULL;
}

void facts_write_json(FILE *out, const struct facts *facts)
{
    const char *separator = "{";
    for (const struct fact *fact = fact_table; fact->key != NULL; fact++) {
        char number[FACT_NUMBER];
        const char *text = fact_text(fact, facts, number);
        if ((fact->parts & facts->parts) == 0)
            continue;
        fprintf(out, "%s\"%s\": ", separator, fact->key);
        if (list_of(fact, facts) != NULL)
            write_list(out, list_of(fact, facts));
        else if (text != NULL && (fact->kind == FACT_TEXT || fact->kind == FACT_LETTER))
            json_write_string(out, text);
        else
            fputs(text != NULL ? text : "null", out);
        separator = ", ";
    }
    fputs("}\n", out);
}

void facts_write_csv_header(FILE *out, int parts)
{
    const char *comma = "";
    for (const struct fact *fact = fact_table; fact->key != NULL; fact++)
        if ((fact->parts & parts) != 0) {
            fprintf(out, "%s%s", comma, fact->key);
            comma = ",";
        }
    fputc('\n', out);
}

static void write_csv_text(FILE *out, const char *text)
{
    bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    fputs(quoted ? "\"" : "", out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputs(quoted ? "\"" : "", out);
}

void facts_write_csv(FILE *out, const struct facts *facts)
{
    const char *comma = "";
    for (const struct fact *fact = fact_table; fact->key != NULL; fact++) {
        char number[FACT_NUMBER];
        const char *text = fact_text(fact, facts, number);
        const struct fact_list *list = list_of(fact, facts);
        if ((fact->parts & facts->parts) == 0)
            continue;
        fputs(comma, out);
        if (list != NULL) {
            fputs(list->count > 1 ? "\"" : "", out);        /* for its commas */
            write_list(out, list);
            fputs(list->count > 1 ? "\"" : "", out);
        } else
            write_csv_text(out, text != NULL ? text : "");
        comma = ",";
    }
    fputc('\n', out);
}

/* ---- read ------------------------------------------------------------------------------------------------------------------ */

static bool is_integer(const char *number)
{
    number += *number == '-';
    number += strspn(number, "0123456789");
    return *number != '.' && *number != 'e' && *number != 'E';
}

static void assign(const struct fact *fact, struct json_value value, struct facts *facts)
{
    void *to = place_of(fact, facts);
    if (value.kind == JSON_STRING && fact->kind == FACT_TEXT)
        *(const char **)to = value.text;
    if (value.kind == JSON_STRING && fact->kind == FACT_LETTER && strlen(value.text) == 1)
        *(char *)to = value.text[0];
    if (value.kind == JSON_BOOLEAN && fact->kind == FACT_BOOLEAN)
        *(int64_t *)to = value.text[0] == 't';
    if (value.kind == JSON_NUMBER && fact->kind == FACT_REAL)
        *(double *)to = c_locale_real(value.text, NULL);
    if (value.kind == JSON_NUMBER && fact->kind == FACT_INTEGER && is_integer(value.text))
        *(int64_t *)to = strtoll(value.text, NULL, 10);
}

static bool take_member(void *context, struct json_place *p, const char *key)
{
    struct json_value value;
    if (!json_take_value(p, &value))
        return false;
    const struct fact *fact = fact_find(key);
    if (fact != NULL)
        assign(fact, value, context);
    return true;
}

bool facts_take_json(struct facts *facts, struct json_place *p)
{
    facts_clear(facts, IN_ANY);
    return json_take_object(p, take_member, facts);
}

const char *facts_read_json(struct facts *facts, char *line)
{
    struct json_place p = { line };
    if (!facts_take_json(facts, &p))
        return p.s;
    json_skip_blanks(&p);
    return *p.s != '\0' ? p.s : NULL;
}

char *facts_hold_texts(struct facts *facts)
{
    size_t length = 1;
    for (const struct fact *fact = fact_table; fact->key != NULL; fact++) {
        const char *text = fact->kind == FACT_TEXT ? *(const char **)place_of(fact, facts) : NULL;
        length += text != NULL ? strlen(text) + 1 : 0;
    }
    char *texts = malloc(length), *end = texts;
    for (const struct fact *fact = fact_table; texts != NULL && fact->key != NULL; fact++) {
        const char **text = fact->kind == FACT_TEXT ? place_of(fact, facts) : NULL;
        if (text == NULL || *text == NULL)
            continue;
        size_t size = strlen(*text) + 1;
        *text = memcpy(end, *text, size);
        end += size;
    }
    return texts;
}
