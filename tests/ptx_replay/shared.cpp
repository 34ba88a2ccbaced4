/* Shared memory of the PTX interpreter, which knows who has written and read it. What nobody has
 * written may not be read. Two threads that touch the same four bytes, one of them to write, must
 * have met in between: at a barrier of the block, or, if both are of one warp, at a bar.warp.sync
 * of the warp. Whether they have does not depend on which warp runs first, so that a missing
 * barrier is found in any case. */
#include "machine.h"

namespace ptx
{
enum { NOBODY = -1, SEVERAL = -2, MANY = -3 };

void shared_memory::start(size_t size)
{
    bytes.assign(size, 0xff);
    written.assign(size, 0);
    marks.assign((size + 3) / 4, shared_mark());
}

struct visitor {
    int thread, warp;
    uint32_t of_block, of_warp;
};

static visitor visitor_of(const warp &w, int lane)
{
    return {w.first_thread + lane, w.first_thread / LANES, w.home->meetings, w.meetings};
}

static bool has_met_writer(const shared_mark &m, const visitor &v)
{
    if (m.writer == NOBODY || m.writer == v.thread || m.write_block != v.of_block) return true;
    return m.writer / LANES == v.warp && m.write_warp != v.of_warp;
}

static bool has_met_readers(const shared_mark &m, const visitor &v)
{
    if (m.reader == NOBODY || m.reader == v.thread || m.read_block != v.of_block) return true;
    return m.reader != MANY && m.reader_warp == v.warp && m.read_warp != v.of_warp;
}

static void note_reader(shared_mark &m, const visitor &v)
{
    if (has_met_readers(m, v))
        m.reader = v.thread;
    else
        m.reader = m.reader_warp == v.warp && m.reader != MANY ? SEVERAL : MANY;
    m.reader_warp = v.warp;
    m.read_block = v.of_block, m.read_warp = v.of_warp;
}

void shared_memory::read(const warp &w, int lane, uint64_t offset, size_t width)
{
    const visitor v = visitor_of(w, lane);
    for (size_t i = offset; i < offset + width; i++)
        if (!written[i]) fail("reads byte %zu of shared memory, which nobody has written", i);
    for (size_t i = offset / 4; i <= (offset + width - 1) / 4; i++) {
        if (!has_met_writer(marks[i], v))
            fail("reads byte %zu of shared memory, which thread %d has written since they last met",
                 4 * i, marks[i].writer);
        note_reader(marks[i], v);
    }
}

void shared_memory::write(const warp &w, int lane, uint64_t offset, size_t width)
{
    const visitor v = visitor_of(w, lane);
    std::memset(&written[offset], 1, width);
    for (size_t i = offset / 4; i <= (offset + width - 1) / 4; i++) {
        shared_mark &m = marks[i];
        if (!has_met_writer(m, v))
            fail("writes byte %zu of shared memory, which thread %d has written since they last "
                 "met",
                 4 * i, m.writer);
        if (!has_met_readers(m, v))
            fail("writes byte %zu of shared memory, which another thread has read since they last "
                 "met",
                 4 * i);
        m.writer = v.thread, m.write_block = v.of_block, m.write_warp = v.of_warp;
    }
}
} // namespace ptx
