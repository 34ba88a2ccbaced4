/* Per-order step arrays, O(lmax) each, between the plan's tables and the O(lmax * rings) kernels.
 *
 * With l = m + 2k + 1 the odd degree of step k, A_l^2 = (l^2 - m^2) / (4 l^2 - 1), and a_k, alpha_k
 * of the order (docs/mathematics.md (2.7), (2.8), (2.11)):
 *
 *     equator (y = cos^2)  a = a_k,    b = -(A_l^2 + A_{l+1}^2) a_k
 *     pole    (y = sin^2)  a = -a_k,   b = (1 - A_l^2 - A_{l+1}^2) a_k
 *     fine equator         c1 = -a_k A_l^2,  c2 = -a_k A_{l+1}^2
 *     fine pole            c1 = a_k (l-m)(l-m-1) / (4 l^2 - 1),
 *                                      c2 = a_k (l+m+1)(l+m+2) / (4 (l+1)^2 - 1)
 *
 *     e_k = u_k a_{l-1} + v_k a_{l+1},  o_k = alpha_k a_l,  u_k = alpha_k A_l,
 *                                                           v_k = alpha_k A_{l+1}
 *
 * and the transpose (2.14) for analysis. A_l = root[l - m] root[l + m] scale[l], root[i] = sqrt(i),
 * scale[l] = 1 / sqrt(4 l^2 - 1). All tables reach at least two degrees beyond the last step's.
 * Error: b to 2 ulp, A_l to 1.5 ulp. */
#include "legendre/kernels/couplings.h"
#include "legendre/kernels/start.h"
#include "legendre/kernels/steps.h"

#include <math.h>

/* g_l = A_l A_{l+1} of (2.4), l = m + 2k, k < count */
void ARMILLA_KERNEL(armilla_kernel_products)(int64_t m, int64_t count, const double *restrict root,
                                             const double *restrict scale, double *restrict g)
{
    for (int64_t k = 0; k < count; k++) {
        int64_t l = m + 2 * k;
        double first = root[l - m] * root[l + m] * scale[l];
        double second = root[l + 1 - m] * root[l + 1 + m] * scale[l + 1];
        g[k] = first * second;
    }
}

/* alpha_k and a_k of (2.4), with g_k for k < nsteps + 2; of (3.7) with B_l. Divisions apart from
 * the chain of products, so that they run in vectors. alpha has one entry more. */
void ARMILLA_KERNEL(armilla_kernel_tables)(int64_t nsteps, const double *restrict g,
                                           double *restrict a, double *restrict alpha,
                                           double *restrict ratio)
{
    for (int64_t k = 0; k <= nsteps; k++) ratio[k] = -g[k] / g[k + 1];
    alpha[0] = 1, alpha[1] = sqrt(g[1] / g[2]);
    for (int64_t k = 1; k < nsteps; k++) alpha[k + 1] = alpha[k - 1] * ratio[k];
    for (int64_t k = 0; k < nsteps; k++) a[k] = alpha[k] / (alpha[k + 1] * g[k + 1]);
}

/* Steps of all four forms; fine: whether the fine form of equator, of pole is wanted. */
ARMILLA_ALWAYS_INLINE void fill_steps(int64_t m, int64_t nsteps, const double *restrict a,
                                      const double *restrict square_scale, double *restrict equator,
                                      double *restrict pole, const int fine_equator,
                                      const int fine_pole)
{
    ARMILLA_INDEPENDENT
    for (int64_t k = 0; k < nsteps; k++) {
        const scalar_step s = find_step(m, k, square_scale);
        equator_plain(s, a[k], &equator[k], &equator[nsteps + k]);
        pole_plain(s, a[k], &pole[k], &pole[nsteps + k]);
        if (fine_equator) equator_fine(s, a[k], &equator[2 * nsteps + k], &equator[3 * nsteps + k]);
        if (fine_pole) pole_fine(s, a[k], &pole[2 * nsteps + k], &pole[3 * nsteps + k]);
    }
}

void ARMILLA_KERNEL(armilla_kernel_recurrence)(int64_t m, int64_t nsteps, const double *restrict a,
                                               const double *restrict square_scale,
                                               int fine_equator, int fine_pole,
                                               double *restrict equator, double *restrict pole)
{
    if (fine_equator && fine_pole)
        fill_steps(m, nsteps, a, square_scale, equator, pole, 1, 1);
    else if (fine_equator)
        fill_steps(m, nsteps, a, square_scale, equator, pole, 1, 0);
    else if (fine_pole)
        fill_steps(m, nsteps, a, square_scale, equator, pole, 0, 1);
    else
        fill_steps(m, nsteps, a, square_scale, equator, pole, 0, 0);
}

/* |a y + b| <= |a| largest, 0 <= y <= 1 */
void ARMILLA_KERNEL(armilla_kernel_ceilings)(int64_t m, int64_t nsteps, const double *restrict a,
                                             const double *restrict square_scale,
                                             double *restrict ceiling, double *restrict work)
{
    for (int64_t k = 0; k < nsteps; k++) {
        const scalar_step s = find_step(m, k, square_scale);
        double largest = s.odd + s.even > 0.5 ? s.odd + s.even : 1 - s.odd - s.even;
        work[k] = 1 + fabs(a[k]) * largest;
    }
    fill_ceilings(nsteps, work, ceiling);
}

/* pair: u_k, alpha_k in turns */
void ARMILLA_KERNEL(armilla_kernel_couplings)(int64_t m, int64_t nsteps,
                                              const double *restrict alpha,
                                              const double *restrict root,
                                              const double *restrict scale, double *restrict pair,
                                              double *restrict v)
{
    for (int64_t k = 0; k < nsteps; k++) {
        int64_t l = m + 2 * k + 1;
        pair[2 * k] = alpha[k] * (root[l - m] * root[l + m] * scale[l]);
        pair[2 * k + 1] = alpha[k];
        v[k] = alpha[k] * (root[l + 1 - m] * root[l + 1 + m] * scale[l + 1]);
    }
}

void ARMILLA_KERNEL(armilla_kernel_coefficients)(int64_t count, int64_t nsteps,
                                                 const double *restrict pair,
                                                 const double *restrict v,
                                                 const double *restrict alm, double *restrict out)
{
    fill_coefficients(count, nsteps, pair, v, alm, out);
}

void ARMILLA_KERNEL(armilla_kernel_degrees)(int64_t count, const double *restrict pair,
                                            const double *restrict v, const double *restrict sums,
                                            int64_t width, int add, double *restrict alm)
{
    fill_degrees(count, pair, v, sums, width, add, alm);
}
