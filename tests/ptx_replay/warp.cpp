/* How the PTX interpreter runs a warp. Lanes that are at the same operation go together; of several
 * groups the one at the earliest operation goes first, so that those that went different ways meet
 * again where their ways do. At an operation of the whole warp a lane waits for the lanes of its
 * mask, at a barrier for the block. */
#include "machine.h"

#include <cstdarg>
#include <climits>
#include <cstdio>

namespace ptx
{
void fail_at(const warp &w, const operation &o, int lane, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const block &b = *w.home;
    fail("block (%u, %u, %u), thread %d, line %d, %s: %s", b.index.x, b.index.y, b.index.z,
         w.first_thread + lane, o.line, b.code->names[(size_t)o.name].c_str(), text);
}

/* Lanes that go together now, and the first operation that is another group's. */
struct group {
    uint32_t lanes = 0;
    int place = INT_MAX, others = INT_MAX;
};

static group choose_group(const warp &w)
{
    group g;
    for_lanes(w.runs, [&](int l) {
        if (w.place[l] < g.place) {
            g.others = g.place;
            g.place = w.place[l], g.lanes = 0;
        }
        if (w.place[l] == g.place)
            g.lanes |= 1u << l;
        else if (w.place[l] < g.others)
            g.others = w.place[l];
    });
    return g;
}

static void put_at(warp &w, uint32_t lanes, int place)
{
    for_lanes(lanes, [&](int l) { w.place[l] = place; });
}

static uint32_t guarded(const warp &w, const operation &o, uint32_t lanes)
{
    if (o.guard < 0) return lanes;
    const slot *p = w.value(o.guard);
    uint32_t result = 0;
    for_lanes(lanes, [&](int l) { result |= (uint32_t)((p[l] != 0) != o.is_negated) << l; });
    return result;
}

static void check_sources(warp &w, const operation &o, uint32_t lanes)
{
    const auto check = [&](int source) {
        if (source < 0) return;
        const uint32_t missing = lanes & ~w.defined[(size_t)source];
        if (missing) fail_at(w, o, __builtin_ctz(missing), "reads a register that has no value");
    };
    check(o.guard);
    for (int source : o.from) check(source);
}

static void act(warp &w, const operation &o, uint32_t lanes)
{
    if (!lanes) return;
    w.home->lane_steps += __builtin_popcount(lanes);
    if (o.is_watched) check_sources(w, o, lanes);
    if (o.act) o.act(w, o, lanes);
    if (!o.is_noted) return;
    const uint32_t made = o.is_move ? lanes & w.defined[(size_t)o.from[0]] : lanes;
    for (int to : o.to) {
        if (to < 0) continue;
        uint32_t &defined = w.defined[(size_t)to];
        defined = (defined & ~lanes) | made;
    }
}

/* --- Operations of several lanes ---------------------------------------------------------------
 */

static uint32_t mask_of(const warp &w, const operation &o, int lane)
{
    int last = -1;
    for (int source : o.from)
        if (source >= 0) last = source;
    const bool has_mask = o.kind != NO_MASK && last >= 0;
    return has_mask ? (uint32_t)w.value(last)[lane] : ALL_LANES;
}

/* All lanes of the mask of one of the group have come: they act. Returned: those lanes; 0: they
 * wait for others. */
static uint32_t meet_lanes(warp &w, const operation &o, const group &g)
{
    const int first = __builtin_ctz(g.lanes);
    const uint32_t mask = mask_of(w, o, first);
    uint32_t here = g.lanes;
    for_lanes(w.waits, [&](int l) { here |= (uint32_t)(w.place[l] == g.place) << l; });
    for_lanes(g.lanes, [&](int l) {
        if (!(mask_of(w, o, l) >> l & 1))
            fail_at(w, o, l, "is not in its own mask %08x", mask_of(w, o, l));
    });
    put_at(w, g.lanes, g.place);
    w.runs &= ~g.lanes, w.waits |= g.lanes;
    if ((here & mask) != mask) return 0;
    for_lanes(mask, [&](int l) {
        if (mask_of(w, o, l) != mask)
            fail_at(w, o, l, "has the mask %08x, lane %d has %08x", mask_of(w, o, l), first, mask);
    });
    act(w, o, mask);
    put_at(w, mask, g.place + 1);
    w.waits &= ~mask, w.runs |= mask;
    return mask;
}

/* Sources of a barrier: its number, perhaps the count of its threads. */
static void wait_at_barrier(warp &w, const operation &o, const group &g)
{
    for_lanes(g.lanes, [&](int l) {
        w.place[l] = g.place;
        w.barrier[l] = (uint32_t)w.value(o.from[0])[l];
        w.barrier_threads[l] =
            o.from[1] < 0 ? (uint32_t)w.home->threads : (uint32_t)w.value(o.from[1])[l];
    });
    w.runs &= ~g.lanes, w.barred |= g.lanes;
}

static void fail_waiting(const warp &w)
{
    const int lane = __builtin_ctz(w.waits);
    const operation &o = w.home->code->code[(size_t)w.place[lane]];
    for_lanes(mask_of(w, o, lane), [&](int l) {
        if ((w.waits >> l & 1) && w.place[l] == w.place[lane]) return;
        const char *where = !(w.lives >> l & 1) ? "has ended or is not there"
                            : w.barred >> l & 1 ? "waits at a barrier"
                                                : "waits at another operation";
        fail_at(w, o, lane, "waits for lane %d, which %s", l, where);
    });
}

/* --- Turns ------------------------------------------------------------------------------------ */

/* Where the lanes of the group go; they are together as long as it says so. */
static bool jump(warp &w, const operation &o, group &g)
{
    const uint32_t taken = guarded(w, o, g.lanes);
    if (o.is_watched) check_sources(w, o, g.lanes);
    w.home->lane_steps += __builtin_popcount(g.lanes);
    if (o.what == flow::table) {
        const std::vector<int> &table = w.home->code->tables[(size_t)o.target];
        put_at(w, g.lanes, g.place + 1);
        for_lanes(taken, [&](int l) {
            const slot index = w.value(o.from[0])[l];
            if (index >= table.size())
                fail_at(w, o, l, "has no place %llu", (unsigned long long)index);
            w.place[l] = table[index];
        });
        return false;
    }
    if (taken == g.lanes || !taken) {
        g.place = taken ? o.target : g.place + 1;
        if (g.place < g.others) return true;
        put_at(w, g.lanes, g.place);
        return false;
    }
    put_at(w, taken, o.target);
    put_at(w, g.lanes & ~taken, g.place + 1);
    return false;
}

static bool end_lanes(warp &w, const operation &o, group &g)
{
    const uint32_t ended = guarded(w, o, g.lanes);
    if (o.what == flow::trap && ended) fail_at(w, o, __builtin_ctz(ended), "a trap");
    w.lives &= ~ended, w.runs &= ~ended;
    put_at(w, g.lanes & ~ended, g.place + 1);
    return false;
}

/* One operation that is not like the others. Returned: do the lanes stay together? */
static bool turn(warp &w, const operation &o, group &g)
{
    switch (o.what) {
    case flow::jump:
    case flow::table:
        return jump(w, o, g);
    case flow::meet:
    case flow::barrier:
        if (guarded(w, o, g.lanes) != g.lanes)
            fail_at(w, o, __builtin_ctz(g.lanes), "has a guard that lanes differ in");
        if (o.is_watched) check_sources(w, o, g.lanes);
        if (o.what == flow::barrier) {
            wait_at_barrier(w, o, g);
            return false;
        }
        return meet_lanes(w, o, g) == g.lanes && ++g.place < g.others;
    default:
        return end_lanes(w, o, g);
    }
}

static void run_group(warp &w, group g)
{
    const operation *code = w.home->code->code.data();
    for (;;) {
        const operation &o = code[g.place];
        if (--w.home->steps_left < 0) fail_at(w, o, 0, "the block does not end");
        if (o.what != flow::next) {
            if (!turn(w, o, g)) return;
            continue;
        }
        act(w, o, guarded(w, o, g.lanes));
        if (++g.place >= g.others) break;
    }
    put_at(w, g.lanes, g.place);
}

void run_warp(warp &w)
{
    while (w.runs) run_group(w, choose_group(w));
    if (w.waits) fail_waiting(w);
}
} // namespace ptx
