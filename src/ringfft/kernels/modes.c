/* See kernels.h; plain C that compilers turn into vectors. One order is one cache line, or half of
 * one, in each of many pages: the processor cannot guess the next, so ask for it. */
#include "ringfft/kernels/kernels.h"

#include "base/compiler.h"

#include <string.h>

enum { AHEAD = 12 }; /* orders to ask for in advance */

void ARMILLA_KERNEL(armilla_ring_spread)(const armilla_ring_modes *modes, const double *leg,
                                         double *z);
void ARMILLA_KERNEL(armilla_ring_gather)(const armilla_ring_modes *modes, const double *z,
                                         const double scale[2], double *leg);
void ARMILLA_KERNEL(armilla_ring_split)(int64_t n, const double *restrict z, const double scale[2],
                                        double *restrict north, double *restrict south);
void ARMILLA_KERNEL(armilla_ring_join)(int64_t n, const double *restrict north,
                                       const double *restrict south, double *restrict z);

ARMILLA_ALWAYS_INLINE void put_mode(const double f[4], double *restrict plus,
                                    double *restrict minus)
{
    plus[0] = f[0] - f[3], plus[1] = f[1] + f[2];
    minus[0] = f[0] + f[3], minus[1] = f[2] - f[1];
}

static void clear(double *z, int64_t first, int64_t end)
{
    if (end > first) memset(z + 2 * first, 0, sizeof *z * (size_t)(2 * (end - first)));
}

void ARMILLA_KERNEL(armilla_ring_spread)(const armilla_ring_modes *modes, const double *leg,
                                         double *z)
{
    const int64_t step = modes->row_length, n = modes->n;
    int64_t m = modes->first;
    clear(z, 0, m);
    clear(z, modes->last + 1, n - modes->last);
    clear(z, n - m + 1, n);
    if (m == 0) z[0] = leg[0], z[1] = leg[2], leg += step, m++; /* order 0 is real */
    const double *phase = modes->phase;
    for (; m <= modes->last; m++, leg += step) {
        ARMILLA_PREFETCH(leg + AHEAD * step);
        if (!phase) {
            put_mode(leg, z + 2 * m, z + 2 * (n - m));
            continue;
        }
        double c = phase[2 * m], s = phase[2 * m + 1];
        double f[4] = {c * leg[0] - s * leg[1], c * leg[1] + s * leg[0], c * leg[2] - s * leg[3],
                       c * leg[3] + s * leg[2]};
        put_mode(f, z + 2 * m, z + 2 * (n - m));
    }
}

void ARMILLA_KERNEL(armilla_ring_gather)(const armilla_ring_modes *modes, const double *z,
                                         const double scale[2], double *leg)
{
    const int64_t n = modes->n;
    const double *phase = modes->phase;
    for (int64_t m = modes->first; m <= modes->last; m++, leg += modes->row_length) {
        const double *p = z + 2 * m, *q = m ? z + 2 * (n - m) : z;
        ARMILLA_PREFETCH_WRITE(leg + AHEAD * modes->row_length);
        double n_re = scale[0] * (p[0] + q[0]), n_im = scale[0] * (p[1] - q[1]);
        double s_re = scale[1] * (p[1] + q[1]), s_im = scale[1] * (q[0] - p[0]);
        if (!phase) {
            leg[0] = n_re, leg[1] = n_im, leg[2] = s_re, leg[3] = s_im;
            continue;
        }
        double c = phase[2 * m], s = -phase[2 * m + 1];
        leg[0] = c * n_re - s * n_im, leg[1] = c * n_im + s * n_re;
        leg[2] = c * s_re - s * s_im, leg[3] = c * s_im + s * s_re;
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
