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

/* ---- written --------------------------------------------------------------------------------------------------------------- */

static void write_sizes(FILE *out, const char *key, const int *sizes, int count)
{
    fprintf(out, "  \"%s\": [", key);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%d", i > 0 ? ", " : "", sizes[i]);
    fprintf(out, "],\n");
}

static void write_members(FILE *out, const struct manifest *m)
{
    fprintf(out, "{\n  \"format\": \"%s\",\n  \"run\": \"%016" PRIx64 "\",\n  \"step\": %d,\n", MANIFEST_FORMAT, m->run, m->step);
    fprintf(out, "  \"factorization\": \"%s\",\n  \"pivot\": \"%s\",\n  \"type\": \"%c\",\n", m->factorization,
            m->pivot, m->type);
    fprintf(out, "  \"structure\": \"%c\",\n  \"tiles\": \"%c\",\n", m->structure, m->tiles);
    fprintf(out, "  \"m\": %" PRId64 ",\n  \"n\": %" PRId64 ",\n", m->m, m->n);
    if (m->kept > 0)
        fprintf(out, "  \"kept\": %d,\n", m->kept);
    write_sizes(out, "heights", m->heights, m->mt);
    write_sizes(out, "widths", m->widths, m->nt);
    fprintf(out, "  \"tolerance\": \"%a\",\n  \"allowance\": \"%a\",\n", m->tolerance, m->allowance);
    fprintf(out, "  \"rounding\": \"%a\",\n  \"roundings\": \"%a\",\n", m->rounding, m->roundings);
    fprintf(out, "  \"norm\": \"%a\",\n  \"not_finite\": %" PRId64 ",\n", m->norm, m->not_finite);
    fprintf(out, "  \"about\": ");
    json_write_exact(out, m->about != NULL ? m->about : "");
    fprintf(out, ",\n  \"files\": [");
    for (int i = 0; i < m->files; i++)
        fprintf(out, "%s\n    {\"name\": \"%s\", \"bytes\": %" PRId64 ", \"digest\": \"%016" PRIx64 "\"}", i > 0 ? "," : "",
                m->file[i].name, m->file[i].bytes, m->file[i].digest);
    fprintf(out, "\n  ],\n  \"digest\": \"");
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
