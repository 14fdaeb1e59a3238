/* Options that are given where they mean nothing: refused where the user would miss something, else told of in one line. */
#include "src/command/options_parts.h"
#include "src/ompfact.h"

#include <string.h>

/* What means nothing beside others, all of those that concern the routine. */
static const struct overruled {
    const char *name, *by[2];
    enum option_idle idle;
    const char *why, *unless;       /* this one is given; or NULL */
} overruled[] = {
    { "matrix", { "input" }, IDLE_REFUSED, "the matrix is read", NULL },
    { "points", { "input" }, IDLE_REFUSED, "the matrix is read", NULL },
    { "seed", { "input", "rhs" }, IDLE_TOLD, "nothing is generated", NULL },
    { "seed", { "points", "rhs" }, IDLE_TOLD, "nothing is random", NULL },
    { "nrhs", { "rhs" }, IDLE_TOLD, "the file says how many", NULL },
    { "output", { "dry-run" }, IDLE_TOLD, "nothing is computed", "simulate" },
    { "ipiv", { "dry-run" }, IDLE_TOLD, "nothing is computed", "simulate" },
    { "report", { "dry-run" }, IDLE_TOLD, "nothing is computed", "simulate" },
    { "trace", { "dry-run" }, IDLE_TOLD, "nothing is computed", "simulate" },
    { "inject", { "dry-run" }, IDLE_TOLD, "nothing is computed", NULL },
    { "output", { "simulate" }, IDLE_TOLD, "nothing is computed", NULL },
    { "ipiv", { "simulate" }, IDLE_TOLD, "nothing is computed", NULL },
    { "checkpoint", { "dry-run" }, IDLE_TOLD, "nothing is computed", "simulate" },
    { "checkpoint", { "simulate" }, IDLE_TOLD, "nothing is computed", NULL },
    { "restart", { "dry-run" }, IDLE_REFUSED, "nothing is computed", "simulate" },
    { "restart", { "simulate" }, IDLE_REFUSED, "nothing is computed", NULL },
    { "report", { "simulate" }, IDLE_TOLD, "nothing is computed; of its trace ompfact report makes one", NULL },
    { "wire", { "simulate" }, IDLE_TOLD, "the platform has links", NULL },
    { "cores", { "simulate" }, IDLE_TOLD, "the platform's hosts have theirs", NULL },
    { "gflops", { "machine" }, IDLE_REFUSED, "the file has rates", NULL },
    { "cache", { "simulate" }, IDLE_TOLD, "there is a slot for every tile", NULL },
};

static bool compresses(const struct options *o)
{
    return o->accuracy > 0;
}

static bool uses_devices(const struct options *o)
{
    return o->devices != 0;
}

/* What means nothing where nothing uses it. What a checkpoint brings along is not known yet. */
static const struct unused {
    const char *name;
    bool (*uses)(const struct options *o);
    const char *why;
} unused[] = {
    { "band", compresses, "means nothing without --accuracy: no tile is compressed" },
    { "max-rank", compresses, "means nothing without --accuracy: no tile is compressed" },
    { "tile-ranks", compresses, "means nothing without --accuracy: no tile is compressed" },
    { "host-share", uses_devices, "means nothing without --devices" },
    { "device-memory", uses_devices, "means nothing without --devices" },
};

static bool concerns(const struct option *option, const ompfact_routine *routine)
{
    return (option->factors == 0 || option->factors & (int)routine->factor) && (!option->solvers || routine->solves) &&
           (!option->of_factors || leaves_factors(routine)) && (!option->factoring || times_factors(routine)) &&
           (!option->factoring_first || !routine->triangular) && (!option->counting || !times_solution(routine));
}

/* "posv, gesv and gels" */
static void name_routines(const struct option *option, char names[OPTION_WHY])
{
    int count = 0, named = 0;
    size_t length = 0;
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        count += concerns(option, r);
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        if (concerns(option, r)) {
            const char *before = named == 0 ? "" : named + 1 < count ? ", " : " and ";
            length += (size_t)snprintf(names + length, OPTION_WHY - length, "%s%s", before, r->name);
            named++;
        }
}

static int refuse_or_tell(enum option_idle idle, const char *name, const char *why, struct options *o, char *text)
{
    if (idle == IDLE_REFUSED)
        return refuse(text, "--%s %s", name, why);
    if (idle == IDLE_TOLD) {
        size_t length = strlen(o->idle);
        snprintf(o->idle + length, sizeof o->idle - length, "%s--%s %s", length > 0 ? "; " : "", name, why);
    }
    return 0;
}

static bool is_given(const char *name, const bool *given)
{
    return given[option_find(name, strlen(name)) - option_table];
}

static int check_overruled(const struct overruled *rule, const bool *given, struct options *o, char *text)
{
    const struct option *option = option_find(rule->name, strlen(rule->name));
    bool idle = is_given(rule->name, given) && concerns(option, o->routine);
    idle &= rule->unless == NULL || !is_given(rule->unless, given);
    char why[OPTION_WHY], others[OPTION_WHY / 2] = "";
    int concerned = 0;
    for (int i = 0; i < 2 && rule->by[i]; i++) {
        const struct option *other = option_find(rule->by[i], strlen(rule->by[i]));
        if (!concerns(other, o->routine))
            continue;
        concerned++;
        idle &= given[other - option_table];
        snprintf(others + strlen(others), sizeof others - strlen(others), "%s--%s", *others ? " and " : "", other->name);
    }
    snprintf(why, sizeof why, "means nothing beside %s: %s", others, rule->why);
    return idle && concerned > 0 ? refuse_or_tell(rule->idle, rule->name, why, o, text) : 0;
}

static int check_emulate(struct options *o, char *text)
{
    bool single = o->emulate.value > OMPFACT_EMULATE_FP64, any = refines(o) || strpbrk(o->type, "sc") != NULL;
    if (!single || any || (o->input != NULL && !o->type_given))
        return 0;
    return refuse_or_tell(IDLE_TOLD, "emulate", "is of products in single precision, and there are none", o, text);
}

int options_check_idle(const bool given[OPTION_TABLE_MAX], struct options *o, char *text)
{
    int status = 0;
    for (const struct option *option = option_table; option->name && !status; option++) {
        char names[OPTION_WHY], why[2 * OPTION_WHY];
        if (!given[option - option_table] || concerns(option, o->routine))
            continue;
        name_routines(option, names);
        snprintf(why, sizeof why, "is for %s, not for %s", names, o->routine->name);
        status = refuse_or_tell(option->idle, option->name, why, o, text);
    }
    for (size_t i = 0; i < sizeof overruled / sizeof overruled[0] && !status; i++)
        status = check_overruled(&overruled[i], given, o, text);
    for (size_t i = 0; i < sizeof unused / sizeof unused[0] && !status && o->restart == NULL; i++) {
        const struct option *option = option_find(unused[i].name, strlen(unused[i].name));
        if (given[option - option_table] && concerns(option, o->routine) && !unused[i].uses(o))
            status = refuse_or_tell(IDLE_TOLD, option->name, unused[i].why, o, text);
    }
    return status ? status : check_emulate(o, text);
}
