/* How short functions are declared that processors and CUDA's kernels share. */
#ifndef ARMILLA_BASE_HOST_DEVICE_H
#define ARMILLA_BASE_HOST_DEVICE_H

#ifdef __CUDACC__
#define ARMILLA_HOST_DEVICE static __host__ __device__ __forceinline__
#else
#define ARMILLA_HOST_DEVICE static inline
#endif

#endif
