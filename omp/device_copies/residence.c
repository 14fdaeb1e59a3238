/* Moves the operands of each task to its place, and chooses what devices hold during a run: see residence.h. */
#include "omp/device_copies/residence.h"
#include "omp/device_copies/copies.h"
#include "omp/order.h"
#include "omp/submit.h"
#include "omp/transfer.h"

#include <stdlib.h>

/* ---- the operands of a task ------------------------------------------------------------------------------------------------ */

/* For each kind of columns, the place where the task finds them. */
struct places {
    int of[KINDS];
};

static struct places one_place(int place)
{
    return (struct places){ { place, place } };
}

/* Whether the task only guards this memory. It does not read the memory, but it comes after all tasks that use it, in any
   place. */
static bool guards(const struct task *t, const struct operand *o)
{
    return task_facts(t->kind)->hands_over && o->mine && (o->address.unit > 0 || o->access == UPDATE);
}

/* A hand-over only reads a final tile that it gathers. */
static enum access access_of(const struct task *t, const struct operand *o)
{
    return task_facts(t->kind)->hands_over && o->split != NULL && !guards(t, o) ? READ : o->access;
}

static struct places places_of(const struct task *t, const struct operand *o, int place)
{
    if (o->on_host || (task_facts(t->kind)->place == WITH_STACK && o->split == NULL))
        return one_place(HOST);
    if (task_facts(t->kind)->place == WHERE_COLUMNS_RESIDE && o->split != NULL)
        return (struct places){ { HOST, o->split->device } };
    return one_place(place);
}

static void bring(struct run *run, int tile, const struct operand *o, struct places at, int64_t urgency)
{
    bool there[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        there[kind] = uses(o, kind) && at.of[kind] != HOST;
        if (uses(o, kind) && !there[kind])
            copies_download(run, tile, kind, urgency);
    }
    if (there[OF_HOST] || there[OF_DEVICE])
        copies_upload(run, tile, o, there, at.of[there[OF_DEVICE] ? OF_DEVICE : OF_HOST], urgency);
}

static void point(struct run *run, int tile, const struct operand *o, struct places at, struct task_tile *t)
{
    struct part used = columns_used(o);
    int device = uses(o, OF_DEVICE) ? at.of[OF_DEVICE] : at.of[OF_HOST];
    bool here = at.of[OF_HOST] == HOST;
    struct device_slot *slot = device != HOST ? device_copy(run->residence, tile, device)->slot : NULL;
    char *there = slot != NULL ? slot->data : NULL;
    *t = (struct task_tile){ .mb = memory_rows(o), .nb = used.columns, .host = host_columns(o), .traits = o->traits };
    if (!here) {        /* with checksums in the matrix's precision, even if the host's copy is in single */
        t->data = column_at(o, there, used.first);
        t->traits.form = form_of_copy(o, slot);
        t->traits.mixed = false;
        t->found = slot->found;
        return;
    }
    if (!o->mine) {
        t->slot = run_fetch_tile(run, o);
        rma_slot_hold(t->slot);
    }
    t->data = column_at(o, t->slot != NULL ? t->slot->data : o->data, used.first);
    t->on_device = there != NULL ? column_at(o, there, t->host) : NULL;
}

static void name(struct run *run, enum access access, int tile, const struct operand *o, struct places at,
                 const struct rma_slot *slot)
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
            copies_name_parts(run, access, o, slot, (struct part){ first, end - first });
        else
            run_name(run, access, device_copy(run->residence, tile, last)->slot->data, true);
    }
}

/* Registers the accesses of the task where point() has placed its tiles. A hand-over reads a tile of the matrix. A hand-over
   of other memory writes all copies of it. */
static void use(struct run *run, struct task *t, int i, int tile, const struct operand *o, struct places at)
{
    if (t->record == NULL)
        return;
    bool hands_over = task_facts(t->kind)->hands_over;
    bool is_read = hands_over && o->split != NULL && o->access == FINAL && o->address.unit == 0;
    bool writes = o->access != READ && !is_read;
    for (int d = 1; d <= run->residence->devices->count && writes && hands_over; d++)
        if (device_copy(run->residence, tile, d)->slot != NULL)
            order_use_all(run, t, device_copy(run->residence, tile, d)->slot->data);
    struct task_tile here = t->tile[i], there = here;
    int device = uses(o, OF_DEVICE) ? at.of[OF_DEVICE] : at.of[OF_HOST];
    const char *slot = device != HOST ? device_copy(run->residence, tile, device)->slot->data : NULL;
    if (o->split == NULL && device == HOST) {
        order_use_operand(run, t, i, o);
        return;
    }
    if (here.on_device != NULL) {
        there = (struct task_tile){ .data = here.on_device, .mb = here.mb, .nb = here.nb - here.host };
        order_use_tile(run, t, writes, &there, slot);
        here.nb = here.host;
    }
    order_use_tile(run, t, writes, &here, at.of[OF_HOST] == HOST ? o->data : slot);
}

/* A task for a kernel that devices have runs where its output resides; if it uses whole tiles, where most columns of the
   output reside. */
static int place_of(const struct task *t, const struct operand *operands)
{
    const struct operand *output = &operands[t->count - 1];
    const struct split *s = output->split;
    int apart = HOST;
    for (int i = 0; i < t->count; i++)
        apart = operands[i].apart != HOST ? operands[i].apart : apart;
    if (task_facts(t->kind)->place == WITH_STACK)
        return apart;
    if (s == NULL || task_facts(t->kind)->place != WITH_OUTPUT)
        return HOST;
    bool there = output->used.columns > 0 ? output->used.first >= s->host : 2 * s->host < memory_columns(output);
    return there ? s->device : HOST;
}

void residence_settle(struct run *run, struct task *t, const struct operand *operands, int64_t urgency)
{
    struct residence *r = run->residence;
    bool hands_over = task_facts(t->kind)->hands_over;
    int tile[TASK_OPERANDS], place = place_of(t, operands);
    struct places at[TASK_OPERANDS];
    r->task++;
    t->device = place;
    for (int i = 0; i < t->count; i++) {
        const struct operand *o = &operands[i];
        tile[i] = copies_find(run, o);
        at[i] = places_of(t, o, place);
        if (!guards(t, o))
            bring(run, tile[i], o, at[i], urgency);
    }
    for (int i = 0; i < t->count; i++) {
        const struct operand *o = &operands[i];
        point(run, tile[i], o, at[i], &t->tile[i]);
        if (t->tile[i].on_device != NULL)
            t->device = at[i].of[OF_DEVICE];
        for (int kind = 0; kind < KINDS; kind++)
            if (!hands_over && o->access != READ && uses(o, kind))
                copies_written(r, tile[i], kind, at[i].of[kind]);
    }
    for (int i = 0; i < t->count; i++)
        use(run, t, i, tile[i], &operands[i], at[i]);
    run->names.in_count = run->names.out_count = 0;
    for (int i = 0; i < t->count; i++)
        name(run, access_of(t, &operands[i]), tile[i], &operands[i], at[i], t->tile[i].slot);
    for (int i = 0; i < t->count; i++)
        for (int d = 1; d <= r->devices->count && guards(t, &operands[i]); d++)
            if (device_copy(r, tile[i], d)->slot != NULL)
                run_name(run, UPDATE, device_copy(r, tile[i], d)->slot->data, true);
}

/* ---- the run --------------------------------------------------------------------------------------------------------------- */

static size_t size_in_form(const struct precision *precision, const struct tile_form *form)
{
    return form == NULL ? precision->size : precision->size >> form_precision(form);
}

/* Moves columns of one kind between host and device; called between begin and end. */
static void move_columns(struct run *run, struct on_host *on_host, struct on_device *on_device, int kind, bool up)
{
    struct devices *devices = run->residence->devices;
    const struct operand *o = &on_host->o;
    const struct tile_form *form = form_of_copy(o, on_device->slot);
    struct part p = columns_of_kind(o, kind);
    size_t bytes = (size_t)p.columns * (size_t)memory_rows(o) * size_in_form(o->precision, form);
    char *there = column_at(o, on_device->slot->data, p.first), *here = column_at(o, o->data, p.first);
    if (up)
        devices->up(devices, there, here, bytes);
    else
        devices->down(devices, here, there, bytes);
    *(up ? &run->device_tally.bytes_up : &run->device_tally.bytes_down) += (int64_t)bytes;
    on_device->valid_there[kind] = true;
    on_host->valid_here[kind] = !up;
}

/* up: moves the resident tiles to their devices. Else moves to the host the columns that are valid on devices only. */
static bool move_residents(struct run *run, bool up)
{
    struct residence *r = run->residence;
    struct devices *devices = r->devices;
    for (int d = 1; d <= devices->count; d++) {
        devices->begin(devices, d, up ? LANE_UP : LANE_DOWN);
        for (int i = 0; i < r->count; i++) {
            struct on_device *on_device = device_copy(r, i, d);
            for (int kind = up ? OF_DEVICE : OF_HOST; on_device->slot != NULL && kind < KINDS; kind++)
                if (up || (on_device->valid_there[kind] && !r->on_host[i].valid_here[kind]))
                    move_columns(run, &r->on_host[i], on_device, kind, up);
        }
        device_end_and_wait(devices);
    }
    return devices->failure(devices) == NULL;
}

/* Creates a slot for each tile that may be on the device, or as many slots as fit into its memory. */
static bool make_pool(struct run *run, int device, int64_t residents, int tiles)
{
    struct devices *devices = run->residence->devices;
    struct pool *p = &run->residence->pool[device - 1];
    size_t slot_bytes = run->plan->residents.slot_bytes;
    int64_t fit = (int64_t)(run->plan->residents.device_bytes / slot_bytes), wanted = residents + FEWEST_SLOTS + tiles;
    int64_t room = wanted < fit ? wanted : fit;
    if (room < residents + FEWEST_SLOTS)
        return false;
    p->slot = malloc((size_t)room * sizeof *p->slot);
    p->memory = p->slot == NULL ? NULL : devices->allocate(devices, device, (size_t)room * slot_bytes);
    p->room = p->memory == NULL ? 0 : (int)room;
    return p->memory != NULL;
}

static bool make_pools(struct run *run, int tiles)
{
    int64_t residents[RUN_DEVICES] = { 0 };
    bool made = true;
    for (int64_t i = 0; i < run->plan->residents.count; i++)
        residents[run->plan->residents.tile[i].split->device - 1]++;
    for (int d = 1; d <= run->residence->devices->count && run->plan->residents.count > 0; d++)
        made = made && make_pool(run, d, residents[d - 1], tiles);
    return made;
}

static void pin(struct run *run)
{
    struct residence *r = run->residence;
    size_t bytes;
    void *copies = rma_cache_memory(run->cache, &bytes);
    int64_t before = r->devices->unpinned;
    if (rma_cache_space(run->cache) != NULL)        /* ranks of this node read copies from each other's cache */
        pinned_add_space(&r->pinned, r->devices, rma_cache_space(run->cache), run->rma);
    else
        pinned_add(&r->pinned, r->devices, copies, bytes, false);
    for (int d = 1; d <= r->devices->count; d++)      /* devices write what they find to slots */
        pinned_add(&r->pinned, r->devices, r->pool[d - 1].slot, (size_t)r->pool[d - 1].room * sizeof *r->pool[d - 1].slot, false);
    for (int i = 0; i < run->plan->spaces_count; i++)
        pinned_add_space(&r->pinned, r->devices, run->plan->spaces[i], run->rma);
    run->device_tally.bytes_unpinned = r->devices->unpinned - before;
}

static bool place_residents(struct run *run)
{
    struct residence *r = run->residence;
    for (int64_t i = 0; i < run->plan->residents.count; i++) {
        const struct operand *o = &run->plan->residents.tile[i];
        struct device_slot *slot = copies_new_slot(run, r, o->split->device);
        int tile = copies_find(run, o);
        slot->kept = true;
        slot->tile = tile;
        device_copy(r, tile, o->split->device)->slot = slot;
    }
    return move_residents(run, true);
}

static void free_all(struct residence *r)
{
    for (int d = 1; d <= r->devices->count; d++) {
        struct pool *p = &r->pool[d - 1];
        r->devices->release(r->devices, d, p->memory);
        free(p->slot);
    }
    pinned_release(&r->pinned, r->devices);
    rma_table_destroy(&r->index);
    free(r->on_host);
    free(r->on_device);
    free(r);
}

bool residence_create(struct run *run, int tiles)
{
    struct residence *r = calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    r->devices = run->plan->devices;
    const struct run_saver *saver = run->plan->saver;
    int64_t saved = saver != NULL ? saver->most : 0;
    int room = (int)(run->plan->residents.count + tiles + saved + 1);     /* every tile of the run has been counted */
    r->index = rma_table_create(room);
    r->on_host = malloc((size_t)room * sizeof *r->on_host);
    r->on_device = malloc((size_t)room * (size_t)r->devices->count * sizeof *r->on_device);
    run->residence = r;
    if (r->index == NULL || r->on_host == NULL || r->on_device == NULL || !make_pools(run, tiles))
        return false;
    if (run->plan->residents.count > 0)
        pin(run);
    return place_residents(run);
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
