/* What a test asks of the emulated GPU beyond CUDA's own calls. Everything that the emulation finds
 * wrong (a divergent barrier, a lane missing at a shuffle, memory of the wrong side) is printed
 * with file and line, and ends the process with CUDA_EMULATION_EXIT. */
#ifndef ARMILLA_CUDA_EMULATION_H
#define ARMILLA_CUDA_EMULATION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CUDA_EMULATION_EXIT = 70 };

/* In which sequence threads of a block, and blocks of a grid, take turns. Between two barriers one
 * thread after the other runs, so that a missing barrier shows as wrong data in some order. At
 * first: ARMILLA_EMULATION_ORDER=forward|reversed|random:SEED of the environment, else forward. */
typedef enum cuda_emulation_order {
    CUDA_EMULATION_FORWARD,
    CUDA_EMULATION_REVERSED,
    CUDA_EMULATION_RANDOM
} cuda_emulation_order;
void cuda_emulation_set_order(cuda_emulation_order order, uint64_t seed);

/* Nonzero: what is put on a stream runs when somebody waits for it, not at once. At first:
 * ARMILLA_EMULATION_DEFERRED=1 of the environment. */
void cuda_emulation_set_deferred(int deferred);

/* As armilla_memory_fail_after: lets `successes` further allocations of device memory pass and
 * makes the next one fail, once; negative: none. Returns the number asked for since the last call.
 */
int64_t cuda_emulation_fail_after(int64_t successes);

/* The same for calls of any kind that can fail: runtime, launches, cuFFT. */
int64_t cuda_emulation_fail_call_after(int64_t successes);

void cuda_emulation_set_devices(int count);    /* 1 at first; 0: no GPU */
void cuda_emulation_set_memory(int64_t bytes); /* of the device; 2^30 at first */

/* Events then show the sum of what `milliseconds` says of each kernel that ran, by the function
 * that launched it, as __PRETTY_FUNCTION__ there, with the values of template arguments, or
 * "cuFFT"; NULL, at first: the time that has passed. */
void cuda_emulation_set_cost(double (*milliseconds)(const char *from));

/* What cudaGetDeviceProperties says; not copied. */
void cuda_emulation_set_device_name(const char *name);

/* Operations in single for one in double precision, as cudaDeviceGetAttribute says; 2 at first. */
void cuda_emulation_set_precision_ratio(int ratio);

int64_t cuda_emulation_live_bytes(void); /* device memory that is allocated now */
int64_t cuda_emulation_most_bytes(void); /* the most at any time since the last call */
int64_t cuda_emulation_launches(void);   /* kernels and cuFFT calls since the last call */

#ifdef __cplusplus
}
#endif
#endif
