/* Tiles of a shape with a cut: a tile begins after the cut. */
#include "src/choose/choose.h"

#include <stdlib.h>

/* Checks sizes that the caller gave. */
static ompfact_status check_sizes(const int *sizes, int count, int64_t cut, char message[MESSAGE])
{
    int64_t at = 0;
    for (int i = 0; i < count && at < cut; i++)
        at += sizes[i];
    return at == cut ? OMPFACT_SUCCESS : fail_with(message, OMPFACT_BAD_ARGUMENT, "no tile begins at ompfact_shape.cut");
}

/* Makes tiles of nb up to the cut, and again from the cut on. */
static ompfact_status cut_side(const ompfact_shape *s, int64_t size, int **own, int *count, char message[MESSAGE])
{
    int64_t parts;
    *own = tiling_cut(NULL, 0, size, s->nb, s->cut, &parts);
    *count = (int)parts;
    return *own != NULL ? OMPFACT_SUCCESS
                        : fail_with(message, OMPFACT_NO_MEMORY, "no memory for the sizes of so many tiles");
}

ompfact_status shape_cut(ompfact_shape *s, struct cut_sizes *own, char message[MESSAGE])
{
    bool triangle = stores_triangle(s);
    int64_t m = shape_rows(s);
    *own = (struct cut_sizes){ NULL, NULL };
    if (s->cut == 0)
        return OMPFACT_SUCCESS;
    if (s->cut < 0 || s->cut > m || s->cut > s->n)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "ompfact_shape.cut exceeds the rows or columns of the matrix");
    if (s->row_heights != NULL)
        TRY(check_sizes(s->row_heights, s->mt, s->cut, message));
    if (!triangle && s->col_widths != NULL)
        TRY(check_sizes(s->col_widths, s->nt, s->cut, message));
    if (s->nb < 1 || s->cut % s->nb == 0)
        return OMPFACT_SUCCESS;
    if (s->row_heights == NULL) {
        TRY(cut_side(s, m, &own->heights, &s->mt, message));
        s->row_heights = own->heights;
    }
    if (!triangle && s->col_widths == NULL) {
        TRY(cut_side(s, s->n, &own->widths, &s->nt, message));
        s->col_widths = own->widths;
    }
    return OMPFACT_SUCCESS;
}

void cut_sizes_forget(struct cut_sizes *own)
{
    free(own->heights);
    free(own->widths);
    *own = (struct cut_sizes){ NULL, NULL };
}
