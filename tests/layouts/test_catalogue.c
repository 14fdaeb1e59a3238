/* The catalogue of symmetric patterns: its text, and each of its patterns by counting cells. */
#include "layouts/designs/catalogue.h"
#include "tests/layouts/test_layouts.h"
#include "layouts/builders.h"

enum { CATALOGUE_RANKS = 256 };     /* every number of ranks from 2 to this one has an entry */

/* ---- the text ------------------------------------------------------------------------------------------------------- */

/* A header, parsed without the library. */
struct header {
    int ranks, points, members, group, fixed_points, fixed_ranks;
};

static const char *next_line(const char *line)
{
    return strchr(line, '\n') + 1;
}

static int read_header(const char *line, struct header *h)
{
    int end = 0;
    sscanf(line, "P %d r %d members %d group %d fixed %d %d by %n", &h->ranks, &h->points, &h->members, &h->group,
           &h->fixed_points, &h->fixed_ranks, &end);
    return end > 0 && line[end] != '\n' && line[end] != '\0';
}

/* Distinct points with one space between them. Returns the number of members of the whole orbit; -1 for anything else. */
static int orbit_members(const char *line, const struct header *h, int is_fixed)
{
    char *seen = zeros((size_t)h->points, 1);
    int members = 0, end = 0, well = 1;
    do {
        int point = -1;
        well = *line >= '0' && *line <= '9' && sscanf(line, "%d%n", &point, &end) == 1 && point < h->points && !seen[point];
        if (!well)
            break;
        seen[point] = 1;
        members += is_fixed && point >= h->points - h->fixed_points ? 1 : h->group;
        line += end;
    } while (*line++ == ' ');
    free(seen);
    return well && line[-1] == '\n' ? members : -1;
}

/* Every entry has a header, the blocks of its group and fixed ranks, the announced number of members, and an empty line before
   it. */
START_TEST(text_is_well_formed)
{
    const char *line = next_line(layout_catalogue_text);
    ck_assert_int_eq(strncmp(layout_catalogue_text, "ompfact catalogue", strlen("ompfact catalogue")), 0);
    while (*line != '\0') {
        struct header h = { 0 };
        ck_assert_msg(*line == '\n', "an entry ends with: %.60s", line);
        line = next_line(line);
        ck_assert_msg(read_header(line, &h), "not a header: %.60s", line);
        ck_assert_msg(h.group >= 1 && h.fixed_points >= 0 && h.fixed_ranks >= 0 && h.fixed_ranks <= h.ranks, "%.60s", line);
        ck_assert_int_eq((h.points - h.fixed_points) % h.group, 0);
        ck_assert_int_eq((h.ranks - h.fixed_ranks) % h.group, 0);

        int orbits = (h.ranks - h.fixed_ranks) / h.group, members = 0;
        for (int block = 0; block < orbits + h.fixed_ranks; block++) {
            line = next_line(line);
            int here = orbit_members(line, &h, block >= orbits);
            ck_assert_msg(here > 0, "P=%d r=%d: not a block: %.60s", h.ranks, h.points, line);
            members += here;
        }
        ck_assert_int_eq(members, h.members);
        line = next_line(line);
    }
}
END_TEST

/* Entries are sorted by ranks, then by size, and the larger pattern costs less; no number of ranks is missing. */
START_TEST(text_is_sorted)
{
    struct header last = { .ranks = 1, .points = 1, .members = 1 }, h;
    for (const char *line = layout_catalogue_text; *line != '\0'; line = next_line(line)) {
        if (!read_header(line, &h))
            continue;
        ck_assert_msg(h.ranks == last.ranks || h.ranks == last.ranks + 1, "P=%d follows P=%d", h.ranks, last.ranks);
        ck_assert_msg(h.ranks > last.ranks || h.points > last.points, "P=%d: r=%d follows r=%d", h.ranks, h.points, last.points);
        ck_assert_msg(h.ranks > last.ranks || (int64_t)h.members * last.points < (int64_t)last.members * h.points,
                      "P=%d: r=%d costs no less than r=%d", h.ranks, h.points, last.points);
        last = h;
    }
    ck_assert_int_ge(last.ranks, CATALOGUE_RANKS);
}
END_TEST

/* ---- patterns ------------------------------------------------------------------------------------------------------- */

/* A pattern is valid: every cell off the diagonal has a rank, each rank has a cell and at most its share, and T is as
   announced. */
static void check_entry(const struct catalogue_entry *e)
{
    struct pattern *p = pattern_design(e->ranks, e->points);
    ck_assert_msg(p != NULL, "P=%d r=%d cannot be built", e->ranks, e->points);
    ck_assert(p->ranks == e->ranks && p->rows == e->points && p->cols == e->points);
    check_shares(p);
    ck_assert_int_eq(pattern_is_balanced(p), 1);
    double cost = pattern_cost_cholesky(p);
    ck_assert_double_eq_tol(cost, (double)e->members / e->points, 1e-9);
    ck_assert_double_eq_tol(cost, ranks_per_colrow(p), 1e-9);
    ck_assert_double_ge(cost, pattern_bound_cholesky(e->ranks, e->points) - 1e-9);
    char name[32];
    snprintf(name, sizeof name, "design:r=%d", e->points);
    ck_assert_str_eq(p->name, name);
    pattern_destroy(&p);
}

/* Every entry's pattern is valid and costs what its header announces, no less than the bound. */
START_TEST(entries_are_valid)
{
    struct catalogue_entry e;
    int entries = 0;
    for (const char *text_at = layout_catalogue_text; (text_at = catalogue_next(text_at, _i, &e)); entries++) {
        ck_assert_int_eq(e.ranks, _i);
        check_entry(&e);
    }
    ck_assert_int_gt(entries, 0);
}
END_TEST

/* The best entry of every number of ranks costs less than sqrt(3 P / 2), the mean cost of GCR&M. */
START_TEST(all_are_cheap)
{
    for (int ranks = 2; ranks <= CATALOGUE_RANKS; ranks++) {
        struct catalogue_entry e;
        double least = HUGE_VAL;
        for (const char *text_at = layout_catalogue_text; (text_at = catalogue_next(text_at, ranks, &e));)
            least = fmin(least, (double)e.members / e.points);
        ck_assert_msg(least < sqrt(1.5 * ranks), "%d ranks: T = %.4f, not below %.4f", ranks, least, sqrt(1.5 * ranks));
    }
}
END_TEST

/* The listed sizes are the entries', and "design" alone is the one of least cost; other sizes are refused with this list. */
START_TEST(sizes_and_best)
{
    for (int ranks = 2; ranks <= CATALOGUE_RANKS; ranks += 9) {
        int sizes[DESIGN_SIZES], count = design_sizes(ranks, sizes);
        struct pattern *best = make("design", ranks), *other;
        ck_assert_int_eq(best->rows, sizes[count - 1]);     /* costs fall with the size */
        char scheme[32], last[16];
        snprintf(scheme, sizeof scheme, "design:r=%d", sizes[count - 1] + 1);
        snprintf(last, sizeof last, "%d", sizes[count - 1]);
        ck_assert_int_eq(pattern_create(scheme, ranks, &other, text), 1);
        ck_assert_ptr_null(other);
        ck_assert_msg(strstr(text, last) != NULL, "%s", text);
        pattern_destroy(&best);
    }
}
END_TEST

/* A design is valid for any number of ranks, in the catalogue and beyond it. */
START_TEST(any_number_of_ranks)
{
    int ranks = _i * 46 + 1;
    struct pattern *p = make("design", ranks);
    check_shares(p);
    ck_assert_int_eq(pattern_is_balanced(p), 1);
    ck_assert_double_ge(pattern_cost_cholesky(p), pattern_bound_cholesky(ranks, p->rows) - 1e-9);
    ck_assert_double_le(pattern_cost_cholesky(p), 1.5 * sqrt(ranks) + 1);
    pattern_destroy(&p);
}
END_TEST

/* If a projective plane has exactly this number of points, or an affine plane lines, the design is that plane: T = q + 1. */
START_TEST(planes_past_the_catalogue)
{
    static const int orders[] = { 16, 19, 23 };
    int q = orders[_i];
    for (int affine = 0; affine < 2; affine++) {
        struct pattern *p = make("design", q * q + q + !affine);
        check_shares(p);
        ck_assert_int_eq(pattern_is_balanced(p), 1);
        ck_assert_double_eq_tol(pattern_cost_cholesky(p), q + 1, 1e-9);
        pattern_destroy(&p);
    }
}
END_TEST

static Suite *catalogue_suite(void)
{
    Suite *suite = suite_create("catalogue");
    TCase *tests = tcase_create("catalogue");
    tcase_add_test(tests, text_is_well_formed);
    tcase_add_test(tests, text_is_sorted);
    tcase_add_loop_test(tests, entries_are_valid, 2, CATALOGUE_RANKS + 1);
    tcase_add_test(tests, all_are_cheap);
    tcase_add_test(tests, sizes_and_best);
    tcase_add_loop_test(tests, any_number_of_ranks, 0, 14);
    tcase_add_loop_test(tests, planes_past_the_catalogue, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(catalogue_suite());
}
