#include "layouts/designs/catalogue.h"

#include <stdlib.h>
#include <string.h>

int base_blocks_expand(const struct base_blocks *base, struct blocks *all)
{
    const struct blocks *b = &base->blocks;
    int n = base->group, orbits = b->ranks - base->fixed_ranks, moved = group_points_moved(base);
    int64_t members = (int64_t)n * b->first[orbits];
    for (int k = b->first[orbits]; k < b->first[b->ranks]; k++)
        members += b->point[k] < moved ? n : 1;
    if (blocks_create(all, orbits * n + base->fixed_ranks, b->points, members))
        return 1;

    int count = 0, rank = 0;
    for (int block = 0; block < b->ranks; block++) {
        int is_fixed = block >= orbits;
        for (int t = 0; t < (is_fixed ? 1 : n); t++) {
            for (int k = b->first[block]; k < b->first[block + 1]; k++)
                for (int u = 0; u < (is_fixed && b->point[k] < moved ? n : 1); u++)
                    all->point[count++] = group_move(b->point[k], t + u, n, moved);
            all->first[++rank] = count;
        }
    }
    return 0;
}

/* ---- the text ----------------------------------------------------------------------------------------------------------- */

static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end != NULL ? end + 1 : text + strlen(text);
}

const char *catalogue_next(const char *text, int ranks, struct catalogue_entry *e)
{
    char key[24];
    snprintf(key, sizeof key, "\nP %d ", ranks);
    for (text = strstr(text, key); text != NULL; text = strstr(text + 1, key)) {
        int fields = sscanf(text, " P %d r %d members %d group %d fixed %d %d by %95[^\n]", &e->ranks, &e->points, &e->members,
                            &e->group, &e->fixed_points, &e->fixed_ranks, e->origin);
        e->lines = next_line(text + 1);
        if (fields == 7)
            return e->lines;
    }
    return NULL;
}

/* Reads the numbers of one line, each below limit, at most `most`. Returns their number, or -1 if the line is invalid. */
static int read_line(const char *line, int limit, int most, int *numbers)
{
    int count = 0;
    while (*line != '\n' && *line != '\0') {
        char *end;
        long number = strtol(line, &end, 10);
        if (end == line || number < 0 || number >= limit || count == most)
            return -1;
        numbers[count++] = (int)number;
        line = end;
        while (*line == ' ')
            line++;
    }
    return count;
}

static int read_blocks(const struct catalogue_entry *e, struct base_blocks *base)
{
    int orbits = (e->ranks - e->fixed_ranks) / e->group, lines = orbits + e->fixed_ranks;
    *base = (struct base_blocks){ .group = e->group, .fixed_points = e->fixed_points, .fixed_ranks = e->fixed_ranks };
    if (blocks_create(&base->blocks, lines, e->points, (int64_t)lines * e->points))
        return 1;
    const char *line = e->lines;
    for (int block = 0; block < lines; block++, line = next_line(line)) {
        int *first = base->blocks.first + block;
        int count = read_line(line, e->points, e->points, base->blocks.point + first[0]);
        if (count < 1)
            return 1;
        first[1] = first[0] + count;
    }
    return 0;
}

int catalogue_blocks(const struct catalogue_entry *e, struct blocks *all)
{
    struct base_blocks base = { 0 };
    if (e->group < 1 || e->points < 1 || e->fixed_points < 0 || e->fixed_ranks < 0 ||
        (e->points - e->fixed_points) % e->group != 0 || (e->ranks - e->fixed_ranks) % e->group != 0)
        return 1;
    int failed = read_blocks(e, &base) || base_blocks_expand(&base, all);
    blocks_destroy(&base.blocks);
    return failed;
}
