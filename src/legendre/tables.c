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

enum { KEPT_STEPS = 1 << 19 }; /* 8 MB: lmax 1400 or so */

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

int64_t armilla_legendre_table_work(const armilla_legendre *legendre)
{
    return 2 * (armilla_legendre_steps(legendre, legendre->mfirst) + 8);
}

void armilla_legendre_fill_tables(const armilla_legendre *legendre, int64_t m, double *a,
                                  double *alpha, double *work)
{
    int64_t nsteps = (legendre->top - m) / 2 + 1, padded = armilla_legendre_steps(legendre, m);
    double *g = work, *ratio = work + nsteps + 2;
    legendre->kernels->products(m, nsteps + 2, legendre->root, legendre->scale, g);
    legendre->kernels->tables(nsteps, g, a, alpha, ratio);
    for (int64_t k = nsteps; k < padded; k++) a[k] = alpha[k] = 0;
}

/* Tables of all orders, where they are small enough to stay near; else each call makes its own. */
static armilla_status keep_tables(armilla_legendre *legendre)
{
    int64_t total = 1; /* step k of an order looks at alpha_{k-1}: one entry in front */
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        legendre->table_start[m - legendre->mfirst] = total;
        total += armilla_legendre_steps(legendre, m);
    }
    if (total > KEPT_STEPS) return ARMILLA_OK;
    double *work;
    armilla_status status;
    if ((status = armilla_allocate(&legendre->a, total, sizeof(double))) ||
        (status = armilla_allocate(&legendre->alpha, total + 1, sizeof(double))) ||
        (status = armilla_allocate(&work, armilla_legendre_table_work(legendre), sizeof(double))))
        return status;
    legendre->a[0] = legendre->alpha[0] = 0;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        int64_t start = legendre->table_start[m - legendre->mfirst];
        armilla_legendre_fill_tables(legendre, m, legendre->a + start, legendre->alpha + start,
                                     work);
    }
    armilla_release(work);
    legendre->bytes += 16 * total;
    return ARMILLA_OK;
}

armilla_status armilla_legendre_make_tables(armilla_legendre *legendre)
{
    int64_t orders = legendre->mmax - legendre->mfirst + 1,
            nscale = legendre->top + ARMILLA_LEGENDRE_PADDING;
    int64_t highest = legendre->mmax > legendre->spin ? legendre->mmax : legendre->spin;
    int64_t nroot = legendre->top + highest + ARMILLA_LEGENDRE_PADDING;
    armilla_status status;
    if ((status = armilla_allocate(&legendre->root, nroot, sizeof(double))) ||
        (status = armilla_allocate(&legendre->scale, nscale, sizeof(double))) ||
        (status = armilla_allocate(&legendre->square_scale, nscale, sizeof(double))) ||
        (status = armilla_allocate(&legendre->start, orders, sizeof(double))) ||
        (status = armilla_allocate(&legendre->table_start, orders, sizeof(int64_t))))
        return status;
    fill_degrees(legendre, nroot, nscale);
    fill_starts(legendre);
    legendre->bytes += 8 * (nroot + 2 * nscale + 2 * orders);
    return keep_tables(legendre);
}
