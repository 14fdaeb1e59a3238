#include "layouts/designs/catalogue/entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry entries[MOST_RANKS + 1][MOST_ENTRIES];
int entry_count[MOST_RANKS + 1];

void entries_add(int ranks, struct entry e)
{
    struct entry *list = entries[ranks], next[MOST_ENTRIES + 1];
    int kept = 0, count = entry_count[ranks], placed = 0;
    for (int k = 0; k < count; k++)
        if (list[k].points <= e.points && entry_cost(&list[k]) <= entry_cost(&e)) {
            free(e.text);
            return;
        }
    for (int k = 0; k < count; k++) {
        if (!placed && list[k].points >= e.points) {
            next[kept++] = e;
            placed = 1;
        }
        if (list[k].points >= e.points && entry_cost(&list[k]) >= entry_cost(&e))
            free(list[k].text);
        else
            next[kept++] = list[k];
    }
    if (!placed)
        next[kept++] = e;
    if (kept > MOST_ENTRIES)
        kept = MOST_ENTRIES;
    memcpy(list, next, (size_t)kept * sizeof *next);
    entry_count[ranks] = kept;
}

void entries_read(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1 << 14];
    int ranks = 0;
    struct entry e = { 0 };
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        int points, members;
        if (sscanf(line, "P %d r %d members %d", &ranks, &points, &members) == 3) {
            e = (struct entry){ points, members, strdup(line) };
        } else if (e.text != NULL && line[0] != '\n') {
            e.text = realloc(e.text, strlen(e.text) + strlen(line) + 1);
            strcat(e.text, line);
        }
        if (e.text != NULL && line[0] == '\n') {
            entries_add(ranks, e);
            e.text = NULL;
        }
    }
    if (e.text != NULL)
        entries_add(ranks, e);
    if (file != NULL)
        fclose(file);
}

int entries_write(const char *path)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.new", path);
    FILE *file = fopen(name, "w");
    if (file == NULL)
        return 1;
    fprintf(file, "ompfact catalogue of symmetric patterns, version 1\n");
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++)
        for (int k = 0; k < entry_count[ranks]; k++)
            fprintf(file, "\n%s", entries[ranks][k].text);
    return fclose(file) != 0 || rename(name, path) != 0;
}

char *entry_text(int ranks, int members, const struct base_blocks *base, const char *origin)
{
    const struct blocks *b = &base->blocks;
    size_t size = 512 + 6 * (size_t)b->first[b->ranks] + 2 * (size_t)b->ranks;
    char *text = malloc(size), *s = text;
    s += sprintf(s, "P %d r %d members %d group %d fixed %d %d by %s\n", ranks, b->points, members, base->group,
                 base->fixed_points, base->fixed_ranks, origin);
    for (int block = 0; block < b->ranks; block++)
        for (int k = b->first[block]; k < b->first[block + 1]; k++)
            s += sprintf(s, "%d%c", b->point[k], k + 1 < b->first[block + 1] ? ' ' : '\n');
    return text;
}
