/* Where transforms run: on the processor, or on an NVIDIA GPU. None of this has run on a real GPU
 * yet, only on an emulated one (docs/gpu.md).
 *
 * A plan made with options->device = ARMILLA_CUDA (armilla/sht.h) belongs to the GPU that is the
 * calling thread's current device at that moment (cudaSetDevice). Its calls take arrays in the
 * memory of the host or of the device. Host arrays are copied to the device and back, and the call
 * returns when the result has arrived. With device arrays alone nothing is copied and nothing is
 * waited for: the call puts its work on exec->stream and returns; errors of the GPU itself then
 * show in a later call.
 *
 * Several GPUs: options->devices lists their numbers. The plan has its tables on each of them, and
 * the transforms of a call (exec->ntrans), neighbours to the same GPU, are dealt out among them; a
 * call of fewer transforms than GPUs uses the first ones of the list. Arrays are in host memory
 * (managed memory counts as such), exec->stream is NULL, and a call waits for all GPUs, of which
 * each has a stream and a thread of the host. Kernels have the shape and the precision that are
 * chosen for the first GPU, so that results have the bits of that GPU alone, as far as the GPUs
 * themselves agree on them. If one of them fails, the call waits for the others and returns the
 * error, which names it; the output is then undefined. exec->progress is called by the calling
 * thread. A list of one GPU is a plan on that one, with all that such plans offer.
 *
 * Delegation: vector fields, complex fields, solid harmonics and values at points without a plan
 * are not offered on a GPU, nor are points, lensing and radial convolutions over ranks with GPUs.
 * With options->delegate, plans for them may have options->device = ARMILLA_CUDA all the same: the
 * host runs their calls, or the hosts of all ranks do, with the bits that they have without a GPU.
 * A call waits for exec->stream, copies
 * arrays that are in the GPU's memory to memory of the host, which describe does not count, copies
 * the result back, and waits for that; arrays of the host are used where they are. After an error
 * the output is as it was, unless the GPU failed while the result was copied back. Such a call
 * cannot be captured. Points, deflections, weights of pixels and reports are in host memory.
 * describe calls the backend "by the host", explain has the choice "place" (not over ranks).
 *
 * Plans over ranks (armilla/distributed.h) say which GPU each rank has, and their calls wait for
 * it.
 *
 * A stream that is being captured for a CUDA graph gets the work of such a call, and each launch of
 * the graph does it again. Host arrays and exec->progress are UNSUPPORTED during capture, and so
 * are GPUs without memory pools, because such calls have to wait; nothing is captured then. The
 * plan must outlive the graph, and should have run once before, so that the driver has loaded its
 * kernels.
 *
 * Memory of calls comes from one pool per GPU for the whole process. Memory that calls have given
 * back stays in the pool for later calls of any plan, up to the largest amount that simultaneous
 * calls have needed at one time. It is returned to the GPU when the last plan on it is freed, or
 * when a call or a plan is short of memory.
 *
 * The application's last CUDA error (cudaGetLastError) stays as it was unless one of the library's
 * own CUDA calls fails, since CUDA keeps one error per thread. An error of the library is reported
 * and does not stay. Plans may be freed with any device current.
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

/* How a plan chooses the shape of its kernels on a GPU, that is, how many ring pairs a thread has
 * and how many warps a block of threads has. The results of two shapes differ by rounding; one
 * shape gives the same bits from run to run. */
typedef enum armilla_device_tune {
    ARMILLA_DEVICE_TUNE_TABLE = 0,   /* by the number of rings; measures nothing */
    ARMILLA_DEVICE_TUNE_MEASURE = 1, /* the fastest: the first plan of a process for a kind of GPU,
                                       a kind of spin and an octave of lmax and of rings makes plans
                                       of all shapes and times a synthesis and its adjoint, with
                                       arrays of its own on the GPU; further ones take that choice.
                                       armilla_sht_describe names it: another process that gives
                                       options->device_shape that name gets the same bits */
    ARMILLA_DEVICE_TUNE_MEASURE_MANY = 2 /* likewise, with calls of eight transforms (exec->ntrans),
                                            or of 4, 2, 1 whose arrays have room on the GPU: for
                                            plans whose calls have many. Choices are kept apart */
} armilla_device_tune;

/* The precision in which a plan on a GPU computes Legendre functions and their sums, and, in calls
 * with floats, the transforms of rings. All else is in double precision; so are functions of spin s
 * that have their own recurrence (spin 1 to 3 next to the poles, other spins everywhere).
 *
 * SINGLE changes calls with floats (armilla_sht_synthesis_float and so on): the recurrence is in
 * two floats and the sums are in one; errors were some 1e-6 of the largest value on the emulated
 * GPU. TWO_FLOATS changes calls with doubles too: the recurrence and the sums are in two floats
 * each, some 45 bits, except next to the equator and the poles, where doubles stay; errors are at
 * most 2e-12 (1 + lmax / 1000) of the largest value, 1e-11 at lmax 4095. Consumer GPUs do 32 to 64
 * operations in single precision for one in double, so both should be many times faster there, but
 * none has been timed (docs/gpu.md).
 *
 * HALVES changes calls with floats, of five and more scalar transforms, or of three and more of
 * spin 1 to 3, that go together: functions are made in double precision, and sums of 16 transforms
 * at once by tensor cores, each number as two halves of 11 bits. The rms of errors is at most 1e-6
 * of that of a map, and of that of a degree's coefficients where the map is white (3e-7 measured at
 * lmax 1279); single pixels err by up to ten times as much. Calls with fewer of them have functions
 * in double precision, and rings in floats. So bits depend on how many go together, which memory,
 * the place of arrays and several GPUs decide. */
typedef enum armilla_device_precision {
    ARMILLA_DEVICE_PRECISION_AUTO = 0,   /* TWO_FLOATS where it is possible and the GPU does 16
                                            or more operations in single precision in the time of
                                            one in double; SINGLE above lmax 16383 */
    ARMILLA_DEVICE_PRECISION_DOUBLE = 1, /* calls of floats as calls of doubles, to rounding */
    ARMILLA_DEVICE_PRECISION_SINGLE =
        2, /* UNSUPPORTED where all functions have their own recurrence, and above lmax 65535 */
    ARMILLA_DEVICE_PRECISION_TWO_FLOATS = 3, /* SINGLE, and calls of doubles in two floats;
                                                UNSUPPORTED as SINGLE, and above lmax 16383 */
    ARMILLA_DEVICE_PRECISION_HALVES = 4 /* UNSUPPORTED as TWO_FLOATS, over ranks, and on other GPUs
                                           than those of compute capability 8.0 and 9.0 */
} armilla_device_precision;

/* Names of the shapes, from number 0 on: "v4w4" has up to four ring pairs a thread and four warps a
 * block, "v4w4t" tensor cores too (docs/gpu.md). NULL after the last one, and without CUDA. */
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
