/* A grid runs block by block, a block by a fiber per thread that waits. A thread runs until it
 * waits for others or ends; then the next one has its turn, in the sequence that the order says. So
 * between two barriers a thread sees all that those before it in the sequence did and nothing of
 * those behind it: as far from running side by side as can be, and another sequence shows another
 * half of what a missing barrier spoils. */
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
enum { MOST_THREADS = 1024, FRESH = -1 };

struct thread {
    state now = state::ended;
    int fiber = FRESH; /* that runs it; FRESH: none yet */
    uint3 index;
    /* where it waits, and for what */
    meeting kind;
    place where;
    unsigned mask;
    uint64_t value;
    int source;
    uint64_t result;
};

/* Lanes of a warp that wait for others of it. While all of them wait for the same, counting them is
 * enough to know when the last one has come. */
struct warp_meeting {
    unsigned lanes = 0;
    bool is_mixed = false;
    int first; /* thread that came first */
};

static const char *const meeting_names[] = {"__syncthreads",
                                            "__syncwarp",
                                            "a shuffle",
                                            "__any_sync",
                                            "__all_sync",
                                            "__ballot_sync",
                                            "a product of matrices",
                                            "a product of matrices",
                                            "a product of matrices"};

static thread threads[MOST_THREADS];
static warp_meeting meetings[MOST_THREADS / 32];
static int thread_count;
static int current = -1; /* thread that runs, or -1: the host */
int running_lane;
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
    const thread &t = threads[number];
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

/* Does the lane take part in what thread t waits for, there and now? */
static bool has_arrived(const thread &t, int lane)
{
    const int number = (int)(&t - threads) / warpSize * warpSize + lane;
    if (number >= thread_count) return false;
    const thread &other = threads[number];
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

/* Where entries lie is from NVIDIA's "Parallel Thread Execution ISA", the sections "Matrix
 * Fragments for mma.m8n8k4 with .f64 floating point type" and the same for mma.m16n8k4:
 *     A, 8 x 4 or 16 x 4      row laneid / 4, a1 eight rows below, column laneid % 4
 *     B, 4 x 8                row laneid % 4, column laneid / 4
 *     C, D, 8 x 8 or 16 x 8   row laneid / 4, c2 and c3 eight rows below, columns
 *                             2 (laneid % 4) and 2 (laneid % 4) + 1
 * Each product with its sum is rounded once, as an fma, says the section "mma". */
static void multiply_fragments(const thread *warp, int rows)
{
    double a[16][4], b[4][8];
    for (int lane = 0; lane < warpSize; lane++) {
        const fragment *f = reinterpret_cast<const fragment *>(warp[lane].value);
        for (int row = lane / 4; row < rows; row += 8) a[row][lane % 4] = f->a[row / 8];
        b[lane % 4][lane / 4] = f->b;
    }
    for (int lane = 0; lane < warpSize; lane++)
        for (int i = 0; i < rows / 4; i++) {
            const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
            double *c = &reinterpret_cast<const fragment *>(warp[lane].value)->c[i];
            for (int k = 0; k < 4; k++) *c = std::fma(a[row][k], b[k][column], *c);
        }
}

/* Kernels have such products where they were compiled for 8.0 or 9.0; a body that was compiled for
 * another GPU is a trap. */
static void check_products(place where)
{
    const int target = target_of(kernel->device);
    if (target != 80 && target != 90)
        fail("%s:%d: a trap: the kernel was compiled for %d.%d, without products of matrices",
             where.file, where.line, target / 10, target % 10);
}

void multiply_matrices(place where, int rows, const double *a, double b, double *c)
{
    const fragment mine = {a, b, c};
    check_products(where);
    meet(rows == 8 ? meeting::product : meeting::tall_product, where, 0xffffffffu,
         reinterpret_cast<uint64_t>(&mine));
}

void multiply_halves(place where, const uint32_t *a, const uint32_t *b, float *c)
{
    const half_fragment mine = {a, b, c};
    check_products(where);
    meet(meeting::half_product, where, 0xffffffffu, reinterpret_cast<uint64_t>(&mine));
}

static void multiply_half_matrices(const thread *warp)
{
    const half_fragment *of_lane[32];
    for (int lane = 0; lane < warpSize; lane++)
        of_lane[lane] = reinterpret_cast<const half_fragment *>(warp[lane].value);
    multiply_half_fragments(of_lane);
}

/* Do all lanes of its mask wait with thread `number`, which comes now? */
static bool is_complete(int number)
{
    const thread &t = threads[number];
    warp_meeting &m = meetings[number / warpSize];
    if (!m.lanes) m.first = number, m.is_mixed = false;
    m.lanes |= 1u << number % warpSize;
    const thread &first = threads[m.first];
    m.is_mixed = m.is_mixed || !same_place(t, first) || t.mask != first.mask;
    if ((m.lanes & t.mask) != t.mask) return false;
    if (!m.is_mixed) return true;
    for (int i = 0; i < warpSize; i++)
        if ((t.mask >> i & 1) && !has_arrived(t, i)) return false;
    return true;
}

/* If all lanes of its mask wait with thread `number`, they go on. */
static void try_warp(int number)
{
    const thread &t = threads[number];
    const int first = number / warpSize * warpSize;
    const unsigned mask = t.mask;
    if (!(mask >> (number - first) & 1))
        fail("%s:%d: thread %d is not in its own mask %08x", t.where.file, t.where.line, number,
             mask);
    if (!is_complete(number)) return;
    thread *warp = &threads[first];
    unsigned votes = 0;
    for (int i = 0; i < warpSize; i++) votes |= (unsigned)(warp[i].value & 1) << i;
    votes &= mask;
    if (t.kind == meeting::product) multiply_fragments(warp, 8);
    if (t.kind == meeting::tall_product) multiply_fragments(warp, 16);
    if (t.kind == meeting::half_product) multiply_half_matrices(warp);
    for (int i = 0; i < warpSize; i++) {
        if (!(mask >> i & 1)) continue;
        check_source(warp[i], first + i);
        warp[i].result = result_of(warp, warp[i], votes);
        warp[i].now = state::ready;
    }
    meetings[number / warpSize].lanes &= ~mask;
    if (recording) recorder_meet_warp(first, mask, t.kind == meeting::warp);
}

static void fail_warp(int number)
{
    const thread &t = threads[number];
    for (int lane = 0; lane < warpSize; lane++) {
        if (!(t.mask >> lane & 1) || has_arrived(t, lane)) continue;
        const int other = number / warpSize * warpSize + lane;
        if (other >= thread_count)
            fail("divergent warp: %s, but the block has no thread %d of mask %08x",
                 describe(number), other, t.mask);
        fail("divergent warp: %s with mask %08x, but %s%s", describe(number), t.mask,
             describe(other), same_place(t, threads[other]) ? " with another mask" : "");
    }
}

/* Nobody can run: all wait at the same barrier, or something is wrong. Returns false at the end. */
static bool open_barrier()
{
    int first = -1;
    for (int i = 0; i < thread_count && first < 0; i++)
        if (threads[i].now == state::waits) first = i;
    if (first < 0) return false;
    for (int i = 0; i < thread_count; i++)
        if (threads[i].now == state::waits && threads[i].kind != meeting::block) fail_warp(i);
    for (int i = 0; i < thread_count; i++) {
        const thread &t = threads[i];
        if (t.now == state::ended || !same_place(t, threads[first]))
            fail("divergent barrier: %s, but %s", describe(first), describe(i));
    }
    for (int i = 0; i < thread_count; i++) threads[i].now = state::ready;
    if (recording) recorder_meet_block(&threads[first].where);
    return true;
}

/* --- Turns ----------------------------------------------------------------------------------- */

/* A fiber runs threads one after the other until one of them waits: it is that thread's then, and
 * another one goes on with the next. So kernels without barriers need one fiber for all threads,
 * and one that waits changes to the next thread at once. */
static fiber fibers[MOST_THREADS];
static std::vector<int> idle; /* fibers that wait for a fresh thread */
static int fiber_count;       /* that have a stack */
static int64_t turn;          /* next place in the sequence */
static bool has_moved;        /* somebody had a turn since the sequence began */

/* The next one that can run; -1: all threads have ended. */
static int next_thread()
{
    for (;;) {
        while (turn < thread_count) {
            const int number = (int)turns[(size_t)turn++];
            if (threads[number].now != state::ready) continue;
            has_moved = true;
            return number;
        }
        if (!has_moved && !open_barrier()) return -1;
        renew_sequence(thread_count, turns);
        turn = 0, has_moved = false;
    }
}

static void run_threads();

static int take_fiber()
{
    if (!idle.empty()) {
        const int number = idle.back();
        idle.pop_back();
        return number;
    }
    prepare(fibers[fiber_count], fiber_count, run_threads);
    return fiber_count++;
}

/* The thread that runs from now on. */
static void begin_turn(int number)
{
    current = number;
    running_lane = number % warpSize;
    threadIdx = threads[number].index;
}

static void change_to(fiber &from, int number)
{
    if (threads[number].fiber == FRESH) threads[number].fiber = take_fiber();
    begin_turn(number);
    fiber &to = fibers[threads[number].fiber];
    if (&to != &from) change(from, to);
}

static void run_threads()
{
    const int mine = threads[current].fiber;
    arrive(fibers[mine]);
    for (;;) {
        (*body)();
        threads[current].now = state::ended;
        current = -1;
        const int next = next_thread();
        if (next >= 0 && threads[next].fiber == FRESH) {
            threads[next].fiber = mine;
            begin_turn(next);
            continue;
        }
        idle.push_back(mine);
        if (next >= 0)
            change_to(fibers[mine], next);
        else
            change(fibers[mine], host_side);
    }
}

uint64_t meet(meeting kind, place where, unsigned mask, uint64_t value, int source)
{
    if (current < 0) fail("%s:%d: on the host", where.file, where.line);
    thread &t = threads[current];
    const int number = current;
    t.kind = kind;
    t.where = where;
    t.mask = mask;
    t.value = value;
    t.source = source;
    t.now = state::waits;
    current = -1;
    if (kind != meeting::block) try_warp(number);
    change_to(fibers[t.fiber], next_thread()); /* there is one: this one waits */
    return t.result;
}

void meet_block(place where)
{
    meet(meeting::block, where, 0);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

/* Shared memory ends where a page ends, a closed one behind it, and begins as not-a-number; ints
 * begin as -1. What lies in front of it must stay so. */
static const size_t page_bytes = 65536; /* a multiple of every machine's pages */
static const size_t shared_pages = 4 * page_bytes, margin = 1024; /* a Hopper has 227 KB */

static void make_shared()
{
    char *memory = new_pages(shared_pages + 2 * page_bytes, PROT_NONE);
    if (!memory) fail("no memory for the shared memory of a block");
    shared_start = memory + page_bytes;
    protect_pages(shared_start, shared_pages, PROT_READ | PROT_WRITE);
}

bool is_shared_address(const void *address)
{
    const char *p = static_cast<const char *>(address);
    return shared_start && p >= shared_start - page_bytes &&
           p < shared_start + shared_pages + page_bytes;
}

static void check_margin()
{
    const char *start = shared - margin;
    if (static_cast<unsigned char>(*start) == 0xff && !std::memcmp(start, start + 1, margin - 1))
        return;
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
    for (int i = 0; i < thread_count; i++) threads[i].now = state::ready, threads[i].fiber = FRESH;
    for (int i = 0; i < thread_count; i += warpSize) meetings[i / warpSize].lanes = 0;
    renew_sequence(thread_count, turns);
    turn = 0, has_moved = false;
}

static void run_block()
{
    begin_block();
    change_to(host_side, next_thread());
    if (recording) recorder_meet_block(nullptr);
    check_margin();
}

static void number_threads(dim3 size)
{
    thread_count = (int)(size.x * size.y * size.z);
    for (unsigned i = 0; i < (unsigned)thread_count; i++)
        threads[i].index = uint3{i % size.x, i / size.x % size.y, i / size.x / size.y};
    make_sequence(thread_count, turns);
}

static bool is_prime(int64_t n)
{
    for (int64_t i = 2; i * i <= n; i++)
        if (n % i == 0) return false;
    return true;
}

/* A prime has no factor in common with the rows of a grid, so
 * that all columns have their turn. */
int64_t distance_of_blocks(int64_t count)
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
