/* Operations of the PTX interpreter on bits, moves, and choices between two values. */
#include "actions.h"

namespace ptx
{
template <typename T> T both(T a, T b)
{
    return a & b;
}

template <typename T> T either(T a, T b)
{
    return a | b;
}

template <typename T> T differing(T a, T b)
{
    return a ^ b;
}

template <typename T> T inverse(T a)
{
    return (T)~a;
}

static uint8_t opposite(uint8_t a)
{
    return !a;
}

/* A distance beyond the width shifts everything out. */
template <typename T> T shift_left(T a, uint32_t bits)
{
    return bits < 8 * sizeof(T) ? (T)(a << bits) : 0;
}

template <typename T> T shift_right(T a, uint32_t bits)
{
    const uint32_t most = 8 * sizeof(T) - 1;
    if (bits <= most) return (T)(a >> bits);
    return a < 0 ? (T)-1 : 0;
}

template <typename T> T same(T a)
{
    return a;
}

static uint32_t count_bits(uint32_t a)
{
    return (uint32_t)__builtin_popcount(a);
}

static uint32_t count_bits_64(uint64_t a)
{
    return (uint32_t)__builtin_popcountll(a);
}

static uint32_t leading_zeros(uint32_t a)
{
    return a ? (uint32_t)__builtin_clz(a) : 32;
}

static uint32_t leading_zeros_64(uint64_t a)
{
    return a ? (uint32_t)__builtin_clzll(a) : 64;
}

static uint32_t reversed_bits(uint32_t a)
{
    uint32_t result = 0;
    for (int i = 0; i < 32; i++) result |= (a >> i & 1) << (31 - i);
    return result;
}

/* a above b, shifted by 32 bits at most or by the distance modulo 32. */
template <bool IS_LEFT, bool WRAPS> uint32_t funnel(uint32_t low, uint32_t high, uint32_t bits)
{
    const uint32_t n = WRAPS ? bits & 31 : bits < 32 ? bits : 32;
    const uint64_t pair = (uint64_t)high << 32 | low;
    return IS_LEFT ? (uint32_t)(pair << n >> 32) : (uint32_t)(pair >> n);
}

/* The byte that each of four digits of `choice` names, of b above a; its sign alone by 8. */
static uint32_t permute(uint32_t a, uint32_t b, uint32_t choice)
{
    const uint64_t pair = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t digit = choice >> 4 * i & 15;
        const uint8_t byte = (uint8_t)(pair >> 8 * (digit & 7));
        result |= (uint32_t)(digit & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
    }
    return result;
}

static void choose(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]), *p = w.value(o.from[2]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) { to[l] = p[l] ? a[l] : b[l]; });
}

/* d = b with `count` bits of a from `start` on. */
template <typename T> void insert_bits(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]), *start = w.value(o.from[2]),
               *count = w.value(o.from[3]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) {
        const uint32_t first = start[l] & 255, n = count[l] & 255, bits = 8 * sizeof(T);
        const T ones = n >= bits ? (T)-1 : (T)(((T)1 << n) - 1);
        const T mask = first >= bits ? 0 : (T)(ones << first);
        const T moved = first >= bits ? 0 : (T)(as<T>(a[l]) << first);
        to[l] = to_slot<T>((T)((as<T>(b[l]) & ~mask) | (moved & mask)));
    });
}

/* Bits `start` to start + count - 1, with the sign of the last one if T has signs. */
template <typename T> T take_bits(T a, uint32_t start, uint32_t count)
{
    const uint32_t bits = 8 * sizeof(T), first = start & 255, n = count & 255;
    if (n == 0) return 0;
    const uint32_t last = first + n - 1 < bits - 1 ? first + n - 1 : bits - 1;
    if (first >= bits) return (T)-1 < (T)0 && a < 0 ? (T)-1 : 0;
    const T top = (T)((uint64_t)a << (bits - 1 - last));
    return (T)(top >> (bits - 1 - last + first));
}

template <typename T> void extract_bits(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *start = w.value(o.from[1]), *count = w.value(o.from[2]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) {
        to[l] = to_slot(take_bits<T>(as<T>(a[l]), (uint32_t)start[l], (uint32_t)count[l]));
    });
}

/* The bit of the table (the last source) that the three bits are the number of. */
static void look_up(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]), *c = w.value(o.from[2]),
               *table = w.value(o.from[3]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) {
        uint32_t result = 0;
        for (int k = 0; k < 8; k++)
            if (table[l] >> k & 1)
                result |= (k & 4 ? (uint32_t)a[l] : ~(uint32_t)a[l]) &
                          (k & 2 ? (uint32_t)b[l] : ~(uint32_t)b[l]) &
                          (k & 1 ? (uint32_t)c[l] : ~(uint32_t)c[l]);
        to[l] = result;
    });
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/* One number of two, the first below; two of one. */
template <typename HALF> void join(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes,
              [=](int l) { to[l] = as<HALF>(a[l]) | (slot)as<HALF>(b[l]) << 8 * sizeof(HALF); });
}

template <typename HALF> void split(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]);
    slot *low = w.result(o.to[0]), *high = w.result(o.to[1]);
    for_lanes(lanes, [=](int l) {
        const slot both_halves = a[l];
        low[l] = as<HALF>(both_halves), high[l] = as<HALF>(both_halves >> 8 * sizeof(HALF));
    });
}

/* --- The table -------------------------------------------------------------------------------- */

template <typename T, typename S> static void add_bits(actions &t, const std::string &bits)
{
    const std::string b = ".b" + bits, u = ".u" + bits, s = ".s" + bits;
    t["and" + b] = of_two<T, T, T, both<T>>;
    t["or" + b] = of_two<T, T, T, either<T>>;
    t["xor" + b] = of_two<T, T, T, differing<T>>;
    t["not" + b] = of_one<T, T, inverse<T>>;
    t["shl" + b] = of_two<T, T, uint32_t, shift_left<T>>;
    t["shr" + b] = t["shr" + u] = of_two<T, T, uint32_t, shift_right<T>>;
    t["shr" + s] = of_two<S, S, uint32_t, shift_right<S>>;
    for (const std::string &type : {b, u, s}) {
        t["mov" + type] = of_one<T, T, same<T>>;
        t["selp" + type] = choose;
    }
    t["bfi" + b] = insert_bits<T>;
    t["bfe" + u] = extract_bits<T>;
    t["bfe" + s] = extract_bits<S>;
}

void add_logic(actions &t)
{
    add_bits<uint16_t, int16_t>(t, "16");
    add_bits<uint32_t, int32_t>(t, "32");
    add_bits<uint64_t, int64_t>(t, "64");
    t["mov.f32"] = of_one<uint32_t, uint32_t, same<uint32_t>>;
    t["mov.f64"] = of_one<uint64_t, uint64_t, same<uint64_t>>;
    t["mov.pred"] = of_one<uint8_t, uint8_t, same<uint8_t>>;
    t["selp.f32"] = t["selp.f64"] = choose;
    t["and.pred"] = of_two<uint8_t, uint8_t, uint8_t, both<uint8_t>>;
    t["or.pred"] = of_two<uint8_t, uint8_t, uint8_t, either<uint8_t>>;
    t["xor.pred"] = of_two<uint8_t, uint8_t, uint8_t, differing<uint8_t>>;
    t["not.pred"] = of_one<uint8_t, uint8_t, opposite>;
    t["popc.b32"] = of_one<uint32_t, uint32_t, count_bits>;
    t["popc.b64"] = of_one<uint32_t, uint64_t, count_bits_64>;
    t["clz.b32"] = of_one<uint32_t, uint32_t, leading_zeros>;
    t["clz.b64"] = of_one<uint32_t, uint64_t, leading_zeros_64>;
    t["brev.b32"] = of_one<uint32_t, uint32_t, reversed_bits>;
    t["shf.l.wrap.b32"] = of_three<uint32_t, uint32_t, uint32_t, funnel<true, true>>;
    t["shf.r.wrap.b32"] = of_three<uint32_t, uint32_t, uint32_t, funnel<false, true>>;
    t["shf.l.clamp.b32"] = of_three<uint32_t, uint32_t, uint32_t, funnel<true, false>>;
    t["shf.r.clamp.b32"] = of_three<uint32_t, uint32_t, uint32_t, funnel<false, false>>;
    t["prmt.b32"] = of_three<uint32_t, uint32_t, uint32_t, permute>;
    t["lop3.b32"] = look_up;
    t["join.32"] = join<uint16_t>, t["split.32"] = split<uint16_t>;
    t["join.64"] = join<uint32_t>, t["split.64"] = split<uint32_t>;
}
} // namespace ptx
