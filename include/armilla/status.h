/* What every call reports: a status code, and for errors a thread-local sentence with the details.
 * Also the version, instruction sets and threads of this build and machine.
 * Thread rule for the whole library: objects are immutable once they are made; any call may run in
 * any thread.
 * Structs that begin with their size may grow: armilla_..._init(&x), a macro, fills as much as the
 * caller's header knows (armilla_..._init_sized(&x, size) for languages without macros); calls take
 * structs of older headers and refuse structs of newer ones by name. */
#ifndef ARMILLA_STATUS_H
#define ARMILLA_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define ARMILLA_API __declspec(dllexport)
#elif defined(__GNUC__)
#define ARMILLA_API __attribute__((visibility("default")))
#else
#define ARMILLA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Result of every call that can fail. With anything but ARMILLA_OK the outputs are untouched,
 * unless the call says otherwise (ARMILLA_ERROR_CANCELLED). */
typedef enum armilla_status {
    ARMILLA_OK = 0,
    ARMILLA_ERROR_ARGUMENT =
        1, /* an argument is out of its range; the message names it and its value */
    ARMILLA_ERROR_MEMORY = 2, /* an allocation failed; the message gives the number of bytes */
    ARMILLA_ERROR_IO = 3,     /* the operating system refused a file operation */
    ARMILLA_ERROR_FORMAT =
        4, /* a file is not what it should be: foreign, truncated, contradictory */
    ARMILLA_ERROR_UNSUPPORTED = 5, /* valid, but not built in or not supported (by this machine) */
    ARMILLA_ERROR_CANCELLED = 6,   /* the progress callback asked to stop */
    ARMILLA_ERROR_INTERNAL = 7,    /* a defect of the library */
    ARMILLA_ERROR_TRANSPORT = 8    /* messages between ranks failed (armilla/transport.h) */
} armilla_status;

/* Given:    status  any status code.
 * Returned: a static English name such as "invalid argument"; never NULL. */
ARMILLA_API const char *armilla_status_name(armilla_status status);

/* Returned: details of the last error of the calling thread ("" if none), for example
 *           "nside = 0: must be at least 1". Valid until the thread's next failing call. */
ARMILLA_API const char *armilla_status_message(void);

/* Records an error for the calling thread; for code on top of the library, such as transports.
 * Given:    status  which is returned;  message  copied, up to 500 characters; NULL: "". */
ARMILLA_API armilla_status armilla_status_record(armilla_status status, const char *message);

/* Returned: errno of the file operation that failed, where the thread's last error was one
 * (ARMILLA_ERROR_IO): ENOENT for a file that is missing, EEXIST for one that may not be replaced;
 * else 0. */
ARMILLA_API int armilla_status_errno(void);

/* Progress of a long call. fraction runs from 0 to 1; the function is called from one thread at a
 * time, at most some twenty times a second, or forty times in iterations. A child process that is
 * forked in it must not return from it. Return 0 to go on, anything else to stop with
 * ARMILLA_ERROR_CANCELLED. */
typedef int (*armilla_progress_fn)(void *data, double fraction);

/* Returned: version of the library that runs, such as "0.2.0". */
ARMILLA_API const char *armilla_version(void);

/* Returned: the licence of the library that runs, "BSD-3-Clause"; where it was built with
 * ARMILLA_FFT=fftw, also that FFTW, which it uses, is under the GPL. Static. */
ARMILLA_API const char *armilla_licence(void);

/* Returned: the instruction set the kernels use on this machine: "scalar", "sse2", "avx2", "avx512"
 * or "neon". The environment variable ARMILLA_ISA, read when a plan is made, forces one; if it
 * names none that can run here, this function returns "scalar", and plans that do not name a set
 * are refused. */
ARMILLA_API const char *armilla_isa_name(void);

/* Given:    index  0, 1, 2, ...
 * Returned: name of the index-th instruction set that is built in and that this machine can run,
 * from the plainest to the best; NULL past the end. */
ARMILLA_API const char *armilla_isa_available(int index);

/* Returned: the number of threads that nthreads = 0 means: the environment's ARMILLA_NUM_THREADS,
 * else OMP_NUM_THREADS (the first number of a list), both read once per process; else the hardware
 * threads available to the process: its affinity, or less where a container's quota (cgroup v2,
 * /sys/fs/cgroup/cpu.max) allows less. */
ARMILLA_API int armilla_thread_count(void);

#ifdef __cplusplus
}
#endif
#endif
