#include "src/factor/saved_panels.h"
#include "src/checkpoint/restart.h"
#include "src/factor/restored.h"

#include <errno.h>
#include <stdlib.h>

int64_t most_of_panels(const struct job *job)
{
    const struct reflectors *Q = job->reflectors;
    return 2 * ((int64_t)Q->domains_of[job->A->me] + Q->merges_of[job->A->me]) + 2 * (int64_t)Q->steps;
}

/* ---- saving ---------------------------------------------------------------------------------------------------------------- */

/* No task writes the shape; the first rank saves it for all. */
static void keep_shape(const struct job *job, int k, void (*each)(void *context, int kind, const struct operand *o),
                       void *context)
{
    const ompfact_matrix *A = job->A;
    const struct reflectors *Q = job->reflectors;
    static const struct beside kind = { "the shape of a panel", NULL };
    int32_t **shape = &Q->shape[k];
    int64_t length = panel_shape(Q, k, NULL);
    if (A->me != 0)
        return;
    if (*shape == NULL && (*shape = malloc((size_t)length * sizeof **shape)) != NULL)
        panel_shape(Q, k, *shape);
    struct rma_address address = { .rank = A->me, .bytes = (size_t)length * sizeof **shape, .id = k };
    struct operand o = beside_operand(&kind, A, 0, k, 1, 1, address);
    o.data = *shape;
    each(context, SAVED_TREE, &o);
}

void keep_panel(const struct job *job, int k, void (*each)(void *context, int kind, const struct operand *o), void *context)
{
    const struct panel_tree *p = &job->reflectors->panel[k];
    static const int kinds[] = { [SQUARE_T] = SAVED_T, [SQUARE_R] = SAVED_R, [SQUARE_V] = SAVED_V };
    keep_shape(job, k, each, context);
    for (int f = 0; f < 2 * p->domains - 1; f++)
        for (enum qr_square what = SQUARE_T; what <= SQUARE_V; what++) {
            if (!is_kept(p, what, f))
                continue;
            struct operand o = square_of(job, what, k, f);
            o.i = f;
            if (o.mine)
                each(context, kinds[what], &o);
        }
}

/* ---- restoring ------------------------------------------------------------------------------------------------------------- */

/* All shapes, consecutively. On failure NULL and *error. */
static int32_t *read_shapes(const ompfact_matrix *A, const struct saved_tiles *from, int64_t *length, int *error)
{
    int64_t bytes = 0;
    char *shapes = NULL;
    *error = 0;
    for (int k = 0; k < A->done && *error == 0; k++) {
        const struct tile_reader *reader;
        const struct saved_record *record = saved_find(from, SAVED_TREE, 0, k, &reader);
        bool fits = record != NULL && record->bytes > 0 && record->bytes % (int64_t)sizeof(int32_t) == 0;
        char *longer = fits ? realloc(shapes, (size_t)(bytes + record->bytes)) : NULL;
        *error = !fits ? EINVAL : longer == NULL ? ENOMEM : 0;
        shapes = longer != NULL ? longer : shapes;
        if (*error == 0)
            *error = tile_reader_get(reader, record, shapes + bytes);
        bytes += *error == 0 ? record->bytes : 0;
    }
    *length = bytes / (int64_t)sizeof(int32_t);
    return (int32_t *)(void *)shapes;
}

static int read_squares(const struct reflectors *Q, const struct saved_tiles *from)
{
    static const enum saved_kind kinds[] = { [SQUARE_T] = SAVED_T, [SQUARE_R] = SAVED_R, [SQUARE_V] = SAVED_V };
    CLEANUP(free_at) struct panel_square *squares = malloc((3 * (size_t)Q->most_domains + 1) * sizeof *squares);
    int error = squares == NULL ? ENOMEM : 0;
    for (int k = 0; k < Q->first && error == 0; k++)
        for (int i = panel_squares(Q, k, squares) - 1; i >= 0 && error == 0; i--) {
            const struct tile_reader *reader;
            const struct saved_record *record = saved_find(from, kinds[squares[i].what], squares[i].f, k, &reader);
            bool fits = record != NULL && record->bytes == (int64_t)squares[i].bytes;
            error = fits ? tile_reader_get(reader, record, squares[i].data) : EINVAL;
            restart_answer(Q->A->grid);
        }
    return error;
}

static ompfact_status report_error(ompfact_matrix *A, const struct saved_tiles *from, int error)
{
    ompfact_status status = OMPFACT_SUCCESS;
    if (error != 0)
        status = restart_lost(A->grid, from->from->folder, "what QR left beside tiles", error);
    return agree(A->grid, status);
}

ompfact_status restore_panels(ompfact_matrix *A, const struct saved_tiles *from)
{
    int64_t length;
    int error;
    CLEANUP(free_at) int32_t *shapes = read_shapes(A, from, &length, &error);
    TRY(report_error(A, from, error != 0 ? error : check_shapes(A, shapes, length)));
    TRY(reflectors_restore(A, shapes, length));
    TRY(report_error(A, from, read_squares(reflectors_of(A), from)));
    put_tops(A);
    return OMPFACT_SUCCESS;
}
