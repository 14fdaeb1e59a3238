/* Options that are given without effect: refused if the user would miss something, otherwise named in one line. */
#include "src/command/options_parts.h"
#include "src/ompfact.h"

#include <string.h>

/* Options without effect beside others, for all routines that they concern. */
static const struct overruled {
    const char *name[5], *by[2];
    enum option_idle idle;
    const char *why, *unless;       /* the options that make the names ineffective, and one that restores the effect; or NULL */
} overruled[] = {
    { { "matrix", "points" }, { "input" }, IDLE_REFUSED, "the matrix is read", NULL },
    { { "seed" }, { "input", "rhs" }, IDLE_NOTED, "nothing is generated", NULL },
    { { "seed" }, { "points", "rhs" }, IDLE_NOTED, "nothing is random", NULL },
    { { "nrhs" }, { "rhs" }, IDLE_NOTED, "the file has them", NULL },
    { { "output", "ipiv", "report", "trace" }, { "dry-run" }, IDLE_NOTED, "nothing is computed", "simulate" },
    { { "inject" }, { "dry-run" }, IDLE_NOTED, "nothing is computed", NULL },
    { { "checkpoint", "warmup", "repeat" }, { "dry-run" }, IDLE_NOTED, "nothing is computed", "simulate" },
    { { "output", "ipiv", "checkpoint", "warmup", "repeat" }, { "simulate" }, IDLE_NOTED, "nothing is computed", NULL },
    { { "restart" }, { "dry-run" }, IDLE_REFUSED, "nothing is computed", "simulate" },
    { { "restart" }, { "simulate" }, IDLE_REFUSED, "nothing is computed", NULL },
    { { "report" }, { "simulate" }, IDLE_NOTED, "nothing is computed; ompfact report makes a page of the trace", NULL },
    { { "wire" }, { "simulate" }, IDLE_NOTED, "the platform has links", NULL },
    { { "cores" }, { "simulate" }, IDLE_NOTED, "the platform gives the cores of its hosts", NULL },
    { { "gflops" }, { "machine" }, IDLE_REFUSED, "the file has rates", NULL },
    { { "verbose" }, { "quiet" }, IDLE_NOTED, "there is no table", NULL },
    { { "cache" }, { "simulate" }, IDLE_NOTED, "there is a slot for every tile", NULL },
    { { "accuracy" }, { "partial" }, IDLE_REFUSED, "it is for dense tiles", NULL },
    { { "tile-precision" }, { "partial" }, IDLE_REFUSED, "it is for whole factorizations", NULL },
    { { "abft" }, { "partial" }, IDLE_REFUSED, "checksums are tested in final tiles", NULL },
    { { "checkpoint" }, { "partial" }, IDLE_REFUSED, "checkpoints are of whole factorizations", NULL },
    { { "partial" }, { "restart" }, IDLE_REFUSED, "checkpoints are of whole factorizations", NULL },
    { { "rcond" }, { "partial" }, IDLE_REFUSED, "that is estimated from all of the factors", NULL },
    { { "weights", "blr" }, { "partial" }, IDLE_REFUSED, "weights are of tiles that are factored to the end", NULL },
    { { "simulate" }, { "partial" }, IDLE_REFUSED, "whole factorizations are simulated", NULL },
    { { "schur" }, { "dry-run" }, IDLE_NOTED, "nothing is computed", NULL },
    { { "accuracy" }, { "append" }, IDLE_REFUSED, "rows are appended to dense factors", NULL },
    { { "tile-precision" }, { "append" }, IDLE_REFUSED, "rows are appended to factors in one precision", NULL },
    { { "abft" }, { "append" }, IDLE_REFUSED, "checksums are tested in whole factorizations", NULL },
    { { "refine" }, { "append" }, IDLE_REFUSED, "factors in single precision are not kept", NULL },
    { { "partial" }, { "append" }, IDLE_REFUSED, "rows are appended to whole factors", NULL },
    { { "weights", "blr" }, { "append" }, IDLE_REFUSED, "weights are of tiles that are factored from the first step", NULL },
    { { "simulate" }, { "append" }, IDLE_REFUSED, "whole factorizations are simulated", NULL },
    { { "butterfly" }, { "partial" }, IDLE_NOTED,
      "the Schur complement must have the rows of the matrix, so no rows are mixed", NULL },
};

static bool compresses(const struct options *o)
{
    return o->job.shape.accuracy > 0;
}

static bool uses_devices(const struct options *o)
{
    return o->job.options.devices != 0;
}

static bool checks(const struct options *o)
{
    return o->job.checked;
}

/* Options without effect if nothing uses them. The options of a checkpoint are not known at this point. */
static const struct unused {
    const char *name;
    bool (*uses)(const struct options *o);
    const char *why;
} unused[] = {
    { "band", compresses, "nothing without --accuracy: no tile is compressed" },
    { "max-rank", compresses, "nothing without --accuracy: no tile is compressed" },
    { "tile-ranks", compresses, "nothing without --accuracy: no tile is compressed" },
    { "host-share", uses_devices, "nothing without --devices" },
    { "device-backend", uses_devices, "nothing without --devices" },
    { "device-memory", uses_devices, "nothing without --devices" },
    { "emulate", uses_devices, "nothing without --devices" },
    { "tol", checks, "nothing without --check: no residual is judged" },
};

bool option_concerns(const struct option *option, const ompfact_routine *r)
{
    const int has = (r->solves ? SOLVERS : NO_SOLVERS) | (leaves_factors(r) ? OF_FACTORS : 0) |
                    (times_factors(r) ? FACTORING : 0) | (!r->triangular ? FACTORING_FIRST : 0) |
                    (!times_solution(r) ? COUNTING : 0);
    return (option->factors == 0 || option->factors & (int)r->factor) && (option->only & ~has) == 0;
}

/* "posv, gesv and gels" */
static void name_routines(const struct option *option, char names[OPTION_WHY])
{
    int count = 0, named = 0;
    size_t length = 0;
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        count += option_concerns(option, r);
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        if (option_concerns(option, r)) {
            const char *before = named == 0 ? "" : named + 1 < count ? ", " : " and ";
            length += (size_t)snprintf(names + length, OPTION_WHY - length, "%s%s", before, r->name);
            named++;
        }
}

/* Phrases for one option or for several. */
static const struct verb {
    const char *one, *several;
} verb_is = { "is", "are" }, verb_means = { "means", "mean" };

/* The ineffective options, in one line: those with the same reason together. */
struct idle_notes {
    int count;
    struct idle_note {
        const char *name;
        const struct verb *verb;
        char why[2 * OPTION_WHY];
    } note[OPTION_TABLE_MAX];
};

static int refuse_or_note(enum option_idle idle, const char *name, const struct verb *verb, const char *why,
                          struct idle_notes *notes, char *text)
{
    if (idle == IDLE_REFUSED)
        return refuse(text, "--%s %s %s", name, verb->one, why);
    if (idle == IDLE_NOTED && notes->count < OPTION_TABLE_MAX) {
        struct idle_note *note = &notes->note[notes->count++];
        *note = (struct idle_note){ .name = name, .verb = verb };
        snprintf(note->why, sizeof note->why, "%s", why);
    }
    return 0;
}

static bool is_same_reason(const struct idle_note *a, const struct idle_note *b)
{
    return a->verb == b->verb && strcmp(a->why, b->why) == 0;
}

static void add_words(char line[COMMAND_TEXT], const char *before, const char *dashes, const char *words)
{
    size_t length = strlen(line);
    snprintf(line + length, COMMAND_TEXT - length, "%s%s%s", before, dashes, words);
}

/* Prints a note with all later notes of the same reason: "--band and --max-rank mean nothing without --accuracy" */
static void print_together(const struct idle_note *note, const struct idle_note *end, char line[COMMAND_TEXT])
{
    int left = 0, named = 0;
    for (const struct idle_note *other = note; other < end; other++)
        left += is_same_reason(note, other);
    for (const struct idle_note *other = note; other < end; other++)
        if (is_same_reason(note, other)) {
            left--;
            add_words(line, named == 0 ? "" : left > 0 ? ", " : " and ", "--", other->name);
            named++;
        }
    add_words(line, " ", named > 1 ? note->verb->several : note->verb->one, " ");
    add_words(line, "", "", note->why);
}

static void print_notes(const struct idle_notes *notes, char line[COMMAND_TEXT])
{
    const struct idle_note *end = notes->note + notes->count;
    for (const struct idle_note *note = notes->note; note < end; note++) {
        const struct idle_note *first = notes->note;
        while (!is_same_reason(first, note))
            first++;
        if (first != note)
            continue;
        add_words(line, line[0] != '\0' ? "; " : "", "", "");
        print_together(note, end, line);
    }
}

/* Whether the option is given, and for the routine. */
static bool takes_effect(const struct options *o, const char *name)
{
    return option_given(o, name) && option_concerns(&option_table[option_index(name)], o->routine);
}

static int check_overruled(const struct overruled *rule, const struct options *o, struct idle_notes *notes, char *text)
{
    bool idle = rule->unless == NULL || !option_given(o, rule->unless);
    char why[OPTION_WHY], others[OPTION_WHY / 2] = "";
    int concerned = 0, status = 0;
    for (int i = 0; i < 2 && rule->by[i]; i++) {
        if (!option_concerns(&option_table[option_index(rule->by[i])], o->routine))
            continue;
        concerned++;
        idle &= option_given(o, rule->by[i]);
        snprintf(others + strlen(others), sizeof others - strlen(others), "%s--%s", *others ? " and " : "", rule->by[i]);
    }
    snprintf(why, sizeof why, "nothing beside %s: %s", others, rule->why);
    for (size_t i = 0; i < sizeof rule->name / sizeof *rule->name && rule->name[i] && idle && concerned > 0 && !status; i++)
        if (takes_effect(o, rule->name[i]))
            status = refuse_or_note(rule->idle, rule->name[i], &verb_means, why, notes, text);
    return status;
}

static int check_emulate(const struct options *o, struct idle_notes *notes, char *text)
{
    bool single = o->job.options.emulate > OMPFACT_EMULATE_FP64, any = refines(o) || strpbrk(o->type, "sc") != NULL;
    if (!uses_devices(o) || !single || any || (o->input != NULL && !option_given(o, "type")))
        return 0;
    return refuse_or_note(IDLE_NOTED, "emulate", &verb_is, "of products in single precision, and there are none", notes, text);
}

/* Options that a matrix in copies does not allow. */
static int refuse_copies(const struct options *o, char *text)
{
    static const char *const names[] = { "abft", "checkpoint", "restart", "accuracy", "tile-precision", "partial", "append",
                                         "weights", "blr" };
    const ompfact_routine *r = o->routine;
    if (!times_factors(r) || !leaves_factors(r) || !(is_cholesky(o) || is_lu(o)))
        return refuse(text, "--copies is for potrf, posv, getrf and gesv, not for %s", r->name);
    if (pivots(o))
        return refuse(text, "--copies is for LU without pivoting: with it goes --pivot none");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (option_given(o, names[i]))
            return refuse(text, "--%s is not for copies of the matrix: leave out --copies", names[i]);
    if (o->job.options.devices != 0)
        return refuse(text, "--devices is not for copies of the matrix: leave out --copies");
    if (o->job.ranks > 0 && o->job.shape.copies > o->job.ranks)
        return refuse(text, "--copies: %d copies of the matrix cannot be on %d ranks", (int)o->job.shape.copies, o->job.ranks);
    return 0;
}

/* "auto" is one copy if more are impossible. */
static int check_copies(struct options *o, char *text)
{
    char unread[COMMAND_TEXT];
    if (o->job.shape.copies == 0 && refuse_copies(o, unread) != 0)
        o->job.shape.copies = 1;
    return o->job.shape.copies <= 1 ? 0 : refuse_copies(o, text);
}

/* Options for other routines. */
static int check_concerned(const struct options *o, struct idle_notes *notes, char *text)
{
    int status = 0;
    for (const struct option *option = option_table; option->name && !status; option++) {
        char names[OPTION_WHY], why[2 * OPTION_WHY];
        if (!o->given[option - option_table] || option_concerns(option, o->routine))
            continue;
        name_routines(option, names);
        snprintf(why, sizeof why, "for %s, not for %s", names, o->routine->name);
        status = refuse_or_note(option->idle, option->name, &verb_is, why, notes, text);
    }
    return status;
}

int options_check_idle(struct options *o, char *text)
{
    struct idle_notes notes = { 0 };
    int status = check_concerned(o, &notes, text);
    for (size_t i = 0; i < sizeof overruled / sizeof overruled[0] && !status; i++)
        status = check_overruled(&overruled[i], o, &notes, text);
    for (size_t i = 0; i < sizeof unused / sizeof unused[0] && !status && o->restart == NULL; i++)
        if (takes_effect(o, unused[i].name) && !unused[i].uses(o))
            status = refuse_or_note(IDLE_NOTED, unused[i].name, &verb_means, unused[i].why, &notes, text);
    if (!status)
        status = check_emulate(o, &notes, text);
    if (!status)
        status = check_copies(o, text);
    print_notes(&notes, o->idle);
    return status;
}
