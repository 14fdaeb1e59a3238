/*
 * The best known symmetric pattern: from the catalogue; for larger P a finite plane, if P has one, or a cyclic difference
 * cover.
 */
#include "layouts/builders.h"
#include "layouts/designs/catalogue.h"
#include "layouts/designs/designs.h"
#include "layouts/designs/field.h"

#include <math.h>
#include <stdlib.h>

/* The catalogue's entry of r colrows, or with r = 0 the entry of least cost. False if there is none. */
static bool find_entry(int ranks, int r, struct catalogue_entry *best)
{
    struct catalogue_entry e;
    bool found = false;
    for (const char *text = layout_catalogue_text; (text = catalogue_next(text, ranks, &e)) != NULL;) {
        if (r != 0 ? e.points != r : found && (int64_t)e.members * best->points >= (int64_t)best->members * e.points)
            continue;
        *best = e;
        found = true;
    }
    return found;
}

static struct pattern *difference_cover(int ranks, int plane)
{
    int *residues = malloc(((size_t)ranks + 1) * sizeof *residues);
    int count = 0;
    if (residues != NULL && plane == 0)
        count = cyclic_cover(ranks, residues);
    else if (residues != NULL && singer_difference_set(plane, residues) == 0)
        count = plane + 1;
    struct pattern *pattern = count > 0 ? cyclic_pattern(ranks, residues, count) : NULL;
    free(residues);
    return pattern;
}

static struct pattern *from_blocks(struct blocks *b)
{
    struct pattern *pattern = blocks_pattern(b);
    blocks_destroy(b);
    return pattern;
}

/* The order of the plane, projective or affine, with this number of lines; 0: there is none. */
static int plane_order(int ranks)
{
    int q = 2;
    while ((int64_t)(q + 1) * (q + 2) <= ranks)
        q++;
    return ranks - q * q - q <= 1 && ranks >= q * q + q && prime_of_power(q) ? q : 0;
}

static struct pattern *computed(int ranks)
{
    struct blocks b;
    int q = plane_order(ranks);
    if (q > 0 && ranks == q * q + q && affine_plane(q, &b) == 0)
        return from_blocks(&b);
    return difference_cover(ranks, q > 0 && ranks == q * q + q + 1 ? q : 0);
}

double design_known_cost(int ranks)
{
    struct catalogue_entry e;
    int q = plane_order(ranks);
    if (find_entry(ranks, 0, &e))
        return (double)e.members / e.points;
    return q > 0 ? q + 1 : HUGE_VAL;
}

int design_sizes(int ranks, int sizes[DESIGN_SIZES])
{
    struct catalogue_entry e;
    int count = 0;
    for (const char *text = layout_catalogue_text; count < DESIGN_SIZES && (text = catalogue_next(text, ranks, &e)) != NULL;)
        sizes[count++] = e.points;
    return count;
}

struct pattern *pattern_design(int ranks, int r)
{
    struct catalogue_entry e;
    struct blocks b;
    struct pattern *pattern = NULL;
    if (ranks == 1 && r <= 1)
        pattern = pattern_2dbc(1, 1);
    else if (!find_entry(ranks, r, &e))
        pattern = find_entry(ranks, 0, &e) ? NULL : computed(ranks);
    else if (catalogue_blocks(&e, &b) == 0)
        pattern = from_blocks(&b);
    if (pattern != NULL && r != 0 && pattern->rows != r)
        pattern_destroy(&pattern);
    if (pattern != NULL)
        snprintf(pattern->name, sizeof pattern->name, "design:r=%d", pattern->rows);
    return pattern;
}
