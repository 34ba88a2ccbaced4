/* What the kernels of the ring stage work on, and their launches. C and CUDA.
 *
 * A slot is one complex transform: north + i south of a pair of rings of one length, or one ring
 * alone. Slots lie one behind the other in `data`, complex numbers; places begin at 0 for every
 * batch, and are those of one set. Transforms of one length are a *run*; a run has the numbers of
 * all sets, one set behind the other, so that cuFFT takes the sets of a run in one call: a launch
 * has a row of blocks for each set. Both directions run the same transform, in place,
 *
 *     z_j = sum_k Z_k exp(2 pi i j k / n),   0 <= j < n,
 *
 * for analysis has the conjugates of samples and of spectrum: only the two ends differ.
 *
 *     synthesis   leg --fill--> data --transform--> data --store--> maps
 *     analysis    maps --load--> data --transform--> data --gather--> leg
 *
 * A slot is transformed in `parts`, 1 or 4, of h = n / parts numbers: part r has the Z_k with
 * k = parts q + r, and with y_r the transform of length h of part r, docs/mathematics.md (4.4),
 *
 *     z_{j + t h} = sum_r exp(2 pi i r t / parts) exp(2 pi i r j / n) y_r(j),   0 <= j < h.
 *
 * Where `padded` is not 0, parts go by Bluestein's algorithm, docs/mathematics.md (4.8),
 *
 *     y_j = w_j sum_q (w_q Y_q) conj(w_{j-q}),   w_j = exp(pi i j^2 / h),
 *
 * a cyclic convolution with the filter conj(w), the same one for all parts. A part has q from
 * -reach to reach at most, reach = h / 2 or what the highest order of the ring needs, so that
 * `padded` >= h + 2 reach numbers are enough: few orders make a short convolution, also of a long
 * ring. Number q stands at q modulo `padded`, number j at j. In analysis samples come first, and
 * q - j takes the place of j - q: there they stand at -j and -q, and the filter is the same.
 *
 * The products with w, and the sum of parts, belong to the ends: store and load have all
 * numbers of a j, fill and gather any k. Up to ARMILLA_CUDA_RING_SHARED numbers the convolution
 * stays in the shared memory of a block, which has a slot from leg to map or back
 * (ringfft_shared.cu): the same steps in one kernel, in single precision for two sets together.
 * Data then have h numbers of a part and what brings the next one to 128 bytes, and places modulo
 * that `length`; longer convolutions are cuFFT's, and data have all `padded` numbers.
 *
 * Up to ARMILLA_CUDA_RING_SMOOTH samples whose number is a product of 2, 3, 5 and 7 need no
 * convolution: such a slot is in the shared memory of a block from leg to map or back, in one part,
 * and has nothing in data (ringfft_smooth.cu).
 */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_KERNELS_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_KERNELS_H

#include "base/host_device.h"
#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ARMILLA_CUDA_RING_SUMS = 32,     /* rings of so many samples, or fewer, are summed directly */
    ARMILLA_CUDA_RING_SHARED = 3072, /* most numbers of a convolution in shared memory */
    ARMILLA_CUDA_RING_ROOTS = 1221,  /* complex numbers of the tables that these need */
    ARMILLA_CUDA_RING_CLASSES = 14,  /* seven lengths, in one part or in four */
    ARMILLA_CUDA_RING_SMOOTH = 3072, /* most samples of a smooth ring in shared memory */
    /* Flags of a slot. */
    ARMILLA_CUDA_RING_SAME_PHASE = 1, /* both sides have the phases of side 0 */
    ARMILLA_CUDA_RING_CHIRPED = 2,    /* by Bluestein's algorithm */
    /* A side of a slot. */
    ARMILLA_CUDA_RING_MISSING = 0,  /* the pair has no such ring: zeros in leg */
    ARMILLA_CUDA_RING_HERE = 1,     /* the slot has it */
    ARMILLA_CUDA_RING_ELSEWHERE = 2 /* another slot has it */
};

typedef struct armilla_cuda_ring_side {
    int64_t state;
    int64_t half;             /* phi0 = pi half / n, 0 <= half < 2 n; -1: any phi0 */
    double turns, turns_rest; /* then phi0 = pi (turns + turns_rest) */
    int64_t offset, stride;   /* of the map */
    double weight;
} armilla_cuda_ring_side;

/* Six sectors of memory, of 32 bytes, in the sequence in which kernels read them. */
typedef struct armilla_cuda_ring_slot {
    int64_t n;
    int32_t parts, flags;
    int64_t length;                 /* numbers of a part in data */
    int64_t place;                  /* of its first number in data, of one set */
    int64_t run, run_size;          /* the first number of its run, and how many a set has */
    int64_t limit;                  /* of the pair, in leg */
    int32_t column;                 /* there */
    uint32_t radices;               /* of a smooth ring's passes, four bits each; 0: others */
    armilla_cuda_ring_side side[2]; /* north, south */
    int64_t filter;                 /* of its filter's, or its table's, first number */
    int64_t padded;                 /* numbers of a convolution; 0: none; Bluestein */
} armilla_cuda_ring_slot;

/* Behind one for shared memory are the h chirps w_j and, of four parts, h roots exp(2 pi i j / n).
 */
typedef struct armilla_cuda_ring_filter {
    int64_t h, length, place, parts; /* parts: of the slots that have it */
} armilla_cuda_ring_filter;

/* Slots for one launch, of some sets. Everything lies on the device. What the numbers of data are,
 * doubles or floats, is the arithmetic of the launch. */
typedef struct armilla_cuda_ring_slots {
    const armilla_cuda_ring_slot *slots;
    int64_t count, nsets;
    int64_t most_samples, most_part, most_length; /* of a slot: n, n / parts, length */
    void *data;                                   /* complex numbers */
    int64_t is_float;                             /* are they floats? see armilla_cuda_ring_map */
} armilla_cuda_ring_slots;

/* Slots, or filters, for convolutions of one length in shared memory; or smooth slots that get as
 * much room there each. */
typedef struct armilla_cuda_ring_class {
    int64_t padded, parts; /* of all of them; filters: 1 part; smooth: room, and passes at most */
    int64_t first, count;  /* of the slots or filters of the launch */
    int64_t block;         /* the first one that has them; set by the launch */
} armilla_cuda_ring_class;

/* Classes of a launch, in the sequence of their blocks. */
typedef struct armilla_cuda_ring_classes {
    int64_t count;
    armilla_cuda_ring_class list[ARMILLA_CUDA_RING_CLASSES];
} armilla_cuda_ring_classes;

/* The rows of the sets, from the first one's on: doubles or floats, whatever the arithmetic. */
typedef struct armilla_cuda_ring_rows {
    void *values;
    int64_t row_length, set_length, is_float;
} armilla_cuda_ring_rows;

/* The maps of the sets: number `first` and those behind it. Set s has the map that begins at item
 * (s / together * step + s % together) distance. */
typedef struct armilla_cuda_ring_map {
    void *values;
    int64_t distance, first, together, step;
    int64_t is_float, weighted; /* no two flags in eight bytes: the emulation takes these for an
                                   address, and 2^32 may be one */
} armilla_cuda_ring_map;

/* Each puts one kernel on the stream. Returned: the launch's error. */
cudaError_t armilla_cuda_ring_fill(const armilla_cuda_ring_slots *slots,
                                   const armilla_cuda_ring_rows *rows, cudaStream_t stream);
cudaError_t armilla_cuda_ring_gather(const armilla_cuda_ring_slots *slots,
                                     const armilla_cuda_ring_rows *rows, int weighted,
                                     cudaStream_t stream);
cudaError_t armilla_cuda_ring_load(const armilla_cuda_ring_slots *slots,
                                   const armilla_cuda_ring_map *map, cudaStream_t stream);
cudaError_t armilla_cuda_ring_store(const armilla_cuda_ring_slots *slots,
                                    const armilla_cuda_ring_map *map, cudaStream_t stream);

/* The transforms of slots with n <= ARMILLA_CUDA_RING_SUMS. */
cudaError_t armilla_cuda_ring_sum(const armilla_cuda_ring_slots *slots, cudaStream_t stream);

/* Products with the filters' transforms, numbers as those of data. */
cudaError_t armilla_cuda_ring_multiply(const armilla_cuda_ring_slots *slots, const void *filters,
                                       cudaStream_t stream);

/* The filters conj(w_j) / length, before their transform; made in double precision. */
cudaError_t armilla_cuda_ring_make_filters(const armilla_cuda_ring_filter *filters, int64_t count,
                                           int64_t most_length, void *values, int is_float,
                                           cudaStream_t stream);

/* Slots by convolutions in shared memory: classes of them, their filters, and the roots of
 * armilla_cuda_ring_roots_fill, numbers as those of data. */
typedef struct armilla_cuda_ring_whole {
    const armilla_cuda_ring_class *classes; /* of the host */
    int64_t count;
    const void *filters, *roots;
} armilla_cuda_ring_whole;

/* From leg to maps, and back, all steps at once: one launch for the lengths of convolutions that 3
 * divides, and one for the others. */
cudaError_t armilla_cuda_ring_write(const armilla_cuda_ring_slots *slots,
                                    const armilla_cuda_ring_whole *whole,
                                    const armilla_cuda_ring_rows *rows,
                                    const armilla_cuda_ring_map *map, cudaStream_t stream);
cudaError_t armilla_cuda_ring_read(const armilla_cuda_ring_slots *slots,
                                   const armilla_cuda_ring_whole *whole,
                                   const armilla_cuda_ring_rows *rows,
                                   const armilla_cuda_ring_map *map, cudaStream_t stream);

/* The transforms of filters for these, of classes of filters, in the sequence in which they read
 * them; made in double precision. Launches are as above. */
cudaError_t armilla_cuda_ring_make_shared(const armilla_cuda_ring_filter *filters,
                                          const armilla_cuda_ring_class *classes, int64_t count,
                                          void *values, int is_float, const double *roots,
                                          cudaStream_t stream);

/* The table of a smooth ring of n samples has the place of each number before the first pass, 32
 * bits, and from number armilla_cuda_ring_places_size(n) on, for each pass of R numbers but the
 * first one, the roots exp(2 pi i j / (R s)), j < s, s being the product of the radices before R.
 * The places take as many complex numbers as this, in either precision. */
ARMILLA_HOST_DEVICE int64_t armilla_cuda_ring_places_size(int64_t n)
{
    return (n + 15) / 16 * 8;
}

/* Where number i of a smooth ring lies in shared memory. A group of eight numbers, of 16 bytes,
 * which meet all banks, is turned by the digits of its number in base 8, so that numbers that are a
 * power of two apart mostly meet different ones. */
ARMILLA_HOST_DEVICE int armilla_cuda_ring_fold(int i)
{
    return i ^ ((i >> 3 ^ i >> 6 ^ i >> 9) & 7);
}

/* Smooth slots, in one launch; `classes` have their room and passes, `filters` their tables. */
cudaError_t armilla_cuda_ring_write_smooth(const armilla_cuda_ring_slots *slots,
                                           const armilla_cuda_ring_whole *whole,
                                           const armilla_cuda_ring_rows *rows,
                                           const armilla_cuda_ring_map *map, cudaStream_t stream);
cudaError_t armilla_cuda_ring_read_smooth(const armilla_cuda_ring_slots *slots,
                                          const armilla_cuda_ring_whole *whole,
                                          const armilla_cuda_ring_rows *rows,
                                          const armilla_cuda_ring_map *map, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
