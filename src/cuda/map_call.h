/* A call on a GPU that makes maps from maps: where its arrays are, memory for copies of those of
 * the host, one field after the other, and the caller's progress function. What is done with a
 * field is the plan's. */
#ifndef ARMILLA_CUDA_MAP_CALL_H
#define ARMILLA_CUDA_MAP_CALL_H

#include "armilla/sht.h"
#include "base/array.h"
#include "base/status.h"
#include "cuda/runtime/work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One field, and one of the plans that see it, on the device. */
typedef struct armilla_cuda_map_step {
    armilla_array in, out;
    int64_t in_distance, out_distance; /* from one component to the next */
    int64_t number;                    /* of the plan; 0 comes first */
    char *copy; /* memory for a field, which `in` is in already or may be copied to; NULL: none */
} armilla_cuda_map_step;

typedef struct armilla_cuda_map_call {
    armilla_array map, out; /* of doubles or floats, each of them */
    armilla_exec exec;      /* its map_distance is that of map, [ntrans][ncomp] */
    int64_t ncomp;
    int64_t out_distance; /* of out; 0: as of map */
    int64_t nplans;       /* out[nplans][ntrans][ncomp] */
    const char *waits;    /* as in armilla_cuda_frame */
    /* What follows is of the plans: */
    int device;
    int64_t npix, samples; /* of a map, and of its rings */
    int64_t nside;         /* maps are in NESTED order, and steps have them in RING order; or 0 */
    int64_t bytes;         /* memory that steps work in */
    int copies;            /* steps need a copy of a field of the device, too */
    const char *what;      /* in errors: "a radial convolution" */
    /* Puts a step on the stream. Given: work, whose scratch has `bytes`. Errors: those of calls
     * that it makes itself; what CUDA says is in work. */
    armilla_status (*run)(void *context, const armilla_cuda_map_step *step,
                          armilla_cuda_work *work);
    void *context;
} armilla_cuda_map_call;

/* Bytes of the device that a call takes whose maps are doubles on the host, or on the device. */
int64_t armilla_cuda_map_call_bytes(const armilla_cuda_map_call *call, int on_host);

/* With arrays of the device the call puts its work on the stream and returns; else, or with a
 * progress function, it waits for the result. Errors: ARGUMENT, MEMORY (names the bytes),
 * UNSUPPORTED (an error of CUDA; a stream whose capture the call would break), CANCELLED. */
armilla_status armilla_cuda_map_call_run(const armilla_cuda_map_call *call);

#ifdef __cplusplus
}
#endif
#endif
