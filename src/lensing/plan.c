/* Plans for lensed maps. See armilla/lensing.h. */
#include "lensing/plan.h"

#include "base/memory.h"
#include "base/options.h"
#include "lensing/device.h"
#include "points/check.h"

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
    status = pointing->ndevices ? armilla_lensing_make_device(made, lmax, mmax, options)
                                : armilla_points_new(lmax, mmax, pointing->count, pointing->points,
                                                     options, &made->points);
    if (status)
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
    if (!status) status = armilla_lensing_check_device(&chosen);
    if (!status) status = armilla_pointing_new(grid, &taken, &chosen, &pointing);
    return status ? status : new_plan(pointing, lmax, mmax, &chosen, lensing);
}

/* Directions stay where they are. */
static armilla_status check_beside(const armilla_lensing *lensing,
                                   const armilla_points_options *options)
{
    const int on_gpu = lensing->pointing->ndevices > 0;
    if (on_gpu != (options->device == ARMILLA_CUDA))
        return armilla_fail(
            ARMILLA_ERROR_ARGUMENT, "options->device = %s: must be that of lensing, which is on %s",
            on_gpu ? "ARMILLA_CPU" : "ARMILLA_CUDA", on_gpu ? "a GPU" : "the processor");
    const armilla_status status = armilla_lensing_check_device(options);
    return status ? status : armilla_pointing_check_list(lensing->pointing, options);
}

armilla_status armilla_lensing_new_beside(const armilla_lensing *lensing, int64_t lmax,
                                          int64_t mmax, const armilla_points_options *options,
                                          armilla_lensing **result)
{
    armilla_points_options chosen;
    armilla_machine machine;
    armilla_status status = armilla_check_given("lensing", lensing);
    if (!status) status = armilla_check_given("result", result);
    if (!status) status = armilla_points_take_plan_options(lmax, mmax, options, &chosen, &machine);
    if (!status) status = check_beside(lensing, &chosen);
    if (status) return status;
    return new_plan(armilla_pointing_share(lensing->pointing), lmax, mmax, &chosen, result);
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

static void add_device_bytes(const armilla_lensing *lensing, armilla_points_description *d)
{
    if (d->size >= ARMILLA_END_OF(armilla_points_description, device_plan_bytes))
        d->device_plan_bytes += armilla_cuda_bytes(lensing->pointing->cuda);
    if (d->size >= ARMILLA_END_OF(armilla_points_description, device_workspace_bytes))
        d->device_workspace_bytes += armilla_lensing_device_workspace(lensing);
}

armilla_status armilla_lensing_describe(const armilla_lensing *lensing, int nthreads,
                                        armilla_points_description *description)
{
    armilla_status status = armilla_check_given("lensing", lensing);
    if (!status) status = armilla_points_describe(lensing->points, nthreads, description);
    if (!status && description->size >= ARMILLA_END_OF(armilla_points_description, plan_bytes))
        description->plan_bytes += armilla_pointing_bytes(lensing->pointing);
    if (!status && lensing->pointing->cuda) add_device_bytes(lensing, description);
    return status;
}

/* Entries of the plan go to the places of pixels. */
static void place_angles(const armilla_pointing *p, const double *from_points,
                         const double *from_gamma, double *points, double *gamma)
{
    for (int64_t ring = 0; ring < p->grid->nrings; ring++)
        for (int64_t j = 0; j < p->grid->rings[ring].nphi; j++) {
            const int64_t entry = armilla_pointing_entry(p, ring, j);
            const int64_t place = armilla_pointing_place(p, ring, j);
            for (int i = 0; points && i < 2; i++)
                points[2 * place + i] = from_points[2 * entry + i];
            if (gamma) gamma[place] = from_gamma[entry];
        }
}

static armilla_status fetch_angles(const armilla_pointing *p, double *points, double *gamma)
{
    double *numbers; /* [count][2], [count] */
    armilla_status status = armilla_allocate(&numbers, 3 * p->count, sizeof *numbers);
    if (status) return status;
    double *angles = numbers + 2 * p->count;
    if (!(status = armilla_cuda()->lensing->fetch(p->cuda, numbers, angles)))
        place_angles(p, numbers, angles, points, gamma);
    armilla_release(numbers);
    return status;
}

armilla_status armilla_lensing_angles(const armilla_lensing *lensing, double *points, double *gamma)
{
    armilla_status status = armilla_check_given("lensing", lensing);
    if (status) return status;
    const armilla_pointing *p = lensing->pointing;
    if (p->cuda) return fetch_angles(p, points, gamma);
    place_angles(p, p->points, p->gamma, points, gamma);
    return ARMILLA_OK;
}
