/* Orders whose p the plan keeps as matrices: alm rows <-> leg rows, several orders in one call of a
 * kernel. Where each order has a call of its own, what belongs to it is a sixth of all instructions
 * at lmax 31. See legendre.h. */
#include "base/integer.h"
#include "legendre/plan.h"
#include "legendre/spin.h"

/* Is a part of the order's pairs left to functions of spin s by their own recurrence? */
static int has_own_functions(const armilla_legendre *legendre, int64_t m)
{
    const int64_t end = armilla_legendre_own_part(legendre, m)->end_pair;
    return end > legendre->least_pair[m - legendre->mfirst];
}

void armilla_legendre_find_together(armilla_legendre *legendre)
{
    unsigned char *together = legendre->matrices.together;
    for (int64_t m = legendre->mmax; m >= legendre->mfirst && together; m--) {
        const int goes =
            armilla_legendre_kept_matrix(legendre, m) && !has_own_functions(legendre, m);
        const int behind = m < legendre->mmax ? together[m + 1 - legendre->mfirst] : 0;
        together[m - legendre->mfirst] =
            (unsigned char)(goes ? armilla_smaller(behind + 1, ARMILLA_LEGENDRE_TOGETHER) : 0);
    }
}

/* Are rows at the other end of a ladder? The kernel takes those of spin 1 as they are where it has
 * their links. */
static int has_ladder(const armilla_legendre *legendre)
{
    return legendre->spin && !legendre->matrices.links;
}

/* Rows for the kernel, of each order of a call: rows of their own where there is a ladder. */
static void choose_rows(const armilla_legendre *legendre, int64_t count,
                        const armilla_legendre_sets *sets, double *scratch,
                        armilla_kernel_rows *rows)
{
    const int64_t row = armilla_legendre_alm_row(legendre, legendre->mfirst);
    const int ladder = has_ladder(legendre);
    double *own = scratch + legendre->parts[sets->count].rows;
    for (int64_t i = 0; i < count; i++, own += 2 * row) {
        rows[i].leg = sets[i].leg;
        for (int64_t set = 0; set < sets->count; set++)
            rows[i].alm[set] = ladder ? own + set * row : sets[i].alm + set * sets[i].alm_stride;
    }
}

void armilla_legendre_synthesis_together(const armilla_legendre *legendre, int64_t first_pair,
                                         int64_t npairs, int64_t m, int64_t count,
                                         const armilla_legendre_sets *sets, double *scratch)
{
    const armilla_kernel_matrix *matrix = armilla_legendre_kept_matrix(legendre, m);
    const armilla_legendre_parts *at = &legendre->parts[sets->count];
    armilla_kernel_rows rows[ARMILLA_LEGENDRE_TOGETHER];
    choose_rows(legendre, count, sets, scratch, rows);
    for (int64_t i = 0; i < count && has_ladder(legendre); i++) {
        double *const in[2] = {sets[i].alm, sets[i].alm + sets[i].alm_stride};
        armilla_legendre_lower(legendre, m + i, in, scratch + at->ladder, rows[i].alm);
    }
    legendre->kernels->matrix_synthesis(matrix, count, first_pair, first_pair + npairs, sets->count,
                                        rows, sets->leg_stride,
                                        scratch + at->coefficients + ARMILLA_LEGENDRE_GAP);
}

void armilla_legendre_analysis_together(const armilla_legendre *legendre, int64_t first_pair,
                                        int64_t npairs, int64_t m, int64_t count,
                                        const armilla_legendre_sets *sets, double *scratch)
{
    const armilla_kernel_matrix *matrix = armilla_legendre_kept_matrix(legendre, m);
    const armilla_legendre_parts *at = &legendre->parts[sets->count];
    armilla_kernel_rows rows[ARMILLA_LEGENDRE_TOGETHER];
    choose_rows(legendre, count, sets, scratch, rows);
    legendre->kernels->matrix_analysis(
        matrix, count, first_pair, first_pair + npairs, sets->count, rows, sets->leg_stride,
        sets->add && !has_ladder(legendre), scratch + at->state,
        scratch + at->coefficients + ARMILLA_LEGENDRE_GAP,
        4 * armilla_round_line(matrix->nsteps) + ARMILLA_LEGENDRE_GAP);
    for (int64_t i = 0; i < count && has_ladder(legendre); i++) {
        double *const out[2] = {sets[i].alm, sets[i].alm + sets[i].alm_stride};
        armilla_legendre_raise(legendre, m + i, rows[i].alm, scratch + at->ladder, sets->add, out);
    }
}
