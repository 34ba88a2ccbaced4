/* Recurrence tables of the Legendre stage; docs/mathematics.md (2.4), (2.6).
 *
 * With g_l = A_l A_{l+1} and step k of order m:
 *
 *     alpha_0 = 1,  alpha_1 = sqrt(g_{m+2} / g_{m+4})
 *     alpha_{k+1} = -alpha_{k-1} g_{m+2k} / g_{m+2k+2},  a_k = alpha_k / (alpha_{k+1} g_{m+2k+2})
 *     p_0 / sin^m theta = (-1)^m sqrt((2m+1)(2m+3) / (4 pi) * prod_{i=1..m} (2i-1)/(2i))
 *
 * alpha_1 is free; this choice keeps p_k of one size. Only the ratios between neighbours enter the
 * recurrence, so the rounding that piles up in alpha_k is harmless: it changes the scale of p_k and
 * of the coefficients alike. */
#include "base/memory.h"
#include "legendre/legendre.h"

#include <math.h>

int64_t armilla_legendre_steps(const armilla_legendre *legendre, int64_t m)
{
    int64_t steps = (legendre->top - m) / 2 + 1;
    return (steps + ARMILLA_KERNEL_STEPS - 1) / ARMILLA_KERNEL_STEPS * ARMILLA_KERNEL_STEPS;
}

static void fill_degrees(armilla_legendre *legendre, int64_t nroot, int64_t nscale)
{
    for (int64_t i = 0; i < nroot; i++) legendre->root[i] = sqrt((double)i);
    legendre->scale[0] = legendre->square_scale[0] = 0; /* A_0 = 0 */
    for (int64_t l = 1; l < nscale; l++) {
        double square = (2 * (double)l - 1) * (2 * (double)l + 1);
        legendre->square_scale[l] = 1 / square;
        legendre->scale[l] = (double)(1 / sqrtl((long double)square));
    }
}

static void fill_starts(armilla_legendre *legendre)
{
    long double product = 1;
    for (int64_t m = 0; m <= legendre->mmax; m++) {
        long double d = (long double)m;
        if (m > 0) product *= (2 * d - 1) / (2 * d);
        if (m < legendre->mfirst) continue;
        long double start = sqrtl((2 * d + 1) * (2 * d + 3) /
                                  (4 * 3.14159265358979323846264338327950288L) * product);
        legendre->start[m - legendre->mfirst] = (double)(m % 2 ? -start : start);
    }
}

/* g: g_{m+2k} for k = 0 .. nsteps + 1. Splitting off the divisions lets them run in vectors. */
static void fill_order(const armilla_legendre *legendre, int64_t m, double *g, double *ratio)
{
    const double *root = legendre->root, *scale = legendre->scale;
    int64_t nsteps = (legendre->top - m) / 2 + 1, padded = armilla_legendre_steps(legendre, m);
    double *a = legendre->a + legendre->table_start[m - legendre->mfirst];
    double *alpha = legendre->alpha + legendre->table_start[m - legendre->mfirst];
    for (int64_t k = 0; k <= nsteps + 1; k++) {
        int64_t l = m + 2 * k;
        double first = root[l - m] * root[l + m] * scale[l];
        double second = root[l + 1 - m] * root[l + 1 + m] * scale[l + 1];
        g[k] = first * second;
    }
    for (int64_t k = 0; k <= nsteps; k++) ratio[k] = g[k] / g[k + 1];
    alpha[0] = 1, alpha[1] = sqrt(g[1] / g[2]); /* steps are padded: there are at least two */
    for (int64_t k = 1; k < nsteps; k++) alpha[k + 1] = -alpha[k - 1] * ratio[k];
    for (int64_t k = 0; k < nsteps; k++) a[k] = alpha[k] / (alpha[k + 1] * g[k + 1]);
    for (int64_t k = nsteps; k < padded; k++) a[k] = alpha[k] = 0;
}

armilla_status armilla_legendre_make_tables(armilla_legendre *legendre)
{
    int64_t orders = legendre->mmax - legendre->mfirst + 1,
            nscale = legendre->top + ARMILLA_LEGENDRE_PADDING;
    int64_t nroot = legendre->top + legendre->mmax + ARMILLA_LEGENDRE_PADDING;
    double *work = NULL;
    armilla_status status;
    if ((status = armilla_allocate(&legendre->root, nroot, sizeof(double))) ||
        (status = armilla_allocate(&legendre->scale, nscale, sizeof(double))) ||
        (status = armilla_allocate(&legendre->square_scale, nscale, sizeof(double))) ||
        (status = armilla_allocate(&legendre->start, orders, sizeof(double))) ||
        (status = armilla_allocate(&legendre->table_start, orders, sizeof(int64_t))))
        return status;
    int64_t total = 1; /* step k of an order looks at alpha_{k-1}: one entry in front */
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        legendre->table_start[m - legendre->mfirst] = total;
        total += armilla_legendre_steps(legendre, m);
    }
    int64_t longest = armilla_legendre_steps(legendre, legendre->mfirst) + 4;
    if ((status = armilla_allocate(&legendre->a, total, sizeof(double))) ||
        (status = armilla_allocate(&legendre->alpha, total + 1, sizeof(double))) ||
        (status = armilla_allocate(&work, 2 * longest, sizeof(double))))
        return status;
    legendre->a[0] = legendre->alpha[0] = 0;
    fill_degrees(legendre, nroot, nscale);
    fill_starts(legendre);
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++)
        fill_order(legendre, m, work, work + longest);
    armilla_release(work);
    legendre->bytes += 8 * (2 * total + nroot + 2 * nscale + 2 * orders);
    return ARMILLA_OK;
}
