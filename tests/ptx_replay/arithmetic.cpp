/* Sums, products and quotients of the PTX interpreter. Each operation on floating point numbers
 * rounds once, as the manual says of .rn; where a GPU's result is an approximation (rcp.approx and
 * its kind), this one is exact to as many bits as the GPU has. */
#include "actions.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace ptx
{
/* Integers wrap round: their sums are those of unsigned ones. */
template <typename T, bool = std::is_integral<T>::value> struct wrapping {
    typedef T type;
};
template <typename T> struct wrapping<T, true> {
    typedef typename std::make_unsigned<T>::type type;
};

template <typename T> T add(T a, T b)
{
    typedef typename wrapping<T>::type U;
    return (T)((U)a + (U)b);
}

template <typename T> T subtract(T a, T b)
{
    typedef typename wrapping<T>::type U;
    return (T)((U)a - (U)b);
}

/* The product of narrow numbers would be one of ints. */
template <typename T> T multiply(T a, T b)
{
    if constexpr (std::is_integral<T>::value)
        return (T)((uint64_t)a * (uint64_t)b);
    else
        return a * b;
}

template <typename T> T negate(T a)
{
    typedef typename wrapping<T>::type U;
    if constexpr (std::is_integral<T>::value) return (T)((U)0 - (U)a);
    return -a;
}

template <typename T> T absolute(T a)
{
    if constexpr (std::is_integral<T>::value) return a < 0 ? negate(a) : a;
    return std::fabs(a);
}

template <typename T> T multiply_add(T a, T b, T c)
{
    if constexpr (std::is_integral<T>::value) return add<T>(multiply<T>(a, b), c);
    return std::fma(a, b, c);
}

/* Division by zero gives all ones, as on GPUs; the least number by -1 wraps. */
template <typename T> T divide(T a, T b)
{
    if constexpr (std::is_integral<T>::value) {
        if (b == 0) return (T)-1;
        if (std::is_signed<T>::value && b == (T)-1) return negate(a);
    }
    return a / b;
}

template <typename T> T remainder_of(T a, T b)
{
    if (b == 0) return a;
    return std::is_signed<T>::value && b == (T)-1 ? 0 : a % b;
}

/* The other number if one is none; -0 is less than 0. */
template <typename T> T least(T a, T b)
{
    if constexpr (!std::is_integral<T>::value) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
        if (a == b) return std::signbit(a) ? a : b;
    }
    return b < a ? b : a;
}

template <typename T> T largest(T a, T b)
{
    if constexpr (!std::is_integral<T>::value) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
        if (a == b) return std::signbit(a) ? b : a;
    }
    return a < b ? b : a;
}

template <typename W, typename T> W wide_product(T a, T b)
{
    return (W)((W)a * (W)b);
}

template <typename W, typename T> W wide_multiply_add(T a, T b, W c)
{
    return add<W>(wide_product<W, T>(a, b), c);
}

template <typename W, typename T> T high_product(T a, T b)
{
    return (T)((W)a * (W)b >> 8 * sizeof(T));
}

template <typename W, typename T> T high_multiply_add(T a, T b, T c)
{
    return add<T>(high_product<W, T>(a, b), c);
}

template <typename T> T square_root(T a)
{
    return std::sqrt(a);
}

template <typename T> T reciprocal(T a)
{
    return 1 / a;
}

template <typename T> T copy_sign(T a, T b)
{
    return std::copysign(b, a);
}

/* --- Approximations --------------------------------------------------------------------------- */

/* The upper half of a double is what these operations read and write. */
static double upper_half(double a)
{
    return as<double>(to_slot(a) & 0xffffffff00000000u);
}

static double rough_reciprocal(double a)
{
    return upper_half(1 / upper_half(a));
}

static double rough_inverse_root(double a)
{
    return upper_half(1 / std::sqrt(upper_half(a)));
}

static float inverse_root(float a)
{
    return (float)(1 / std::sqrt((double)a));
}

static float power_of_two(float a)
{
    return (float)std::exp2((double)a);
}

static float logarithm(float a)
{
    return (float)std::log2((double)a);
}

/* --- The carry -------------------------------------------------------------------------------- */

/* to[1] and the last source are the carry. */
template <typename T> void add_carry(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]), *carry = w.value(o.from[2]);
    slot *to = w.result(o.to[0]), *out = w.result(o.to[1]);
    for_lanes(lanes, [=](int l) {
        const unsigned __int128 sum = (unsigned __int128)as<T>(a[l]) + as<T>(b[l]) + (carry[l] & 1);
        to[l] = (T)sum, out[l] = (slot)(sum >> 8 * sizeof(T)) & 1;
    });
}

template <typename T> void subtract_carry(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]), *carry = w.value(o.from[2]);
    slot *to = w.result(o.to[0]), *out = w.result(o.to[1]);
    for_lanes(lanes, [=](int l) {
        const unsigned __int128 less = (unsigned __int128)as<T>(b[l]) + (carry[l] & 1);
        const T first = as<T>(a[l]);
        to[l] = (T)(first - (T)less), out[l] = less > first;
    });
}

/* Low or high part of a product, with an addend, and the carry as above. */
template <typename T, bool IS_HIGH>
void multiply_add_carry(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]), *c = w.value(o.from[2]),
               *carry = w.value(o.from[3]);
    slot *to = w.result(o.to[0]), *out = w.result(o.to[1]);
    for_lanes(lanes, [=](int l) {
        const unsigned __int128 product = (unsigned __int128)as<T>(a[l]) * as<T>(b[l]);
        const T part = (T)(IS_HIGH ? product >> 8 * sizeof(T) : product);
        const unsigned __int128 sum = (unsigned __int128)part + as<T>(c[l]) + (carry[l] & 1);
        to[l] = (T)sum, out[l] = (slot)(sum >> 8 * sizeof(T)) & 1;
    });
}

/* --- The table -------------------------------------------------------------------------------- */

template <typename T> static void add_all(actions &t, const std::string &type)
{
    t["min" + type] = of_two<T, T, T, least<T>>;
    t["max" + type] = of_two<T, T, T, largest<T>>;
    t["neg" + type] = of_one<T, T, negate<T>>;
    t["abs" + type] = of_one<T, T, absolute<T>>;
    t["add" + type] = of_two<T, T, T, add<T>>;
    t["sub" + type] = of_two<T, T, T, subtract<T>>;
}

template <typename T, typename W> static void add_integers(actions &t, const std::string &type)
{
    add_all<T>(t, type);
    t["mul.lo" + type] = of_two<T, T, T, multiply<T>>;
    t["mul.hi" + type] = of_two<T, T, T, high_product<W, T>>;
    t["mad.lo" + type] = of_three<T, T, T, multiply_add<T>>;
    t["mad.hi" + type] = of_three<T, T, T, high_multiply_add<W, T>>;
    t["div" + type] = of_two<T, T, T, divide<T>>;
    t["rem" + type] = of_two<T, T, T, remainder_of<T>>;
    if constexpr (sizeof(T) < 8) {
        t["mul.wide" + type] = of_two<W, T, T, wide_product<W, T>>;
        t["mad.wide" + type] = of_three<W, T, W, wide_multiply_add<W, T>>;
    }
}

template <typename T> static void add_carries(actions &t, const std::string &type)
{
    for (const char *name : {"add.cc", "addc", "addc.cc"}) t[name + type] = add_carry<T>;
    for (const char *name : {"sub.cc", "subc", "subc.cc"}) t[name + type] = subtract_carry<T>;
    for (const char *name : {"mad.lo.cc", "madc.lo", "madc.lo.cc"})
        t[name + type] = multiply_add_carry<T, false>;
    for (const char *name : {"mad.hi.cc", "madc.hi", "madc.hi.cc"})
        t[name + type] = multiply_add_carry<T, true>;
}

template <typename T> static void add_reals(actions &t, const std::string &type)
{
    add_all<T>(t, type);
    for (const std::string round : {"", ".rn"}) {
        t["add" + round + type] = of_two<T, T, T, add<T>>;
        t["sub" + round + type] = of_two<T, T, T, subtract<T>>;
        t["mul" + round + type] = of_two<T, T, T, multiply<T>>;
    }
    t["fma.rn" + type] = of_three<T, T, T, multiply_add<T>>;
    t["div.rn" + type] = of_two<T, T, T, divide<T>>;
    t["rcp.rn" + type] = of_one<T, T, reciprocal<T>>;
    t["sqrt.rn" + type] = of_one<T, T, square_root<T>>;
    t["copysign" + type] = of_two<T, T, T, copy_sign<T>>;
}

void add_arithmetic(actions &t)
{
    add_integers<int16_t, int32_t>(t, ".s16");
    add_integers<uint16_t, uint32_t>(t, ".u16");
    add_integers<int32_t, int64_t>(t, ".s32");
    add_integers<uint32_t, uint64_t>(t, ".u32");
    add_integers<int64_t, __int128>(t, ".s64");
    add_integers<uint64_t, unsigned __int128>(t, ".u64");
    add_carries<uint32_t>(t, ".u32"), add_carries<uint32_t>(t, ".s32");
    add_carries<uint64_t>(t, ".u64"), add_carries<uint64_t>(t, ".s64");
    add_reals<float>(t, ".f32");
    add_reals<double>(t, ".f64");
    t["rcp.approx.ftz.f64"] = of_one<double, double, rough_reciprocal>;
    t["rsqrt.approx.ftz.f64"] = of_one<double, double, rough_inverse_root>;
    t["rsqrt.approx.f64"] = of_one<double, double, rough_inverse_root>;
    for (const std::string ftz : {"", ".ftz"}) {
        t["rcp.approx" + ftz + ".f32"] = of_one<float, float, reciprocal<float>>;
        t["rsqrt.approx" + ftz + ".f32"] = of_one<float, float, inverse_root>;
        t["ex2.approx" + ftz + ".f32"] = of_one<float, float, power_of_two>;
        t["lg2.approx" + ftz + ".f32"] = of_one<float, float, logarithm>;
    }
}
} // namespace ptx
