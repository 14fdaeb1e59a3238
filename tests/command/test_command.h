/* Shared by tests of the command's parts: command lines and captured text. No MPI. */
#ifndef OMPFACT_TESTS_COMMAND_TEST_COMMAND_H
#define OMPFACT_TESTS_COMMAND_TEST_COMMAND_H

#include "src/command/options.h"
#include "tests/suite.h"

enum { WORDS_MAX = 64, FILE_TEXT = 16384 };

/* A command line, split at blanks. The words are valid as long as the struct. */
struct words {
    char line[1024];
    char *argv[WORDS_MAX];
    int argc;
};

static inline int parse(struct words *w, const char *line, struct options *o, char *text)
{
    snprintf(w->line, sizeof w->line, "ompfact %s", line);
    w->argc = 0;
    for (char *word = strtok(w->line, " "); word; word = strtok(NULL, " "))
        w->argv[w->argc++] = word;
    ck_assert_int_le(w->argc, WORDS_MAX);
    return options_parse(w->argc, w->argv, o, text);
}

static inline struct options good(struct words *w, const char *line)
{
    struct options o;
    char text[COMMAND_TEXT];
    int status = parse(w, line, &o, text);
    ck_assert_msg(status == 0, "%s: %s", line, text);
    return o;
}

/* A bad line gets this message in one line, and nothing is left to free. */
static inline void bad(const char *line, const char *expected)
{
    struct words w;
    struct options o;
    char text[COMMAND_TEXT];
    ck_assert_msg(parse(&w, line, &o, text) == COMMAND_USAGE, "%s is accepted", line);
    ck_assert_msg(strstr(text, expected), "%s: \"%s\" lacks \"%s\"", line, text, expected);
    ck_assert_ptr_null(strchr(text, '\n'));
    ck_assert_ptr_null(o.dim.item);
    ck_assert_ptr_null(o.nb.item);
}

/* Reads all that a function has printed into buffer. */
static inline const char *contents(FILE *file, char buffer[FILE_TEXT])
{
    rewind(file);
    buffer[fread(buffer, 1, FILE_TEXT - 1, file)] = '\0';
    fclose(file);
    return buffer;
}

static inline FILE *scratch(void)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    return file;
}

/* Makes a file with this text, which the test owns. */
static inline void make_file(char path[32], const char *text)
{
    strcpy(path, "/tmp/ompfact-test-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

#endif
