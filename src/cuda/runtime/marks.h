/* Marks between the stages of a transform, for programs that measure where its time goes. */
#ifndef ARMILLA_CUDA_RUNTIME_MARKS_H
#define ARMILLA_CUDA_RUNTIME_MARKS_H

#include "cuda/runtime/runtime.h"

/* Hears that what was put on the stream since the last mark belongs to `stage`: "begin" (nothing
 * was), "copy to device", "legendre", "theta", "rings", "copy to host". It may record an event. */
typedef void (*armilla_cuda_mark_fn)(void *data, const char *stage, cudaStream_t stream);

/* All transforms of the process call it from now on; NULL, at first: none. Must not be called while
 * a transform runs. */
void armilla_cuda_set_marks(armilla_cuda_mark_fn mark, void *data);

/* Calls it, if there is one. */
void armilla_cuda_mark(const char *stage, cudaStream_t stream);

/* Is there one? It times what is on one stream. */
int armilla_cuda_has_marks(void);

#endif
