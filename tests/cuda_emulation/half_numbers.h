/* Numbers of 16 bits, binary16 of IEEE 754, for the emulated GPU and for the interpreter of PTX: a
 * sign, five bits of exponent, ten bits of fraction. */
#ifndef ARMILLA_CUDA_EMULATION_HALF_NUMBERS_H
#define ARMILLA_CUDA_EMULATION_HALF_NUMBERS_H

#include <cmath>
#include <cstdint>
#include <limits>

namespace half_numbers
{
/* The nearest half, the even one of two; infinity from 65520 on. */
inline uint16_t of_float(float number)
{
    const uint16_t sign = std::signbit(number) ? 0x8000 : 0;
    const float size = std::fabs(number);
    if (std::isnan(number)) return sign | 0x7fff;
    if (size >= 65520) return sign | 0x7c00;
    int exponent = 0;
    std::frexp(size, &exponent);
    if (exponent < -13 || size == 0)
        exponent = -13; /* below 2^-14 halves have one distance, 2^-24 */
    const auto units = (uint16_t)std::nearbyint(std::ldexp(size, 11 - exponent));
    /* the fraction's highest bit counts as 1 of the exponent, whose bias is 15 */
    return sign | (uint16_t)(units + (exponent + 13) * 1024);
}

inline float to_float(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float infinity = std::numeric_limits<float>::infinity();
    const float size = exponent == 31 ? (fraction ? std::nanf("") : infinity)
                       : exponent     ? std::ldexp(1024.0f + (float)fraction, exponent - 25)
                                      : std::ldexp((float)fraction, -24);
    return half & 0x8000 ? -size : size;
}

/* c + sum_k a_k b_k of 16 products, each of them exact. NVIDIA does not say how tensor cores round
 * what they add up. They were found to bring all addends to the exponent of the largest one and to
 * cut what does not fit (Fasi, Higham, Mikaitis, Pranesh 2021, PeerJ Computer Science 7, e330);
 * here one bit more than a float has is kept of each, and the sum is cut as well. */
inline float cut_sum(float c, const float *a, const float *b)
{
    double addend[17], most = std::fabs((double)c), sum = 0;
    int exponent = 0;
    addend[16] = (double)c;
    for (int k = 0; k < 16; k++) {
        addend[k] = (double)a[k] * (double)b[k];
        most = std::fmax(most, std::fabs(addend[k]));
        sum += addend[k];
    }
    if (!std::isfinite(sum) || most == 0) return (float)sum;
    std::frexp(most, &exponent);
    const double unit = std::ldexp(1.0, exponent - 25);
    sum = 0;
    for (const double one : addend) sum += std::trunc(one / unit);
    sum *= unit;
    const auto nearest = (float)sum;
    if (!(std::fabs((double)nearest) > std::fabs(sum)) || std::isinf(nearest)) return nearest;
    return std::nextafterf(nearest, 0.0f);
}
} // namespace half_numbers

#endif
