/* --plot: the picture shows what the layout contains, and is XML. */
#include "src/page/plot_parts.h"
#include "src/page/format.h"
#include "tests/layouts/test_layouts.h"

#include <ctype.h>
#include <math.h>

static char *written(const struct plot *plot)
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

static int owner_in(const void *layout, int layer, int i, int j)
{
    const struct layout *l = layout;
    (void)layer;
    return layout_is_stored(l, i, j) ? layout_owner(l, i, j) : -1;
}

static int owner_mirrored(const void *layout, int layer, int i, int j)
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

static void show(struct shown *s, const struct pattern *p, const struct layout *l, bool cholesky, bool mirrored)
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
static char *picture(const struct pattern *pattern, int mt, int nt, enum layout_algorithm algorithm, bool mirrored)
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
static void require(bool condition, const char *s)
{
    if (!condition) ck_abort_msg("at %.40s", s);
}

/* ---- a small reader of XML --------------------------------------------------------------------------------------------- */

enum { DEPTH_MAX = 16, NAME_LENGTH = 16 };

static bool is_reference(const char *s)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strncmp(s, known[k], strlen(known[k])) == 0)
            return true;
    return false;
}

/* Elements close in reverse order, attributes have quotes, and texts contain no bare < or &. */
static void check_xml(const char *svg)
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

static int occurrences(const char *svg, const char *what)
{
    int count = 0;
    for (const char *s = svg; (s = strstr(s, what)) != NULL; s++)
        count++;
    return count;
}

/* The number behind a letter. sscanf would search for the end of megabytes each time. */
static int number_after(char letter, const char **s)
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
static int *painted(const char *svg, const char *class, int rows, int cols)
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

/* ---- tests ------------------------------------------------------------------------------------------------------------- */

/* Every cell of the pattern and every stored tile has its owner's colour, and every rank its entry in the key. */
static void check_picture(const struct pattern *p, int mt, int nt, enum layout_algorithm algorithm, bool mirrored)
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

START_TEST(shows_owners)
{
    for (int kind = 0; kind < 3; kind++) {
        struct pattern *p = any_pattern(kind, _i);
        check_picture(p, 30, 30, LAYOUT_LU, false);
        check_picture(p, 30, 30, LAYOUT_CHOLESKY, false);
        check_picture(p, 30, 30, LAYOUT_CHOLESKY, true);
        check_picture(p, 7, 40, LAYOUT_LU, false);
        pattern_destroy(&p);
    }
}
END_TEST

/* Free cells are grey and hatched in the pattern, and hatched over their owner's colour in the matrix, with an explanation. */
START_TEST(shows_free_cells)
{
    struct pattern *p = sbc_pattern(7);
    char *svg = picture(p, 60, 60, LAYOUT_CHOLESKY, false);
    check_picture(p, 60, 60, LAYOUT_CHOLESKY, false);
    check_picture(p, 60, 60, LAYOUT_CHOLESKY, true);
    const char *grey = strstr(svg, "<path class=\"free\"");
    ck_assert_ptr_nonnull(grey);
    char *end = strstr(grey, "/>");
    *end = '\0';
    ck_assert_int_eq(occurrences(strstr(grey, " d="), "M"), 7);
    *end = '/';
    ck_assert_ptr_nonnull(strstr(strstr(svg, "<g class=\"matrix\""), "<path class=\"hatch\""));
    ck_assert_ptr_nonnull(strstr(svg, ">free: each tile goes to"));
    free(svg);
    pattern_destroy(&p);

    p = make("g2dbc", 7);
    svg = picture(p, 60, 60, LAYOUT_CHOLESKY, false);
    ck_assert_ptr_null(strstr(svg, ">free: each tile goes to"));
    free(svg);
    pattern_destroy(&p);
}
END_TEST

/* Counts the tiles of device d on the board, from its shade: "Mx iHx+1v(run)Hxz". */
static void count_shaded(const char *svg, int d, const struct layout *l, double host, int *device)
{
    const char *s = strstr(svg, "<path class=\"device\"");
    for (; d > 1; d--)
        s = strstr(s + 1, "<path class=\"device\"");
    for (s = strstr(s, " d=\"") + 4; *s == 'M'; s = strchr(s, 'z') + 1) {
        double x, back;
        int i, right, run;
        require(sscanf(s, "M%lf %dH%dv%dH%lfz", &x, &i, &right, &run, &back) == 5 && x == back &&
                    fabs(x - (right - 1 + host)) < 1e-3,
                s);
        for (int k = i; k < i + run; k++)
            device[k * l->nt + right - 1]++;
    }
}

/* Every stored tile is shaded on its device, except for the host's columns. A rank's devices take turns at its tile columns. */
START_TEST(shows_devices)
{
    enum { DEVICES = 3, NT = 20 };
    bool mirrored = _i == 1;
    struct pattern *p = make("g2dbc", 5);
    struct layout *l = lay(p, NT, NT, _i == 2 ? LAYOUT_FULL : LAYOUT_LOWER);
    struct shown shown;
    struct plot *plot = &shown.plot;
    show(&shown, p, l, _i < 2, mirrored);
    plot->devices = DEVICES;
    plot->host_share = 0.25;
    char *svg = written(plot);
    int device[DEVICES + 1][NT * NT] = {{0}}, turn[5] = {0};
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "25.0 %"));
    ck_assert_int_eq(occurrences(svg, "<path class=\"device\""), DEVICES);
    ck_assert(mirrored == (strstr(svg, "<path class=\"device\" transform") != NULL));
    for (int d = 1; d <= DEVICES; d++)
        count_shaded(svg, d, l, plot->host_share, device[d]);
    for (int j = 0; j < NT; j++) {
        bool has[5] = {false};
        for (int i = 0; i < NT; i++) {
            int owner = layout_is_stored(l, i, j) ? layout_owner(l, i, j) : -1;
            if (owner >= 0) has[owner] = true;
            for (int d = 1; d <= DEVICES; d++)
                require(device[d][i * NT + j] == (owner >= 0 && turn[owner] % DEVICES + 1 == d), "a tile on a device");
        }
        for (int q = 0; q < 5; q++) turn[q] += has[q];
    }
    free(svg);
    plot->host_share = NAN;
    svg = written(plot);
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "a run measures"));
    free(svg);
    free(shown.share);
    layout_destroy(&l);
    pattern_destroy(&p);
}
END_TEST

/* Reads the precision of each tile on the board from its paths, "Mx yh(run)v1h-(run)z". The path for single comes first. */
static void count_narrow(const char *svg, int *precision, int nt)
{
    const char *s = svg;
    for (int p = 1; p <= 2; p++) {
        s = strstr(strstr(s, "<path class=\"narrow\""), " d=\"") + 4;
        for (; *s == 'M'; s++) {
            int j = number_after('M', &s), i = number_after(' ', &s), run = number_after('h', &s);
            require(number_after('v', &s) == 1 && number_after('h', &s) == -run && *s == 'z', s);
            for (int k = 0; k < run; k++)
                precision[i * nt + j + k] += p;
        }
    }
}

/* Tiles in narrower precisions are paler, and a line explains them. Without a map of precisions there is neither. */
START_TEST(shows_precisions)
{
    enum { MT = 9, NT = 12 };
    struct pattern *p = make("g2dbc", 5);
    struct layout *l = lay(p, MT, NT, LAYOUT_FULL);
    struct shown shown;
    int precisions[MT * NT], seen[MT * NT] = {0};
    show(&shown, p, l, false, false);
    for (int t = 0; t < MT * NT; t++)
        precisions[t] = (t * 7 + t / 5) % 4 - (t % 11 == 0 ? 3 : 0);
    for (int t = 0; t < MT * NT; t++)
        precisions[t] = precisions[t] > 2 ? 1 : precisions[t] < 0 ? -2 : precisions[t];
    char *svg = written(&shown.plot);
    ck_assert(strstr(svg, "narrow") == NULL);
    free(svg);
    shown.plot.precisions = precisions;
    svg = written(&shown.plot);
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, ">paler: in a narrower precision"));
    count_narrow(svg, seen, NT);
    for (int t = 0; t < MT * NT; t++)
        require(seen[t] == (precisions[t] > 0 ? precisions[t] : 0), "a precision");
    free(svg);
    free(shown.share);
    layout_destroy(&l);
    pattern_destroy(&p);
}
END_TEST

static int owner_in_layers(const void *layouts, int layer, int i, int j)
{
    return owner_in(((struct layout *const *)layouts)[layer], 0, i, j);
}

/* With copies each layer has its own boards, one after another, with its own ranks in their colours. The key has all ranks. */
START_TEST(shows_layers)
{
    enum { LAYERS = 3, NT = 20, RANKS = 5 };
    struct pattern *p[LAYERS];
    struct layout *l[LAYERS];
    ompfact_pattern pattern[LAYERS];
    ompfact_share share[LAYERS * RANKS] = {{0}};
    struct shown shown;
    for (int k = 0; k < LAYERS; k++) {
        p[k] = make(k == 1 ? "2dbc" : "g2dbc", RANKS);
        for (int c = 0; c < p[k]->rows * p[k]->cols; c++)
            p[k]->cell[c] += k * RANKS;
        p[k]->ranks = LAYERS * RANKS;
        l[k] = lay(p[k], NT, NT, LAYOUT_LOWER);
    }
    show(&shown, p[0], l[0], true, false);
    for (int k = 0; k < LAYERS; k++) {
        pattern[k] = shown.pattern;
        pattern[k].rows = p[k]->rows;
        pattern[k].cols = p[k]->cols;
        pattern[k].cell = p[k]->cell;
    }
    shown.plot.layers = LAYERS;
    shown.plot.pattern = pattern;
    shown.plot.share = share;
    shown.plot.owner = owner_in_layers;
    shown.plot.context = l;
    char *svg = written(&shown.plot), *from = svg;
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "3 copies"));
    ck_assert_int_eq(occurrences(svg, "<g class=\"bar\""), LAYERS * RANKS);
    for (int k = 0; k < LAYERS; k++) {
        char heading[32];
        snprintf(heading, sizeof heading, ">Pattern of layer %d, ", k);
        from = strstr(from, heading);
        ck_assert_ptr_nonnull(from);
        int *cells = painted(from, "<g class=\"pattern\"", p[k]->rows, p[k]->cols);
        int *tiles = painted(from, "<g class=\"matrix\"", NT, NT);
        for (int c = 0; c < p[k]->rows * p[k]->cols; c++)
            require(cells[c] == p[k]->cell[c], "a cell of a layer's pattern");
        for (int c = 0; c < NT * NT; c++)
            require(tiles[c] == (c / NT >= c % NT ? layout_owner(l[k], c / NT, c % NT) : -2), "a tile of a layer");
        free(cells);
        free(tiles);
        layout_destroy(&l[k]);
        pattern_destroy(&p[k]);
    }
    free(svg);
    free(shown.share);
}
END_TEST

/* The numbers are the layout's, and flops_max_over_mean follows from the work of the ranks. */
START_TEST(shows_numbers)
{
    struct pattern *p = make("g2dbc", 23);
    struct layout *l = lay(p, 60, 60, LAYOUT_FULL);
    struct layout_summary summary;
    int64_t work[23], most = 0, total = 0;
    char expected[64], number[FORMAT_TEXT], *svg = picture(p, 60, 60, LAYOUT_LU, false);
    ck_assert_int_eq(layout_summarise(l, LAYOUT_LU, &summary), 0);
    layout_work_of_ranks(l, LAYOUT_LU, work);
    for (int rank = 0; rank < 23; rank++) {
        most = work[rank] > most ? work[rank] : most;
        total += work[rank];
    }
    ck_assert_double_eq_tol((double)most * 23 / (double)total, summary.flops_max_over_mean, 1e-12);
    for (int rank = 0; rank < 23; rank++) {
        snprintf(expected, sizeof expected, ">%.3f</text>", (double)work[rank] * 23 / (double)total);
        ck_assert_msg(strstr(svg, expected) != NULL, "no %s", expected);
    }
    snprintf(expected, sizeof expected, ">%s</text>", format_count((double)summary.transfers, number));
    ck_assert_msg(strstr(svg, expected) != NULL, "no %s", expected);
    snprintf(expected, sizeof expected, ">%.3f</text>", pattern_cost_lu(p));
    ck_assert_msg(strstr(svg, expected) != NULL, "no %s", expected);
    free(svg);
    layout_destroy(&l);
    pattern_destroy(&p);
}
END_TEST

/* A picture with very many tiles, cells and ranks has the usual size, and a matrix without a tile has a picture, too. */
START_TEST(fits)
{
    struct pattern *p = make("g2dbc", 64);
    char *svg = picture(p, 100, 100, LAYOUT_LU, false);
    ck_assert_uint_lt(strlen(svg), 500000);
    free(svg);
    check_picture(p, 600, 600, LAYOUT_CHOLESKY, false);
    svg = picture(p, 700, 2000, LAYOUT_LU, false);
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "Matrix, 700 × 2000; the leading 600 × 600 are shown"));
    free(svg);
    svg = picture(p, 0, 0, LAYOUT_LU, false);
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "Matrix without a tile"));
    free(svg);
    pattern_destroy(&p);

    p = make("2dbc", 256);
    check_picture(p, 6, 6, LAYOUT_CHOLESKY, false);
    pattern_destroy(&p);
    p = make("2dbc", 5000);
    svg = picture(p, 20, 20, LAYOUT_LU, false);
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "; the first 3000 ranks"));
    free(svg);
    pattern_destroy(&p);
}
END_TEST

/* The picture is XML for any name of a map file: characters that XML forbids become U+FFFD. */
START_TEST(odd_names)
{
    static const struct { const char *name, *shown; } names[] = {
        {"a<b>&\"c\"", "layout a&lt;b&gt;&amp;&quot;c&quot;<"},
        {"\x01\x1b[2J", "layout \ufffd\ufffd[2J<"},
        {"\u00e9\u20ac\U0001f600", "layout \u00e9\u20ac\U0001f600<"},
        {"\xff\xc3(\xe2\x82", "layout \ufffd\ufffd(\ufffd\ufffd<"},
        {"\xc0\xaf\xed\xa0\x80\xef\xbf\xbf", "layout \ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd<"},
        {"\xf4\x90\x80\x80", "layout \ufffd\ufffd\ufffd\ufffd<"},
    };
    struct pattern *p = make("2dbc", 4);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        strcpy(p->name, names[k].name);
        char *svg = picture(p, 3, 3, LAYOUT_LU, false);
        check_xml(svg);
        ck_assert_msg(strstr(svg, names[k].shown) != NULL, "name %zu", k);
        free(svg);
    }
    pattern_destroy(&p);
}
END_TEST

/* 1000 ranks have different colours. */
START_TEST(colours_differ)
{
    static struct rank_colour colour[1000];
    for (int a = 0; a < 1000; a++)
        colour[a] = rank_colour(a);
    for (int a = 0; a < 1000; a++)
        for (int b = 0; b < a; b++)
            require(strcmp(colour[a].hex, colour[b].hex) != 0, colour[a].hex);
}
END_TEST

static Suite *plot_suite(void)
{
    Suite *suite = suite_create("plot");
    TCase *tests = tcase_create("plot");
    tcase_add_loop_test(tests, shows_owners, 1, 25);
    tcase_add_test(tests, shows_free_cells);
    tcase_add_test(tests, shows_layers);
    tcase_add_loop_test(tests, shows_devices, 0, 3);
    tcase_add_test(tests, shows_precisions);
    tcase_add_test(tests, shows_numbers);
    tcase_add_test(tests, fits);
    tcase_add_test(tests, odd_names);
    tcase_add_test(tests, colours_differ);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(plot_suite());
}
