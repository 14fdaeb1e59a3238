#include "src/checkpoint/manifest.h"
#include "src/io/c_locale.h"
#include "src/io/digest.h"
#include "src/io/json_text.h"
#include "src/io/text_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------------------------------------- */

void manifest_name(char name[SAVED_NAME], uint64_t run, int epoch, int rank, bool final)
{
    snprintf(name, SAVED_NAME, "ompfact-%016" PRIx64 "-%06d-%06d.%s", run, epoch, rank, final ? "final" : "work");
}

bool manifest_names(const char *name, struct saved_name *found)
{
    char ending[8], again[SAVED_NAME];
    if (sscanf(name, "ompfact-%16" SCNx64 "-%9d-%9d.%7s", &found->run, &found->epoch, &found->rank, ending) != 4)
        return false;
    found->final = strcmp(ending, "final") == 0;
    manifest_name(again, found->run, found->epoch, found->rank, found->final);
    return strcmp(name, again) == 0;
}

char *manifest_path(const char *folder, const char *name)
{
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = malloc(length);
    if (path != NULL)
        snprintf(path, length, "%s/%s", folder, name);
    return path;
}

/* ---- members --------------------------------------------------------------------------------------------------------------- */

#define AT(member) .place = offsetof(struct manifest, member)
const struct manifest_member manifest_members[MANIFEST_MEMBERS] = {
    { "format", .kind = MEMBER_FORMAT },
    { "run", MEMBER_NUMBER_16, AT(run) },
    { "step", MEMBER_INT, AT(step) },
    { "factorization", MEMBER_WORD, AT(factorization), .room = sizeof ((struct manifest *)0)->factorization },
    { "pivot", MEMBER_WORD, AT(pivot), .room = sizeof ((struct manifest *)0)->pivot },
    { "type", MEMBER_LETTER, AT(type), .letters = "sdcz" },
    { "structure", MEMBER_LETTER, AT(structure), .letters = "glust" },
    { "tiles", MEMBER_LETTER, AT(tiles), .letters = "dcmbtu" },
    { "m", MEMBER_INTEGER, AT(m) },
    { "n", MEMBER_INTEGER, AT(n) },
    { "kept", MEMBER_INT, AT(kept), .optional = true },
    { "heights", MEMBER_SIZES, AT(heights), .count = offsetof(struct manifest, mt) },
    { "widths", MEMBER_SIZES, AT(widths), .count = offsetof(struct manifest, nt) },
    { "tolerance", MEMBER_REAL, AT(tolerance) },
    { "allowance", MEMBER_REAL, AT(allowance) },
    { "rounding", MEMBER_REAL, AT(rounding) },
    { "roundings", MEMBER_REAL, AT(roundings) },
    { "norm", MEMBER_REAL, AT(norm) },
    { "not_finite", MEMBER_INTEGER, AT(not_finite) },
    { "about", MEMBER_TEXT, AT(about) },
    { "files", .kind = MEMBER_FILES },
    { "digest", .kind = MEMBER_DIGEST },
};

/* ---- written --------------------------------------------------------------------------------------------------------------- */

static void write_sizes(FILE *out, const int *sizes, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%d", i > 0 ? ", " : "[", sizes[i]);
    fprintf(out, count > 0 ? "]" : "[]");
}

static void write_files(FILE *out, const struct manifest *m)
{
    for (int i = 0; i < m->files; i++)
        fprintf(out, "%s\n    {\"name\": \"%s\", \"bytes\": %" PRId64 ", \"digest\": \"%016" PRIx64 "\"}", i > 0 ? "," : "[",
                m->file[i].name, m->file[i].bytes, m->file[i].digest);
    fprintf(out, m->files > 0 ? "\n  ]" : "[\n  ]");
}

static void write_value(FILE *out, const struct manifest *m, const struct manifest_member *member)
{
    const void *at = (const char *)m + member->place;
    switch (member->kind) {
    case MEMBER_FORMAT: fprintf(out, "\"%s\"", MANIFEST_FORMAT); break;
    case MEMBER_NUMBER_16: fprintf(out, "\"%016" PRIx64 "\"", *(const uint64_t *)at); break;
    case MEMBER_INT: fprintf(out, "%d", *(const int *)at); break;
    case MEMBER_INTEGER: fprintf(out, "%" PRId64, *(const int64_t *)at); break;
    case MEMBER_REAL: fprintf(out, "\"%a\"", *(const double *)at); break;
    case MEMBER_WORD: fprintf(out, "\"%s\"", (const char *)at); break;
    case MEMBER_LETTER: fprintf(out, "\"%c\"", *(const char *)at); break;
    case MEMBER_TEXT: json_write_exact(out, *(char *const *)at != NULL ? *(char *const *)at : ""); break;
    case MEMBER_SIZES: write_sizes(out, *(int *const *)at, *(const int *)((const char *)m + member->count)); break;
    case MEMBER_FILES: write_files(out, m); break;
    case MEMBER_DIGEST: break;
    }
}

/* All members up to the digest, and its opening quote. */
static void write_members(FILE *out, const struct manifest *m)
{
    const char *before = "{\n";
    for (const struct manifest_member *member = manifest_members; member->kind != MEMBER_DIGEST; member++) {
        if (member->optional && *(const int *)((const char *)m + member->place) == 0)
            continue;
        fprintf(out, "%s  \"%s\": ", before, member->name);
        write_value(out, m, member);
        before = ",\n";
    }
    fprintf(out, ",\n  \"digest\": \"");
}

/* The digest covers all that precedes it. */
char *manifest_write(const struct manifest *m)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = text_stream(&text, &length);
    if (out == NULL)
        return NULL;
    struct c_locale c = c_locale_begin();
    write_members(out, m);
    c_locale_end(c);
    bool made = fflush(out) == 0;
    if (made)
        fprintf(out, "%016" PRIx64 "\"\n}\n", digest_of(0, text, length));
    if (fclose(out) != 0 || !made) {
        free(text);
        return NULL;
    }
    return text;
}

void manifest_forget(struct manifest *m)
{
    free(m->heights);
    free(m->widths);
    free(m->about);
    free(m->file);
    *m = (struct manifest){ 0 };
}
