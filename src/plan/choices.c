#include "src/plan/choices.h"

#include "src/choose/choose.h"

#include <stdio.h>
#include <stdlib.h>

static int by_transfers(const void *a, const void *b)
{
    const struct layout_candidate *left = *(struct layout_candidate *const *)a, *right = *(struct layout_candidate *const *)b;
    if (left->wire_transfers != right->wire_transfers)
        return left->wire_transfers < right->wire_transfers ? -1 : 1;
    return left->sum.transfers < right->sum.transfers ? -1 : left->sum.transfers > right->sum.transfers;
}

static ompfact_candidate publish(const struct layout_candidate *c, const ompfact_matrix *A)
{
    ompfact_candidate p = { .pattern_rows = c->rows, .pattern_cols = c->cols, .cost = c->cost, .cost_bound = c->bound,
                            .transfers = c->sum.transfers, .wire_transfers = c->wire_transfers,
                            .abe_max_over_mean = c->sum.abe_max_over_mean,
                            .bytes_max = (int64_t)(c->tiles * (double)(int64_t)matrix_largest_tile(A)),
                            .by_node = c->by_node, .fits = c->fits, .balanced = c->balanced };
    snprintf(p.name, sizeof p.name, "%s", c->name);
    return p;
}

static void sort(const struct layout_choice *choice, const ompfact_matrix *A, struct choices *choices)
{
    const struct layout_candidate *order[LAYOUT_CANDIDATES];
    for (int k = 0; k < choice->count; k++)
        order[k] = &choice->candidate[k];
    qsort(order, (size_t)choice->count, sizeof order[0], by_transfers);
    for (int k = 0; k < choice->count; k++) {
        choices->candidate[k] = publish(order[k], A);
        if (order[k] == &choice->candidate[choice->chosen])
            choices->view.chosen = k;
    }
    choices->view.candidate = choices->candidate;
}

/* Finds whether slightly fewer ranks would send much less. A leading part is not enough for this. */
static ompfact_status search_fewer(const ompfact_shape *shape, const ompfact_matrix *A, const struct layout_choice *choice,
                                     ompfact_choice *view, char message[MESSAGE])
{
    struct layout_fewer fewer;
    if (choice->counted_mt < A->mt || choice->counted_nt < A->nt)
        return OMPFACT_SUCCESS;
    TRY(shape_choose_fewer(shape, A->ranks, A->room, choice, &fewer, message));
    view->fewer_ranks = fewer.ranks;
    view->fewer_loss = fewer.loss;
    if (fewer.ranks > 0)
        view->fewer = publish(&fewer.candidate, A);
    return OMPFACT_SUCCESS;
}

static ompfact_status find(const ompfact_shape *shape, const ompfact_matrix *A, struct layout_choice *choice,
                           struct choices *choices, char message[MESSAGE])
{
    TRY(shape_choose_for(shape, A, choice, message));
    choices->view = (ompfact_choice){ .count = choice->count, .counted_mt = choice->counted_mt,
                                      .counted_nt = choice->counted_nt };
    sort(choice, A, choices);
    return search_fewer(shape, A, choice, &choices->view, message);
}

ompfact_status choices_create(const ompfact_shape *shape, const ompfact_matrix *A, struct choices *choices,
                              char message[MESSAGE])
{
    CLEANUP(free_at) struct layout_choice *choice = malloc(sizeof *choice);
    *choices = (struct choices){ .candidate = malloc(LAYOUT_CANDIDATES * sizeof *choices->candidate) };
    ompfact_status status = choice != NULL && choices->candidate != NULL
                                ? find(shape, A, choice, choices, message)
                                : fail_with(message, OMPFACT_NO_MEMORY, "no memory to explain a layout");
    if (status != OMPFACT_SUCCESS)
        choices_forget(choices);
    return status;
}

void choices_forget(struct choices *choices)
{
    free(choices->candidate);
    *choices = (struct choices){ 0 };
}
