/* The launches of radial convolution by Fourier coefficients of rings. C and CUDA; what tiles,
 * groups and tasks are: radial_mixing_tables.h. */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_MIXING_KERNELS_H
#define ARMILLA_CUDA_KERNELS_RADIAL_MIXING_KERNELS_H

#include "cuda/kernels/radial_mixing_tables.h"
#include "cuda/runtime/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Legs of one map, or of spin 2 of Q and U, one set behind the other. The one that is read may have
 * more orders than the view. */
typedef struct armilla_cuda_mixing_legs {
    const double *in;
    double *out;
    int64_t in_row, in_set, out_row, out_set; /* doubles from one row, or set, to the next */
} armilla_cuda_mixing_legs;

/* Puts the sums on the stream. Returned: the launch's error. */
cudaError_t armilla_cuda_mixing_mix(const armilla_cuda_mixing_view *view,
                                    const armilla_cuda_mixing_legs *legs, cudaStream_t stream);

/* to[i] = from[i] / divisor[i] where the divisor is not 0: other pixels are on no ring, and stay as
 * they are. Given: count; is_float: numbers of `from` and `to`, which may be one. */
cudaError_t armilla_cuda_mixing_divide(int64_t count, const double *divisor, int is_float,
                                       const void *from, void *to, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
