/* See legendre_row.h: the analysis of a 1 on one ring. */
#include "oracle/legendre_row.h"

#include "legendre/legendre.h"

armilla_status legendre_row(armilla_isa isa, int64_t lmax, int64_t m, double theta, double *lambda)
{
    armilla_legendre *legendre = NULL;
    armilla_ring_pairs pairs;
    double *alm = NULL, *scratch = NULL, leg[4] = {0};
    armilla_status status = armilla_ring_pairs_make(1, &theta, lmax, lmax, 0, &pairs);
    if (status) return status;
    const armilla_legendre_problem problem = {
        .isa = isa, .lmax = lmax, .norders = 1, .orders = &m, .pairs = &pairs};
    if ((status = armilla_legendre_new(&problem, &legendre)) ||
        (status =
             armilla_allocate_zero(&alm, armilla_legendre_alm_row(legendre, m), sizeof(double))) ||
        (status = armilla_allocate(&scratch, armilla_legendre_scratch_size(legendre, 1),
                                   sizeof(double))))
        goto done;
    leg[pairs.north[0] >= 0 ? 0 : 2] = 1;
    const armilla_legendre_sets sets = {.count = 1, .alm = alm, .leg = leg};
    armilla_legendre_analysis(legendre, 0, 1, m, &sets, scratch);
    for (int64_t l = m; l <= lmax; l++) lambda[l - m] = alm[2 * (l - m)];

done:
    armilla_release(alm);
    armilla_release(scratch);
    armilla_legendre_free(legendre);
    armilla_ring_pairs_clear(&pairs);
    return status;
}
