/* Writes the page of a run, and that of two runs. */
#include "src/page/page.h"
#include "src/page/cause.h"
#include "src/page/figures.h"
#include "src/page/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    html_text(out, title);
    fprintf(out, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s</style>\n</head>\n<body>\n", page_css);
}

static void end(FILE *out)
{
    fprintf(out, "<div id=\"tip\" role=\"tooltip\" hidden></div>\n<script>\n%s</script>\n</body>\n</html>\n", page_js);
}

/* ---- a run ----------------------------------------------------------------------------------------------------------------- */

static const char *what_it_does(const char *routine)
{
    static const char *const words[][2] = {
        { "potrf", "Cholesky factorization" }, { "getrf", "LU factorization" }, { "geqrf", "QR factorization" },
        { "posv", "Cholesky factorization and solve" }, { "gesv", "LU factorization and solve" },
        { "gels", "Least squares by QR" }, { "sytrf", "Symmetric indefinite factorization" },
        { "hetrf", "Hermitian indefinite factorization" }, { "sysv", "Symmetric indefinite factorization and solve" },
        { "hesv", "Hermitian indefinite factorization and solve" },
    };
    for (size_t i = 0; routine != NULL && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i][0], routine) == 0)
            return words[i][1];
    return "Factorization";
}

enum { TITLE = 160 };

static void make_title(const struct facts *f, int ranks, char title[TITLE])
{
    char m[FORMAT_TEXT], n[FORMAT_TEXT];
    int length = snprintf(title, TITLE, "%s", what_it_does(f->routine));
    if (f->n > 0)
        length += snprintf(title + length, TITLE - (size_t)length, ", %s × %s",
                           format_count((double)(f->m > 0 ? f->m : f->n), m), format_count((double)f->n, n));
    snprintf(title + length, TITLE - (size_t)length, " on %d rank%s", ranks, ranks == 1 ? "" : "s");
}

/* The most important facts, in large letters: the first known one of each group. */
static const char *const card_keys[][2] = {
    { "time_s", "predicted_s" }, { "gflops" }, { "nb" }, { "transfers" }, { "flops_max_over_mean" }, { "memory_peak_bytes" },
};
enum { CARDS = sizeof card_keys / sizeof card_keys[0] };

/* shown: the facts that are there, with NULL after the last. */
static void write_cards(FILE *out, const struct facts *f, const struct fact *shown[CARDS + 1])
{
    int cards = 0;
    fputs("<dl class=\"cards\">", out);
    for (int c = 0; c < CARDS; c++) {
        const struct fact *fact = fact_find(card_keys[c][0]);
        if (!fact_is_known(fact, f) && card_keys[c][1] != NULL)
            fact = fact_find(card_keys[c][1]);
        if (!fact_is_known(fact, f))
            continue;
        fprintf(out, "<div><dt>%s</dt><dd>", fact->label);
        fact_datum(out, "", fact, f);
        fputs("</dd></div>\n", out);
        shown[cards++] = fact;
    }
    shown[cards] = NULL;
    fputs("</dl>\n", out);
}

static void write_head(FILE *out, const struct page_data *d, const char *title)
{
    struct cause cause = find_cause(d);
    fputs("<header><div class=\"brand\">", out);
    html_text(out, d->program[0] != '\0' ? d->program : "ompfact");
    fputs("</div><h1>", out);
    html_text(out, title);
    fprintf(out, "</h1>\n<p id=\"limit\" data-by=\"%s\"", cause.by);
    if (cause.rank >= 0)
        fprintf(out, " data-rank=\"%d\"", cause.rank);
    fputc('>', out);
    html_text(out, cause.sentence);
    fputs("</p>\n<p class=\"advice\">", out);
    html_text(out, cause.advice);
    fputs("</p></header>\n", out);
}

static void write_gantt_figure(FILE *out, const struct page_data *d, bool *drawn)
{
    fputs("<section class=\"figure\" aria-labelledby=\"h-gantt\"><h2 id=\"h-gantt\">What every thread did</h2>\n", out);
    *drawn &= fig_gantt(out, d, "", d->length);
    fputs(
        "<p class=\"note\">Drag to move, double-click or Ctrl and the wheel to zoom; keys: + − ← → 0. Below the lanes: the "
        "share of them that is busy. Arrows are transfers; those of a task show with the pointer on it, all when few are in "
        "sight.</p></section>\n",
        out);
}

bool page_write(FILE *out, const struct page_data *d)
{
    char title[TITLE], count[32], shown_as[FORMAT_TEXT];
    const struct fact *shown[CARDS + 1];
    bool drawn = true;
    make_title(&d->facts, d->ranks, title);
    begin(out, title);
    fputs("<main>\n", out);
    write_head(out, d, title);
    write_cards(out, &d->facts, shown);
    write_gantt_figure(out, d, &drawn);
    drawn &= fig_kernels(out, d);
    drawn &= fig_steps(out, d);
    fputs("<div class=\"pair\">\n", out);
    drawn &= fig_layout(out, d);
    drawn &= fig_heat(out, d);
    fputs("</div>\n", out);
    drawn &= fig_ranks(out, d);
    drawn &= fig_precisions(out, d);
    drawn &= fig_memory(out, d);
    fputs("<section aria-labelledby=\"h-facts\"><h2 id=\"h-facts\">All facts</h2>\n<div class=\"facts\">\n", out);
    facts_tables(out, &d->facts, shown);
    snprintf(count, sizeof count, "%" PRId64, page_task_count(d));
    fprintf(out,
            "<section class=\"group\"><h3>The trace</h3><dl><div><dt>Tasks</dt><dd><data id=\"tasks\" value=\"%s\">%s</data>"
            "</dd></div></dl></section>\n</div></section>\n</main>\n",
            count, format_count((double)page_task_count(d), shown_as));
    end(out);
    return drawn;
}

/* ---- two runs -------------------------------------------------------------------------------------------------------------- */

/* The share of B's time that A takes, in words; rows have both times. */
static void write_verdict(FILE *out, const struct facts *a, const struct facts *b)
{
    double before = a->time_s, after = b->time_s;
    char one[FORMAT_TEXT], other[FORMAT_TEXT];
    if (!(before > 0 && after > 0)) {
        fputs("<p id=\"limit\">One of the two runs has no time.</p>\n", out);
        return;
    }
    fprintf(out, "<p id=\"limit\">B takes %s, A %s: ", format_seconds(after, other), format_seconds(before, one));
    if (fabs(after / before - 1) < 0.02)
        fputs("as good as the same.</p>\n", out);
    else
        fprintf(out, "%.2f times as %s.</p>\n", after < before ? before / after : after / before,
                after < before ? "fast" : "long");
}

static void write_side(FILE *out, const char *letter, const struct page_side *side)
{
    fprintf(out, "<div><dt>%s</dt><dd class=\"file\">", letter);
    html_text(out, side->name);
    fputs("</dd>", out);
    if (side->data != NULL) {
        struct cause cause = find_cause(side->data);
        fputs("<dd class=\"small\">", out);
        html_text(out, cause.sentence);
        fputs("</dd>", out);
    }
    fputs("</div>\n", out);
}

bool page_write_comparison(FILE *out, const struct page_side *a, const struct page_side *b)
{
    bool drawn = true;
    begin(out, "Two runs compared");
    fputs("<main>\n<header><div class=\"brand\">ompfact compare</div><h1>Two runs</h1>\n", out);
    write_verdict(out, a->facts, b->facts);
    fputs("</header>\n<dl class=\"cards sides\">", out);
    write_side(out, "A", a);
    write_side(out, "B", b);
    fputs("</dl>\n", out);
    if (a->data != NULL && b->data != NULL) {
        double length = fmax(a->data->length, b->data->length);
        fputs("<section class=\"figure\" aria-labelledby=\"h-gantt\"><h2 id=\"h-gantt\">What every thread did, on one "
              "scale</h2>\n<h3>A</h3>\n",
              out);
        drawn &= fig_gantt(out, a->data, "-a", length);
        fputs("<h3>B</h3>\n", out);
        drawn &= fig_gantt(out, b->data, "-b", length);
        fputs("</section>\n", out);
    }
    fputs("<section aria-labelledby=\"h-facts\"><h2 id=\"h-facts\">What changed</h2>\n<div class=\"wide\"><table "
          "class=\"compared\"><thead><tr><th scope=\"col\">Fact</th><th scope=\"col\">A</th><th scope=\"col\">B</th><th "
          "scope=\"col\">B over A</th></tr></thead>\n",
          out);
    facts_compared(out, a->facts, b->facts);
    fputs("</table></div></section>\n</main>\n", out);
    end(out);
    return drawn;
}
