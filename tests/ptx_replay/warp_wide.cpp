/* What the lanes of a warp do together in the PTX interpreter: shuffles, votes, products of
 * matrices. They run when all lanes of the mask have come (warp.cpp). */
#include "actions.h"
#include "cuda_emulation/half_numbers.h"

#include <cmath>

namespace ptx
{
enum shuffle_kind : uint8_t { IDX, UP, DOWN, BFLY };

/* The lane that a shuffle reads, and whether that is within its part of the warp: the manual's text
 * of shfl.sync. c: the bound, and from bit 8 on the lane bits that do not change. */
static int source_of(uint8_t kind, int lane, uint32_t b, uint32_t c, bool &is_within)
{
    const int part = (int)(c >> 8 & 31), bound = (int)(c & 31), value = (int)(b & 31);
    const int most = (lane & part) | (bound & ~part), least = lane & part;
    int source = lane;
    if (kind == UP) source = lane - value, is_within = source >= most;
    if (kind == DOWN) source = lane + value, is_within = source <= most;
    if (kind == BFLY) source = lane ^ value, is_within = source <= most;
    if (kind == IDX) source = least | (value & ~part), is_within = source <= most;
    return is_within ? source : lane;
}

/* Sources: value, lane, bound, mask. Lanes that are read must take part. */
template <uint8_t KIND> static void shuffle(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]), *c = w.value(o.from[2]);
    slot *to = w.result(o.to[0]), *p = o.to[1] < 0 ? nullptr : w.result(o.to[1]);
    slot before[LANES];
    memcpy(before, a, sizeof before);
    for_lanes(lanes, [&](int l) {
        bool is_within = true;
        const int source = source_of(KIND, l, (uint32_t)b[l], (uint32_t)c[l], is_within);
        if (!(lanes >> source & 1))
            fail_at(w, o, l, "reads lane %d, which is not in the mask %08x", source, lanes);
        to[l] = (uint32_t)before[source];
        if (p) p[l] = is_within;
    });
}

static uint32_t votes(const warp &w, const operation &o, uint32_t lanes)
{
    const slot *p = w.value(o.from[0]);
    uint32_t result = 0;
    for_lanes(lanes, [&](int l) { result |= (uint32_t)(p[l] != 0) << l; });
    return result;
}

static void give_all(warp &w, const operation &o, uint32_t lanes, slot value)
{
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) { to[l] = value; });
}

static void ballot(warp &w, const operation &o, uint32_t lanes)
{
    give_all(w, o, lanes, votes(w, o, lanes));
}

static void any(warp &w, const operation &o, uint32_t lanes)
{
    give_all(w, o, lanes, votes(w, o, lanes) != 0);
}

static void all(warp &w, const operation &o, uint32_t lanes)
{
    give_all(w, o, lanes, votes(w, o, lanes) == lanes);
}

static void uniform(warp &w, const operation &o, uint32_t lanes)
{
    const uint32_t yes = votes(w, o, lanes);
    give_all(w, o, lanes, yes == lanes || yes == 0);
}

/* Lanes whose value is this one's. */
static void match_any(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]);
    slot result[LANES];
    for_lanes(lanes, [&](int l) {
        result[l] = 0;
        for_lanes(lanes, [&](int k) { result[l] |= (slot)(a[k] == a[l]) << k; });
    });
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [&](int l) { to[l] = result[l]; });
}

static void meet(warp &w, const operation &, uint32_t lanes)
{
    if ((lanes & w.lives) == w.lives) w.meetings++; /* orders memory */
}

/* --- Products of matrices --------------------------------------------------------------------- */

/* Sections "Matrix Fragments for mma.m8n8k4 with .f64" and the like for m16n8k4, k8, k16:
 *     A, ROWS x DEPTH   number i: row laneid / 4 + 8 (i odd, where there are 16 rows), column
 *                       laneid % 4 + 4 (i / 2), or + 4 i with 8 rows
 *     B, DEPTH x 8      number i: row laneid % 4 + 4 i, column laneid / 4
 *     C, D, ROWS x 8    number i: row laneid / 4 + 8 (i / 2), column 2 (laneid % 4) + i % 2
 * Sources: A's numbers, B's, C's. Each product is added with one rounding, k after k. */
template <int ROWS, int DEPTH> static void multiply(warp &w, const operation &o, uint32_t)
{
    enum { TALL = ROWS / 8, A_COUNT = TALL * DEPTH / 4, B_COUNT = DEPTH / 4, C_COUNT = 2 * TALL };
    double a[ROWS][DEPTH], b[DEPTH][8];
    for (int l = 0; l < LANES; l++) {
        for (int i = 0; i < A_COUNT; i++)
            a[l / 4 + i % TALL * 8][l % 4 + i / TALL * 4] = as<double>(w.value(o.from[i])[l]);
        for (int i = 0; i < B_COUNT; i++)
            b[l % 4 + 4 * i][l / 4] = as<double>(w.value(o.from[A_COUNT + i])[l]);
    }
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < C_COUNT; i++) {
            const int row = l / 4 + i / 2 * 8, column = l % 4 * 2 + i % 2;
            double sum = as<double>(w.value(o.from[A_COUNT + B_COUNT + i])[l]);
            for (int k = 0; k < DEPTH; k++) sum = std::fma(a[row][k], b[k][column], sum);
            w.result(o.to[i])[l] = to_slot(sum);
        }
}

/* Section "Matrix Fragments for mma.m16n8k16 with floating point type": two numbers of 16 bits in a
 * register, the first one in the low bits.
 *     A, 16 x 16        number i of eight: row laneid / 4, and 8 more where i / 2 is odd; column
 *                       2 (laneid % 4) + i % 2, and 8 more from i = 4 on
 *     B, 16 x 8         number i of four: row 2 (laneid % 4) + i % 2, and 8 more from i = 2 on;
 *                       column laneid / 4
 *     C, D, 16 x 8      as above
 * How they are rounded: half_numbers.h. */
static void multiply_halves(warp &w, const operation &o, uint32_t)
{
    enum { A_COUNT = 4, B_COUNT = 2 };
    float a[16][16], b[8][16];
    const auto half = [&](int source, int l, int i) {
        return half_numbers::to_float((uint16_t)(w.value(o.from[source])[l] >> 16 * i));
    };
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < 8; i++) {
            const int q = l / 4, r = 2 * (l % 4) + i % 2;
            a[q + i / 2 % 2 * 8][r + i / 4 * 8] = half(i / 2, l, i % 2);
            if (i < 4) b[q][r + i / 2 * 8] = half(A_COUNT + i / 2, l, i % 2);
        }
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < 4; i++) {
            const float c = as<float>(w.value(o.from[A_COUNT + B_COUNT + i])[l]);
            w.result(o.to[i])[l] =
                to_slot(half_numbers::cut_sum(c, a[l / 4 + i / 2 * 8], b[l % 4 * 2 + i % 2]));
        }
}

void add_meetings(actions &t)
{
    t["shfl.sync.idx.b32"] = shuffle<IDX>;
    t["shfl.sync.up.b32"] = shuffle<UP>;
    t["shfl.sync.down.b32"] = shuffle<DOWN>;
    t["shfl.sync.bfly.b32"] = shuffle<BFLY>;
    t["vote.sync.ballot.b32"] = ballot;
    t["vote.sync.any.pred"] = any;
    t["vote.sync.all.pred"] = all;
    t["vote.sync.uni.pred"] = uniform;
    t["match.any.sync.b32"] = t["match.any.sync.b64"] = match_any;
    t["bar.warp.sync"] = meet;
    const std::string types = ".row.col.f64.f64.f64.f64";
    t["mma.sync.aligned.m8n8k4" + types] = multiply<8, 4>;
    t["mma.sync.aligned.m16n8k4" + types] = multiply<16, 4>;
    t["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"] = multiply_halves;
}
} // namespace ptx
