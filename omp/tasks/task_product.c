#include "omp/tasks/task_places.h"

static struct multiplicand factor_of(const struct task_tile *tile, struct factor_form shape)
{
    return (struct multiplicand){ .data = tile->data, .ld = tile->mb, .part = shape.part, .diag = shape.diag,
                                  .trans = shape.trans };
}

static void product(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1], *C = &t->tile[2];
    if (t->kernels->product(C->mb, C->nb, t->with.k, -1, factor_of(A, t->with.shape_a), factor_of(B, t->with.shape_b), C->data,
                            C->mb) != 0)
        task_no_memory(t);
}

static struct factor_form in_memory(const struct operand *T, struct factor_form shape, bool swapped)
{
    enum trans trans = trans_in_memory(T, shape.trans);
    return (struct factor_form){ .part = uplo_in_memory(T, shape.part), .diag = shape.diag,
                           .trans = swapped ? other_trans(trans) : trans };
}

void task_product(struct run *run, struct factor_form shape_a, struct operand A, struct factor_form shape_b, struct operand B,
                  struct operand C)
{
    /* The diagonal tile of a wide or tall matrix is not square: the order of its factors is its shorter side. */
    int inner_a = shape_a.trans == NO_TRANS ? A.nb : A.mb, inner_b = shape_b.trans == NO_TRANS ? B.mb : B.nb;
    int k = inner_a < inner_b ? inner_a : inner_b;
    bool swapped = C.mirrored;      /* C^H -= op(B)^H op(A)^H */
    struct task *t = task_create(run, TASK_PRODUCT, product, 2.0 * C.mb * C.nb * k, 3,
                                 (struct operand[]){ swapped ? B : A, swapped ? A : B, C });
    shape_a = in_memory(&A, shape_a, swapped);
    shape_b = in_memory(&B, shape_b, swapped);
    task_submit_with(t, (struct task_arguments){ .shape_a = swapped ? shape_b : shape_a, .shape_b = swapped ? shape_a : shape_b,
                                                 .k = k });
}
