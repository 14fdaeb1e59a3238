/* Lanes and tickets of the backends "cuda" and "hip": one stream for each lane, one event for each ticket. */
#include "offload/cuda.h"

#include <stdlib.h>

static struct cuda_lane *lane_of(const struct offload *o, int device, enum lane lane)
{
    return &cuda_device_of(o, device)->lane[lane];
}

struct cuda_lane *cuda_lane(void)
{
    return atomic_load(&current.offload->failed) ? NULL : lane_of(current.offload, current.device, current.lane);
}

void cuda_begin(struct devices *devices, int device, enum lane lane)
{
    struct offload *o = offload_of(devices);
    pthread_mutex_lock(&lane_of(o, device, lane)->held);
    current = (struct current){ .offload = o, .device = device, .lane = lane };
    if (!atomic_load(&o->failed))
        cuda_ok(o->cuda->library->set_device(cuda_device_of(o, device)->ordinal), "cudaSetDevice");
}

void cuda_wait(struct devices *devices)
{
    struct cuda_lane *lane = cuda_lane();
    devices->waits++;
    if (lane != NULL)
        cuda_ok(cuda_now()->stream_wait(lane->stream), "cudaStreamSynchronize");
}

/* ---- memory of lanes ------------------------------------------------------------------------------------------------------- */

void *cuda_room(void **memory, size_t *room, size_t bytes)
{
    struct devices *devices = &current.offload->table;
    if (bytes <= *room)
        return *memory;
    *room = 0;
    cuda_wait(devices);
    devices->allocations += 1 + (*memory != NULL);
    if (cuda_lane() == NULL || (*memory != NULL && !cuda_ok(cuda_now()->release(*memory), "cudaFree")))
        return NULL;
    *memory = NULL;
    if (!cuda_ok(cuda_now()->allocate(memory, bytes), "cudaMalloc of memory for kernels"))
        return NULL;
    *room = bytes;
    return *memory;
}

static void *scratch(struct devices *devices, size_t bytes)
{
    (void)devices;
    struct cuda_lane *lane = cuda_lane();
    return lane == NULL ? NULL : cuda_room(&lane->scratch, &lane->scratch_bytes, bytes);
}

/* ---- tickets --------------------------------------------------------------------------------------------------------------- */

static bool make_room(struct cuda *c, uint64_t tickets)
{
    struct cuda_ticket *larger = realloc(c->ticket, (size_t)(c->ticket_count + tickets) * sizeof *larger);
    if (larger != NULL)
        c->ticket = larger;
    return larger != NULL;
}

/* NULL: no memory, normal or pinned. */
static struct cuda_cells *make_cells(struct offload *o, int count)
{
    struct cuda_cells *cells = malloc(sizeof *cells);
    o->table.allocations++;
    if (cells == NULL ||
        o->cuda->library->host_allocate((void **)&cells->cell, (size_t)count * sizeof(int), CUDA_PORTABLE) != 0) {
        free(cells);
        return NULL;
    }
    cells->next = o->cuda->cells;
    return o->cuda->cells = cells;
}

/* Called with tickets_held. */
static bool make_tickets(struct offload *o, int device, int count)
{
    struct cuda *c = o->cuda;
    struct cuda_device *d = cuda_device_of(o, device);
    struct cuda_cells *cells = make_room(c, (uint64_t)count) ? make_cells(o, count) : NULL;
    char words[100];
    for (int i = 0; cells != NULL && i < count; i++) {
        void *event;
        int error = c->library->event_create(&event, CUDA_NO_TIMING);
        o->table.allocations++;
        if (error != 0) {
            offload_fail(o, "device %d: %s: %s", device, cuda_called(c->library, "cudaEventCreateWithFlags", words),
                         c->library->error_text(error));
            return false;
        }
        c->ticket[c->ticket_count++] =
            (struct cuda_ticket){ .event = event, .info = &cells->cell[i], .device = device, .next_free = d->free_ticket };
        d->free_ticket = c->ticket_count;
        d->tickets++;
    }
    if (cells == NULL)
        offload_fail(o, "device %d: %s: no memory on the host for %d events", device,
                     cuda_called(c->library, "cudaHostAlloc", words), count);
    return cells != NULL;
}

bool cuda_make_tickets(struct offload *o, int device, int count)
{
    pthread_mutex_lock(&o->cuda->tickets_held);
    bool made = count <= 0 || make_tickets(o, device, count);
    pthread_mutex_unlock(&o->cuda->tickets_held);
    return made;
}

/* Returns 0 after a failure. */
static uint64_t take_ticket(void)
{
    enum { MORE = 64 };
    struct cuda *c = current.offload->cuda;
    struct cuda_device *d = cuda_device_of(current.offload, current.device);
    pthread_mutex_lock(&c->tickets_held);
    uint64_t ticket = d->free_ticket != 0 || make_tickets(current.offload, current.device, MORE) ? d->free_ticket : 0;
    if (ticket != 0) {
        d->free_ticket = c->ticket[ticket - 1].next_free;
        *c->ticket[ticket - 1].info = 0;
    }
    pthread_mutex_unlock(&c->tickets_held);
    return ticket;
}

static struct cuda_ticket find_ticket(struct cuda *c, uint64_t ticket)
{
    pthread_mutex_lock(&c->tickets_held);
    struct cuda_ticket t = c->ticket[ticket - 1];
    pthread_mutex_unlock(&c->tickets_held);
    return t;
}

int *cuda_info_cell(struct cuda_lane *lane)
{
    if (lane->ticket == 0)
        lane->ticket = take_ticket();
    return lane->ticket == 0 ? NULL : find_ticket(current.offload->cuda, lane->ticket).info;
}

static uint64_t end(struct devices *devices)
{
    struct offload *o = offload_of(devices);
    struct cuda_lane *held = lane_of(o, current.device, current.lane), *lane = cuda_lane();
    uint64_t ticket = held->ticket;
    if (lane != NULL && ticket == 0)
        ticket = take_ticket();
    if (lane != NULL && ticket != 0)
        cuda_ok(o->cuda->library->event_record(find_ticket(o->cuda, ticket).event, lane->stream), "cudaEventRecord");
    held->ticket = 0;
    pthread_mutex_unlock(&held->held);
    current = (struct current){ .offload = NULL };
    return ticket;
}

static int done(struct devices *devices, uint64_t ticket, int *info)
{
    struct offload *o = offload_of(devices);
    struct cuda *c = o->cuda;
    char words[100];
    *info = 0;
    if (ticket == 0)
        return 1;
    struct cuda_ticket t = find_ticket(c, ticket);
    int error = atomic_load(&o->failed) ? 0 : c->library->set_device(cuda_device_of(o, t.device)->ordinal);
    if (error == 0 && !atomic_load(&o->failed))
        error = c->library->event_query(t.event);
    if (error == CUDA_NOT_READY)
        return 0;
    if (error != 0)
        offload_fail(o, "device %d: %s: its work failed: %s", t.device, cuda_called(c->library, "cudaEventQuery", words),
                     c->library->error_text(error));
    if (!atomic_load(&o->failed) && *t.info < 0)
        offload_fail(o, "device %d: %s refuses argument %d", t.device, c->library->solver, -*t.info);
    *info = atomic_load(&o->failed) ? 0 : *t.info;
    pthread_mutex_lock(&c->tickets_held);
    c->ticket[ticket - 1].next_free = cuda_device_of(o, t.device)->free_ticket;
    cuda_device_of(o, t.device)->free_ticket = ticket;
    pthread_mutex_unlock(&c->tickets_held);
    return 1;
}

void cuda_use_lanes(struct devices *table)
{
    table->begin = cuda_begin;
    table->scratch = scratch;
    table->wait = cuda_wait;
    table->end = end;
    table->done = done;
}
