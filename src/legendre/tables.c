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

enum { KEPT_STEPS = 300000 }; /* 10 MB: lmax 1080 or so */

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
    return 3 * (armilla_legendre_steps(legendre, legendre->mfirst) + 8);
}

void armilla_legendre_fill_table(const armilla_legendre *legendre, int64_t m,
                                 const armilla_legendre_table *table, double *work)
{
    const armilla_kernels *kernels = legendre->kernels;
    int64_t nsteps = (legendre->top - m) / 2 + 1, padded = armilla_legendre_steps(legendre, m);
    double *g = work, *alpha = work + padded + 8, *ratio = alpha + padded + 8;
    kernels->products(m, nsteps + 2, legendre->root, legendre->scale, g);
    kernels->tables(nsteps, g, table->a, alpha, ratio);
    for (int64_t k = nsteps; k < padded; k++) table->a[k] = alpha[k] = 0;
    table->v[-1] = 0; /* in `table` of all orders: of the order before, for a degree beyond top */
    kernels->couplings(m, padded, alpha, legendre->root, legendre->scale, table->pair, table->v);
    kernels->ceilings(m, padded, table->a, legendre->square_scale, table->ceiling, work);
}

void armilla_legendre_kept_table(const armilla_legendre *legendre, int64_t m,
                                 armilla_legendre_table *table)
{
    const int64_t start = legendre->table_start[m - legendre->mfirst];
    const armilla_legendre_table *all = &legendre->table;
    table->a = all->a + start, table->pair = all->pair + 2 * start, table->v = all->v + start;
    table->ceiling = all->ceiling + start / ARMILLA_KERNEL_STEPS;
}

/* Tables of all orders, where they are small enough to stay near; else each call makes its own. */
static armilla_status keep_tables(armilla_legendre *legendre)
{
    armilla_legendre_table *table = &legendre->table;
    int64_t total = ARMILLA_KERNEL_STEPS; /* step k of an order looks at v_{k-1} */
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        legendre->table_start[m - legendre->mfirst] = total;
        total += armilla_legendre_steps(legendre, m);
    }
    if (total > KEPT_STEPS) return ARMILLA_OK;
    double *work;
    armilla_status status;
    if ((status = armilla_allocate(&table->a, total, sizeof(double))) ||
        (status = armilla_allocate(&table->pair, 2 * total, sizeof(double))) ||
        (status = armilla_allocate(&table->v, total, sizeof(double))) ||
        (status =
             armilla_allocate(&table->ceiling, total / ARMILLA_KERNEL_STEPS, sizeof(double))) ||
        (status = armilla_allocate(&work, armilla_legendre_table_work(legendre), sizeof(double))))
        return status;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        armilla_legendre_table one;
        armilla_legendre_kept_table(legendre, m, &one);
        armilla_legendre_fill_table(legendre, m, &one, work);
    }
    armilla_release(work);
    legendre->bytes += 33 * total;
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
