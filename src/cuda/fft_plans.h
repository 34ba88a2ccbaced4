/* cuFFT plans of complex transforms, by length and number. They share the caller's work area. */
#ifndef ARMILLA_CUDA_FFT_PLANS_H
#define ARMILLA_CUDA_FFT_PLANS_H

#include "base/status.h"
#include "cuda/work.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_cuda_fft_plans armilla_cuda_fft_plans;

/* Errors: MEMORY. */
armilla_status armilla_cuda_fft_plans_new(armilla_cuda_fft_plans **plans);

/* NULL is allowed. */
void armilla_cuda_fft_plans_free(armilla_cuda_fft_plans *plans);

/* Plans `count` transforms of a length, one behind the other in memory, in place, both directions;
 * once. Errors: MEMORY (also of the device), UNSUPPORTED (a cuFFT error). */
armilla_status armilla_cuda_fft_plans_add(armilla_cuda_fft_plans *plans, int64_t length,
                                          int64_t count);

/* Device bytes of the work area. */
int64_t armilla_cuda_fft_plans_work(const armilla_cuda_fft_plans *plans);

/* Runs a plan that was added on complex numbers of the device, without a factor.
 * Given:    sign  of the exponent, CUFFT_FORWARD or CUFFT_INVERSE;  area  the work area.
 * Notes:    calls may run side by side. cuFFT's plans know one stream and one work area at a time:
 *           a lock is held while they are set and the transform is put on the stream. */
void armilla_cuda_fft_plans_run(armilla_cuda_fft_plans *plans, int64_t length, int64_t count,
                                double *data, int sign, void *area, armilla_cuda_work *work);

#ifdef __cplusplus
}
#endif
#endif
