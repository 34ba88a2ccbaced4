/* Where the positions of rows are in maps on a GPU, and what a pixel is multiplied by: doubles or
 * floats, RING and NESTED order, rows packed. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_PLACES_H
#define ARMILLA_CUDA_KERNELS_RADIAL_PLACES_H

#include "base/healpix.h"
#include "cuda/kernels/device.h"
#include "cuda/kernels/radial_kernels.h"

/* Pixel of the ring that lies at a position of an arc, which may be negative, or beyond the arc. */
static __device__ __forceinline__ int32_t find_pixel(const armilla_cuda_radial_row &row, int image,
                                                     int arc, int32_t position)
{
    int32_t pixel = row.first[image] + arc * row.arc + position;
    while (pixel < 0) pixel += row.n;
    while (pixel >= row.n) pixel -= row.n;
    return pixel;
}

static __device__ __forceinline__ int64_t find_nested(const armilla_cuda_radial_view &view,
                                                      int64_t ring, int64_t pixel)
{
    const armilla_scheme scheme = {view.nside, 0, 0, view.order, 1};
    const armilla_face_position at = armilla_ring_place(&scheme, ring + 1, pixel);
    return armilla_face_to_nest(&scheme, &at);
}

/* The item of a map in RING order, or packed, that a pixel is. */
static __device__ __forceinline__ int64_t find_row_item(const armilla_cuda_radial_layout &layout,
                                                        const armilla_cuda_radial_row &row,
                                                        int image, int32_t pixel)
{
    if (layout.packed) return row.packed[image] - layout.first[image] + pixel;
    return row.offset[image] + pixel * row.stride[image];
}

/* The item of any map. */
static __device__ __forceinline__ int64_t find_item(const armilla_cuda_radial_view &view,
                                                    const armilla_cuda_radial_layout &layout,
                                                    const armilla_cuda_radial_row &row, int image,
                                                    int32_t pixel)
{
    if (view.nside && !layout.packed) return find_nested(view, row.ring[image], pixel);
    return find_row_item(layout, row, image, pixel);
}

/* What a pixel of a source is multiplied by, but for its own weight. */
static __device__ __forceinline__ double find_scale(const armilla_cuda_radial_view &view,
                                                    const armilla_cuda_radial_maps &maps,
                                                    const armilla_cuda_radial_row &source,
                                                    int32_t position)
{
    if (!maps.adjoint) return source.weight;
    if (!view.divisor) return 1;
    int32_t at = position;
    while (at < 0) at += source.arc;
    while (at >= source.arc) at -= source.arc;
    return 1 / view.divisor[source.divisor + source.divisor_step * at];
}

static __device__ __forceinline__ double get_item(const armilla_cuda_radial_maps &maps,
                                                  int64_t component, int64_t item)
{
    const int64_t at = component * maps.in_layout.distance + item;
    return maps.in_layout.is_float ? (double)((const float *)maps.in)[at]
                                   : ((const double *)maps.in)[at];
}

/* A pixel times its weight; with a weight of 0 it is not read. */
static __device__ __forceinline__ double get_weighted(const armilla_cuda_radial_maps &maps,
                                                      int64_t component, int64_t item)
{
    if (!maps.weights) return get_item(maps, component, item);
    const double weight = maps.weights[item];
    return weight == 0 ? 0 : get_item(maps, component, item) * weight;
}

static __device__ __forceinline__ void put_item(const armilla_cuda_radial_maps &maps,
                                                int64_t component, int64_t item, double value)
{
    const int64_t at = component * maps.out_layout.distance + item;
    if (maps.out_layout.is_float)
        ((float *)maps.out)[at] = (float)value;
    else
        ((double *)maps.out)[at] = value;
}

#endif
