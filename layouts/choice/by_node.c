/*
 * Layouts for ranks that share nodes, where transfers between nodes decide. The ranks of a pattern are only numbers, and their
 * order over the nodes changes these transfers: consecutive ranks on a node ("blocks"), or ranks on the nodes in turn
 * ("dealt"). Or a pattern distributes tiles over nodes ("nodes"), and each node distributes its tiles over its ranks, which
 * read each other's tiles in place.
 */
#include "layouts/choice/by_node.h"
#include "layouts/arithmetic.h"
#include "layouts/refusal.h"
#include "layouts/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- ranks over nodes ------------------------------------------------------------------------------------------------------ */

/* rank_of[r]: the rank that replaces the pattern's rank r. In each round every node adds `in_a_round` ranks while it has
   some. */
static void order_ranks(const struct layout_question *q, int in_a_round, int *rank_of)
{
    int count = 0;
    for (int round = 0; count < q->ranks; round++)
        for (int node = 0; node < q->nodes; node++)
            for (int rank = 0, seen = 0; rank < q->ranks; rank++) {
                if (q->node_of[rank] != node)
                    continue;
                if (seen / in_a_round == round)
                    rank_of[count++] = rank;
                seen++;
            }
}

/* The layout's cells with renumbered ranks. Free cells have owners already. */
static struct pattern *renumbered(const struct layout *l, const int *rank_of, const char *order, const char *name)
{
    struct pattern *p = pattern_alloc(l->ranks, l->rows, l->cols);
    if (p == NULL)
        return NULL;
    for (int64_t c = 0; c < (int64_t)l->rows * l->cols; c++)
        p->cell[c] = rank_of[l->cell[c]];
    snprintf(p->name, sizeof p->name, "%s:%.100s", order, name);
    return p;
}

static bool is_identity(const int *rank_of, int ranks)
{
    for (int r = 0; r < ranks; r++)
        if (rank_of[r] != r)
            return false;
    return true;
}

struct pattern *pattern_over_nodes(const struct pattern *plain, const struct layout_question *q, bool dealt, bool *same)
{
    struct layout *l = NULL;
    struct pattern *p = NULL;
    char text[LAYOUT_TEXT];
    int *rank_of = malloc((size_t)q->ranks * sizeof *rank_of);
    *same = false;
    if (rank_of != NULL) {
        order_ranks(q, dealt ? 1 : q->ranks, rank_of);
        *same = is_identity(rank_of, q->ranks);
    }
    if (rank_of != NULL && !*same && layout_create(plain, q->mt, q->nt, q->part, &l, text) == 0)
        p = renumbered(l, rank_of, dealt ? "dealt" : "blocks", plain->name);
    layout_destroy(&l);
    free(rank_of);
    return p;
}

/* ---- tiles of a node over its ranks ---------------------------------------------------------------------------------------- */

struct sharing {
    const struct layout_question *q;
    const struct layout *of_nodes;
    int64_t *load;              /* load of each rank */
    struct pattern *p;
};

/* Gives the tile to the least loaded rank of its node. */
static void assign_tile(struct sharing *s, int i, int j)
{
    int node = layout_owner(s->of_nodes, i, j), least = -1;
    for (int rank = 0; rank < s->q->ranks; rank++)
        if (s->q->node_of[rank] == node && (least < 0 || s->load[rank] < s->load[least]))
            least = rank;
    s->load[least] += layout_work(s->q->algorithm, i, j);
    s->p->cell[(int64_t)i * s->q->nt + j] = least;
}

/* The last steps, with the most work, come first. So the work is balanced in the last part of the factorization, too. */
static void distribute(struct sharing *s)
{
    bool cholesky = s->q->algorithm == LAYOUT_CHOLESKY;
    int mt = s->q->mt, nt = s->q->nt;
    for (int k = least(mt, nt) - 1; k >= 0; k--) {
        for (int i = k + 1; i < mt; i++)
            assign_tile(s, i, k);
        for (int j = k + 1; j < nt && !cholesky; j++)
            assign_tile(s, k, j);
        assign_tile(s, k, k);
    }
    for (int i = 0; i < mt && cholesky; i++)        /* tiles above the diagonal are never read */
        for (int j = i + 1; j < nt; j++)
            s->p->cell[(int64_t)i * nt + j] = s->p->cell[(int64_t)j * nt + i];
}

/* Counts the ranks of each node, as speeds of nodes. Returns whether the counts differ. */
static bool nodes_differ(const struct layout_question *q, double *ranks_on)
{
    bool differ = false;
    memset(ranks_on, 0, (size_t)q->nodes * sizeof *ranks_on);
    for (int rank = 0; rank < q->ranks; rank++)
        ranks_on[q->node_of[rank]]++;
    for (int node = 1; node < q->nodes; node++)
        differ |= ranks_on[node] != ranks_on[0];
    return differ;
}

static int share_pattern(const char *scheme, const struct layout_question *q, struct sharing *s, double *ranks_on, char *text)
{
    struct layout_question of_nodes = *q;
    struct pattern *p;
    struct layout *l;
    of_nodes.ranks = q->nodes;
    of_nodes.node_of = NULL;
    of_nodes.tiles_fit = 0;
    of_nodes.speeds = nodes_differ(q, ranks_on) ? ranks_on : NULL;
    if (pattern_create_for(scheme, &of_nodes, &p, text))
        return 1;
    int failed = layout_create(p, q->mt, q->nt, q->part, &l, text);
    if (!failed) {
        s->of_nodes = l;
        distribute(s);
        snprintf(s->p->name, sizeof s->p->name, "nodes:%.100s", p->name);
    }
    layout_destroy(&l);
    pattern_destroy(&p);
    return failed;
}

/* ---- schemes --------------------------------------------------------------------------------------------------------------- */

int create_nodes(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    const char *scheme = args == NULL ? "auto" : args;
    *pattern = NULL;
    if (q->node_of == NULL)
        return pattern_create_for(scheme, q, pattern, text);
    if ((int64_t)q->mt * q->nt > MOST_SHARED_TILES)
        return layout_refuse(text, "nodes:%.80s distributes at most %d tiles, not %d x %d", scheme, MOST_SHARED_TILES, q->mt,
                             q->nt);
    struct sharing s = { .q = q, .load = calloc((size_t)q->ranks, sizeof *s.load), .p = pattern_alloc(q->ranks, q->mt, q->nt) };
    double *ranks_on = malloc((size_t)q->nodes * sizeof *ranks_on);
    int failed = s.load == NULL || s.p == NULL || ranks_on == NULL
                     ? layout_refuse(text, "no memory to distribute the tiles of %d nodes", q->nodes)
                     : share_pattern(scheme, q, &s, ranks_on, text);
    free(s.load);
    free(ranks_on);
    if (failed)
        pattern_destroy(&s.p);
    *pattern = s.p;
    return failed;
}

static int create_renumbered(const char *scheme, const struct layout_question *q, bool dealt, struct pattern **pattern,
                             char *text)
{
    struct layout_question plain = *q;
    bool same = true;
    plain.node_of = NULL;
    if (pattern_create_for(scheme == NULL ? "auto" : scheme, &plain, pattern, text))
        return 1;
    struct pattern *p = q->node_of != NULL ? pattern_over_nodes(*pattern, q, dealt, &same) : NULL;
    if (same)
        return 0;
    pattern_destroy(pattern);
    *pattern = p;
    return p != NULL ? 0 : layout_refuse(text, "no memory to number %d ranks over nodes", q->ranks);
}

int create_blocks(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    return create_renumbered(args, q, false, pattern, text);
}

int create_dealt(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    return create_renumbered(args, q, true, pattern, text);
}
