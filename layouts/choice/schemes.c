/*
 * Patterns by name: SCHEME[:ARGS].
 */
#include "layouts/arguments.h"
#include "layouts/arithmetic.h"
#include "layouts/choice/by_node.h"
#include "layouts/refusal.h"
#include "layouts/shortage.h"

#include <stdio.h>
#include <string.h>

/* ---- patterns for a number of ranks ----------------------------------------------------------------------------------- */

static int finish(struct pattern *pattern, const char *scheme, int ranks, char *text)
{
    return pattern != NULL ? 0 : layout_refuse(text, "no memory for layout %s on %d ranks", scheme, ranks);
}

static int parse_grid(const char *args, int ranks, int *nprow, int *npcol, char *text)
{
    const char *s = args;
    *nprow = parse_count(&s);
    bool cross = *s == 'x';
    s += cross;
    *npcol = parse_count(&s);
    if (!cross || *nprow < 1 || *npcol < 1 || *s != '\0')
        return layout_refuse(text, "2dbc:%s is not a grid: write two positive numbers, as in 2dbc:2x3", args);

    int64_t needed = (int64_t)*nprow * *npcol;
    if (needed != ranks)
        return layout_refuse(text, "2dbc:%s is for %lld ranks, not for %d", args, (long long)needed, ranks);
    return 0;
}

static int create_2dbc(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    int nprow, npcol;
    if (args == NULL)
        best_grid(q->ranks, &nprow, &npcol);
    else if (parse_grid(args, q->ranks, &nprow, &npcol, text))
        return 1;

    *pattern = pattern_2dbc(nprow, npcol);
    return finish(*pattern, "2dbc", q->ranks, text);
}

static int create_g2dbc(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    if (args != NULL)
        return layout_refuse(text, "layout g2dbc takes no argument, but got \"%s\"", args);

    *pattern = pattern_g2dbc(q->ranks);
    return finish(*pattern, "g2dbc", q->ranks, text);
}

/* Refuses the number of ranks. The text has the nearest numbers, below and above, for which SBC of this kind, or with -1 of
   either kind, exists. */
static int refuse_sbc(int ranks, int kind, char *text)
{
    int near[2] = { ranks - 1, ranks + 1 };
    for (int side = 0; side < 2; side++)
        while (near[side] > 0 && !(kind != SBC_BASIC && sbc_size(near[side], SBC_EXTENDED)) &&
               !(kind != SBC_EXTENDED && sbc_size(near[side], SBC_BASIC)))
            near[side] += side == 0 ? -1 : 1;
    const char *form = kind == SBC_BASIC      ? "r^2/2 ranks, r even"
                       : kind == SBC_EXTENDED ? "r(r-1)/2 ranks"
                                              : "r(r-1)/2 or r^2/2 ranks";
    if (near[0] < 1)
        return layout_refuse(text, "layout sbc needs %s, not %d: the nearest number is %d", form, ranks, near[1]);
    return layout_refuse(text, "layout sbc needs %s, not %d: the nearest numbers are %d and %d; design takes any", form, ranks,
                         near[0], near[1]);
}

static int create_sbc(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    int kind = args == NULL ? -1 : strcmp(args, "basic") == 0 ? SBC_BASIC : strcmp(args, "extended") == 0 ? SBC_EXTENDED : -2;
    if (kind == -2)
        return layout_refuse(text, "sbc:%s: the kinds are sbc:basic and sbc:extended", args);
    enum sbc_kind resolved = kind >= 0 ? (enum sbc_kind)kind : sbc_size(q->ranks, SBC_EXTENDED) ? SBC_EXTENDED : SBC_BASIC;
    if (!sbc_size(q->ranks, resolved))
        return refuse_sbc(q->ranks, kind, text);
    *pattern = pattern_sbc(q->ranks, resolved);
    return finish(*pattern, "sbc", q->ranks, text);
}

static int create_gcrm(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    int r = 0, seeds = 100, ranks = q->ranks;
    if (parse_arguments(args, (struct argument[]){ { .name = "r", .value = &r }, { .name = "seeds", .value = &seeds } }, 2))
        return layout_refuse(text, "gcrm:%s: write gcrm, gcrm:r=SIZE, gcrm:seeds=NUMBER or gcrm:r=SIZE,seeds=NUMBER", args);
    if (r > 512 || seeds > 100000 || ranks > 4096)
        return layout_refuse(text, "gcrm takes at most 512 colrows, 100000 seeds and 4096 ranks: more would take days");
    if (pattern_gcrm(ranks, r, seeds, pattern))
        return layout_refuse(text, "no memory for layout gcrm on %d ranks", ranks);
    if (*pattern == NULL && r > 0)
        return layout_refuse(text, "gcrm:%s found no balanced pattern of %d x %d for %d ranks: try another r, or gcrm alone",
                             args, r, r, ranks);
    if (*pattern == NULL)
        return layout_refuse(text, "gcrm found no balanced pattern for %d ranks with %d seeds: try more", ranks, seeds);
    return 0;
}

static int refuse_size(int ranks, int r, char *text)
{
    int sizes[DESIGN_SIZES], count = design_sizes(ranks, sizes), length = 0;
    char list[160] = "";
    for (int k = 0; k < count && length < (int)sizeof list - 8; k++)
        length += snprintf(list + length, sizeof list - (size_t)length, k == 0 ? "%d" : ", %d", sizes[k]);
    if (count == 0)
        return layout_refuse(text, "design:r=%d: %d ranks have one size only, that of design without r", r, ranks);
    return layout_refuse(text, "design:r=%d: the catalogue has no pattern of that size for %d ranks; its sizes: %s", r, ranks,
                         list);
}

static int create_design(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    int r = 0, ranks = q->ranks;
    if (parse_arguments(args, (struct argument[]){ { .name = "r", .value = &r } }, 1))
        return layout_refuse(text, "design:%s: write design, or design:r=SIZE", args);
    if (ranks > 8192)
        return layout_refuse(text, "design takes at most 8192 ranks, not %d", ranks);
    *pattern = pattern_design(ranks, r);
    if (*pattern == NULL && r > 0)
        return refuse_size(ranks, r, text);
    if (*pattern != NULL && q->algorithm == LAYOUT_CHOLESKY && pattern_order(*pattern, q->nt))
        pattern_destroy(pattern);
    return finish(*pattern, "design", ranks, text);
}

static int create_file(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    if (args == NULL || *args == '\0')
        return layout_refuse(text, "layout file needs the path of a map: file:PATH");
    return pattern_read(args, q->ranks, pattern, text);
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

struct scheme {
    const char *name;
    const char *arguments;      /* the arguments behind the name, in brackets if optional; NULL: not even a colon is allowed */
    bool needs_matrix;          /* needs more than the number of ranks */
    create_pattern *create;
};

static const struct scheme schemes[] = {
    { "auto",    NULL,                       true,  create_auto },
    { "2dbc",    "[:PxQ]",                   false, create_2dbc },
    { "g2dbc",   "",                         false, create_g2dbc },
    { "sbc",     "[:basic|:extended]",       false, create_sbc },
    { "gcrm",    "[:r=SIZE,seeds=NUMBER]",   false, create_gcrm },
    { "design",  "[:r=SIZE]",                false, create_design },
    { "1d1d",    "",                         true,  create_1d1d },
    { "1d1d-c",  "[:cpb=A/B/C]",             true,  create_1d1d_c },
    { "1d1d-cs", "[:cpb=A/B/C]",             true,  create_1d1d_cs },
    { "bch",     "[:WIDTH]",                 true,  create_bch },
    { "bce",     "[:alpha=A]",               true,  create_bce },
    { "rs",      "[:alpha=A,q=Q]",           true,  create_rs },
    { "rsp",     "[:alpha=A,q=Q,size=R]",    true,  create_rsp },
    { "nodes",   ":SCHEME",                  true,  create_nodes },
    { "blocks",  ":SCHEME",                  true,  create_blocks },
    { "dealt",   ":SCHEME",                  true,  create_dealt },
    { "file",    ":PATH",                    false, create_file },
};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

/* NULL: unknown scheme. */
static const struct scheme *find_scheme(const char *scheme, const char **args)
{
    for (int s = 0; s < SCHEMES; s++)
        if (is_scheme(scheme, schemes[s].name, args) && (*args == NULL || schemes[s].arguments != NULL))
            return &schemes[s];
    return NULL;
}

/* all: lists optional arguments, too. */
static void list_schemes(char *list, size_t size, bool all)
{
    size_t length = 0;
    for (int s = 0; s < SCHEMES && length < size; s++) {
        const char *arguments = schemes[s].arguments;
        bool shown = arguments != NULL && (all || arguments[0] != '[');
        length += (size_t)snprintf(list + length, size - length, "%s%s%s", s == 0 ? "" : ", ", schemes[s].name, shown ? arguments
                                   : "");
    }
}

void pattern_schemes(char text[LAYOUT_SCHEMES])
{
    list_schemes(text, LAYOUT_SCHEMES, true);
}

static int create_named(const char *scheme, const struct layout_question *question, bool matrix, struct pattern **pattern,
                        char *text)
{
    const char *args;
    const struct scheme *found = find_scheme(scheme, &args);
    if (found != NULL && found->needs_matrix && matrix)     /* the scheme itself refuses a question without ranks or tiles */
        return found->create(args, question, pattern, text);
    if (question->ranks < 1)
        return layout_refuse(text, "a layout needs at least one rank, not %d", question->ranks);
    if (found == NULL) {
        char names[LAYOUT_TEXT];    /* short enough for an error message */
        list_schemes(names, sizeof names, false);
        return layout_refuse(text, "unknown layout \"%.80s\"; known: %s", scheme, names);
    }
    if (found->needs_matrix)
        return layout_refuse(text, "layout %.100s depends on the matrix, and this call has none", scheme);
    return found->create(args, question, pattern, text);
}

static int create(const char *scheme, const struct layout_question *question, bool matrix, struct pattern **pattern, char *text)
{
    *pattern = NULL;
    int before = shortage_begin(), failed = create_named(scheme, question, matrix, pattern, text);
    if (!shortage_end(before))
        return failed;
    pattern_destroy(pattern);
    layout_refuse(text, "no memory for layout %.100s on %d ranks", scheme, question->ranks);
    return LAYOUT_NO_MEMORY;
}

int pattern_create(const char *scheme, int ranks, struct pattern **pattern, char text[LAYOUT_TEXT])
{
    struct layout_question question = { .ranks = ranks };
    return create(scheme, &question, false, pattern, text);
}

int pattern_create_for(const char *scheme, const struct layout_question *question, struct pattern **pattern,
                       char text[LAYOUT_TEXT])
{
    return create(scheme, question, true, pattern, text);
}
