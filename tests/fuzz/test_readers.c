/* Passes the corpus of every reader to it, without libFuzzer: seeds, and inputs that once failed, are read or refused. */
#define _GNU_SOURCE     /* asprintf */
#include "tests/fuzz/fuzz_readers.h"
#include "tests/suite.h"

#include <dirent.h>

static int read_file(const struct reader *r, const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    uint8_t *bytes = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(bytes);
    rewind(file);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    fprintf(stderr, "%s\n", path);      /* after a crash the last line of the log names the input */
    r->take(bytes, (size_t)size);
    free(bytes);
    return 1;
}

/* A reader neither crashes nor aborts on any file of its corpus, and the corpus is not empty. */
START_TEST(corpus)
{
    const struct reader *r = &readers[_i];
    const char *source = getenv("srcdir");
    char *folder = NULL, *path = NULL;
    int files = 0;
    ck_assert_int_ge(asprintf(&folder, "%s/tests/fuzz/corpus/%s", source != NULL ? source : ".", r->name), 0);
    DIR *all = opendir(folder);
    ck_assert_msg(all != NULL, "there is no %s", folder);
    for (struct dirent *one; (one = readdir(all)) != NULL;) {
        if (one->d_name[0] == '.')
            continue;
        ck_assert_int_ge(asprintf(&path, "%s/%s", folder, one->d_name), 0);
        files += read_file(r, path);
        free(path);
    }
    closedir(all);
    free(folder);
    ck_assert_int_gt(files, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("readers");
    TCase *all = tcase_create("corpora");
    int count = 0;
    while (readers[count].name != NULL)
        count++;
    tcase_add_loop_test(all, corpus, 0, count);
    suite_add_tcase(suite, all);
    return run_serial_suite(suite);
}
