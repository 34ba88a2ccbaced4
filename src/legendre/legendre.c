/* The Legendre stage: one order on one block of ring pairs. See legendre.h. */
#include "legendre/legendre.h"

#include "base/memory.h"
#include "legendre/dispatch.h"

#include <string.h>

armilla_status armilla_legendre_new(armilla_isa isa, int64_t lmax, int64_t mfirst, int64_t mmax,
                                    int64_t nrings, const double *theta,
                                    armilla_legendre **legendre)
{
    armilla_legendre *result;
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    result->isa = isa, result->kernels = armilla_kernels_find(isa);
    result->lmax = lmax, result->mfirst = mfirst, result->mmax = mmax;
    result->bytes = (int64_t)sizeof *result;
    status = armilla_legendre_make_pairs(result, nrings, theta);
    if (!status) status = armilla_legendre_make_tables(result);
    if (status)
        armilla_legendre_free(result);
    else
        *legendre = result;
    return status;
}

void armilla_legendre_free(armilla_legendre *legendre)
{
    if (!legendre) return;
    void *parts[] = {
        legendre->north,       legendre->south,  legendre->limit,          legendre->argument,
        legendre->cos_theta,   legendre->groups, legendre->power_mantissa, legendre->power_exponent,
        legendre->root,        legendre->scale,  legendre->square_scale,   legendre->start,
        legendre->table_start, legendre->a,      legendre->alpha};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) armilla_release(parts[i]);
    armilla_release(legendre);
}

static int64_t group_end(const armilla_legendre *legendre, int64_t group)
{
    const armilla_kernel_group *g = &legendre->groups[group];
    return g->first + g->nvec * (int64_t)legendre->kernels->vector_length;
}

int armilla_legendre_get_block(const armilla_legendre *legendre, int64_t npairs, int64_t index,
                               armilla_legendre_block *block)
{
    int64_t first = 0, end = 0;
    for (int64_t i = 0; i <= index; i++) {
        if ((first = end) == legendre->ngroups) return 0;
        while (end < legendre->ngroups &&
               group_end(legendre, end) - legendre->groups[first].first < npairs)
            end++;
        end += end < legendre->ngroups;
    }
    block->first_group = first;
    block->ngroups = end - first;
    block->first = legendre->groups[first].first;
    block->npairs = group_end(legendre, end - 1) - block->first;
    return 1;
}

int64_t armilla_legendre_row_length(const armilla_legendre_block *block)
{
    /* whole cache lines, an odd number of them: rows must not all fall into one cache set */
    int64_t lines = (4 * block->npairs + 7) / 8;
    return 8 * (lines | 1);
}

static int64_t row_pad(int64_t count)
{
    return (count + 7) / 8 * 8;
}

int64_t armilla_legendre_alm_row(const armilla_legendre *legendre, int64_t m)
{
    return row_pad(4 * armilla_legendre_steps(legendre, m) + 4);
}

int64_t armilla_legendre_scratch_size(const armilla_legendre *legendre, int64_t block_npairs)
{
    int64_t steps = armilla_legendre_steps(legendre, legendre->mfirst);
    int64_t sums = 4 * ARMILLA_VECTOR_MAX * ARMILLA_ANALYSIS_STEPS;
    int64_t group_size = (int64_t)legendre->kernels->vector_length * legendre->kernels->vectors;
    return 14 * steps + 8 + row_pad(steps / ARMILLA_KERNEL_STEPS) + sums +
           7 * row_pad(block_npairs + group_size);
}

/* Is a group of the run in this form? */
static int has_form(const armilla_legendre *legendre, int64_t first, int64_t end, int32_t form)
{
    for (int64_t g = first; g < end; g++)
        if (legendre->groups[g].form == form) return 1;
    return 0;
}

/* Fills *order for m and the groups first .. end - 1. Returns the rest of the scratch: 4 doubles
 * per step and more. */
static double *set_order(const armilla_legendre *legendre, int64_t m, int64_t first, int64_t end,
                         double *scratch, armilla_kernel_order *order)
{
    const armilla_kernels *kernels = legendre->kernels;
    int64_t index = m - legendre->mfirst, nsteps = armilla_legendre_steps(legendre, m);
    int64_t low = m % ARMILLA_LEGENDRE_LOW, high = ARMILLA_LEGENDRE_LOW + m / ARMILLA_LEGENDRE_LOW;
    double *fine = scratch + 4 * nsteps, *ceiling = fine + 6 * nsteps;
    double *rest = ceiling + row_pad(nsteps / ARMILLA_KERNEL_STEPS);
    const double *mantissa = legendre->power_mantissa, *exponent = legendre->power_exponent;
    *order = (armilla_kernel_order){
        .argument = legendre->argument,
        .cos_theta = legendre->cos_theta,
        .high_mantissa = mantissa + high * legendre->npadded,
        .high_exponent = exponent + high * legendre->npadded,
        .low_mantissa = mantissa + low * legendre->npadded,
        .low_exponent = exponent + low * legendre->npadded,
        .start_mantissa = legendre->start[index],
        .nsteps = nsteps,
        .recurrence = {scratch, scratch + 2 * nsteps, fine, fine + 3 * nsteps},
        .ceiling = ceiling,
        .coefficients = rest};
    const double *a = legendre->a + legendre->table_start[index];
    const double *square_scale = legendre->square_scale;
    kernels->recurrence(m, nsteps, a, square_scale, scratch, scratch + 2 * nsteps, ceiling, rest);
    if (has_form(legendre, first, end, ARMILLA_FORM_FINE_EQUATOR))
        kernels->fine_equator(m, nsteps, a, square_scale, fine);
    if (has_form(legendre, first, end, ARMILLA_FORM_FINE_POLE))
        kernels->fine_pole(m, nsteps, a, square_scale, fine + 3 * nsteps);
    return rest;
}

/* The groups of the block on which order m matters lie at its end. */
static int64_t first_active(const armilla_legendre *legendre, const armilla_legendre_block *block,
                            int64_t m)
{
    int64_t g = block->first_group, end = g + block->ngroups;
    while (g < end && legendre->groups[g].mlimit < m) g++;
    return g;
}

void armilla_legendre_synthesis(const armilla_legendre *legendre,
                                const armilla_legendre_block *block, int64_t m, const double *alm,
                                double *leg_row, double *scratch)
{
    int64_t g = first_active(legendre, block, m), end = block->first_group + block->ngroups;
    if (g == end) return;
    armilla_kernel_order order;
    double *coefficients = set_order(legendre, m, g, end, scratch, &order);
    legendre->kernels->coefficients(m, order.nsteps,
                                    legendre->alpha + legendre->table_start[m - legendre->mfirst],
                                    legendre->root, legendre->scale, alm, coefficients);
    for (; g < end; g++)
        legendre->kernels->synthesis(&order, &legendre->groups[g],
                                     leg_row + 4 * (legendre->groups[g].first - block->first));
}

void armilla_legendre_analysis(const armilla_legendre *legendre,
                               const armilla_legendre_block *block, int64_t m,
                               const double *leg_row, double *alm, double *scratch)
{
    const armilla_kernels *kernels = legendre->kernels;
    int64_t start = first_active(legendre, block, m), end = block->first_group + block->ngroups;
    if (start == end) return;
    armilla_kernel_order order;
    double *out = set_order(legendre, m, start, end, scratch, &order) + 8,
           *sums = out + 4 * order.nsteps;
    double *pairs = sums + 4 * ARMILLA_VECTOR_MAX * ARMILLA_ANALYSIS_STEPS;
    int64_t stride = row_pad(block->npairs);
    armilla_kernel_state state = {{pairs, pairs + stride, pairs + 2 * stride, pairs + 3 * stride},
                                  pairs + 4 * stride,
                                  pairs + 5 * stride,
                                  pairs + 6 * stride};
    for (int64_t g = start; g < end; g++)
        kernels->analysis_start(&order, &legendre->groups[g], block->first,
                                leg_row + 4 * (legendre->groups[g].first - block->first), &state);
    for (int64_t k = 0; k < order.nsteps; k += ARMILLA_ANALYSIS_STEPS) {
        int64_t count =
            order.nsteps - k < ARMILLA_ANALYSIS_STEPS ? order.nsteps - k : ARMILLA_ANALYSIS_STEPS;
        for (int64_t g = end - 1; g >= start; g--) /* the equator first: it matters at once */
            kernels->analysis_steps(&order, &legendre->groups[g], block->first, k, count, &state,
                                    sums, g == end - 1);
        kernels->analysis_reduce(count, sums, out + 4 * k);
    }
    memset(out - 4, 0, 4 * sizeof *out);
    kernels->degrees(m, order.nsteps, legendre->alpha + legendre->table_start[m - legendre->mfirst],
                     legendre->root, legendre->scale, out, alm);
}

armilla_status armilla_legendre_row(armilla_isa isa, int64_t lmax, int64_t m, double theta,
                                    double *lambda)
{
    armilla_legendre *legendre = NULL;
    double *alm = NULL, *leg = NULL, *scratch = NULL;
    armilla_legendre_block block;
    armilla_status status = armilla_legendre_new(isa, lmax, m, m, 1, &theta, &legendre);
    if (status) return status;
    armilla_legendre_get_block(legendre, 1, 0, &block);
    int64_t size = armilla_legendre_alm_row(legendre, m);
    if ((status = armilla_allocate_zero(&alm, size, sizeof(double))) ||
        (status =
             armilla_allocate_zero(&leg, armilla_legendre_row_length(&block), sizeof(double))) ||
        (status = armilla_allocate(&scratch, armilla_legendre_scratch_size(legendre, block.npairs),
                                   sizeof(double))))
        goto done;
    leg[legendre->north[0] >= 0 ? 0 : 2] = 1;
    armilla_legendre_analysis(legendre, &block, m, leg, alm, scratch);
    for (int64_t l = m; l <= lmax; l++) lambda[l - m] = alm[2 * (l - m)];

done:
    armilla_release(alm);
    armilla_release(leg);
    armilla_release(scratch);
    armilla_legendre_free(legendre);
    return status;
}
