/* Makes what transforms between alm and points need on a GPU, whatever the points are: the stages,
 * the layout of alm, factors; and tells what memory a call takes. */
#include "cuda/stages/points_stages.h"

#include "armilla/alm.h"
#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/frame.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"

/* --- Memory ---------------------------------------------------------------------------------- */

static int64_t leg_bytes(const armilla_cuda_points_stages *s, int64_t nsets)
{
    return armilla_cuda_round_part(8 * s->problem.far->size * nsets);
}

static int64_t samples_bytes(const armilla_cuda_points_stages *s, int64_t nsets)
{
    return armilla_cuda_round_part(8 * armilla_cuda_points_component(s) * nsets);
}

armilla_cuda_points_room armilla_cuda_points_room_of(const armilla_cuda_points_stages *s,
                                                     const armilla_cuda_points *points,
                                                     int to_points, int64_t batch)
{
    const int64_t nsets = s->problem.nmap * batch;
    const int64_t before =
        armilla_larger(armilla_cuda_legendre_scratch(s->legendre, nsets, to_points, s->most),
                       armilla_cuda_theta_scratch(s->theta, nsets));
    const int64_t beside = armilla_larger(
        armilla_cuda_strips_scratch(s->strips, nsets),
        to_points || !points ? 0 : armilla_cuda_points_scratch(points, s->problem.nmap));
    armilla_cuda_points_room room = {.leg = leg_bytes(s, nsets),
                                     .samples = samples_bytes(s, nsets)};
    room.area = armilla_cuda_round_part(armilla_larger(before, room.samples + beside));
    room.total = room.leg + room.area;
    return room;
}

int64_t armilla_cuda_points_stages_bytes(const armilla_cuda_points_stages *s)
{
    const armilla_cuda_points_stages_problem *p = &s->problem;
    const int64_t numbers =
        p->layout->mmax + 1 + (p->degree_factor ? p->layout->lmax + 1 : 0) + p->mmax + 1;
    return armilla_cuda_legendre_bytes(s->legendre) + armilla_cuda_theta_bytes(s->theta) +
           armilla_cuda_strips_bytes(s->strips) + 8 * numbers;
}

int64_t armilla_cuda_points_held_bytes(const armilla_cuda_points *points)
{
    return armilla_cuda_points_bytes(&points->problem, points->count);
}

int64_t armilla_cuda_points_workspace(const armilla_cuda_points_stages *s,
                                      const armilla_cuda_points *points)
{
    return armilla_larger(armilla_cuda_points_room_of(s, points, 0, 1).total,
                          armilla_cuda_points_room_of(s, points, 1, 1).total);
}

/* --- Launches -------------------------------------------------------------------------------- */

static int64_t count_strip_launches(const armilla_cuda_points_stages *s,
                                    const armilla_cuda_points *points, int to_points)
{
    int64_t launches = 0;
    for (int64_t i = 0; i < s->problem.nstrips; i++) {
        const armilla_cuda_strip strip = armilla_cuda_points_strip_of(s, i, to_points);
        const armilla_cuda_points_bands bands = armilla_cuda_points_bands_of(s, i, to_points);
        launches += armilla_cuda_strips_launches(s->strips, &strip, s->problem.nmap, to_points) +
                    armilla_cuda_points_launches(points, bands.begin, bands.end, to_points);
    }
    return launches;
}

int64_t armilla_cuda_points_stages_launches(const armilla_cuda_points_stages *s,
                                            const armilla_cuda_points *points, int to_points)
{
    const armilla_cuda_points_stages_problem *p = &s->problem;
    const int64_t area = armilla_cuda_points_room_of(s, points, to_points, 1).area;
    const int clears = !to_points && p->mmax < p->layout->mmax; /* orders that are not needed */
    return armilla_cuda_legendre_launches(s->legendre, p->nmap, to_points, area) +
           armilla_cuda_theta_launches(s->theta, p->nmap) +
           count_strip_launches(s, points, to_points) + clears;
}

/* --- Making ---------------------------------------------------------------------------------- */

static armilla_status make_strips(armilla_cuda_points_stages *s)
{
    const armilla_cuda_points_stages_problem *p = &s->problem;
    armilla_cuda_strips_problem strips = {.nphi = p->nphi,
                                          .left = p->left,
                                          .pitch = p->pitch,
                                          .half = p->half,
                                          .most_rows = p->most_rows,
                                          .mmax = p->mmax,
                                          .spin = p->spin};
    for (int64_t i = 0; i < p->nstrips; i++)
        s->most_pairs = armilla_larger(s->most_pairs, p->strips[i].npairs);
    strips.most_pairs = s->most_pairs;
    const int64_t most = armilla_larger(1, s->most - samples_bytes(s, p->nmap));
    return armilla_cuda_strips_new(&strips, most, &s->strips);
}

static armilla_status upload_factors(armilla_cuda_points_stages *s)
{
    const armilla_cuda_points_stages_problem *p = &s->problem;
    const armilla_alm_layout *layout = p->layout;
    armilla_status status = armilla_cuda_upload(layout->mstart, layout->mmax + 1, sizeof(int64_t),
                                                "the layout of alm", (void **)&s->mstart);
    if (!status)
        status = armilla_cuda_upload(p->order_factor, p->mmax + 1, sizeof(double),
                                     "factors of orders", (void **)&s->order_factor);
    if (status || !p->degree_factor) return status;
    return armilla_cuda_upload(p->degree_factor, layout->lmax + 1, sizeof(double),
                               "factors of degrees", (void **)&s->degree_factor);
}

static armilla_status make_parts(armilla_cuda_points_stages *s)
{
    const armilla_cuda_points_stages_problem *p = &s->problem;
    const armilla_cuda_theta_rows rows = {p->far->norders, p->far->orders};
    armilla_status status = armilla_allocate(&s->enqueuing, 1, sizeof *s->enqueuing);
    if (status) return status;
    pthread_mutex_init(s->enqueuing, NULL); /* holds nothing that had to be destroyed, on Linux */
    if ((status = armilla_cuda_pool_open(s->device))) return status;
    s->open = 1;
    if ((status = upload_factors(s)) ||
        (status =
             armilla_cuda_legendre_new(p->legendre, p->shape, p->precision, NULL, &s->legendre)) ||
        (status = armilla_cuda_theta_new(p->theta, &rows, s->most, &s->theta)) ||
        (status = make_strips(s)))
        return status;
    return armilla_cuda_status(cudaDeviceSynchronize(), "waiting for the tables of points");
}

armilla_status armilla_cuda_points_stages_new(const armilla_cuda_points_stages_problem *problem,
                                              armilla_cuda_points_stages **stages)
{
    armilla_cuda_points_stages *s;
    int device;
    armilla_status status = armilla_cuda_current_device(&device);
    if (status || (status = armilla_allocate_zero(&s, 1, sizeof *s))) return status;
    s->problem = *problem, s->device = device;
    s->alm_numbers = armilla_alm_size(problem->layout->lmax, problem->layout->mmax);
    s->most = armilla_larger(1, problem->memory_bytes - leg_bytes(s, problem->nmap));
    status = make_parts(s);
    s->problem.theta = NULL;
    if (status)
        armilla_cuda_points_stages_free(s);
    else
        *stages = s;
    return status;
}

void armilla_cuda_points_stages_free(armilla_cuda_points_stages *s)
{
    int before;
    if (!s) return;
    armilla_cuda_enter_to_free(s->device, &before);
    armilla_cuda_strips_free(s->strips);
    armilla_cuda_theta_free(s->theta);
    armilla_cuda_legendre_free(s->legendre);
    armilla_cuda_release(s->mstart);
    armilla_cuda_release(s->order_factor);
    armilla_cuda_release(s->degree_factor);
    if (s->open) armilla_cuda_pool_close(s->device);
    armilla_cuda_leave_device(s->device, before);
    armilla_release(s->enqueuing);
    armilla_release(s);
}

int armilla_cuda_points_stages_device(const armilla_cuda_points_stages *s)
{
    return s->device;
}

/* --- Points ---------------------------------------------------------------------------------- */

armilla_status armilla_cuda_points_find(armilla_memory memory, const double **points,
                                        int *on_device)
{
    armilla_cuda_array array = {.name = "points", .values = armilla_array_of_doubles(*points)};
    int device;
    armilla_status status = armilla_cuda_current_device(&device);
    if (!status) status = armilla_cuda_find_place(ARMILLA_MEMORY_ASK, device, &array);
    if (status) return status;
    if (memory == ARMILLA_MEMORY_DEVICE && !array.on_device &&
        armilla_cuda_find_place(memory, device, &array))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "points: are in host memory, but options->points_memory = "
                            "ARMILLA_MEMORY_DEVICE");
    *on_device = array.on_device && memory != ARMILLA_MEMORY_HOST;
    if (*on_device) *points = array.values.values;
    return ARMILLA_OK;
}

armilla_status armilla_cuda_points_fetch(int64_t count, const double *points, double *host)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (!error)
        error = cudaMemcpy(host, points, (size_t)count * 2 * sizeof *host, cudaMemcpyDeviceToHost);
    return armilla_cuda_status(error, "reading points");
}

armilla_status armilla_cuda_points_sorted(const armilla_cuda_points_stages *s,
                                          const armilla_cuda_points_problem *problem, int64_t count,
                                          const double *points, int on_device,
                                          armilla_cuda_points **result)
{
    int before;
    armilla_status status = armilla_cuda_enter_device(s->device, &before);
    if (status) return status;
    status = armilla_cuda_points_new(problem, count, points, on_device, NULL, result);
    armilla_cuda_leave_device(s->device, before);
    return status;
}

void armilla_cuda_points_sorted_free(const armilla_cuda_points_stages *s,
                                     armilla_cuda_points *points)
{
    int before;
    if (!points) return;
    armilla_cuda_enter_to_free(s->device, &before);
    armilla_cuda_points_free(points);
    armilla_cuda_leave_device(s->device, before);
}
