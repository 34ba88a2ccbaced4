/* Per-order arrays for fields of spin s; docs/mathematics.md 3. Degree l = max(m, s) + j of step j.
 *
 *     plain  a = -a_l,  b+- = (1 +- m s / (l (l+1))) a_l                              (3.7)
 *     fine   c1+- = a_l (l - M) (l -+ N) / (l (2l+1)),                                (3.9)
 *            c2+- = a_l (l+1 + M) (l+1 +- N) / ((l+1) (2l+1)),  M = max(m, s), N = min(m, s)
 *
 * spin_ladder takes coefficients of spin s to spin s - 1 (3.4), or the other way: its transpose. */
#include "legendre/kernels/start.h"
#include "legendre/kernels/steps.h"

void ARMILLA_KERNEL(armilla_kernel_spin_recurrence)(int64_t m, int64_t spin, int64_t nsteps,
                                                    const double *restrict a, double *restrict c,
                                                    double *restrict ceiling, double *restrict work)
{
    const double product = (double)m * (double)spin;
    const int64_t first = m > spin ? m : spin;
    for (int64_t j = 0; j < nsteps; j++) {
        double largest = spin_plain(product, (double)(first + j), a[j], &c[j], &c[nsteps + j],
                                    &c[2 * nsteps + j]);
        work[j] = largest;
    }
    fill_ceilings(nsteps, work, ceiling);
}

void ARMILLA_KERNEL(armilla_kernel_spin_fine)(int64_t m, int64_t spin, int64_t nsteps,
                                              const double *restrict a, double *restrict c)
{
    const double large = (double)(m > spin ? m : spin), small = (double)(m > spin ? spin : m);
    for (int64_t j = 0; j < nsteps; j++) {
        double next[4];
        spin_fine(large, small, large + (double)j, a[j], next);
        c[j] = -a[j];
        for (int i = 0; i < 4; i++) c[(i + 1) * nsteps + j] = next[i];
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

/* Lowering, degree l of spin s - 1 takes degree l - 1 of spin s times up_l, degree l + 1 times
 * down_l, and degree l of the other component times across_l. Raising is the transpose: degree l of
 * spin s takes degree l + 1 of spin s - 1 times up_{l+1}, and l - 1 times down_{l-1}. Number i of
 * each array is degree m + i. */
ARMILLA_ALWAYS_INLINE void step_ladder(int64_t m, int64_t count,
                                       const armilla_kernel_ladder *ladder, double twist,
                                       const int raise, const double *const in[4],
                                       double *const out[4])
{
    const int64_t upper = 2 * raise - 1; /* from i to what is multiplied by up */
    const ladder_order o = {
        .root = ladder->root,
        .sum_root = ladder->root + 2 * m,
        .scale = ladder->scale + m,
        .up = ladder->up + m,
        .down = ladder->down + m,
        .across = ladder->across + m,
        .order = twist * (double)m,
    };
    const double *restrict e_re = in[0], *restrict e_im = in[1];
    const double *restrict b_re = in[2], *restrict b_im = in[3];
    double *restrict f_re = out[0], *restrict f_im = out[1];
    double *restrict g_re = out[2], *restrict g_im = out[3];
    ARMILLA_INDEPENDENT
    for (int64_t i = 0; i < count; i++) {
        const ladder_links links = find_links(&o, i, raise);
        const double up = links.up, down = links.down, across = links.across;
        f_re[i] = up * e_re[i + upper] + down * e_re[i - upper] + across * b_im[i];
        f_im[i] = up * e_im[i + upper] + down * e_im[i - upper] - across * b_re[i];
        g_re[i] = up * b_re[i + upper] + down * b_re[i - upper] - across * e_im[i];
        g_im[i] = up * b_im[i + upper] + down * b_im[i - upper] + across * e_re[i];
    }
}

void ARMILLA_KERNEL(armilla_kernel_spin_ladder)(int64_t m, int64_t count,
                                                const armilla_kernel_ladder *ladder, double twist,
                                                int raise, const double *const in[4],
                                                double *const out[4])
{
    if (raise)
        step_ladder(m, count, ladder, twist, 1, in, out);
    else
        step_ladder(m, count, ladder, twist, 0, in, out);
}

void ARMILLA_KERNEL(armilla_kernel_spin_split)(int64_t count, const double *restrict row,
                                               double *restrict re, double *restrict im)
{
    for (int64_t i = 0; i < count; i++) re[i] = row[2 * i], im[i] = row[2 * i + 1];
}

void ARMILLA_KERNEL(armilla_kernel_spin_join)(int64_t count, const double *restrict re,
                                              const double *restrict im, int add,
                                              double *restrict row)
{
    if (add)
        for (int64_t i = 0; i < count; i++) row[2 * i] += re[i], row[2 * i + 1] += im[i];
    else
        for (int64_t i = 0; i < count; i++) row[2 * i] = re[i], row[2 * i + 1] = im[i];
}
