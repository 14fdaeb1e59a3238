/*
 * The search for a slightly smaller number of ranks that sends much less. Good patterns exist for some numbers of ranks only,
 * above all for planes: 993 ranks have one with T = 32, and for 1000 none below 45 is known.
 *
 * Numbers of ranks are tried in the order of the least cost that is known without building a pattern, divided by their square
 * root. For each, all layouts are counted, as for the present number of ranks.
 */
#include "layouts/arithmetic.h"
#include "layouts/builders.h"
#include "layouts/rank_speeds.h"
#include "layouts/refusal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least cost of a layout for this number of ranks that is known without a search. */
static double known_cost(enum layout_algorithm algorithm, int ranks)
{
    int nprow, npcol, cholesky = algorithm == LAYOUT_CHOLESKY;
    best_grid(ranks, &nprow, &npcol);
    double cost = nprow + npcol - cholesky;
    if (ranks <= MOST_G2DBC)
        cost = fmin(cost, 2 * sqrt(ranks) - cholesky);
    if (!cholesky)
        return cost;
    for (enum sbc_kind kind = SBC_BASIC; kind <= SBC_EXTENDED; kind++)
        if (sbc_size(ranks, kind))
            cost = fmin(cost, sbc_size(ranks, kind) - (kind == SBC_EXTENDED));
    return ranks <= MOST_DESIGN ? fmin(cost, design_known_cost(ranks)) : cost;
}

/* The number of transfers is proportional to this: a tile remains with its owner once, in LU once in its row and once in its
   column. */
static double sent(enum layout_algorithm algorithm, double cost)
{
    return cost - (algorithm == LAYOUT_CHOLESKY ? 1 : 2);
}

/* The number of ranks from `least` up to less than the question's that sends least for its size, among those that may send much
   less and were not tried; of nearly equal ones the largest. 0: none. */
static int next_number(const struct layout_question *q, double cost, int least, const unsigned char *tried)
{
    const double clearly = 0.99;
    int best = 0;
    double best_ratio = HUGE_VAL;
    for (int ranks = q->ranks - 1; ranks >= least; ranks--) {
        double here = known_cost(q->algorithm, ranks), ratio = here / sqrt(ranks);
        if (tried[ranks - least] || sent(q->algorithm, here) > LAYOUT_MUCH_LESS * sent(q->algorithm, cost))
            continue;
        if (ratio < clearly * best_ratio) {
            best = ranks;
            best_ratio = ratio;
        }
    }
    return best;
}

/* Whether the layout chosen for fewer ranks is good enough. Speed is that of all ranks together when they wait for the most
   loaded one. */
static bool sends_much_less(const struct layout_candidate *all, int all_ranks, const struct layout_candidate *few,
                           struct layout_fewer *fewer)
{
    fewer->candidate = *few;
    fewer->loss = 1 - fewer->ranks / few->sum.flops_max_over_mean * all->sum.flops_max_over_mean / all_ranks;
    return few->fits >= all->fits && fewer->loss <= LAYOUT_FEWER &&
           (double)few->sum.transfers <= LAYOUT_MUCH_LESS * (double)all->sum.transfers;
}

int layout_choose_fewer(const struct layout_question *question, const struct layout_choice *choice, struct layout_fewer *fewer,
                        char text[LAYOUT_TEXT])
{
    enum { TRIES = 3 };
    const struct layout_candidate *all = &choice->candidate[choice->chosen];
    int least = (int)ceil((1 - LAYOUT_FEWER) * question->ranks), found = 0, failed;
    memset(fewer, 0, sizeof *fewer);
    bool share_nodes = question->node_of != NULL && question->nodes < question->ranks;
    if (least == question->ranks || question->weights != NULL || speeds_differ(question->speeds, question->ranks) || share_nodes)
        return 0;
    unsigned char *tried = calloc((size_t)(question->ranks - least), 1);
    struct layout_choice *few = malloc(sizeof *few);
    if (tried == NULL || few == NULL)
        layout_refuse(text, "no memory to look for fewer ranks than %d", question->ranks);
    failed = tried == NULL || few == NULL ? LAYOUT_NO_MEMORY : 0;
    for (int k = 0; k < TRIES && !found && !failed; k++) {
        struct layout_question q = *question;
        fewer->ranks = q.ranks = next_number(question, all->cost, least, tried);
        if (q.ranks == 0)
            break;
        tried[q.ranks - least] = 1;
        failed = layout_choose(&q, few, text);
        found = !failed && sends_much_less(all, question->ranks, &few->candidate[few->chosen], fewer);
    }
    if (!found)
        fewer->ranks = 0;
    free(tried);
    free(few);
    return failed;
}
