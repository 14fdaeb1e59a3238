/* A command line of one word a line, and the kind of matrix that it names. */
#include "src/command/options.h"
#include "src/generate/generate.h"
#include "tests/fuzz/fuzz_readers.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 };

static void read_kind(const struct options *o, const ompfact_shape *p)
{
    struct generator g;
    char text[IO_TEXT] = "";
    const enum generate_symmetry symmetry = is_cholesky(o) ? GENERATE_HERMITIAN : GENERATE_GENERAL;
    if (o->matrix != NULL && generate_parse(o->matrix, symmetry, p->m, p->n, 1, &g, text) != 0)
        EXPECT(text[0] != '\0');
}

void read_options(const uint8_t *bytes, size_t size)
{
    char *line = reader_text(bytes, size), *words[WORDS + 1] = { (char []){ "ompfact" } }, *rest = line, text[COMMAND_TEXT];
    int count = 1;
    while (count < WORDS && rest != NULL)
        words[count++] = strsep(&rest, "\n");
    struct options o;
    if (options_parse(count, words, &o, text) != 0) {
        reader_expect_line(text, sizeof text);
    } else if (o.routine != NULL) {
        int64_t problems = options_problem_count(&o);
        EXPECT(problems > 0);
        for (int64_t k = 0; k < problems; k += problems > 1 ? problems - 1 : 1) {
            ompfact_shape p = options_problem(&o, k).shape;
            EXPECT(p.m >= 0 && p.m <= OPTION_DIM_MAX && p.n >= 0 && p.n <= OPTION_DIM_MAX && p.nb >= 0 && p.nb <= OPTION_NB_MAX);
            read_kind(&o, &p);
        }
        options_free(&o);
    }
    free(line);
}
