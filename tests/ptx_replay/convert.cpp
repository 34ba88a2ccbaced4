/* Conversions between types in the PTX interpreter: cvt.rounding.to.from. */
#include "actions.h"
#include "cuda_emulation/half_numbers.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace ptx
{
enum class rounding { nearest, zero, down, up };

template <rounding R, typename F> static F round_whole(F a)
{
    if constexpr (R == rounding::nearest) return std::nearbyint(a);
    if constexpr (R == rounding::zero) return std::trunc(a);
    if constexpr (R == rounding::down) return std::floor(a);
    return std::ceil(a);
}

/* The nearest number that T has; what is no number becomes 0. */
template <typename T, typename F, rounding R> T to_integer(F a)
{
    const F whole = round_whole<R>(a);
    if (std::isnan(whole)) return 0;
    if (whole <= (F)std::numeric_limits<T>::min()) return std::numeric_limits<T>::min();
    if (whole >= (F)std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
    return (T)whole;
}

template <typename T, typename F> T change_type(F a)
{
    return (T)a;
}

/* The float next to a double: the nearest one, or the one towards zero, below, above. */
template <rounding R> static float to_float(double a)
{
    const float nearest = (float)a;
    if (R == rounding::nearest || (double)nearest == a || std::isnan(a)) return nearest;
    const bool wants_less = R == rounding::down || (R == rounding::zero && a > 0);
    if (wants_less == ((double)nearest < a)) return nearest;
    return std::nextafterf(nearest, wants_less ? -HUGE_VALF : HUGE_VALF);
}

/* The first source goes to the high bits. */
static uint32_t pack_halves(float high, float low)
{
    return half_numbers::of_float(low) | (uint32_t)half_numbers::of_float(high) << 16;
}

/* --- The table -------------------------------------------------------------------------------- */

template <typename F> static void add_from_real(actions &t, const std::string &from)
{
    const auto add_to = [&](const std::string &to, auto zero) {
        typedef decltype(zero) T;
        t["cvt.rni" + to + from] = of_one<T, F, to_integer<T, F, rounding::nearest>>;
        t["cvt.rzi" + to + from] = of_one<T, F, to_integer<T, F, rounding::zero>>;
        t["cvt.rmi" + to + from] = of_one<T, F, to_integer<T, F, rounding::down>>;
        t["cvt.rpi" + to + from] = of_one<T, F, to_integer<T, F, rounding::up>>;
    };
    add_to(".s32", (int32_t)0), add_to(".u32", (uint32_t)0);
    add_to(".s64", (int64_t)0), add_to(".u64", (uint64_t)0);
    t["cvt.rni" + from + from] = of_one<F, F, round_whole<rounding::nearest, F>>;
    t["cvt.rzi" + from + from] = of_one<F, F, round_whole<rounding::zero, F>>;
    t["cvt.rmi" + from + from] = of_one<F, F, round_whole<rounding::down, F>>;
    t["cvt.rpi" + from + from] = of_one<F, F, round_whole<rounding::up, F>>;
}

template <typename I> static void add_from_integer(actions &t, const std::string &from)
{
    t["cvt.u8" + from] = of_one<uint8_t, I, change_type<uint8_t, I>>;
    t["cvt.s8" + from] = of_one<int8_t, I, change_type<int8_t, I>>;
    t["cvt.u16" + from] = of_one<uint16_t, I, change_type<uint16_t, I>>;
    t["cvt.s16" + from] = of_one<int16_t, I, change_type<int16_t, I>>;
    t["cvt.u32" + from] = of_one<uint32_t, I, change_type<uint32_t, I>>;
    t["cvt.s32" + from] = of_one<int32_t, I, change_type<int32_t, I>>;
    t["cvt.u64" + from] = of_one<uint64_t, I, change_type<uint64_t, I>>;
    t["cvt.s64" + from] = of_one<int64_t, I, change_type<int64_t, I>>;
    t["cvt.rn.f32" + from] = of_one<float, I, change_type<float, I>>;
    t["cvt.rn.f64" + from] = of_one<double, I, change_type<double, I>>;
}

void add_conversions(actions &t)
{
    add_from_real<float>(t, ".f32");
    add_from_real<double>(t, ".f64");
    add_from_integer<uint8_t>(t, ".u8"), add_from_integer<int8_t>(t, ".s8");
    add_from_integer<uint16_t>(t, ".u16"), add_from_integer<int16_t>(t, ".s16");
    add_from_integer<uint32_t>(t, ".u32"), add_from_integer<int32_t>(t, ".s32");
    add_from_integer<uint64_t>(t, ".u64"), add_from_integer<int64_t>(t, ".s64");
    t["cvt.rn.f16x2.f32"] = of_two<uint32_t, float, float, pack_halves>;
    t["cvt.f32.f16"] = of_one<float, uint16_t, half_numbers::to_float>;
    t["cvt.f64.f32"] = of_one<double, float, change_type<double, float>>;
    t["cvt.rn.f32.f64"] = of_one<float, double, to_float<rounding::nearest>>;
    t["cvt.rz.f32.f64"] = of_one<float, double, to_float<rounding::zero>>;
    t["cvt.rm.f32.f64"] = of_one<float, double, to_float<rounding::down>>;
    t["cvt.rp.f32.f64"] = of_one<float, double, to_float<rounding::up>>;
}
} // namespace ptx
