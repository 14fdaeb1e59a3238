/* Digests, manifests and files of tiles are read as they were written, and every change is found. */
#include "src/io/digest.h"
#include "src/checkpoint/seal.h"
#include "tests/io/test_io.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>

/* ---- digests --------------------------------------------------------------------------------------------------------------- */

/* Any changed bit changes the digest, at any length. */
START_TEST(bits_of_a_digest)
{
    unsigned char data[100];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(37 * i + 11);
    for (size_t length = 0; length <= sizeof data; length += 1 + length / 9) {
        uint64_t whole = digest_of(0, data, length);
        ck_assert(length == 0 || whole != digest_of(0, data, length - 1));
        ck_assert(whole != digest_of(1, data, length));
        for (size_t bit = 0; bit < 8 * length; bit++) {
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            ck_assert(digest_of(0, data, length) != whole);
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        ck_assert(digest_of(0, data, length) == whole);
    }
}
END_TEST

/* Zeros at the end change the digest. */
START_TEST(zeros_of_a_digest)
{
    static const unsigned char zeros[64];
    for (size_t length = 1; length <= sizeof zeros; length++)
        ck_assert(digest_of(0, zeros, length) != digest_of(0, zeros, length - 1));
}
END_TEST

/* ---- manifests ------------------------------------------------------------------------------------------------------------- */

static struct manifest example(int *heights, int *widths, struct manifest_file *files)
{
    struct manifest m = { .run = UINT64_C(0xfedcba9876543210), .step = 2, .factorization = "getrf", .pivot = "partial",
                          .type = 'z', .structure = 'g', .tiles = 'c', .m = 250, .n = 170, .mt = 3, .nt = 2, .heights = heights,
                          .widths = widths, .tolerance = 1e-7, .allowance = 8e-7, .rounding = 2e-9,
                          .roundings = 3e-17, .norm = 3.25, .not_finite = 7,
                          .about = "routine=gesv\ninput=/a \"b\"\\c\xff\xc3 é\xed\xb2\x80\n", .files = 2, .file = files };
    heights[0] = heights[1] = 100;
    heights[2] = 50;
    widths[0] = 100;
    widths[1] = 70;
    for (int i = 0; i < 2; i++) {
        manifest_name(files[i].name, m.run, i, 3, i == 0);
        files[i].bytes = 64 + i;
        files[i].digest = m.run + (uint64_t)i;
    }
    return m;
}

START_TEST(manifest_comes_back)
{
    int heights[3], widths[2];
    struct manifest_file files[2];
    struct manifest m = example(heights, widths, files), back;
    char why[MANIFEST_TEXT], *text = manifest_write(&m);
    ck_assert_ptr_nonnull(strstr(text, "c\\udcff\\udcc3 é\\udced\\udcb2\\udc80\\n\""));
    ck_assert_int_eq(manifest_parse(text, strlen(text), &back, why), 0);
    ck_assert(back.run == m.run && back.step == m.step && back.type == m.type && back.structure == m.structure);
    ck_assert_int_eq(back.tiles, m.tiles);
    ck_assert_str_eq(back.factorization, m.factorization);
    ck_assert_str_eq(back.pivot, m.pivot);
    ck_assert(back.m == m.m && back.n == m.n && back.mt == m.mt && back.nt == m.nt && back.not_finite == m.not_finite);
    ck_assert_mem_eq(back.heights, heights, sizeof heights);
    ck_assert_mem_eq(back.widths, widths, sizeof widths);
    ck_assert(back.tolerance == m.tolerance && back.allowance == m.allowance && back.rounding == m.rounding &&
              back.roundings == m.roundings && back.norm == m.norm);
    ck_assert_str_eq(back.about, m.about);
    ck_assert_int_eq(back.files, 2);
    for (int i = 0; i < 2; i++) {
        ck_assert_str_eq(back.file[i].name, files[i].name);
        ck_assert(back.file[i].bytes == files[i].bytes && back.file[i].digest == files[i].digest);
    }
    manifest_forget(&back);
    free(text);
}
END_TEST

/* Any changed bit, and any other length, is found. */
START_TEST(changes_of_a_manifest)
{
    int heights[3], widths[2];
    struct manifest_file files[2];
    struct manifest m = example(heights, widths, files), back;
    char why[MANIFEST_TEXT], *text = manifest_write(&m), *other = strdup(text);
    size_t length = strlen(text);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        memcpy(other, text, length + 1);
        other[bit / 8] = (char)(other[bit / 8] ^ 1 << bit % 8);
        ck_assert_int_eq(manifest_parse(other, length, &back, why), 1);
        manifest_forget(&back);
    }
    for (size_t cut = 0; cut < length; cut++) {
        memcpy(other, text, length + 1);
        other[cut] = '\0';
        ck_assert_int_eq(manifest_parse(other, cut, &back, why), 1);
        manifest_forget(&back);
    }
    free(text);
    free(other);
}
END_TEST

/* A manifest with a right digest is refused if it has another format or contradicts itself. */
START_TEST(what_a_manifest_says)
{
    static const struct {
        const char *was, *is;
    } changes[] = {
        { "ompfact checkpoint 2", "ompfact checkpoint 1" }, { "\"step\": 2", "\"step\": 3" }, { "\"step\": 2", "\"step\": -1" },
        { "\"m\": 250", "\"m\": 251" }, { "[100, 70]", "[100, 7]" }, { "[100, 70]", "[170, 0]" }, { "[100, 70]", "[240, -70]" },
        { "\"type\": \"z\"", "\"type\": \"q\"" }, { "\"structure\": \"g\"", "\"structure\": \"\"" },
        { "\"tiles\": \"c\"", "\"tiles\": \"1\"" },
        { "\"bytes\": 64", "\"bytes\": -1" }, { "ompfact-fed", "../fact-fed" }, { "ompfact-fed", "ompfact-FED" },
        { "\"bytes\": 64, ", "" }, { "\"n\": 170,", "\"n\": 170, \"n\": 170," }, { "\"n\": 170,", "" },
        { "\"not_finite\": 7", "\"not_finite\": 99999999999999999999" }, { "\"norm\": \"0x1.ap+1\"", "\"norm\": \"inf\"" },
    };
    int heights[3], widths[2];
    struct manifest_file files[2];
    struct manifest m = example(heights, widths, files), back;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char why[MANIFEST_TEXT], *text = manifest_write(&m), *at = strstr(text, changes[i].was), changed[4096];
        ck_assert_msg(at != NULL, "%s", changes[i].was);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[i].is, at + strlen(changes[i].was));
        ck_assert_msg(manifest_parse_members(changed, &back, why) == 1, "%s", changes[i].is);
        manifest_forget(&back);
        free(text);
    }
}
END_TEST

START_TEST(names_of_files)
{
    char name[SAVED_NAME];
    manifest_name(name, 5, 1234567, 2, true);
    struct saved_name said;
    ck_assert(manifest_names(name, &said) && said.run == 5 && said.epoch == 1234567 && said.rank == 2 && said.final);
    static const char *const others[] = { "manifest.json", "notes.txt", "ompfact-", "ompfact-5-000001-000002.work",
                                          "ompfact-0000000000000005-000001-000002.finals",
                                          "ompfact-0000000000000005-000001-000002.work " };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ck_assert_msg(!manifest_names(others[i], &said), "%s", others[i]);
}
END_TEST

/* ---- files of tiles -------------------------------------------------------------------------------------------------------- */

enum { TILES = 5 };

static int64_t bytes_of(int i)
{
    return 8 * i * i;       /* one tile has no bytes */
}

static void write_tiles(struct tile_writer *w, struct manifest_file *name)
{
    double data[8 * TILES * TILES];
    for (int i = 0; i < 8 * TILES * TILES; i++)
        data[i] = 1.0 / (i + 1);
    manifest_name(name->name, 1, 0, 0, true);
    tile_writer_open(w, folder, name, TILES);
    for (int i = 0; i < TILES; i++)
        tile_writer_put(w, (struct saved_record){ .kind = SAVED_TILE, .i = i, .j = 2 * i, .rank = -1, .bytes = bytes_of(i) },
                        data + i);
}

START_TEST(tiles_come_back)
{
    struct tile_writer w;
    struct manifest_file file = { .bytes = 0 };
    struct tile_reader r;
    double data[8 * TILES * TILES];
    write_tiles(&w, &file);
    ck_assert_int_eq(tile_writer_seal(&w), 0);
    file = w.sealed;
    tile_writer_forget(&w);
    struct manifest m = { .files = 1, .file = &file };
    ck_assert_int_eq(tile_reader_create(&r, folder, &m, 0), 0);
    ck_assert_int_eq(r.count, TILES);
    ck_assert_int_eq(tile_reader_verify(&r, NULL, NULL), 0);
    for (int i = 0; i < TILES; i++) {
        ck_assert(r.record[i].i == i && r.record[i].j == 2 * i && r.record[i].bytes == bytes_of(i));
        ck_assert_int_eq(tile_reader_get(&r, &r.record[i], data), 0);
        for (int k = 0; k < i * i; k++)
            ck_assert(data[k] == 1.0 / (i + k + 1));
    }
    tile_reader_forget(&r);
}
END_TEST

static void wait_for(struct seal *seal)
{
    while (!seal_is_done(seal))
        nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

/* Tiles that are written to disk before the others are put are read back like the others. */
START_TEST(pushed_while_others_put)
{
    enum { MANY = 64, COUNT = 1 << 17 };        /* of 1 MB each */
    struct tile_writer w, work;
    struct manifest_file file = { .bytes = 0 }, other = { .bytes = 0 };
    struct tile_reader r;
    double *data = calloc(COUNT, sizeof *data);
    manifest_name(file.name, 1, 0, 0, true);
    manifest_name(other.name, 1, 0, 0, false);
    tile_writer_open(&w, folder, &file, MANY);
    tile_writer_open(&work, folder, &other, MANY);
    struct seal *seal = seal_create(NULL, &w, &work);
    ck_assert(seal != NULL && seal_is_done(seal));
    for (int i = 0; i < MANY; i++) {
        data[0] = data[COUNT - 1] = i + 1;
        tile_writer_put(&w, (struct saved_record){ .kind = SAVED_TILE, .i = i, .rank = -1, .bytes = COUNT * sizeof *data }, data);
        if (i % 8 == 7)
            seal_push(seal);
        if (i == MANY / 2 + 1)
            wait_for(seal);
    }
    wait_for(seal);
    ck_assert(atomic_load(&w.pushed) > 0);
    seal_push(seal);
    wait_for(seal);
    ck_assert(!tile_writer_is_behind(&w));
    seal_request(seal, SEAL_FILES);
    wait_for(seal);
    ck_assert(atomic_load(&w.error) == 0 && atomic_load(&work.error) == 0);
    seal_destroy(&seal);
    file = w.sealed;
    tile_writer_forget(&w);
    tile_writer_forget(&work);
    struct manifest m = { .files = 1, .file = &file };
    ck_assert_int_eq(tile_reader_create(&r, folder, &m, 0), 0);
    ck_assert_int_eq(r.count, MANY);
    for (int i = 0; i < MANY; i++) {
        ck_assert_int_eq(tile_reader_get(&r, &r.record[i], data), 0);
        ck_assert(data[0] == r.record[i].i + 1 && data[COUNT - 1] == data[0]);
    }
    tile_reader_forget(&r);
    free(data);
}
END_TEST

/* Any changed byte, and any other length, is found. */
START_TEST(changes_of_a_file)
{
    struct tile_writer w;
    struct manifest_file file = { .bytes = 0 };
    char path[LENGTH];
    unsigned char byte;
    write_tiles(&w, &file);
    ck_assert_int_eq(tile_writer_seal(&w), 0);
    file = w.sealed;
    tile_writer_forget(&w);
    struct manifest m = { .files = 1, .file = &file };
    snprintf(path, sizeof path, "%s/%s", folder, file.name);
    FILE *open = fopen(path, "r+b");
    for (long at = 0; at < (long)file.bytes; at++) {
        struct tile_reader r;
        fseek(open, at, SEEK_SET);
        ck_assert_int_eq(fread(&byte, 1, 1, open), 1);
        for (int back = 0; back < 2; back++) {
            byte ^= (unsigned char)(1 << at % 8);
            fseek(open, at, SEEK_SET);
            fwrite(&byte, 1, 1, open);
            fflush(open);
            int error = tile_reader_create(&r, folder, &m, 0);
            if (error == 0)
                error = tile_reader_verify(&r, NULL, NULL);
            ck_assert_msg(error == (back ? 0 : EINVAL), "byte %ld: %d", at, error);
            tile_reader_forget(&r);
        }
    }
    fclose(open);
    for (int64_t cut = file.bytes - 1; cut >= 0; cut -= 7) {
        struct tile_reader r;
        ck_assert_int_eq(truncate(path, cut), 0);
        ck_assert_int_eq(tile_reader_create(&r, folder, &m, 0), EINVAL);
        tile_reader_forget(&r);
    }
}
END_TEST

/* Reads a file after its table was replaced by this one, with digests to match. */
static int read_with(struct manifest_file *file, const struct saved_record *table)
{
    struct tile_reader r;
    struct manifest m = { .files = 1, .file = file };
    char path[LENGTH];
    unsigned char header[64];
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    FILE *open = fopen(path, "r+b");
    ck_assert_uint_eq(fread(header, 1, sizeof header, open), sizeof header);
    fseek(open, (long)file->bytes - TILES * (long)sizeof *table, SEEK_SET);
    ck_assert_uint_eq(fwrite(table, sizeof *table, TILES, open), TILES);
    fclose(open);
    file->digest = digest_of(digest_of(0, header, sizeof header), table, TILES * sizeof *table);
    int error = tile_reader_create(&r, folder, &m, 0);
    if (error == 0)
        error = tile_reader_verify(&r, NULL, NULL);
    tile_reader_forget(&r);
    return error;
}

/* Records of tiles that do not exist are refused, though the digests are right. */
START_TEST(what_a_table_says)
{
    struct tile_writer w;
    struct manifest_file file = { .bytes = 0 };
    struct saved_record table[TILES];
    write_tiles(&w, &file);
    ck_assert_int_eq(tile_writer_seal(&w), 0);
    file = w.sealed;
    memcpy(table, w.record, sizeof table);
    tile_writer_forget(&w);
    ck_assert_int_eq(read_with(&file, table), 0);
    for (int change = 0; change < 9; change++) {
        struct saved_record changed[TILES], *r = &changed[3];
        memcpy(changed, table, sizeof table);
        switch (change) {
        case 0: r->kind = SAVED_KINDS; break;
        case 1: r->kind = -1; break;
        case 2: r->i = -1; break;
        case 3: r->j = -1; break;
        case 4: r->bytes = -8; break;
        case 5: r->bytes = INT64_MAX; break;
        case 6: r->offset = 0; break;
        case 7: r->offset = INT64_MAX - 8; break;
        default: changed[0] = table[1]; break;      /* two records share bytes */
        }
        ck_assert_msg(read_with(&file, changed) == EINVAL, "change %d", change);
    }
}
END_TEST

/* The reader does not wait for a path that is no regular file. */
START_TEST(no_files)
{
    char path[LENGTH], why[MANIFEST_TEXT];
    struct manifest_file file = { .bytes = 64 };
    struct manifest m = { .files = 1, .file = &file }, read;
    struct tile_reader r;
    manifest_name(file.name, 1, 0, 0, true);
    snprintf(path, sizeof path, "%s/%s", folder, file.name);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(tile_reader_create(&r, folder, &m, 0), EINVAL);
    tile_reader_forget(&r);
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(manifest_read(folder, &read, why), 1);
    unlink(path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(manifest_read(folder, &read, why), 1);
    ck_assert_msg(strstr(why, strerror(EISDIR)) != NULL, "%s", why);
    rmdir(path);
}
END_TEST

/* A table that is as large as its file can be is accepted, and no larger one. After failed writes no file is left. */
START_TEST(no_room)
{
    struct tile_writer w;
    struct manifest_file file = { .bytes = 0 };
    write_tiles(&w, &file);
    tile_writer_put(&w, (struct saved_record){ .bytes = 8 }, "12345678");
    ck_assert_int_eq(tile_writer_seal(&w), EFBIG);
    ck_assert_int_eq(w.sealed.bytes, 0);
    ck_assert_int_ne(access(w.path, F_OK), 0);
    tile_writer_forget(&w);
    tile_writer_open(&w, "/nowhere/at/all", &file, 1);
    tile_writer_put(&w, (struct saved_record){ .bytes = 8 }, "12345678");
    ck_assert_int_eq(tile_writer_seal(&w), ENOENT);
    tile_writer_forget(&w);
    tile_writer_open(&w, folder, &file, 1);
    ck_assert_int_eq(tile_writer_seal(&w), 0);
    ck_assert_int_ne(access(w.path, F_OK), 0);      /* the file was empty */
    tile_writer_forget(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("manifest");
    TCase *tests = tcase_create("checkpoints' files");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, bits_of_a_digest);
    tcase_add_test(tests, zeros_of_a_digest);
    tcase_add_test(tests, manifest_comes_back);
    tcase_add_test(tests, changes_of_a_manifest);
    tcase_add_test(tests, what_a_manifest_says);
    tcase_add_test(tests, names_of_files);
    tcase_add_test(tests, tiles_come_back);
    tcase_add_test(tests, pushed_while_others_put);
    tcase_add_test(tests, changes_of_a_file);
    tcase_add_test(tests, what_a_table_says);
    tcase_add_test(tests, no_files);
    tcase_add_test(tests, no_room);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
