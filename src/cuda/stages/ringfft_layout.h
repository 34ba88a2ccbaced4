/* How the rings of a pass are transformed: slots (kernels/ringfft_kernels.h), sorted by method and
 * length and cut into batches that fit the scratch. Host only, nothing of the device.
 *
 * Methods:  smooth, n = 2^a 3^b 5^c 7^d <= ARMILLA_CUDA_RING_SMOOTH: passes of 2 to 8 numbers in
 * the shared memory of a block, all such slots in one launch, from leg to map or back. They need no
 * scratch, and so move less than half the bytes of a cuFFT, even of a length that all slots share.
 * Others of n <= ARMILLA_CUDA_RING_SUMS: direct sums, all such slots in one launch; a length that
 * many slots share, or half of those that Bluestein would pad to one length of more than
 * ARMILLA_CUDA_RING_SHARED: a cuFFT of its own; the others: Bluestein, in four parts where 4
 * divides n (HEALPix), so that filters take a quarter of the room and convolutions are short. A
 * convolution is as long as a part's samples and the orders that exist need, on all rings of a
 * length the same. Up to ARMILLA_CUDA_RING_SHARED numbers it is a block's, in shared memory, and
 * all padded lengths together are two launches, from leg to map or back; beyond that it is a pair
 * of cuFFTs for each power of two, with a product between them. */
#ifndef ARMILLA_CUDA_STAGES_RINGFFT_LAYOUT_H
#define ARMILLA_CUDA_STAGES_RINGFFT_LAYOUT_H

#include "armilla/grid.h"
#include "cuda/kernels/ringfft_kernels.h"
#include "leg/pairs.h"

typedef enum armilla_cuda_ring_method {
    ARMILLA_CUDA_RING_SUM = 0,
    ARMILLA_CUDA_RING_FFT = 1,
    ARMILLA_CUDA_RING_BLUESTEIN = 2,
    ARMILLA_CUDA_RING_SHARED_BLUESTEIN = 3,
    ARMILLA_CUDA_RING_SMOOTH_PASSES = 4,
    ARMILLA_CUDA_RING_METHODS = 5
} armilla_cuda_ring_method;

/* Is a slot of this method in the shared memory of a block from leg to map? */
static inline int armilla_cuda_ring_is_whole(armilla_cuda_ring_method method)
{
    return method >= ARMILLA_CUDA_RING_SHARED_BLUESTEIN;
}

/* Neighbours in a list. */
typedef struct armilla_cuda_ring_range {
    int64_t first, count;
} armilla_cuda_ring_range;

/* Transforms, or filters, of one length, one behind the other, of one set: one call of cuFFT, or
 * a class of a launch of smooth rings or of convolutions in shared memory. */
typedef struct armilla_cuda_ring_run {
    armilla_cuda_ring_method method;
    int64_t length;             /* in shared memory: of the convolution; smooth: room of a slot */
    int64_t parts;              /* of a slot, the same for all in shared memory; filters: 1 */
    int64_t passes;             /* smooth: of the slot that has most */
    int64_t count;              /* transforms */
    int64_t place, size;        /* the first complex number, and how many there are */
    armilla_cuda_ring_range of; /* in shared memory: its slots, or its filters */
} armilla_cuda_ring_run;

/* What goes through the scratch together. Runs are those of all slots but direct sums; filters are
 * those of cuFFT's convolutions. */
typedef struct armilla_cuda_ring_batch {
    armilla_cuda_ring_range slots[ARMILLA_CUDA_RING_METHODS]; /* neighbours */
    armilla_cuda_ring_range runs, filters, filter_runs;
    int64_t most_samples, most_part, most_length; /* of the rest: n, n / parts, length */
    int64_t data_size, filter_size;               /* complex numbers */
    int64_t filter_begin; /* those of the filters of the batches before: where all are kept */
} armilla_cuda_ring_batch;

typedef struct armilla_cuda_ring_layout {
    int64_t nslots, nruns, nfilters, nfilter_runs, nbatches;
    armilla_cuda_ring_slot *slots;
    armilla_cuda_ring_run *runs, *filter_runs;
    armilla_cuda_ring_filter *filters; /* one for each n / parts of Bluestein's in a batch */
    armilla_cuda_ring_batch *batches;
    int64_t filter_size; /* complex numbers, of all batches */
    int64_t table_size;  /* of all smooth lengths */
} armilla_cuda_ring_layout;

/* Rings of a grid, and where the samples of those that come begin, one behind the other; -1: the
 * ring never comes, though methods are chosen as if it did. NULL: all come, and rings say where. */
typedef struct armilla_cuda_own_rings {
    const armilla_ring *rings;
    const int64_t *places;
} armilla_cuda_own_rings;

/* Given:    pairs  first .. first + count - 1 are those of the pass; columns, from 0 on, are those
 *           of the pairs that come: either both rings of a pair do, or none;
 *           most   complex numbers of a batch, data and filters; a batch has at least one slot.
 * Errors:   MEMORY; *layout is empty then. */
armilla_status armilla_cuda_ring_layout_make(const armilla_cuda_own_rings *rings,
                                             const armilla_ring_pairs *pairs, int64_t first,
                                             int64_t count, int64_t most,
                                             armilla_cuda_ring_layout *layout);

/* The slots of a method; METHODS: all of the batch, direct sums first, then runs in sequence. */
armilla_cuda_ring_range armilla_cuda_ring_batch_slots(const armilla_cuda_ring_batch *batch,
                                                      armilla_cuda_ring_method method);

/* All slots of the batch but those in shared memory, which have kernels of their own. */
armilla_cuda_ring_range armilla_cuda_ring_batch_rest(const armilla_cuda_ring_batch *batch);

/* The tables of convolutions in shared memory, ARMILLA_CUDA_RING_ROOTS complex numbers: for each of
 * their lengths L, shortest first, exp(2 pi i j / N), j < N / 8, for N = L, L / 8, and from L =
 * 1024 on L / 64. */
void armilla_cuda_ring_roots_fill(double *roots);

/* Frees what the struct holds and empties it. */
void armilla_cuda_ring_layout_clear(armilla_cuda_ring_layout *layout);

/* Kernels and calls of cuFFT for one set, or for 4, 16 or 64 that go together; filters made in the
 * call or kept. */
int64_t armilla_cuda_ring_layout_launches(const armilla_cuda_ring_layout *layout, int keep);

#endif
