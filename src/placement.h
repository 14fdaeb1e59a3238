/*
 * Which columns of a matrix live on a rank's devices while it is factored: the multi-level distribution of Song, Dongarra, "A Scalable
 * Framework for Heterogeneous GPU-Based Clusters", SPAA 2012, section 3.1, over any layout. The layout gives tiles to ranks; of each tile the
 * first columns, a share of them, live on the host, cut into strips, and the others on one of the rank's devices, which take turns at the
 * tile columns that the rank has.
 */
#ifndef OMPFACT_SRC_PLACEMENT_H
#define OMPFACT_SRC_PLACEMENT_H

#include "src/matrix.h"

struct placement {
    struct split *split;        /* [column of tiles, as memory has them] */
    struct operand *resident;   /* my tiles with columns on devices */
    int64_t residents, left;    /* and how many there are, and are not since device memory is full */
    size_t slot_bytes, device_bytes;    /* of an operand; of the memory of each device, for all of them */
};

/* Splits A's tiles on this rank: A->split. operand_bytes: the most that a task has beside tiles. Local; false: no memory. */
bool placement_create(ompfact_matrix *A, size_t operand_bytes, struct placement *p);
/* All of A is on the host again. */
void placement_destroy(ompfact_matrix *A, struct placement *p);

/* Flops a second of GEMM of order n on the first device, and bytes a second on the way there and back: the second of two tries. */
struct device_speed {
    double gemm, up, down;
};
/* Local; all 0 where there is no memory, here or there, or the device fails. */
struct device_speed placement_device_speed(struct devices *devices, char type, int n);

/* The host's share that balances its cores with the devices, from the speed of GEMM on both (section 3.2). Local; measured, in a tenth of a second
   or so. 0 where a device fails. */
double placement_balanced_share(struct devices *devices, const struct kernels *kernels, int threads);

#endif
