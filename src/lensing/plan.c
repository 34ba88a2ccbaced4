/* Plans for lensed maps. See armilla/lensing.h. */
#include "lensing/plan.h"

#include "base/memory.h"
#include "base/options.h"
#include "points/check.h"
#include "points/device.h"

/* --- Making ------------------------------------------------------------------------------------
 */

/* Takes a share of the pointing, whatever happens. */
static armilla_status new_plan(armilla_pointing *pointing, int64_t lmax, int64_t mmax,
                               const armilla_points_options *options, armilla_lensing **lensing)
{
    armilla_lensing *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) {
        armilla_pointing_release(pointing);
        return status;
    }
    made->pointing = pointing;
    if ((status = armilla_points_new(lmax, mmax, pointing->count, pointing->points, options,
                                     &made->points)))
        armilla_lensing_free(made);
    else
        *lensing = made;
    return status;
}

armilla_status armilla_lensing_new(const armilla_grid *grid, const armilla_deflection *deflection,
                                   int64_t lmax, int64_t mmax,
                                   const armilla_points_options *options, armilla_lensing **lensing)
{
    armilla_deflection taken;
    armilla_points_options chosen;
    armilla_machine machine;
    armilla_pointing *pointing;
    armilla_status status = armilla_check_given("grid", grid);
    if (!status) status = armilla_deflection_take(deflection, &taken);
    if (!status) status = armilla_check_given("lensing", lensing);
    if (!status) status = armilla_points_take_plan_options(lmax, mmax, options, &chosen, &machine);
    if (!status) status = armilla_points_refuse_device(&chosen, "lensed maps are computed");
    if (!status) status = armilla_pointing_new(grid, &taken, chosen.isa, &pointing);
    return status ? status : new_plan(pointing, lmax, mmax, options, lensing);
}

armilla_status armilla_lensing_new_beside(const armilla_lensing *lensing, int64_t lmax,
                                          int64_t mmax, const armilla_points_options *options,
                                          armilla_lensing **result)
{
    armilla_status status = armilla_check_given("lensing", lensing);
    armilla_points_options chosen;
    if (!status) status = armilla_check_given("result", result);
    if (!status) status = armilla_points_take_options(lmax, mmax, options, &chosen);
    if (!status) status = armilla_points_refuse_device(&chosen, "lensed maps are computed");
    if (status) return status;
    return new_plan(armilla_pointing_share(lensing->pointing), lmax, mmax, options, result);
}

void armilla_lensing_free(armilla_lensing *lensing)
{
    if (!lensing) return;
    armilla_points_free(lensing->points);
    armilla_pointing_release(lensing->pointing);
    armilla_release(lensing);
}

/* --- What it is --------------------------------------------------------------------------------
 */

armilla_status armilla_lensing_describe(const armilla_lensing *lensing, int nthreads,
                                        armilla_points_description *description)
{
    armilla_status status = armilla_check_given("lensing", lensing);
    if (!status) status = armilla_points_describe(lensing->points, nthreads, description);
    if (!status && description->size >= ARMILLA_END_OF(armilla_points_description, plan_bytes))
        description->plan_bytes += armilla_pointing_bytes(lensing->pointing);
    return status;
}

armilla_status armilla_lensing_angles(const armilla_lensing *lensing, double *points, double *gamma)
{
    armilla_status status = armilla_check_given("lensing", lensing);
    if (status) return status;
    const armilla_pointing *p = lensing->pointing;
    for (int64_t ring = 0; ring < p->grid->nrings; ring++)
        for (int64_t j = 0; j < p->grid->rings[ring].nphi; j++) {
            const int64_t entry = armilla_pointing_entry(p, ring, j);
            const int64_t place = armilla_pointing_place(p, ring, j);
            for (int i = 0; points && i < 2; i++) points[2 * place + i] = p->points[2 * entry + i];
            if (gamma) gamma[place] = p->gamma[entry];
        }
    return ARMILLA_OK;
}
