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
#include <cerrno>
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
static const size_t page_bytes = page_size();
static const size_t alignment = 256;

struct block {
    char *pages;
    size_t page_count_bytes, size;
    int device;
    cudaMemPool_t pool; /* whose bytes they are; null: the device's own */
    bool host;          /* pages of the host, seen from the device */
};

static char *arena, *cursor;
static std::map<char *, block> live; /* by the address that the caller has */
static int64_t live_bytes, most_bytes;

/* Spaces: the memory of each device; what lies in HOST is the host's, and all devices see it. */
enum { HOST = CUDA_EMULATION_DEVICES, SPACES };
struct space {
    int64_t bytes = (int64_t)1 << 30; /* that the device has */
    int open_count = 0;
    bool is_open = false; /* for the host as well */
    int64_t openings = 0; /* so far */
};
static space spaces[SPACES];

static int space_of(const block &b)
{
    return b.host ? (int)HOST : b.device;
}

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void make_arena()
{
    if (arena) return;
    arena = new_pages(arena_bytes, PROT_NONE, MAP_NORESERVE);
    if (!arena) fail("no addresses for device memory");
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
        return *running() && !spaces[space_of(b)].open_count ? "memory of another device"
                                                             : "allocated device memory";
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
    const struct sigaction *before = signal == SIGSEGV ? &before_segv : &before_bus;
    check_call(sigaction(signal, before, nullptr) == 0, "sigaction");
}

static void watch(int signal, struct sigaction *before)
{
    struct sigaction now, ours;
    check_call(sigaction(signal, nullptr, &now) == 0, "sigaction");
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return;
    *before = now;
    std::memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    check_call(sigaction(signal, &ours, nullptr) == 0, "sigaction");
}

/* An overflow of a fiber's stack leaves no stack for the handler but this one, which stays. */
static void make_signal_stack()
{
    static thread_local void *kept; /* so that nobody takes it for lost */
    stack_t stack;
    check_call(sigaltstack(nullptr, &stack) == 0, "sigaltstack");
    if (!(stack.ss_flags & SS_DISABLE)) return;
    std::memset(&stack, 0, sizeof stack);
    stack.ss_size = 65536;
    stack.ss_sp = kept = malloc(stack.ss_size);
    if (!kept) fail("no memory for a stack of signals");
    check_call(sigaltstack(&stack, nullptr) == 0, "sigaltstack");
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

/* The block that an address lies in; null: none. */
static const block *find_block(const void *address)
{
    char *p = static_cast<char *>(const_cast<void *>(address));
    auto next = live.upper_bound(p);
    if (next == live.begin()) return nullptr;
    --next;
    return p < next->first + next->second.size || p == next->first ? &next->second : nullptr;
}

static char *end_of(const block &b)
{
    return b.pages + b.page_count_bytes - round_up(b.size, alignment) + b.size;
}

bool is_allocated(const void *address, size_t bytes)
{
    const block *b = find_block(address);
    if (!b) return is_managed(address, bytes);
    return static_cast<const char *>(address) + bytes <= end_of(*b);
}

bool is_block(const void *address)
{
    return live.count(static_cast<char *>(const_cast<void *>(address))) != 0;
}

cudaMemPool_t pool_of(const void *address)
{
    const block *b = find_block(address);
    return b ? b->pool : nullptr;
}

size_t size_of(const void *address)
{
    const block *b = find_block(address);
    return b ? b->size : 0;
}

int device_of(const void *address)
{
    const block *b = is_device_address(address) ? find_block(address) : nullptr;
    return b ? b->device : -1;
}

bool is_seen_by_all(const void *address)
{
    const block *b = find_block(address);
    return b && b->host;
}

void for_allocations(int device, const std::function<void(const char *, size_t)> &see)
{
    for (const auto &item : live)
        if (item.second.host || item.second.device == device) see(item.first, item.second.size);
}

void check_device_of(const void *address, int device, const char *who, const char *what)
{
    const block *b = is_device_address(address) ? find_block(address) : nullptr;
    if (b && !b->host && b->device != device)
        fail("%s: %s at %p is memory of device %d, on device %d", who, what, address, b->device,
             device);
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
    const size_t value = (size_t)address;
    unsigned char unused;
    if (value < 65536 || value >> 47 || is_device_address(address)) return false;
    if (is_managed(address, 1)) return false;
    void *page = reinterpret_cast<void *>(value / page_bytes * page_bytes);
    const bool mapped = mincore(page, 1, &unused) == 0;
    check_call(mapped || errno == ENOMEM, "mincore");
    return mapped;
}

/* --- Open and closed ------------------------------------------------------------------------- */

/* Where the processor has protection keys, all blocks of a space share one, which opens and closes
 * them at once, for the calling thread alone. Elsewhere each block takes a system call, which a
 * process of several threads pays with up to a tenth of a millisecond: there memory is closed after
 * each of the first openings, and after every 64th that follows, which still finds a host that
 * strays often. */
enum { always_closed = 2000, seldom_closed = 64 };

struct keys {
    int of[SPACES];
    keys()
    {
        const char *text = getenv("ARMILLA_EMULATION_KEYS");
        const bool wanted = !text || *text != '0';
        for (int &key : of) key = wanted ? new_key() : -1;
        if (of[SPACES - 1] >= 0) return;
        for (int &key : of) /* all spaces or none */
            if (key >= 0) free_key(key), key = -1;
    }
};

static int protection_key(int s)
{
    static const keys all;
    return all.of[s];
}

static void close_pages(const block &b)
{
    protect_pages(b.pages, b.page_count_bytes, PROT_NONE);
}

static void open_pages(const block &b)
{
    const int key = protection_key(space_of(b));
    if (key < 0)
        protect_pages(b.pages, b.page_count_bytes, PROT_READ | PROT_WRITE);
    else
        protect_pages_by_key(b.pages, b.page_count_bytes, PROT_READ | PROT_WRITE, key);
}

static void open_all(int s)
{
    if (protection_key(s) >= 0) {
        set_key(protection_key(s), true);
        return;
    }
    if (spaces[s].is_open) return;
    for (const auto &item : live)
        if (space_of(item.second) == s) open_pages(item.second);
    spaces[s].is_open = true;
}

static void close_all(int s)
{
    if (protection_key(s) >= 0) {
        set_key(protection_key(s), false);
        return;
    }
    if (spaces[s].openings > always_closed && spaces[s].openings % seldom_closed) return;
    for (const auto &item : live)
        if (space_of(item.second) == s) close_pages(item.second);
    spaces[s].is_open = false;
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

static void open_space(int s)
{
    spaces[s].openings++;
    if (spaces[s].open_count++ == 0) open_all(s);
}

static void close_space(int s)
{
    if (--spaces[s].open_count) return;
    for (const auto &item : live)
        if (space_of(item.second) == s) check_slack(item.first, item.second);
    close_all(s);
}

open_memory::open_memory(int of_device) : device(of_device)
{
    everything.lock();
    open_space(device);
    open_space(HOST);
}

open_memory::~open_memory()
{
    close_space(device);
    close_space(HOST);
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

int64_t bytes_of(int device)
{
    return spaces[device].bytes;
}

int64_t room_of(int device)
{
    int64_t room = spaces[device].bytes - reserved_bytes(device);
    for (const auto &item : live) {
        const block &b = item.second;
        if (b.device == device && !b.pool && !b.host) room -= (int64_t)b.size;
    }
    return room;
}

static void count_bytes(const block &b, int sign)
{
    if (!b.host) live_bytes += sign * (int64_t)b.size;
    if (live_bytes > most_bytes) most_bytes = live_bytes;
}

static bool find_pages(size_t size, block &b)
{
    make_arena();
    b.size = size;
    b.page_count_bytes = round_up(size, page_bytes);
    b.pages = find_addresses(b.page_count_bytes);
    return b.pages != nullptr;
}

static char *keep(const block &b)
{
    char *address = b.pages + b.page_count_bytes - round_up(b.size, alignment);
    live[address] = b;
    open_pages(b);
    const int s = space_of(b);
    if (protection_key(s) < 0 && !spaces[s].is_open)
        close_pages(b);
    else if (protection_key(s) >= 0 && !spaces[s].open_count)
        close_all(s);
    count_bytes(b, 1);
    return address;
}

char *allocate(int device, size_t size, cudaMemPool_t pool)
{
    block b = {nullptr, 0, size, device, pool, false};
    if (!find_pages(size, b)) return nullptr;
    char *address = keep(b);
    const open_memory open(device);
    std::memset(b.pages, 0xff, b.page_count_bytes);
    return address;
}

char *alias(int device, int file, size_t size)
{
    block b = {nullptr, 0, size, device, nullptr, true};
    if (!find_pages(size, b)) return nullptr;
    map_file(b.pages, size, PROT_NONE, file);
    return keep(b);
}

/* The pages become closed ones as all around them, without a key, and one mapping with those.
 * Closed by mprotect they would keep their key, and what the kernel notes about their first use: a
 * mapping each for good, of which the kernel allows 65530 in all. */
void release(char *address)
{
    const block b = live[address];
    renew_pages(b.pages, b.page_count_bytes, PROT_NONE, MAP_NORESERVE);
    count_bytes(b, -1);
    live.erase(address);
}
} // namespace emulation

using namespace emulation;

int cuda_emulation_has_keys(void)
{
    const guard lock(everything);
    return protection_key(HOST) >= 0;
}

void cuda_emulation_set_memory(int64_t bytes)
{
    const guard lock(everything);
    for (space &s : spaces) s.bytes = bytes;
}

void cuda_emulation_set_device(int device, int64_t bytes, int capability)
{
    const guard lock(everything);
    spaces[device].bytes = bytes;
    set_capability(device, capability);
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
