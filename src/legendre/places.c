/* Tables of what the Legendre stage needs of each ring pair: a number for each lane of each vector
 * of groups.c, its *place*.
 *
 * sin^m theta underflows and its rounding grows with m; it is looked up as
 *     sin^(m % 64) * sin^(64 (m / 64)),
 * each a mantissa and a whole exponent, computed in long double from the sine of the given double
 * theta. Error of the product: 1.5 ulp + m 1e-19. */
#include "base/memory.h"
#include "legendre/plan.h"
#include "legendre/spin.h"

#include <math.h>

void armilla_legendre_split(long double value, int64_t shift, double *mantissa, double *exponent)
{
    int e;
    *mantissa = (double)frexpl(value, &e);
    *exponent = value != 0 ? (double)(shift + e) : 0;
}

/* Rows of one place: sin^j for j < 64, then (sin^64)^j, kept in range by frexp. */
static void fill_powers(armilla_legendre *legendre, int64_t place, long double sine)
{
    int64_t rows = ARMILLA_LEGENDRE_LOW + legendre->places.nhigh,
            stride = legendre->grouping.npadded;
    double *mantissa = legendre->places.power_mantissa + place;
    double *exponent = legendre->places.power_exponent + place;
    long double base = sine, value = 1;
    int64_t base_exponent = 0, value_exponent = 0;
    for (int64_t row = 0; row < rows; row++) {
        if (row == ARMILLA_LEGENDRE_LOW)
            base = value, base_exponent = value_exponent, value = 1, value_exponent = 0;
        armilla_legendre_split(value, value_exponent, &mantissa[row * stride],
                               &exponent[row * stride]);
        int shift;
        value = frexpl(value * base, &shift);
        value_exponent += base_exponent + shift;
    }
}

/* What kernels.h calls y: 1 - cos theta, sin^2 theta or cos^2 theta, as the form asks. */
static double argument_of(int32_t form, long double theta)
{
    long double sine = sinl(theta), cosine = cosl(theta), half = sinl(theta / 2);
    if (form >= ARMILLA_FORM_SPIN) return (double)(2 * half * half);
    return (double)(form == ARMILLA_FORM_POLE ? sine * sine : cosine * cosine);
}

static void fill_place(armilla_legendre *legendre, int64_t place, int32_t form, double theta)
{
    const long double angle = (long double)theta, sine = sinl(angle);
    legendre->places.theta[place] = theta;
    legendre->places.cos_theta[place] = (double)cosl(angle);
    legendre->places.argument[place] = argument_of(form, angle);
    fill_powers(legendre, place, sine);
    if (legendre->spin)
        legendre->places.inverse_sine[place] =
            armilla_legendre_spin_sign(legendre) * (double)powl(sine, -(long double)legendre->spin);
}

static void copy_place(armilla_legendre *legendre, int64_t from, int64_t to)
{
    const int64_t rows = ARMILLA_LEGENDRE_LOW + legendre->places.nhigh,
                  stride = legendre->grouping.npadded;
    legendre->places.theta[to] = legendre->places.theta[from];
    legendre->places.cos_theta[to] = legendre->places.cos_theta[from];
    legendre->places.argument[to] = legendre->places.argument[from];
    if (legendre->spin) legendre->places.inverse_sine[to] = legendre->places.inverse_sine[from];
    for (int64_t row = 0; row < rows; row++) {
        legendre->places.power_mantissa[row * stride + to] =
            legendre->places.power_mantissa[row * stride + from];
        legendre->places.power_exponent[row * stride + to] =
            legendre->places.power_exponent[row * stride + from];
    }
}

static void fill_places(armilla_legendre *legendre)
{
    for (int64_t g = 0; g < legendre->grouping.count; g++) {
        const armilla_kernel_group *group = &legendre->grouping.groups[g];
        const int64_t places = group->nvec * legendre->grouping.lanes;
        for (int64_t i = 0; i < group->npairs; i++)
            fill_place(legendre, group->first + i, group->form,
                       legendre->pairs->theta[group->pair + i]);
        for (int64_t i = group->npairs; i < places; i++)
            copy_place(legendre, group->first + i - 1, group->first + i);
    }
}

armilla_status armilla_legendre_make_places(armilla_legendre *legendre)
{
    const int64_t highest = legendre->mmax > legendre->spin ? legendre->mmax : legendre->spin;
    const int64_t n = legendre->grouping.npadded;
    armilla_status status;
    legendre->places.nhigh = highest / ARMILLA_LEGENDRE_LOW + 1;
    const int64_t table = (ARMILLA_LEGENDRE_LOW + legendre->places.nhigh) * n;
    if ((status = armilla_allocate_zero(&legendre->places.theta, n, sizeof(double))) ||
        (status = armilla_allocate_zero(&legendre->places.argument, n, sizeof(double))) ||
        (status = armilla_allocate_zero(&legendre->places.cos_theta, n, sizeof(double))) ||
        (status = armilla_allocate_zero(&legendre->places.power_mantissa, table, sizeof(double))) ||
        (status = armilla_allocate_zero(&legendre->places.power_exponent, table, sizeof(double))) ||
        (legendre->spin &&
         (status = armilla_allocate_zero(&legendre->places.inverse_sine, n, sizeof(double)))))
        return status;
    fill_places(legendre);
    legendre->bytes += 8 * (2 * table + (legendre->spin ? 4 : 3) * n);
    return ARMILLA_OK;
}

void armilla_legendre_power(const armilla_legendre *legendre, int64_t exponent,
                            armilla_kernel_power *power)
{
    int64_t low = exponent % ARMILLA_LEGENDRE_LOW * legendre->grouping.npadded;
    int64_t high =
        (ARMILLA_LEGENDRE_LOW + exponent / ARMILLA_LEGENDRE_LOW) * legendre->grouping.npadded;
    power->high_mantissa = legendre->places.power_mantissa + high;
    power->high_exponent = legendre->places.power_exponent + high;
    power->low_mantissa = legendre->places.power_mantissa + low;
    power->low_exponent = legendre->places.power_exponent + low;
}
