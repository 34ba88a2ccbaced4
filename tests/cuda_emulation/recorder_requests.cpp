/* What the warps ask of memory. Threads run one after the other here, so the lanes of a warp are
 * put together again: between two meetings of a warp the k-th access of each lane by one
 * instruction is one request. Where lanes go through a loop different numbers of times, or take
 * different branches, a GPU may pair them otherwise; at the next meeting they are in step again.
 *
 * Neighbours that the compiler here reads or writes apart, within 8 or 16 aligned bytes, count as
 * the one access that CUDA's compiler makes of them: in shared memory, whose start it knows to be
 * aligned, where they are of one line of the source; in global memory where line and column are the
 * same, as those of the members of a struct that is copied.
 *
 * Global memory moves in sectors of 32 bytes. `asked`: different bytes that the lanes ask for;
 * `moved`: 32 for each sector that has some of them. A sector that is read stays in the first-level
 * cache for a while, and what is asked of it then does not move again: for each warp the last 128
 * sectors, 4 KB, a 64th of an SM's 256 KB. Writes go through: each request by itself. Shared memory
 * has 32 banks of 4 bytes; lanes go together as many as have 128 bytes: 32 with 4 bytes, 16 with 8,
 * 8 with 16. Each such group takes as many cycles as one bank has different words of it;
 * `conflicts` counts those beyond the first. */
#include "recorder.h"

#include <algorithm>
#include <cstring>

namespace emulation
{
namespace recorder
{
enum { SECTOR = 32, BANKS = 32, BANK = 4, WIDEST = 16, RECENT = 8, CACHE = 128 };

struct request {
    uint32_t lanes;
    int sequence; /* among the accesses of the lane that made it */
    int width;
    uintptr_t address[32];
};

/* Requests of one instruction by one warp since its last meeting. */
struct request_row {
    int site;
    uint32_t count[32]; /* of each lane */
    std::vector<request> requests;
};

/* Sectors and which of their bytes have been asked for. */
template <int MOST> struct sector_set {
    uintptr_t number[MOST];
    uint32_t bytes[MOST];
    int count = 0, next = 0; /* next: takes the place of the oldest */

    int find(uintptr_t wanted) const
    {
        for (int i = next - 1; i >= 0; i--) /* neighbours mostly lie in the last one */
            if (number[i] == wanted) return i;
        for (int i = count - 1; i >= next; i--)
            if (number[i] == wanted) return i;
        return -1;
    }

    void add(uintptr_t address, cuda_emulation_access *counts)
    {
        int i = find(address / SECTOR);
        if (i < 0) {
            i = next, next = (next + 1) % MOST;
            count = count < MOST ? count + 1 : MOST;
            number[i] = address / SECTOR, bytes[i] = 0;
            counts->moved += SECTOR;
        }
        const uint32_t mine = 15u << address % SECTOR;
        counts->asked += __builtin_popcount(mine & ~bytes[i]);
        bytes[i] |= mine;
    }
};

struct warp_requests {
    std::vector<int> row_of;       /* of each site; -1: none */
    std::vector<request_row> rows; /* the first `used` of them */
    size_t used = 0;
    sector_set<CACHE> cache;
};
static warp_requests warps[32];
static int warp_count;

/* The last accesses of the thread that runs, of which one may be a neighbour of the next. */
struct recent_access {
    int site, width;
    size_t row, number;
    uintptr_t address;
};
static recent_access recent[RECENT];
static int recent_count, recent_thread = -1, sequence;

/* --- Adding up ------------------------------------------------------------------------------- */

template <int MOST>
static void count_global(const request &r, sector_set<MOST> &sectors, cuda_emulation_access *counts)
{
    uintptr_t before = 0;
    for (int lane = 0; lane < warpSize; lane++) {
        if (!(r.lanes >> lane & 1) || r.address[lane] == before) continue;
        before = r.address[lane];
        for (int byte = 0; byte < r.width; byte += BANK)
            sectors.add(before + (uintptr_t)byte, counts);
    }
}

/* Cycles of `together` lanes: the most different words of one bank. */
static int count_cycles(const request &r, int first, int together)
{
    uintptr_t words[BANKS][32];
    int counts[BANKS] = {}, most = 0;
    for (int lane = first; lane < first + together; lane++) {
        if (!(r.lanes >> lane & 1)) continue;
        for (int byte = 0; byte < r.width; byte += BANK) {
            const uintptr_t word = (r.address[lane] + (uintptr_t)byte) / BANK;
            const size_t bank = word % BANKS;
            int i = 0;
            while (i < counts[bank] && words[bank][i] != word) i++;
            if (i == counts[bank]) words[bank][counts[bank]++] = word;
            most = counts[bank] > most ? counts[bank] : most;
        }
    }
    return most;
}

static bool is_uniform(const request &r)
{
    for (int lane = 0; lane < warpSize; lane++)
        if (!(r.lanes >> lane & 1) || r.address[lane] != r.address[0]) return false;
    return true;
}

static void count_shared(const request &r, cuda_emulation_access *counts)
{
    const int together = r.width <= BANK ? 32 : r.width <= 2 * BANK ? 16 : 8;
    counts->asked += (int64_t)r.width * __builtin_popcount(r.lanes);
    if (is_uniform(r)) return;
    for (int first = 0; first < warpSize; first += together) {
        const int cycles = count_cycles(r, first, together);
        if (cycles > 1) counts->conflicts += cycles - 1;
    }
}

static void count_request(const request &r, warp_requests &warp, cuda_emulation_access *counts)
{
    counts->requests++;
    if (counts->is_shared) return count_shared(r, counts);
    if (!counts->is_write) return count_global(r, warp.cache, counts);
    sector_set<2 * 32> alone;
    count_global(r, alone, counts);
}

/* --- Putting together ------------------------------------------------------------------------ */

static size_t find_row(warp_requests &warp, int site)
{
    if (warp.row_of.size() < sites.size()) warp.row_of.resize(sites.size(), -1);
    int &row = warp.row_of[(size_t)site];
    if (row >= 0) return (size_t)row;
    row = (int)warp.used++;
    if (warp.rows.size() < warp.used) warp.rows.resize(warp.used);
    request_row &fresh = warp.rows[(size_t)row];
    fresh.site = site;
    std::memset(fresh.count, 0, sizeof fresh.count);
    fresh.requests.clear();
    return (size_t)row;
}

/* Is the access a neighbour of a recent one? Then that one grows. */
static bool join(warp_requests &warp, const memory_access &what)
{
    if (recent_thread != what.thread) recent_count = sequence = 0;
    recent_thread = what.thread;
    sequence++;
    for (int i = 0; i < recent_count; i++) {
        recent_access &other = recent[i];
        const uintptr_t low = std::min(what.address, other.address);
        const uintptr_t high =
            std::max(what.address + (uintptr_t)what.width, other.address + (uintptr_t)other.width);
        const int width = (int)(high - low);
        if (width != what.width + other.width || width > WIDEST ||
            low % WIDEST % (uintptr_t)width ||
            sites[(size_t)other.site].same != sites[(size_t)what.site].same)
            continue;
        request &grown = warp.rows[other.row].requests[other.number];
        grown.width = std::max(grown.width, width);
        grown.address[what.thread % warpSize] = other.address = low;
        other.width = width;
        return true;
    }
    return false;
}

void add_to_request(const memory_access &what)
{
    warp_requests &warp = warps[what.thread / warpSize];
    if (join(warp, what)) return;
    const size_t number = find_row(warp, what.site);
    request_row &row = warp.rows[number];
    const int lane = what.thread % warpSize;
    const size_t k = row.count[lane]++;
    if (row.requests.size() <= k) row.requests.resize(k + 1);
    request &r = row.requests[k];
    if (!r.lanes) r.sequence = sequence;
    r.lanes |= 1u << lane;
    r.width = r.width > what.width ? r.width : what.width;
    r.address[lane] = what.address;
    std::memmove(recent + 1, recent, (RECENT - 1) * sizeof *recent);
    recent[0] = {what.site, what.width, number, k, what.address};
    if (recent_count < RECENT) recent_count++;
}

void begin_requests(int threads)
{
    warp_count = (threads + warpSize - 1) / warpSize;
    for (int warp = 0; warp < warp_count; warp++)
        warps[warp].cache.count = warps[warp].cache.next = 0;
    recent_thread = -1;
}

void end_requests(int warp)
{
    warp_requests &w = warps[warp];
    static std::vector<std::pair<const request *, int>> all;
    all.clear();
    for (size_t i = 0; i < w.used; i++) {
        for (const request &r : w.rows[i].requests) all.push_back({&r, w.rows[i].site});
        w.row_of[(size_t)w.rows[i].site] = -1;
    }
    std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
        return a.first->sequence < b.first->sequence;
    });
    for (const auto &item : all) count_request(*item.first, w, &sites[(size_t)item.second].counts);
    w.used = 0;
    recent_thread = -1;
}

void end_all_requests()
{
    for (int warp = 0; warp < warp_count; warp++) end_requests(warp);
}
} // namespace recorder
} // namespace emulation
