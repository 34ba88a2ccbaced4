/* Calls that the host runs for a GPU: arrays in the GPU's memory are brought to the host before the
 * call, and what was written is taken back after it. Arrays of the host are used where they are. */
#ifndef ARMILLA_CUDA_DELEGATE_H
#define ARMILLA_CUDA_DELEGATE_H

#include "armilla/device.h"
#include "base/array.h"
#include "cuda/cuda.h"

/* An array of such a call. */
typedef struct armilla_cuda_guest {
    const char *name;
    armilla_array values; /* the caller's; NULL: there is none */
    int64_t ncomp;        /* components of all transforms */
    int64_t size;         /* numbers of each, all of which belong to the array */
    int64_t distance;     /* numbers from one to the next */
    int written;
    void *there; /* its address on the GPU; NULL: the host uses it where it is */
    void *copy;  /* on the host, with the same distance, so that errors name the caller's places */
} armilla_cuda_guest;

typedef struct armilla_cuda_delegated {
    armilla_cuda_guest guest[2];
    armilla_memory memory;
    void *stream;
    int device;
} armilla_cuda_delegated;

typedef struct armilla_cuda_delegate_table {
    /* Waits for the stream; copies what the GPU has to copies of the host, which armilla_release
     * takes, and outputs as well, which may have places that the call leaves as they are. Errors:
     * ARGUMENT (an array that is where `memory` says it is not, or on another GPU), MEMORY,
     * UNSUPPORTED (a stream that is captured, an error of CUDA); there are no copies then. */
    armilla_status (*bring)(armilla_cuda_delegated *call);
    /* Copies what is written back, component by component, and waits. Errors: UNSUPPORTED. */
    armilla_status (*take_back)(const armilla_cuda_delegated *call);
} armilla_cuda_delegate_table;

extern const armilla_cuda_delegate_table armilla_cuda_delegate_functions;

#endif
