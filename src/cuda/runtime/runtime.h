/* The CUDA runtime and cuFFT, or what stands for them in the emulation: the folder of headers that
 * the compiler searches first decides. */
#ifndef ARMILLA_CUDA_RUNTIME_RUNTIME_H
#define ARMILLA_CUDA_RUNTIME_RUNTIME_H

#include <cuda_runtime.h>
#include <cufft.h>

#endif
