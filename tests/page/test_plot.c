/* --plot: the picture has the owners, devices, precisions and layers of the layout, and is XML. */
#include "tests/page/pictures.h"

#include <math.h>

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

static Suite *plot_suite(void)
{
    Suite *suite = suite_create("plot");
    TCase *tests = tcase_create("plot");
    tcase_add_loop_test(tests, shows_owners, 1, 25);
    tcase_add_test(tests, shows_free_cells);
    tcase_add_test(tests, shows_layers);
    tcase_add_loop_test(tests, shows_devices, 0, 3);
    tcase_add_test(tests, shows_precisions);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(plot_suite());
}
