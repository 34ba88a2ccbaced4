/* A call on what a rank has of a transform (sht/share.h), stage by stage: between two stages, where
 * ranks exchange entries (src/ranks), legs stay on the device; entries are packed into messages
 * there, which are copied to the host and back unless the transport takes them as they are. */
#ifndef ARMILLA_CUDA_SHARE_H
#define ARMILLA_CUDA_SHARE_H

#include "cuda/cuda.h"
#include "cuda/stages/moves.h"
#include "cuda/transform.h"
#include "executor/executor.h"

enum { ARMILLA_CUDA_SHARE_SLOTS = 2 }; /* of messages */

/* Doubles that a call takes on the device, of all sets. */
typedef struct armilla_cuda_share_sizes {
    int64_t leg;     /* of the side that comes first, the largest one */
    int64_t whole;   /* legs of the other side, all together */
    int64_t out, in; /* messages of a slot */
} armilla_cuda_share_sizes;

/* What others may know of a call. */
typedef struct armilla_cuda_share {
    /* for armilla_execution: coefficients and maps of the caller, at the device's addresses */
    armilla_alm_rows rows;
    armilla_ring_maps maps;
    /* memory of the device, which the host cannot read */
    double *leg, *whole;
    double *out[ARMILLA_CUDA_SHARE_SLOTS], *in[ARMILLA_CUDA_SHARE_SLOTS];
} armilla_cuda_share;

/* Errors of what comes between `begin` and `end` are kept until somebody waits. */
typedef struct armilla_cuda_share_table {
    /* Takes the call's memory, and makes the GPU of the plan the current one until the call ends.
     * Given:    call  ntrans: transforms at once; its progress is not told.
     * Errors:   as of armilla_cuda_transform_run; UNSUPPORTED for a stream that is captured. */
    armilla_status (*begin)(const armilla_cuda_transform *transform, const armilla_cuda_call *call,
                            const armilla_cuda_share_sizes *sizes, armilla_cuda_share **share);
    /* As in armilla_backend. */
    void (*begin_batch)(armilla_cuda_share *share, int64_t count, armilla_array *alm,
                        armilla_array *map);
    void (*end_batch)(armilla_cuda_share *share, int64_t count, armilla_array alm,
                      armilla_array map);
    /* A stage.
     * Given:    pass  of the device, but for its number: which of the plan's passes it is;
     *           leg   of the device: all own orders of the pairs of the pass, or all orders of the
     *           own pairs among them; one block; the rows of the former are as long as those of the
     *           pass where there is a theta stage. */
    void (*run)(armilla_cuda_share *share, armilla_stage stage, const armilla_pass *pass,
                const armilla_leg *leg);
    /* Between legs and messages, and between messages of the device and of the host. What is copied
     * from the host is there before what comes behind it on the GPU; the host may use its side when
     * the GPU has been waited for. */
    void (*move)(armilla_cuda_share *share, const armilla_cuda_moved *moved);
    void (*copy)(armilla_cuda_share *share, double *to, const double *from, int64_t count,
                 int to_host);
    /* Waits for the GPU. Errors: UNSUPPORTED, the first error of the call. */
    armilla_status (*wait)(armilla_cuda_share *share);
    /* Waits for the GPU and gives all back. Errors: the first one of the call. */
    armilla_status (*end)(armilla_cuda_share *share);
    /* armilla_cuda_moves_new. */
    armilla_status (*make_moves)(int64_t nrows, const armilla_cuda_moved_row *rows, int64_t npairs,
                                 const int64_t *pairs, armilla_cuda_moves **moves);
} armilla_cuda_share_table;

extern const armilla_cuda_share_table armilla_cuda_share_functions;

#endif
