/* What the warps ask of memory. Threads run one after the other here, so the lanes of a warp are
 * put together again: between two meetings of a warp the k-th access of each lane by one
 * instruction is one request. Where lanes go through a loop different numbers of times, or take
 * different branches, a GPU may pair them otherwise; at the next meeting they are in step again.
 *
 * Two halves of one double2 that the compiler here reads or writes apart (same file, line and
 * column of the source, neighbours within 16 aligned bytes) count as the one access that they are
 * on a GPU.
 *
 * Global memory moves in sectors of 32 bytes. `asked`: different bytes that the lanes ask for;
 * `moved`: 32 for each sector that has some of them. Shared memory has 32 banks of 4 bytes; lanes
 * go together as many as have 128 bytes: 32 with 4 bytes, 16 with 8, 8 with 16. Each such group
 * takes as many cycles as one bank has different words of it; `conflicts` counts those beyond the
 * first. */
#include "recorder.h"

#include <cstring>

namespace emulation
{
namespace recorder
{
enum { SECTOR = 32, BANKS = 32, BANK = 4, WIDEST = 16, RECENT = 8 };

struct request {
    uint32_t lanes;
    int width;
    uintptr_t address[32];
};

/* Requests of one instruction by one warp since its last meeting. */
struct request_row {
    int site;
    uint32_t count[32]; /* of each lane */
    std::vector<request> requests;
};

struct warp_requests {
    std::vector<int> row_of;       /* of each site; -1: none */
    std::vector<request_row> rows; /* the first `used` of them */
    size_t used = 0;
};
static warp_requests warps[32];
static int warp_count;

/* The last accesses of the thread that runs, of which one may be the other half of the next. */
struct recent_access {
    int site, width;
    size_t row, number;
    uintptr_t address;
};
static recent_access recent[RECENT];
static int recent_count, recent_thread = -1;

/* --- Adding up ------------------------------------------------------------------------------- */

struct sector_set {
    uintptr_t number[64];
    uint32_t bytes[64];
    int count = 0;

    void add(uintptr_t address)
    {
        const uintptr_t wanted = address / SECTOR;
        int i = count - 1; /* neighbours mostly lie in the last one */
        while (i >= 0 && number[i] != wanted) i--;
        if (i < 0) {
            i = count++;
            number[i] = wanted, bytes[i] = 0;
        }
        bytes[i] |= 15u << address % SECTOR;
    }
};

static void count_global(const request &r, cuda_emulation_access *counts)
{
    sector_set sectors;
    uintptr_t before = 0;
    for (int lane = 0; lane < warpSize; lane++) {
        if (!(r.lanes >> lane & 1) || r.address[lane] == before) continue;
        before = r.address[lane];
        for (int byte = 0; byte < r.width; byte += BANK) sectors.add(before + (uintptr_t)byte);
    }
    for (int i = 0; i < sectors.count; i++) counts->asked += __builtin_popcount(sectors.bytes[i]);
    counts->moved += (int64_t)SECTOR * sectors.count;
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

static void count_request(const request &r, cuda_emulation_access *counts)
{
    if (!r.lanes) return; /* all of them were the other half of something */
    counts->requests++;
    if (counts->is_shared)
        count_shared(r, counts);
    else
        count_global(r, counts);
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

/* Is the access the other half of a recent one? Then that one grows. */
static bool join(warp_requests &warp, const memory_access &what)
{
    if (recent_thread != what.thread) recent_count = 0;
    recent_thread = what.thread;
    if (what.width != WIDEST / 2) return false;
    for (int i = 0; i < recent_count; i++) {
        recent_access &other = recent[i];
        const uintptr_t low = what.address < other.address ? what.address : other.address;
        if (other.width != what.width || other.address + what.address != 2 * low + WIDEST / 2 ||
            low % WIDEST || sites[(size_t)other.site].same != sites[(size_t)what.site].same)
            continue;
        request &grown = warp.rows[other.row].requests[other.number];
        grown.width = other.width = WIDEST;
        grown.address[what.thread % warpSize] = low;
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
    if (!r.lanes) r.width = 0;
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
    recent_thread = -1;
}

void end_requests(int warp)
{
    warp_requests &w = warps[warp];
    for (size_t i = 0; i < w.used; i++) {
        const request_row &row = w.rows[i];
        cuda_emulation_access *counts = &sites[(size_t)row.site].counts;
        for (const request &r : row.requests) count_request(r, counts);
        w.row_of[(size_t)row.site] = -1;
    }
    w.used = 0;
    recent_thread = -1;
}

void end_all_requests()
{
    for (int warp = 0; warp < warp_count; warp++) end_requests(warp);
}
} // namespace recorder
} // namespace emulation
