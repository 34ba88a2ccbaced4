/* Kernels on a compiler that makes one operation of every product and the sum behind it: what
 * counts the rounding of a product by itself must not have it counted twice. Numbers here remember
 * that they are products. */
#include "cuda/scene.h"

#include "cuda/kernels/ringfft_kernels.h"

#include <cmath>

struct fused_double {
    double value;
    double a = 0, b = 0; /* value = a b, rounded, where product */
    bool product = false;

    fused_double() = default;
    template <typename N> fused_double(N number) : value((double)number)
    {
    }
    explicit operator int64_t() const
    {
        return (int64_t)value;
    }
    friend fused_double operator*(fused_double x, fused_double y)
    {
        fused_double result(x.value * y.value);
        result.a = x.value, result.b = y.value, result.product = true;
        return result;
    }
    friend fused_double operator/(fused_double x, fused_double y)
    {
        return x.value / y.value;
    }
    friend fused_double operator+(fused_double x, fused_double y)
    {
        if (x.product) return std::fma(x.a, x.b, y.value);
        return y.product ? std::fma(y.a, y.b, x.value) : x.value + y.value;
    }
    fused_double operator-() const
    {
        fused_double result(-value);
        result.a = -a, result.b = b, result.product = product;
        return result;
    }
    friend fused_double operator-(fused_double x, fused_double y)
    {
        return x + -y;
    }
};

static fused_double fma(fused_double a, fused_double b, fused_double c)
{
    return std::fma(a.value, b.value, c.value);
}
static fused_double rint(fused_double a)
{
    return std::rint(a.value);
}
static fused_double __dmul_rn(fused_double a, fused_double b)
{
    return a.value * b.value;
}
static fused_double __dadd_rn(fused_double a, fused_double b)
{
    return a.value + b.value;
}
static void sincospi(fused_double x, fused_double *sine, fused_double *cosine)
{
    double s, c;
    emulation::sincos_pi(x.value, &s, &c);
    *sine = s, *cosine = c;
}
static double2 make_double2(fused_double x, fused_double y)
{
    return double2{x.value, y.value};
}

#define double fused_double
#include "cuda/kernels/ringfft_device.h"
#undef double

static const long double pi = 3.14159265358979323846264338327950288L;

static void phases_count_roundings_once(void **)
{
    armilla_cuda_ring_side side = {};
    side.half = -1;
    for (int i = 1; i < 40; i++) {
        const long double turns = 0.0371L * i + 1.0L / (3 + i);
        side.turns = (double)turns, side.turns_rest = (double)(turns - (long double)side.turns);
        for (int64_t m = 1; m < 20000; m = 3 * m + i) {
            const long double angle = pi * std::fmod((long double)m * turns, 2.0L);
            const double2 phase = armilla_ring_phase(&side, 100, m);
            assert_true(std::fabs(phase.x - (double)std::cos(angle)) < 2e-14);
            assert_true(std::fabs(phase.y - (double)std::sin(angle)) < 2e-14);
        }
    }
}

/* The numbers of this file do fuse. */
static void products_are_fused(void **)
{
    const fused_double x(1 + 0x1p-30), square = x * x;
    assert_true((square - fused_double(square.value)).value == 0x1p-60);
    assert_true((__dmul_rn(x, x) - fused_double(square.value)).value == 0);
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(phases_count_roundings_once),
        cmocka_unit_test(products_are_fused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
