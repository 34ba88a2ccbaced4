/* Looks at maps that a GPU reads where they are for values that may be missing, and brings them to
 * the host, which knows which are. Where the library is built without CUDA, absent/ has these
 * functions. */
#ifndef ARMILLA_CUDA_MISSING_H
#define ARMILLA_CUDA_MISSING_H

#include "armilla/device.h"
#include "base/array.h"

#include <stdint.h>

/* Components of maps. */
typedef struct armilla_cuda_looked {
    armilla_array values;
    int64_t ncomp, distance; /* numbers from one to the next */
    int64_t size;            /* of each, that are looked at */
    int device;              /* of the plan */
    void *stream;            /* on which they are written, of the device */
} armilla_cuda_looked;

/* Does the GPU read the maps where they are (memory of its own, managed memory, pinned memory if
 * the caller means it)? Their address becomes that there. Waits for the stream where they are in
 * pinned memory of the host, which the stream may still write. Errors: ARGUMENT (another GPU's
 * memory, or the host's against `memory`), UNSUPPORTED (as below). */
armilla_status armilla_cuda_find_maps(armilla_memory memory, armilla_cuda_looked *maps, int *there);

/* Is there NaN, an infinity or a value as large as ARMILLA_UNSEEN in maps that are there? Waits for
 * the stream. Errors: MEMORY, UNSUPPORTED (a stream that is captured, on which nothing could be
 * waited for: names exec->missing; an error of CUDA). */
armilla_status armilla_cuda_find_suspects(const armilla_cuda_looked *maps, int *found);

/* Copies a component to the host: `size` numbers of the maps' type. Errors: UNSUPPORTED. */
armilla_status armilla_cuda_fetch_component(const armilla_cuda_looked *maps, int64_t component,
                                            void *host);

#endif
