/* The machine of the PTX interpreter: device memory as a launch found it, a block and its shared
 * memory, warps. */
#ifndef ARMILLA_TESTS_PTX_REPLAY_MACHINE_H
#define ARMILLA_TESTS_PTX_REPLAY_MACHINE_H

#include "program.h"

#include <cstring>

namespace ptx
{
/* --- Device memory (memory.cpp) -------------------------------------------------------------- */

/* An allocation. Of each four bytes: how they were stored, and whether they were read as memory
 * that nobody writes (ld.global.nc). */
enum { READ_NONCOHERENT = 16 };
struct region {
    uint64_t first;
    std::vector<uint8_t> bytes, marks;
};

struct memory {
    std::vector<region> regions; /* by address */
    size_t last = 0;             /* region found last */

    void add(uint64_t first, const void *bytes, size_t size);
    region *find(uint64_t address, size_t bytes);
};

/* --- Shared memory (shared.cpp) -------------------------------------------------------------- */

/* Who has last read and written four bytes of shared memory, and when: the block's barriers and
 * the warp's meetings so far. Two threads of whom one writes must have met in between. */
struct shared_mark {
    int32_t writer = -1, reader = -1; /* threads; reader SEVERAL: of one warp, MANY: of several */
    uint32_t write_block = 0, write_warp = 0, read_block = 0, read_warp = 0;
    int32_t reader_warp = -1;
};

struct shared_memory {
    std::vector<uint8_t> bytes;
    std::vector<shared_mark> marks;
    std::vector<uint8_t> written; /* of each byte: has it a value? */

    void start(size_t size);
    void read(const warp &w, int lane, uint64_t offset, size_t width);
    void write(const warp &w, int lane, uint64_t offset, size_t width);
};

/* --- Blocks (block.cpp) ---------------------------------------------------------------------- */

struct dimensions {
    unsigned x = 1, y = 1, z = 1;
    size_t count() const
    {
        return (size_t)x * y * z;
    }
};

struct launch_shape {
    dimensions grid, block;
    size_t shared_bytes = 0;
};

struct block {
    const program *code;
    memory *global;
    std::vector<uint8_t> arguments;
    launch_shape shape;
    dimensions index;
    int threads;
    shared_memory shared;
    std::vector<uint8_t> local; /* of all threads, one after the other */
    uint32_t meetings = 0;      /* at barriers, so far */
    int64_t steps_left = 0;     /* operations of warps, before it is taken to run for ever */
    int64_t lane_steps = 0;     /* operations of lanes so far */
};

struct warp {
    block *home;
    int first_thread;
    slot *registers;
    std::vector<slot> storage;
    std::vector<uint32_t> defined; /* of each register that may lack a value: lanes that have one */
    uint32_t lives, runs, waits, barred;             /* lanes */
    int place[LANES];                                /* the operation that is next, or waited at */
    uint32_t meetings;                               /* of the whole warp, so far */
    uint32_t barrier[LANES], barrier_threads[LANES]; /* where barred lanes wait, for how many */

    const slot *value(int index) const
    {
        return registers + (size_t)index * LANES;
    }
    slot *result(int index)
    {
        return registers + (size_t)index * LANES;
    }
};

/* Runs every block of a launch. Faults: what the kernel does wrong, with the place. Returned:
 * operations, each lane counted. */
int64_t run_launch(const program &code, memory &global, const launch_shape &shape,
                   const std::vector<uint8_t> &arguments);

void start_warp(warp &w);
void run_warp(warp &w); /* until no lane can go on (warp.cpp) */

/* "line 12, ld.global.f64, lane 3" of an error in an operation. */
[[noreturn]] void fail_at(const warp &w, const operation &o, int lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* --- Lanes ----------------------------------------------------------------------------------- */

template <typename F> inline __attribute__((always_inline)) void for_lanes(uint32_t lanes, F f)
{
    if (lanes == ALL_LANES)
        for (int l = 0; l < LANES; l++) f(l);
    else
        for (; lanes; lanes &= lanes - 1) f(__builtin_ctz(lanes));
}

template <typename T> inline T as(slot s)
{
    T value;
    std::memcpy(&value, &s, sizeof value); /* little-endian machines */
    return value;
}

template <typename T> inline slot to_slot(T value)
{
    slot s = 0;
    std::memcpy(&s, &value, sizeof value);
    return s;
}
} // namespace ptx

#endif
