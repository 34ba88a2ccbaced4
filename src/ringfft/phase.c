/* exp(i m phi0) = exp(i step q phi0) exp(i r phi0), m = step q + r: with a step near the root of
 * mtop, that takes some 2 sqrt(mtop) sines per ring instead of mtop.
 *
 * HEALPix and most grids shift a ring by whole half pixels, phi0 = pi h / n: then m h is reduced
 * modulo 2 n in integers and the phase is a root of unity, docs/mathematics.md (4.3), right to the
 * last digit however large m is. Any other phi0 is taken as the exact number the double holds, less
 * its whole turns: m phi0 in two doubles, of which the second one is small. */
#include "ringfft/phase.h"

#include "base/angle.h"
#include "base/integer.h"
#include "fft/roots.h"

#include <math.h>

void armilla_phase_init(armilla_phase *phase, double phi0, int64_t nphi)
{
    *phase = (armilla_phase){.nphi = nphi};
    phase->phi0 = armilla_angle_reduce(phi0, &phase->rest);
    double shift = phase->phi0 * (double)nphi / M_PI, whole = nearbyint(shift);
    /* a shift is meant if it is one to the rounding of phi0; |whole| < 2^31 keeps m * whole in
     * range */
    phase->exact = fabs(whole) < 0x1p31 && fabs(shift - whole) <= 4e-16 * fabs(whole);
    if (!phase->exact) return;
    int64_t turn = 2 * nphi, half = (int64_t)whole % turn;
    phase->half_pixels = half < 0 ? half + turn : half;
}

static void phase_of(const armilla_phase *phase, int64_t m, double value[2])
{
    if (phase->exact) {
        int64_t turn = 2 * phase->nphi;
        armilla_root_of_unity((m % turn) * phase->half_pixels % turn, turn, value);
        return;
    }
    double high = (double)m * phase->phi0;
    double low = fma((double)m, phase->phi0, -high) + (double)m * phase->rest;
    double s = sin(high), c = cos(high);
    value[0] = c - low * s, value[1] = s + low * c;
}

/* A power of two near the square root. */
static int64_t find_step(int64_t count)
{
    int64_t step = 8;
    while (step * step < count && step < ARMILLA_PHASE_WORK / 2) step *= 2;
    return step;
}

/* table_r = base low_r, r = 0 .. count - 1 */
static void turn(const double base[2], const double *low, int64_t count, double *table)
{
    for (int64_t r = 0; r < count; r++) {
        table[2 * r] = base[0] * low[2 * r] - base[1] * low[2 * r + 1];
        table[2 * r + 1] = base[0] * low[2 * r + 1] + base[1] * low[2 * r];
    }
}

void armilla_phase_fill(const armilla_phase *phase, int64_t mtop, double *table, double *work)
{
    const int64_t step = find_step(mtop + 1);
    for (int64_t r = 0; r < step && r <= mtop; r++) phase_of(phase, r, work + 2 * r);
    for (int64_t m = 0; m <= mtop; m += step) {
        double base[2];
        phase_of(phase, m, base);
        turn(base, work, armilla_smaller(step, mtop + 1 - m), table + 2 * m);
    }
}

int64_t armilla_phase_roots(int64_t mtop)
{
    const int64_t step = find_step(mtop + 1);
    return step + mtop / step + 1;
}

void armilla_phase_fill_roots(const armilla_phase *phase, int64_t mtop, double *roots)
{
    const int64_t step = find_step(mtop + 1);
    for (int64_t r = 0; r < step; r++, roots += 2) phase_of(phase, r, roots);
    for (int64_t m = 0; m <= mtop; m += step, roots += 2) phase_of(phase, m, roots);
}

void armilla_phase_fill_from(const double *roots, int64_t mtop, int64_t last, double *table)
{
    const int64_t step = find_step(mtop + 1);
    for (int64_t m = 0; m <= last; m += step)
        turn(roots + 2 * (step + m / step), roots, armilla_smaller(step, last + 1 - m),
             table + 2 * m);
}
