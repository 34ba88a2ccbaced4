/* Per-order step arrays, O(lmax) each, between the plan's table and the O(lmax * rings) kernels.
 *
 * With l = m + 2k + 1 the odd degree of step k, A_l^2 = (l^2 - m^2) / (4 l^2 - 1) and alpha_k from
 * the table: form 0 (y = cos^2):  a = a_k,   b = -(A_l^2 + A_{l+1}^2) a_k form 1 (y = sin^2):  a =
 * -a_k,  b = (1 - A_l^2 - A_{l+1}^2) a_k e_k = u_k a_{l-1} + v_k a_{l+1},  o_k = alpha_k a_l,  u_k
 * = alpha_k A_l,  v_k = alpha_k A_{l+1} and the transpose for analysis. A_l = root[l - m] root[l +
 * m] scale[l], root[i] = sqrt(i), scale[l] = 1 / sqrt(4 l^2 - 1). All arrays reach at least two
 * degrees beyond the last step's. Error: b to 2 ulp, A_l to 1.5 ulp. */
#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

#include <math.h>

void ARMILLA_KERNEL(armilla_kernel_recurrence)(int64_t m, int64_t nsteps,
                                               const double *restrict table,
                                               const double *restrict square_scale,
                                               double *restrict form0, double *restrict form1,
                                               double *restrict ceiling);
void ARMILLA_KERNEL(armilla_kernel_recurrence_fine)(int64_t m, int64_t nsteps,
                                                    const double *restrict table,
                                                    double *restrict equator,
                                                    double *restrict pole);
void ARMILLA_KERNEL(armilla_kernel_coefficients)(int64_t m, int64_t nsteps,
                                                 const double *restrict table,
                                                 const double *restrict root,
                                                 const double *restrict scale,
                                                 const double *restrict alm, double *restrict out);
void ARMILLA_KERNEL(armilla_kernel_degrees)(int64_t m, int64_t nsteps, const double *restrict table,
                                            const double *restrict root,
                                            const double *restrict scale,
                                            const double *restrict sums, double *restrict alm);

/* In a block of steps |p| grows at most by the product of 1 + |a y + b|, and 0 <= y <= 1. */
static void fill_ceilings(int64_t nsteps, const double *form0, const double *form1, double *ceiling)
{
    for (int64_t k = 0; k < nsteps; k += ARMILLA_KERNEL_STEPS) {
        double growth = 1;
        for (int64_t i = k; i < k + ARMILLA_KERNEL_STEPS; i++)
            growth *= 1 + fmax(fabs(form0[2 * i + 1]), fabs(form1[2 * i + 1]));
        ceiling[k / ARMILLA_KERNEL_STEPS] = 0x1p448 / growth;
    }
}

/* square_scale[l] = 1 / (4 l^2 - 1) */
void ARMILLA_KERNEL(armilla_kernel_recurrence)(int64_t m, int64_t nsteps,
                                               const double *restrict table,
                                               const double *restrict square_scale,
                                               double *restrict form0, double *restrict form1,
                                               double *restrict ceiling)
{
    double order = (double)m;
    for (int64_t k = 0; k < nsteps; k++) {
        double step = 2.0 * (double)k + 1, l = order + step;
        double odd = step * (l + order) * square_scale[m + 2 * k + 1];
        double even = (step + 1) * (l + 1 + order) * square_scale[m + 2 * k + 2];
        double a = table[2 * k];
        form0[2 * k] = a, form0[2 * k + 1] = -a * (odd + even);
        form1[2 * k] = -a, form1[2 * k + 1] = a * (1 - odd - even);
    }
    fill_ceilings(nsteps, form0, form1, ceiling);
}

/* With a = a_k of the table and the closed forms of the solutions for y = 0 (docs/mathematics.md
 * 2): equator  c0 = a,   c1 = -a A_l^2,  c2 = -a A_{l+1}^2 pole     c0 = -a,  c1 = a (l-m)(l-m-1) /
 * ((2l-1)(2l+1)),  c2 = a (l+m+1)(l+m+2) / ((2l+1)(2l+3)) */
void ARMILLA_KERNEL(armilla_kernel_recurrence_fine)(int64_t m, int64_t nsteps,
                                                    const double *restrict table,
                                                    double *restrict equator, double *restrict pole)
{
    for (int64_t k = 0; k < nsteps; k++) {
        double a = table[2 * k], step = 2.0 * (double)k + 1, l = (double)m + step,
               up = l + (double)m;
        double below = 1 / ((2 * l - 1) * (2 * l + 1)), above = 1 / ((2 * l + 1) * (2 * l + 3));
        equator[3 * k] = a;
        equator[3 * k + 1] = -a * (step * up * below);
        equator[3 * k + 2] = -a * ((step + 1) * (up + 1) * above);
        pole[3 * k] = -a;
        pole[3 * k + 1] = a * (step * (step - 1) * below);
        pole[3 * k + 2] = a * ((up + 1) * (up + 2) * above);
    }
}

/* alm: complex a_l for l = m, m + 1, ..., with zeros beyond lmax */
void ARMILLA_KERNEL(armilla_kernel_coefficients)(int64_t m, int64_t nsteps,
                                                 const double *restrict table,
                                                 const double *restrict root,
                                                 const double *restrict scale,
                                                 const double *restrict alm, double *restrict out)
{
    for (int64_t k = 0; k < nsteps; k++, alm += 4) {
        int64_t l = m + 2 * k + 1;
        double alpha = table[2 * k + 1];
        double u = alpha * (root[l - m] * root[l + m] * scale[l]);
        double v = alpha * (root[l + 1 - m] * root[l + 1 + m] * scale[l + 1]);
        out[4 * k] = u * alm[0] + v * alm[4];
        out[4 * k + 1] = u * alm[1] + v * alm[5];
        out[4 * k + 2] = alpha * alm[2];
        out[4 * k + 3] = alpha * alm[3];
    }
}

/* sums: E re, im, O re, im per step, preceded by four zeros. alm is added to. Written degree by
 * degree, so that no step waits for the one before. */
void ARMILLA_KERNEL(armilla_kernel_degrees)(int64_t m, int64_t nsteps, const double *restrict table,
                                            const double *restrict root,
                                            const double *restrict scale,
                                            const double *restrict sums, double *restrict alm)
{
    for (int64_t k = 0; k < nsteps; k++) {
        int64_t l = m + 2 * k + 1;
        double alpha = table[2 * k + 1], before = table[2 * k - 1];
        double u = alpha * (root[l - m] * root[l + m] * scale[l]);
        double v = before * (root[l - 1 - m] * root[l - 1 + m] * scale[l - 1]);
        alm[4 * k] += u * sums[4 * k] + v * sums[4 * k - 4];
        alm[4 * k + 1] += u * sums[4 * k + 1] + v * sums[4 * k - 3];
        alm[4 * k + 2] += alpha * sums[4 * k + 2];
        alm[4 * k + 3] += alpha * sums[4 * k + 3];
    }
}
