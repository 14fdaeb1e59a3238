/* Weights of the tiles of a compressed matrix, before the matrix has a layout. */
#include "src/choose/choose.h"
#include "src/choose/predict.h"

ompfact_status ompfact_predict_weights(ompfact_grid *grid, const ompfact_shape *shape,
                                       void (*entry)(void *context, int64_t i, int64_t j, void *value), void *context,
                                       double *weights)
{
    ompfact_shape weighed = *shape, tiled;
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *A = NULL;
    weighed.weights = weights;
    TRY(agree(grid, shape->accuracy > 0 ? OMPFACT_SUCCESS
                                        : fail(grid, OMPFACT_BAD_ARGUMENT,
                                               "the prediction of weights needs a shape with an accuracy")));
    TRY(shape_complete(grid, &weighed, &tiled));
    struct pattern *one = pattern_alloc(1, 1, 1);
    TRY(agree(grid, one == NULL ? fail(grid, OMPFACT_NO_MEMORY, "no memory for a layout")
                                : matrix_on_paper(&tiled, one, 0, &A, grid->message)));
    TRY(predict_ranks(grid, A, &(struct entries){ entry, context }, weights));
    return agree_memory(grid, predict_work(A, grid->settings.threads, weights), "to predict work");
}
