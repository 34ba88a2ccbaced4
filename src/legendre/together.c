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
    const int64_t most = armilla_legendre_most_together(legendre);
    for (int64_t m = legendre->mmax; m >= legendre->mfirst && together; m--) {
        const int goes =
            armilla_legendre_kept_matrix(legendre, m) && !has_own_functions(legendre, m);
        const int64_t next = m + legendre->step;
        const int behind = next <= legendre->mmax ? together[next - legendre->mfirst] : 0;
        together[m - legendre->mfirst] =
            (unsigned char)(goes ? armilla_smaller(behind + 1, most) : 0);
    }
}

/* Sets the rows at the kernel's end of the ladder. */
static void set_ladder_rows(const armilla_legendre *legendre, int64_t count,
                            const armilla_legendre_sets *sets, const armilla_kernel_rows *rows,
                            double *scratch, armilla_kernel_rows *own)
{
    const int64_t row = armilla_legendre_alm_row(legendre, legendre->mfirst);
    double *alm = scratch + legendre->parts[sets->count].rows;
    for (int64_t i = 0; i < count; i++, alm += 2 * row)
        own[i] = (armilla_kernel_rows){alm, row, rows[i].leg};
}

void armilla_legendre_synthesis_together(const armilla_legendre *legendre, int64_t first_pair,
                                         int64_t npairs, int64_t m, int64_t count,
                                         const armilla_legendre_sets *sets,
                                         const armilla_kernel_rows *rows, double *scratch)
{
    const armilla_kernel_matrix *matrix = armilla_legendre_kept_matrix(legendre, m);
    const armilla_legendre_parts *at = &legendre->parts[sets->count];
    armilla_kernel_rows own[ARMILLA_LEGENDRE_TOGETHER_BEHIND_LADDERS];
    const int ladder = armilla_legendre_has_ladder(legendre);
    if (ladder) set_ladder_rows(legendre, count, sets, rows, scratch, own);
    for (int64_t i = 0; i < count && ladder; i++) {
        double *const in[2] = {rows[i].alm, rows[i].alm + rows[i].alm_far};
        double *const out[2] = {own[i].alm, own[i].alm + own[i].alm_far};
        armilla_legendre_lower(legendre, m + i * legendre->step, in, scratch + at->ladder, out);
    }
    const armilla_kernel_together together = {matrix,           ladder ? own : rows, count,
                                              first_pair,       first_pair + npairs, sets->count,
                                              sets->leg_stride, legendre->step};
    legendre->kernels->matrix_synthesis(&together,
                                        scratch + at->coefficients + ARMILLA_LEGENDRE_GAP);
}

void armilla_legendre_analysis_together(const armilla_legendre *legendre, int64_t first_pair,
                                        int64_t npairs, int64_t m, int64_t count,
                                        const armilla_legendre_sets *sets,
                                        const armilla_kernel_rows *rows, double *scratch)
{
    const armilla_kernel_matrix *matrix = armilla_legendre_kept_matrix(legendre, m);
    const armilla_legendre_parts *at = &legendre->parts[sets->count];
    armilla_kernel_rows own[ARMILLA_LEGENDRE_TOGETHER_BEHIND_LADDERS];
    const int ladder = armilla_legendre_has_ladder(legendre);
    if (ladder) set_ladder_rows(legendre, count, sets, rows, scratch, own);
    const armilla_kernel_together together = {matrix,           ladder ? own : rows, count,
                                              first_pair,       first_pair + npairs, sets->count,
                                              sets->leg_stride, legendre->step};
    legendre->kernels->matrix_analysis(&together, sets->add && !ladder, scratch + at->state,
                                       scratch + at->coefficients + ARMILLA_LEGENDRE_GAP,
                                       4 * armilla_round_line(matrix->nsteps) +
                                           ARMILLA_LEGENDRE_GAP);
    for (int64_t i = 0; i < count && ladder; i++) {
        double *const in[2] = {own[i].alm, own[i].alm + own[i].alm_far};
        double *const out[2] = {rows[i].alm, rows[i].alm + rows[i].alm_far};
        armilla_legendre_raise(legendre, m + i * legendre->step, in, scratch + at->ladder,
                               sets->add, out);
    }
}
