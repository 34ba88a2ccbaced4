/* A grid runs block by block, a block by a fiber per thread. A thread runs until it waits for
 * others or ends; then the next one has its turn, in the sequence that the order says. So between
 * two barriers a thread sees all that those before it in the sequence did and nothing of those
 * behind it: as far from running side by side as can be, and another sequence shows another half of
 * what a missing barrier spoils. */
#include "recorder.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace emulation
{
enum class state { ready, waits, ended };

struct thread {
    fiber stack;
    state now = state::ended;
    uint3 index;
    /* where it waits, and for what */
    meeting kind;
    place where;
    unsigned mask;
    uint64_t value;
    int source;
    uint64_t result;
};

static const char *const meeting_names[] = {"__syncthreads",        "__syncwarp", "a shuffle",
                                            "__any_sync",           "__all_sync", "__ballot_sync",
                                            "a product of matrices"};

static std::vector<thread> threads;
static int thread_count;
static int current = -1; /* thread that runs, or -1: the host */
static const launch *kernel;
static const std::function<void()> *body;
static std::vector<int64_t> turns;
static int64_t most_blocks; /* of a grid; 0: all */
static char *shared, *shared_start;

/* --- Words ----------------------------------------------------------------------------------- */

const char *running()
{
    static char text[400];
    if (!kernel) return "";
    int used = snprintf(text, sizeof text, "kernel %.200s (launched at %s:%d), block (%u, %u, %u)",
                        kernel->name, kernel->where.file, kernel->where.line, blockIdx.x,
                        blockIdx.y, blockIdx.z);
    if (current >= 0 && used > 0 && used < (int)sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, ", thread (%u, %u, %u)", threadIdx.x,
                 threadIdx.y, threadIdx.z);
    return text;
}

static const char *describe(int number)
{
    static char texts[2][300];
    static int which;
    char *text = texts[which = !which];
    const thread &t = threads[(size_t)number];
    if (t.now == state::ended)
        snprintf(text, sizeof texts[0], "thread %d has ended", number);
    else
        snprintf(text, sizeof texts[0], "thread %d waits at %s, %s:%d", number,
                 meeting_names[(int)t.kind], t.where.file, t.where.line);
    return text;
}

int running_thread()
{
    return current;
}

/* --- Meetings -------------------------------------------------------------------------------- */

static bool same_place(const thread &a, const thread &b)
{
    return a.kind == b.kind && a.where.line == b.where.line &&
           (a.where.file == b.where.file || strcmp(a.where.file, b.where.file) == 0);
}

uint64_t meet(meeting kind, place where, unsigned mask, uint64_t value, int source)
{
    if (current < 0) fail("%s:%d: on the host", where.file, where.line);
    thread &t = threads[(size_t)current];
    t.kind = kind;
    t.where = where;
    t.mask = mask;
    t.value = value;
    t.source = source;
    t.now = state::waits;
    leave(t.stack, false);
    return t.result;
}

void meet_block(place where)
{
    meet(meeting::block, where, 0);
}

/* Does the lane take part in what thread t waits for, there and now? */
static bool has_arrived(const thread &t, int lane)
{
    const int number = (int)(&t - threads.data()) / warpSize * warpSize + lane;
    if (number >= thread_count) return false;
    const thread &other = threads[(size_t)number];
    return other.now == state::waits && same_place(t, other) && other.mask == t.mask;
}

static uint64_t result_of(const thread *warp, const thread &t, unsigned votes)
{
    switch (t.kind) {
    case meeting::shuffle:
        return warp[t.source].value;
    case meeting::any:
        return votes != 0;
    case meeting::all:
        return votes == t.mask;
    default:
        return votes;
    }
}

static void check_source(const thread &t, int number)
{
    if (t.kind == meeting::shuffle && !(t.mask >> t.source & 1))
        fail("%s:%d: thread %d reads lane %d, which is not in the mask %08x", t.where.file,
             t.where.line, number, t.source, t.mask);
}

/* Where entries lie is from NVIDIA's "Parallel Thread Execution ISA", the section "Matrix Fragments
 * for mma.m8n8k4 with .f64 floating point type":
 *     A, 8 x 4   row laneid / 4, column laneid % 4
 *     B, 4 x 8   row laneid % 4, column laneid / 4
 *     C, D, 8 x 8   row laneid / 4, columns 2 (laneid % 4) and 2 (laneid % 4) + 1
 * Each product with its sum is rounded once, as an fma, says the section "mma". */
static void multiply_fragments(const thread *warp)
{
    double a[8][4], b[4][8];
    for (int lane = 0; lane < warpSize; lane++) {
        const fragment *f = reinterpret_cast<const fragment *>(warp[lane].value);
        a[lane / 4][lane % 4] = f->a;
        b[lane % 4][lane / 4] = f->b;
    }
    for (int lane = 0; lane < warpSize; lane++)
        for (int i = 0; i < 2; i++) {
            double *c = &reinterpret_cast<const fragment *>(warp[lane].value)->c[i];
            for (int k = 0; k < 4; k++) *c = std::fma(a[lane / 4][k], b[k][lane % 4 * 2 + i], *c);
        }
}

void multiply_matrices(place where, double a, double b, double c[2])
{
    const fragment mine = {a, b, c};
    meet(meeting::product, where, 0xffffffffu, reinterpret_cast<uint64_t>(&mine));
}

/* If all lanes of its mask wait with thread `number`, they go on. */
static void try_warp(int number)
{
    const thread t = threads[(size_t)number];
    const int first = number / warpSize * warpSize;
    if (!(t.mask >> (number - first) & 1))
        fail("%s:%d: thread %d is not in its own mask %08x", t.where.file, t.where.line, number,
             t.mask);
    thread *warp = &threads[(size_t)first];
    unsigned votes = 0;
    /* the last lane to come is mostly the one or the other: asked first, for speed */
    for (int lane : {warpSize - 1, 0})
        if ((t.mask >> lane & 1) && !has_arrived(threads[(size_t)number], lane)) return;
    for (int lane = 0; lane < warpSize; lane++) {
        if (!(t.mask >> lane & 1)) continue;
        if (!has_arrived(threads[(size_t)number], lane)) return;
        votes |= (unsigned)(warp[lane].value & 1) << lane;
    }
    if (t.kind == meeting::product) multiply_fragments(warp);
    for (int lane = 0; lane < warpSize; lane++) {
        if (!(t.mask >> lane & 1)) continue;
        check_source(warp[lane], first + lane);
        warp[lane].result = result_of(warp, warp[lane], votes);
        warp[lane].now = state::ready;
    }
    if (recording) recorder_meet_warp(first, t.mask, t.kind == meeting::warp);
}

static void fail_warp(int number)
{
    const thread &t = threads[(size_t)number];
    for (int lane = 0; lane < warpSize; lane++) {
        if (!(t.mask >> lane & 1) || has_arrived(t, lane)) continue;
        const int other = number / warpSize * warpSize + lane;
        if (other >= thread_count)
            fail("divergent warp: %s, but the block has no thread %d of mask %08x",
                 describe(number), other, t.mask);
        fail("divergent warp: %s with mask %08x, but %s%s", describe(number), t.mask,
             describe(other), same_place(t, threads[(size_t)other]) ? " with another mask" : "");
    }
}

/* Nobody can run: all wait at the same barrier, or something is wrong. Returns false at the end. */
static bool open_barrier()
{
    int first = -1;
    for (int i = 0; i < thread_count && first < 0; i++)
        if (threads[(size_t)i].now == state::waits) first = i;
    if (first < 0) return false;
    for (int i = 0; i < thread_count; i++)
        if (threads[(size_t)i].now == state::waits && threads[(size_t)i].kind != meeting::block)
            fail_warp(i);
    for (int i = 0; i < thread_count; i++) {
        const thread &t = threads[(size_t)i];
        if (t.now == state::ended || !same_place(t, threads[(size_t)first]))
            fail("divergent barrier: %s, but %s", describe(first), describe(i));
    }
    for (int i = 0; i < thread_count; i++) threads[(size_t)i].now = state::ready;
    if (recording) recorder_meet_block(&threads[(size_t)first].where);
    return true;
}

int lane_numbered(int number, int width)
{
    const int lane = current % warpSize;
    return lane / width * width + (number & (width - 1));
}

int lane_crossed(int bits, int width)
{
    const int lane = current % warpSize, source = lane ^ bits;
    return source < lane / width * width + width ? source : lane;
}

int lane_shifted(int delta, int width)
{
    const int lane = current % warpSize, source = lane + delta, first = lane / width * width;
    return source >= first && source < first + width ? source : lane;
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static void run_thread()
{
    arrive(threads[(size_t)current].stack);
    (*body)();
    threads[(size_t)current].now = state::ended;
    leave(threads[(size_t)current].stack, true);
}

static void turn_of(int number)
{
    thread &t = threads[(size_t)number];
    if (t.now != state::ready) return;
    current = number;
    threadIdx = t.index;
    enter(t.stack);
    current = -1;
    if (t.now == state::waits && t.kind != meeting::block) try_warp(number);
}

/* Shared memory ends where a page ends, a closed one behind it, and begins as not-a-number; ints
 * begin as -1. What lies in front of it must stay so. */
static const size_t page_bytes = 65536; /* a multiple of every machine's pages */
static const size_t shared_pages = 4 * page_bytes, margin = 1024; /* a Hopper has 227 KB */

static void make_shared()
{
    void *memory =
        mmap(nullptr, shared_pages + 2 * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("no memory for the shared memory of a block");
    shared_start = static_cast<char *>(memory) + page_bytes;
    mprotect(shared_start, shared_pages, PROT_READ | PROT_WRITE);
}

bool is_shared_address(const void *address)
{
    const char *p = static_cast<const char *>(address);
    return shared_start && p >= shared_start - page_bytes &&
           p < shared_start + shared_pages + page_bytes;
}

static void check_margin()
{
    for (size_t i = margin; i > 0; i--)
        if (static_cast<unsigned char>(shared[-(ptrdiff_t)i]) != 0xff)
            fail("shared memory was written %zu bytes before its start", i);
}

static void begin_block()
{
    const size_t bytes = (kernel->shared_bytes + 15) / 16 * 16;
    shared = shared_start + shared_pages - bytes;
    std::memset(shared - margin, 0xff, bytes + margin);
    if (recording) recorder_begin_block(shared, bytes, thread_count);
    for (int i = 0; i < thread_count; i++) {
        threads[(size_t)i].now = state::ready;
        prepare(threads[(size_t)i].stack, run_thread);
    }
}

static void run_block()
{
    begin_block();
    do {
        bool moved = true;
        while (moved) {
            make_sequence(thread_count, turns);
            moved = false;
            for (int64_t number : turns) {
                moved = moved || threads[(size_t)number].now == state::ready;
                turn_of((int)number);
            }
        }
    } while (open_barrier());
    if (recording) recorder_meet_block(nullptr);
    check_margin();
}

static void number_threads(dim3 size)
{
    thread_count = (int)(size.x * size.y * size.z);
    if ((int)threads.size() < thread_count) threads.resize((size_t)thread_count);
    for (unsigned i = 0; i < (unsigned)thread_count; i++)
        threads[i].index = uint3{i % size.x, i / size.x % size.y, i / size.x / size.y};
}

static bool is_prime(int64_t n)
{
    for (int64_t i = 2; i * i <= n; i++)
        if (n % i == 0) return false;
    return true;
}

/* From one block that runs to the next. A prime has no factor in common with the rows of a grid, so
 * that all columns have their turn. */
static int64_t distance_of_blocks(int64_t count)
{
    int64_t distance = most_blocks > 0 ? count / most_blocks : 1;
    while (distance > 1 && !is_prime(distance)) distance++;
    return distance > 1 ? distance : 1;
}

void run_grid(const launch &what, const std::function<void()> &thread)
{
    if (!shared_start) make_shared();
    kernel = &what;
    body = &thread;
    gridDim = what.grid;
    blockDim = what.block;
    number_threads(what.block);
    std::vector<int64_t> blocks;
    make_sequence((int64_t)what.grid.x * what.grid.y * what.grid.z, blocks);
    if (plant_skips(what.name)) blocks.pop_back();
    const int64_t distance = distance_of_blocks((int64_t)blocks.size());
    int64_t ran = 0;
    recorder_begin_launch(what);
    for (int64_t number : blocks) {
        if (number % distance) continue;
        ran++;
        blockIdx.x = (unsigned)(number % what.grid.x);
        blockIdx.y = (unsigned)(number / what.grid.x % what.grid.y);
        blockIdx.z = (unsigned)(number / what.grid.x / what.grid.y);
        run_block();
    }
    recorder_end_launch(ran ? (double)blocks.size() / (double)ran : 0);
    kernel = nullptr;
}

unsigned *shared_memory()
{
    if (current < 0) fail("shared memory on the host");
    return reinterpret_cast<unsigned *>(shared);
}
} // namespace emulation

void cuda_emulation_set_blocks(int64_t most)
{
    const emulation::guard lock(emulation::everything);
    emulation::most_blocks = most;
}
