/* Tables for transforms of rough lengths in lanes (kernels/bluestein.c, kernels/direct.c). */
#ifndef ARMILLA_FFT_ROUGH_H
#define ARMILLA_FFT_ROUGH_H

#include "base/status.h"
#include "fft/kernels/kernels.h"

/* Given: q odd; convolution of that length, or NULL; work, armilla_rough_work of its complex
 * numbers, 64-byte aligned, of use with a convolution only. Errors: MEMORY. */
armilla_status armilla_rough_make(int64_t q, const armilla_convolution *convolution,
                                  const armilla_rough_kernels *kernels, double *work,
                                  armilla_rough *rough);

/* A cleared one is allowed. */
void armilla_rough_clear(armilla_rough *rough);

/* Memory of the tables. */
int64_t armilla_rough_bytes(const armilla_rough *rough);

/* Complex numbers of work that the kernels need for length q, with a convolution or NULL. */
int64_t armilla_rough_work(int64_t q, const armilla_convolution *convolution);

#endif
