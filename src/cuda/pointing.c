/* Keeps the deflected directions of a grid's pixels on a GPU, and makes them there from the
 * coefficients of a deflection and its field. See pointing.h. */
#include "cuda/pointing.h"

#include "base/geodesic.h"
#include "base/memory.h"
#include "base/nested.h"
#include "cuda/call.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/pointing_plan.h"
#include "cuda/transform.h"

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

static armilla_status upload_tables(armilla_cuda_pointing *p,
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

static armilla_status make(armilla_cuda_pointing *p, const armilla_cuda_pointing_problem *problem)
{
    armilla_status status = armilla_cuda_current_device(&p->device);
    if (status || (status = armilla_cuda_pool_open(p->device))) return status;
    p->open = 1;
    if ((status = upload_tables(p, problem)) ||
        (status = allocate(2 * p->view.count, "deflected directions", &p->points)) ||
        (status = allocate(p->view.count, "deflected directions", &p->gamma)))
        return status;
    p->view.rings = p->rings, p->view.first = p->first, p->view.nrings = problem->nrings;
    p->view.npix = problem->npix, p->view.placed = p->view.count == problem->npix;
    if (problem->nside) p->view.scheme = armilla_nested_scheme(problem->nside);
    /* for tables, and for whoever still writes the coefficients of the deflection */
    return armilla_cuda_status(cudaDeviceSynchronize(), "waiting for the rings of lensing");
}

armilla_status armilla_cuda_pointing_new(const armilla_cuda_pointing_problem *problem,
                                         armilla_cuda_pointing **pointing)
{
    armilla_cuda_pointing *p;
    armilla_status status = armilla_cuda_check_device();
    if (status || (status = armilla_allocate_zero(&p, 1, sizeof *p))) return status;
    if ((status = make(p, problem)))
        armilla_cuda_pointing_free(p);
    else
        *pointing = p;
    return status;
}

void armilla_cuda_pointing_free(armilla_cuda_pointing *pointing)
{
    int before;
    if (!pointing) return;
    armilla_cuda_enter_to_free(pointing->device, &before);
    armilla_cuda_release(pointing->rings);
    armilla_cuda_release(pointing->first);
    armilla_cuda_release(pointing->points);
    armilla_cuda_release(pointing->gamma);
    if (pointing->open) armilla_cuda_pool_close(pointing->device);
    armilla_cuda_leave_device(pointing->device, before);
    armilla_release(pointing);
}

/* --- What it has ------------------------------------------------------------------------------ */

int64_t armilla_cuda_pointing_bytes(const armilla_cuda_pointing *pointing)
{
    const armilla_cuda_lensing_view *view = &pointing->view;
    return view->nrings * (int64_t)sizeof *view->rings +
           (view->nrings + 1) * (int64_t)sizeof *view->first +
           3 * view->count * (int64_t)sizeof(double);
}

int64_t armilla_cuda_pointing_count(const armilla_cuda_pointing *pointing)
{
    return pointing->view.count;
}

int armilla_cuda_pointing_device(const armilla_cuda_pointing *pointing)
{
    return pointing->device;
}

int armilla_cuda_pointing_is_placed(const armilla_cuda_pointing *pointing)
{
    return pointing->view.placed != 0;
}

const double *armilla_cuda_pointing_points(const armilla_cuda_pointing *pointing)
{
    return pointing->points;
}

static armilla_status fetch(const void *device, void *host, int64_t numbers)
{
    if (!host) return ARMILLA_OK;
    return armilla_cuda_status(
        cudaMemcpy(host, device, (size_t)numbers * sizeof(double), cudaMemcpyDeviceToHost),
        "deflected directions");
}

armilla_status armilla_cuda_pointing_fetch(const armilla_cuda_pointing *pointing, double *points,
                                           double *gamma)
{
    int before;
    armilla_status status = armilla_cuda_enter_device(pointing->device, &before);
    if (status) return status;
    status = fetch(pointing->points, points, 2 * pointing->view.count);
    if (!status) status = fetch(pointing->gamma, gamma, pointing->view.count);
    armilla_cuda_leave_device(pointing->device, before);
    return status;
}

/* --- Coefficients and field -------------------------------------------------------------------
 */

static armilla_status copy_part(const char *name, const double *part, int device, int64_t numbers,
                                double *to)
{
    armilla_cuda_array array = {.values = armilla_array_of_doubles(part)};
    armilla_status status = armilla_cuda_find_place(name, ARMILLA_MEMORY_ASK, device, &array);
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
    const size_t bytes = 2 * (size_t)p->view.npix * sizeof *d->field;
    armilla_status status =
        copy_part("deflection->gradient", of->gradient, p->device, 2 * size, d->alm);
    if (!status && of->curl)
        status = copy_part("deflection->curl", of->curl, p->device, 2 * size, d->alm + 2 * size);
    if (!status)
        status = armilla_cuda_status(cudaMemset(d->field, 0, bytes), "the field of a deflection");
    if (!status && of->potential)
        status = armilla_cuda_status(armilla_cuda_lensing_scale(&potential, NULL),
                                     "coefficients of a deflection");
    return status ? status
                  : armilla_cuda_status(cudaDeviceSynchronize(), "coefficients of a deflection");
}

/* A copy of a map; places that are no pixels are copied, too. */
static armilla_status open_map(const armilla_cuda_pointing *p, const double *map,
                               armilla_cuda_deflection *d)
{
    armilla_status status = allocate(2 * p->view.npix, "the map of a deflection", &d->field);
    if (!status) status = copy_part("deflection->map", map, p->device, 2 * p->view.npix, d->field);
    d->is_map = 1;
    if (status) armilla_cuda_deflection_close(d);
    return status;
}

armilla_status armilla_cuda_deflection_open(const armilla_cuda_pointing *pointing,
                                            const armilla_cuda_deflection_parts *parts,
                                            armilla_cuda_deflection *deflection)
{
    const int64_t size = (parts->mmax + 1) * (2 * parts->lmax - parts->mmax + 2) / 2;
    *deflection = (armilla_cuda_deflection){.alm = NULL};
    if (parts->map) return open_map(pointing, parts->map, deflection);
    armilla_status status =
        allocate((parts->curl ? 4 : 2) * size, "coefficients of a deflection", &deflection->alm);
    if (!status)
        status = allocate(2 * pointing->view.npix, "the field of a deflection", &deflection->field);
    if (!status) status = fill(pointing, parts, size, deflection);
    if (status) armilla_cuda_deflection_close(deflection);
    return status;
}

void armilla_cuda_deflection_close(armilla_cuda_deflection *deflection)
{
    armilla_cuda_release(deflection->alm);
    armilla_cuda_release(deflection->field);
    *deflection = (armilla_cuda_deflection){.alm = NULL};
}

/* --- Directions ------------------------------------------------------------------------------- */

static int64_t find_bad(const int32_t *bad, int64_t nwarps)
{
    for (int64_t i = 0; i < nwarps; i++)
        if (bad[i] != ARMILLA_CUDA_LENSING_GOOD) return i * ARMILLA_CUDA_LENSING_WARP + bad[i];
    return -1;
}

static armilla_status deflect(const armilla_cuda_pointing *p, const armilla_cuda_deflection *d,
                              int32_t *on_device, int32_t *bad)
{
    const int64_t nwarps = armilla_cuda_lensing_warps(p->view.count);
    const armilla_cuda_deflecting deflecting = {d->field, p->points, p->gamma, on_device,
                                                d->is_map};
    armilla_status status = armilla_cuda_status(
        armilla_cuda_lensing_deflect(&p->view, &deflecting, NULL), "directions");
    return status ? status
                  : armilla_cuda_status(cudaMemcpy(bad, on_device, (size_t)nwarps * sizeof *bad,
                                                   cudaMemcpyDeviceToHost),
                                        "directions");
}

armilla_status armilla_cuda_pointing_deflect(armilla_cuda_pointing *pointing,
                                             const armilla_cuda_deflection *deflection,
                                             int64_t *bad)
{
    const int64_t nwarps = armilla_cuda_lensing_warps(pointing->view.count);
    int32_t *flags;
    void *on_device = NULL;
    armilla_status status = armilla_allocate(&flags, nwarps, sizeof *flags);
    if (status) return status;
    status = armilla_cuda_allocate(nwarps * (int64_t)sizeof *flags, "directions", &on_device);
    if (!status) status = deflect(pointing, deflection, on_device, flags);
    if (!status) *bad = find_bad(flags, nwarps);
    armilla_cuda_release(on_device);
    armilla_release(flags);
    return status;
}

armilla_status armilla_cuda_deflection_fetch(const armilla_cuda_pointing *pointing,
                                             const armilla_cuda_deflection *deflection,
                                             int64_t place, double alpha[2])
{
    armilla_status status = fetch(deflection->field + place, &alpha[0], 1);
    if (!status) status = fetch(deflection->field + place + pointing->view.npix, &alpha[1], 1);
    return status;
}
