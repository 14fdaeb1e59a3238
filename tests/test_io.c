/*
 * Files and generated matrices: what is written is read back, what is wrong is refused in words, and an entry does not depend on
 * who asks for it. No MPI: "processes" are several handles on one file.
 */
#include "src/io/generate.h"
#include "src/io/mtx.h"
#include "src/io/npy.h"

#include <check.h>
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROWS = 23, COLS = 17, LENGTH = 4096 };

static const char types[] = "sdcz";
static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/ompfact-test-io-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    DIR *all = opendir(folder);
    for (struct dirent *one; all && (one = readdir(all));)
        unlinkat(dirfd(all), one->d_name, 0);
    closedir(all);
    rmdir(folder);
}

static void write_file(const char *name, const void *bytes, size_t size, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static void says(const char *text, const char *path, const char *what)
{
    ck_assert_msg(strncmp(text, path, strlen(path)) == 0 && strstr(text + strlen(path), what) && !strchr(text, '\n'),
                  "\"%s\" should name %s and say \"%s\"", text, path, what);
}

/* ---- elements of any type ----------------------------------------------------------------------------------------------- */

static size_t size_of(char type)
{
    return type == 's' ? 4 : type == 'z' ? 16 : 8;
}

static void set(char type, void *tile, size_t k, double re, double im)
{
    if (type == 's')
        memcpy((float *)tile + k, &(float){(float)re}, 4);
    else if (type == 'd')
        memcpy((double *)tile + k, &re, 8);
    else if (type == 'c')
        memcpy((float *)tile + 2 * k, (float[]){(float)re, (float)im}, 8);
    else
        memcpy((double *)tile + 2 * k, (double[]){re, im}, 16);
}

/* Entry (i,j) of the matrix that is written: no two bytes of a tile mean the same. */
static void set_entry(char type, void *tile, size_t k, int64_t i, int64_t j)
{
    set(type, tile, k, 1.0 / (double)(3 * i + 1) - (double)j, (double)(100 * i + j));
}

/* The part of the matrix at (i0,j0) in a tile of leading dimension ld; what lies between the columns is 0x55. */
static void set_tile(char type, int64_t i0, int64_t j0, int rows, int cols, void *tile, int ld)
{
    memset(tile, 0x55, (size_t)(ld * cols) * size_of(type));
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            set_entry(type, tile, (size_t)(j * ld + i), i0 + i, j0 + j);
}

static int least(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

/* ---- .npy ----------------------------------------------------------------------------------------------------------------- */

static void check_npy(const struct npy *npy, char type, int mb, int nb)
{
    char want[ROWS * COLS * 16 * 2], have[sizeof want];
    for (int j = 0; j < COLS; j += nb)
        for (int i = 0; i < ROWS; i += mb) {
            const int rows = least(mb, ROWS - i), cols = least(nb, COLS - j), ld = rows + 3;
            set_tile(type, i, j, rows, cols, want, ld);
            memset(have, 0x55, sizeof have);
            npy_read_tile(npy, i, j, rows, cols, have, ld);
            ck_assert_mem_eq(have, want, (size_t)(ld * cols) * size_of(type));
        }
}

/* Tiles that three handles write into one .npy file are read back, in tiles of any other size. */
START_TEST(npy_round_trip)
{
    const char type = types[_i];
    char path[128], text[IO_TEXT], tile[10 * 5 * 16];
    struct npy_writer writer[3];
    struct npy npy;
    snprintf(path, sizeof path, "%s/round.npy", folder);
    ck_assert_int_eq(npy_create(path, type, ROWS, COLS, text), 0);
    for (int p = 0; p < 3; p++)
        ck_assert_int_eq(npy_write_open(path, &writer[p], text), 0);
    for (int j = 0; j < COLS; j += 5)
        for (int i = 0; i < ROWS; i += 7) {
            const int rows = least(7, ROWS - i), cols = least(5, COLS - j);
            set_tile(type, i, j, rows, cols, tile, 10);
            ck_assert_int_eq(npy_write_tile(&writer[(i + j) % 3], i, j, rows, cols, tile, 10, text), 0);
        }
    for (int p = 0; p < 3; p++)
        ck_assert_int_eq(npy_write_close(&writer[p], text), 0);
    ck_assert_msg(npy_open(path, &npy, text) == 0, "%s", text);
    ck_assert(npy.type == type && npy.rows == ROWS && npy.cols == COLS && npy.fortran_order);
    ck_assert_int_eq((npy.data - npy.map) % 64, 0);
    ck_assert_uint_eq(npy.map_size, (size_t)(npy.data - npy.map) + ROWS * COLS * size_of(type));
    check_npy(&npy, type, ROWS, COLS);
    check_npy(&npy, type, 6, 9);
    npy_close(&npy);
}
END_TEST

/* A file of numpy's: magic, version, length of the dict, dict, newline, data. Returns the size. */
static size_t numpy_file(char *file, int version, const char *dict, const void *data, size_t size)
{
    const size_t prefix = version == 1 ? 10 : 12, length = strlen(dict) + 1;
    memcpy(file, "\x93NUMPY", 6);
    memcpy(file + 6, (char[]){(char)version, 0, (char)length, 0, 0, 0}, 6);
    snprintf(file + prefix, length + 1, "%s\n", dict);
    memcpy(file + prefix + length, data, size);
    return prefix + length + size;
}

/* Both orders of all four types give the same tiles, at ragged edges too and where the data is not aligned. */
START_TEST(npy_orders)
{
    static const char *const descr[] = {"<f4", "<f8", "<c8", "<c16"};
    const char type = types[_i];
    for (int fortran = 0; fortran < 2; fortran++) {
        char data[ROWS * COLS * 16], dict[128], file[sizeof data + 256], path[128], text[IO_TEXT];
        struct npy npy;
        for (int j = 0; j < COLS; j++)
            for (int i = 0; i < ROWS; i++)
                set_entry(type, data, (size_t)(fortran ? j * ROWS + i : i * COLS + j), i, j);
        snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", descr[_i],
                 fortran ? "True" : "False", ROWS, COLS);
        write_file("order.npy", file, numpy_file(file, 1, dict, data, ROWS * COLS * size_of(type)), path);
        ck_assert_msg(npy_open(path, &npy, text) == 0, "%s", text);
        ck_assert(npy.type == type && npy.fortran_order == fortran);
        check_npy(&npy, type, ROWS, COLS);
        check_npy(&npy, type, 8, 8);
        check_npy(&npy, type, 1, 5);
        npy_close(&npy);
    }
}
END_TEST

/* Key order, spacing, quotes, vectors, empty matrices and versions 1 to 3 are all understood. */
START_TEST(npy_headers)
{
    static const struct {
        int version;
        int64_t rows, cols;
        const char *dict;
    } good[] = {
        {1, 3, 2, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }"},
        {2, 3, 2, "{\"shape\":(3,2),\"descr\":\"<f8\",\"fortran_order\":False}      "},
        {3, 3, 2, " { 'fortran_order' :False , 'shape' : ( 3 , 2 , ) , 'descr':'<f8' } "},
        {1, 3, 2, "{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 2L)}"},
        {1, 6, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }"},
        {1, 6, 1, "{'descr': '<f8', 'fortran_order': True, 'shape': (6,), }"},
        {1, 0, 4, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4), }"},
    };
    const double data[] = {1, 2, 3, 4, 5, 6};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        char file[256], path[128], text[IO_TEXT];
        double last;
        struct npy npy;
        write_file("good.npy", file, numpy_file(file, good[k].version, good[k].dict, data, sizeof data), path);
        ck_assert_msg(npy_open(path, &npy, text) == 0, "%s", text);
        ck_assert(npy.rows == good[k].rows && npy.cols == good[k].cols && npy.type == 'd');
        if (npy.rows > 0) {
            npy_read_tile(&npy, npy.rows - 1, npy.cols - 1, 1, 1, &last, 1);
            ck_assert(last == 6);
        }
        npy_close(&npy);
    }
}
END_TEST

/* Whatever is not a matrix of ours is refused in one line that names the file and the reason. */
START_TEST(npy_refusals)
{
    static const struct {
        const char *dict, *what;
    } bad[] = {
        {"{'descr': '>f8', 'fortran_order': False, 'shape': (1, 1), }", "'>f8'"},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1), }", "'<i8'"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }", "'|O'"},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }", "structured"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "0 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }", "3 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 1), }", "'shape'"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775808, 1), }", "63 bits"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", "too large"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846975, 1), }", "too large"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }", "90 bytes are missing of the 96"},
        {"{'descr': '<f8', 'fortran_order': no, 'shape': (1, 1), }", "'fortran_order'"},
        {"{'descr': '<f8', 'fortran_order': False}", "lacks 'shape'"},
        {"{'descr': '<f8', 'descr': '<f8', 'shape': (1, 1)}", "twice the key 'descr'"},
        {"{'descr': '<f8', 'order': False}", "unknown key 'order'"},
        {"{'descr': '<f8' 'fortran_order': False}", "comma"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)} 7", "its end"},
        {"['descr']", "its beginning"},
        {"{'descr': '<f8\n\x01', 'fortran_order': False, 'shape': (1, 1)}", "'<f8?"},
        {"{'descr", "a key"},
        {"{'shape': (", "'shape'"},
    };
    char file[256], path[128], text[IO_TEXT];
    struct npy npy;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        write_file("bad.npy", file, numpy_file(file, 1, bad[k].dict, "123456", 6), path);
        ck_assert_msg(npy_open(path, &npy, text) != 0, "taken: %s", bad[k].dict);
        says(text, path, bad[k].what);
    }
}
END_TEST

/* Files that are cut off anywhere, or are something else, are refused. */
START_TEST(npy_not_whole)
{
    char file[256], path[128], text[IO_TEXT];
    const size_t size = numpy_file(file, 2, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1)}", (double[]){1, 2}, 16);
    struct npy npy;
    for (size_t cut = 1; cut < size; cut++) {
        write_file("cut.npy", file, cut, path);
        ck_assert_int_ne(npy_open(path, &npy, text), 0);
        says(text, path, cut < 8 ? "is not a .npy file" : "is truncated");
    }
    file[6] = 4;
    write_file("new.npy", file, size, path);
    ck_assert_int_ne(npy_open(path, &npy, text), 0);
    says(text, path, "version 4");
    write_file("empty.npy", file, 0, path);
    ck_assert_int_ne(npy_open(path, &npy, text), 0);
    says(text, path, "is empty");
    ck_assert_int_ne(npy_open(folder, &npy, text), 0);
    says(text, folder, "not a regular file");
    ck_assert_int_ne(npy_open("/nonexistent/a.npy", &npy, text), 0);
    says(text, "/nonexistent/a.npy", "No such file");
    npy_close(&npy);
}
END_TEST

/* A writer says what went wrong: no folder, no such type, too large, the disk full. */
START_TEST(writer_refusals)
{
    char path[128], text[IO_TEXT];
    double tile[64 * 64] = {0};
    struct npy_writer npy;
    struct mtx_writer mtx;
    ck_assert_int_ne(npy_create("/nonexistent/a.npy", 'd', 2, 2, text), 0);
    says(text, "/nonexistent/a.npy", "cannot be created");
    ck_assert_int_ne(mtx_create("/nonexistent/a.mtx", 'd', 2, 2, text), 0);
    says(text, "/nonexistent/a.mtx", "cannot be created");
    ck_assert_int_ne(npy_create("a.npy", 'q', 2, 2, text), 0);
    says(text, "a.npy", "'q'");
    ck_assert_int_ne(mtx_create("a.mtx", 'q', 2, 2, text), 0);
    says(text, "a.mtx", "'q'");
    ck_assert_int_ne(npy_create("a.npy", 'd', INT64_MAX / 8, 2, text), 0);
    says(text, "a.npy", "does not fit");
    ck_assert_int_ne(mtx_create("a.mtx", 'd', INT64_MAX / 8, 2, text), 0);
    says(text, "a.mtx", "does not fit");

    char file[256];
    write_file("c.npy", file, numpy_file(file, 1, "{'descr':'<f8','fortran_order':False,'shape':(1,1)}", tile, 8), path);
    ck_assert_int_ne(npy_write_open(path, &npy, text), 0);
    says(text, path, "C order");
    ck_assert_int_eq(npy_write_close(&npy, text), 0);
    write_file("c.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", 46, path);
    ck_assert_int_ne(mtx_write_open(path, &mtx, text), 0);
    says(text, path, "size");
    ck_assert_int_eq(mtx_write_close(&mtx, text), 0);
}
END_TEST

/* A writer whose disk is full (here: whose file may not grow) says so. */
START_TEST(writer_disk_full)
{
    char path[2][128], text[2][IO_TEXT];
    double tile[64 * 64] = {0};
    struct npy_writer npy;
    struct mtx_writer mtx;
    struct rlimit before, small;
    snprintf(path[0], sizeof path[0], "%s/full.npy", folder);
    snprintf(path[1], sizeof path[1], "%s/full.mtx", folder);
    ck_assert_int_eq(npy_create(path[0], 'd', 64, 64, text[0]) | npy_write_open(path[0], &npy, text[0]), 0);
    ck_assert_int_eq(mtx_create(path[1], 'd', 64, 64, text[1]) | mtx_write_open(path[1], &mtx, text[1]), 0);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){1024, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    const int npy_failed = npy_write_tile(&npy, 0, 0, 64, 64, tile, 64, text[0]);
    const int mtx_failed = mtx_write_tile(&mtx, 0, 0, 64, 64, tile, 64, text[1]);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert(npy_failed && mtx_failed);
    says(text[0], path[0], "cannot be written");
    says(text[1], path[1], "cannot be written");
    ck_assert_int_eq(npy_write_close(&npy, text[0]) | mtx_write_close(&mtx, text[1]), 0);
}
END_TEST

/* ---- Matrix Market -------------------------------------------------------------------------------------------------------- */

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

/* Every format, field and symmetry expands to the right dense matrix, in whatever spelling, and does so twice. */
START_TEST(mtx_expansions)
{
    static const struct {
        const char *file;
        char type;
        int rows, cols, calls;
        double re[9], im[9];
    } good[] = {
        {"%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n2 3 -2e3\n1 2 .25\n", 'd', 2, 3, 3,
         {1.5, .25, 0, 0, 0, -2000}, {0}},
        {"%%matrixmarket MATRIX Coordinate REAL General\r\n% c\r\n\r\n2 3 3\r\n1 1 1.5\r\n\r\n%x\r\n 2\t3  -2D+3 \r\n1 2 +.25", 'd',
         2, 3, 3, {1.5, .25, 0, 0, 0, -2000}, {0}},
        {"%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 7\n2 1 -3\n", 'd', 2, 2, 3, {7, -3, -3, 0}, {0}},
        {"%%MatrixMarket matrix coordinate complex symmetric\n2 2 2\n1 1 1 2\n2 1 3 4\n", 'z', 2, 2, 3, {1, 3, 3, 0}, {2, 4, 4, 0}},
        {"%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 4\n", 'z', 2, 2, 3, {1, 3, 3, 0},
         {0, -4, 4, 0}},
        {"%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 3 4\n", 'z', 2, 2, 2, {0, -3, 3, 0}, {0, -4, 4, 0}},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", 'd', 2, 2, 2, {0, -3, 3, 0}, {0}},
        {"%%MatrixMarket matrix coordinate real general\n2 2 0\n% nothing\n", 'd', 2, 2, 0, {0}, {0}},
        {"%%MatrixMarket matrix array real general\n% c\n2 3\n1\n2\n3\n4\n5\n6\n\n", 'd', 2, 3, 6, {1, 3, 5, 2, 4, 6}, {0}},
        {"%%MatrixMarket matrix array complex general\n1 2\n1 2\n3 -inf\n", 'z', 1, 2, 2, {1, 3}, {2, -INFINITY}},
        {"%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 'd', 3, 3, 9, {1, 2, 3, 2, 4, 5, 3, 5, 6}, {0}},
        {"%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n", 'z', 2, 2, 4, {1, 2, 2, 4}, {0, -3, 3, 0}},
        {"%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", 'd', 3, 3, 6, {0, -1, -2, 1, 0, -3, 2, 3, 0}, {0}},
        {"%%MatrixMarket matrix array real skew-symmetric\n1 1\n", 'd', 1, 1, 0, {0}, {0}},
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

static void ignore(void *context, int64_t i, int64_t j, double re, double im)
{
    (void)context, (void)i, (void)j, (void)re, (void)im;
}

#define REAL "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

/* Each mistake in a Matrix Market file is refused with the file's name, the line and the reason. */
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
        {"%%MatrixMarket matrix coordinate real hermitian\n", "line 1: hermitian is for complex"},
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
        {SYMMETRIC "3 3 1\n1 2 1\n", "line 3: entry (1, 2) lies above the diagonal"},
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

/* A number's text gives the double that strtod gives, however many digits it has. */
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

/* Tiles that three handles write into one array file come back bit for bit, extreme and non-finite numbers too. */
START_TEST(mtx_round_trip)
{
    static const double extreme[] = {DBL_MAX, -DBL_MIN, 0x1p-1074, FLT_MAX, -FLT_MIN, 0.1, -0.0, INFINITY, -INFINITY, NAN};
    const char type = types[_i];
    const size_t size = size_of(type);
    char path[128], text[IO_TEXT], want[ROWS * COLS * 16], have[ROWS * COLS * 16], tile[10 * 5 * 16];
    struct mtx_writer writer[3];
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
        ck_assert_int_eq(mtx_write_close(&writer[p], text), 0);
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

/* ---- generated matrices ------------------------------------------------------------------------------------------------- */

static struct generator generator(const char *spec, bool symmetric, int64_t m, int64_t n, uint64_t seed)
{
    char text[IO_TEXT];
    struct generator g;
    ck_assert_msg(generate_parse(spec, symmetric, m, n, seed, &g, text) == 0, "%s", text);
    return g;
}

static double real_entry(const struct generator *g, int64_t i, int64_t j)
{
    double re, im;
    generate_entry(g, i, j, &re, &im, false);
    return im == 0 ? re : NAN;
}

static const char *const all_kinds[] = {"zeros", "ones", "identity", "ij", "minij", "hilb", "lehmer", "kms", "kms:-0.9", "fiedler",
    "moler", "parter", "cauchy", "pei", "pei:3", "circul", "rand", "rands", "randn", "randb", "randr", "rand_dominant",
    "rands_dominant", "randn_dominant", "randb_dominant", "randr_dominant"};
enum { ALL_KINDS = sizeof all_kinds / sizeof *all_kinds, FIRST_RANDOM = 16, FIRST_DOMINANT = 21 };

/* Kinds with a formula have the entries of SLATE's matrices. */
START_TEST(generate_formulas)
{
    static const struct {
        const char *spec;
        double above, on, below;        /* A(2,4), A(3,3), A(4,1), from 0, of a 12 x 7 matrix */
    } known[] = {
        {"zeros", 0, 0, 0},
        {"ones", 1, 1, 1},
        {"identity", 0, 1, 0},
        {"ij", 2.04, 3.03, 4.01},
        {"minij", 3, 4, 2},
        {"hilb", 1 / 7., 1 / 7., 1 / 6.},
        {"lehmer", 3 / 5., 1, 2 / 5.},
        {"kms", .25, 1, .125},
        {"kms:-2", 4, 1, -8},
        {"fiedler", 2, 0, 3},
        {"moler", 1, 4, 0},
        {"parter", 1 / -1.5, 2, 1 / 3.5},
        {"cauchy", 1 / 8., 1 / 8., 1 / 7.},
        {"pei", 1, 2, 1},
        {"pei:0.5", 1, 1.5, 1},
        {"circul", 3, 1, 10},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct generator g = generator(known[k].spec, false, 12, 7, 1);
        ck_assert_double_eq_tol(real_entry(&g, 2, 4), known[k].above, 1e-15);
        ck_assert_double_eq_tol(real_entry(&g, 3, 3), known[k].on, 1e-15);
        ck_assert_double_eq_tol(real_entry(&g, 4, 1), known[k].below, 1e-15);
    }
}
END_TEST

/* What is no kind of matrix is refused; the text lists the kinds. */
START_TEST(generate_refusals)
{
    static const struct {
        const char *spec, *what;
    } bad[] = {
        {"hilbert", "'hilbert' is not known; known: zeros ones"},
        {"", "'' is not known"},
        {"rand_dominan", "randr (rand kinds also with _dominant)"},
        {"_dominant", "not known"},
        {"RAND", "not known"},
        {"ones_dominant", "no form '_dominant'"},
        {"ones:3", "takes no argument"},
        {"kms:", "rho is a number"},
        {"kms:0.5x", "'0.5x'"},
        {"pei:inf", "alpha is a number"},
        {"rand_dominant:1", "takes no argument"},
        {"a-kind-with-a-very-long-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on", "kms[:rho]"},
    };
    char text[IO_TEXT];
    struct generator g;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ck_assert_msg(generate_parse(bad[k].spec, false, 4, 4, 1, &g, text) != 0, "taken: %s", bad[k].spec);
        says(text, "matrix kind", bad[k].what);
    }
    ck_assert_int_ne(generate_parse("rand", true, 4, 5, 1, &g, text), 0);
    says(text, "a symmetric matrix", "4 x 5");
}
END_TEST

/* Any tile of any type holds just what generate_entry says, wherever tiles are cut. */
START_TEST(generate_tiles)
{
    enum { M = 300, N = 300 };
    const char type = types[_i];
    const size_t size = size_of(type);
    char *whole = malloc(M * N * size), *tile = malloc(M * N * size);
    for (int k = 0; k < 2 * ALL_KINDS; k++) {
        const struct generator g = generator(all_kinds[k / 2], k % 2, M, N, 5);
        double re, im;
        generate_tile(&g, type, 0, 0, M, N, whole, M);
        for (int e = 0; e < M * N; e += 37) {
            generate_entry(&g, e % M, e / M, &re, &im, _i >= 2);
            set(type, tile, 0, re, im);
            ck_assert_mem_eq(whole + (size_t)e * size, tile, size);
        }
        for (int j = 0; j < N; j += 111)
            for (int i = 0; i < M; i += 271) {
                const int rows = least(271, M - i), cols = least(111, N - j), ld = rows + 2;
                generate_tile(&g, type, i, j, rows, cols, tile, ld);
                for (int jj = 0; jj < cols; jj++)
                    ck_assert_mem_eq(tile + (size_t)(jj * ld) * size, whole + (size_t)((j + jj) * M + i) * size,
                                     (size_t)rows * size);
            }
    }
    free(whole);
    free(tile);
}
END_TEST

/* A symmetric matrix is Hermitian with a real diagonal; its lower triangle and the real parts are those of the general one. */
START_TEST(generate_symmetric)
{
    for (int k = 0; k < ALL_KINDS; k++) {
        const struct generator h = generator(all_kinds[k], true, 9, 9, 3), g = generator(all_kinds[k], false, 9, 9, 3);
        for (int j = 0; j < 9; j++)
            for (int i = j; i < 9; i++) {
                double a, b, c, d, e, f;
                generate_entry(&h, i, j, &a, &b, true);
                generate_entry(&h, j, i, &c, &d, true);
                generate_entry(&g, i, j, &e, &f, true);
                ck_assert(a == c && b == -d && a == e && b == (i == j ? 0 : f));
                ck_assert((i == j && k >= FIRST_DOMINANT) || real_entry(&h, i, j) == a);
            }
    }
}
END_TEST

/* |A_ii| exceeds the sum of the others in its row and in its column for every dominant kind, in the smallest matrices too. */
START_TEST(generate_dominant)
{
    for (int k = FIRST_DOMINANT; k < ALL_KINDS; k++)
        for (int n = 1; n <= 6; n++)
            for (int variant = 0; variant < 400; variant++) {
                const struct generator g = generator(all_kinds[k], variant % 2, n, n, (uint64_t)variant);
                for (int i = 0; i < n; i++) {
                    double row = 0, column = 0, re, im;
                    for (int j = 0; j < n; j++)
                        if (j != i) {
                            generate_entry(&g, i, j, &re, &im, variant % 4 > 1);
                            row += hypot(re, im);
                            generate_entry(&g, j, i, &re, &im, variant % 4 > 1);
                            column += hypot(re, im);
                        }
                    generate_entry(&g, i, i, &re, &im, variant % 4 > 1);
                    if (!(re > row && re > column))     /* each of Check's assertions costs a system call */
                        ck_abort_msg("%s, n = %d, seed %d", all_kinds[k], n, variant);
                }
            }
}
END_TEST

/* ---- random numbers: sizes of deviations are in standard errors of a perfect generator; 5 is never met by chance ---------- */

enum { SIDE = 512, SAMPLES = SIDE * SIDE };

static double *sample(const char *spec, uint64_t seed, char type)
{
    const struct generator g = generator(spec, false, SIDE + 1, SIDE + 1, seed);
    double *x = malloc((SIDE + 1) * (SIDE + 1) * 2 * sizeof *x);
    generate_tile(&g, type, 0, 0, SIDE + 1, SIDE + 1, x, SIDE + 1);
    return x;
}

/* Mean and mean square are those of the distribution, and the values lie where they should. */
START_TEST(random_moments)
{
    static const struct {
        const char *spec;
        double mean, square, fourth, low, high;
    } known[] = {
        {"rand",  .5, 1 / 3., 1 / 5., 0x1p-53, 1 - 0x1p-53},
        {"rands", 0,  1 / 3., 1 / 5., -1 + 0x1p-52, 1 - 0x1p-52},
        {"randn", 0,  1, 3, -8.6, 8.6},
        {"randb", .5, .5, .5, 0, 1},
        {"randr", 0,  1, 1, -1, 1},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (int part = 0; part < 2; part++) {
            double *x = sample(known[k].spec, 11, 'z'), sum = 0, squares = 0;
            for (int e = 0; e < SAMPLES; e++) {
                const double v = x[2 * e + part];
                if (!(v >= known[k].low && v <= known[k].high))
                    ck_abort_msg("%s gave %.17g", known[k].spec, v);
                sum += v;
                squares += v * v;
            }
            const double n = SAMPLES, mean = known[k].mean, square = known[k].square;
            ck_assert_double_lt(fabs(sum / n - mean), 5 * sqrt((square - mean * mean) / n));
            ck_assert_double_le(fabs(squares / n - square), 5 * sqrt((known[k].fourth - square * square) / n));
            free(x);
        }
}
END_TEST

static void check_uncorrelated(const double *x, int x_step, const double *y, int y_step, int count, const char *what)
{
    double sum = 0;
    for (int e = 0; e < count; e++)
        sum += x[(size_t)e * (size_t)x_step] * y[(size_t)e * (size_t)y_step];
    ck_assert_msg(fabs(sum / count) < 5 / 3. / sqrt(count), "%s: %g", what, sum / count * 3);
}

/* Neighbouring rows, columns and seeds, the transpose, and real and imaginary parts are uncorrelated. */
START_TEST(random_correlations)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        double *x = sample("rands", seed, 'd'), *next = sample("rands", seed + 1, 'd'), *z = sample("rands", seed, 'z');
        check_uncorrelated(x, 1, x + 1, 1, SAMPLES, "rows");
        check_uncorrelated(x, 1, x + 2, 1, SAMPLES, "rows two apart");
        check_uncorrelated(x, 1, x + SIDE + 1, 1, SAMPLES, "columns");
        check_uncorrelated(x, 1, x + SIDE + 2, 1, SAMPLES, "diagonals");
        check_uncorrelated(x, 1, next, 1, SAMPLES, "seeds");
        check_uncorrelated(x, 1, next + 1, 1, SAMPLES, "seeds and rows");
        check_uncorrelated(x, 1, next + SIDE + 1, 1, SAMPLES, "seeds and columns");
        check_uncorrelated(z, 2, z + 1, 2, SAMPLES, "real and imaginary parts");
        check_uncorrelated(x + 1, 1, x + SIDE + 1, SIDE + 1, SIDE, "first column and first row");
        free(x);
        free(next);
        free(z);
    }
}
END_TEST

/* Leading and trailing bits fill 256 cells evenly (chi-square), over whole tiles and along one row. */
START_TEST(random_uniformity)
{
    enum { CELLS = 256 };
    const struct generator g = generator("rand", false, SAMPLES, SAMPLES, 1);
    double *x = sample("rand", 1, 'd');
    for (int test = 0; test < 4; test++) {
        double count[CELLS] = {0}, chi = 0;
        for (int e = 0; e < SAMPLES; e++) {
            const double u = test < 2 ? x[e] : real_entry(&g, 7, e), bits = ldexp(u, test % 2 ? 52 : 8);
            count[(int)fmod(bits, CELLS)]++;
        }
        for (int c = 0; c < CELLS; c++)
            chi += (count[c] - SAMPLES / CELLS) * (count[c] - SAMPLES / CELLS) / (SAMPLES / CELLS);
        ck_assert_double_lt(fabs(chi - (CELLS - 1)), 5 * sqrt(2 * (CELLS - 1)));
    }
    free(x);
}
END_TEST

/* These very numbers come out on every machine, in every version. */
START_TEST(random_pinned)
{
    const struct generator g = generator("rands", false, 10, 10, 1), far = generator("rand", false, 10, 10, UINT64_MAX);
    ck_assert(real_entry(&g, 0, 0) == 0x1.d21809c736892p-1);
    ck_assert(real_entry(&g, 1, 0) == -0x1.8cd6038902442p-1);
    ck_assert(real_entry(&g, 0, 1) == 0x1.54e3c183cfddcp-2);
    ck_assert(real_entry(&g, (int64_t)1 << 40, (int64_t)1 << 33) == -0x1.74e8bc1aa4a0cp-2);
    ck_assert(real_entry(&far, 3, 4) == 0x1.620e58d416816p-2);
}
END_TEST

static Suite *io_suite(void)
{
    Suite *suite = suite_create("io");
    TCase *npy = tcase_create("npy"), *mtx = tcase_create("mtx"), *generate = tcase_create("generate");
    tcase_add_unchecked_fixture(npy, make_folder, remove_folder);
    tcase_add_loop_test(npy, npy_round_trip, 0, 4);
    tcase_add_loop_test(npy, npy_orders, 0, 4);
    tcase_add_test(npy, npy_headers);
    tcase_add_test(npy, npy_refusals);
    tcase_add_test(npy, npy_not_whole);
    tcase_add_test(npy, writer_refusals);
    tcase_add_test(npy, writer_disk_full);
    tcase_add_unchecked_fixture(mtx, make_folder, remove_folder);
    tcase_add_test(mtx, mtx_expansions);
    tcase_add_test(mtx, mtx_refusals);
    tcase_add_test(mtx, mtx_numbers);
    tcase_add_loop_test(mtx, mtx_round_trip, 0, 4);
    tcase_set_timeout(generate, 60);
    tcase_add_test(generate, generate_formulas);
    tcase_add_test(generate, generate_refusals);
    tcase_add_loop_test(generate, generate_tiles, 0, 4);
    tcase_add_test(generate, generate_symmetric);
    tcase_add_test(generate, generate_dominant);
    tcase_add_test(generate, random_moments);
    tcase_add_test(generate, random_correlations);
    tcase_add_test(generate, random_uniformity);
    tcase_add_test(generate, random_pinned);
    suite_add_tcase(suite, npy);
    suite_add_tcase(suite, mtx);
    suite_add_tcase(suite, generate);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(io_suite());
    srunner_run_all(runner, CK_NORMAL);
    const int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures != 0;
}
