/* Looks at maps in the memory of a GPU for values that may be missing, and brings them to the host,
 * which knows which are. Where the library is built without CUDA, absent/ has these functions. */
#ifndef ARMILLA_CUDA_MISSING_H
#define ARMILLA_CUDA_MISSING_H

#include "armilla/status.h"
#include "base/array.h"

#include <stdint.h>

/* Components in device memory: armilla_cuda_is_device_array. */
typedef struct armilla_cuda_looked {
    armilla_array values;
    int64_t ncomp, distance; /* numbers from one to the next */
    int64_t size;            /* of each, that are looked at */
    void *stream;            /* on which they are written, of their device */
} armilla_cuda_looked;

/* Is there NaN, an infinity or a value as large as ARMILLA_UNSEEN? Waits for the stream. Errors:
 * MEMORY, UNSUPPORTED (a stream that is captured, on which nothing could be waited for: names
 * exec->missing; an error of CUDA). */
armilla_status armilla_cuda_find_suspects(const armilla_cuda_looked *maps, int *found);

/* Copies a component to the host: `size` numbers of the maps' type. Errors: UNSUPPORTED. */
armilla_status armilla_cuda_fetch_component(const armilla_cuda_looked *maps, int64_t component,
                                            void *host);

#endif
