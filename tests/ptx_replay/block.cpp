/* How the PTX interpreter runs a grid: block after block, and in a block one warp after the other
 * until all of them wait, forwards in one block and backwards in the next. Then barriers open. */
#include "machine.h"

#include <algorithm>
#include <cstdio>

namespace ptx
{
static const int64_t most_steps = (int64_t)1 << 31; /* operations of warps in a block */

static void fill(warp &w, int index, slot value)
{
    std::fill_n(w.result(index), (size_t)LANES, value);
}

static void fill_lanes(warp &w)
{
    const dimensions size = w.home->shape.block;
    for (int l = 0; l < LANES; l++) {
        const unsigned thread = (unsigned)(w.first_thread + l);
        w.result(TID_X)[l] = thread % size.x;
        w.result(TID_Y)[l] = thread / size.x % size.y;
        w.result(TID_Z)[l] = thread / size.x / size.y;
        w.result(LANEID)[l] = (slot)l;
        w.result(LANEMASK_LT)[l] = ((slot)1 << l) - 1;
    }
}

static void fill_numbers(warp &w)
{
    const block &b = *w.home;
    const slot values[] = {0,
                           0,
                           0,
                           b.shape.block.x,
                           b.shape.block.y,
                           b.shape.block.z,
                           b.index.x,
                           b.index.y,
                           b.index.z,
                           b.shape.grid.x,
                           b.shape.grid.y,
                           b.shape.grid.z,
                           0,
                           (slot)(w.first_thread / LANES),
                           0,
                           0};
    static_assert(sizeof values / sizeof *values == SPECIALS, "");
    for (int i = 0; i < SPECIALS; i++) fill(w, i, values[i]);
    for (const auto &c : b.code->constants) fill(w, c.first, c.second);
}

void start_warp(warp &w)
{
    const int present = std::min((int)LANES, w.home->threads - w.first_thread);
    const size_t registers = (size_t)w.home->code->registers;
    w.storage.resize((registers + 1) * LANES);
    w.registers = w.storage.data();
    w.defined.assign(registers, ALL_LANES);
    for (int r : w.home->code->unsure) w.defined[(size_t)r] = 0;
    fill_numbers(w);
    fill_lanes(w);
    w.lives = w.runs = present == LANES ? ALL_LANES : (1u << present) - 1;
    w.waits = w.barred = 0;
    w.meetings = 0;
    std::fill_n(w.place, (size_t)LANES, 0);
}

/* --- Barriers --------------------------------------------------------------------------------- */

static void release(warp &w, uint32_t number)
{
    for_lanes(w.barred, [&](int l) {
        if (w.barrier[l] != number) return;
        w.place[l]++;
        w.runs |= 1u << l;
    });
    w.barred &= ~w.runs;
}

static uint32_t count_at(const std::vector<warp> &warps, uint32_t number)
{
    uint32_t count = 0;
    for (const warp &w : warps)
        for_lanes(w.barred, [&](int l) { count += w.barrier[l] == number; });
    return count;
}

/* Lanes of a warp wait at the same operation: these barriers are "aligned". */
static void check_warp(const warp &w)
{
    if (!w.barred) return;
    const int first = __builtin_ctz(w.barred);
    const operation &o = w.home->code->code[(size_t)w.place[first]];
    for_lanes(w.barred, [&](int l) {
        if (w.place[l] != w.place[first])
            fail_at(w, o, l, "another lane of the warp waits at another barrier");
    });
}

/* Returned: did anybody go on? Nobody: all have ended. */
static bool open_barriers(block &b, std::vector<warp> &warps)
{
    const warp *waiting = nullptr;
    for (warp &w : warps) {
        check_warp(w);
        if (!w.barred) continue;
        if (!waiting) waiting = &w;
        const int lane = __builtin_ctz(w.barred);
        const uint32_t number = w.barrier[lane];
        if (count_at(warps, number) != w.barrier_threads[lane]) continue;
        for (warp &other : warps) release(other, number);
        b.meetings++;
        return true;
    }
    if (!waiting) return false;
    const int lane = __builtin_ctz(waiting->barred);
    fail_at(*waiting, b.code->code[(size_t)waiting->place[lane]], lane,
            "waits with %u threads for %u, but nobody else comes",
            count_at(warps, waiting->barrier[lane]), waiting->barrier_threads[lane]);
}

/* --- Grids ------------------------------------------------------------------------------------ */

static void run_block(block &b, std::vector<warp> &warps, bool is_backwards)
{
    b.shared.start(b.code->shared_bytes + b.shape.shared_bytes);
    b.local.assign((size_t)b.threads * b.code->local_bytes, 0xff);
    b.meetings = 0;
    b.steps_left = most_steps;
    for (warp &w : warps) start_warp(w);
    do {
        for (size_t i = 0; i < warps.size(); i++)
            run_warp(warps[is_backwards ? warps.size() - 1 - i : i]);
    } while (open_barriers(b, warps));
}

int64_t run_launch(const program &code, memory &global, const launch_shape &shape,
                   const std::vector<uint8_t> &arguments)
{
    block b;
    b.code = &code, b.global = &global, b.arguments = arguments, b.shape = shape;
    b.threads = (int)shape.block.count();
    if (code.most_threads && b.threads > code.most_threads)
        fail("%s: %d threads, compiled for %d", code.name.c_str(), b.threads, code.most_threads);
    std::vector<warp> warps(((size_t)b.threads + LANES - 1) / LANES);
    for (size_t i = 0; i < warps.size(); i++)
        warps[i].home = &b, warps[i].first_thread = (int)i * LANES;
    for (size_t i = 0; i < shape.grid.count(); i++) {
        b.index.x = (unsigned)(i % shape.grid.x);
        b.index.y = (unsigned)(i / shape.grid.x % shape.grid.y);
        b.index.z = (unsigned)(i / shape.grid.x / shape.grid.y);
        run_block(b, warps, i % 2 != 0);
    }
    return b.lane_steps;
}
} // namespace ptx
