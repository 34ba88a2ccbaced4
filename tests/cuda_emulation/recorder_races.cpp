/* Which two threads read and write the same word with nothing that orders them.
 *
 * The rule. Two accesses to one word of four bytes, at least one of them a write, by two threads,
 * are a race unless one comes before the other by
 *   - a launch: what an earlier kernel did comes before all that a later one does;
 *   - __syncthreads(), for threads of one block;
 *   - __syncwarp(mask), for the lanes of the mask, and through a third lane as well.
 * Shuffles and votes order nothing, nor does anything between blocks of a launch: there are neither
 * atomic operations nor fences in the kernels. It does not matter which of the two ran first here,
 * nor whether two writes are of the same value. So what is found does not depend on the sequence of
 * threads; what is not executed is not seen.
 *
 * A word remembers its last write and two reads, by two threads, of two warps if there were any.
 * Two are enough where only __syncthreads() orders: the next writer is not both of them. Of three
 * reads or more by one warp that calls of __syncwarp() with part of the lanes order differently,
 * one may be forgotten. A read of shared memory that nobody of the block has written is a finding,
 * too.
 *
 * Time is a number that each meeting raises. A thread's access comes before this moment if its time
 * lies before the start of the launch, before the block's last barrier, or, in the same warp,
 * before what `seen` says this lane knows of the other one. */
#include "recorder.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <unordered_set>

namespace emulation
{
namespace recorder
{
struct access_stamp {
    uint32_t time = 0;
    uint32_t thread : 10, site : 22;
    access_stamp() : thread(0), site(0)
    {
    }
};

struct word {
    access_stamp write, read[2];
};

enum { WORD = 4, PAGE_WORDS = 1024, MOST_SITES = 1 << 22, MOST_PAGES = 16384, CACHED = 4096 };

struct page {
    word words[PAGE_WORDS];
};

struct block_start {
    uint32_t time;
    uint3 index;
};

static uint32_t now = 1, launch_time = 1, block_time = 1, barrier_time = 1;
static std::vector<block_start> block_starts; /* of this launch */
static std::map<uintptr_t, std::unique_ptr<page>> pages;
static struct {
    uintptr_t number;
    page *where;
} cached[CACHED];
static std::vector<word> shared_words;
static uintptr_t shared_begin;
static uint32_t seen[1024][32]; /* of each thread and lane of its warp: known up to this time */
static std::set<std::string> findings;
static std::unordered_set<uint64_t> pairs_found; /* of sites, before any words are made */
static int64_t race_count;

/* --- Time ------------------------------------------------------------------------------------ */

static uint32_t next_time()
{
    if (++now == 0) fail("the recorder has run out of numbers for time");
    return now;
}

void begin_grid()
{
    launch_time = next_time();
    block_starts.clear();
    if (pages.size() > MOST_PAGES) forget_memory();
}

void begin_block(uintptr_t shared, size_t bytes)
{
    block_time = barrier_time = next_time();
    block_starts.push_back({block_time, blockIdx});
    shared_begin = shared;
    if (shared_words.size() < bytes / WORD) shared_words.resize(bytes / WORD);
}

void order_block()
{
    barrier_time = next_time();
}

void order_warp(int first, unsigned mask)
{
    const uint32_t time = next_time();
    uint32_t joined[32] = {};
    for (int lane = 0; lane < warpSize; lane++)
        if (mask >> lane & 1) {
            for (int other = 0; other < warpSize; other++)
                joined[other] = std::max(joined[other], seen[first + lane][other]);
        }
    for (int lane = 0; lane < warpSize; lane++)
        if (mask >> lane & 1) joined[lane] = time;
    for (int lane = 0; lane < warpSize; lane++)
        if (mask >> lane & 1) std::memcpy(seen[first + lane], joined, sizeof joined);
}

void forget_memory()
{
    pages.clear();
    std::memset(cached, 0, sizeof cached);
}

/* Does the earlier access come before what the thread does now, or is it the thread's own? Another
 * block's shared memory is not this one. */
static bool is_before(const access_stamp &a, const memory_access &mine)
{
    if (a.time < launch_time) return true;
    if (a.time < block_time) return mine.is_shared; /* of another block */
    if ((int)a.thread == mine.thread || a.time < barrier_time) return true;
    return (int)a.thread / warpSize == mine.thread / warpSize &&
           a.time < seen[mine.thread][a.thread % warpSize];
}

/* --- Words ----------------------------------------------------------------------------------- */

static page *find_page(uintptr_t number)
{
    auto &near = cached[number % CACHED];
    if (near.where && near.number == number) return near.where;
    std::unique_ptr<page> &place = pages[number];
    if (!place) place.reset(new page);
    near.number = number, near.where = place.get();
    return near.where;
}

/* end: behind the words that follow it in memory. */
static word *find_word(uintptr_t address, bool is_shared, const word **end)
{
    if (is_shared) {
        *end = shared_words.data() + shared_words.size();
        return &shared_words[(address - shared_begin) / WORD];
    }
    const uintptr_t number = address / WORD;
    page *p = find_page(number / PAGE_WORDS);
    *end = p->words + PAGE_WORDS;
    return &p->words[number % PAGE_WORDS];
}

/* --- Findings ------------------------------------------------------------------------------- */

static std::string block_of(uint32_t time)
{
    uint3 index = {0, 0, 0};
    for (const block_start &b : block_starts)
        if (b.time <= time) index = b.index;
    char text[80];
    snprintf(text, sizeof text, "block (%u, %u, %u)", index.x, index.y, index.z);
    return text;
}

static std::string source_of(int site)
{
    const source_place &source = sites[(size_t)site].source;
    return source.line ? source.file + ":" + std::to_string(source.line) : "an unknown place";
}

static std::string memory_of(const memory_access &what)
{
    if (what.is_shared) return "byte " + std::to_string(what.address - shared_begin);
    size_t size = 0;
    const size_t offset = offset_in_allocation(reinterpret_cast<void *>(what.address), &size);
    return "byte " + std::to_string(offset) + " of " + std::to_string(size) + " allocated";
}

/* Each finding once, in either sequence: kernel, both places, whether they read or write. */
static void report_finding(const memory_access &what, const std::string &earlier,
                           const std::string &later, const std::string &details)
{
    const std::string kernel = kernels[(size_t)sites[(size_t)what.site].kernel];
    const std::string memory = what.is_shared ? "shared" : "global";
    if (!findings.insert(kernel + memory + std::min(earlier, later) + std::max(earlier, later))
             .second)
        return;
    race_count++;
    fprintf(stderr, "CUDA emulation: race of %s in %s memory: %s, then %s\n    %s\n    in %s\n",
            kernel.c_str(), memory.c_str(), earlier.c_str(), later.c_str(), details.c_str(),
            running());
}

static void report_race(const memory_access &what, const access_stamp &other, bool other_writes)
{
    const uint64_t pair = ((uint64_t)what.site << 22 | other.site) << 1 | other_writes;
    if (!pairs_found.insert(pair).second) return;
    const bool same_block = other.time >= block_time;
    report_finding(what, source_of((int)other.site) + (other_writes ? " writes" : " reads"),
                   source_of(what.site) + (what.is_write ? " writes" : " reads"),
                   memory_of(what) + "; first thread " + std::to_string(other.thread) + " of " +
                       block_of(other.time) +
                       (same_block ? ", no barrier since" : ", another block of the launch"));
}

/* --- Accesses -------------------------------------------------------------------------------- */

static access_stamp stamp_of(const memory_access &what)
{
    access_stamp stamp;
    stamp.time = now;
    stamp.thread = (unsigned)what.thread & 1023;
    stamp.site = (unsigned)what.site & (MOST_SITES - 1);
    return stamp;
}

static bool is_of_block(const access_stamp &a, const access_stamp &b)
{
    return (a.time >= block_time) == (b.time >= block_time);
}

/* The read takes the place of one that comes before it, or of one of two by one warp. */
static void remember_read(word *w, const memory_access &what)
{
    const access_stamp mine = stamp_of(what);
    for (access_stamp &earlier : w->read)
        if (is_before(earlier, what)) {
            earlier = mine;
            return;
        }
    const bool same_warp = is_of_block(w->read[0], w->read[1]) &&
                           w->read[0].thread / warpSize == w->read[1].thread / warpSize;
    if (same_warp) w->read[1] = mine;
}

static void check_word(word *w, const memory_access &what)
{
    if (what.is_shared && !what.is_write && w->write.time < block_time)
        report_finding(what, "nobody writes", source_of(what.site) + " reads", memory_of(what));
    if (!is_before(w->write, what)) report_race(what, w->write, true);
    if (what.is_write) {
        for (const access_stamp &read : w->read)
            if (!is_before(read, what)) report_race(what, read, false);
        w->write = stamp_of(what);
        w->read[0] = w->read[1] = access_stamp();
    } else {
        remember_read(w, what);
    }
}

/* Every access of a kernel is of whole words: else a word would have to be told by its bytes. */
void check_order(const memory_access &what)
{
    if (what.address % WORD || what.width % WORD)
        fail("%s: %d bytes at %p: the recorder knows whole words of four bytes only",
             source_of(what.site).c_str(), what.width, reinterpret_cast<void *>(what.address));
    const word *end_of_page = nullptr;
    word *w = nullptr;
    memory_access part = what;
    for (int byte = 0; byte < what.width; byte += WORD, part.address += WORD) {
        w = w == end_of_page ? find_word(part.address, what.is_shared, &end_of_page) : w;
        check_word(w++, part);
    }
}

int64_t take_race_count()
{
    const int64_t count = race_count;
    race_count = 0;
    findings.clear();
    pairs_found.clear();
    return count;
}
} // namespace recorder
} // namespace emulation
