/*
 * Patterns by name: SCHEME[:ARGS].
 */
#include "layouts/arguments.h"
#include "layouts/arithmetic.h"
#include "layouts/builders.h"
#include "layouts/refusal.h"
#include "layouts/unequal/plan.h"
#include "layouts/uneven/uneven.h"

#include <string.h>

/* ---- the schemes ------------------------------------------------------------------------------------------------------ */

static int finish(struct pattern *pattern, const char *scheme, int ranks, char *text)
{
    return pattern ? 0 : layout_refuse(text, "no memory for layout %s on %d ranks", scheme, ranks);
}

static int parse_grid(const char *args, int ranks, int *nprow, int *npcol, char *text)
{
    const char *s = args;
    *nprow = parse_count(&s);
    int cross = *s == 'x';
    s += cross;
    *npcol = parse_count(&s);
    if (!cross || *nprow < 1 || *npcol < 1 || *s != '\0')
        return layout_refuse(text, "2dbc:%s is not a grid: write two positive numbers, as in 2dbc:2x3", args);

    int64_t needed = (int64_t)*nprow * *npcol;
    if (needed != ranks)
        return layout_refuse(text, "2dbc:%s needs %lld ranks, there are %d", args, (long long)needed, ranks);
    return 0;
}

static int create_2dbc(const char *args, int ranks, struct pattern **pattern, char *text)
{
    int nprow, npcol;
    if (!args) best_grid(ranks, &nprow, &npcol);
    else if (parse_grid(args, ranks, &nprow, &npcol, text)) return 1;

    *pattern = pattern_2dbc(nprow, npcol);
    return finish(*pattern, "2dbc", ranks, text);
}

static int create_g2dbc(const char *args, int ranks, struct pattern **pattern, char *text)
{
    if (args) return layout_refuse(text, "layout g2dbc takes no argument, it was given \"%s\"", args);

    *pattern = pattern_g2dbc(ranks);
    return finish(*pattern, "g2dbc", ranks, text);
}

/* The nearest numbers of ranks, below and above, that SBC of this kind, or with -1 of either kind, is made for. */
static int refuse_sbc(int ranks, int kind, char *text)
{
    int near[2] = {ranks - 1, ranks + 1};
    for (int side = 0; side < 2; side++)
        while (near[side] > 0 && !(kind != SBC_BASIC && sbc_size(near[side], SBC_EXTENDED)) &&
               !(kind != SBC_EXTENDED && sbc_size(near[side], SBC_BASIC)))
            near[side] += side == 0 ? -1 : 1;
    const char *form = kind == SBC_BASIC ? "r^2/2 ranks, r even" : kind == SBC_EXTENDED ? "r(r-1)/2 ranks" : "r(r-1)/2 or r^2/2 ranks";
    if (near[0] < 1) return layout_refuse(text, "layout sbc needs %s, not %d: the nearest number is %d", form, ranks, near[1]);
    return layout_refuse(text, "layout sbc needs %s, not %d: the nearest numbers are %d and %d; design takes any", form, ranks, near[0],
                         near[1]);
}

static int create_sbc(const char *args, int ranks, struct pattern **pattern, char *text)
{
    int kind = !args ? -1 : strcmp(args, "basic") == 0 ? SBC_BASIC : strcmp(args, "extended") == 0 ? SBC_EXTENDED : -2;
    if (kind == -2) return layout_refuse(text, "sbc:%s: the kinds are sbc:basic and sbc:extended", args);
    enum sbc_kind resolved = kind >= 0 ? (enum sbc_kind)kind : sbc_size(ranks, SBC_EXTENDED) ? SBC_EXTENDED : SBC_BASIC;
    if (!sbc_size(ranks, resolved)) return refuse_sbc(ranks, kind, text);
    *pattern = pattern_sbc(ranks, resolved);
    return finish(*pattern, "sbc", ranks, text);
}

static int create_gcrm(const char *args, int ranks, struct pattern **pattern, char *text)
{
    int r = 0, seeds = 100;
    if (parse_arguments(args, (struct argument[]){{.name = "r", .value = &r}, {.name = "seeds", .value = &seeds}}, 2))
        return layout_refuse(text, "gcrm:%s: write gcrm, gcrm:r=SIZE, gcrm:seeds=NUMBER or gcrm:r=SIZE,seeds=NUMBER", args);
    if (r > 512 || seeds > 100000 || ranks > 4096)
        return layout_refuse(text, "gcrm takes at most 512 colrows, 100000 seeds and 4096 ranks: more would take days");
    if (pattern_gcrm(ranks, r, seeds, pattern)) return layout_refuse(text, "no memory for layout gcrm on %d ranks", ranks);
    if (!*pattern && r > 0)
        return layout_refuse(text, "gcrm:%s found no balanced pattern of %d x %d for %d ranks: try another r, or gcrm alone", args, r, r, ranks);
    if (!*pattern) return layout_refuse(text, "gcrm found no balanced pattern for %d ranks with %d seeds: try more", ranks, seeds);
    return 0;
}

static int refuse_size(int ranks, int r, char *text)
{
    int sizes[DESIGN_SIZES], count = design_sizes(ranks, sizes, DESIGN_SIZES), length = 0;
    char list[160] = "";
    for (int k = 0; k < count && length < (int)sizeof list - 8; k++)
        length += snprintf(list + length, sizeof list - (size_t)length, k == 0 ? "%d" : ", %d", sizes[k]);
    if (count == 0) return layout_refuse(text, "design:r=%d: %d ranks have one size only, that of design without r", r, ranks);
    return layout_refuse(text, "design:r=%d: the catalogue has no pattern of that size for %d ranks; its sizes: %s", r, ranks, list);
}

static int create_design(const char *args, int ranks, struct pattern **pattern, char *text)
{
    int r = 0;
    if (parse_arguments(args, (struct argument[]){{.name = "r", .value = &r}}, 1))
        return layout_refuse(text, "design:%s: write design, or design:r=SIZE", args);
    if (ranks > 8192) return layout_refuse(text, "design takes at most 8192 ranks, not %d", ranks);
    *pattern = pattern_design(ranks, r);
    if (!*pattern && r > 0) return refuse_size(ranks, r, text);
    return finish(*pattern, "design", ranks, text);
}

static int create_file(const char *args, int ranks, struct pattern **pattern, char *text)
{
    if (!args || *args == '\0') return layout_refuse(text, "layout file needs the path of a map: file:PATH");
    return pattern_read(args, ranks, pattern, text);
}

struct scheme {
    const char *name;
    /* args is what follows the colon, NULL where there is none. Returns as pattern_create does. */
    int (*create)(const char *args, int ranks, struct pattern **pattern, char *text);
};

static const struct scheme schemes[] = {
    {"2dbc", create_2dbc},
    {"g2dbc", create_g2dbc},
    {"sbc", create_sbc},
    {"gcrm", create_gcrm},
    {"design", create_design},
    {"file", create_file},
};

const char *pattern_schemes(void)
{
    return "auto, 2dbc[:PxQ], g2dbc, sbc[:basic|:extended], gcrm[:r=SIZE,seeds=NUMBER], design[:r=SIZE], "
           "1d1d, 1d1d-c[:cpb=A/B/C], 1d1d-cs[:cpb=A/B/C], "
           "bch[:WIDTH], bce[:alpha=A], rs[:alpha=A,q=Q], rsp[:alpha=A,q=Q,size=R], file:PATH";
}

/* The schemes without their arguments: a list that is short enough for an error. */
static int refuse_unknown(const char *scheme, char *text)
{
    char names[LAYOUT_TEXT];
    int length = 0, depth = 0;
    for (const char *s = pattern_schemes(); *s != '\0' && length + 1 < LAYOUT_TEXT; s++) {
        depth += *s == '[';
        if (depth == 0) names[length++] = *s;
        depth -= *s == ']';
    }
    names[length] = '\0';
    return layout_refuse(text, "unknown layout \"%.80s\"; known: %s", scheme, names);
}

int pattern_create(const char *scheme, int ranks, struct pattern **pattern, char text[LAYOUT_TEXT])
{
    *pattern = NULL;
    if (ranks < 1) return layout_refuse(text, "a layout needs at least one rank, not %d", ranks);

    if (strcmp(scheme, "auto") == 0 || plan_is_scheme(scheme) || is_uneven_scheme(scheme))
        return layout_refuse(text, "layout %.100s depends on the matrix, and there is none here", scheme);
    const char *args;
    for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++)
        if (is_scheme(scheme, schemes[s].name, &args))
            return schemes[s].create(args, ranks, pattern, text);
    return refuse_unknown(scheme, text);
}
