/* The copies of tiles, and the slots and moves that make them: what residence.c decides on. For the submitting thread alone. */
#ifndef OMPFACT_OMP_DEVICE_COPIES_COPIES_H
#define OMPFACT_OMP_DEVICE_COPIES_COPIES_H

#include "omp/execution.h"
#include "omp/pinned.h"

enum { OF_HOST, OF_DEVICE, KINDS };     /* of columns */

struct device_slot {
    char *data;
    int tile;               /* that it holds; -1: none */
    int64_t used;           /* the last task that did */
    bool kept;              /* by a tile that lives there */
};

/* A tile on one device, */
struct on_device {
    struct device_slot *slot;       /* NULL: none */
    bool valid_there[KINDS];
    int uploads[KINDS];             /* to be read, since it was written */
};

/* and on the host. */
struct on_host {
    struct operand o;               /* as it was last seen, whole */
    bool valid_here[KINDS];
};

/* Slots of a device, in one piece of its memory. */
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
    struct pinned pinned;           /* but for the matrices, which are */
    int64_t task;                   /* that is being settled */
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

/* Those of a kind that the task uses. */
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

/* ---- tiles ----------------------------------------------------------------------------------------------------------------- */

static inline struct on_device *device_copy(const struct residence *r, int tile, int device)
{
    return &r->on_device[(int64_t)tile * r->devices->count + device - 1];
}

/* The operand's tile, as it is now. */
int copies_find(struct run *run, const struct operand *o);
/* Adds the names of the tile's parts on the host that are among these columns. slot: of a tile that is not mine. */
void copies_name_parts(struct run *run, enum access access, const struct operand *o, const struct rma_slot *slot,
                       struct part columns);
/* These columns have been written there: no other copy is true. */
void copies_written(struct residence *r, int tile, int kind, int place);

/* ---- moves: submitted as tasks --------------------------------------------------------------------------------------------- */

/* One more slot; NULL: all are taken. */
struct device_slot *copies_new_slot(const struct run *run, struct residence *r, int device);
void copies_download(struct run *run, int tile, int kind, int64_t urgency);
/* Those kinds of the operand's columns that are wanted there; the operand is read, if that is all that is done with it. */
void copies_upload(struct run *run, int tile, const struct operand *o, const bool wanted[KINDS], int device,
                        int64_t urgency);

#endif
