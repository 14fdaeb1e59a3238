/* The choice of the best layout for a matrix, by counting the transfers of all candidates. */
#include "layouts/arithmetic.h"
#include "layouts/choice/by_node.h"
#include "layouts/rank_speeds.h"
#include "layouts/refusal.h"
#include "layouts/shortage.h"
#include "layouts/unequal/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most tile rows and columns that are counted. MOST_TILES is more than a machine's memory holds. MOST_BY_SPEED is for
   candidates that repeat too little for shorter counts. */
enum { MOST_TILES = 65536, MOST_BY_SPEED = 1024 };

struct counting {
    const struct layout_question *question;
    struct layout_choice *choice;
    int mt, nt;                 /* tiles over which candidates are laid */
    struct pattern *kept[LAYOUT_CANDIDATES];    /* pattern of each candidate */
    char *text;
};

/* Whether layouts for the speeds of the ranks are candidates. */
static bool speeds_matter(const struct layout_question *q)
{
    return q->weights == NULL && speeds_differ(q->speeds, q->ranks);
}

/* The number of these tile rows or columns that are counted. */
static int counted(const struct layout_question *q, int tiles)
{
    return q->weights != NULL ? tiles : least(tiles, speeds_matter(q) ? MOST_BY_SPEED : MOST_TILES);
}

/* Whether only leading tiles are counted. */
static bool counts_part(const struct layout_question *q)
{
    return counted(q, q->mt) < q->mt || counted(q, q->nt) < q->nt;
}

/* Whether transfers between nodes decide. */
static bool nodes_matter(const struct layout_question *q)
{
    return q->node_of != NULL && q->nodes < q->ranks && q->nodes > 1 && q->weights == NULL && q->counter == NULL &&
           !speeds_differ(q->speeds, q->ranks);
}

static int count_wire(const struct layout *l, const struct layout_question *q, int64_t *transfers)
{
    char text[LAYOUT_TEXT];
    struct layout *of_nodes;
    if (layout_of_nodes(l, q->node_of, q->nodes, &of_nodes, text))
        return 1;
    *transfers = layout_transfers(of_nodes, q->algorithm);
    layout_destroy(&of_nodes);
    return *transfers < 0;
}

static int count_candidate(struct counting *c, const struct pattern *p)
{
    const struct layout_question *q = c->question;
    struct layout_candidate *here = &c->choice->candidate[c->choice->count];
    struct layout *l;
    bool cholesky = q->algorithm == LAYOUT_CHOLESKY;
    if (layout_create(p, c->mt, c->nt, q->part, &l, c->text))
        return 1;
    int failed = layout_summarise(l, q->algorithm, &here->sum);
    if (speeds_matter(q))
        here->sum.abe_max_over_mean = layout_abe_max_over_mean(l, q->algorithm, q->speeds);
    if (!failed && q->counter != NULL)
        failed = q->counter(q->context, p, c->choice->counted_mt, c->choice->counted_nt, &here->sum);
    if (!failed && q->weights != NULL)
        failed = layout_load(l, q, &here->sum.flops_max_over_mean);
    here->wire_transfers = here->sum.transfers;
    if (!failed && nodes_matter(q))
        failed = count_wire(l, q, &here->wire_transfers);
    layout_destroy(&l);
    if (!speeds_matter(q))
        here->sum.abe_max_over_mean = here->sum.flops_max_over_mean;
    if (failed || isnan(here->sum.abe_max_over_mean))
        return layout_refuse(c->text, "no memory to count layout %s", p->name);

    snprintf(here->name, sizeof here->name, "%s", p->name);
    here->rows = p->rows;
    here->cols = p->cols;
    here->cost = cholesky ? pattern_cost_cholesky(p) : pattern_cost_lu(p);
    here->bound = pattern_bound(p, q->algorithm, q->speeds);
    here->tiles = (double)here->sum.tiles_max * q->mt / c->mt * q->nt / c->nt;
    here->fits = q->tiles_fit == 0 || here->tiles <= (double)q->tiles_fit;
    c->choice->count++;
    return 0;
}

/* Adds a candidate, if there is room and memory for it. Takes over the pattern. */
static int consider(struct counting *c, struct pattern *p)
{
    int k = c->choice->count;
    if (p == NULL || k == LAYOUT_CANDIDATES || count_candidate(c, p)) {
        pattern_destroy(&p);
        return k < LAYOUT_CANDIDATES;
    }
    c->kept[k] = p;
    return 0;
}

/* Takes over the pattern and returns it with its colrows in an order that suits the matrix; NULL without memory. */
static struct pattern *ordered(struct pattern *p, const struct layout_question *q)
{
    if (p != NULL && q->algorithm == LAYOUT_CHOLESKY && pattern_order(p, q->nt))
        pattern_destroy(&p);
    return p;
}

/* Adds all grids in both orientations, the squarest first. */
static void consider_grids(struct counting *c)
{
    int ranks = c->question->ranks, nprow = 1;
    while ((int64_t)(nprow + 1) * (nprow + 1) <= ranks)
        nprow++;
    for (; nprow > 0 && c->choice->count < LAYOUT_CANDIDATES / 2; nprow--) {
        if (ranks % nprow != 0)
            continue;
        consider(c, pattern_2dbc(nprow, ranks / nprow));
        if (nprow != ranks / nprow)
            consider(c, pattern_2dbc(ranks / nprow, nprow));
    }
}

/* Adds a candidate that is built for the whole matrix, or for its leading tiles. */
static void consider_created(struct counting *c, create_pattern *create, const struct layout_question *q)
{
    struct pattern *p;
    create(NULL, q, &p, c->text);
    consider(c, p);
}

/* Adds the schemes for uneven tiles. */
static void consider_uneven(struct counting *c)
{
    static create_pattern *const uneven[] = { create_bch, create_bce, create_rs, create_rsp };
    for (size_t k = 0; k < sizeof uneven / sizeof uneven[0]; k++)
        consider_created(c, uneven[k], c->question);
}

/*
 * Adds the schemes for the speeds of the ranks, if they differ. If only a leading part is counted, it adds 1d1d only, built
 * for that part: 1d1d distributes all parts in the same way, but the other schemes do not, and take long.
 */
static void consider_speeds(struct counting *c)
{
    static create_pattern *const unequal[] = { create_1d1d, create_1d1d_c, create_1d1d_cs };
    const struct layout_question *q = c->question;
    struct layout_question counted = *q;
    size_t count = counts_part(q) ? 1 : sizeof unequal / sizeof unequal[0];
    counted.mt = c->mt;
    counted.nt = c->nt;
    if (!speeds_matter(q) || q->ranks > PLAN_RANKS || (int64_t)q->mt * q->nt > PLAN_TILES)
        return;
    for (size_t k = 0; k < count; k++)
        consider_created(c, unequal[k], &counted);
}

/* Adds all candidates so far with other orders of their ranks, and layouts that distribute tiles over nodes and then over the
   ranks of each node. */
static void consider_nodes(struct counting *c)
{
    const struct layout_question *q = c->question;
    int plain = c->choice->count;
    int64_t tiles = (int64_t)q->mt * q->nt;
    bool all_counted = c->mt == q->mt && c->nt == q->nt, same;
    for (int k = 0; k < plain && all_counted; k++)
        for (int dealt = 0; dealt < 2; dealt++) {
            struct pattern *p = pattern_over_nodes(c->kept[k], q, dealt, &same);
            if (p != NULL)
                consider(c, p);
        }
    if (all_counted && tiles <= MOST_SHARED_TILES && tiles >= SHARED_TILES_A_RANK * (int64_t)q->ranks)
        consider_created(c, create_nodes, q);
    for (int k = plain; k < c->choice->count; k++)
        c->choice->candidate[k].by_node = true;
}

/* Candidates that cannot be built or counted for lack of memory are left out. */
static void consider_plain(struct counting *c)
{
    int ranks = c->question->ranks, sizes[DESIGN_SIZES];
    consider_grids(c);
    consider_speeds(c);
    struct pattern *g2dbc = ranks <= MOST_G2DBC ? pattern_g2dbc(ranks) : NULL;
    if (g2dbc != NULL && (int64_t)g2dbc->rows * g2dbc->cols == ranks)
        pattern_destroy(&g2dbc);
    else
        consider(c, g2dbc);
    if (c->question->weights != NULL)
        consider_uneven(c);
    if (c->question->algorithm != LAYOUT_CHOLESKY)
        return;

    for (enum sbc_kind kind = SBC_BASIC; kind <= SBC_EXTENDED; kind++)
        if (sbc_size(ranks, kind))
            consider(c, pattern_sbc(ranks, kind));
    int count = design_sizes(ranks, sizes);
    for (int k = 0; k < count; k++)
        consider(c, ordered(pattern_design(ranks, sizes[k]), c->question));
    if (count == 0 && ranks > 1 && ranks <= MOST_DESIGN)
        consider(c, ordered(pattern_design(ranks, 0), c->question));
}

/* Compares transfers, those between nodes first, among well balanced candidates; for uneven tiles compares the most loaded rank
   first. */
static bool is_better(const struct layout_candidate *a, const struct layout_candidate *b, bool by_load)
{
    if (by_load && a->sum.abe_max_over_mean != b->sum.abe_max_over_mean)
        return a->sum.abe_max_over_mean < b->sum.abe_max_over_mean;
    if (a->wire_transfers != b->wire_transfers)
        return a->wire_transfers < b->wire_transfers;
    if (a->sum.transfers != b->sum.transfers)
        return a->sum.transfers < b->sum.transfers;
    return a->sum.abe_max_over_mean < b->sum.abe_max_over_mean;
}

static void choose(struct layout_choice *choice, bool by_load)
{
    bool any_fits = false;
    double best = 0;
    for (int k = 0; k < choice->count; k++)
        any_fits |= choice->candidate[k].fits;
    for (int k = 0; k < choice->count; k++) {
        double balance = choice->candidate[k].sum.abe_max_over_mean;
        if ((choice->candidate[k].fits || !any_fits) && !choice->candidate[k].by_node && (best == 0 || balance < best))
            best = balance;
    }
    choice->chosen = -1;
    for (int k = 0; k < choice->count; k++) {
        struct layout_candidate *here = &choice->candidate[k];
        const struct layout_candidate *chosen = choice->chosen < 0 ? NULL : &choice->candidate[choice->chosen];
        here->balanced = here->sum.abe_max_over_mean <= LAYOUT_BALANCE * best;
        if (!here->balanced || (any_fits && !here->fits))
            continue;
        if (chosen == NULL || is_better(here, chosen, by_load))
            choice->chosen = k;
    }
}

/* *pattern becomes the chosen pattern, which the caller destroys. */
static int choose_pattern(const struct layout_question *question, struct layout_choice *choice, struct pattern **pattern,
                          char *text)
{
    struct counting c = { .question = question, .choice = choice, .text = text };
    memset(choice, 0, sizeof *choice);
    *pattern = NULL;
    if (question->ranks < 1)
        return layout_refuse(text, "a layout needs at least one rank, not %d", question->ranks);
    if (question->mt < 1 || question->nt < 1)
        return layout_refuse(text, "a layout needs at least one tile, not %d x %d", question->mt, question->nt);
    if (layout_check_speeds(question->speeds, question->ranks, text))
        return 1;
    c.mt = counted(question, question->mt);
    c.nt = counted(question, question->nt);
    choice->counted_mt = question->counter != NULL ? question->count_mt : c.mt;
    choice->counted_nt = question->counter != NULL ? question->count_nt : c.nt;
    consider_plain(&c);
    if (nodes_matter(question))
        consider_nodes(&c);
    if (choice->count == 0)
        return layout_refuse(text, "no memory for the layouts of %d ranks", question->ranks);
    choose(choice, question->weights != NULL);
    for (int k = 0; k < choice->count; k++)
        if (k == choice->chosen)
            *pattern = c.kept[k];
        else
            pattern_destroy(&c.kept[k]);
    return 0;
}

int layout_choose(const struct layout_question *question, struct layout_choice *choice, char text[LAYOUT_TEXT])
{
    struct pattern *pattern;
    int before = shortage_begin(), failed = choose_pattern(question, choice, &pattern, text);
    pattern_destroy(&pattern);
    if (!shortage_end(before))
        return failed;
    layout_refuse(text, "no memory for the layouts of %d ranks", question->ranks);
    return LAYOUT_NO_MEMORY;
}

/* If 1d1d was built for the tiles that were counted, it is built again for all tiles. */
int create_auto(const char *args, const struct layout_question *question, struct pattern **pattern, char *text)
{
    (void)args;
    struct layout_choice *choice = malloc(sizeof *choice);
    *pattern = NULL;
    if (choice == NULL)
        return layout_refuse(text, "no memory to choose a layout");
    int failed = choose_pattern(question, choice, pattern, text);
    free(choice);
    if (failed || !counts_part(question) || !plan_is_scheme((*pattern)->name))
        return failed;
    pattern_destroy(pattern);
    return create_1d1d(NULL, question, pattern, text);
}
