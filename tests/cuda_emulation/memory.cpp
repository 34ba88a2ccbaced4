/* Device memory: a stretch of addresses of its own, closed to everybody but kernels and copies.
 *
 *   | closed page | slack | allocation | closed page | ...
 *                         ^ 256 bytes aligned, as CUDA's; it ends with its page if its size is a
 *                           multiple of 256, else within 255 bytes. These are looked at after
 *                           each launch and copy: a kernel that writes there is reported
 *
 * Fresh memory is all ones: not-a-number, or -1. Freed memory stays closed until the addresses have
 * been round once. */
#include "machine.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace emulation
{
static const size_t arena_bytes = (size_t)1 << 36;
static const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
static const size_t alignment = 256;

struct block {
    char *pages;
    size_t page_count_bytes, size;
};

static char *arena, *cursor;
static std::map<char *, block> live; /* by the address that the caller has */
static int64_t live_bytes, most_bytes, memory_bytes = (int64_t)1 << 30;
static int open_count;

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void make_arena()
{
    if (arena) return;
    void *memory =
        mmap(nullptr, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("no addresses for device memory");
    arena = reinterpret_cast<char *>(round_up((size_t)memory, page_bytes));
    cursor = arena;
}

static char *arena_end()
{
    return arena + arena_bytes - 2 * page_bytes;
}

/* --- Faults ---------------------------------------------------------------------------------- */

static struct sigaction before_segv, before_bus;

static const char *kind_of(const char *address)
{
    for (const auto &item : live) {
        const block &b = item.second;
        if (address < b.pages - page_bytes || address >= b.pages + b.page_count_bytes + page_bytes)
            continue;
        if (address < b.pages) return "device memory before the start of an allocation";
        if (address >= b.pages + b.page_count_bytes)
            return "device memory beyond the end of an allocation";
        return "allocated device memory";
    }
    return "device memory that is not allocated (any more)";
}

/* The process is about to end: what is not allowed in a handler may be done. */
static void on_fault(int signal, siginfo_t *info, void *)
{
    const char *address = static_cast<const char *>(info->si_addr);
    if (is_device_address(address))
        fail("%s at %p: %s", *running() ? "access" : "the host reads or writes device memory",
             static_cast<const void *>(address), kind_of(address));
    if (*running() && is_shared_address(address))
        fail("access to shared memory that the launch did not ask for, at %p",
             static_cast<const void *>(address));
    if (*running()) fail("access to no memory at all at %p", static_cast<const void *>(address));
    sigaction(signal, signal == SIGSEGV ? &before_segv : &before_bus, nullptr);
}

static void watch(int signal, struct sigaction *before)
{
    struct sigaction now, ours;
    sigaction(signal, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return;
    *before = now;
    std::memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
}

/* An overflow of a fiber's stack leaves no stack for the handler but this one, which stays. */
static void make_signal_stack()
{
    static thread_local void *kept; /* so that nobody takes it for lost */
    stack_t stack;
    if (sigaltstack(nullptr, &stack) || !(stack.ss_flags & SS_DISABLE)) return;
    std::memset(&stack, 0, sizeof stack);
    stack.ss_size = 65536;
    stack.ss_sp = kept = malloc(stack.ss_size);
    if (stack.ss_sp) sigaltstack(&stack, nullptr);
}

/* Test frameworks put their own handlers in place before each test, hence again and again. */
void watch_faults()
{
    make_signal_stack();
    watch(SIGSEGV, &before_segv);
    watch(SIGBUS, &before_bus);
}

/* --- Addresses ------------------------------------------------------------------------------- */

bool is_device_address(const void *address)
{
    const char *p = static_cast<const char *>(address);
    return arena && p >= arena && p < arena + arena_bytes;
}

bool is_allocated(const void *address, size_t bytes)
{
    char *p = static_cast<char *>(const_cast<void *>(address));
    auto next = live.upper_bound(p);
    if (next == live.begin()) return false;
    --next;
    return p + bytes <= next->first + next->second.size && (bytes || p == next->first);
}

size_t offset_in_allocation(const void *address, size_t *size)
{
    char *p = static_cast<char *>(const_cast<void *>(address));
    const auto next = live.upper_bound(p);
    *size = next == live.begin() ? 0 : std::prev(next)->second.size;
    return *size ? (size_t)(p - std::prev(next)->first) : 0;
}

bool is_host_memory(const void *address)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), value = (size_t)address;
    unsigned char unused;
    if (value < 65536 || value >> 47 || is_device_address(address)) return false;
    return mincore(reinterpret_cast<void *>(value / page * page), 1, &unused) == 0;
}

/* --- Open and closed ------------------------------------------------------------------------- */

/* Where the processor has protection keys, all blocks share one, which opens and closes them at
 * once, for the calling thread alone. A system call for each block took a third of a test's time.
 */
static int protection_key()
{
    static const int key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    return key;
}

static void close_pages(const block &b)
{
    mprotect(b.pages, b.page_count_bytes, PROT_NONE);
}

static void open_pages(const block &b)
{
    if (protection_key() < 0)
        mprotect(b.pages, b.page_count_bytes, PROT_READ | PROT_WRITE);
    else
        pkey_mprotect(b.pages, b.page_count_bytes, PROT_READ | PROT_WRITE, protection_key());
}

static void open_all()
{
    if (protection_key() >= 0) {
        pkey_set(protection_key(), 0);
        return;
    }
    for (const auto &item : live) open_pages(item.second);
}

static void close_all()
{
    if (protection_key() >= 0) {
        pkey_set(protection_key(), PKEY_DISABLE_ACCESS);
        return;
    }
    for (const auto &item : live) close_pages(item.second);
}

static bool is_untouched(const char *from, const char *end)
{
    static const std::vector<unsigned char> ones(page_bytes, 0xff);
    for (; from < end; from += page_bytes)
        if (std::memcmp(from, ones.data(), std::min(page_bytes, (size_t)(end - from))))
            return false;
    return true;
}

/* What lies around an allocation in its own pages must stay as it was. */
static void check_slack(const char *address, const block &b)
{
    const char *end = b.pages + b.page_count_bytes;
    if (is_untouched(b.pages, address) && is_untouched(address + b.size, end)) return;
    for (const char *p = b.pages; p < end; p++) {
        if (p == address) p += b.size;
        if (p == end) break;
        if (static_cast<unsigned char>(*p) == 0xff) continue;
        if (p < address)
            fail("device memory was written %td bytes before an allocation of %zu bytes",
                 address - p, b.size);
        fail("device memory was written at byte %td of an allocation of %zu bytes", p - address,
             b.size);
    }
}

open_memory::open_memory()
{
    everything.lock();
    if (open_count++ == 0) open_all();
}

open_memory::~open_memory()
{
    if (--open_count == 0) {
        for (const auto &item : live) check_slack(item.first, item.second);
        close_all();
    }
    everything.unlock();
}

/* --- Allocation ------------------------------------------------------------------------------ */

/* Addresses for so many bytes of pages, a closed page before and behind. */
static char *find_addresses(size_t bytes)
{
    for (int round = 0; round < 2; round++) {
        char *candidate = cursor + page_bytes;
        for (const auto &item : live) {
            const block &b = item.second;
            if (b.pages + b.page_count_bytes > candidate - page_bytes &&
                b.pages < candidate + bytes + page_bytes)
                candidate = b.pages + b.page_count_bytes + page_bytes;
        }
        if (candidate + bytes + page_bytes <= arena_end()) {
            cursor = candidate + bytes;
            return candidate;
        }
        cursor = arena;
    }
    return nullptr;
}

static char *allocate(size_t size)
{
    make_arena();
    if (size > (size_t)memory_bytes || live_bytes + (int64_t)size > memory_bytes) return nullptr;
    block b;
    b.size = size;
    b.page_count_bytes = round_up(size, page_bytes);
    b.pages = find_addresses(b.page_count_bytes);
    if (!b.pages) return nullptr;
    char *address = b.pages + b.page_count_bytes - round_up(size, alignment);
    live[address] = b;
    open_pages(b);
    if (!open_count) open_all();
    std::memset(b.pages, 0xff, b.page_count_bytes);
    if (!open_count) close_all();
    live_bytes += (int64_t)size;
    if (live_bytes > most_bytes) most_bytes = live_bytes;
    return address;
}

static void release(char *address)
{
    const block b = live[address];
    madvise(b.pages, b.page_count_bytes, MADV_DONTNEED);
    close_pages(b);
    live_bytes -= (int64_t)b.size;
    live.erase(address);
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    const guard lock(everything);
    watch_faults();
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    if (!pointer) return report(cudaErrorInvalidValue);
    if (allocation_fails()) return report(cudaErrorMemoryAllocation);
    *pointer = nullptr;
    if (!size) return cudaSuccess;
    *pointer = allocate(size);
    return *pointer ? cudaSuccess : report(cudaErrorMemoryAllocation);
}

/* As CUDA's, waits for what is on the way. */
cudaError_t cudaFree(void *pointer)
{
    const guard lock(everything);
    if (!pointer) return cudaSuccess;
    drain_all();
    if (!live.count(static_cast<char *>(pointer))) return report(cudaErrorInvalidValue);
    release(static_cast<char *>(pointer));
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
    const cudaError_t error = put(stream, [] {});
    return error ? error : cudaMalloc(pointer, size);
}

/* A pool only lives and dies: what is freed never comes back from it, so that stale pointers fault.
 */
struct CUmemPoolHandle_st {
    int device;
};

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    if (props->allocType != cudaMemAllocationTypePinned ||
        props->location.type != cudaMemLocationTypeDevice)
        return report(cudaErrorInvalidValue);
    *pool = new CUmemPoolHandle_st{props->location.id};
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    delete pool;
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    return pool && value && attribute == cudaMemPoolAttrReleaseThreshold
               ? cudaSuccess
               : report(cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    return pool ? cudaMallocAsync(pointer, size, stream) : report(cudaErrorInvalidValue);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    const guard lock(everything);
    if (!pointer) return cudaSuccess;
    if (!live.count(static_cast<char *>(pointer))) return report(cudaErrorInvalidValue);
    return put(stream, [=] {
        if (!live.count(static_cast<char *>(pointer))) fail("device memory is freed twice");
        release(static_cast<char *>(pointer));
    });
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    *free_bytes = (size_t)(memory_bytes - live_bytes);
    *total = (size_t)memory_bytes;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    const bool device = is_allocated(pointer, 1);
    attributes->type = device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    attributes->device = device ? 0 : -2; /* cudaInvalidDeviceId */
    attributes->devicePointer = device ? const_cast<void *>(pointer) : nullptr;
    attributes->hostPointer = device ? nullptr : const_cast<void *>(pointer);
    return cudaSuccess;
}

void cuda_emulation_set_memory(int64_t bytes)
{
    const guard lock(everything);
    memory_bytes = bytes;
}

int64_t cuda_emulation_live_bytes(void)
{
    const guard lock(everything);
    return live_bytes;
}

int64_t cuda_emulation_most_bytes(void)
{
    const guard lock(everything);
    const int64_t result = most_bytes;
    most_bytes = live_bytes;
    return result;
}
