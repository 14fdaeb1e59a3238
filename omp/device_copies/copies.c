/* Copies of tiles on devices: tiles, moves, slots. */
#include "omp/device_copies/copies.h"
#include "omp/order.h"
#include "omp/submit.h"
#include "omp/transfer.h"

/* ---- tiles ----------------------------------------------------------------------------------------------------------------- */

/*
 * A buffer may be used again with another shape. Then its parts have other names although the memory is the same. The former
 * contents are not needed any more, but tasks may still use them. So a task that writes all names, old and new, comes between.
 */
static void reshape(struct run *run, int tile, const struct operand *o)
{
    struct residence *r = run->residence;
    const struct operand old = r->on_host[tile].o;
    const struct task between = { .run = run, .kind = TASK_HAND_OVER, .compute = do_nothing, .precision = o->precision };
    struct task *t = run_copy_task(run, &between);
    run_enter(run, t, run_urgency_of(run, o->due, URGENT_UPDATE));
    run->names.in_count = run->names.out_count = 0;
    copies_name_parts(run, UPDATE, &old, NULL, (struct part){ 0, memory_columns(&old) });
    copies_name_parts(run, UPDATE, o, NULL, (struct part){ 0, memory_columns(o) });
    for (int d = 1; d <= r->devices->count; d++)
        if (device_copy(r, tile, d)->slot != NULL)
            run_name(run, UPDATE, device_copy(r, tile, d)->slot->data, true);
    order_use_all(run, t, o->data);
    for (int d = 1; d <= r->devices->count; d++)
        if (device_copy(r, tile, d)->slot != NULL)
            order_use_all(run, t, device_copy(r, tile, d)->slot->data);
    task_submit(t);
    for (int kind = 0; kind < KINDS; kind++)
        copies_written(r, tile, kind, HOST);
}

static bool has_shape(const struct operand *a, const struct operand *b)
{
    return memory_rows(a) == memory_rows(b) && all_columns(a) == all_columns(b) && a->split == b->split;
}

int copies_find(struct run *run, const struct operand *o)
{
    struct residence *r = run->residence;
    int tile = rma_table_find(r->index, key_matrix(o), key_id(o));
    if (tile < 0) {         /* there is room for the tile, also in the table: run_tally */
        tile = r->count++;
        r->on_host[tile] = (struct on_host){ .valid_here = { true, true } };
        for (int d = 1; d <= r->devices->count; d++)
            *device_copy(r, tile, d) = (struct on_device){ 0 };
        rma_table_insert(r->index, key_matrix(o), key_id(o), tile);
    } else if (o->mine && !has_shape(o, &r->on_host[tile].o)) {
        reshape(run, tile, o);
    }
    r->on_host[tile].o = *o;
    r->on_host[tile].o.used = (struct part){ 0 };
    return tile;
}

void copies_name_parts(struct run *run, enum access access, const struct operand *o, const struct rma_slot *slot,
                       struct part columns)
{
    if (slot != NULL) {
        run_name(run, access, (char *)slot, false);
        return;
    }
    for (struct part p = { 0 }; next_part(o, &p);)
        if (p.first < columns.first + columns.columns && columns.first < p.first + p.columns)
            run_name(run, access, column_at(o, o->data, p.first), true);
}

void copies_written(struct residence *r, int tile, int kind, int place)
{
    r->on_host[tile].valid_here[kind] = place == HOST;
    for (int d = 1; d <= r->devices->count; d++) {
        device_copy(r, tile, d)->valid_there[kind] = d == place;
        device_copy(r, tile, d)->uploads[kind] = 0;
    }
}

/* ---- moves ----------------------------------------------------------------------------------------------------------------- */

static size_t bytes_of(const struct task *t, const struct task_tile *tile)
{
    return numbers_in(tile) * precision_in(t, tile)->size;
}

enum { GAP = 256 };     /* bytes for one number, so that the next piece of memory is aligned */

/* A tile of mixed precision is uploaded as it is, and the device computes its norm for the updates that read it. */
static void upload_as_it_is(struct task *t)
{
    struct devices *devices = t->run->plan->devices;
    const struct task_tile *here = &t->tile[0], *there = &t->tile[1];
    const struct precision *precision = precision_in(t, here);
    bool is_bf16 = rank_of(here) == TILE_BF16;
    size_t reals = numbers_in(here) * t->precision->size / sizeof(double);
    double *sum = devices->scratch(devices, GAP + (is_bf16 ? reals * sizeof(float) : 0));
    const void *numbers = there->data;
    t->with.bytes = bytes_of(t, here);
    if (sum == NULL)
        return;
    devices->up(devices, there->data, here->data, t->with.bytes);
    if (is_bf16) {
        float *single = (float *)((char *)sum + GAP);
        devices->bf16->widen(reals, there->data, single);
        precision = precision_of(t->precision->other);
        numbers = single;
    }
    if (there->traits.form != here->traits.form)
        *there->traits.form = (struct tile_form){ .rank = rank_of(here) };
    devices->kernels(precision->type)->squares(GENERAL, there->mb, there->nb, numbers, there->mb, sum);
    devices->down(devices, there->found, sum, sizeof *sum);
}

/* A tile in single is uploaded in single and widened on the device. Its checksums, behind the with.k columns, are in double on
   the host, too. */
static void upload_single(struct task *t)
{
    struct devices *devices = t->run->plan->devices;
    const struct task_tile *here = &t->tile[0], *there = &t->tile[1];
    size_t size = t->precision->size, elements = (size_t)here->mb * (size_t)t->with.k;
    size_t single = elements * size / 2, sums = numbers_in(here) * size - elements * size;
    void *scratch = devices->scratch(devices, single);
    t->with.bytes = single + sums;
    if (scratch == NULL)
        return;
    devices->up(devices, scratch, here->data, single);
    devices->kernels(t->precision->type)->from_other(here->mb, t->with.k, scratch, here->mb, there->data, there->mb);
    if (sums > 0)
        devices->up(devices, there->data + elements * size,
                    here->data + bytes_before_sums(here->mb, t->with.k, size, IN_SINGLE), sums);
}

static void upload(struct task *t)
{
    struct devices *devices = t->run->plan->devices;
    if (t->tile[1].traits.form != NULL)
        upload_as_it_is(t);
    else if (rank_of(&t->tile[0]) == TILE_SINGLE)
        upload_single(t);
    else
        devices->up(devices, t->tile[1].data, t->tile[0].data, t->with.bytes = bytes_of(t, &t->tile[0]));
}

static void download(struct task *t)
{
    struct devices *devices = t->run->plan->devices;
    t->with.bytes = bytes_of(t, &t->tile[0]);
    devices->down(devices, t->tile[1].data, t->tile[0].data, t->with.bytes);
}

static void copy_across(struct task *t)
{
    struct devices *devices = t->run->plan->devices;
    const struct tile_form *from = t->tile[0].traits.form;
    struct tile_form *to = t->tile[1].traits.form;
    t->with.bytes = bytes_of(t, &t->tile[0]);
    devices->across(devices, t->tile[1].data, (int)t->with.row, t->tile[0].data, t->with.bytes);
    if (to != from)
        *to = (struct tile_form){ .rank = from->rank, .norm = atomic_load_explicit(&from->norm, memory_order_relaxed) };
}

static struct task *new_move(struct run *run, const struct operand *o, enum task_kind kind, int device, int64_t urgency)
{
    void (*const compute)(struct task *) = kind == TASK_UPLOAD ? upload : kind == TASK_DOWNLOAD ? download : copy_across;
    struct task move = { .run = run, .kind = kind, .compute = compute, .precision = o->precision, .count = 2, .device = device,
                         .i = o->i, .j = o->j };
    struct task *t = run_copy_task(run, &move);
    run_enter(run, t, urgency);
    run->names.in_count = run->names.out_count = 0;
    return t;
}

static void move(struct run *run, int tile, int device, bool up, struct part columns, int64_t urgency)
{
    const struct operand o = run->residence->on_host[tile].o;
    struct device_slot *slot = device_copy(run->residence, tile, device)->slot;
    struct rma_slot *from = o.mine ? NULL : run_fetch_tile(run, &o);
    struct task *t = new_move(run, &o, up ? TASK_UPLOAD : TASK_DOWNLOAD, device, urgency);
    struct task_tile here = { .data = column_at(&o, from != NULL ? from->data : o.data, columns.first), .mb = memory_rows(&o),
                              .nb = columns.columns, .slot = from };
    struct task_tile there = { .data = column_at(&o, slot->data, columns.first), .mb = here.mb, .nb = here.nb,
                               .traits.form = form_of_copy(&o, slot), .found = slot->found };
    if (from != NULL)
        rma_slot_hold(from);
    t->with.k = o.mirrored ? o.mb : o.nb;
    if (up)
        here.traits = o.traits;
    t->tile[up ? 0 : 1] = here;
    t->tile[up ? 1 : 0] = there;
    order_use_tile(run, t, !up, &here, o.data);
    order_use_tile(run, t, up, &there, slot->data);
    copies_name_parts(run, up ? READ : UPDATE, &o, from, columns);
    run_name(run, up ? UPDATE : READ, slot->data, true);
    task_submit(t);
}

/* Moves columns from the device that has written them to another device. */
static void move_across(struct run *run, int tile, int from, int device, struct part columns, int64_t urgency)
{
    const struct operand o = run->residence->on_host[tile].o;
    struct device_slot *source = device_copy(run->residence, tile, from)->slot;
    struct device_slot *slot = device_copy(run->residence, tile, device)->slot;
    struct task *t = new_move(run, &o, TASK_ACROSS, device, urgency);
    t->with.row = from;
    t->tile[0] = (struct task_tile){ .data = column_at(&o, source->data, columns.first), .mb = memory_rows(&o),
                                     .nb = columns.columns, .traits.form = form_of_copy(&o, source) };
    t->tile[1] = t->tile[0];
    t->tile[1].data = column_at(&o, slot->data, columns.first);
    t->tile[1].traits.form = form_of_copy(&o, slot);
    order_use_tile(run, t, false, &t->tile[0], source->data);
    order_use_tile(run, t, true, &t->tile[1], slot->data);
    run_name(run, READ, source->data, true);
    run_name(run, UPDATE, slot->data, true);
    task_submit(t);
}

void copies_download(struct run *run, int tile, int kind, int64_t urgency)
{
    struct residence *r = run->residence;
    struct part columns = columns_of_kind(&r->on_host[tile].o, kind);
    for (int d = 1; d <= r->devices->count && !r->on_host[tile].valid_here[kind]; d++) {
        if (!device_copy(r, tile, d)->valid_there[kind])
            continue;
        if (columns.columns > 0)
            move(run, tile, d, false, columns, urgency);
        r->on_host[tile].valid_here[kind] = true;
    }
}

/* ---- slots ----------------------------------------------------------------------------------------------------------------- */

struct device_slot *copies_new_slot(const struct run *run, struct residence *r, int device)
{
    struct pool *p = &r->pool[device - 1];
    if (p->count == p->room)
        return NULL;
    struct device_slot *slot = &p->slot[p->count];
    *slot = (struct device_slot){ .data = p->memory + (size_t)p->count * run->plan->residents.slot_bytes, .tile = -1 };
    p->count++;
    return slot;
}

/* The slot that was not used for the longest time. There are more slots than a task has operands. */
static struct device_slot *oldest_slot(struct pool *p)
{
    struct device_slot *oldest = NULL;
    for (int i = 0; i < p->count; i++)
        if (!p->slot[i].kept && (oldest == NULL || p->slot[i].used < oldest->used))
            oldest = &p->slot[i];
    return oldest;
}

static void empty_slot(struct run *run, struct device_slot *slot, int device, int64_t urgency)
{
    if (slot->tile < 0)
        return;
    for (int kind = 0; kind < KINDS; kind++)
        if (device_copy(run->residence, slot->tile, device)->valid_there[kind])
            copies_download(run, slot->tile, kind, urgency);
    struct on_device *on_device = device_copy(run->residence, slot->tile, device);
    on_device->slot = NULL;
    on_device->valid_there[OF_HOST] = on_device->valid_there[OF_DEVICE] = false;
    slot->tile = -1;
}

static struct on_device *with_slot(struct run *run, int tile, int device, int64_t urgency)
{
    struct residence *r = run->residence;
    struct device_slot *slot = device_copy(r, tile, device)->slot;
    if (slot == NULL) {
        slot = copies_new_slot(run, r, device);
        if (slot == NULL)
            slot = oldest_slot(&r->pool[device - 1]);
        empty_slot(run, slot, device, urgency);
        slot->tile = tile;
        device_copy(r, tile, device)->slot = slot;
    }
    slot->used = r->task;
    return device_copy(r, tile, device);
}

/* ---- to a device ----------------------------------------------------------------------------------------------------------- */

/* Another device that is linked with this one and has written all wanted columns that are not valid here; HOST: none. */
static int writer_of(const struct residence *r, int tile, const bool wanted[KINDS], int device)
{
    for (int d = 1; d <= r->devices->count && r->devices->linked != NULL; d++) {
        const struct on_device *on_device = device_copy(r, tile, d);
        bool all = d != device && r->devices->linked(r->devices, device, d);
        for (int kind = 0; kind < KINDS; kind++)
            if (wanted[kind] && !device_copy(r, tile, device)->valid_there[kind])
                all = all && on_device->valid_there[kind] && on_device->uploads[kind] == 0;
        if (all)
            return d;
    }
    return HOST;
}

/* Columns that another device has written come from there directly, even if a download of them is in flight. */
void copies_upload(struct run *run, int tile, const struct operand *o, const bool wanted[KINDS], int device,
                        int64_t urgency)
{
    struct part columns = { 0, 0 };
    struct on_device *on_device = with_slot(run, tile, device, urgency);
    int from = writer_of(run->residence, tile, wanted, device);
    for (int kind = 0; kind < KINDS; kind++) {
        struct part p = columns_of_kind(o, kind);
        if (!wanted[kind] || on_device->valid_there[kind])
            continue;
        if (from == HOST)
            copies_download(run, tile, kind, urgency);
        columns.first = columns.columns > 0 ? columns.first : p.first;
        columns.columns += p.columns;
        on_device->valid_there[kind] = true;
        if (o->access == READ && ++on_device->uploads[kind] > run->device_tally.most_uploads)
            run->device_tally.most_uploads = on_device->uploads[kind];
    }
    if (columns.columns > 0 && from != HOST)
        move_across(run, tile, from, device, columns, urgency);
    else if (columns.columns > 0)
        move(run, tile, device, true, columns, urgency);
}
