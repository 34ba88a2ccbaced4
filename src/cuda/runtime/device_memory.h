/* Device memory, and CUDA's errors as ours. */
#ifndef ARMILLA_CUDA_RUNTIME_DEVICE_MEMORY_H
#define ARMILLA_CUDA_RUNTIME_DEVICE_MEMORY_H

#include "base/status.h"
#include "cuda/runtime/work.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Clears the error that a call of ours has left behind, so that it is not taken for one of the
 * application's; an error that was there before is left alone. CUDA has one last error per thread:
 * where a call of ours failed, it has taken the place of an earlier one, which is lost. */
void armilla_cuda_forget(cudaError_t ours);

/* ARMILLA_OK, or MEMORY (of the device) or UNSUPPORTED; the message names what was tried, and the
 * kernel that could not be launched, or cuFFT's result and the length of its transforms. _work: the
 * first error of a call. */
armilla_status armilla_cuda_status(cudaError_t error, const char *what);
armilla_status armilla_cuda_fft_status(cufftResult result, int64_t length, const char *what);
armilla_status armilla_cuda_work_status(const armilla_cuda_work *work, const char *what);

/* A copy of count items in device memory, of `what` in errors. *device is NULL where count is 0.
 * Where memory is short the device's pool is trimmed, and asked once more. Other streams see the
 * copy when the device has been waited for. Free with armilla_cuda_release. Errors: MEMORY (names
 * the bytes), UNSUPPORTED. */
armilla_status armilla_cuda_upload(const void *host, int64_t count, size_t size, const char *what,
                                   void **device);
armilla_status armilla_cuda_allocate(int64_t bytes, const char *what, void **device);
void armilla_cuda_release(void *device); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
