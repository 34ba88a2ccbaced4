/* Where transforms run: on the processor, or on an NVIDIA GPU. Nothing of this has run on a real
 * GPU yet, only on an emulated one (docs/gpu.md).
 *
 * A plan made with options->device = ARMILLA_CUDA (armilla/sht.h) belongs to the GPU that is the
 * calling thread's current device then (cudaSetDevice). Its calls take arrays of the host or of the
 * device. Host arrays are copied there and back, and the call returns when the result is there.
 * With device arrays alone nothing is copied and nothing waited for: the call puts its work on
 * exec->stream and returns; errors of the GPU itself then show in a later call.
 *
 * Plans over ranks (armilla/distributed.h) say themselves which GPU each rank has, and their calls
 * wait for it.
 *
 * A stream that is being captured for a CUDA graph gets the work of such a call, and each launch of
 * the graph does it again. Host arrays and exec->progress are UNSUPPORTED there, and so are GPUs
 * without memory pools: those calls wait. Nothing is captured then. The plan must outlive the
 * graph, and should have run once before, so that the driver has loaded its kernels.
 *
 * Memory of calls comes from one pool per GPU for the whole process. What calls have given back
 * stays there for the next ones of any plan: as much as calls side by side have needed at one time.
 * It goes back to the GPU when the last plan on it is freed, or when a call or a plan is short of
 * memory.
 *
 * The application's last error of CUDA (cudaGetLastError) stays as it was, unless a call of ours to
 * CUDA fails: CUDA has one per thread. An error of ours is reported and does not stay. Plans may be
 * freed with any device current.
 *
 * Thread rule: all functions may be called from any thread. */
#ifndef ARMILLA_DEVICE_H
#define ARMILLA_DEVICE_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum armilla_device { ARMILLA_CPU = 0, ARMILLA_CUDA = 1 } armilla_device;

/* Where the arrays of a call are. */
typedef enum armilla_memory {
    ARMILLA_MEMORY_ASK = 0,   /* the driver is asked, for each array by itself */
    ARMILLA_MEMORY_HOST = 1,  /* all in host memory */
    ARMILLA_MEMORY_DEVICE = 2 /* all where the GPU can read and write: device, managed, pinned or
                                 registered (cudaHostRegister) */
} armilla_memory;

/* How a plan chooses the shape of its kernels on a GPU: how many ring pairs a thread and how many
 * warps a block of threads have. Results of two shapes differ by rounding, those of one are the
 * same bits from run to run. */
typedef enum armilla_device_tune {
    ARMILLA_DEVICE_TUNE_TABLE = 0,  /* by the number of rings; measures nothing */
    ARMILLA_DEVICE_TUNE_MEASURE = 1 /* the fastest: the first plan of a process for a kind of GPU,
                                       a kind of spin and an octave of lmax and of rings makes plans
                                       of all shapes and times a synthesis and its adjoint, with
                                       arrays of its own on the GPU; further ones take that choice.
                                       armilla_sht_describe names it: another process that gives
                                       options->device_shape that name gets the same bits */
} armilla_device_tune;

/* In which precision a plan on a GPU makes Legendre functions and their sums in calls of floats
 * (armilla_sht_synthesis_float and so on). Calls of doubles, and all other stages, are in double
 * precision always; so are functions of spin s by their own recurrence (spin 1 to 3 next to the
 * poles, other spins everywhere). SINGLE carries the recurrence in two floats, sums in one: errors
 * of some 1e-6 of the largest value on the emulated GPU. GPUs for consumers make 32 to 64
 * operations in single precision for one in double: it should be many times faster there, but none
 * has been timed (docs/gpu.md). */
typedef enum armilla_device_precision {
    ARMILLA_DEVICE_PRECISION_AUTO = 0,   /* SINGLE where it can be and the GPU makes 16 operations
                                            in single precision, or more, for one in double */
    ARMILLA_DEVICE_PRECISION_DOUBLE = 1, /* as calls of doubles */
    ARMILLA_DEVICE_PRECISION_SINGLE = 2  /* UNSUPPORTED where all functions are by their own
                                            recurrence, and above lmax 65535 */
} armilla_device_precision;

/* Names of the shapes, from number 0 on: "v4w4" has threads of up to four ring pairs, blocks of up
 * to four warps. NULL behind the last one, and without CUDA. */
ARMILLA_API const char *armilla_device_shape_name(int64_t number);

typedef struct armilla_device_description {
    size_t size;          /* sizeof(armilla_device_description), set by the caller */
    char name[128];       /* "NVIDIA H100 80GB HBM3" */
    int64_t memory_bytes; /* of the device */
    int64_t free_bytes;   /* now */
    int64_t multiprocessors;
    int64_t compute_capability; /* 10 major + minor: 90 */
    int64_t driver_version;     /* of CUDA, 1000 major + 10 minor: 13000 */
    int64_t runtime_version;    /* of the library's CUDA runtime, likewise */
} armilla_device_description;

/* The calling thread's current GPU.
 * Given:    device  ARMILLA_CUDA;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size.
 * Errors:   ARGUMENT; UNSUPPORTED: the library was built without CUDA, there is no driver, no
 *           device, or none that this library's kernels run on. The message says which. */
ARMILLA_API armilla_status armilla_device_describe(armilla_device device,
                                                   armilla_device_description *description);

#ifdef __cplusplus
}
#endif
#endif
