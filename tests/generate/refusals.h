/* Kinds of matrices that are refused. */
#include "src/generate/generate.h"
#include "tests/io/test_io.h"

struct refusal {
    const char *spec, *what;        /* a part of the message */
};

static void check_refusals(const struct refusal *bad, size_t count, enum generate_symmetry symmetry)
{
    char text[IO_TEXT];
    struct generator g;
    for (size_t k = 0; k < count; k++) {
        ck_assert_msg(generate_parse(bad[k].spec, symmetry, 4, 4, 1, &g, text) != 0, "taken: %s", bad[k].spec);
        says(text, "matrix kind", bad[k].what);
    }
}
