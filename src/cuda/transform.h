/* Transforms of a plan on a GPU: alm --legendre [theta]--> leg --ringfft--> map, and back, pass by
 * pass, on arrays of the host or of the device. With several GPUs each has all tables, and the
 * transforms of a call are dealt out among them. */
#ifndef ARMILLA_CUDA_TRANSFORM_H
#define ARMILLA_CUDA_TRANSFORM_H

#include "alm/layout.h"
#include "armilla/device.h"
#include "armilla/sht.h"
#include "base/array.h"
#include "cuda/arithmetic.h"
#include "cuda/cuda.h"
#include "cuda/stages/shape.h"
#include "leg/passes.h"
#include "legendre/legendre.h"
#include "theta/theta.h"

typedef struct armilla_cuda_transform armilla_cuda_transform; /* an armilla_cuda_object */

/* One way from alm to maps. What must outlive the transform: legendre, passes, near. */
typedef struct armilla_cuda_flow_problem {
    const armilla_legendre *legendre;   /* with the lanes and vectors of a shape, and all tables;
                                           NULL: there is no such flow */
    const armilla_leg_passes *passes;   /* all orders of some pairs each; with theta one, of all;
                                           those of one rank, whatever a rank has of them */
    const armilla_theta_problem *theta; /* between the Legendre stage's rings and those of passes;
                                           NULL: they are the same */
    const armilla_leg_layout *near;  /* leg of the Legendre stage's rings, rows as long and as many
                                        as in the leg whose memory it takes, that of the pass, or
                                        what a rank has of it; NULL without theta */
    int weighted;                    /* W is in the theta stage */
    const armilla_cuda_shape *shape; /* that legendre was made for */
    armilla_cuda_precision precision;
} armilla_cuda_flow_problem;

/* What must outlive the transform: layout. */
typedef struct armilla_cuda_problem {
    armilla_cuda_flow_problem flow;          /* of all calls, or of those without weights */
    armilla_cuda_flow_problem weighted_flow; /* of calls with weights, if there is one */
    const armilla_ring *rings;
    const int64_t *places; /* of a rank's rings, as in armilla_share; NULL: all rings come */
    const armilla_alm_layout *layout;
    int64_t alm_numbers;         /* complex numbers of its rows */
    int64_t spin;                /* >= 0 */
    int64_t nalm, nmap;          /* components */
    const double *degree_factor; /* lmax + 1, or NULL */
    int64_t npix, samples;       /* of a map, and of its rings */
    int64_t memory_bytes;        /* of scratch, that leg and the stages may take together, as far as
                                    possible */
    int streams;                 /* that calls take: 1, 2 where they can, 0: chosen */
} armilla_cuda_problem;

/* Device memory that two calls on one stream have one after the other: the first takes what either
 * needs, so that nothing has been written where there is too little. */
typedef struct armilla_cuda_room {
    const armilla_cuda_transform *next; /* of the second call, otherwise like the first; on the same
                                           GPU, which is its only one */
    int64_t bytes;                      /* found, like memory; begins as 0 */
    char *memory;
} armilla_cuda_room;

typedef struct armilla_cuda_call {
    int to_map, weighted;
    armilla_array alm, map;
    int64_t step;            /* components from one transform to the next; 0: as many as it has */
    armilla_exec exec;       /* with its distances */
    armilla_cuda_room *room; /* that it shares; NULL: its memory is its own */
} armilla_cuda_call;

/* --- Choosing a shape by measurement (tuning.c) ----------------------------------------------- */

/* Which problems a choice is for, beside the device (name and compute capability): lmax and the
 * number of pairs count by the powers of two between which they are. */
typedef struct armilla_cuda_tuning {
    int64_t lmax, npairs;
    int64_t spin;
    int recurrence_only; /* as in armilla_legendre_problem */
    int single;          /* calls of floats are in single precision, and what is measured */
    int many;            /* calls of several transforms are */
} armilla_cuda_tuning;

/* How long the problem takes with a shape; errors end the search. */
typedef armilla_status (*armilla_cuda_measure_fn)(void *data, const armilla_cuda_shape *shape,
                                                  double *milliseconds);

/* --- Transforms ------------------------------------------------------------------------------- */

/* Pairs of rings by how they are transformed: direct sums, cuFFT of their length, convolutions by
 * cuFFT, convolutions in shared memory, passes over a smooth length there. */
enum { ARMILLA_CUDA_RING_WAYS = 5 };

/* What a call takes of the device, arrays there. */
typedef struct armilla_cuda_needs {
    int64_t bytes; /* of the direction that takes most, with weights or without them, of doubles or
                      of floats; of several GPUs, of the one that has most of the transforms */
    int64_t batch; /* transforms that go together at least */
    int streams;   /* of the direction that has most */
    int64_t ring_pairs[ARMILLA_CUDA_RING_WAYS];
} armilla_cuda_needs;

typedef struct armilla_cuda_transform_table {
    /* On the current device. Errors: MEMORY, UNSUPPORTED. */
    armilla_status (*make)(const armilla_cuda_problem *problem, armilla_cuda_transform **transform);
    /* Copies of it for more GPUs, once.
     * Given:    problem   that of the transform;
     *           devices   ndevices >= 2 numbers, each once: that of the transform comes first.
     * Errors:   MEMORY, UNSUPPORTED: names the GPU. */
    armilla_status (*spread)(armilla_cuda_transform *transform, const armilla_cuda_problem *problem,
                             const int *devices, int64_t ndevices);
    /* What a call of so many transforms needs. */
    armilla_cuda_needs (*needs)(const armilla_cuda_transform *transform, int64_t ntrans);
    /* How many transforms of a call go together where arrays are on the device; fewer may where
     * they are on the host, so that copies go beside kernels. */
    int64_t (*batch)(const armilla_cuda_transform *transform, int weighted, int to_map,
                     int64_t ntrans);
    /* With several GPUs neighbours go to the same one, all are waited for, and results have the
     * bits of one alone.
     * Errors: ARGUMENT (memory = DEVICE for an array of the host; of several GPUs, arrays of a GPU,
     * a stream), MEMORY (names the bytes; the transform stays usable), UNSUPPORTED (an error of
     * CUDA), CANCELLED; of several GPUs, names the one. Thread rule: any number of calls at once.
     * Not of a rank's share: share.h. */
    armilla_status (*run)(const armilla_cuda_transform *transform, const armilla_cuda_call *call);
    /* Gives memory back behind the calls that shared it. Errors: UNSUPPORTED. */
    armilla_status (*leave)(const armilla_cuda_room *room, void *stream);
    /* Milliseconds of a synthesis and an adjoint synthesis of ntrans transforms in a call, or of
     * half as many, a quarter, ..., 1 whose arrays have room, for one of them; of floats where
     * the flow makes them in single precision, arrays on the device, by events: the best of a few
     * runs. Given: problem that of the transform. Errors: MEMORY (of the device), UNSUPPORTED. */
    armilla_status (*time)(const armilla_cuda_transform *transform,
                           const armilla_cuda_problem *problem, int64_t ntrans,
                           double *milliseconds);
    /* The best shape for the calling thread's current device: what an earlier call found for such a
     * problem, else what `measure` says of each, kept for the life of the process. The default one
     * stays unless another is 2 % faster. Thread rule: one search at a time, others wait for it.
     * Errors: those of measure, MEMORY, UNSUPPORTED; nothing is kept then. */
    armilla_status (*tune)(const armilla_cuda_tuning *of, armilla_cuda_measure_fn measure,
                           void *data, const armilla_cuda_shape **shape);
} armilla_cuda_transform_table;

extern const armilla_cuda_transform_table armilla_cuda_transform_functions;

#endif
