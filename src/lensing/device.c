/* Makes the directions of a plan for lensed maps on a GPU, from the coefficients of the deflection
 * by a transform of spin 1 there; its points turn their values on the way to the map. */
#include "lensing/device.h"

#include "armilla/sht.h"
#include "base/device_list.h"
#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device.h"
#include "cuda/pointing.h"
#include "points/device.h"

#include <string.h>

/* --- What is asked for ------------------------------------------------------------------------ */

armilla_status armilla_lensing_check_device(const armilla_points_options *options)
{
    if (options->points_memory != ARMILLA_MEMORY_ASK)
        return armilla_fail_argument("options->points_memory", (int64_t)options->points_memory,
                                     "must be ARMILLA_MEMORY_ASK: the plan makes the points");
    return armilla_points_device_check(options);
}

/* --- The deflection --------------------------------------------------------------------------- */

/* Transforms on a GPU know RING order: a grid in NESTED order has this one in its place. */
static armilla_status copy_in_ring_order(const armilla_grid *grid, armilla_grid **copy)
{
    armilla_status status = armilla_grid_copy(grid, copy);
    if (status || !armilla_grid_nested(grid)) return status;
    (*copy)->layout.nested = 0;
    for (int64_t i = 0; i < grid->nrings; i++) (*copy)->rings[i].stride = 1;
    return ARMILLA_OK;
}

static armilla_status synthesize(const armilla_grid *grid, const armilla_deflection *d,
                                 int64_t device_bytes, const armilla_cuda_deflection *there)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_exec exec;
    armilla_sht_options_init(&options);
    armilla_exec_init(&exec);
    options.spin = 1, options.device = ARMILLA_CUDA, options.device_bytes = device_bytes;
    if (!d->curl) options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    exec.memory = ARMILLA_MEMORY_DEVICE;
    armilla_status status = armilla_sht_new(grid, d->lmax, d->mmax, &options, &sht);
    if (status) return status;
    status = armilla_sht_synthesis(sht, there->alm, there->field, &exec);
    armilla_sht_free(sht);
    return status;
}

/* Names a pixel whose deflection is not finite, by its place in the map. */
static armilla_status fail_pixel(const armilla_pointing *p, const armilla_grid *field_grid,
                                 const armilla_cuda_deflection *there, int64_t number)
{
    int64_t ring = 0;
    double alpha[2];
    for (; number >= p->grid->rings[ring].nphi; ring++) number -= p->grid->rings[ring].nphi;
    const int64_t place = armilla_grid_place(field_grid, ring, number);
    const armilla_status status =
        armilla_cuda()->lensing->fetch_deflection(p->cuda, there, place, alpha);
    return status ? status
                  : armilla_deflection_fail(armilla_pointing_place(p, ring, number), alpha[0],
                                            alpha[1]);
}

static armilla_status make_directions(armilla_pointing *p, const armilla_grid *field_grid,
                                      const armilla_deflection *d, int64_t device_bytes)
{
    const armilla_cuda_deflection_parts parts = {.lmax = d->lmax,
                                                 .mmax = d->mmax,
                                                 .gradient = d->gradient,
                                                 .curl = d->curl,
                                                 .map = d->map,
                                                 .potential =
                                                     d->kind == ARMILLA_DEFLECTION_POTENTIAL};
    armilla_cuda_deflection there;
    int64_t bad = -1;
    armilla_status status = armilla_cuda()->lensing->open_deflection(p->cuda, &parts, &there);
    if (status) return status;
    if (!d->map) status = synthesize(field_grid, d, device_bytes, &there);
    if (!status) status = armilla_cuda()->lensing->deflect(p->cuda, &there, &bad);
    if (!status && bad >= 0) status = fail_pixel(p, field_grid, &there, bad);
    armilla_cuda()->lensing->close_deflection(&there);
    return status;
}

/* On the current GPU. */
static armilla_status make_here(armilla_pointing *pointing, const armilla_deflection *d,
                                int64_t device_bytes)
{
    const armilla_grid *grid = pointing->grid;
    const armilla_cuda_pointing_problem problem = {grid->rings, grid->nrings, grid->npix,
                                                   armilla_grid_nested(grid)};
    armilla_grid *field_grid = NULL;
    armilla_status status = armilla_cuda()->lensing->make(&problem, &pointing->cuda);
    if (!status)
        status =
            d->map ? armilla_grid_copy(grid, &field_grid) : copy_in_ring_order(grid, &field_grid);
    if (!status) status = make_directions(pointing, field_grid, d, device_bytes);
    armilla_grid_free(field_grid);
    return status;
}

/* --- GPUs ------------------------------------------------------------------------------------- */

static armilla_status list_devices(armilla_pointing *p, const armilla_points_options *options)
{
    const int64_t count = armilla_larger(1, options->ndevices);
    armilla_status status = armilla_allocate(&p->devices, count, sizeof *p->devices);
    if (status) return status;
    p->ndevices = count;
    if (!options->ndevices) return armilla_cuda()->gpus->current(p->devices);
    memcpy(p->devices, options->devices, (size_t)count * sizeof *p->devices);
    return ARMILLA_OK;
}

armilla_status armilla_pointing_check_list(const armilla_pointing *p,
                                           const armilla_points_options *options)
{
    if (!options->ndevices) return ARMILLA_OK;
    if (options->ndevices == p->ndevices &&
        !memcmp(options->devices, p->devices, (size_t)p->ndevices * sizeof *p->devices))
        return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "options->devices: must be NULL or the GPUs of lensing, which are %lld and "
                        "begin with GPU %d",
                        (long long)p->ndevices, p->devices[0]);
}

static armilla_status list_places(armilla_pointing *p)
{
    armilla_status status = armilla_allocate(&p->place, p->count, sizeof *p->place);
    for (int64_t ring = 0; ring < p->grid->nrings && !status; ring++)
        for (int64_t j = 0; j < p->grid->rings[ring].nphi; j++)
            p->place[armilla_pointing_entry(p, ring, j)] = armilla_pointing_place(p, ring, j);
    return status;
}

/* The host deals directions out to several GPUs. */
static armilla_status bring_to_host(armilla_pointing *p)
{
    armilla_status status = armilla_allocate(&p->points, 2 * p->count, sizeof *p->points);
    if (!status) status = armilla_allocate(&p->gamma, p->count, sizeof *p->gamma);
    if (!status && p->start) status = list_places(p);
    if (!status) status = armilla_cuda()->lensing->fetch(p->cuda, p->points, p->gamma);
    armilla_cuda_free(p->cuda);
    p->cuda = NULL;
    return status;
}

armilla_status armilla_pointing_make_device(armilla_pointing *p, const armilla_deflection *d,
                                            const armilla_points_options *options)
{
    int before;
    armilla_status status = list_devices(p, options);
    if (!status) status = armilla_cuda()->gpus->enter(p->devices[0], &before);
    if (status) return status;
    status = make_here(p, d, options->device_bytes);
    if (!status && p->ndevices > 1) status = bring_to_host(p);
    armilla_cuda()->gpus->leave(p->devices[0], before);
    return p->ndevices > 1 ? armilla_device_name(p->devices[0], status) : status;
}

/* --- Points ----------------------------------------------------------------------------------- */

/* With several GPUs directions are on the host, and values turn on the GPUs if fields have a spin.
 */
armilla_status armilla_lensing_make_device(armilla_lensing *lensing, int64_t lmax, int64_t mmax,
                                           const armilla_points_options *options)
{
    const armilla_pointing *p = lensing->pointing;
    armilla_points_options chosen = *options;
    chosen.points_memory = p->cuda ? ARMILLA_MEMORY_DEVICE : ARMILLA_MEMORY_HOST;
    chosen.devices = p->devices, chosen.ndevices = p->ndevices;
    const armilla_status status = armilla_points_new(
        lmax, mmax, p->count, p->cuda ? p->cuda->points : p->points, &chosen, &lensing->points);
    if (status) return status;
    const int64_t spin = lensing->points->core->spin;
    const armilla_cuda_points_turn turn = {
        .spin = spin, .pointing = p->cuda, .gamma = spin ? p->gamma : NULL, .place = p->place};
    return armilla_cuda()->points->turn(lensing->points->sorted, &turn);
}

int64_t armilla_lensing_device_workspace(const armilla_lensing *lensing)
{
    const armilla_points_core *core = lensing->points->core;
    const armilla_pointing *p = lensing->pointing;
    return core->spin || p->start ? p->cuda->value_bytes[core->nmap - 1] : 0;
}
