/* Reads the events of a trace, in the form of src/factor/trace_text.c, into page_data. */
#include "src/io/c_locale.h"
#include "src/io/json_text.h"
#include "src/page/page_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what grows ------------------------------------------------------------------------------------------------------------ */

bool page_grow(void *array, int64_t count, int64_t *room, size_t size)
{
    void **items = array;
    if (count < *room)
        return true;
    int64_t more = 2 * *room + 256;
    void *larger = realloc(*items, (size_t)more * size);
    if (larger == NULL)
        return false;
    *items = larger;
    *room = more;
    return true;
}

/* Adds one element to a list of page_data; NULL: no memory. */
#define ADD(data, list, count, room)                                                                                            \
    (page_grow(&(data)->list, (data)->count, &(data)->room, sizeof *(data)->list) ? &(data)->list[(data)->count++]              \
                                                                                  : ((data)->no_memory = true, NULL))

/* ---- tracks and kernels by name -------------------------------------------------------------------------------------------- */

static int track_of(struct page_data *d, int rank, int thread)
{
    int **row = &d->lookup->of_rank[rank];
    if (*row == NULL && (*row = calloc(PAGE_TRACKS_MAX, sizeof **row)) == NULL) {
        d->no_memory = true;
        return -1;
    }
    if ((*row)[thread] == 0) {
        int64_t count = d->tracks;
        if (!page_grow(&d->track, count, &d->lookup->track_room, sizeof *d->track)) {
            d->no_memory = true;
            return -1;
        }
        d->track[d->tracks++] = (struct page_track){ .rank = rank, .thread = thread };
        snprintf(d->track[count].name, sizeof d->track[count].name, "thread %d", thread);
        (*row)[thread] = d->tracks;
    }
    return (*row)[thread] - 1;
}

void page_forget_lookup(struct page_data *d)
{
    for (int rank = 0; d->lookup != NULL && rank < PAGE_RANKS_MAX; rank++)
        free(d->lookup->of_rank[rank]);
    free(d->lookup);
    d->lookup = NULL;
}

static int kernel_of(struct page_data *d, const char *name, bool on_device)
{
    for (int k = 0; k < d->kernels; k++)
        if (d->kernel[k].on_device == on_device && strncmp(d->kernel[k].name, name, sizeof d->kernel[k].name - 1) == 0)
            return k;
    if (d->kernels == PAGE_KERNELS)
        return -1;
    struct page_kernel *kernel = &d->kernel[d->kernels];
    kernel->on_device = on_device;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    return d->kernels++;
}

/* ---- an event -------------------------------------------------------------------------------------------------------------- */

enum { TS, DUR, PID, TID, ID, I, J, STEP, UPDATES, FLOPS, FROM, FLOW, SUBMITTED, READY, TILES, RESIDENT, NUMBERS };
static const char *const number_keys[NUMBERS] = {
    [TS] = "ts", [DUR] = "dur", [PID] = "pid", [TID] = "tid", [ID] = "id", [I] = "i", [J] = "j", [STEP] = "step",
    [UPDATES] = "updates", [FLOPS] = "flops", [FROM] = "from", [FLOW] = "flow", [SUBMITTED] = "submitted",
    [READY] = "ready", [TILES] = "tiles", [RESIDENT] = "resident",
};
enum { NAME, PHASE, CATEGORY, ID_TEXT, TEXTS };
static const char *const text_keys[TEXTS] = { [NAME] = "name", [PHASE] = "ph", [CATEGORY] = "cat", [ID_TEXT] = "id" };

struct event_text {
    double number[NUMBERS];         /* NAN: missing */
    const char *text[TEXTS], *label;    /* label: the name in args */
    bool in_args;
};

static int key_index(const char *key, const char *const *keys, int count)
{
    for (int k = 0; k < count; k++)
        if (keys[k][0] == key[0] && strcmp(keys[k], key) == 0)
            return k;
    return -1;
}

/* Times have few digits and no exponent: their digits as a whole number over a power of ten round only once. */
static double number_of(const struct json_value *v)
{
    static const double tens[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };
    int64_t digits = 0;
    int behind = -1;
    if (v->length > 15)         /* more digits than are exact, or even fit */
        return c_locale_real(v->text, NULL);
    const char *s = v->text + (v->text[0] == '-');
    for (; s < v->text + v->length; s++) {
        if (*s == '.')
            behind = 0;
        else if (*s < '0' || *s > '9' || behind == 6)
            return c_locale_real(v->text, NULL);
        else
            digits = 10 * digits + (*s - '0');
        behind += behind >= 0 && *s != '.';
    }
    double number = (double)digits / tens[behind > 0 ? behind : 0];
    return v->text[0] == '-' ? -number : number;
}

static bool take_part(void *context, struct json_place *p, const char *key)
{
    struct event_text *e = context;
    struct json_value value;
    if (strcmp(key, "args") == 0 && !e->in_args) {
        e->in_args = true;
        bool taken = json_take_object(p, take_part, e);
        e->in_args = false;
        return taken;
    }
    if (!json_take_value(p, &value))
        return false;
    int number = value.kind == JSON_NUMBER ? key_index(key, number_keys, NUMBERS) : -1;
    int text = value.kind == JSON_STRING ? key_index(key, text_keys, TEXTS) : -1;
    if (number >= 0)
        e->number[number] = number_of(&value);
    if (text == NAME && e->in_args)
        e->label = value.text;
    else if (text >= 0)
        e->text[text] = value.text;
    return true;
}

/* A whole number in [0, below). */
static bool is_index(double number, double below)
{
    return number >= 0 && number < below && number == floor(number);
}

/* Microseconds, below the time of any run. */
static bool is_time(double number)
{
    return fabs(number) < 1e15;
}

static int index_or(double number, int otherwise)
{
    return is_index(number, INT32_MAX) ? (int)number : otherwise;
}

static bool add_task(struct page_data *d, const struct event_text *e, int track)
{
    const double *n = e->number;
    bool on_device = d->track[track].of_device;
    int kernel = e->text[NAME] != NULL ? kernel_of(d, e->text[NAME], on_device) : -1;
    if (kernel < 0 || !(n[DUR] >= 0) || !is_time(n[DUR]) || index_or(n[STEP], 0) >= PAGE_STEPS_MAX)
        return false;
    struct page_task *task = ADD(d, task, tasks, task_room);
    if (task != NULL)
        *task = (struct page_task){ .start = 1e-6 * n[TS], .end = 1e-6 * (n[TS] + n[DUR]), .flops = n[FLOPS] > 0 ? n[FLOPS] : 0,
                                    .track = track, .kernel = kernel, .i = index_or(n[I], -1), .j = index_or(n[J], -1),
                                    .step = index_or(n[STEP], -1), .updates = index_or(n[UPDATES], 1) };
    return true;
}

/* An "e" event describes the whole span. */
static bool add_span(struct page_data *d, const struct event_text *e, int track)
{
    const double *n = e->number;
    double start = d->lookup->open_start, end = 1e-6 * n[TS];
    if (e->text[CATEGORY] == NULL || strcmp(e->text[CATEGORY], "wait") != 0)
        return true;
    struct page_wait *wait = ADD(d, wait, waits, wait_room);
    if (wait != NULL)
        *wait = (struct page_wait){ .start = start, .end = end, .track = track, .from = -1, .step = -1 };
    return true;
}

static bool begin_span(struct page_data *d, const struct event_text *e)
{
    const double *n = e->number;
    d->lookup->open_id = e->text[ID_TEXT];
    d->lookup->open_start = 1e-6 * n[TS];
    if (e->text[CATEGORY] == NULL || strcmp(e->text[CATEGORY], "fetch") != 0)
        return true;
    if (!is_index(n[FROM], PAGE_RANKS_MAX))
        return false;
    struct page_fetch *fetch = ADD(d, fetch, fetches, fetch_room);
    if (fetch != NULL)
        *fetch = (struct page_fetch){ .rank = (int)n[PID], .from = (int)n[FROM], .i = index_or(n[I], -1), .j = index_or(n[J], -1),
                                      .start = 1e-6 * n[TS], .end = 1e-6 * n[TS],
                                      .flow = is_index(n[FLOW], 9e15) ? (int64_t)n[FLOW] : -1 };
    return true;
}

static bool end_span(struct page_data *d, const struct event_text *e, int track)
{
    const char *id = e->text[ID_TEXT], *open = d->lookup->open_id;
    if (id == NULL || open == NULL || strcmp(id, open) != 0)
        return true;
    d->lookup->open_id = NULL;
    if (e->text[CATEGORY] != NULL && strcmp(e->text[CATEGORY], "fetch") == 0 && d->fetches > 0) {
        d->fetch[d->fetches - 1].end = 1e-6 * e->number[TS];
        return true;
    }
    return add_span(d, e, track);
}

static bool add_flow(struct page_data *d, const struct event_text *e, int track)
{
    if (!is_index(e->number[ID], 9e15))
        return false;
    struct page_flow *flow = ADD(d, flow, flows, flow_room);
    if (flow != NULL)
        *flow = (struct page_flow){ .id = (int64_t)e->number[ID], .track = track, .time = 1e-6 * e->number[TS],
                                    .arrives = e->text[PHASE][0] == 'f' };
    return true;
}

static bool add_sample(struct page_data *d, const struct event_text *e)
{
    const double *n = e->number;
    bool of_tasks = !isnan(n[SUBMITTED]), of_memory = !isnan(n[RESIDENT]);
    if (!of_tasks && !of_memory)
        return true;
    if (!is_index(n[of_tasks ? SUBMITTED : TILES], 9e15) || !is_index(n[of_tasks ? READY : RESIDENT], 9e15))
        return false;
    struct page_sample *sample = ADD(d, sample, samples, sample_room);
    if (sample != NULL)
        *sample = (struct page_sample){ .time = 1e-6 * n[TS], .rank = (int)n[PID], .of_tasks = of_tasks,
                                        .value = { (int64_t)(of_tasks ? n[SUBMITTED] : n[TILES]),
                                                   (int64_t)(of_tasks ? n[READY] : n[RESIDENT]) } };
    return true;
}

static void name_track(struct page_data *d, const struct event_text *e, int track)
{
    if (e->label == NULL || e->text[NAME] == NULL || strcmp(e->text[NAME], "thread_name") != 0)
        return;
    snprintf(d->track[track].name, sizeof d->track[track].name, "%s", e->label);
    d->track[track].of_device = strncmp(e->label, "device", 6) == 0;
}

static bool note_event(struct page_data *d, const struct event_text *e)
{
    const double *n = e->number;
    char phase = e->text[PHASE] != NULL ? e->text[PHASE][0] : '\0';
    if (phase == '\0' || !is_index(n[PID], PAGE_RANKS_MAX))
        return false;
    if (phase == 'C')
        return is_time(n[TS]) && add_sample(d, e);
    if (phase == 'M' && isnan(n[TID]))
        return true;
    if (!is_index(n[TID], PAGE_TRACKS_MAX) || (phase != 'M' && !is_time(n[TS])))
        return false;
    int track = track_of(d, (int)n[PID], (int)n[TID]);
    if (track < 0)
        return true;
    switch (phase) {
    case 'X': return add_task(d, e, track);
    case 'b': return begin_span(d, e);
    case 'e': return end_span(d, e, track);
    case 's': case 'f': return add_flow(d, e, track);
    case 'M': name_track(d, e, track);
    }
    return true;
}

bool page_take_event(void *context, struct json_place *p)
{
    struct event_text e = { .label = NULL };
    for (int k = 0; k < NUMBERS; k++)
        e.number[k] = NAN;
    char *start = p->s;
    if (!json_take_object(p, take_part, &e))
        return false;
    bool good = note_event(context, &e);
    if (!good)
        p->s = start;
    return good;
}

const char *page_read_events(struct page_data *d, char *events)
{
    struct json_place p = { events };
    d->lookup->open_id = NULL;      /* its memory was in another text */
    do {
        if (!page_take_event(d, &p))
            return p.s;
    } while (json_take(&p, ','));
    json_skip_blanks(&p);
    return *p.s != '\0' ? p.s : NULL;
}
