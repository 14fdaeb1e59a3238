/* Which copies of a tile are true, and the moves that make one so. The picture is in residence.h. */
#include "omp/internal.h"
#include "omp/residence.h"

#include <stdlib.h>

enum { OF_HOST, OF_DEVICE, KINDS };     /* of columns */
enum { FEWEST_SLOTS = 2 * TASK_OPERANDS };

struct device_slot {
    char *data;
    int tile;               /* that it holds; -1: none */
    int64_t used;           /* the last task that did */
    bool kept;              /* by a tile that lives there */
};

struct away {
    struct device_slot *slot;       /* NULL: none */
    bool true_there[KINDS];
    int uploads[KINDS];             /* to be read, since it was written */
};

struct tile {
    struct operand o;               /* as it was last seen, whole */
    bool true_here[KINDS];
};

struct pool {
    struct device_slot **slot;
    int count, room;
    bool full;
};

struct residence {
    struct devices *devices;
    struct rma_table *index;
    struct tile *tile;
    struct away *away;              /* [tile][device - 1] */
    int count, room;
    struct pool pool[RUN_DEVICES];
    int64_t task;                   /* that is being settled */
};

/* ---- tiles ------------------------------------------------------------------------------------------------------------------------- */

static int host_columns(const struct operand *o)
{
    int all = memory_columns(o);
    return o->split == NULL || o->split->host > all ? all : o->split->host;
}

static struct part columns_of_kind(const struct operand *o, int kind)
{
    int host = host_columns(o);
    return kind == OF_HOST ? (struct part){ 0, host } : (struct part){ host, memory_columns(o) - host };
}

/* Those of a kind that the task uses. */
static bool uses(const struct operand *o, int kind)
{
    struct part p = columns_of_kind(o, kind);
    return p.columns > 0 && (o->columns == 0 || (o->first < p.first + p.columns && p.first < o->first + o->columns));
}

static struct away *away_of(const struct residence *r, int tile, int device)
{
    return &r->away[(int64_t)tile * r->devices->count + device - 1];
}

/* My tiles by their memory: buffers have one name after the other. Others' by theirs. */
static int find(struct run *run, const struct operand *o)
{
    struct residence *r = run->residence;
    const void *matrix = o->mine ? NULL : o->matrix;
    int64_t id = o->mine ? (int64_t)(intptr_t)o->data : o->address.id;
    int tile = rma_table_find(r->index, matrix, id);
    if (tile < 0) {
        struct rma_backoff backoff = { 0 };
        while (r->count == r->room) {           /* memory is waited for: tasks free it */
            size_t room = 2 * (size_t)r->room + 256;
            struct tile *tiles = realloc(r->tile, room * sizeof *tiles);
            r->tile = tiles != NULL ? tiles : r->tile;
            struct away *away = realloc(r->away, room * (size_t)r->devices->count * sizeof *away);
            r->away = away != NULL ? away : r->away;
            if (tiles != NULL && away != NULL)
                r->room = (int)room;
            else
                run_help(run, &backoff);
        }
        tile = r->count++;
        r->tile[tile] = (struct tile){ .true_here = { true, true } };
        for (int d = 1; d <= r->devices->count; d++)
            *away_of(r, tile, d) = (struct away){ 0 };
        while (rma_table_insert(r->index, matrix, id, tile) != 0)
            run_help(run, &backoff);
    }
    r->tile[tile].o = *o;
    r->tile[tile].o.first = r->tile[tile].o.columns = 0;
    return tile;
}

/* ---- names ------------------------------------------------------------------------------------------------------------------------- */

static char *first_element(const struct operand *o, char *data, int column)
{
    return data + (size_t)column * (size_t)memory_rows(o) * o->kernels->size;
}

/* Of the tile's parts on the host that are among these columns. */
static void name_parts(struct run *run, enum access access, const struct operand *o, const struct rma_slot *slot, struct part columns)
{
    if (slot != NULL) {
        run_name(run, access, (char *)slot, false);
        return;
    }
    for (struct part p = { 0 }; next_part(o, &p);)
        if (p.first < columns.first + columns.columns && columns.first < p.first + p.columns)
            run_name(run, access, first_element(o, o->data, p.first), true);
}

static struct part columns_used(const struct operand *o)
{
    return o->columns > 0 ? (struct part){ o->first, o->columns } : (struct part){ 0, memory_columns(o) };
}

/* ---- moves ------------------------------------------------------------------------------------------------------------------------- */

static size_t bytes_of(const struct task *t, const struct task_tile *tile)
{
    return (size_t)tile->mb * (size_t)tile->nb * t->kernels->size;
}

static void upload(struct task *t)
{
    struct devices *devices = t->run->plan->devices;
    devices->up(devices, t->tile[1].data, t->tile[0].data, bytes_of(t, &t->tile[0]));
}

static void download(struct task *t)
{
    struct devices *devices = t->run->plan->devices;
    devices->down(devices, t->tile[1].data, t->tile[0].data, bytes_of(t, &t->tile[0]));
}

static struct task *new_move(struct run *run, const struct operand *o, bool up, int device, int64_t urgency)
{
    struct task move = { .run = run, .kind = up ? TASK_UPLOAD : TASK_DOWNLOAD, .compute = up ? upload : download, .kernels = o->kernels,
                         .count = 2, .device = device, .i = o->i, .j = o->j };
    struct task *t = run_enter(run, &move, urgency);
    run->names = (struct names){ 0 };
    return t;
}

static void move(struct run *run, int tile, int device, bool up, struct part columns, int64_t urgency)
{
    const struct operand o = run->residence->tile[tile].o;
    const struct device_slot *slot = away_of(run->residence, tile, device)->slot;
    struct rma_slot *from = o.mine ? NULL : run_fetch_tile(run, &o, urgency);
    struct task *t = new_move(run, &o, up, device, urgency);
    struct task_tile here = { .data = first_element(&o, from != NULL ? from->data : o.data, columns.first), .mb = memory_rows(&o),
                              .nb = columns.columns, .slot = from };
    struct task_tile there = { .data = first_element(&o, slot->data, columns.first), .mb = here.mb, .nb = here.nb };
    if (from != NULL)
        rma_slot_hold(from);
    t->tile[up ? 0 : 1] = here;
    t->tile[up ? 1 : 0] = there;
    name_parts(run, up ? READ : UPDATE, &o, from, columns);
    run_name(run, up ? UPDATE : READ, slot->data, true);
    task_submit(t);
}

static void bring_home(struct run *run, int tile, int kind, int64_t urgency)
{
    struct residence *r = run->residence;
    struct part columns = columns_of_kind(&r->tile[tile].o, kind);
    for (int d = 1; d <= r->devices->count && !r->tile[tile].true_here[kind]; d++) {
        if (!away_of(r, tile, d)->true_there[kind])
            continue;
        if (columns.columns > 0)
            move(run, tile, d, false, columns, urgency);
        r->tile[tile].true_here[kind] = true;
    }
}

/* ---- slots ------------------------------------------------------------------------------------------------------------------------- */

static struct device_slot *new_slot(const struct run *run, struct residence *r, int device)
{
    struct pool *p = &r->pool[device - 1];
    if (p->full)
        return NULL;
    if (p->count == p->room) {
        struct device_slot **larger = realloc(p->slot, (2 * (size_t)p->room + 64) * sizeof *larger);
        if (larger == NULL)
            return NULL;
        p->slot = larger;
        p->room = 2 * p->room + 64;
    }
    bool fits = run->plan->device_bytes == 0 || (size_t)(p->count + 1) * run->plan->slot_bytes <= run->plan->device_bytes;
    struct device_slot *slot = fits ? malloc(sizeof *slot) : NULL;
    void *data = slot != NULL ? r->devices->allocate(r->devices, device, run->plan->slot_bytes) : NULL;
    if (data == NULL) {
        free(slot);
        p->full = true;
        return NULL;
    }
    *slot = (struct device_slot){ .data = data, .tile = -1 };
    return p->slot[p->count++] = slot;
}

/* The one that was not used for longest; of the operands of one task there are fewer than slots. */
static struct device_slot *oldest_slot(const struct pool *p)
{
    struct device_slot *oldest = NULL;
    for (int i = 0; i < p->count; i++)
        if (!p->slot[i]->kept && (oldest == NULL || p->slot[i]->used < oldest->used))
            oldest = p->slot[i];
    return oldest;
}

static void empty_slot(struct run *run, struct device_slot *slot, int device, int64_t urgency)
{
    if (slot->tile < 0)
        return;
    for (int kind = 0; kind < KINDS; kind++)
        if (away_of(run->residence, slot->tile, device)->true_there[kind])
            bring_home(run, slot->tile, kind, urgency);
    *away_of(run->residence, slot->tile, device) = (struct away){ 0 };
    slot->tile = -1;
}

static struct away *with_slot(struct run *run, int tile, int device, int64_t urgency)
{
    struct residence *r = run->residence;
    struct device_slot *slot = away_of(r, tile, device)->slot;
    if (slot == NULL) {
        slot = new_slot(run, r, device);
        if (slot == NULL)
            slot = oldest_slot(&r->pool[device - 1]);
        empty_slot(run, slot, device, urgency);
        slot->tile = tile;
        away_of(r, tile, device)->slot = slot;
    }
    slot->used = r->task;
    return away_of(r, tile, device);
}

/* Of each kind of columns where the task finds it. */
struct places {
    int of[KINDS];
};

static void bring_there(struct run *run, int tile, const struct operand *o, struct places at, int64_t urgency)
{
    struct part columns = { 0, 0 };
    int device = uses(o, OF_DEVICE) ? at.of[OF_DEVICE] : at.of[OF_HOST];
    struct away *away = with_slot(run, tile, device, urgency);
    for (int kind = 0; kind < KINDS; kind++) {
        struct part p = columns_of_kind(o, kind);
        if (!uses(o, kind) || at.of[kind] == HOST || away->true_there[kind])
            continue;
        bring_home(run, tile, kind, urgency);
        columns.first = columns.columns > 0 ? columns.first : p.first;
        columns.columns += p.columns;
        away->true_there[kind] = true;
        if (o->access == READ && ++away->uploads[kind] > run->device_tally.most_uploads)
            run->device_tally.most_uploads = away->uploads[kind];
    }
    if (columns.columns > 0)
        move(run, tile, device, true, columns, urgency);
}

static void written(struct residence *r, int tile, int kind, int place)
{
    r->tile[tile].true_here[kind] = place == HOST;
    for (int d = 1; d <= r->devices->count; d++) {
        away_of(r, tile, d)->true_there[kind] = d == place;
        away_of(r, tile, d)->uploads[kind] = 0;
    }
}

/* ---- the operands of a task ---------------------------------------------------------------------------------------------------------- */

static struct places one_place(int place)
{
    return (struct places){ { place, place } };
}

/* Memory that a signal guards: nothing of it is looked at, but the signal comes after all tasks that have it, wherever. */
static bool guards(const struct task *t, const struct operand *o)
{
    return t->kind == TASK_HAND_OVER && o->mine && (o->address.unit > 0 || o->access == UPDATE);
}

/* Of a final tile that is gathered: only read. */
static enum access access_of(const struct task *t, const struct operand *o)
{
    return t->kind == TASK_HAND_OVER && o->split != NULL && !guards(t, o) ? READ : o->access;
}

static struct places places_of(const struct task *t, const struct operand *o, int place)
{
    if (t->kind == TASK_LASWP && o->split != NULL)
        return (struct places){ { HOST, o->split->device } };
    return one_place(place);
}

static void bring(struct run *run, int tile, const struct operand *o, struct places at, int64_t urgency)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (uses(o, kind) && at.of[kind] == HOST)
            bring_home(run, tile, kind, urgency);
    if ((uses(o, OF_HOST) && at.of[OF_HOST] != HOST) || (uses(o, OF_DEVICE) && at.of[OF_DEVICE] != HOST))
        bring_there(run, tile, o, at, urgency);
}

static void point(struct run *run, int tile, const struct operand *o, struct places at, int64_t urgency, struct task_tile *t)
{
    struct part used = columns_used(o);
    int device = uses(o, OF_DEVICE) ? at.of[OF_DEVICE] : at.of[OF_HOST];
    bool here = at.of[OF_HOST] == HOST;
    char *there = device != HOST ? away_of(run->residence, tile, device)->slot->data : NULL;
    *t = (struct task_tile){ .mb = memory_rows(o), .nb = used.columns, .host = host_columns(o) };
    if (!here) {
        t->data = first_element(o, there, used.first);
        return;
    }
    if (!o->mine) {
        t->slot = run_fetch_tile(run, o, urgency);
        rma_slot_hold(t->slot);
    }
    t->data = first_element(o, t->slot != NULL ? t->slot->data : o->data, used.first);
    t->away = there != NULL ? first_element(o, there, t->host) : NULL;
}

static void name(struct run *run, enum access access, int tile, const struct operand *o, struct places at, const struct rma_slot *slot)
{
    int last = HOST;
    for (int kind = 0; kind < KINDS; kind++) {
        struct part p = columns_of_kind(o, kind), used = columns_used(o);
        if (!uses(o, kind) || (at.of[kind] != HOST && at.of[kind] == last))
            continue;
        int end = p.first + p.columns < used.first + used.columns ? p.first + p.columns : used.first + used.columns;
        int first = p.first > used.first ? p.first : used.first;
        last = at.of[kind];
        if (last == HOST)
            name_parts(run, access, o, slot, (struct part){ first, end - first });
        else
            run_name(run, access, away_of(run->residence, tile, last)->slot->data, true);
    }
}

void residence_settle(struct run *run, struct task *t, const struct operand *operands, int64_t urgency)
{
    struct residence *r = run->residence;
    int tile[TASK_OPERANDS], place = residence_place(t->kind, &operands[t->count - 1]);
    struct places at[TASK_OPERANDS];
    r->task++;
    t->device = place;
    for (int i = 0; i < t->count; i++) {
        const struct operand *o = &operands[i];
        tile[i] = find(run, o);
        at[i] = places_of(t, o, place);
        if (!guards(t, o))
            bring(run, tile[i], o, at[i], urgency);
    }
    for (int i = 0; i < t->count; i++) {
        const struct operand *o = &operands[i];
        point(run, tile[i], o, at[i], urgency, &t->tile[i]);
        if (t->tile[i].away != NULL)
            t->device = at[i].of[OF_DEVICE];
        for (int kind = 0; kind < KINDS; kind++)
            if (t->kind != TASK_HAND_OVER && o->access != READ && uses(o, kind))
                written(r, tile[i], kind, at[i].of[kind]);
    }
    run->names = (struct names){ 0 };
    for (int i = 0; i < t->count; i++)
        name(run, access_of(t, &operands[i]), tile[i], &operands[i], at[i], t->tile[i].slot);
    for (int i = 0; i < t->count; i++)
        for (int d = 1; d <= r->devices->count && guards(t, &operands[i]); d++)
            if (away_of(r, tile[i], d)->slot != NULL)
                run_name(run, UPDATE, away_of(r, tile[i], d)->slot->data, true);
}

/* Kernels that devices have run where their output lives; of whole tiles, where most of it lives. */
int residence_place(enum task_kind kind, const struct operand *output)
{
    static const bool on_devices[TASK_KINDS] = { [TASK_POTRF] = true, [TASK_GETRF] = true, [TASK_TRSM] = true, [TASK_SYRK] = true,
                                                 [TASK_GEMM] = true, [TASK_ADD] = true, [TASK_TRMM] = true };
    const struct split *s = output->split;
    if (s == NULL || !on_devices[kind])
        return HOST;
    bool there = output->columns > 0 ? output->first >= s->host : 2 * s->host < memory_columns(output);
    return there ? s->device : HOST;
}

/* ---- the run ------------------------------------------------------------------------------------------------------------------------- */

/* Moves what lives on devices there, or what is true there alone home. */
static bool move_residents(struct run *run, bool up)
{
    struct residence *r = run->residence;
    struct devices *devices = r->devices;
    for (int d = 1; d <= devices->count; d++) {
        devices->begin(devices, d, up ? LANE_UP : LANE_DOWN);
        for (int tile = 0; tile < r->count; tile++) {
            const struct operand *o = &r->tile[tile].o;
            struct away *away = away_of(r, tile, d);
            for (int kind = 0; kind < KINDS; kind++) {
                struct part p = columns_of_kind(o, kind);
                size_t bytes = (size_t)p.columns * (size_t)memory_rows(o) * o->kernels->size;
                if (away->slot == NULL || bytes == 0 || (up ? kind == OF_HOST : !away->true_there[kind] || r->tile[tile].true_here[kind]))
                    continue;
                char *there = first_element(o, away->slot->data, p.first), *here = first_element(o, o->data, p.first);
                if (up)
                    devices->up(devices, there, here, bytes);
                else
                    devices->down(devices, here, there, bytes);
                *(up ? &run->device_tally.bytes_up : &run->device_tally.bytes_down) += (int64_t)bytes;
                away->true_there[kind] = true;
                r->tile[tile].true_here[kind] = !up;
            }
        }
        devices->wait(devices);
        devices->end(devices);
    }
    return devices->failure(devices) == NULL;
}

static bool make_slots(struct run *run)
{
    struct residence *r = run->residence;
    for (int d = 1; d <= r->devices->count; d++)
        for (int i = 0; i < FEWEST_SLOTS; i++)
            if (new_slot(run, r, d) == NULL)
                return false;
    for (int64_t i = 0; i < run->plan->residents; i++) {
        const struct operand *o = &run->plan->resident[i];
        struct device_slot *slot = new_slot(run, r, o->split->device);
        if (slot == NULL)
            return false;
        int tile = find(run, o);
        slot->kept = true;
        slot->tile = tile;
        away_of(r, tile, o->split->device)->slot = slot;
    }
    return move_residents(run, true);
}

static void free_all(struct residence *r)
{
    for (int d = 1; d <= r->devices->count; d++) {
        struct pool *p = &r->pool[d - 1];
        for (int i = 0; i < p->count; i++) {
            r->devices->release(r->devices, d, p->slot[i]->data);
            free(p->slot[i]);
        }
        free(p->slot);
    }
    rma_table_destroy(&r->index);
    free(r->tile);
    free(r->away);
    free(r);
}

bool residence_create(struct run *run)
{
    struct residence *r = calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    r->devices = run->plan->devices;
    r->index = rma_table_create((int)run->plan->residents);
    run->residence = r;
    return r->index != NULL && make_slots(run);
}

void residence_destroy(struct run *run)
{
    if (run->residence == NULL)
        return;
    free_all(run->residence);
    run->residence = NULL;
}

bool residence_return(struct run *run)
{
    return move_residents(run, false);
}
