/* The kernel that brings HEALPix maps from NESTED order to RING order and back: a thread has a
 * pixel of RING order, so that one side of its copy lies beside its neighbours'. */
#include "cuda/kernels/device.h"
#include "cuda/kernels/ring_order_kernels.h"

namespace
{

enum { PIXELS = 256 };

template <typename T>
__device__ __forceinline__ void copy_pixel(const armilla_cuda_reordered &maps, int64_t from,
                                           int64_t to)
{
    const int64_t component = blockIdx.y;
    ((T *)maps.to)[component * maps.to_distance + to] =
        ((const T *)maps.from)[component * maps.from_distance + from];
}

__global__ void __launch_bounds__(PIXELS)
    reorder_pixels(const armilla_scheme scheme, const armilla_cuda_reordered maps)
{
    const int64_t i = (int64_t)blockIdx.x * PIXELS + threadIdx.x;
    if (i >= 12 * scheme.nside * scheme.nside) return;
    const armilla_face_position at = armilla_ring_to_face(&scheme, i);
    const int64_t place = armilla_face_to_nest(&scheme, &at);
    const int64_t from = maps.to_nested ? i : place, to = maps.to_nested ? place : i;
    if (maps.is_float)
        copy_pixel<float>(maps, from, to);
    else
        copy_pixel<double>(maps, from, to);
}

} // namespace

cudaError_t armilla_cuda_reorder(const armilla_scheme *scheme, const armilla_cuda_reordered *maps,
                                 cudaStream_t stream)
{
    const int64_t npix = 12 * scheme->nside * scheme->nside;
    const dim3 blocks((unsigned)((npix + PIXELS - 1) / PIXELS), (unsigned)maps->ncomp);
    return ARMILLA_LAUNCH(reorder_pixels, blocks, PIXELS, 0, stream, *scheme, *maps);
}
