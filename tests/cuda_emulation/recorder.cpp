/* The recorder: kernels compiled with -fsanitize=thread call the functions at the end of this file
 * before each access to memory, with its address and width. Nothing of ThreadSanitizer is linked.
 * An access to shared or device memory by a kernel that runs goes on to those who look for races
 * (recorder_races.cpp) and for how well requests use memory (recorder_requests.cpp); stacks of
 * fibers and the host's memory are passed over, and so is what a call of memcpy does.
 *
 * -fsanitize=alignment has each pointer looked at before it is followed, by the alignment of what
 * it points to: a GPU faults at a double2 or float4 whose address is not a multiple of its size,
 * which most processors read all the same. */
#include "kernel_names.h"
#include "recorder.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <unordered_map>

namespace emulation
{
bool recording;

namespace recorder
{
std::vector<site> sites;
std::vector<std::string> kernels;
static std::unordered_map<const void *, int> kernel_of_function;
static std::set<const void *> functions_seen;
static std::vector<std::unordered_map<uintptr_t, int>> site_of; /* of each kernel; from 1 on */
static int kernel_now;
static std::string ignored_file;
static int ignored_line; /* 0: none */
static int64_t barriers_ignored;
static int wanted; /* CUDA_EMULATION_RACES, _REQUESTS */
static const char *shared_begin, *shared_end;
static int64_t moved_before; /* the launch that runs, by the blocks that have run */
static double moved_bytes;   /* by all blocks of the launches that have ended */

/* --- Numbers --------------------------------------------------------------------------------- */

static std::string kernel_name(const launch &what)
{
    const std::string function = name_of_function(what.function);
    if (function.empty()) return what.name;
    return name_with_precision(function);
}

static int number_kernel(const launch &what)
{
    const auto known = kernel_of_function.find(what.function);
    if (known != kernel_of_function.end()) return known->second;
    const std::string name = kernel_name(what);
    const auto same = std::find(kernels.begin(), kernels.end(), name);
    const int number = (int)(same - kernels.begin());
    if (same == kernels.end()) {
        kernels.push_back(name);
        site_of.resize(kernels.size());
    }
    return kernel_of_function[what.function] = number;
}

/* Are neighbours that the two access one access of a GPU? See recorder_requests.cpp. */
static bool is_same(const site &a, const site &b)
{
    return a.kernel == b.kernel && a.source.line && a.source.line == b.source.line &&
           (a.counts.is_shared || a.source.column == b.source.column) &&
           a.source.file == b.source.file && a.counts.is_write == b.counts.is_write &&
           a.counts.is_shared == b.counts.is_shared;
}

static int number_site(const void *instruction, bool is_write, bool is_shared)
{
    const uintptr_t key = 2 * reinterpret_cast<uintptr_t>(instruction) + is_shared;
    int &number = site_of[(size_t)kernel_now][key];
    if (number) return number - 1;
    site s;
    s.instruction = instruction;
    s.kernel = kernel_now;
    s.source = find_source(static_cast<const char *>(instruction) - 1); /* the call itself */
    s.same = (int)sites.size();
    s.counts = cuda_emulation_access{};
    s.counts.is_write = is_write, s.counts.is_shared = is_shared;
    for (const site &other : sites)
        if (is_same(s, other)) {
            s.same = other.same;
            break;
        }
    sites.push_back(s);
    number = (int)sites.size();
    return number - 1;
}

/* The end of the file's name is enough. */
static bool is_ignored(const place &where)
{
    const size_t length = strlen(where.file), end = ignored_file.size();
    return where.line == ignored_line && length >= end && where.file + length - end == ignored_file;
}

static int64_t sum_of_moved()
{
    int64_t sum = 0;
    for (const site &s : sites) sum += s.counts.moved;
    return sum;
}

/* --- Accesses -------------------------------------------------------------------------------- */

/* The last instructions, by address: most accesses come from few of them. */
enum { CACHED = 4096 };
static struct {
    const void *instruction;
    int kernel, site;
    bool is_shared;
} cached[CACHED];

static int find_site(const void *instruction, bool is_write, bool is_shared)
{
    auto &near = cached[(uintptr_t)instruction % CACHED];
    if (near.instruction != instruction || near.kernel != kernel_now || near.is_shared != is_shared)
        near = {instruction, kernel_now, number_site(instruction, is_write, is_shared), is_shared};
    return near.site;
}

static void note(const void *address, size_t width, bool is_write, const void *instruction)
{
    const char *p = static_cast<const char *>(address);
    const bool is_shared = p >= shared_begin && p < shared_end;
    if (!is_shared && !is_device_address(address)) return;
    if (running_thread() < 0) return;
    memory_access what;
    what.address = reinterpret_cast<uintptr_t>(address);
    what.width = (int)width;
    what.thread = running_thread();
    what.site = find_site(instruction, is_write, is_shared);
    what.is_write = is_write, what.is_shared = is_shared;
    if (wanted & CUDA_EMULATION_RACES) check_order(what);
    if (wanted & CUDA_EMULATION_REQUESTS) add_to_request(what);
}

/* Structs that are copied as a whole: a GPU does so by 16 bytes at most. */
static void note_range(const void *address, size_t bytes, bool is_write, const void *instruction)
{
    const char *p = static_cast<const char *>(address);
    const size_t widest = reinterpret_cast<uintptr_t>(p) % 16 ? 8 : 16;
    while (bytes) {
        const size_t part = std::min(bytes, widest);
        note(p, part, is_write, instruction);
        p += part, bytes -= part;
    }
}
} // namespace recorder

using namespace recorder;

/* --- Told by the emulation ------------------------------------------------------------------- */

void recorder_begin_launch(const launch &what)
{
    if (!wanted) return;
    kernel_now = number_kernel(what);
    functions_seen.insert(what.function);
    begin_grid();
    moved_before = sum_of_moved();
    recording = true;
}

void recorder_end_launch(double blocks)
{
    if (recording) moved_bytes += blocks * (double)(sum_of_moved() - moved_before);
    recording = false;
}

void recorder_begin_block(const char *shared, size_t bytes, int threads)
{
    shared_begin = shared, shared_end = shared + bytes;
    recorder::begin_block(reinterpret_cast<uintptr_t>(shared), bytes);
    begin_requests(threads);
}

void recorder_meet_block(const place *where)
{
    end_all_requests();
    if (where && is_ignored(*where))
        barriers_ignored++;
    else
        order_block();
}

void recorder_meet_warp(int first, unsigned mask, bool orders_memory)
{
    end_requests(first / warpSize);
    if (orders_memory) order_warp(first, mask);
}
} // namespace emulation

using namespace emulation;

/* --- Asked by tests -------------------------------------------------------------------------- */

void cuda_emulation_record(int what)
{
    const guard lock(everything);
    wanted = what;
    if (!wanted) forget_memory();
}

int64_t cuda_emulation_races(void)
{
    const guard lock(everything);
    return take_race_count();
}

int64_t cuda_emulation_ignore_barrier(const char *file, int line)
{
    const guard lock(everything);
    const int64_t count = barriers_ignored;
    ignored_file = file, ignored_line = line;
    barriers_ignored = 0;
    return count;
}

void cuda_emulation_each_access(void (*see)(const cuda_emulation_access *, void *), void *context)
{
    const guard lock(everything);
    for (site &s : sites) {
        s.counts.kernel = kernels[(size_t)s.kernel].c_str();
        s.counts.file = s.source.file.c_str();
        s.counts.line = s.source.line;
        if (s.counts.requests) see(&s.counts, context);
    }
}

double cuda_emulation_moved_bytes(void)
{
    const guard lock(everything);
    const double bytes = moved_bytes;
    moved_bytes = 0;
    return bytes;
}

void cuda_emulation_forget_accesses(void)
{
    const guard lock(everything);
    for (site &s : sites)
        s.counts.requests = s.counts.asked = s.counts.moved = s.counts.conflicts = 0;
}

int cuda_emulation_recorded(const char *kernel, void (*missed)(const char *function))
{
    const guard lock(everything);
    int count = 0;
    for (const function_symbol &f : functions_named(kernel)) {
        count++;
        if (!functions_seen.count(f.address)) missed(f.name.c_str());
    }
    return count;
}

/* --- Called by the kernels ------------------------------------------------------------------- */

/* Declared as the compiler does that knows them by itself. A shared library has them for itself. */
#pragma GCC visibility push(hidden)

#define ACCESS(name, width, is_write)                                                              \
    extern "C" void __tsan_##name(void *address);                                                  \
    void __tsan_##name(void *address)                                                              \
    {                                                                                              \
        if (recording) note(address, width, is_write, __builtin_return_address(0));                \
    }
ACCESS(read1, 1, false)
ACCESS(read2, 2, false)
ACCESS(read4, 4, false)
ACCESS(read8, 8, false)
ACCESS(read16, 16, false)
ACCESS(write1, 1, true)
ACCESS(write2, 2, true)
ACCESS(write4, 4, true)
ACCESS(write8, 8, true)
ACCESS(write16, 16, true)
ACCESS(unaligned_read2, 2, false)
ACCESS(unaligned_read4, 4, false)
ACCESS(unaligned_read8, 8, false)
ACCESS(unaligned_read16, 16, false)
ACCESS(unaligned_write2, 2, true)
ACCESS(unaligned_write4, 4, true)
ACCESS(unaligned_write8, 8, true)
ACCESS(unaligned_write16, 16, true)

/* What the compiler tells of a pointer that is not aligned, as GCC's libubsan takes it; sanitized
 * builds, which record nothing, have libubsan itself. */
#ifndef __SANITIZE_ADDRESS__
struct emulation_mismatch {
    const char *file;
    uint32_t line, column;
    const struct {
        uint16_t kind, info;
        char name[1]; /* as long as it is, in quotation marks */
    } * type;
    unsigned char log_alignment, access;
};
extern "C" void __ubsan_handle_type_mismatch_v1(void *told, void *address);
void __ubsan_handle_type_mismatch_v1(void *told, void *address)
{
    const emulation_mismatch *what = static_cast<const emulation_mismatch *>(told);
    if (running_thread() < 0) return;
    fail("%s:%u: a %s at %p, which is no multiple of %d bytes", what->file, what->line,
         what->type->name, address, 1 << what->log_alignment);
}
#endif

#define RANGE(name, is_write)                                                                      \
    extern "C" void __tsan_##name(void *address, long bytes);                                      \
    void __tsan_##name(void *address, long bytes)                                                  \
    {                                                                                              \
        if (recording) note_range(address, (size_t)bytes, is_write, __builtin_return_address(0));  \
    }
RANGE(read_range, false)
RANGE(write_range, true)

/* The host's code between the kernels calls them. */
extern "C" void __tsan_init(void);
extern "C" void __tsan_func_entry(void *caller);
extern "C" void __tsan_func_exit(void *);
extern "C" void __tsan_vptr_update(void *pointer, void *value);

void __tsan_init(void)
{
}

void __tsan_func_entry(void *)
{
}

void __tsan_func_exit(void *)
{
}

void __tsan_vptr_update(void *, void *)
{
}
#pragma GCC visibility pop
