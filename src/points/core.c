/* What a plan needs whatever its points are. See plan.h. */
#include "points/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "points/device.h"
#include "sht/mode.h"

#include <math.h>
#include <string.h>

static const long double PI = 3.14159265358979323846264338327950288L;

enum { LEFT = 16, RIGHT = 32 }; /* columns around a ring: reach, and vectors of taps */

/* --- Windows ---------------------------------------------------------------------------------- */

static void make_window(const armilla_points_core *core, armilla_window *window)
{
    armilla_window_make(armilla_sampling_sigma(&core->sampling), core->sampling.taps, window);
}

/* 1 / transform of the window along rings, per order. */
static armilla_status make_order_factors(const armilla_window *window, armilla_points_core *core)
{
    armilla_status status =
        armilla_allocate(&core->order_factor, core->mmax + 1, sizeof *core->order_factor);
    if (status) return status;
    for (int64_t m = 0; m <= core->mmax; m++)
        core->order_factor[m] = 1 / armilla_window_transform(window, m, core->sampling.nphi);
    return ARMILLA_OK;
}

/* --- Rings ------------------------------------------------------------------------------------ */

static armilla_status make_near(armilla_points_core *core)
{
    const int64_t n = core->sampling.near_rings;
    double *theta;
    armilla_status status = armilla_allocate(&theta, n, sizeof *theta);
    if (status) return status;
    for (int64_t i = 0; i < n; i++) theta[i] = armilla_sampling_near_theta(&core->sampling, i);
    status = armilla_ring_pairs_make(n, theta, core->lmax, core->mmax, core->spin, &core->near);
    armilla_release(theta);
    return status;
}

static armilla_status make_fine(armilla_points_core *core)
{
    const int64_t n = core->sampling.nrings;
    armilla_status status = armilla_ring_pairs_allocate(n / 2, &core->fine);
    for (int64_t i = 0; i < n / 2 && !status; i++) {
        core->fine.north[i] = i, core->fine.south[i] = n - 1 - i;
        core->fine.theta[i] = core->fine.south_theta[i] = (double)(PI * (2 * i + 1) / (2 * n));
        core->fine.limit[i] = core->mmax;
    }
    return status;
}

/* What frequencies of fine rings are divided by; INFINITY for those that have faded away. */
static void fill_transforms(const armilla_window *window, const armilla_points_core *core,
                            double *transform)
{
    const armilla_sampling *sampling = &core->sampling;
    armilla_window rise;
    armilla_sampling_make_rise(sampling->epsilon, &rise);
    for (int64_t k = 0; k <= sampling->near_band; k++)
        transform[k] = armilla_window_transform(window, k, 2 * sampling->nrings) /
                       armilla_sampling_response(sampling, &rise, k);
}

armilla_status armilla_points_core_make_theta(armilla_points_core *core)
{
    armilla_window window;
    const int64_t near = core->sampling.near_rings, fine = core->sampling.nrings;
    const int64_t band = core->sampling.near_band;
    double *transform;
    armilla_status status = armilla_allocate(&transform, band + 1, sizeof *transform);
    if (status) return status;
    make_window(core, &window);
    fill_transforms(&window, core, transform);
    const armilla_theta_problem problem = {.machine = core->machine,
                                           .spin = core->spin,
                                           .band = band,
                                           .from = &core->near,
                                           .to = &core->fine,
                                           .circle_length = 2 * near,
                                           .half_shifted = 1,
                                           .to_length = 2 * fine,
                                           .to_transform = transform};
    status = core->on_device ? armilla_points_device_make(core, &problem)
                             : armilla_theta_new(&problem, &core->theta);
    armilla_release(transform);
    return status;
}

armilla_status armilla_points_core_make_legendre(armilla_points_core *core)
{
    armilla_legendre_problem problem = {.machine = core->machine,
                                        .lmax = core->lmax,
                                        .norders = core->norders,
                                        .orders = core->orders,
                                        .spin = core->spin,
                                        .recurrence_only =
                                            core->spin_method == ARMILLA_SPIN_RECURRENCE,
                                        .pairs = &core->near};
    armilla_status status =
        core->on_device ? armilla_points_device_begin(core, &problem) : ARMILLA_OK;
    return status ? status : armilla_legendre_new(&problem, &core->legendre);
}

static armilla_status make_leg(armilla_points_core *core)
{
    const armilla_points_pairs seen =
        armilla_points_pairs_of(core, core->first_strip, core->end_strip, 1);
    const armilla_leg_shape shape = {.pairs = &core->fine,
                                     .first_pair = seen.first,
                                     .npairs = seen.count,
                                     .block_size = armilla_larger(seen.count, 1),
                                     .room = 4,
                                     .mmax = core->mmax};
    armilla_status status = armilla_leg_layout_make(&shape, &core->leg);
    if (!status && core->leg.nblocks) core->row_length = core->leg.blocks[0].row_length;
    return status;
}

/* The rings of a strip, all alike. */
static armilla_status make_ringfft(armilla_points_core *core)
{
    const int64_t count = 2 * core->most_rows;
    armilla_ring *rings;
    armilla_status status = armilla_allocate_zero(&rings, count, sizeof *rings);
    if (status) return status;
    for (int64_t i = 0; i < count; i++) {
        rings[i].nphi = core->sampling.nphi;
        rings[i].offset = i * core->pitch + core->left;
        rings[i].stride = 1, rings[i].weight = 1;
    }
    const armilla_ringfft_problem problem = {
        .machine = core->machine, .nrings = count, .rings = rings, .mmax = core->mmax};
    status = armilla_ringfft_new(&problem, &core->ringfft);
    armilla_release(rings);
    return status;
}

/* --- All -------------------------------------------------------------------------------------- */

armilla_status armilla_points_core_begin(armilla_points_core *core)
{
    armilla_window window;
    core->kernels = armilla_points_kernels_find(core->machine.isa);
    core->mmax = core->sampling.mmax;
    core->norders = core->mmax + 1;
    make_window(core, &window);
    armilla_window_fill_table(&window, core->sampling.epsilon, &core->table);
    core->left = LEFT;
    core->pitch = armilla_leg_row_length((core->sampling.nphi + LEFT + RIGHT + 3) / 4);
    return armilla_points_strips_place(core);
}

armilla_status armilla_points_core_finish(armilla_points_core *core)
{
    armilla_window window;
    armilla_status status;
    make_window(core, &window);
    if ((status = armilla_mode_factors(core->mode, core->spin, core->lmax, &core->degree_factor)) ||
        (status = make_order_factors(&window, core)) || (status = make_near(core)) ||
        (status = make_fine(core)) || (status = armilla_points_core_make_legendre(core)) ||
        (status = make_leg(core)) || (status = armilla_points_core_make_theta(core)) ||
        core->on_device || (status = armilla_points_strips_make(core)) ||
        (status = make_ringfft(core)))
        return status;
    return armilla_workspace_store_new(&core->workspace);
}

armilla_status armilla_points_core_make(armilla_points_core *core)
{
    armilla_status status = armilla_points_core_begin(core);
    return status ? status : armilla_points_core_finish(core);
}

void armilla_points_core_clear(armilla_points_core *core)
{
    armilla_points_device_free(core->device); /* borrows from what follows */
    armilla_workspace_store_free(core->workspace);
    armilla_ringfft_free(core->ringfft);
    armilla_points_strips_clear(core);
    armilla_leg_layout_clear(&core->leg);
    armilla_legendre_free(core->legendre);
    armilla_theta_free(core->theta);
    armilla_ring_pairs_clear(&core->near);
    armilla_ring_pairs_clear(&core->fine);
    armilla_release(core->order_factor);
    armilla_release(core->degree_factor);
    armilla_release(core->devices);
    armilla_alm_layout_free(core->layout);
}

int64_t armilla_points_core_bytes(const armilla_points_core *core)
{
    const int64_t processor =
        core->on_device ? 0
                        : armilla_theta_bytes(core->theta) + armilla_ringfft_bytes(core->ringfft);
    return processor + core->legendre->bytes + armilla_leg_layout_bytes(&core->leg) +
           armilla_ring_pairs_bytes(&core->near) + armilla_ring_pairs_bytes(&core->fine) +
           (core->mmax + 1) * (int64_t)sizeof(double);
}
