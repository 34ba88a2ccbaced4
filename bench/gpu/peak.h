/* The yardstick of gpu_check is a kernel that does multiply-adds in double precision alone, as many
 * as the GPU does. */
#ifndef ARMILLA_BENCH_GPU_PEAK_H
#define ARMILLA_BENCH_GPU_PEAK_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A chain is x -> addend + factor x from step to step. A factor inside (-1, 1) would bring all
 * chains to one number within some thousand steps, and units that add up the same bits again and
 * again take less power, so that the clock is not the one of real work. This one goes to and fro
 * between both sides of 0.36, a little further each time: by 0.2 % in 20000 steps. */
#define GPU_PEAK_FACTOR (-1.0000001)
#define GPU_PEAK_ADDEND 0.7182818284590452

/* Puts a kernel of multiply-adds alone on the default stream. sink: device memory, 8 bytes. Returns
 * its floating point operations. */
double gpu_peak_launch(int64_t multiprocessors, int64_t rounds, double *sink);

#ifdef __cplusplus
}
#endif
#endif
