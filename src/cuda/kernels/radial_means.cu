/* The kernels of means over weights, pixel by pixel: maps times weights, sums of weights that are
 * large enough to divide by, and sums over these. See radial_means_kernels.h. */
#include "cuda/kernels/device.h"
#include "cuda/kernels/radial_means_kernels.h"

namespace
{

enum { PIXELS = 256, MOST_BLOCKS = 64 /* that look at weights */ };

__device__ __forceinline__ int64_t find_number()
{
    return (int64_t)blockIdx.x * PIXELS + threadIdx.x;
}

__device__ __forceinline__ double get(int is_float, const void *values, int64_t i)
{
    return is_float ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

/* Is it no number? */
__device__ __forceinline__ bool is_nan(double value)
{
    return !(value == value);
}

__global__ void __launch_bounds__(PIXELS)
    weigh_pixels(int64_t count, const double *weights, double scale, int is_float, const void *from,
                 double *to)
{
    const int64_t i = find_number();
    if (i >= count) return;
    const double weight = weights ? weights[i] : 1;
    to[i] = !weights ? 1 : weight == 0 ? 0 : get(is_float, from, i) * (weight * scale);
}

__global__ void __launch_bounds__(PIXELS)
    join_sums(int64_t count, double least, double scale, const double *norm, const double *sums,
              double *means)
{
    const int64_t i = find_number();
    if (i >= count) return;
    const double all = norm[i], sum = sums[i];
    means[i] = is_nan(all) ? all : sum > 0 && sum >= least * all ? sum * scale : 0;
}

__global__ void __launch_bounds__(PIXELS)
    finish_means(int64_t count, const double *means, double fill, int is_float, void *values)
{
    const int64_t i = find_number();
    if (i >= count || is_nan(means[i])) return;
    const double value = means[i] > 0 ? get(is_float, values, i) / means[i] : fill;
    if (is_float)
        ((float *)values)[i] = (float)value;
    else
        ((double *)values)[i] = value;
}

/* Each thread has every so many-th weight. */
__global__ void __launch_bounds__(PIXELS)
    look_at_weights(int64_t count, const double *weights, armilla_cuda_weights_seen *seen)
{
    const int64_t step = (int64_t)gridDim.x * PIXELS;
    armilla_cuda_weights_seen s = {0, -1};
    for (int64_t i = find_number(); i < count; i += step) {
        const double weight = weights[i];
        if (!(weight >= 0 && weight <= 1e300) && s.wrong < 0) s.wrong = i;
        s.largest = fmax(s.largest, weight);
    }
    seen[find_number()] = s;
}

unsigned blocks_of(int64_t count)
{
    return (unsigned)((count + PIXELS - 1) / PIXELS);
}

unsigned look_blocks(int64_t count)
{
    return blocks_of(count) < MOST_BLOCKS ? blocks_of(count) : (unsigned)MOST_BLOCKS;
}

} // namespace

cudaError_t armilla_cuda_means_weigh(int64_t count, const double *weights, double scale,
                                     int is_float, const void *from, double *to,
                                     cudaStream_t stream)
{
    return ARMILLA_LAUNCH(weigh_pixels, blocks_of(count), PIXELS, 0, stream, count, weights, scale,
                          is_float, from, to);
}

cudaError_t armilla_cuda_means_join(int64_t count, double least, double scale, const double *norm,
                                    const double *sums, double *means, cudaStream_t stream)
{
    return ARMILLA_LAUNCH(join_sums, blocks_of(count), PIXELS, 0, stream, count, least, scale, norm,
                          sums, means);
}

cudaError_t armilla_cuda_means_finish(int64_t count, const double *means, double fill, int is_float,
                                      void *values, cudaStream_t stream)
{
    return ARMILLA_LAUNCH(finish_means, blocks_of(count), PIXELS, 0, stream, count, means, fill,
                          is_float, values);
}

int64_t armilla_cuda_weights_threads(int64_t count)
{
    return (int64_t)look_blocks(count) * PIXELS;
}

cudaError_t armilla_cuda_weights_look(int64_t count, const double *weights,
                                      armilla_cuda_weights_seen *seen, cudaStream_t stream)
{
    return ARMILLA_LAUNCH(look_at_weights, look_blocks(count), PIXELS, 0, stream, count, weights,
                          seen);
}
