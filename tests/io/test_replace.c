/* New files replace old ones. */
#include "src/io/replace.h"
#include "tests/io/test_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char *in_folder(const char *name, char path[LENGTH])
{
    snprintf(path, LENGTH, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void assert_text(const char *path, const char *text)
{
    char found[64] = "";
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(found, text);
}

static int files(void)
{
    int count = 0;
    DIR *all = opendir(folder);
    for (struct dirent *one; (one = readdir(all)) != NULL;)
        count += one->d_name[0] != '.';
    closedir(all);
    return count;
}

/* The old file stays until the new one is complete, and if that is dropped. Nothing else is left in the folder. */
START_TEST(whole_or_old)
{
    char path[LENGTH];
    struct replacement r;
    write_text(in_folder("a", path), "old");
    for (int commits = 0; commits < 2; commits++) {
        ck_assert_int_eq(replace_begin(path, &r), 0);
        write_text(replace_path(&r), "new");
        assert_text(path, "old");
        ck_assert_int_eq(files(), 2);
        if (commits)
            ck_assert_int_eq(replace_commit(&r), 0);
        replace_drop(&r);
        assert_text(path, commits ? "new" : "old");
        ck_assert_int_eq(files(), 1);
    }
}
END_TEST

/* Names of the greatest length work, and so do temporary names that a killed process with the same number has left. */
START_TEST(names)
{
    char path[LENGTH], name[256] = "";
    struct replacement r, other;
    memset(name, 'x', 255);
    ck_assert_int_eq(replace_begin(in_folder(name, path), &r), 0);
    ck_assert_int_eq(replace_begin(path, &other), 0);
    ck_assert_str_ne(replace_path(&r), replace_path(&other));
    write_text(replace_path(&other), "other");
    ck_assert_int_eq(replace_commit(&other), 0);
    replace_drop(&r);
    assert_text(path, "other");
    ck_assert_int_eq(files(), 1);
}
END_TEST

/* The new file has the old one's permissions; a file that may not be written is not replaced. */
START_TEST(permissions)
{
    char path[LENGTH];
    struct replacement r;
    struct stat status;
    write_text(in_folder("a", path), "old");
    ck_assert_int_eq(chmod(path, 0604), 0);
    ck_assert_int_eq(replace_begin(path, &r), 0);
    ck_assert_int_eq(replace_commit(&r), 0);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0604);
    ck_assert_int_eq(chmod(path, 0444), 0);
    ck_assert_int_eq(replace_try(path), access(path, W_OK) == 0 ? 0 : EACCES);      /* root may write it */
}
END_TEST

/* A link's target is replaced. Circular links, folders and missing places are refused. Devices are written in place. */
START_TEST(places)
{
    char path[LENGTH], link[LENGTH];
    struct replacement r;
    ck_assert_int_eq(symlink("circle", in_folder("circle", path)), 0);
    ck_assert_int_eq(replace_try(path), ELOOP);
    ck_assert_int_eq(replace_try(folder), EISDIR);
    ck_assert_int_eq(replace_try(in_folder("none/a", path)), ENOENT);
    ck_assert_int_eq(symlink("second", in_folder("first", link)), 0);
    ck_assert_int_eq(symlink("a", in_folder("second", path)), 0);
    ck_assert_int_eq(replace_begin(link, &r), 0);
    write_text(replace_path(&r), "new");
    ck_assert_int_eq(replace_commit(&r), 0);
    assert_text(in_folder("a", path), "new");
    ck_assert_int_eq(readlink(link, path, sizeof path), 6);
    ck_assert(replace_in_place("/dev/null") && !replace_in_place(link));
    ck_assert_int_eq(replace_begin("/dev/null", &r), 0);
    ck_assert_str_eq(replace_path(&r), "/dev/null");
    ck_assert_int_eq(replace_commit(&r), 0);
}
END_TEST

/* A file is identified by device and inode, not by its name; a missing one by its folder and name. */
START_TEST(identity)
{
    char path[LENGTH], hard[LENGTH], soft[LENGTH], other[LENGTH];
    write_text(in_folder("a", path), "old");
    ck_assert_int_eq(symlink("a", in_folder("link", soft)), 0);
    ck_assert(replace_same(path, in_folder("./a", other)) && replace_same(path, soft));
    ck_assert(!replace_same(path, in_folder("b", other)));
    ck_assert_int_eq(link(path, in_folder("hard", hard)), 0);
    ck_assert(replace_same(soft, hard));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert(replace_same(path, soft) && !replace_same(soft, hard) && !replace_same(soft, other));
    ck_assert(!replace_same("/dev/null", "/dev/null"));
}
END_TEST

/* Replaces path by "new" as a user who is not root, nor the files' owner if root started the tests. Returns 0 or errno. */
static int replace_as_other(const char *path)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        enum { NOBODY = 65534 };
        struct replacement r;
        if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
            _exit(errno);
        int error = replace_try(path);
        if (error == 0)
            error = replace_begin(path, &r);
        if (error != 0)
            _exit(error);
        FILE *file = fopen(replace_path(&r), "r+");
        if (file == NULL || fputs("new", file) < 0 || ftruncate(fileno(file), 3) != 0 || fclose(file) != 0)
            _exit(errno);
        _exit(replace_commit(&r));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A writable file is written: in place where its folder is not writable, and with the new file's bytes where it is another user's
   in a sticky folder. A new file is still refused there. */
START_TEST(folders)
{
    char path[LENGTH];
    struct stat before, after;
    mode_t modes[] = { 0555, 01777 };
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(chmod(folder, 0755), 0);
        write_text(in_folder("a", path), "old and longer");
        ck_assert_int_eq(chmod(path, 0666), 0);
        ck_assert_int_eq(chmod(folder, modes[i]), 0);
        ck_assert_int_eq(stat(path, &before), 0);
        ck_assert_int_eq(replace_as_other(path), 0);
        assert_text(path, "new");
        ck_assert_int_eq(files(), 1);
        ck_assert_int_eq(stat(path, &after), 0);
        ck_assert(before.st_ino == after.st_ino || (getuid() != 0 && modes[i] == 01777));   /* only root can act as two users */
    }
    ck_assert_int_eq(chmod(folder, 0555), 0);
    ck_assert_int_eq(replace_as_other(in_folder("b", path)), EACCES);
    ck_assert_int_eq(chmod(folder, 0755), 0);
}
END_TEST

/* Paths that are too long are refused before anything is written. */
START_TEST(too_long)
{
    char name[NAME_MAX + 2], path[LENGTH + NAME_MAX];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_int_eq(replace_try(path), ENAMETOOLONG);
    path[strlen(path) - 1] = '\0';
    ck_assert_int_eq(replace_try(path), 0);
    ck_assert_int_eq(files(), 0);
}
END_TEST

/* A pipe that has a name in /proc alone is written, and a file that is standard output is appended to. */
START_TEST(open_here)
{
    struct replacement r;
    char path[LENGTH], read_back[8] = "";
    int out = dup(STDOUT_FILENO), ends[2];
    ck_assert(fflush(stdout) == 0 && pipe(ends) == 0 && dup2(ends[1], STDOUT_FILENO) >= 0);
    int tried = replace_try("/dev/stdout"), begun = replace_begin("/proc/self/fd/1", &r);
    FILE *file = begun == 0 ? replace_open(&r) : NULL;
    bool written = file != NULL && fputs("piped", file) >= 0 && fclose(file) == 0 && replace_commit(&r) == 0;
    dup2(out, STDOUT_FILENO);
    ck_assert(tried == 0 && written && read(ends[0], read_back, sizeof read_back) == 5 && strcmp(read_back, "piped") == 0);
    write_text(in_folder("log", path), "old, ");
    int log = open(path, O_WRONLY | O_APPEND);
    dup2(log, STDOUT_FILENO);
    begun = replace_begin(path, &r);
    file = begun == 0 ? replace_open(&r) : NULL;
    written = file != NULL && fputs("new", file) >= 0 && fclose(file) == 0 && replace_commit(&r) == 0;
    dup2(out, STDOUT_FILENO);
    close(log);
    close(out);
    ck_assert(written);
    assert_text(path, "old, new");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replace");
    TCase *c = tcase_create("replace");
    tcase_add_checked_fixture(c, make_folder, remove_folder);
    tcase_add_test(c, whole_or_old);
    tcase_add_test(c, names);
    tcase_add_test(c, permissions);
    tcase_add_test(c, places);
    tcase_add_test(c, identity);
    tcase_add_test(c, folders);
    tcase_add_test(c, too_long);
    tcase_add_test(c, open_here);
    suite_add_tcase(suite, c);
    return run_serial_suite(suite);
}
