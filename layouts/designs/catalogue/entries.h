/*
 * The entries of a file in the catalogue's form during its generation. For each number of ranks sizes increase and costs
 * decrease.
 */
#ifndef OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_ENTRIES_H
#define OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_ENTRIES_H

#include "layouts/designs/catalogue.h"

enum { MOST_RANKS = 2048, MOST_ENTRIES = 64 };

struct entry {
    int points, members;
    char *text;             /* as in the file: the header line and the blocks */
};

extern struct entry entries[MOST_RANKS + 1][MOST_ENTRIES];
extern int entry_count[MOST_RANKS + 1];

static inline double entry_cost(const struct entry *e)
{
    return (double)e->members / e->points;
}

/* Adds an entry, unless an entry that is no larger costs no more; removes the entries that the new one makes superfluous. Takes
   over its text. */
void entries_add(int ranks, struct entry e);
/* Adds the entries of a file if it exists. */
void entries_read(const char *path);
/* Returns 1 on failure. */
int entries_write(const char *path);

/* The text of an entry; the caller frees it. */
char *entry_text(int ranks, int members, const struct base_blocks *base, const char *origin);

#endif
