/* Launches a kernel of fused multiply-adds in double precision and nothing else, to tell the most
 * that a GPU can compute; gpu_check holds its times against that. Eight independent chains a thread
 * and 16 blocks of 256 threads for each multiprocessor keep its units busy whatever the latency;
 * nothing is read. */
#include "peak.h"

#ifdef ARMILLA_CUDA_EMULATION
#include "cuda/kernels/device.h"
#endif

enum { CHAINS = 8, THREADS = 256, BLOCKS = 16 };

static __global__ void multiply_add(int64_t rounds, double factor, double addend, double *sink)
{
    double chains[CHAINS];
    for (int i = 0; i < CHAINS; i++) chains[i] = 1e-3 * threadIdx.x + i;
#pragma unroll 4
    for (int64_t k = 0; k < rounds; k++)
        for (int i = 0; i < CHAINS; i++) chains[i] = fma(chains[i], factor, addend);
    double sum = 0;
    for (int i = 0; i < CHAINS; i++) sum += chains[i];
    if (sum == 1.2345) *sink = sum; /* never; the compiler does not know */
}

double gpu_peak_launch(int64_t multiprocessors, int64_t rounds, double *sink)
{
    const unsigned blocks = (unsigned)(BLOCKS * multiprocessors);
#ifdef ARMILLA_CUDA_EMULATION
    ARMILLA_LAUNCH(multiply_add, blocks, THREADS, 0, nullptr, rounds, GPU_PEAK_FACTOR,
                   GPU_PEAK_ADDEND, sink);
#else
    multiply_add<<<blocks, THREADS>>>(rounds, GPU_PEAK_FACTOR, GPU_PEAK_ADDEND, sink);
#endif
    return 2.0 * CHAINS * THREADS * blocks * (double)rounds;
}
