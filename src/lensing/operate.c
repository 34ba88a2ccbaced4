/* Lensed maps, and back. A transform at a time: values at the deflected directions, which are
 * turned where the field has a spin, and put to the places of the map where these are not all
 * pixels. */
#include "lensing/plan.h"

#include "base/geodesic.h"
#include "base/memory.h"
#include "base/team.h"
#include "lensing/device.h"
#include "call/call.h"

typedef struct {
    const armilla_lensing *lensing;
    const armilla_points_core *core;
    armilla_call call;
    double *buffer; /* values at points, [ncomp][count]; NULL: they are the map */
} run;

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

static void run_transfer(const run *r, int to_map, const double *from, double *to)
{
    transfer t = {.lensing = r->lensing,
                  .spin = r->core->spin,
                  .ncomp = r->core->nmap,
                  .values_distance =
                      r->buffer ? r->lensing->pointing->count : r->call.exec.map_distance,
                  .map_distance = r->call.exec.map_distance,
                  .to_map = to_map,
                  .from = from,
                  .to = to};
    armilla_team_run(r->call.exec.nthreads, r->lensing->pointing->grid->nrings, transfer_ring, &t);
}

/* --- One transform -----------------------------------------------------------------------------
 */

static armilla_exec exec_of_points(run *r)
{
    armilla_exec exec = armilla_call_inner(&r->call);
    if (r->buffer) exec.map_distance = r->lensing->pointing->count;
    return exec;
}

static armilla_status lens(run *r, const double *alm, double *map)
{
    const armilla_exec exec = exec_of_points(r);
    double *values = r->buffer ? r->buffer : map;
    armilla_status status = armilla_points_synthesis(r->lensing->points, alm, values, &exec);
    if (!status && (r->buffer || r->core->spin)) run_transfer(r, 1, values, map);
    return status;
}

static armilla_status unlens(run *r, const double *map, double *alm)
{
    const armilla_exec exec = exec_of_points(r);
    if (r->buffer) run_transfer(r, 0, map, r->buffer);
    return armilla_points_adjoint_synthesis(r->lensing->points, r->buffer ? r->buffer : map, alm,
                                            &exec);
}

/* --- A call ------------------------------------------------------------------------------------
 */

/* The map of an adjoint is an input: its values are turned elsewhere. */
static armilla_status take_buffer(run *r)
{
    const armilla_pointing *p = r->lensing->pointing;
    if (!p->start && (r->call.to_map || !r->core->spin)) return ARMILLA_OK;
    return armilla_allocate(&r->buffer, r->core->nmap * p->count, sizeof *r->buffer);
}

static armilla_status run_here(run *r, double *alm, double *map)
{
    armilla_call *c = &r->call;
    armilla_status status = take_buffer(r);
    if (status) return status;
    for (int64_t t = 0; t < c->exec.ntrans && !status; t++) {
        double *one_alm = alm + 2 * t * r->core->nalm * c->exec.alm_distance;
        double *one_map = map + t * r->core->nmap * c->exec.map_distance;
        if ((status = armilla_relay_next(&c->relay, 1 / (double)c->exec.ntrans))) break;
        status = c->to_map ? lens(r, one_alm, one_map) : unlens(r, one_map, one_alm);
    }
    armilla_release(r->buffer);
    return status;
}

static armilla_status operate(const armilla_lensing *lensing, int to_map, armilla_array alm,
                              armilla_array map, const armilla_exec *exec)
{
    run r = {.lensing = lensing, .call = armilla_call_of(to_map, alm, map)};
    armilla_status status = armilla_check_given("lensing", lensing);
    if (status) return status;
    const armilla_pointing *p = lensing->pointing;
    r.core = lensing->points->core;
    const armilla_call_arrays arrays = {.alm_size = r.core->layout->size,
                                        .nalm = r.core->nalm,
                                        .npix = p->grid->npix,
                                        .nmap = r.core->nmap,
                                        .grid = p->grid,
                                        .ndevices = p->ndevices,
                                        .device = p->ndevices ? p->devices[0] : 0};
    if ((status = armilla_call_open(&arrays, exec, &r.call))) return status;
    return p->ndevices
               ? armilla_lensing_run_device(lensing, to_map, alm.values, map.values, &r.call.exec)
               : run_here(&r, alm.values, map.values);
}

armilla_status armilla_lensing_alm2lenmap(const armilla_lensing *lensing, const double *alm,
                                          double *map, const armilla_exec *exec)
{
    return operate(lensing, 1, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_lensing_adjoint(const armilla_lensing *lensing, const double *map,
                                       double *alm, const armilla_exec *exec)
{
    return operate(lensing, 0, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}
