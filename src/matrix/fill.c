/* Fills a matrix by the function of its caller: by tiles, or by entries. */
#include "src/matrix/matrix.h"

#include <stdlib.h>

struct dense_tiles {
    ompfact_tile *tiles;
    void (*fill)(void *context, const ompfact_tile *tile);
    void *context;
};

static void fill_one(void *context, int64_t index)
{
    const struct dense_tiles *f = context;
    f->fill(f->context, &f->tiles[index]);
}

ompfact_status ompfact_fill_tiles(ompfact_matrix *A, void (*fill)(void *context, const ompfact_tile *tile), void *context)
{
    if (A->compressed != NULL) {
        matrix_begins_anew(A);
        return compressed_fill(A, fill, context);
    }
    int64_t count = layout_tiles(A->layout, A->me), n = 0;
    struct dense_tiles f = { .fill = fill, .context = context, .tiles = malloc((size_t)(count + 1) * sizeof *f.tiles) };
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile alone, *t = f.tiles != NULL ? &f.tiles[n++] : &alone;
        matrix_view(A, i, j, t);
        if (t == &alone)        /* there is no memory for a list; the call is local, and other ranks would not fail */
            fill(context, t);
    }
    run_each(A->grid->settings.threads, n, fill_one, &f);
    free(f.tiles);
    matrix_touched(A);
    matrix_begins_anew(A);
    return OMPFACT_SUCCESS;
}

struct entries {
    const ompfact_matrix *A;
    void (*entry)(void *context, int64_t i, int64_t j, void *value);
    void *context;
};

static void fill_entries(void *context, const ompfact_tile *t)
{
    const struct entries *e = context;
    enum uplo part = part_used(e->A, t->i, t->j);
    for (int c = 0; c < t->nb; c++)
        for (int r = part == LOWER ? c : 0; r < (part == UPPER ? c + 1 : t->mb); r++)
            e->entry(e->context, t->row + r, t->col + c,
                     (char *)t->data + e->A->precision->size * (size_t)(r + (int64_t)c * t->ld));
}

ompfact_status ompfact_fill_entries(ompfact_matrix *A, void (*entry)(void *context, int64_t i, int64_t j, void *value),
                                    void *context)
{
    return ompfact_fill_tiles(A, fill_entries, &(struct entries){ .A = A, .entry = entry, .context = context });
}
