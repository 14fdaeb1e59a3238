/* Destruction of matrices, with the data attached to them and their layers. */
#include "src/matrix/layers.h"

#include <stdlib.h>

/* ---- attachments --------------------------------------------------------------------------------------------------------- */

void matrix_attach(ompfact_matrix *A, struct attachment *attachment)
{
    struct attachment **end = &A->attached;
    while (*end != NULL)
        end = &(*end)->next;
    *end = attachment;
}

void matrix_detach(ompfact_matrix *A, struct attachment *attachment)
{
    struct attachment **a = &A->attached;
    while (*a != attachment)
        a = &(*a)->next;
    *a = attachment->next;
}

struct attachment *matrix_attached(const ompfact_matrix *A, void (*destroy)(struct attachment *attachment))
{
    struct attachment *a = A->attached;
    while (a != NULL && a->destroy != destroy)
        a = a->next;
    return a;
}

/* ---- destruction --------------------------------------------------------------------------------------------------------- */

void matrix_touched(ompfact_matrix *A)
{
    if (A->grid != NULL)
        A->grid->untouched -= A->untouched;
    A->untouched = 0;
}

static void destroy_layers(ompfact_matrix *A)
{
    struct layers *s = A->layers;
    if (s == NULL || A->layer > 0)
        return;
    for (int l = 1; s->layer != NULL && l < s->count; l++)
        ompfact_matrix_destroy(&s->layer[l]);
    roster_free(&s->roster);
    free(s->of_step);
    free(s->first_step);
    free(s->does);
    free(s->layer);
    free(s);
    A->layers = NULL;
}

static void destroy_what_is_attached(ompfact_matrix *A)
{
    while (A->attached != NULL) {
        struct attachment *first = A->attached;
        A->attached = first->next;
        first->destroy(first);
    }
}

void ompfact_matrix_destroy(ompfact_matrix **A)
{
    ompfact_matrix *a = *A;
    if (a == NULL)
        return;
    ompfact_grid *grid = a->grid;       /* NULL: the matrix is on paper */
    ompfact_matrix_destroy(&a->work);
    destroy_layers(a);
    destroy_what_is_attached(a);
    free(a->ipiv);
    if (a->owns_leading)
        ompfact_matrix_destroy(&a->leading);
    matrix_touched(a);
    pinned_release(&a->pinned, a->pinned.count > 0 ? a->grid->devices : NULL);
    if (a->owns_space)
        rma_space_destroy(&a->space);
    compressed_destroy(&a->compressed);
    if (a->layout != NULL)
        storage_destroy(a);
    layout_destroy(&a->layout);
    pattern_destroy(&a->pattern);
    tiling_destroy(&a->rows);
    tiling_destroy(&a->cols);
    free(a);
    if (grid != NULL)
        grid_release(grid);
    *A = NULL;
}

ompfact_status matrix_only_after(ompfact_status status, ompfact_matrix **A)
{
    if (status != OMPFACT_SUCCESS)
        ompfact_matrix_destroy(A);
    return status;
}

void matrix_become(ompfact_matrix *A, ompfact_matrix **B)
{
    destroy_what_is_attached(A);        /* before the matrix moves to another address */
    ompfact_matrix *before = *B, larger = *before;
    *before = *A;
    *A = larger;
    if (A->leading != NULL) {
        A->leading = before;
        A->owns_leading = true;
        *B = NULL;
    }
    ompfact_matrix_destroy(B);
}
