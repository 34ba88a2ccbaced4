/* The yardstick of gpu_check.c: multiply-adds in double precision, as many as the GPU does. */
#ifndef ARMILLA_BENCH_GPU_PEAK_H
#define ARMILLA_BENCH_GPU_PEAK_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts a kernel of multiply-adds alone on the default stream. sink: device memory, 8 bytes. Returns
 * its floating point operations. */
double gpu_peak_launch(int64_t multiprocessors, int64_t rounds, double *sink);

#ifdef __cplusplus
}
#endif
#endif
