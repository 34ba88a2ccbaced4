/* What every call of an operator is given: arrays of coefficients and of maps or values at points,
 * and how it shall run. The checks of all operators are here, so that they refuse the same things
 * in the same words. */
#ifndef ARMILLA_CALL_CALL_H
#define ARMILLA_CALL_CALL_H

#include "armilla/sht.h"
#include "base/array.h"
#include "base/progress.h"
#include "call/place.h"
#include "cuda/delegate.h"

/* What a plan says about the arrays of its calls. */
typedef struct armilla_call_arrays {
    int64_t alm_size, nalm;        /* complex numbers of a component; components of a transform */
    int64_t npix, nmap;            /* of maps, or of values at points */
    const armilla_grid *grid;      /* whose maps may have missing values; NULL: not looked at */
    int64_t ndevices;              /* GPUs of the plan; 0: it runs on the processor */
    int device;                    /* the first of them */
    const char *samples;           /* how messages call the map; NULL: "map" */
    const char *coefficients;      /* and alm; NULL: "alm" */
    int64_t map_unit;              /* real numbers of an item of a map; 0: 1 */
    int alm_is_map;                /* maps go to maps: alm is like map, and at the same distances */
    armilla_delegation delegation; /* GPUs for which the host runs the call */
} armilla_call_arrays;

typedef struct armilla_call {
    int to_map;
    armilla_array alm, map; /* what is read is not written; may be NULL where they hold nothing */
    armilla_exec exec;      /* of armilla_call_open: complete, no distance is 0 */
    int alm_is_read;        /* from maps to something else: alm is not written either */
    armilla_relay relay;    /* for calls inside of this one */
    armilla_cuda_delegated there; /* of arrays in the memory of a GPU that the host has copies of */
} armilla_call;

static inline armilla_call armilla_call_of(int to_map, armilla_array alm, armilla_array map)
{
    return (armilla_call){.to_map = to_map, .alm = alm, .map = map};
}

/* Fills *resolved with exec, or with the defaults if it is NULL, and distances that were 0.
 * Errors: ARGUMENT. */
armilla_status armilla_call_check(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                  armilla_exec *resolved);

/* Looks for missing values of ntrans maps if exec->missing is ARMILLA_MISSING_ERROR. They may be in
 * the memory of a GPU. Given: exec, resolved; weights  of pixels, those with 0 may miss; or NULL.
 * Errors: ARGUMENT, with the number of missing values and the index of the first one; MEMORY;
 * UNSUPPORTED (values at points; a GPU's stream that is captured; an error of CUDA). */
armilla_status armilla_call_check_missing(const armilla_call_arrays *arrays, armilla_array map,
                                          const double *weights, const armilla_exec *exec);

/* Checks what armilla_call_of has put together, and fills in the rest; _take does not look for
 * missing values. Where the host runs a call for a GPU, alm and map become copies on the host, and
 * armilla_call_close has to end the call if there is no error. Errors: ARGUMENT; of maps that are
 * read also those of armilla_call_check_missing; of a delegation MEMORY and UNSUPPORTED (a stream
 * that is captured, an error of CUDA). */
armilla_status armilla_call_open(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                 armilla_call *call);
armilla_status armilla_call_take(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                 armilla_call *call);

/* Ends a call that may be one for a GPU: if status is OK, what was written goes there. Returned:
 * status, or the error of that copy (UNSUPPORTED). A call of zeros, and one that is
 * ended, have nothing to be ended. */
armilla_status armilla_call_close(armilla_call *call, armilla_status status);

/* How an operation inside of the call runs: on one transform, with the call's threads, distances,
 * memory and stream; its progress is a part of the call's (armilla_relay_next of call->relay says
 * which); values have been looked at. */
armilla_exec armilla_call_inner(armilla_call *call);

#endif
