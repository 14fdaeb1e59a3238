/* Cases of the soak: drawing all that is random about them, and describing them. */
#include "config.h"
#include "tests/soak.h"

#include <stdarg.h>

enum { WATCHDOG_S = 20 };

char description[DESCRIPTION] = "in the start of MPI\n";

/* ---- random numbers ------------------------------------------------------------------------------------------------------ */

static uint64_t state;

/* Knuth's MMIX generator. */
int draw(int count)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)count);
}

int one_of(int count, const int *values)
{
    return values[draw(count)];
}

/* ---- descriptions -------------------------------------------------------------------------------------------------------- */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    size_t length = strlen(description);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(description + length, sizeof description - length, format, arguments);
    va_end(arguments);
}

void setup_print(const char *line)
{
    say("    %s\n", line);
}

static void describe_options(const ompfact_options *o, int jitter_us)
{
    say(" threads=%d cache=%d tasks=%d jitter=%d schedule=%d bcast=%d copy=%d trace=%d pivot=%d tree=%d ib=%d butterfly=%d",
        o->threads, o->cache_tiles, o->max_tasks, jitter_us, o->schedule, o->bcast, o->copy_on_node, o->trace, (int)o->pivot,
        (int)o->tree, o->ib, (int)o->butterfly);
    if (o->devices > 0)
        say(" devices=%d(%s) share=%.1f memory=%lld", o->devices, o->device_backend, o->host_share, (long long)o->device_memory);
}

static void describe_rest(const struct setup *c)
{
    char faults[128];
    say(" layout=%.5s full=%d copies=%d", c->layout, c->shape.full_storage, (int)c->shape.copies);
    describe_options(&c->options, c->testing.jitter_us);
    faults_describe(c, faults, sizeof faults);
    say("%s interval=%dms", faults, c->interval_ms);
}

static void describe(const struct setup *c, int rounds)
{
    const struct problem *p = &c->problem;
    description[0] = '\0';
    say("P=%d %s%s type=%c m=%lld n=%lld nb=%d%s nrhs=%d", all_ranks_count(),
        c->indefinite  ? (p->symmetric ? "sytrf" : "hetrf")
        : p->hermitian ? "potrf"
        : c->qr        ? "geqrf"
                       : "getrf",
        p->upper ? " upper" : "",
        p->type, (long long)p->m, (long long)p->n, c->shape.nb, c->shape.mt > 0 ? " ragged" : "", c->nrhs);
    if (c->compressed)
        say(" accuracy=%g precision=%g bf16=%d band=%d max_rank=%d length=%g", c->accuracy, c->precision,
            (int)c->shape.bf16_tiles, c->shape.band, c->shape.max_rank, c->length);
    describe_rest(c);
    say("; again: mpiexec -n %d tests/soak %d %lld 60", all_ranks_count(), rounds, (long long)c->seed);
}

/* ---- parts of a case ----------------------------------------------------------------------------------------------------- */

static int draw_rank(int cell)
{
    (void)cell;
    return draw(all_ranks_count());
}

/* Rank 0 writes the file of the map. All ranks must draw the same numbers afterwards. */
static void draw_layout(struct setup *c)
{
    static const char *const names[] = { "2dbc", "g2dbc", "", "auto", "design", "gcrm:seeds=2" };
    int rows = 1 + draw(5), cols = 1 + draw(5), kind = draw(c->problem.hermitian ? 6 : 4);
    uint64_t before = state;
    strcpy(c->layout, names[kind]);
    if (kind == 2)
        write_map(c->layout, rows, cols, draw_rank);
    state = before + 1;
}

/* Draws random sizes, at most as many as the array has, whose sum is the order. */
static void draw_sizes(struct setup *c)
{
    int64_t left = c->problem.n;
    int count = 0;
    while (left > 0) {
        int size = 1 + draw(2 * c->shape.nb);
        c->sizes[count] = size < left && count < 31 ? size : (int)left;
        left -= c->sizes[count++];
    }
    c->shape.row_heights = c->shape.col_widths = c->sizes;
    c->shape.mt = c->shape.nt = count;
}

/* Two of five cases, and most cases of large tiles, use devices if the build has them: LLVM's emulated devices, with all memory
   or with memory for few tiles. */
static void draw_devices(struct setup *c)
{
#ifdef OFFLOAD_RUNTIME
    bool any = draw(5) < 2 || (c->large && draw(2)), portable = draw(3) == 0;
    int count = 1 + draw(4), tenths = c->large ? 1 + draw(10) : ONE_OF(0, 0, 3, 7, 10), tiles = ONE_OF(0, 0, 12, 25);
    if (c->accuracy > 0 || (!any && getenv("SOAK_DEVICES") == NULL))
        return;
    const char *most = getenv("SOAK_MOST");
    c->options.devices = most != NULL && atoi(most) < count ? atoi(most) : count;
    const char *requested = getenv("SOAK_BACKEND");
    c->options.device_backend = requested != NULL ? requested : portable ? "portable" : "host";
    c->options.host_share = tenths / 10.0;
    c->options.device_memory = (int64_t)tiles * c->shape.nb * c->shape.nb * 16;
#else
    (void)c;
#endif
}

/* Draws a few large tiles, from one that is larger than the matrix to five in each direction, or at most twelve small ones in
   each direction. */
static void draw_sizes_of_tiles(struct setup *c)
{
    enum { LARGEST = 1500 };
    struct problem *p = &c->problem;
    c->large = draw(4) == 0 && !c->compressed;
    if (!c->large) {
        bool saved = c->interval_ms > 0;        /* a run must last some milliseconds, so it has many steps */
        p->n = 1 + draw(c->compressed ? ONE_OF(60, 200) : saved ? 190 : ONE_OF(20, 60, 150));
        c->shape.nb = (int)p->n / 12 + 1 + draw(saved ? 10 : 20);
        return;
    }
    c->shape.nb = ONE_OF(128, 200, 256, 320, 384, 500, 640, 768, 1024);
    p->n = c->shape.nb / 2 + draw(5 * c->shape.nb);
    p->n = p->n < LARGEST ? p->n : LARGEST - draw(200);
}

/* One of three cases is saved while it runs. */
static void draw_interval(struct setup *c)
{
    int most = ONE_OF(1, 5, 20), interval = 1 + draw(most);
    c->interval_ms = draw(3) == 0 ? interval : 0;
}

/* Of the types in double two of three cases have tiles in single. */
static void draw_forms(struct setup *c)
{
    static const double accuracies[] = { 1e-3, 1e-6, 1e-9, 1e-13 }, precisions[] = { 1e-3, 1e-5, 1e-7, 1e-9 };
    int forms = c->problem.type == 'd' || c->problem.type == 'z' ? draw(3) : 0;
    double accuracy = accuracies[draw(4)], precision = precisions[draw(4)];
    c->accuracy = forms < 2 ? accuracy : 0;
    c->precision = forms > 0 ? precision : 0;
}

/* Compressed matrices have neither pivots nor QR. A Hermitian matrix with pivots is indefinite, or complex symmetric. */
static void draw_problem(struct setup *c)
{
    struct problem *p = &c->problem;
    p->type = "sdcz"[draw(4)];
    p->hermitian = draw(2);
    p->pivots = draw(3) > 0;
    c->compressed = draw(5) == 0;
    if (c->compressed) {
        p->pivots = false;
        draw_forms(c);
    }
    c->indefinite = p->hermitian && p->pivots;
    p->symmetric = c->indefinite && draw(2);
    c->qr = !p->hermitian && p->pivots && draw(2);
    draw_sizes_of_tiles(c);
    p->m = p->n;
    p->upper = p->hermitian && draw(2);
    c->nrhs = draw(2) ? -1 : ONE_OF(0, 1, 2, 3, 41);
    if (!p->hermitian && !c->compressed && c->nrhs < 0 && draw(2))
        p->m = 1 + draw(c->large ? 1500 : 100);
}

/* Draws the options of the run. */
static void draw_options(struct setup *c)
{
    ompfact_pivot pivot = c->options.pivot;
    ompfact_butterfly butterfly = c->options.butterfly;
    c->options = (ompfact_options){ .watchdog_s = WATCHDOG_S, .pivot = pivot, .butterfly = butterfly };
    c->testing = (ompfact_testing){ 0 };
    c->options.threads = 1 + draw(4);
    c->options.cache_tiles = ONE_OF(0, 0, 1, 2, 5);
    c->options.max_tasks = ONE_OF(0, 0, 1, 2, 7);
    c->testing.jitter_us = c->interval_ms > 0 ? ONE_OF(0, 100, 400, 400) : ONE_OF(0, 0, 50, 500);
    c->options.schedule = (ompfact_schedule)draw(3);
    c->options.bcast = (ompfact_bcast)draw(4);
    c->options.copy_on_node = draw(2);
    c->options.trace = draw(2);
    c->options.tree = (ompfact_tree)draw(4);
    c->options.ib = draw(20);
    draw_devices(c);
    draw_layout(c);
}

static void draw_compression(struct setup *c)
{
    double lengths[] = { 1.5, 4, (double)c->problem.n / 3 };
    c->length = lengths[draw(3)];
    c->shape.band = draw(3);
    c->shape.max_rank = ONE_OF(-1, 1, 3, c->shape.nb / 2 + 1, c->shape.nb);
    c->shape.accuracy = c->accuracy;
    c->shape.tile_precision = c->precision;
}

/* Every second case with tiles in double and single has a bound that allows tiles in bfloat16. */
static void draw_bf16(struct setup *c)
{
    char type = c->problem.type;
    c->shape.bf16_tiles = (type == 'd' || type == 'z') && c->precision > 0 && draw(2);
    if (c->shape.bf16_tiles && c->accuracy == 0)
        c->precision = c->shape.tile_precision = draw(2) ? 1e-1 : 1e-2;
}

/* Every second case of dense Cholesky, or LU without pivots, has copies. It is then neither saved nor on devices. A map is for
   all ranks, so copies replace it. */
static void draw_copies(struct setup *c)
{
    int ranks = all_ranks_count();
    c->shape.copies = 1 + draw(ranks < 5 ? ranks : 5);
    if (c->compressed || c->problem.pivots || draw(2))
        c->shape.copies = 1;
    if (c->shape.copies == 1)
        return;
    c->interval_ms = c->options.devices = 0;
    if (strncmp(c->layout, "file:", 5) == 0) {
        remove_map(c->layout);
        strcpy(c->layout, "auto");
    }
}

/* ---- cases --------------------------------------------------------------------------------------------------------------- */

void setup_draw(struct setup *c, int64_t seed, int rounds)
{
    *c = (struct setup){ .seed = seed };
    state = (uint64_t)seed;
    draw(2);
    draw_interval(c);
    draw_problem(c);
    c->options.pivot = c->problem.pivots ? (ompfact_pivot)draw(3) : OMPFACT_PIVOT_NONE;
    c->options.butterfly = (ompfact_butterfly)draw(4);
    draw_options(c);
    c->shape = shape_of(&c->problem, c->shape.nb, c->layout);
    c->shape.full_storage = draw(2);
    if (draw(4) == 0 && c->problem.m == c->problem.n && !c->qr && !c->large)
        draw_sizes(c);
    if (c->compressed)
        draw_compression(c);
    draw_bf16(c);
    draw_copies(c);
    faults_draw(c);
    kept_name(&c->kept);
    describe(c, rounds);
    say("\n");
}

void setup_draw_next(struct setup *next, const struct setup *c, const char *folder, const ompfact_restarted *from)
{
    *next = *c;
    next->from = folder;
    next->step = from->step;
    next->parts = 0;
    draw_interval(next);
    draw_options(next);
    next->shape.layout = next->layout;
    next->shape.full_storage = draw(2);
    next->shape.row_heights = from->row_heights;
    next->shape.col_widths = from->col_widths;
    next->shape.mt = from->mt;
    next->shape.nt = from->nt;
    strcat(next->kept.first, "x");      /* what c saved may be the checkpoint that next continues from */
    faults_draw(next);
    description[strlen(description) - 1] = '\0';
    say(";\n    from step %d of %s with %d x %d tiles,", from->step, folder == c->kept.first ? "the first" : "the last",
        from->mt, from->nt);
    describe_rest(next);
    say("\n");
}

/* Whether a checkpoint exists depends on time. Numbers drawn after a restart must not change later cases. */
void setup_draw_round(struct setup *c, int round)
{
    struct problem *p = &c->problem;
    int order = (int)(p->m < p->n ? p->m : p->n), most = order;
    state = (uint64_t)c->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)round;
    draw(2);
    if (c->compressed && !p->hermitian)     /* no row after the first tile is exactly zero */
        most = c->shape.mt > 0 ? c->shape.row_heights[0] : c->shape.nb < order ? c->shape.nb : order;
    p->seed = (unsigned)draw(1 << 30);
    p->fails = draw(6) == 0 && !c->qr && !c->indefinite && !c->testing.flip.on ? 1 + draw(most) : 0;
    p->fails_too = p->fails > 0 && p->fails < order && draw(2) && most == order ? order : 0;
    c->in_one_call = c->nrhs >= 0 && !c->qr && !(c->indefinite && (c->interval_ms > 0 || c->from != NULL)) && draw(2);
    parts_draw(c);
}

void setup_forget(const struct setup *c)
{
    if (strncmp(c->layout, "file:", 5) == 0)
        remove_map(c->layout);
}

struct smooth smooth_of(const struct setup *c)
{
    return (struct smooth){ .p = c->problem, .length = c->length };
}
