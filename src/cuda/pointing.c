/* Keeps the deflected directions of a grid's pixels on a GPU, and makes them there from the
 * coefficients of a deflection and its field. See pointing.h. */
#include "cuda/pointing.h"

#include "base/geodesic.h"
#include "base/memory.h"
#include "base/nested.h"
#include "cuda/runtime/frame.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"
#include "cuda/pointing_plan.h"

/* --- Plans ------------------------------------------------------------------------------------ */

static armilla_cuda_lensing_ring table_ring(const armilla_ring *ring)
{
    const armilla_colatitude at = armilla_colatitude_of(ring->theta);
    return (armilla_cuda_lensing_ring){.nphi = ring->nphi,
                                       .offset = ring->offset,
                                       .stride = ring->stride,
                                       .phi0 = ring->phi0,
                                       .theta = at.theta,
                                       .cosine = at.cosine,
                                       .sine = at.sine};
}

static void fill_tables(const armilla_cuda_pointing_problem *problem,
                        armilla_cuda_lensing_ring *rings, int64_t *first)
{
    first[0] = 0;
    for (int64_t i = 0; i < problem->nrings; i++) {
        rings[i] = table_ring(&problem->rings[i]);
        first[i + 1] = first[i] + rings[i].nphi;
    }
}

static armilla_status upload_tables(armilla_cuda_pointing_tables *p,
                                    const armilla_cuda_pointing_problem *problem)
{
    const int64_t nrings = problem->nrings;
    armilla_cuda_lensing_ring *rings = NULL;
    int64_t *first = NULL;
    armilla_status status = armilla_allocate(&rings, nrings, sizeof *rings);
    if (!status) status = armilla_allocate(&first, nrings + 1, sizeof *first);
    if (!status) {
        fill_tables(problem, rings, first);
        p->view.count = first[nrings];
        status = armilla_cuda_upload(rings, nrings, sizeof *rings, "rings of lensing", &p->rings);
    }
    if (!status)
        status =
            armilla_cuda_upload(first, nrings + 1, sizeof *first, "rings of lensing", &p->first);
    armilla_release(rings);
    armilla_release(first);
    return status;
}

static armilla_status allocate(int64_t numbers, const char *what, double **device)
{
    void *memory = NULL;
    const armilla_status status =
        armilla_cuda_allocate(numbers * (int64_t)sizeof **device, what, &memory);
    *device = memory;
    return status;
}

static int64_t bytes_of(const armilla_cuda_lensing_view *view)
{
    return view->nrings * (int64_t)sizeof *view->rings +
           (view->nrings + 1) * (int64_t)sizeof *view->first +
           3 * view->count * (int64_t)sizeof(double);
}

static armilla_status make_tables(armilla_cuda_pointing_tables *p,
                                  const armilla_cuda_pointing_problem *problem)
{
    armilla_cuda_pointing *known = &p->known;
    armilla_cuda_lensing_view *view = &p->view;
    armilla_status status = armilla_cuda_current_device(&known->object.device);
    if (status || (status = armilla_cuda_pool_open(known->object.device))) return status;
    p->open = 1;
    if ((status = upload_tables(p, problem)) ||
        (status = allocate(2 * view->count, "deflected directions", &known->points)) ||
        (status = allocate(view->count, "deflected directions", &known->gamma)))
        return status;
    view->rings = p->rings, view->first = p->first, view->nrings = problem->nrings;
    view->npix = problem->npix, view->placed = view->count == problem->npix;
    if (problem->nside) view->scheme = armilla_nested_scheme(problem->nside);
    known->count = view->count, known->placed = view->placed != 0;
    known->object.bytes = bytes_of(view);
    for (int i = 0; i < 2; i++)
        known->value_bytes[i] = armilla_cuda_round_part(8 * (i + 1) * view->count);
    /* for tables, and for whoever still writes the coefficients of the deflection */
    return armilla_cuda_status(cudaDeviceSynchronize(), "waiting for the rings of lensing");
}

static void free_pointing(void *object)
{
    armilla_cuda_pointing_tables *p = object;
    const int device = p->known.object.device;
    int before;
    armilla_cuda_enter_to_free(device, &before);
    armilla_cuda_release(p->rings);
    armilla_cuda_release(p->first);
    armilla_cuda_release(p->known.points);
    armilla_cuda_release(p->known.gamma);
    if (p->open) armilla_cuda_pool_close(device);
    armilla_cuda_leave_device(device, before);
    armilla_release(p);
}

static armilla_status make(const armilla_cuda_pointing_problem *problem,
                           armilla_cuda_pointing **pointing)
{
    armilla_cuda_pointing_tables *p;
    armilla_status status = armilla_cuda_check_devices(NULL, 0);
    if (status || (status = armilla_allocate_zero(&p, 1, sizeof *p))) return status;
    p->known.object.free = free_pointing;
    if ((status = make_tables(p, problem)))
        free_pointing(p);
    else
        *pointing = &p->known;
    return status;
}

/* --- What it has ------------------------------------------------------------------------------ */

static armilla_status copy_to_host(const void *device, void *host, int64_t numbers)
{
    if (!host) return ARMILLA_OK;
    return armilla_cuda_status(
        cudaMemcpy(host, device, (size_t)numbers * sizeof(double), cudaMemcpyDeviceToHost),
        "deflected directions");
}

static armilla_status fetch(const armilla_cuda_pointing *p, double *points, double *gamma)
{
    int before;
    armilla_status status = armilla_cuda_enter_device(p->object.device, &before);
    if (status) return status;
    status = copy_to_host(p->points, points, 2 * p->count);
    if (!status) status = copy_to_host(p->gamma, gamma, p->count);
    armilla_cuda_leave_device(p->object.device, before);
    return status;
}

/* --- Coefficients and field -------------------------------------------------------------------
 */

static armilla_status copy_part(const char *name, const double *part, int device, int64_t numbers,
                                double *to)
{
    armilla_cuda_array array = {.name = name, .values = armilla_array_of_doubles(part)};
    armilla_status status = armilla_cuda_find_place(ARMILLA_MEMORY_ASK, device, &array);
    if (status) return status;
    return armilla_cuda_status(
        cudaMemcpy(to, array.values.values, (size_t)numbers * sizeof *to,
                   array.on_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice),
        name);
}

static armilla_status fill(const armilla_cuda_pointing *p, const armilla_cuda_deflection_parts *of,
                           int64_t size, const armilla_cuda_deflection *d)
{
    const armilla_cuda_potential potential = {d->alm, of->lmax, of->mmax, of->curl ? 2 : 1};
    const size_t bytes = 2 * (size_t)armilla_cuda_pointing_view(p)->npix * sizeof *d->field;
    armilla_status status =
        copy_part("deflection->gradient", of->gradient, p->object.device, 2 * size, d->alm);
    if (!status && of->curl)
        status =
            copy_part("deflection->curl", of->curl, p->object.device, 2 * size, d->alm + 2 * size);
    if (!status)
        status = armilla_cuda_status(cudaMemset(d->field, 0, bytes), "the field of a deflection");
    if (!status && of->potential)
        status = armilla_cuda_status(armilla_cuda_lensing_scale(&potential, NULL),
                                     "coefficients of a deflection");
    return status ? status
                  : armilla_cuda_status(cudaDeviceSynchronize(), "coefficients of a deflection");
}

static void close_deflection(armilla_cuda_deflection *deflection)
{
    armilla_cuda_release(deflection->alm);
    armilla_cuda_release(deflection->field);
    *deflection = (armilla_cuda_deflection){.alm = NULL};
}

/* A copy of a map; places that are no pixels are copied, too. */
static armilla_status open_map(const armilla_cuda_pointing *p, const double *map,
                               armilla_cuda_deflection *d)
{
    armilla_status status =
        allocate(2 * armilla_cuda_pointing_view(p)->npix, "the map of a deflection", &d->field);
    if (!status)
        status = copy_part("deflection->map", map, p->object.device,
                           2 * armilla_cuda_pointing_view(p)->npix, d->field);
    d->is_map = 1;
    if (status) close_deflection(d);
    return status;
}

static armilla_status open_deflection(const armilla_cuda_pointing *p,
                                      const armilla_cuda_deflection_parts *parts,
                                      armilla_cuda_deflection *deflection)
{
    const int64_t size = (parts->mmax + 1) * (2 * parts->lmax - parts->mmax + 2) / 2;
    *deflection = (armilla_cuda_deflection){.alm = NULL};
    if (parts->map) return open_map(p, parts->map, deflection);
    armilla_status status =
        allocate((parts->curl ? 4 : 2) * size, "coefficients of a deflection", &deflection->alm);
    if (!status)
        status = allocate(2 * armilla_cuda_pointing_view(p)->npix, "the field of a deflection",
                          &deflection->field);
    if (!status) status = fill(p, parts, size, deflection);
    if (status) close_deflection(deflection);
    return status;
}

/* --- Directions ------------------------------------------------------------------------------- */

static int64_t find_bad(const int32_t *bad, int64_t nwarps)
{
    for (int64_t i = 0; i < nwarps; i++)
        if (bad[i] != ARMILLA_CUDA_LENSING_GOOD) return i * ARMILLA_CUDA_LENSING_WARP + bad[i];
    return -1;
}

static armilla_status run_kernel(const armilla_cuda_pointing *p, const armilla_cuda_deflection *d,
                                 int32_t *on_device, int32_t *bad)
{
    const int64_t nwarps = armilla_cuda_lensing_warps(p->count);
    const armilla_cuda_deflecting deflecting = {d->field, p->points, p->gamma, on_device,
                                                d->is_map};
    armilla_status status = armilla_cuda_status(
        armilla_cuda_lensing_deflect(armilla_cuda_pointing_view(p), &deflecting, NULL),
        "directions");
    return status ? status
                  : armilla_cuda_status(cudaMemcpy(bad, on_device, (size_t)nwarps * sizeof *bad,
                                                   cudaMemcpyDeviceToHost),
                                        "directions");
}

static armilla_status deflect(armilla_cuda_pointing *p, const armilla_cuda_deflection *deflection,
                              int64_t *bad)
{
    const int64_t nwarps = armilla_cuda_lensing_warps(p->count);
    int32_t *flags;
    void *on_device = NULL;
    armilla_status status = armilla_allocate(&flags, nwarps, sizeof *flags);
    if (status) return status;
    status = armilla_cuda_allocate(nwarps * (int64_t)sizeof *flags, "directions", &on_device);
    if (!status) status = run_kernel(p, deflection, on_device, flags);
    if (!status) *bad = find_bad(flags, nwarps);
    armilla_cuda_release(on_device);
    armilla_release(flags);
    return status;
}

static armilla_status fetch_deflection(const armilla_cuda_pointing *p,
                                       const armilla_cuda_deflection *deflection, int64_t place,
                                       double alpha[2])
{
    const double *at = deflection->field + place;
    armilla_status status = copy_to_host(at, &alpha[0], 1);
    if (!status) status = copy_to_host(at + armilla_cuda_pointing_view(p)->npix, &alpha[1], 1);
    return status;
}

const armilla_cuda_lensing_table armilla_cuda_lensing_functions = {
    .make = make,
    .fetch = fetch,
    .open_deflection = open_deflection,
    .deflect = deflect,
    .fetch_deflection = fetch_deflection,
    .close_deflection = close_deflection};
