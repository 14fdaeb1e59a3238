#include "src/page/figures.h"
#include "src/page/format.h"

#include <string.h>

static const char *const group_names[FACT_GROUPS] = {
    [ABOUT_PROBLEM] = "The problem", [ABOUT_HOW] = "How it ran", [ABOUT_SPEED] = "Time and bounds", [ABOUT_RESULT] = "The result",
    [ABOUT_TRANSFERS] = "Transfers", [ABOUT_MEMORY] = "Tiles and memory", [ABOUT_DEVICES] = "Devices",
    [ABOUT_ORIGIN] = "Origin of the run",
};

static const char *format_exponent(double number, char text[FORMAT_TEXT])
{
    snprintf(text, FORMAT_TEXT, "%.3g", number);
    return text;
}

static const char *(*const format_as[FACT_AS])(double number, char text[FORMAT_TEXT]) = {
    [AS_COUNT] = format_count, [AS_NUMBER] = format_number, [AS_EXPONENT] = format_exponent, [AS_SECONDS] = format_seconds,
    [AS_BYTES] = format_bytes, [AS_RATE] = format_rate, [AS_SHARE] = format_share,
};

bool fact_is_known(const struct fact *fact, const struct facts *facts)
{
    char number[FACT_NUMBER];
    return (fact->parts & facts->parts) != 0 && fact_text(fact, facts, number) != NULL;
}

void fact_datum(FILE *out, const char *prefix, const struct fact *fact, const struct facts *facts)
{
    char exact[FACT_NUMBER], shown_as[FORMAT_TEXT];
    if (!fact_is_known(fact, facts)) {
        fputs("–", out);
        return;
    }
    const char *value = fact_text(fact, facts, exact);
    fprintf(out, "<data id=\"%s%s\" value=\"", prefix, fact->key);
    html_text(out, value);
    fputs("\">", out);
    html_text(out, fact->as == AS_IT_IS ? value : format_as[fact->as](fact_number(fact, facts), shown_as));
    fputs("</data>", out);
}

/* The next row of this group, from this one on, that either run knows; NULL: none. */
static const struct fact *next_of(enum fact_group group, const struct fact *fact, const struct facts *a, const struct facts *b)
{
    for (; fact->key != NULL; fact++)
        if (fact->group == group && (fact_is_known(fact, a) || fact_is_known(fact, b)))
            return fact;
    return NULL;
}

/* ---- a run ----------------------------------------------------------------------------------------------------------------- */

static bool is_in(const struct fact *const *facts, const struct fact *fact)
{
    while (*facts != NULL && *facts != fact)
        facts++;
    return *facts != NULL;
}

static void write_group(FILE *out, const struct facts *facts, enum fact_group group, const struct fact *const *but)
{
    int written = 0;
    for (const struct fact *f = fact_table; (f = next_of(group, f, facts, facts)) != NULL; f++) {
        if (is_in(but, f))
            continue;
        if (written++ == 0)
            fprintf(out, "<section class=\"group\"><h3>%s</h3><dl>\n", group_names[group]);
        fprintf(out, "<div><dt>%s</dt><dd>", f->label);
        fact_datum(out, "", f, facts);
        fputs("</dd></div>\n", out);
    }
    if (written > 0)
        fputs("</dl></section>\n", out);
}

void facts_tables(FILE *out, const struct facts *facts, const struct fact *const *but)
{
    for (enum fact_group group = 0; group < FACT_GROUPS; group++)
        write_group(out, facts, group, but);
}

/* ---- two runs -------------------------------------------------------------------------------------------------------------- */

static bool is_same(const struct fact *fact, const struct facts *a, const struct facts *b)
{
    char one[FACT_NUMBER], other[FACT_NUMBER];
    return fact_is_known(fact, a) && fact_is_known(fact, b) && strcmp(fact_text(fact, a, one), fact_text(fact, b, other)) == 0;
}

static void compare_fact(FILE *out, const struct fact *fact, const struct facts *a, const struct facts *b)
{
    bool same = is_same(fact, a, b);
    double before = fact_number(fact, a), after = fact_number(fact, b);
    fputs("<tr", out);
    if (!same)
        fprintf(out, " class=\"changed\" data-changed=\"%s\"", fact->key);
    fprintf(out, "><th scope=\"row\">%s</th><td>", fact->label);
    fact_datum(out, "a.", fact, a);
    fputs("</td><td>", out);
    fact_datum(out, "b.", fact, b);
    fputs("</td><td>", out);
    if (!same && before > 0 && after > 0)       /* numbers: texts have none */
        fprintf(out, "× %.3g", after / before);
    fputs("</td></tr>\n", out);
}

void facts_compared(FILE *out, const struct facts *a, const struct facts *b)
{
    for (enum fact_group group = 0; group < FACT_GROUPS; group++) {
        const struct fact *f = next_of(group, fact_table, a, b);
        if (f == NULL)
            continue;
        fprintf(out, "<tbody><tr class=\"subject\"><th colspan=\"4\" scope=\"rowgroup\">%s</th></tr>\n", group_names[group]);
        for (; f != NULL; f = next_of(group, f + 1, a, b))
            compare_fact(out, f, a, b);
        fputs("</tbody>\n", out);
    }
}
