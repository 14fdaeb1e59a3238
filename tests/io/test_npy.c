/* .npy files: written files are read back, and wrong files are refused with a reason. */
#include "src/io/io.h"
#include "src/io/mtx.h"
#include "src/io/npy.h"
#include "tests/io/test_io.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

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
    struct io_writer writer[3];
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
        ck_assert_int_eq(io_write_close(&writer[p], text), 0);
    ck_assert_msg(npy_open(path, &npy, text) == 0, "%s", text);
    ck_assert(npy.type == type && npy.rows == ROWS && npy.cols == COLS && npy.fortran_order);
    ck_assert_int_eq((npy.data - npy.map) % 64, 0);
    ck_assert_uint_eq(npy.map_size, (size_t)(npy.data - npy.map) + ROWS * COLS * size_of(type));
    check_npy(&npy, type, ROWS, COLS);
    check_npy(&npy, type, 6, 9);
    npy_close(&npy);
}
END_TEST

/* A file as NumPy writes it: magic, version, length of the dict, dict, newline, data. Returns the size. */
static size_t numpy_file(char *file, int version, const char *dict, const void *data, size_t size)
{
    const size_t prefix = version == 1 ? 10 : 12, length = strlen(dict) + 1;
    memcpy(file, "\x93NUMPY", 6);
    memcpy(file + 6, (char[]){(char)version, 0, (char)length, 0, 0, 0}, 6);
    snprintf(file + prefix, length + 1, "%s\n", dict);
    memcpy(file + prefix + length, data, size);
    return prefix + length + size;
}

/* Both storage orders of all four types give the same tiles, also at ragged edges and where data are not aligned. */
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

/* Integers of every size and booleans are read as doubles, in both storage orders, in all tiles. */
START_TEST(npy_integers)
{
    static const struct {
        const char *descr;
        size_t size;
        unsigned char bytes[2][8];
        double number[2];
    } kinds[] = {
        {"|b1", 1, {{0}, {1}}, {0, 1}},
        {"|i1", 1, {{127}, {0x80}}, {127, -128}},
        {"<i1", 1, {{1}, {0xff}}, {1, -1}},
        {"<i2", 2, {{0x01, 0x02}, {0xfe, 0xff}}, {513, -2}},
        {"<i4", 4, {{1, 2, 3, 4}, {0, 0, 0, 0x80}}, {67305985, -2147483648.0}},
        {"<i8", 8, {{0, 0, 0, 0, 0, 1}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}, {1099511627776, -1}},
        {"|u1", 1, {{255}, {2}}, {255, 2}},
        {"<u2", 2, {{0xff, 0xff}, {1, 0}}, {65535, 1}},
        {"<u4", 4, {{0xff, 0xff, 0xff, 0xff}, {7}}, {4294967295.0, 7}},
        {"<u8", 8, {{0, 0, 0, 0, 0, 0, 0, 0x80}, {9}}, {0x1p63, 9}},
    };
    enum { M = 5, N = 3 };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int fortran = 0; fortran < 2; fortran++) {
            char data[M * N * 8], dict[128], file[sizeof data + 256], path[128], text[IO_TEXT];
            double tile[3 * (M + 1)];
            struct npy npy;
            for (int i = 0; i < M; i++)      /* the second number where i + j is odd */
                for (int j = 0; j < N; j++) {
                    const int at = fortran ? j * M + i : i * N + j;
                    memcpy(data + kinds[k].size * (size_t)at, kinds[k].bytes[(i + j) % 2], kinds[k].size);
                }
            snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", kinds[k].descr,
                     fortran ? "True" : "False", M, N);
            write_file("integers.npy", file, numpy_file(file, 1, dict, data, M * N * kinds[k].size), path);
            ck_assert_msg(npy_open(path, &npy, text) == 0, "%s", text);
            ck_assert(npy.type == 'd' && npy.integers && npy.rows == M && npy.cols == N);
            npy_read_tile(&npy, 1, 0, M - 1, N, tile, M + 1);
            for (int i = 1; i < M; i++)
                for (int j = 0; j < N; j++)
                    ck_assert_double_eq(tile[j * (M + 1) + i - 1], kinds[k].number[(i + j) % 2]);
            struct io_writer writer;
            npy_close(&npy);
            ck_assert_int_eq(npy_write_open(path, &writer, text), 1);
            says(text, path, "made by npy_create");
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

/* A file without a matrix of a supported type is refused in one line with its name and the reason. */
START_TEST(npy_refusals)
{
    static const struct {
        const char *dict, *what;
    } bad[] = {
        {"{'descr': '>f8', 'fortran_order': False, 'shape': (1, 1), }", "'>f8'"},
        {"{'descr': '>i4', 'fortran_order': False, 'shape': (1, 1), }", "'>i4'"},
        {"{'descr': '<i16', 'fortran_order': False, 'shape': (1, 1), }", "'<i16'"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2), }", "2 bytes are missing of the 8"},
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

/* Files that are cut anywhere, or have another format, are refused. */
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
    says(text, folder, "Is a directory");
    char pipe[128];
    snprintf(pipe, sizeof pipe, "%s/pipe.npy", folder);
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);        /* nothing writes into this pipe */
    ck_assert_int_ne(npy_open(pipe, &npy, text), 0);
    says(text, pipe, "not a regular file");
    ck_assert_int_ne(npy_open("/nonexistent/a.npy", &npy, text), 0);
    says(text, "/nonexistent/a.npy", "No such file");
    npy_close(&npy);
}
END_TEST

/* A writer reports the reason of a failure: no folder, no such type, too large, disk full. */
START_TEST(writer_refusals)
{
    char path[128], text[IO_TEXT];
    double tile[64 * 64] = {0};
    struct io_writer npy, mtx;
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
    ck_assert_int_eq(io_write_close(&npy, text), 0);
    write_file("c.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", 46, path);
    ck_assert_int_ne(mtx_write_open(path, &mtx, text), 0);
    says(text, path, "size");
    ck_assert_int_eq(io_write_close(&mtx, text), 0);
}
END_TEST

/* A writer whose disk is full (here: whose file may not grow) reports that. */
START_TEST(writer_disk_full)
{
    char path[2][128], text[2][IO_TEXT];
    double tile[64 * 64] = {0};
    struct io_writer npy, mtx;
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
    ck_assert_int_eq(io_write_close(&npy, text[0]) | io_write_close(&mtx, text[1]), 0);
}
END_TEST

static Suite *npy_suite(void)
{
    Suite *suite = suite_create("npy");
    TCase *tests = tcase_create("npy");
    tcase_add_unchecked_fixture(tests, make_folder, remove_folder);
    tcase_add_loop_test(tests, npy_round_trip, 0, 4);
    tcase_add_loop_test(tests, npy_orders, 0, 4);
    tcase_add_test(tests, npy_integers);
    tcase_add_test(tests, npy_headers);
    tcase_add_test(tests, npy_refusals);
    tcase_add_test(tests, npy_not_whole);
    tcase_add_test(tests, writer_refusals);
    tcase_add_test(tests, writer_disk_full);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(npy_suite());
}
