/* Moves the entries of a pair of rings between leg and the pair's spectrum, turned by the rings'
 * shift, and joins the samples of two rings to complex numbers or splits these. It is plain C that
 * compilers turn into vectors. Neighbouring orders of a pair lie a whole row of leg apart, often in
 * another page, so the processor does not fetch the next one by itself: the loops ask for it AHEAD
 * orders in advance. */
#include "ringfft/kernels/kernels.h"

#include "base/compiler.h"

#include <string.h>

enum { AHEAD = 12 };

/* (N re, N im, S re, S im) times the phase c + i s. Written as operations on four numbers at a
 * time, of which compilers make one vector; so are the functions below. */
ARMILLA_ALWAYS_INLINE void turn(double f[4], double c, double s)
{
    const double other[4] = {f[1], f[0], f[3], f[2]}, sine[4] = {-s, s, -s, s};
    for (int i = 0; i < 4; i++) f[i] = c * f[i] + sine[i] * other[i];
}

/* plus = (N re - S im, N im + S re), minus = (N re + S im, S re - N im) */
ARMILLA_ALWAYS_INLINE void put_mode(const double f[4], double *restrict plus,
                                    double *restrict minus)
{
    const double north[4] = {f[0], f[1], f[0], -f[1]}, south[4] = {-f[3], f[2], f[3], f[2]};
    double both[4];
    for (int i = 0; i < 4; i++) both[i] = north[i] + south[i];
    memcpy(plus, both, 2 * sizeof *both);
    memcpy(minus, both + 2, 2 * sizeof *both);
}

void ARMILLA_KERNEL(armilla_ring_spread)(const armilla_ring_run *run, const double *leg,
                                         double *plus, double *minus)
{
    const int64_t row = run->row_length, step = run->place_step, turn_step = run->phase_step;
    const double *phase = run->phase;
    for (int64_t i = 0; i < run->count; i++, leg += row, plus += step, minus -= step) {
        ARMILLA_PREFETCH(leg + AHEAD * row);
        if (!phase) {
            put_mode(leg, plus, minus);
            continue;
        }
        double f[4] = {leg[0], leg[1], leg[2], leg[3]};
        turn(f, phase[i * turn_step], phase[i * turn_step + 1]);
        put_mode(f, plus, minus);
    }
}

/* p = z_m, q = z_-m:  N = scale[0] (p re + q re, p im - q im),
 *                      S = scale[1] (p im + q im, q re - p re) */
ARMILLA_ALWAYS_INLINE void get_mode(const double *p, const double *q, const double p_scale[4],
                                    const double q_scale[4], double f[4])
{
    const double p_part[4] = {p[0], p[1], p[1], p[0]}, q_part[4] = {q[0], q[1], q[1], q[0]};
    for (int i = 0; i < 4; i++) f[i] = p_scale[i] * p_part[i] + q_scale[i] * q_part[i];
}

void ARMILLA_KERNEL(armilla_ring_gather)(const armilla_ring_run *run, const double *plus,
                                         const double *minus, const double scale[2], double *leg)
{
    const int64_t row = run->row_length, step = run->place_step, turn_step = run->phase_step;
    const double *phase = run->phase;
    const double p_scale[4] = {scale[0], scale[0], scale[1], -scale[1]};
    const double q_scale[4] = {scale[0], -scale[0], scale[1], scale[1]};
    for (int64_t i = 0; i < run->count; i++, leg += row, plus += step, minus -= step) {
        double f[4];
        ARMILLA_PREFETCH_WRITE(leg + AHEAD * row);
        get_mode(plus, minus, p_scale, q_scale, f);
        if (phase) turn(f, phase[i * turn_step], -phase[i * turn_step + 1]);
        memcpy(leg, f, sizeof f);
    }
}

/* One ring after the other: the two rows often lie a multiple of 4096 bytes apart, and stores to
 * both at once would fight for the same places of the cache. */
void ARMILLA_KERNEL(armilla_ring_split)(int64_t n, const double *restrict z, const double scale[2],
                                        double *restrict north, double *restrict south)
{
    const double first = scale[0], second = scale[1];
    for (int64_t j = 0; j < n; j++) north[j] = first * z[2 * j];
    for (int64_t j = 0; j < n; j++) south[j] = second * z[2 * j + 1];
}

void ARMILLA_KERNEL(armilla_ring_join)(int64_t n, const double *restrict north,
                                       const double *restrict south, double *restrict z)
{
    for (int64_t j = 0; j < n; j++) {
        z[2 * j] = north[j];
        z[2 * j + 1] = south[j];
    }
}
