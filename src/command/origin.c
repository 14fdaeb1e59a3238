#include "src/command/session.h"

#include "src/io/text_stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Adds quotes if a shell would change the word. */
static void print_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; word++)
        *word == '\'' ? fputs("'\\''", out) : fputc(*word, out);
    fputc('\'', out);
}

char *shell_line(char *const *words)
{
    char *text;
    size_t length;
    FILE *out = text_stream(&text, &length);
    if (out == NULL)
        return NULL;
    for (; *words != NULL; words++) {
        print_word(out, *words);
        fputs(words[1] != NULL ? " " : "", out);
    }
    return text_stream_end(out, &text);
}

void origin_find(struct origin *origin, char *const *argv, const ompfact_grid *grid)
{
    time_t now = time(NULL);
    struct tm utc;
    *origin = (struct origin){ .command = shell_line(argv) };
    if (gmtime_r(&now, &utc) != NULL)
        strftime(origin->date, sizeof origin->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (grid == NULL)
        return;
    gethostname(origin->host, sizeof origin->host - 1);
    ompfact_processor(origin->processor);
    ompfact_mpi_version(origin->mpi);
    const char *kernels = ompfact_blas_kernels(grid);
    snprintf(origin->blas, sizeof origin->blas, "%s%s", kernels[0] != '\0' ? "BLIS " : "other", kernels);
}

void origin_forget(struct origin *origin)
{
    free(origin->command);
    origin->command = NULL;
}

static const char *if_known(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

void origin_add(const struct origin *origin, struct facts *facts)
{
    facts->date = if_known(origin->date);
    facts->version = ompfact_version();
    facts->commit = if_known(ompfact_commit());
    facts->host = if_known(origin->host);
    facts->processor = if_known(origin->processor);
    facts->mpi = if_known(origin->mpi);
    facts->blas = if_known(origin->blas);
    facts->command = origin->command;
}
