/* Lensed maps, and back. A transform at a time: values at the deflected directions, which are
 * turned where the field has a spin, and put to the places of the map where these are not all
 * pixels. */
#include "lensing/plan.h"

#include "base/geodesic.h"
#include "base/memory.h"
#include "base/team.h"
#include "call/call.h"
#include "points/execute.h"

/* Values at points and map of one transform. */
typedef struct {
    const armilla_pointing *pointing;
    int64_t spin, ncomp, from_distance, to_distance;
    int to_map;
    const double *from;
    double *to;
} transfer;

/* --- Turning and placing -----------------------------------------------------------------------
 */

static void transfer_ring(void *context, int64_t ring, int thread)
{
    (void)thread;
    const transfer *t = context;
    const armilla_pointing *p = t->pointing;
    for (int64_t j = 0; j < p->grid->rings[ring].nphi; j++) {
        const int64_t entry = armilla_pointing_entry(p, ring, j);
        const int64_t place = armilla_pointing_place(p, ring, j);
        const int64_t source = t->to_map ? entry : place, target = t->to_map ? place : entry;
        double value[2];
        for (int64_t c = 0; c < t->ncomp; c++) value[c] = t->from[source + c * t->from_distance];
        if (t->spin)
            armilla_turn_value((t->to_map ? 1.0 : -1.0) * (double)t->spin * p->gamma[entry], value);
        for (int64_t c = 0; c < t->ncomp; c++) t->to[target + c * t->to_distance] = value[c];
    }
}

/* The end of the list of points. */
static void run_transfer(const armilla_points_end *end, int to_map, const armilla_ring_maps *values,
                         const armilla_ring_maps *map)
{
    const armilla_lensing *lensing = end->context;
    const armilla_points_core *core = lensing->points->core;
    const armilla_ring_maps *from = to_map ? values : map, *to = to_map ? map : values;
    transfer t = {.pointing = lensing->pointing,
                  .spin = core->spin,
                  .ncomp = core->nmap,
                  .from_distance = from->distance,
                  .to_distance = to->distance,
                  .to_map = to_map,
                  .from = from->values.values,
                  .to = to->values.values};
    armilla_team_run(end->nthreads, lensing->pointing->grid->nrings, transfer_ring, &t);
}

/* --- A call ------------------------------------------------------------------------------------
 */

/* The map of an adjoint is an input: its values are turned elsewhere. */
static armilla_status run_here(const armilla_lensing *lensing, const armilla_call *call)
{
    const armilla_pointing *p = lensing->pointing;
    const armilla_points_core *core = lensing->points->core;
    const int apart = p->start || (core->spin && !call->to_map);
    armilla_points_end end = {.values.distance = p->count,
                              .run = run_transfer,
                              .context = lensing,
                              .nthreads = call->exec.nthreads};
    double *values = NULL;
    armilla_status status = ARMILLA_OK;
    if (apart) status = armilla_allocate(&values, core->nmap * p->count, sizeof *values);
    if (status) return status;
    end.values.values.values = values;
    status = armilla_points_run(lensing->points, call, apart || core->spin ? &end : NULL);
    armilla_release(values);
    return status;
}

static armilla_status operate(const armilla_lensing *lensing, int to_map, const double *alm,
                              const double *map, const armilla_exec *exec)
{
    armilla_call call =
        armilla_call_of(to_map, armilla_array_of_doubles(alm), armilla_array_of_doubles(map));
    armilla_status status = armilla_check_given("lensing", lensing);
    if (status) return status;
    const armilla_pointing *p = lensing->pointing;
    const armilla_points_core *core = lensing->points->core;
    const armilla_call_arrays arrays = {.alm_size = core->layout->size,
                                        .nalm = core->nalm,
                                        .npix = p->grid->npix,
                                        .nmap = core->nmap,
                                        .grid = p->grid,
                                        .ndevices = p->ndevices,
                                        .device = p->ndevices ? p->devices[0] : 0};
    if ((status = armilla_call_open(&arrays, exec, &call))) return status;
    return p->ndevices ? armilla_points_run(lensing->points, &call, NULL)
                       : run_here(lensing, &call);
}

armilla_status armilla_lensing_alm2lenmap(const armilla_lensing *lensing, const double *alm,
                                          double *map, const armilla_exec *exec)
{
    return operate(lensing, 1, alm, map, exec);
}

armilla_status armilla_lensing_adjoint(const armilla_lensing *lensing, const double *map,
                                       double *alm, const armilla_exec *exec)
{
    return operate(lensing, 0, alm, map, exec);
}
