/* The parts of the emulation among themselves. */
#ifndef ARMILLA_CUDA_EMULATION_MACHINE_H
#define ARMILLA_CUDA_EMULATION_MACHINE_H

#include "cuda_runtime.h"
#include "emulation.h"

#include <functional>
#include <mutex>
#include <vector>

namespace emulation
{
/* Prints what is wrong, with kernel, block and thread if one runs, and ends the process. */
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One for everything: calls of several threads of the host go one after the other. */
extern std::recursive_mutex everything;
typedef std::lock_guard<std::recursive_mutex> guard;

/* --- Errors and options (runtime.cpp) -------------------------------------------------------- */

cudaError_t report(cudaError_t error); /* keeps it for cudaGetLastError */
bool call_fails();                     /* by cuda_emulation_fail_call_after */
bool allocation_fails();
cudaError_t device_error(); /* no device: the error that says so */

/* --- Sequences (order.cpp) ------------------------------------------------------------------- */

/* 0 .. count - 1 as the order wants it; a new one at each call where it is random. */
void make_sequence(int64_t count, std::vector<int64_t> &sequence);

/* --- Fibers (fiber.cpp) ---------------------------------------------------------------------- */

struct fiber {
    void *stack_pointer = nullptr; /* of the side that does not run */
    char *stack = nullptr;         /* lowest address; a guard page lies below */
    void *fake_stack = nullptr;    /* AddressSanitizer's */
    void *context = nullptr;       /* where there is no switch of our own */
};

/* Stacks stay for the next block; entry must not return but end with leave(..., true). */
void prepare(fiber &which, void (*entry)());
void enter(fiber &which);             /* from the host; returns when the fiber leaves */
void arrive(fiber &which);            /* first act of the entry */
void leave(fiber &which, bool ended); /* from the fiber to the host */

/* --- Blocks (block.cpp) ---------------------------------------------------------------------- */

void run_grid(const launch &what, const std::function<void()> &thread);

/* What runs now: "kernel NAME, block (x, y, z), thread (x, y, z)", or "" on the host. */
const char *running();
bool is_shared_address(const void *address);

/* --- Planted faults (planted.cpp) ------------------------------------------------------------- */

/* What ARMILLA_EMULATION_PLANT of the environment says about kernels whose name it holds:
 * "skip:NAME" leaves out the last block of each launch, "fail:NAME" makes launches fail,
 * "stop:NAME" and "kill:NAME" send the process SIGSTOP or SIGKILL when one is launched. */
bool plant_skips(const char *name);
bool plant_fails(const char *name); /* stops and kills, too */

/* --- Device memory (memory.cpp) -------------------------------------------------------------- */

/* Open while the object lives: kernels, copies. Elsewhere every access to device memory faults. */
struct open_memory {
    open_memory();
    ~open_memory();
};

bool is_device_address(const void *address); /* allocated or not */
bool is_allocated(const void *address, size_t bytes);
bool is_host_memory(const void *address); /* mapped, and not the device's */
void watch_faults();

/* --- Streams (stream.cpp) -------------------------------------------------------------------- */

/* Runs it now, or keeps it for later if the streams are deferred. Null: no such stream. */
cudaError_t put(cudaStream_t stream, const std::function<void()> &work);
void drain_all(); /* what waits on every stream */
void count_launch(const char *from);
} // namespace emulation

#endif
