/* The steps of factorizations that end before the last row, and leave the Schur complement of the eliminated rows. */
#include "src/factor/factor.h"
#include "src/factor/snapshot.h"

#include <inttypes.h>

/* Checksums are checked when a tile is final, and some tiles would never be. */
ompfact_status check_parts(ompfact_matrix *A)
{
    if (A->has_sums)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "abft tests final tiles: it works for whole factorizations only");
    return check_dense(A);
}

ompfact_status steps_to(ompfact_matrix *A, const char *factorization, int64_t rows, int *end)
{
    TRY(check_alike(A->grid, (const char *const[]){ "number of rows" }, &rows, 1));
    TRY(check_parts(A));
    TRY(check_one_copy(A, "a factorization in part"));
    TRY(take_up(A, factorization));
    const int64_t before = A->rows.start[A->done];
    if (rows < before || rows > shorter_side(A))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "%" PRId64 " rows cannot be eliminated: %" PRId64 " to %" PRId64 " can", rows,
                    before, shorter_side(A));
    int k = 0;
    while (k < steps_of(A) && A->rows.start[k] < rows)
        k++;
    bool whole = rows == shorter_side(A);       /* then the last tile of the other side may be longer */
    *end = k;
    if (whole || (A->rows.start[k] == rows && A->cols.start[k] == rows))
        return OMPFACT_SUCCESS;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                "no tile begins behind row and column %" PRId64 ": set ompfact_shape.cut", rows);
}
