/* Looks at maps that a GPU reads where they are for values that may be missing, and brings them to
 * the host, which knows which are. */
#ifndef ARMILLA_CUDA_MISSING_H
#define ARMILLA_CUDA_MISSING_H

#include "armilla/device.h"
#include "base/array.h"
#include "cuda/cuda.h"

#include <stdint.h>

/* Components of maps. */
typedef struct armilla_cuda_looked {
    armilla_array values;
    int64_t ncomp, distance; /* numbers from one to the next */
    int64_t size;            /* of each, that are looked at */
    int device;              /* of the plan */
    void *stream;            /* on which they are written, of the device */
} armilla_cuda_looked;

/* Is there NaN, an infinity or a value as large as ARMILLA_UNSEEN in maps that are there? Waits for
 * the stream. Errors: MEMORY, UNSUPPORTED (a stream that is captured, on which nothing could be
 * waited for: names exec->missing; an error of CUDA). */
armilla_status armilla_cuda_find_suspects(const armilla_cuda_looked *maps, int *found);

typedef struct armilla_cuda_missing_table {
    /* Does the GPU read the maps where they are (memory of its own, managed memory, pinned memory
     * if the caller means it)? Then their address becomes that there, and *found says what
     * armilla_cuda_find_suspects does. Waits for the stream where they are in pinned memory of the
     * host, which the stream may still write. Errors: as there; ARGUMENT (another GPU's memory, or
     * the host's against `memory`). */
    armilla_status (*look)(armilla_memory memory, armilla_cuda_looked *maps, int *there,
                           int *found);
    /* Copies a component to the host: `size` numbers of the maps' type. Errors: UNSUPPORTED. */
    armilla_status (*fetch)(const armilla_cuda_looked *maps, int64_t component, void *host);
} armilla_cuda_missing_table;

extern const armilla_cuda_missing_table armilla_cuda_missing_functions;

#endif
