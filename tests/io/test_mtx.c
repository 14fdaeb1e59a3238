/* Matrix Market files: every format expands to the right matrix, errors are refused with their line, numbers are exact. */
#include "src/io/io.h"
#include "src/io/mtx.h"
#include "tests/io/test_io.h"

#include <float.h>
#include <math.h>

struct dense {
    int64_t rows, cols, calls;
    double re[ROWS * COLS], im[ROWS * COLS];
};

static void collect(void *context, int64_t i, int64_t j, double re, double im)
{
    struct dense *a = context;
    ck_assert(i >= 0 && i < a->rows && j >= 0 && j < a->cols);
    a->re[i * a->cols + j] = re;
    a->im[i * a->cols + j] = im;
    a->calls++;
}

static void read_mtx(const struct mtx *mtx, struct dense *a)
{
    char text[IO_TEXT];
    *a = (struct dense){.rows = mtx->rows, .cols = mtx->cols};
    ck_assert_msg(mtx_each(mtx, collect, a, text) == 0, "%s", text);
}

/* Every format, field and symmetry expands to the right dense matrix, in any spelling, and a second time. */
START_TEST(mtx_expansions)
{
    static const struct {
        const char *file;
        char type;
        int rows, cols, calls;
        double re[9], im[9];
    } good[] = {
        { "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n2 3 -2e3\n1 2 .25\n", 'd', 2, 3, 3,
          { 1.5, .25, 0, 0, 0, -2000 }, { 0 } },
        { "%%matrixmarket MATRIX Coordinate REAL General\r\n% c\r\n\r\n2 3 3\r\n1 1 1.5\r\n\r\n%x\r\n 2\t3  -2D+3 \r\n1 2 +.25",
          'd', 2, 3, 3, { 1.5, .25, 0, 0, 0, -2000 }, { 0 } },
        { "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 7\n2 1 -3\n", 'd', 2, 2, 3, { 7, -3, -3, 0 }, { 0 } },
        { "%%MatrixMarket matrix coordinate complex symmetric\n2 2 2\n1 1 1 2\n2 1 3 4\n", 'z', 2, 2, 3, { 1, 3, 3, 0 },
          { 2, 4, 4, 0 } },
        { "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 4\n", 'z', 2, 2, 3, { 1, 3, 3, 0 },
          { 0, -4, 4, 0 } },
        { "%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 3 4\n", 'z', 2, 2, 2, { 0, -3, 3, 0 },
          { 0, -4, 4, 0 } },
        { "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", 'd', 2, 2, 2, { 0, -3, 3, 0 }, { 0 } },
        { "%%MatrixMarket matrix coordinate real general\n2 2 0\n% nothing\n", 'd', 2, 2, 0, { 0 }, { 0 } },
        { "%%MatrixMarket matrix array real general\n% c\n2 3\n1\n2\n3\n4\n5\n6\n\n", 'd', 2, 3, 6, { 1, 3, 5, 2, 4, 6 }, { 0 } },
        { "%%MatrixMarket matrix array complex general\n1 2\n1 2\n3 -inf\n", 'z', 1, 2, 2, { 1, 3 }, { 2, -INFINITY } },
        { "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 'd', 3, 3, 9, { 1, 2, 3, 2, 4, 5, 3, 5, 6 },
          { 0 } },
        { "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n", 'z', 2, 2, 4, { 1, 2, 2, 4 }, { 0, -3, 3, 0 } },
        { "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", 'd', 3, 3, 6, { 0, -1, -2, 1, 0, -3, 2, 3, 0 },
          { 0 } },
        { "%%MatrixMarket matrix coordinate integer hermitian\n2 2 2\n1 1 7\n2 1 -3\n", 'd', 2, 2, 3, { 7, -3, -3, 0 }, { 0 } },
        { "\xEF\xBB\xBF%%MatrixMarket matrix array double general\n1 1\n2.5\n", 'd', 1, 1, 1, { 2.5 }, { 0 } },
        { "%%MatrixMarket matrix array unsigned-integer general\n1 1\n2\n", 'd', 1, 1, 1, { 2 }, { 0 } },
        { "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n1 2 3 -4\n", 'z', 2, 2, 3, { 1, 3, 3, 0 },
          { 0, -4, 4, 0 } },
        { "%%MatrixMarket matrix array real skew-symmetric\n1 1\n", 'd', 1, 1, 0, { 0 }, { 0 } },
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        char path[128], text[IO_TEXT];
        struct mtx mtx;
        struct dense a;
        write_file("good.mtx", good[k].file, strlen(good[k].file), path);
        ck_assert_msg(mtx_open(path, &mtx, text) == 0, "%s", text);
        ck_assert(mtx.type == good[k].type && mtx.rows == good[k].rows && mtx.cols == good[k].cols);
        for (int pass = 0; pass < 2; pass++) {
            read_mtx(&mtx, &a);
            ck_assert_int_eq(a.calls, good[k].calls);
            for (int64_t e = 0; e < a.rows * a.cols; e++)
                ck_assert_msg(a.re[e] == good[k].re[e] && a.im[e] == good[k].im[e], "file %zu, entry %d", k, (int)e);
        }
        mtx_close(&mtx);
    }
}
END_TEST

/* A file whose symmetry contradicts a Hermitian, or a symmetric, matrix is recognised. */
START_TEST(mtx_symmetries)
{
    static const struct {
        const char *says, *to_hermitian, *to_symmetric;
    } known[] = {
        { "real general", NULL, NULL }, { "complex general", NULL, NULL },
        { "real symmetric", NULL, NULL }, { "complex symmetric", "symmetric", NULL },
        { "real hermitian", NULL, NULL }, { "complex hermitian", NULL, "hermitian" },
        { "integer skew-symmetric", "skew-symmetric", "skew-symmetric" },
        { "complex skew-symmetric", "skew-symmetric", "skew-symmetric" },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char bytes[100], path[128], text[IO_TEXT];
        snprintf(bytes, sizeof bytes, "%%%%MatrixMarket matrix coordinate %s\n2 2 0\n", known[k].says);
        write_file("kind.mtx", bytes, strlen(bytes), path);
        struct mtx mtx;
        ck_assert_msg(mtx_open(path, &mtx, text) == 0, "%s", text);
        for (int hermitian = 0; hermitian < 2; hermitian++) {
            const char *other = mtx_other_symmetry(&mtx, hermitian);
            const char *expected = hermitian ? known[k].to_hermitian : known[k].to_symmetric;
            ck_assert(other == NULL ? expected == NULL : expected != NULL && strcmp(other, expected) == 0);
        }
        mtx_close(&mtx);
    }
}
END_TEST

static void ignore(void *context, int64_t i, int64_t j, double re, double im)
{
    (void)context, (void)i, (void)j, (void)re, (void)im;
}

#define REAL "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

/* Each error in a Matrix Market file is refused with the file's name, the line and the reason. */
START_TEST(mtx_refusals)
{
    static const struct {
        const char *file, *what;
    } bad[] = {
        {"hello\n", "line 1: this is not a Matrix Market file"},
        {"%%MatrixMarket vector coordinate real general\n", "line 1: object 'vector'"},
        {"%%MatrixMarket matrix sparse real general\n", "line 1: format 'sparse'"},
        {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n", "line 1: field 'pattern' has no values"},
        {"%%MatrixMarket matrix coordinate octonion general\n", "line 1: field 'octonion' is not known; known: real, complex"},
        {"%%MatrixMarket matrix coordinate real orthogonal\n", "line 1: symmetry 'orthogonal'"},
        {"%%MatrixMarket matrix coordinate real\n2 2 1\n", "line 1: symmetry ''"},
        {"%%MatrixMarket matrix coordinate real general x\n", "line 1: 'x' is too much"},
        {REAL "% c\n\n", "line 4: the file ends before"},
        {REAL "2 2\n1 1 1\n", "line 2: a number of entries is missing"},
        {REAL "2 two 1\n", "line 2: 'two' is not a number of columns"},
        {REAL "2 -2 1\n", "line 2: '-2' is not"},
        {REAL "9223372036854775808 2 1\n", "line 2: '9223372036854775808' is not"},
        {ARRAY "9223372036854775807 2\n", "too large"},
        {SYMMETRIC "% c\n2 3 1\n1 1 1\n", "line 3: 2 x 3 is not square"},
        {REAL "3 3 2\n1 1 1.0\n9 9 1.0\n", "line 4: entry (9, 9) lies outside the 3 x 3"},
        {REAL "3 3 1\n0 1 1.0\n", "line 3: entry (0, 1) lies outside"},
        {REAL "3 3 1\n1 4 1.0\n", "line 3: entry (1, 4) lies outside"},
        {REAL "3 3 3\n1 1 1\n\n% c\n2 2 2\n", "line 7: the file ends after 2 of 3"},
        {REAL "3 3 1\n1 1 1\n2 2 2\n", "line 4: there are more than the 1"},
        {REAL "3 3 1\n1 1 1.x\n", "line 3: '1.x' is not a number"},
        {REAL "3 3 1\n1 1 0x10\n", "line 3: '0x10' is not a number"},
        {REAL "3 3 1\n1 1 -\n", "line 3: '-' is not a number"},
        {REAL "3 3 1\n1 1 1.2.3\n", "line 3: '1.2.3' is not a number"},
        {REAL "3 3 1\n1 1 1 1\n", "line 3: '1' is too much"},
        {REAL "3 3 1\n1 1\n", "line 3: a value is missing"},
        {REAL "3 3 1\n1 1.0 1\n", "line 3: '1.0' is not a column number"},
        {REAL "3 3 1\n1\n", "line 3: a column number is missing"},
        {SYMMETRIC "3 3 2\n2 1 1\n1 2 1\n", "line 4: entry (1, 2) lies on the other side of the diagonal"},
        {"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n2\n3\n", "more than the 3 values of a triangle"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n", "line 3: entry (2, 2) lies on the diagonal"},
        {"%%MatrixMarket matrix coordinate complex hermitian\n3 3 1\n2 2 1 1\n", "line 3: diagonal entry (2, 2)"},
        {"%%MatrixMarket matrix coordinate integer general\n3 3 1\n2 2 1.5\n", "line 3: '1.5' is not an integer"},
        {"%%MatrixMarket matrix coordinate complex general\n3 3 1\n2 2 1.5\n", "line 3: a value is missing"},
        {ARRAY "2 2\n1\n2\n3\n", "line 6: the file ends after 3 of 4"},
        {ARRAY "1 1\n1\n2\n", "line 4: there are more than the 1"},
        {ARRAY "1 2\n1 2\n", "line 3: '2' is too much"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char path[128], text[IO_TEXT] = "";
        struct mtx mtx;
        write_file("bad.mtx", bad[k].file, strlen(bad[k].file), path);
        ck_assert_msg(mtx_open(path, &mtx, text) || mtx_each(&mtx, ignore, NULL, text), "taken: %s", bad[k].file);
        says(text, path, bad[k].what);
        mtx_close(&mtx);
    }
}
END_TEST

/* Numbers are read as strtod reads them, with any number of digits. */
START_TEST(mtx_numbers)
{
    static const char *const forms[] = {"%.0f", "%.3f", "%.9g", "%.15f", "%.16e", "%.17g", "%.25f", "%.3e"};
    enum { COUNT = ROWS * COLS };
    char file[COUNT * 48 + 128], path[128], text[IO_TEXT];
    double want[COUNT];
    size_t at = (size_t)snprintf(file, sizeof file, "%%%%MatrixMarket matrix array real general\n%d %d\n", COUNT, 1);
    struct mtx mtx;
    struct dense a;
    for (int k = 0; k < COUNT; k++) {
        char number[48];
        snprintf(number, sizeof number, forms[k % 8], sin(k) * pow(10, k % 13 - 4));
        want[k] = strtod(number, NULL);
        at += (size_t)snprintf(file + at, sizeof file - at, "%s\n", number);
    }
    write_file("numbers.mtx", file, at, path);
    ck_assert_msg(mtx_open(path, &mtx, text) == 0, "%s", text);
    read_mtx(&mtx, &a);
    ck_assert_mem_eq(a.re, want, sizeof want);
    mtx_close(&mtx);
}
END_TEST

/* Tiles that three handles write into one array file are read back bit for bit, extreme and non-finite numbers, too. */
START_TEST(mtx_round_trip)
{
    static const double extreme[] = {DBL_MAX, -DBL_MIN, 0x1p-1074, FLT_MAX, -FLT_MIN, 0.1, -0.0, INFINITY, -INFINITY, NAN};
    const char type = types[_i];
    const size_t size = size_of(type);
    char path[128], text[IO_TEXT], want[ROWS * COLS * 16], have[ROWS * COLS * 16], tile[10 * 5 * 16];
    struct io_writer writer[3];
    struct mtx mtx;
    struct dense a;
    set_tile(type, 0, 0, ROWS, COLS, want, ROWS);
    for (int k = 0; k < 10; k++)
        set(type, want, (size_t)(k * 31), extreme[k], extreme[9 - k]);
    snprintf(path, sizeof path, "%s/round.mtx", folder);
    ck_assert_int_eq(mtx_create(path, type, ROWS, COLS, text), 0);
    for (int p = 0; p < 3; p++)
        ck_assert_int_eq(mtx_write_open(path, &writer[p], text), 0);
    for (int j = 0; j < COLS; j += 5)
        for (int i = 0; i < ROWS; i += 7) {
            const int rows = least(7, ROWS - i), cols = least(5, COLS - j);
            for (int jj = 0; jj < cols; jj++)
                memcpy(tile + (size_t)(jj * 10) * size, want + (size_t)((j + jj) * ROWS + i) * size, (size_t)rows * size);
            ck_assert_int_eq(mtx_write_tile(&writer[(i + j) % 3], i, j, rows, cols, tile, 10, text), 0);
        }
    for (int p = 0; p < 3; p++)
        ck_assert_int_eq(io_write_close(&writer[p], text), 0);
    ck_assert_msg(mtx_open(path, &mtx, text) == 0, "%s", text);
    ck_assert_int_eq(mtx.type, _i < 2 ? 'd' : 'z');
    read_mtx(&mtx, &a);
    for (int j = 0; j < COLS; j++)
        for (int i = 0; i < ROWS; i++)
            set(type, have, (size_t)(j * ROWS + i), a.re[i * COLS + j], a.im[i * COLS + j]);
    ck_assert_mem_eq(have, want, ROWS * COLS * size);
    mtx_close(&mtx);
}
END_TEST

static Suite *mtx_suite(void)
{
    Suite *suite = suite_create("mtx");
    TCase *tests = tcase_create("mtx");
    tcase_add_unchecked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, mtx_expansions);
    tcase_add_test(tests, mtx_symmetries);
    tcase_add_test(tests, mtx_refusals);
    tcase_add_test(tests, mtx_numbers);
    tcase_add_loop_test(tests, mtx_round_trip, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(mtx_suite());
}
