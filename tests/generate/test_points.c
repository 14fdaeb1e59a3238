/* Points: read from files of several kinds, and sorted so that neighbours stay together. */
#include "src/generate/points.h"
#include "tests/io/test_io.h"

#include <math.h>

/* ---- files ---------------------------------------------------------------------------------------------------------------- */

/* Coordinate d of point i in the files: whole numbers, which all types represent. */
static double coordinate(int i, int d)
{
    return (7 * i + 3 * d) % 11 + 40 * d;
}

static void store(const char *descr, double x, char *to)
{
    const int64_t whole = (int64_t)x;
    const bool is_real = descr[1] == 'f';
    const float single = (float)x;
    const size_t size = (size_t)(descr[2] - '0');
    memcpy(to, is_real && size == 4 ? (const void *)&single : is_real ? (const void *)&x : (const void *)&whole, size);
}

static void write_npy(const char *descr, bool fortran, const char *shape, const void *data, size_t size, char path[128])
{
    enum { HEAD = 128 };
    char bytes[HEAD + 4096];
    const int length = snprintf(bytes, HEAD, "\x93NUMPY\x01%c%c%c{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", 0,
                                HEAD - 10, 0, descr, fortran ? "True" : "False", shape);
    memset(bytes + length, ' ', (size_t)(HEAD - 1 - length));
    bytes[HEAD - 1] = '\n';
    memcpy(bytes + HEAD, data, size);
    write_file("points.npy", bytes, HEAD + size, path);
}

static void write_points(const char *descr, int rows, int cols, bool fortran, char path[128])
{
    const size_t size = (size_t)(descr[2] - '0');
    char data[4096], shape[32];
    snprintf(shape, sizeof shape, "%d, %d", rows, cols);
    for (int i = 0; i < rows; i++)
        for (int d = 0; d < cols; d++)
            store(descr, coordinate(i, d), data + size * (size_t)(fortran ? d * rows + i : i * cols + d));
    write_npy(descr, fortran, shape, data, size * (size_t)(rows * cols), path);
}

static void write_doubles(int rows, const double *x, char path[128])
{
    char shape[32];
    snprintf(shape, sizeof shape, "%d, 2", rows);
    write_npy("<f8", false, shape, x, (size_t)rows * 2 * sizeof *x, path);
}

/* Points of every real type, in both storage orders and in two and three dimensions, are those of the file, in another order. */
START_TEST(points_files)
{
    static const char *const descr[] = { "<f8", "<f4", "<i8", "<i4", "<i2", "|i1", "<u4", "|u1" };
    enum { N = 37 };
    char path[128], text[IO_TEXT];
    for (size_t k = 0; k < 4 * sizeof descr / sizeof *descr; k++) {
        struct points p;
        const int dims = 2 + (k & 1);
        write_points(descr[k / 4], N, dims, k & 2, path);
        ck_assert_msg(points_read(path, NULL, &p, text) == 0, "%s", text);
        ck_assert(p.count == N && p.dims == dims && (p.x[2] != NULL) == (dims == 3));
        for (int i = 0; i < N; i++)
            for (int d = 0; d < dims; d++)
                ck_assert(p.origin[p.place[i]] == i && p.x[d][p.place[i]] == coordinate(i, d));
        points_forget(&p);
    }
}
END_TEST

static void refuses(const char *path, const char *what)
{
    char text[IO_TEXT];
    struct points p;
    ck_assert_int_ne(points_read(path, NULL, &p, text), 0);
    says(text, path, what);
    points_forget(&p);
}

/* A file that is no list of points is refused in one line with its name. */
START_TEST(points_refusals)
{
    char path[128];
    static const double four[] = { 1, 2, 3, 4 };
    refuses("/nonexistent/p.npy", "cannot be opened");
    write_npy("<f8", false, "4,", four, sizeof four, path);
    refuses(path, "it is 4 x 1; points have 2 or 3 columns");
    write_npy("<c16", false, "1, 2", four, sizeof four, path);
    refuses(path, "points are real numbers, and these are complex");
    write_points("<f8", 5, 4, false, path);
    refuses(path, "it is 5 x 4; points have 2 or 3 columns");
    write_doubles(3, (double[]){ 1, 2, 3, NAN, INFINITY, 6 }, path);
    refuses(path, "row 2, column 2 is NaN (counted from 1)");
    write_doubles(3, (double[]){ 1, 2, 3, 4, -INFINITY, 6 }, path);
    refuses(path, "row 3, column 1 is infinity (counted from 1)");
}
END_TEST

/* ---- Morton order --------------------------------------------------------------------------------------------------------- */

static struct points made(int count, uint64_t seed)
{
    char text[IO_TEXT];
    struct points p;
    ck_assert_msg(points_make(count, seed, NULL, &p, text) == 0, "%s", text);
    return p;
}

/* The cell of a point if each side of the bounding box is cut into 2^level parts. */
static int cell_of(const struct points *p, int level, int64_t k)
{
    int cell = 0;
    for (int d = 0; d < p->dims; d++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < p->count; i++) {
            low = fmin(low, p->x[d][i]);
            high = fmax(high, p->x[d][i]);
        }
        cell = cell << level | (int)fmin(ldexp((p->x[d][k] - low) / (high - low), level), (1 << level) - 1);
    }
    return cell;
}

/* Points of one cell of the bounding box are adjacent in the order, for any box and for cells of every size. */
static void keeps_cells_together(const struct points *p)
{
    for (int level = 1; level <= 3; level++) {
        bool seen[1 << 9] = { false };
        for (int64_t k = 0, last = -1; k < p->count; k++) {
            const int cell = cell_of(p, level, k);
            ck_assert_msg(cell == last || !seen[cell], "point %d of level %d comes back to a cell", (int)k, level);
            seen[cell] = true;
            last = cell;
        }
    }
}

START_TEST(points_order)
{
    struct points p = made(500, 3), q;
    char path[128], text[IO_TEXT];
    double x[2 * 28];
    keeps_cells_together(&p);
    points_forget(&p);
    for (int i = 0; i < 28; i++) {          /* a long box */
        x[2 * i] = 1e6 * (i * 11 % 28);
        x[2 * i + 1] = -1e-3 * (i * i % 29);
    }
    write_doubles(28, x, path);
    ck_assert_msg(points_read(path, NULL, &q, text) == 0, "%s", text);
    keeps_cells_together(&q);
    points_forget(&q);
    write_points("<f8", 100, 3, true, path);
    ck_assert_msg(points_read(path, NULL, &q, text) == 0, "%s", text);
    keeps_cells_together(&q);
    points_forget(&q);
}
END_TEST

/* Points at one place keep the file's order; a box may have no height; coordinates may be as large as the largest numbers. */
START_TEST(points_corners)
{
    static const double flat[] = { 3, 5, 1, 5, 3, 5, 2, 5, 3, 5 }, large[] = { 1.7e308, 0, -1.7e308, 1, 1e308, 0 };
    static const int64_t order[] = { 1, 3, 0, 2, 4 };
    char path[128], text[IO_TEXT];
    struct points p;
    write_doubles(5, flat, path);
    ck_assert_msg(points_read(path, NULL, &p, text) == 0, "%s", text);
    ck_assert_mem_eq(p.origin, order, sizeof order);
    points_forget(&p);
    write_doubles(3, large, path);
    ck_assert_msg(points_read(path, NULL, &p, text) == 0, "%s", text);
    ck_assert(p.x[0][p.place[1]] == -1.7e308 && labs((long)(p.place[0] - p.place[2])) == 1);    /* the two at one end are
                                                                                                   adjacent */
    points_forget(&p);
    for (int count = 0; count < 3; count++) {
        p = made(count, 1);
        ck_assert_int_eq(p.count, count);
        points_forget(&p);
    }
}
END_TEST

/* The points of a batch keep their places when others are added, in a file or random ones. Other points in a batch, or fewer, are
   refused. */
START_TEST(points_batches)
{
    int64_t ends[] = { 10, 10, 31 };
    struct batches before = { 3, ends, 0 }, first = { 1, ends, 0 }, nothing = { 0 };
    char path[128], text[IO_TEXT];
    struct points few, some, all;
    write_points("<f8", 31, 3, true, path);
    ck_assert_msg(points_read(path, &nothing, &some, text) == 0, "%s", text);
    points_forget(&some);
    ck_assert_int_ne(points_read(path, &first, &some, text), 0);      /* the digest differs */
    ck_assert_msg(strstr(text, "first 10 points") != NULL, "%s", text);
    points_forget(&some);
    ck_assert_msg(points_make(10, 5, &nothing, &few, text) == 0, "%s", text);
    ck_assert_msg(points_make(31, 5, &first, &some, text) == 0, "%s", text);
    ck_assert_msg(points_make(60, 5, &before, &all, text) == 0, "%s", text);
    for (int64_t k = 0; k < 60; k++) {
        ck_assert(k >= 10 || (few.origin[k] == some.origin[k] && few.x[0][k] == some.x[0][k] && few.x[1][k] == some.x[1][k]));
        ck_assert(k >= 31 || (some.origin[k] == all.origin[k] && some.x[0][k] == all.x[0][k]));
        ck_assert(all.place[all.origin[k]] == k && (all.origin[k] < 31) == (k < 31));
    }
    ck_assert(points_digest(&few, 10) == points_digest(&all, 10) && points_digest(&some, 31) == points_digest(&all, 31));
    ck_assert(points_digest(&all, 31) != points_digest(&all, 32));
    ck_assert_int_ne(points_make(30, 5, &before, &few, text), 0);
    points_forget(&few);
    points_forget(&some);
    points_forget(&all);
}
END_TEST

/* Random points lie evenly in the unit square, and the first ones are the same for every number of points. */
START_TEST(points_made)
{
    enum { MANY = 10000, FEW = 100 };
    struct points many = made(MANY, 7), few = made(FEW, 7), other = made(FEW, 8);
    for (int d = 0; d < 2; d++) {
        double sum = 0;
        int same = 0;
        for (int k = 0; k < MANY; k++) {
            ck_assert(many.x[d][k] > 0 && many.x[d][k] < 1);
            sum += many.x[d][k];
        }
        ck_assert_double_lt(fabs(sum / MANY - .5), 5 * sqrt(1. / 12 / MANY));
        for (int i = 0; i < FEW; i++) {
            ck_assert(many.x[d][many.place[i]] == few.x[d][few.place[i]]);
            same += few.x[d][few.place[i]] == other.x[d][other.place[i]];
        }
        ck_assert_int_eq(same, 0);
    }
    points_forget(&many);
    points_forget(&few);
    points_forget(&other);
}
END_TEST

static Suite *points_suite(void)
{
    Suite *suite = suite_create("points");
    TCase *tests = tcase_create("points");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, points_files);
    tcase_add_test(tests, points_refusals);
    tcase_add_test(tests, points_order);
    tcase_add_test(tests, points_corners);
    tcase_add_test(tests, points_batches);
    tcase_add_test(tests, points_made);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(points_suite());
}
