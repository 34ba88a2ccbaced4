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

/* 1: what is put on a stream runs when somebody waits for it, not at once, and what is on other
 * streams runs only as far as that stream waits for it. 2: what is on other streams comes first, as
 * far as it goes. 3: all take turns. 0 at first, unless ARMILLA_EMULATION_DEFERRED of the
 * environment says something else. */
void cuda_emulation_set_deferred(int deferred);

/* As cuda_emulation_fail_after, but a cudaStreamWaitEvent is left out in silence, so that a test
 * finds out whether it would miss it. */
int64_t cuda_emulation_leave_out_wait_after(int64_t waited);

/* Nonzero: what cudaMemcpy copies from pageable memory to the device lands when the default stream
 * or the device is next waited for, or when a stream that meets the default one gets work. A stream
 * made with cudaStreamNonBlocking sees what was there before. The source may be reused at once.
 * CUDA promises that earlier such copies are there when the next one begins; here they are not. Not
 * so at first, unless ARMILLA_EMULATION_LATE_COPIES=1 is in the environment. */
void cuda_emulation_set_late_copies(int late);

/* As armilla_memory_fail_after: lets `successes` further allocations of device memory pass and
 * makes the next one fail, once; negative: none. Returns the number asked for since the last call.
 */
int64_t cuda_emulation_fail_after(int64_t successes);

/* The same, but the allocation after that one fails, too: for who asks once more. */
int64_t cuda_emulation_fail_twice_after(int64_t successes);

/* The same for calls of any kind that can fail: runtime, launches, cuFFT. */
int64_t cuda_emulation_fail_call_after(int64_t successes);

/* Plants a fault, as ARMILLA_EMULATION_PLANT of the environment does: "fail:NAME" lets launches of
 * kernels fail whose name holds NAME (the others: machine.h); NULL: none. Not copied. */
void cuda_emulation_plant(const char *what);

/* Devices 0 .. count - 1, count <= CUDA_EMULATION_DEVICES; 1 at first; 0: no GPU. A thread's
 * current one is 0 at first. */
enum { CUDA_EMULATION_DEVICES = 4 };
void cuda_emulation_set_devices(int count);
void cuda_emulation_set_memory(int64_t bytes); /* of each device; 2^30 at first */
/* Sets the bytes of one device, and its compute capability, as below for all. */
void cuda_emulation_set_device(int device, int64_t bytes, int capability);
void cuda_emulation_set_pools(int supported); /* do devices have memory pools? 1 at first */

/* Events then show the sum of what `milliseconds` says of each kernel that ran, by the function
 * that launched it, as __PRETTY_FUNCTION__ there, with the values of template arguments, or
 * "cuFFT"; NULL, at first: the time that has passed. */
void cuda_emulation_set_cost(double (*milliseconds)(const char *from));

/* What cudaGetDeviceProperties says; not copied. */
void cuda_emulation_set_device_name(const char *name);

/* The compute capability that it says, 10 major + minor; 90 at first. */
void cuda_emulation_set_capability(int capability);

/* The compute capability that all kernels were compiled for, as PTX of which each device makes its
 * own code; 0, at first: each device's own. What a kernel leaves out there is a trap. */
void cuda_emulation_set_target(int capability);

/* Operations in single for one in double precision, as cudaDeviceGetAttribute says; 2 at first. */
void cuda_emulation_set_precision_ratio(int ratio);

/* Is device memory opened and closed by protection keys? Where the processor has them, unless
 * ARMILLA_EMULATION_KEYS=0 is in the environment; else by a system call for each allocation. */
int cuda_emulation_has_keys(void);

/* Mappings of the process, lines of /proc/self/maps; -1: unknown. An allocation is two, and none
 * when it is freed. */
int64_t cuda_emulation_mappings(void);

int64_t cuda_emulation_live_bytes(void); /* device memory that is allocated now */
int64_t cuda_emulation_pool_bytes(void); /* what all pools have reserved, used or not */
int64_t cuda_emulation_pools(void);      /* that exist, but the devices' own ones */
/* How often a pool made a stream wait for another one, to reuse its memory, since the last call. */
int64_t cuda_emulation_dependencies(void);
int64_t cuda_emulation_most_bytes(void); /* the most at any time since the last call */
int64_t cuda_emulation_launches(void);   /* kernels and cuFFT calls since the last call */
/* Copies between the host's and a device's memory that were asked for since the last call. */
int64_t cuda_emulation_crossings(void);
int64_t cuda_emulation_fft_plans(void); /* of cuFFT that are made and not destroyed */
/* cuFFT has no memory for plans of more rows than so many; 0, at first: it has for all. */
void cuda_emulation_set_fft_rows(int64_t most);
/* Bytes of what cuFFT has transformed since the last call, each number read and written once. */
int64_t cuda_emulation_fft_bytes(void);

/* --- The recorder ----------------------------------------------------------------------------
 * Where kernels are compiled for it (armilla_cuda_recorded in tests/cuda.cmake): who reads and
 * writes what. The rules are in recorder_races.cpp and recorder_requests.cpp. */

/* What is recorded of launches from now on; nothing at first. */
enum { CUDA_EMULATION_RACES = 1, CUDA_EMULATION_REQUESTS = 2, CUDA_EMULATION_BOTH = 3 };
void cuda_emulation_record(int what);

/* Races found since the last call, each printed with kernel, lines and threads when it is found;
 * once for two lines of a kernel. */
int64_t cuda_emulation_races(void);

/* Looks for races as if the __syncthreads() there were none; threads still wait for each other.
 * What is found is what would be without it, since races do not depend on who runs first. line 0:
 * none. Returned: how often a block has met at the one before. */
int64_t cuda_emulation_ignore_barrier(const char *file, int line);

/* Nonzero: how many functions the program has that are this kernel, its variants; `missed` is
 * called for each that was never recorded. */
int cuda_emulation_recorded(const char *kernel, void (*missed)(const char *function));

/* What one instruction of a kernel has asked of memory so far. */
typedef struct cuda_emulation_access {
    const char *kernel; /* with .single in single precision */
    const char *file;
    int line, is_write, is_shared;
    int64_t requests;  /* of warps */
    int64_t asked;     /* bytes, of shared memory those of all lanes together */
    int64_t moved;     /* bytes of global memory */
    int64_t conflicts; /* of shared memory: cycles beyond those that there have to be */
} cuda_emulation_access;
void cuda_emulation_each_access(void (*see)(const cuda_emulation_access *, void *), void *context);
void cuda_emulation_forget_accesses(void);

/* Bytes of global memory that recorded launches have moved since the last call. Of a grid of which
 * some blocks run (cuda_emulation_set_blocks), those of the others are taken to be as many. */
double cuda_emulation_moved_bytes(void);

/* Runs some `most` blocks of each larger grid alone, spread over it, and rows of cuFFT, to look at
 * accesses of large transforms; what the others would have written is missing. 0 at first: all. */
void cuda_emulation_set_blocks(int64_t most);

#ifdef __cplusplus
}
#endif
#endif
