/* A call on what a rank has of a transform (sht/share.h), stage by stage: between two stages, where
 * ranks exchange entries (src/ranks), legs stay on the device; entries are packed into messages
 * there, which are copied to the host and back unless the transport takes them as they are. Where
 * the library is built without CUDA, absent/ has these functions. */
#ifndef ARMILLA_CUDA_SHARE_H
#define ARMILLA_CUDA_SHARE_H

#include "cuda/moves.h"
#include "cuda/transform.h"
#include "executor/executor.h"

typedef struct armilla_cuda_share armilla_cuda_share;

enum { ARMILLA_CUDA_SHARE_SLOTS = 2 }; /* of messages */

/* Doubles that a call takes on the device, of all sets. */
typedef struct armilla_cuda_share_sizes {
    int64_t leg;     /* of the side that comes first, the largest one */
    int64_t whole;   /* legs of the other side, all together */
    int64_t out, in; /* messages of a slot */
} armilla_cuda_share_sizes;

/* Takes the call's memory, and makes the GPU of the plan the current one until the call ends.
 * Given:    call  ntrans: transforms at once; its progress is not told.
 * Errors:   as armilla_cuda_transform_run; UNSUPPORTED for a stream that is captured. */
armilla_status armilla_cuda_share_begin(const armilla_cuda_transform *transform,
                                        const armilla_cuda_call *call,
                                        const armilla_cuda_share_sizes *sizes,
                                        armilla_cuda_share **share);

/* Waits for the GPU and gives all back. NULL is allowed. Errors: the first one of the call. */
armilla_status armilla_cuda_share_end(armilla_cuda_share *share);

/* Coefficients and maps for armilla_execution: those of the caller, at the device's addresses. */
armilla_alm_rows armilla_cuda_share_rows(const armilla_cuda_share *share);
armilla_ring_maps armilla_cuda_share_maps(const armilla_cuda_share *share);

/* Memory of the device, which the host cannot read. */
typedef struct armilla_cuda_share_memory {
    double *leg, *whole;
    double *out[ARMILLA_CUDA_SHARE_SLOTS], *in[ARMILLA_CUDA_SHARE_SLOTS];
} armilla_cuda_share_memory;
armilla_cuda_share_memory armilla_cuda_share_places(const armilla_cuda_share *share);

/* As in armilla_backend. */
void armilla_cuda_share_begin_batch(armilla_cuda_share *share, int64_t count, armilla_array *alm,
                                    armilla_array *map);
void armilla_cuda_share_end_batch(armilla_cuda_share *share, int64_t count, armilla_array alm,
                                  armilla_array map);

/* The stages.
 * Given:    pass  of the device, but for its number: which of the plan's passes it is;
 *           leg   of the device: all own orders of the pairs of the pass, or all orders of the own
 *           pairs among them; one block; the rows of the former are as long as those of the pass
 *           where there is a theta stage.
 * Notes:    errors are kept until somebody asks, here and below. */
void armilla_cuda_share_alm_to_leg(armilla_cuda_share *share, const armilla_pass *pass,
                                   const armilla_leg *leg);
void armilla_cuda_share_leg_to_alm(armilla_cuda_share *share, const armilla_leg *leg,
                                   const armilla_pass *pass);
void armilla_cuda_share_maps_to_leg(armilla_cuda_share *share, const armilla_pass *pass,
                                    const armilla_leg *leg);
void armilla_cuda_share_leg_to_maps(armilla_cuda_share *share, const armilla_leg *leg,
                                    const armilla_pass *pass);

/* Between legs and messages, and between messages of the device and of the host. What is copied
 * from the host is there before what comes behind it on the GPU; the host may use its side when the
 * GPU has been waited for. */
void armilla_cuda_share_move(armilla_cuda_share *share, const armilla_cuda_moved *moved);
void armilla_cuda_share_to_host(armilla_cuda_share *share, double *to, const double *from,
                                int64_t count);
void armilla_cuda_share_to_device(armilla_cuda_share *share, double *to, const double *from,
                                  int64_t count);

/* Waits for the GPU. Errors: UNSUPPORTED, the first error of the call. */
armilla_status armilla_cuda_share_status(armilla_cuda_share *share);

#endif
