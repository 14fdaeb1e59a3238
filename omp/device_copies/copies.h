/* The copies of tiles on devices, with their slots and moves, by decisions of residence.c. For the submitting thread alone. */
#ifndef OMPFACT_OMP_DEVICE_COPIES_COPIES_H
#define OMPFACT_OMP_DEVICE_COPIES_COPIES_H

#include "omp/execution.h"
#include "omp/pinned.h"

enum { OF_HOST, OF_DEVICE, KINDS };     /* kinds of columns */

enum { FOUND = 3 };                     /* numbers that a device finds about a tile: device_tiles.h */

struct device_slot {
    char *data;
    int tile;               /* the tile in the slot; -1: none */
    int64_t used;           /* the last task that used it */
    bool kept;              /* belongs to a tile that resides on the device */
    struct tile_form form;  /* of a copy of a tile of mixed precision; written by the move into the slot */
    double found[FOUND];
};

/* The copy of a tile on one device. */
struct on_device {
    struct device_slot *slot;       /* NULL: none */
    bool valid_there[KINDS];
    int uploads[KINDS];             /* uploads for reading since the last write */
};

/* The copy of a tile on the host. */
struct on_host {
    struct operand o;               /* the whole operand at its last use */
    bool valid_here[KINDS];
};

/* The slots of a device, in one piece of its memory. */
struct pool {
    char *memory;
    struct device_slot *slot;
    int count, room;
};

struct residence {
    struct devices *devices;
    struct rma_table *index;
    struct on_host *on_host;              /* [tile] */
    struct on_device *on_device;              /* [tile][device - 1] */
    int count;
    struct pool pool[RUN_DEVICES];
    struct pinned pinned;           /* pinned memory except that of the matrices, which is pinned already */
    int64_t task;                   /* number of the task that is being placed */
};

/* ---- columns --------------------------------------------------------------------------------------------------------------- */

static inline int host_columns(const struct operand *o)
{
    int all = all_columns(o);
    return o->split == NULL || o->split->host > all ? all : o->split->host;
}

static inline struct part columns_of_kind(const struct operand *o, int kind)
{
    int host = host_columns(o);
    return kind == OF_HOST ? (struct part){ 0, host } : (struct part){ host, all_columns(o) - host };
}

/* Whether the task uses columns of this kind. */
static inline bool uses(const struct operand *o, int kind)
{
    struct part p = columns_of_kind(o, kind), used = o->used;
    return p.columns > 0 && (used.columns == 0 || (used.first < p.first + p.columns && p.first < used.first + used.columns));
}

static inline struct part columns_used(const struct operand *o)
{
    return o->used.columns > 0 ? o->used : (struct part){ 0, memory_columns(o) };
}

static inline char *column_at(const struct operand *o, char *data, int column)
{
    return data + (size_t)column * (size_t)memory_rows(o) * o->precision->size;
}

/* The form of a copy in this slot, of a matrix of mixed precision; NULL: the copy is in the matrix's precision. The form of a
   tile that resides on the device is the matrix's. With checksums all copies are in double. */
static inline struct tile_form *form_of_copy(const struct operand *o, struct device_slot *slot)
{
    if (!o->traits.mixed || o->traits.summed != NO_SUMS)
        return NULL;
    return slot->kept && o->traits.form != NULL ? o->traits.form : &slot->form;
}

/* ---- tiles ----------------------------------------------------------------------------------------------------------------- */

static inline struct on_device *device_copy(const struct residence *r, int tile, int device)
{
    return &r->on_device[(int64_t)tile * r->devices->count + device - 1];
}

/* Finds or adds the tile of the operand. */
int copies_find(struct run *run, const struct operand *o);
/* Adds the names of the parts of the tile on the host that overlap these columns. slot: for a tile of another rank. */
void copies_name_parts(struct run *run, enum access access, const struct operand *o, const struct rma_slot *slot,
                       struct part columns);
/* Marks the copy at `place` as the only valid one after a write. */
void copies_written(struct residence *r, int tile, int kind, int place);

/* ---- moves: submitted as tasks --------------------------------------------------------------------------------------------- */

/* Takes another slot; NULL: all are taken. */
struct device_slot *copies_new_slot(const struct run *run, struct residence *r, int device);
void copies_download(struct run *run, int tile, int kind, int64_t urgency);
/* Uploads the wanted kinds of columns to the device. An operand that is only read counts as an upload for reading. */
void copies_upload(struct run *run, int tile, const struct operand *o, const bool wanted[KINDS], int device,
                        int64_t urgency);

#endif
