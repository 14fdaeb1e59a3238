/* What the tests of --plot share: pictures of layouts, and a small reader of their XML. */
#ifndef OMPFACT_TESTS_PAGE_PICTURES_H
#define OMPFACT_TESTS_PAGE_PICTURES_H

#include "src/page/plot_parts.h"
#include "tests/layouts/test_layouts.h"

static inline char *written(const struct plot *plot)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(plot_write(plot, file), 0);
    long size = ftell(file);
    char *svg = zeros((size_t)size + 1, 1);
    rewind(file);
    ck_assert_uint_eq(fread(svg, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return svg;
}

static inline int owner_in(const void *layout, int layer, int i, int j)
{
    const struct layout *l = layout;
    (void)layer;
    return layout_is_stored(l, i, j) ? layout_owner(l, i, j) : -1;
}

static inline int owner_mirrored(const void *layout, int layer, int i, int j)
{
    return owner_in(layout, layer, j, i);
}

/* The parts of a picture of a layout, or of NULL for no matrix. Its numbers are the layout's. */
struct shown {
    struct plot plot;
    ompfact_pattern pattern;
    ompfact_layout_counts counts;
    ompfact_share *share;
};

static inline void show(struct shown *s, const struct pattern *p, const struct layout *l, bool cholesky, bool mirrored)
{
    struct layout_summary sum = {.flops_max_over_mean = 1};
    enum layout_algorithm algorithm = cholesky ? LAYOUT_CHOLESKY : LAYOUT_LU;
    int mt = l != NULL ? l->mt : 0, nt = l != NULL ? l->nt : 0;
    int64_t *work = zeros((size_t)p->ranks, sizeof *work);
    double total = 0;
    s->share = zeros((size_t)p->ranks, sizeof *s->share);
    if (l != NULL) {
        ck_assert_int_eq(layout_summarise(l, algorithm, &sum), 0);
        layout_work_of_ranks(l, algorithm, work);
    }
    for (int rank = 0; rank < p->ranks; rank++)
        total += (double)work[rank];
    for (int rank = 0; l != NULL && rank < p->ranks; rank++)
        s->share[rank] = (ompfact_share){layout_tiles(l, rank), (double)work[rank] * p->ranks / total};
    s->pattern = (ompfact_pattern){.ranks = p->ranks, .rows = p->rows, .cols = p->cols, .cell = p->cell};
    memcpy(s->pattern.name, p->name, sizeof p->name);
    s->counts = (ompfact_layout_counts){.cost = cholesky ? pattern_cost_cholesky(p) : pattern_cost_lu(p),
                                        .transfers = sum.transfers, .flops_max_over_mean = sum.flops_max_over_mean,
                                        .tiles_max = sum.tiles_max, .tiles_min = sum.tiles_min};
    s->plot = (struct plot){.routine = cholesky ? "potrf" : "getrf", .m = 50 * mt, .n = 50 * nt, .nb = 50, .cholesky = cholesky,
                            .layers = 1, .pattern = &s->pattern, .counts = &s->counts, .share = s->share, .mt = mt, .nt = nt,
                            .owner = mirrored ? owner_mirrored : owner_in, .context = l, .mirrored = mirrored};
    free(work);
}

/* The picture as text, which the caller frees: of mt x nt tiles, mirrored or not, or without a matrix where mt is 0. */
static inline char *picture(const struct pattern *pattern, int mt, int nt, enum layout_algorithm algorithm, bool mirrored)
{
    bool cholesky = algorithm == LAYOUT_CHOLESKY;
    struct layout *l = mt > 0 ? lay(pattern, mt, nt, cholesky ? LAYOUT_LOWER : LAYOUT_FULL) : NULL;
    struct shown shown;
    show(&shown, pattern, l, cholesky, mirrored);
    char *svg = written(&shown.plot);
    free(shown.share);
    layout_destroy(&l);
    return svg;
}

/* An assertion without a file access: Check writes a file for each assertion, which is slow for millions. */
static inline void require(bool condition, const char *s)
{
    if (!condition) ck_abort_msg("at %.40s", s);
}

/* ---- a small reader of XML --------------------------------------------------------------------------------------------- */

enum { DEPTH_MAX = 16, NAME_LENGTH = 16 };

static inline bool is_reference(const char *s)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strncmp(s, known[k], strlen(known[k])) == 0)
            return true;
    return false;
}

/* Elements close in reverse order, attributes have quotes, and texts contain no bare < or &. */
static inline void check_xml(const char *svg)
{
    char open[DEPTH_MAX][NAME_LENGTH];
    int depth = 0, elements = 0;
    ck_assert(strncmp(svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39) == 0);
    for (const char *s = svg + 39; *s; s++) {
        require(*s != '&' || is_reference(s), s);
        require((unsigned char)*s >= ' ' || *s == '\n', s);
        if (*s != '<') continue;

        bool closes = s[1] == '/';
        char name[NAME_LENGTH] = "";
        size_t length = strspn(s + 1 + closes, "abcdefghijklmnopqrstuvwxyz");
        require(length > 0 && length < sizeof name, s);
        memcpy(name, s + 1 + closes, length);
        int quotes = 0;
        for (s++; *s && (*s != '>' || quotes % 2); s++) {
            quotes += *s == '"';
            require(*s != '<', s);
        }
        require(*s == '>' && quotes % 2 == 0, s);
        if (closes) {
            require(depth > 0 && strcmp(open[depth - 1], name) == 0, s);
            depth--;
        } else if (s[-1] != '/') {
            require(depth < DEPTH_MAX, s);
            strcpy(open[depth++], name);
        }
        require(depth > 0 || strcmp(name, "svg") == 0, s);
        elements++;
    }
    ck_assert_int_eq(depth, 0);
    ck_assert_int_gt(elements, 10);
    ck_assert_ptr_null(strstr(svg, "nan"));
    ck_assert_ptr_null(strstr(svg, "inf"));
}

static inline int occurrences(const char *svg, const char *what)
{
    int count = 0;
    for (const char *s = svg; (s = strstr(s, what)) != NULL; s++)
        count++;
    return count;
}

/* The number behind a letter. sscanf would search for the end of megabytes each time. */
static inline int number_after(char letter, const char **s)
{
    char *end;
    require(**s == letter, *s);
    long value = strtol(*s + 1, &end, 10);
    require(end > *s + 1, *s);
    *s = end;
    return (int)value;
}

/* The rank of each cell of the board of that class, and -2 for cells that are not painted. Each cell is painted at most once,
   in its rank's colour. */
static inline int *painted(const char *svg, const char *class, int rows, int cols)
{
    int *rank = zeros((size_t)rows * (size_t)cols, sizeof *rank);
    for (int c = 0; c < rows * cols; c++)
        rank[c] = -2;
    const char *s = strstr(strstr(svg, class), "<g class=\"cells\""), *end = strstr(s, "</g>");
    while ((s = strstr(s, "<path fill=\"")) != NULL && s < end) {
        const char *colour = s + strlen("<path fill=\"");
        const char *title = strstr(s, "<title>rank ") + strlen("<title>rank");
        int i = 0, j = 0, q = number_after(' ', &title);
        require(strncmp(colour, rank_colour(q).hex, 7) == 0, colour);
        for (s = strstr(s, " d=\"") + strlen(" d=\""); *s == 'm'; s++) {
            j += number_after('m', &s);
            i += number_after(' ', &s);
            int run = number_after('h', &s);
            require(number_after('v', &s) == 1 && number_after('h', &s) == -run && *s == 'z', s);
            require(i >= 0 && i < rows && j >= 0 && run > 0 && j + run <= cols, s);
            for (int k = 0; k < run; k++) {
                require(rank[i * cols + j + k] == -2, s);
                rank[i * cols + j + k] = q;
            }
        }
        require(*s == '"', s);
    }
    return rank;
}

/* Every cell of the pattern and every stored tile has its owner's colour, and every rank its entry in the key. */
static inline void check_picture(const struct pattern *p, int mt, int nt, enum layout_algorithm algorithm, bool mirrored)
{
    enum layout_part part = algorithm == LAYOUT_CHOLESKY ? LAYOUT_LOWER : LAYOUT_FULL;
    struct layout *l = lay(p, mt, nt, part);
    char *svg = picture(p, mt, nt, algorithm, mirrored);
    check_xml(svg);
    ck_assert_int_eq(occurrences(svg, "<g class=\"bar\""), p->ranks);

    int *cells = painted(svg, "<g class=\"pattern\"", p->rows, p->cols);
    int *tiles = painted(svg, "<g class=\"matrix\"", mt, nt);
    for (int c = 0; c < p->rows * p->cols; c++)
        require(cells[c] == (p->cell[c] == LAYOUT_FREE ? -2 : p->cell[c]), "a cell of the pattern");
    for (int i = 0; i < mt; i++)
        for (int j = 0; j < nt; j++)
            require(tiles[mirrored ? j * nt + i : i * nt + j] == (layout_is_stored(l, i, j) ? layout_owner(l, i, j) : -2),
                    "a tile");
    free(cells);
    free(tiles);
    free(svg);
    layout_destroy(&l);
}

#endif
