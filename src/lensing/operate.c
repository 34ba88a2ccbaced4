/* Lensed maps, and back. A transform at a time: values at the deflected directions, which are
 * turned where the field has a spin, and put to the places of the map where these are not all
 * pixels. */
#include "lensing/plan.h"

#include "base/geodesic.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/team.h"
#include "cuda/device.h"
#include "lensing/device.h"
#include "sht/call.h"
#include "sht/missing.h"

typedef struct {
    const armilla_lensing *lensing;
    const armilla_points_core *core;
    armilla_exec exec;
    armilla_relay relay;
    double *buffer; /* values at points, [ncomp][count]; NULL: they are the map */
} call;

/* Values at points and map of one transform. */
typedef struct {
    const armilla_lensing *lensing;
    int64_t spin, ncomp, values_distance, map_distance;
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
    const armilla_pointing *p = t->lensing->pointing;
    const int64_t from_distance = t->to_map ? t->values_distance : t->map_distance;
    const int64_t to_distance = t->to_map ? t->map_distance : t->values_distance;
    for (int64_t j = 0; j < p->grid->rings[ring].nphi; j++) {
        const int64_t entry = armilla_pointing_entry(p, ring, j);
        const int64_t place = armilla_pointing_place(p, ring, j);
        const int64_t source = t->to_map ? entry : place, target = t->to_map ? place : entry;
        double value[2];
        for (int64_t c = 0; c < t->ncomp; c++) value[c] = t->from[source + c * from_distance];
        if (t->spin)
            armilla_turn_value((t->to_map ? 1.0 : -1.0) * (double)t->spin * p->gamma[entry], value);
        for (int64_t c = 0; c < t->ncomp; c++) t->to[target + c * to_distance] = value[c];
    }
}

static void run_transfer(const call *c, int to_map, const double *from, double *to)
{
    transfer t = {.lensing = c->lensing,
                  .spin = c->core->spin,
                  .ncomp = c->core->nmap,
                  .values_distance = c->buffer ? c->lensing->pointing->count : c->exec.map_distance,
                  .map_distance = c->exec.map_distance,
                  .to_map = to_map,
                  .from = from,
                  .to = to};
    armilla_team_run(c->exec.nthreads, c->lensing->pointing->grid->nrings, transfer_ring, &t);
}

/* --- One transform -----------------------------------------------------------------------------
 */

static armilla_exec exec_of_points(call *c)
{
    armilla_exec exec = c->exec;
    exec.ntrans = 1, exec.missing = ARMILLA_MISSING_PROPAGATE; /* the map has been looked at */
    if (c->buffer) exec.map_distance = c->lensing->pointing->count;
    if (exec.progress) exec.progress = armilla_relay_report, exec.progress_data = &c->relay;
    return exec;
}

static armilla_status lens(call *c, const double *alm, double *map)
{
    const armilla_exec exec = exec_of_points(c);
    double *values = c->buffer ? c->buffer : map;
    armilla_status status = armilla_points_synthesis(c->lensing->points, alm, values, &exec);
    if (!status && (c->buffer || c->core->spin)) run_transfer(c, 1, values, map);
    return status;
}

static armilla_status unlens(call *c, const double *map, double *alm)
{
    const armilla_exec exec = exec_of_points(c);
    if (c->buffer) run_transfer(c, 0, map, c->buffer);
    return armilla_points_adjoint_synthesis(c->lensing->points, c->buffer ? c->buffer : map, alm,
                                            &exec);
}

/* --- A call ------------------------------------------------------------------------------------
 */

static armilla_status check_call(const armilla_lensing *lensing, const double *alm,
                                 const double *map, const armilla_exec *given, armilla_exec *exec)
{
    armilla_status status = armilla_check_given("lensing", lensing);
    if (status) return status;
    const armilla_points_core *core = lensing->points->core;
    const armilla_call_arrays arrays = {core->layout->size, core->nalm,
                                        lensing->pointing->grid->npix, core->nmap};
    status = armilla_call_check(&arrays, lensing->pointing->ndevices > 0, given, exec);
    if (!status) status = armilla_check_given("alm", alm);
    if (!status) status = armilla_check_given("map", map);
    const armilla_cuda_shared shared = {{"alm", "map"}, {alm, map}, exec->memory, exec->stream};
    return status || lensing->pointing->ndevices <= 1 ? status
                                                      : armilla_cuda()->gpus->check_shared(&shared);
}

static armilla_status check_missing(const call *c, const double *map)
{
    const armilla_missing_maps maps = {{(void *)map, 0}, c->exec.map_distance, NULL};
    const armilla_pointing *p = c->lensing->pointing;
    const int64_t ncomponents = c->exec.ntrans * c->core->nmap;
    if (!p->ndevices) return armilla_missing_check(p->grid, ncomponents, &maps, &c->exec);
    return armilla_missing_check_there(p->devices[0], p->grid, ncomponents, &maps, &c->exec);
}

/* The map of an adjoint is an input: its values are turned elsewhere. */
static armilla_status take_buffer(call *c, int to_map)
{
    const armilla_pointing *p = c->lensing->pointing;
    if (!p->start && (to_map || !c->core->spin)) return ARMILLA_OK;
    return armilla_allocate(&c->buffer, c->core->nmap * p->count, sizeof *c->buffer);
}

static armilla_status run_here(call *c, int to_map, double *alm, double *map)
{
    armilla_status status = take_buffer(c, to_map);
    if (status) return status;
    armilla_relay_start(&c->relay, c->exec.progress, c->exec.progress_data);
    for (int64_t t = 0; t < c->exec.ntrans && !status; t++) {
        double *one_alm = alm + 2 * t * c->core->nalm * c->exec.alm_distance;
        double *one_map = map + t * c->core->nmap * c->exec.map_distance;
        if ((status = armilla_relay_next(&c->relay, 1 / (double)c->exec.ntrans))) break;
        status = to_map ? lens(c, one_alm, one_map) : unlens(c, one_map, one_alm);
    }
    armilla_release(c->buffer);
    return status;
}

/* Const is cast away only to share the loop; inputs are never written. */
static armilla_status operate(const armilla_lensing *lensing, int to_map, const double *alm,
                              const double *map, const armilla_exec *exec)
{
    call c = {.lensing = lensing};
    armilla_status status = check_call(lensing, alm, map, exec, &c.exec);
    if (status) return status;
    c.core = lensing->points->core;
    if (!to_map && (status = check_missing(&c, map))) return status;
    if (lensing->pointing->ndevices)
        return armilla_lensing_run_device(lensing, to_map, (double *)alm, (double *)map, &c.exec);
    return run_here(&c, to_map, (double *)alm, (double *)map);
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
