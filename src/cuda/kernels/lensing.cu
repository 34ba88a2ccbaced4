/* Directions that a deflection moves, values that turn, coefficients of a potential's gradient:
 * lensing_kernels.h. The arithmetic of a pixel is the processor's own, base/geodesic.h; what GPUs
 * make of sine, cosine and arctangent differs in the last bit, within what armilla/lensing.h
 * promises. */
#include "base/geodesic.h"
#include "base/unseen.h"
#include "cuda/kernels/device.h"
#include "cuda/kernels/lensing_kernels.h"

namespace
{

enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP };
constexpr unsigned ALL = 0xffffffffu;

/* --- Pixels ----------------------------------------------------------------------------------- */

struct pixel {
    int64_t ring, number; /* of the ring */
    int64_t place, entry;
};

__device__ __forceinline__ int64_t nested_place(const armilla_scheme &scheme, int64_t number)
{
    const armilla_face_position at = armilla_ring_to_face(&scheme, number);
    return armilla_face_to_nest(&scheme, &at);
}

/* The last ring that begins at pixel i or before it. */
__device__ __forceinline__ int64_t find_ring(const armilla_cuda_lensing_view &view, int64_t i)
{
    int64_t begin = 0, end = view.nrings;
    while (end - begin > 1) {
        const int64_t middle = (begin + end) / 2;
        if (view.first[middle] <= i)
            begin = middle;
        else
            end = middle;
    }
    return begin;
}

__device__ __forceinline__ pixel find_pixel(const armilla_cuda_lensing_view &view, int64_t i)
{
    const int64_t ring = find_ring(view, i), number = i - view.first[ring];
    const armilla_cuda_lensing_ring &r = view.rings[ring];
    const int64_t place =
        r.stride ? r.offset + number * r.stride : nested_place(view.scheme, r.offset + number);
    return {ring, number, place, view.placed ? place : i};
}

/* --- Directions ------------------------------------------------------------------------------- */

/* Is there a deflection? lensing/deflection.c has this, too. */
__device__ __forceinline__ int is_given(double alpha)
{
    return fabs(alpha) <= 1.7976931348623157e308 && !armilla_is_unseen(alpha);
}

/* Returned: is there a deflection? */
__device__ __forceinline__ int deflect_pixel(const armilla_cuda_lensing_view &view,
                                             const armilla_cuda_deflecting &d, int64_t i)
{
    const pixel p = find_pixel(view, i);
    const armilla_cuda_lensing_ring &r = view.rings[p.ring];
    const int64_t at = r.stride || d.in_order ? p.place : r.offset + p.number;
    const double alpha_theta = d.field[at], alpha_phi = d.field[at + view.npix];
    armilla_colatitude start;
    start.theta = r.theta, start.cosine = r.cosine, start.sine = r.sine;
    const double phi = r.phi0 + 2 * M_PI * (double)p.number / (double)r.nphi;
    double moved[2];
    d.gamma[p.entry] = armilla_deflect_point(start, phi, alpha_theta, alpha_phi, moved);
    reinterpret_cast<double2 *>(d.points)[p.entry] = make_double2(moved[0], moved[1]);
    return is_given(alpha_theta) && is_given(alpha_phi);
}

__global__ void __launch_bounds__(THREADS)
    deflect_pixels(const armilla_cuda_lensing_view view, const armilla_cuda_deflecting d)
{
    const int64_t warp = (int64_t)blockIdx.x * WARPS + threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    const int64_t first = warp * ARMILLA_CUDA_LENSING_WARP;
    int bad = ARMILLA_CUDA_LENSING_GOOD;
    if (first >= view.count) return; /* the whole warp */
    for (int at = 0; at < ARMILLA_CUDA_LENSING_WARP; at += WARP) {
        const int64_t i = first + at + lane;
        const int good = i >= view.count || deflect_pixel(view, d, i);
        const unsigned votes = __ballot_sync(ALL, !good);
        if (votes && bad == ARMILLA_CUDA_LENSING_GOOD)
            bad = at + __popc((votes & (0u - votes)) - 1u); /* the lowest bit's number */
    }
    if (lane == 0) d.bad[warp] = bad;
}

/* --- Values ----------------------------------------------------------------------------------- */

template <int NCOMP>
__global__ void __launch_bounds__(THREADS)
    turn_values(const armilla_cuda_lensing_view view, const armilla_cuda_turned t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= view.count) return;
    int64_t entry = i, place = i;
    if (!view.placed) place = find_pixel(view, i).place;
    const double *from = t.from + blockIdx.y * NCOMP * t.from_distance + (t.to_map ? entry : place);
    double *to = t.to + blockIdx.y * NCOMP * t.to_distance + (t.to_map ? place : entry);
    double value[NCOMP];
    for (int c = 0; c < NCOMP; c++) value[c] = from[c * t.from_distance];
    if (NCOMP == 2)
        armilla_turn_value((t.to_map ? 1.0 : -1.0) * (double)t.spin * t.gamma[entry], value);
    for (int c = 0; c < NCOMP; c++) to[c * t.to_distance] = value[c];
}

/* --- Coefficients ----------------------------------------------------------------------------- */

/* A block has degrees of an order; its third index is the component. */
__global__ void __launch_bounds__(THREADS) scale_degrees(const armilla_cuda_potential p)
{
    const int64_t m = blockIdx.x, l = m + (int64_t)blockIdx.y * THREADS + threadIdx.x;
    if (l > p.lmax) return;
    const int64_t size = (p.mmax + 1) * (2 * p.lmax - p.mmax + 2) / 2;
    const int64_t item = blockIdx.z * size + m * (2 * p.lmax + 1 - m) / 2 + l;
    double2 *alm = reinterpret_cast<double2 *>(p.alm) + item;
    const double factor = sqrt((double)l * ((double)l + 1));
    *alm = make_double2(factor * alm->x, factor * alm->y);
}

unsigned blocks_for(int64_t threads)
{
    return (unsigned)((threads + THREADS - 1) / THREADS);
}

} // namespace

cudaError_t armilla_cuda_lensing_deflect(const armilla_cuda_lensing_view *view,
                                         const armilla_cuda_deflecting *deflecting,
                                         cudaStream_t stream)
{
    const unsigned blocks = blocks_for(armilla_cuda_lensing_warps(view->count) * WARP);
    return ARMILLA_LAUNCH(deflect_pixels, blocks, THREADS, 0, stream, *view, *deflecting);
}

cudaError_t armilla_cuda_lensing_turn(const armilla_cuda_lensing_view *view,
                                      const armilla_cuda_turned *turned, cudaStream_t stream)
{
    const dim3 blocks(blocks_for(view->count), (unsigned)turned->ntrans);
    if (turned->ncomp == 2)
        return ARMILLA_LAUNCH(turn_values<2>, blocks, THREADS, 0, stream, *view, *turned);
    return ARMILLA_LAUNCH(turn_values<1>, blocks, THREADS, 0, stream, *view, *turned);
}

cudaError_t armilla_cuda_lensing_scale(const armilla_cuda_potential *potential, cudaStream_t stream)
{
    const dim3 blocks((unsigned)potential->mmax + 1, blocks_for(potential->lmax + 1),
                      (unsigned)potential->ncomp);
    return ARMILLA_LAUNCH(scale_degrees, blocks, THREADS, 0, stream, *potential);
}
