/* Per-order arrays for fields of spin s; docs/mathematics.md 3. Degree l = max(m, s) + j of step j.
 *
 *     plain  a = -a_l,  b+- = (1 +- m s / (l (l+1))) a_l                              (3.7)
 *     fine   c1+- = a_l (l - M) (l -+ N) / (l (2l+1)),                                (3.9)
 *            c2+- = a_l (l+1 + M) (l+1 +- N) / ((l+1) (2l+1)),  M = max(m, s), N = min(m, s)
 *
 * spin_lower takes coefficients of spin s to spin s - 1 (3.4), spin_raise is its transpose. */
#include "legendre/kernels/start.h"

#include <math.h>

void ARMILLA_KERNEL(armilla_kernel_spin_recurrence)(int64_t m, int64_t spin, int64_t nsteps,
                                                    const double *restrict a, double *restrict c,
                                                    double *restrict ceiling, double *restrict work)
{
    const double product = (double)m * (double)spin;
    const int64_t first = m > spin ? m : spin;
    for (int64_t j = 0; j < nsteps; j++) {
        double l = (double)(first + j), across = product / (l * (l + 1));
        c[j] = -a[j];
        c[nsteps + j] = (1 + across) * a[j];
        c[2 * nsteps + j] = (1 - across) * a[j];
        /* the largest |a y + b|, 0 <= y <= 1 */
        work[j] = 1 + fabs(a[j]) * (1 + across);
    }
    for (int64_t i = 0; i < nsteps / ARMILLA_KERNEL_STEPS; i++) {
        double growth = 1;
        for (int j = 0; j < ARMILLA_KERNEL_STEPS; j++) growth *= work[ARMILLA_KERNEL_STEPS * i + j];
        ceiling[i] = 0x1p456 / growth;
    }
}

void ARMILLA_KERNEL(armilla_kernel_spin_fine)(int64_t m, int64_t spin, int64_t nsteps,
                                              const double *restrict a, double *restrict c)
{
    const double large = (double)(m > spin ? m : spin), small = (double)(m > spin ? spin : m);
    for (int64_t j = 0; j < nsteps; j++) {
        double l = large + (double)j;
        double down = a[j] * (l - large) / (l * (2 * l + 1));
        double up = a[j] * (l + 1 + large) / ((l + 1) * (2 * l + 1));
        c[j] = -a[j];
        c[nsteps + j] = down * (l - small), c[2 * nsteps + j] = down * (l + small);
        c[3 * nsteps + j] = up * (l + 1 + small), c[4 * nsteps + j] = up * (l + 1 - small);
    }
}

/* gradient, curl: complex E, B from the first degree on; a+- = E +- i twist B */
void ARMILLA_KERNEL(armilla_kernel_spin_coefficients)(int64_t count, double factor, double twist,
                                                      const double *restrict alpha,
                                                      const double *restrict gradient,
                                                      const double *restrict curl,
                                                      double *restrict out)
{
    for (int64_t j = 0; j < count; j++) {
        double f = factor * alpha[j], g = twist * f;
        out[4 * j] = f * gradient[2 * j] - g * curl[2 * j + 1];
        out[4 * j + 1] = f * gradient[2 * j + 1] + g * curl[2 * j];
        out[4 * j + 2] = f * gradient[2 * j] + g * curl[2 * j + 1];
        out[4 * j + 3] = f * gradient[2 * j + 1] - g * curl[2 * j];
    }
}

/* The transpose; adds to gradient and curl. */
void ARMILLA_KERNEL(armilla_kernel_spin_degrees)(int64_t count, double factor, double twist,
                                                 const double *restrict alpha,
                                                 const double *restrict sums,
                                                 double *restrict gradient, double *restrict curl)
{
    for (int64_t j = 0; j < count; j++) {
        double f = factor * alpha[j], g = twist * f;
        gradient[2 * j] += f * (sums[4 * j] + sums[4 * j + 2]);
        gradient[2 * j + 1] += f * (sums[4 * j + 1] + sums[4 * j + 3]);
        curl[2 * j] += g * (sums[4 * j + 1] - sums[4 * j + 3]);
        curl[2 * j + 1] += g * (sums[4 * j + 2] - sums[4 * j]);
    }
}

/* in, out: complex E and B for l = m .. m + count - 1; entries before m are read as well (zeros).
 * Degree l of spin s - 1 takes degree l - 1 times c+, l + 1 times c-, and l of the other set. */
void ARMILLA_KERNEL(armilla_kernel_spin_lower)(int64_t m, int64_t count,
                                               const armilla_kernel_ladder *ladder, double twist,
                                               const double *const in[2], double *const out[2])
{
    const double *restrict root = ladder->root, *restrict scale = ladder->scale;
    const double *restrict e = in[0], *restrict b = in[1];
    double *restrict f = out[0], *restrict g = out[1];
    const double order = twist * (double)m;
    for (int64_t i = 0; i < count; i++) {
        int64_t l = m + i;
        double up = root[i] * root[l + m] * scale[l] * ladder->up[l];
        double down = -root[i + 1] * root[l + 1 + m] * scale[l + 1] * ladder->down[l];
        double across = order * ladder->across[l];
        f[2 * i] = up * e[2 * i - 2] + down * e[2 * i + 2] + across * b[2 * i + 1];
        f[2 * i + 1] = up * e[2 * i - 1] + down * e[2 * i + 3] - across * b[2 * i];
        g[2 * i] = up * b[2 * i - 2] + down * b[2 * i + 2] - across * e[2 * i + 1];
        g[2 * i + 1] = up * b[2 * i - 1] + down * b[2 * i + 3] + across * e[2 * i];
    }
}

/* The transpose: degree l of spin s takes degree l + 1 of spin s - 1 times c+ of l, and so on. */
void ARMILLA_KERNEL(armilla_kernel_spin_raise)(int64_t m, int64_t count,
                                               const armilla_kernel_ladder *ladder, double twist,
                                               const double *const in[2], double *const out[2])
{
    const double *restrict root = ladder->root, *restrict scale = ladder->scale;
    const double *restrict f = in[0], *restrict g = in[1];
    double *restrict e = out[0], *restrict b = out[1];
    const double order = twist * (double)m;
    for (int64_t i = 0; i < count; i++) {
        int64_t l = m + i;
        double up = root[i + 1] * root[l + 1 + m] * scale[l + 1] * ladder->up[l + 1];
        double before = l > 0 ? ladder->down[l - 1] : 0;
        double down = -root[i] * root[l + m] * scale[l] * before;
        double across = order * ladder->across[l];
        e[2 * i] = up * f[2 * i + 2] + down * f[2 * i - 2] + across * g[2 * i + 1];
        e[2 * i + 1] = up * f[2 * i + 3] + down * f[2 * i - 1] - across * g[2 * i];
        b[2 * i] = up * g[2 * i + 2] + down * g[2 * i - 2] - across * f[2 * i + 1];
        b[2 * i + 1] = up * g[2 * i + 3] + down * g[2 * i - 1] + across * f[2 * i];
    }
}
