/* The parts of the emulation among themselves. */
#ifndef ARMILLA_CUDA_EMULATION_MACHINE_H
#define ARMILLA_CUDA_EMULATION_MACHINE_H

#include "cuda_runtime.h"
#include "emulation.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace emulation
{
struct recording;

/* A place in the sequence of a stream. */
struct mark {
    struct CUstream_st *stream;
    bool reached = false;
};
} // namespace emulation

struct CUevent_st {
    /* The last record, perhaps null. A wait means the one before it, whatever is recorded later. */
    std::shared_ptr<emulation::mark> last;
    double time = 0; /* milliseconds */
    int device = 0;
    std::shared_ptr<emulation::recording> capture; /* recorded on a stream that was captured */
};

struct CUstream_st {
    /* Work, and the mark before which it must not begin, perhaps null. */
    struct queued {
        std::function<void()> work;
        std::shared_ptr<emulation::mark> after;
    };
    std::deque<queued> waiting;
    bool blocking = true; /* meets the default stream */
    bool busy = false;
    int device = 0;
    std::shared_ptr<emulation::recording> capture;
};

namespace emulation
{
/* Prints what is wrong, with kernel, block and thread if one runs, and ends the process. */
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the process with the name of a system call that was not done, and the system's reason. */
void check_call(bool done, const char *call);

/* One for everything: calls of several threads of the host go one after the other. */
extern std::recursive_mutex everything;
typedef std::lock_guard<std::recursive_mutex> guard;

/* --- Errors and options (runtime.cpp) -------------------------------------------------------- */

cudaError_t report(cudaError_t error); /* keeps it for cudaGetLastError */
bool call_fails();                     /* by cuda_emulation_fail_call_after */
bool allocation_fails();
bool wait_is_left_out(); /* by cuda_emulation_leave_out_wait_after */

/* --- Devices (device.cpp) -------------------------------------------------------------------- */

cudaError_t device_error(); /* no device: the error that says so */
int current_device();       /* of the calling thread */
bool is_device(int device);
bool pools_supported();
void set_capability(int device, int capability);
int capability_of(int device);
int target_of(int device);                     /* what kernels that it runs were compiled for */
extern const size_t shared_plain, shared_most; /* bytes of shared memory of a launch */

/* --- Sequences (order.cpp) ------------------------------------------------------------------- */

/* 0 .. count - 1 as the order wants it; a new one at each call where it is random. */
void make_sequence(int64_t count, std::vector<int64_t> &sequence);
void renew_sequence(int64_t count, std::vector<int64_t> &sequence); /* of make_sequence, if so */

/* --- Pages (pages.cpp) ----------------------------------------------------------------------- */

/* Calls that fail end the process, but for new_pages. access: PROT_NONE, PROT_READ | PROT_WRITE. */
size_t page_size();
size_t whole_pages(size_t bytes); /* that hold so many bytes, in bytes */
/* Null: there is no memory, or there are no addresses. */
char *new_pages(size_t bytes, int access, int flags = 0);
/* As new pages there: what they held, their file, their key and their history are gone, so that
 * they are one mapping with neighbours of the same access and flags. */
void renew_pages(char *pages, size_t bytes, int access, int flags = 0);
void map_file(char *pages, size_t bytes, int access, int file);
void protect_pages(char *pages, size_t bytes, int access);
void protect_pages_by_key(char *pages, size_t bytes, int access, int key);
void unmap_pages(char *pages, size_t bytes);

/* Protection keys open and close all pages that have them, for the calling thread only. */
int new_key(); /* closed; -1: the processor or its kernel has none, or none is left */
void free_key(int key);
void set_key(int key, bool open);

/* --- Fibers (fiber.cpp) ---------------------------------------------------------------------- */

struct fiber {
    void *stack_pointer = nullptr; /* while it does not run */
    char *stack = nullptr;         /* lowest address; a guard page lies below */
    void *fake_stack = nullptr;    /* AddressSanitizer's */
    const void *bottom = nullptr;  /* for it: the host's stack */
    size_t bytes = 0;
    void *context = nullptr; /* where there is no change of our own */
};
extern fiber host_side; /* who launches */

/* A stack for fiber `number`; entry must never return. */
void prepare(fiber &which, int number, void (*entry)());
void arrive(fiber &which);           /* first act of the entry */
void change(fiber &from, fiber &to); /* returns when somebody changes back to `from` */

/* --- Blocks (block.cpp) ---------------------------------------------------------------------- */

void run_grid(const launch &what, const std::function<void()> &thread);
/* From one of so many blocks, or rows of cuFFT, that runs to the next. */
int64_t distance_of_blocks(int64_t count);

/* What runs now: "kernel NAME, block (x, y, z), thread (x, y, z)", or "" on the host. */
const char *running();
bool is_shared_address(const void *address);

/* --- Planted faults (planted.cpp) ------------------------------------------------------------- */

/* What ARMILLA_EMULATION_PLANT of the environment says about kernels whose name it holds:
 * "skip:NAME" leaves out the last block of each launch, "fail:NAME" makes launches fail,
 * "stop:NAME" and "kill:NAME" send the process SIGSTOP or SIGKILL when one is launched. */
bool plant_skips(const char *name);
bool plant_fails(const char *name); /* stops and kills, too */

/* --- Observers (runtime.cpp) ------------------------------------------------------------------ */

/* Who is told of each kernel that runs, while device memory is open. arguments: their bytes. */
struct observer {
    virtual void before(const launch &what, const std::vector<std::vector<char>> &arguments) = 0;
    virtual void after(const launch &what) = 0;

  protected:
    ~observer() = default;
};
void observe(observer *who); /* null, at first: nobody */

/* --- Device memory (memory.cpp) -------------------------------------------------------------- */

/* The memory of a device, and what the host shares with all, is open while the object lives:
 * kernels, copies. Elsewhere every access to device memory faults. */
struct open_memory {
    const int device;
    explicit open_memory(int of_device);
    ~open_memory();
    open_memory(const open_memory &) = delete;
    open_memory &operator=(const open_memory &) = delete;
};

bool is_device_address(const void *address); /* allocated or not */
bool is_allocated(const void *address, size_t bytes);
/* Where an address lies in its allocation, and how large that is; 0 and 0: in none. */
size_t offset_in_allocation(const void *address, size_t *size);
bool is_host_memory(const void *address); /* mapped, and not the device's */
int device_of(const void *address);       /* -1: not allocated device memory */
bool is_seen_by_all(const void *address); /* the host's memory, at a device's address */
/* Calls the function with each allocation that kernels of the device can reach. */
void for_allocations(int device, const std::function<void(const char *address, size_t bytes)> &see);
/* Ends the process if the address is memory of another device; `who` does what with it. */
void check_device_of(const void *address, int device, const char *who, const char *what);
void watch_faults();

/* Blocks of device memory. pool: the bytes are the pool's, and it keeps them. Null: no addresses.
 */
char *allocate(int device, size_t size, cudaMemPool_t pool);
char *alias(int device, int file, size_t size); /* a file's pages, in the device's addresses */
void release(char *address);
bool is_block(const void *address);
cudaMemPool_t pool_of(const void *address);
size_t size_of(const void *address);
int64_t bytes_of(int device); /* that it has */
int64_t room_of(int device);  /* bytes that are neither allocated nor reserved by a pool */

/* --- Pools (pool.cpp) ------------------------------------------------------------------------ */

int64_t reserved_bytes(int device); /* by all pools of it */
void return_to_pool(char *address); /* a block that nobody uses any more */
void settle_pools(int device);      /* when somebody has waited */
/* Memory of cudaMallocAsync is there from that place of its stream on: before it, work that uses
 * the memory ends the process; `who` does what with it. */
void check_reached(const void *address, const char *who, const char *what);
bool is_unreached(const void *address);

/* --- Host memory that the device sees (pinned.cpp) -------------------------------------------- */

bool is_managed(const void *address, size_t bytes);
bool is_pinned(const void *address, size_t bytes);
/* Fills *attributes if the address is of such memory. */
bool pinned_attributes(const void *address, struct cudaPointerAttributes *attributes);
bool free_managed(void *address);

/* --- Streams (stream.cpp) -------------------------------------------------------------------- */

/* Runs it now, or keeps it for later if the streams are deferred; it waits for the mark, if there
 * is one. Null: no such stream. */
cudaError_t put(cudaStream_t stream, const std::function<void()> &work,
                const std::shared_ptr<mark> &after = nullptr);
/* As put, on the default stream, but it waits in any case. */
cudaError_t put_late(const std::function<void()> &work);
/* The work of a stream, up to the mark if there is one. */
void drain(cudaStream_t stream, const mark *until = nullptr);
void reach(const std::shared_ptr<mark> &mark); /* waits for it; perhaps null */
double milliseconds_now();
void drain_all(); /* what waits on every stream */
void drain_device(int device);
void count_launch(const char *from);
const std::set<cudaStream_t> &all_streams();
cudaStream_t find_stream(cudaStream_t stream); /* null: no such stream */

/* --- Captures (capture.cpp) ------------------------------------------------------------------ */

/* What was put on captured streams, in that sequence, and the memory that it allocates. */
struct recording {
    std::vector<std::function<void()>> work;
    std::vector<char *> memory;
    bool broken = false;
    cudaStream_t origin = nullptr;
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread;
    ~recording();
};

cudaError_t break_capture(cudaStream_t stream);  /* by a call that waits for it */
cudaError_t check_unsafe();                      /* calls that no capture allows anywhere */
cudaError_t check_implicit(cudaStream_t stream); /* the default stream would wait for a capture */
cudaError_t capture_memory(cudaStream_t stream, int device, size_t size, void **pointer);
cudaError_t capture_free(cudaStream_t stream, void *pointer);
} // namespace emulation

#endif
