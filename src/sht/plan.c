/* Making, describing and freeing plans for ring grids. See plan.h. */
#include "sht/plan.h"

#include "base/device_list.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "cuda/runtime/device.h"
#include "grid/grid.h"
#include "ringfft/stage.h"
#include "sht/form.h"
#include "sht/mode.h"
#include "sht/plan_device.h"
#include "sht/plan_stages.h"
#include "sht/ring_orders.h"

#include <string.h>

void armilla_sht_options_init_sized(armilla_sht_options *options, size_t size)
{
    const armilla_sht_options defaults = {.method = ARMILLA_SHT_AUTO, .mres = 1};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_sht_options, isa),
                                  ARMILLA_END_OF(armilla_sht_options, device),
                                  ARMILLA_END_OF(armilla_sht_options, device_bytes),
                                  ARMILLA_END_OF(armilla_sht_options, device_shape),
                                  ARMILLA_END_OF(armilla_sht_options, device_precision),
                                  ARMILLA_END_OF(armilla_sht_options, host_bytes),
                                  ARMILLA_END_OF(armilla_sht_options, choices),
                                  ARMILLA_END_OF(armilla_sht_options, mres),
                                  ARMILLA_END_OF(armilla_sht_options, order_scale),
                                  ARMILLA_END_OF(armilla_sht_options, ring_limits),
                                  ARMILLA_END_OF(armilla_sht_options, ndevices),
                                  ARMILLA_END_OF(armilla_sht_options, delegate),
                                  sizeof(armilla_sht_options),
                                  0};

armilla_status armilla_sht_take_options(const armilla_sht_options *given,
                                        armilla_sht_options *options)
{
    armilla_sht_options_init(options);
    return armilla_options_copy("options", "armilla_sht_options", given, VERSIONS, options);
}

armilla_status armilla_sht_delegate(const char *argument, armilla_operation operation,
                                    armilla_sht_options *options, armilla_delegation *delegation)
{
    const armilla_status status =
        armilla_delegate(argument, operation, options->device, options->devices, options->ndevices,
                         options->delegate, delegation);
    options->device = ARMILLA_CPU, options->devices = NULL, options->ndevices = 0;
    return status;
}

static armilla_status check_methods(const armilla_sht_options *options)
{
    if (options->method < ARMILLA_SHT_AUTO || options->method > ARMILLA_SHT_RESAMPLE)
        return armilla_fail_argument("options->method", options->method,
                                     "must be an armilla_sht_method");
    if (options->spin_method < ARMILLA_SPIN_AUTO || options->spin_method > ARMILLA_SPIN_RECURRENCE)
        return armilla_fail_argument("options->spin_method", options->spin_method,
                                     "must be an armilla_sht_spin_method");
    if (armilla_device_list_check(options->device, options->devices, options->ndevices))
        return ARMILLA_ERROR_ARGUMENT;
    if (options->device_bytes < 0)
        return armilla_fail_argument("options->device_bytes", options->device_bytes,
                                     "must be 0 (chosen) or more");
    if (options->ring_orders < ARMILLA_RING_ORDERS_ALL ||
        options->ring_orders > ARMILLA_RING_ORDERS_LISTED)
        return armilla_fail_argument("options->ring_orders", (int64_t)options->ring_orders,
                                     "must be an armilla_ring_orders");
    if (options->host_bytes < 0)
        return armilla_fail_argument("options->host_bytes", options->host_bytes,
                                     "must be 0 (chosen) or more");
    if (options->cache_bytes < 0)
        return armilla_fail_argument("options->cache_bytes", options->cache_bytes,
                                     "must be 0 (usual for the instruction set) or more");
    if (options->device_tune < ARMILLA_DEVICE_TUNE_TABLE ||
        options->device_tune > ARMILLA_DEVICE_TUNE_MEASURE_MANY)
        return armilla_fail_argument("options->device_tune", options->device_tune,
                                     "must be an armilla_device_tune");
    if (options->device_precision < ARMILLA_DEVICE_PRECISION_AUTO ||
        options->device_precision > ARMILLA_DEVICE_PRECISION_HALVES)
        return armilla_fail_argument("options->device_precision", options->device_precision,
                                     "must be an armilla_device_precision");
    if (options->device_streams < 0 || options->device_streams > 2)
        return armilla_fail_argument("options->device_streams", options->device_streams,
                                     "must be 0 (chosen), 1 or 2");
    return ARMILLA_OK;
}

static armilla_status check_layout(int64_t lmax, int64_t mmax, const armilla_sht_options *options)
{
    const armilla_alm_layout *layout = options->layout;
    if (!layout) return ARMILLA_OK;
    if (layout->lmax != lmax)
        return armilla_fail_argument("lmax", lmax, "differs from the lmax of options->layout");
    if (layout->mres != options->mres)
        return armilla_fail_argument("options->mres", options->mres,
                                     "differs from the mres of options->layout");
    if (armilla_alm_layout_mmax(layout) != mmax)
        return armilla_fail_argument("mmax", mmax, "differs from the mmax of options->layout");
    return ARMILLA_OK;
}

static armilla_status check_arguments(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                      const armilla_sht_options *options)
{
    if (!grid) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "grid = NULL: must be a grid");
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    if ((status = armilla_mode_check("options", options->mode, options->spin, lmax)) ||
        (status = check_methods(options)) ||
        (status = armilla_ring_orders_check(grid, lmax, options)))
        return status;
    if ((status = armilla_alm_check_mres("options->mres", lmax, mmax, options->mres)) ||
        (status = check_layout(lmax, mmax, options)))
        return status;
    if ((status = armilla_sht_check_form(options, lmax, mmax))) return status;
    return options->device == ARMILLA_CUDA ? armilla_sht_check_plain(options, "on a GPU")
                                           : ARMILLA_OK;
}

static armilla_status make_layout(armilla_sht *sht, int64_t lmax, int64_t mmax,
                                  const armilla_alm_layout *layout)
{
    if (sht->lender) return ARMILLA_OK;
    if (sht->share) return armilla_share_make_layout(sht->share, lmax, mmax, &sht->layout);
    if (layout) return armilla_alm_layout_copy(layout, &sht->layout);
    return armilla_alm_layout_new_mres(lmax, mmax, sht->mres, &sht->layout);
}

static armilla_status list_orders(armilla_sht *sht)
{
    if (sht->lender || sht->mres == 1) return ARMILLA_OK;
    const int64_t count = armilla_sht_orders(sht);
    armilla_status status = armilla_allocate(&sht->orders, count, sizeof *sht->orders);
    for (int64_t k = 0; k < count && !status; k++) sht->orders[k] = k * sht->mres;
    return status;
}

static armilla_status make_pairs(armilla_sht *sht, const armilla_sht_options *options)
{
    const int64_t spin = options->spin;
    const int64_t lmax = sht->layout->lmax, mmax = sht->layout->mmax;
    double *theta;
    armilla_status status = armilla_grid_copy_theta(sht->grid, &theta);
    if (status) return status;
    const int64_t n = sht->grid->nrings;
    status = armilla_ring_pairs_make(n, theta, lmax, mmax, spin, &sht->pairs);
    if (!status) status = armilla_ring_pairs_make_any(n, theta, lmax, mmax, spin, &sht->far);
    armilla_release(theta);
    sht->pairs.step = sht->far.step = sht->mres;
    return status ? status : armilla_ring_orders_cut(options, sht);
}

static armilla_status make_components(armilla_sht *sht, int64_t lmax,
                                      const armilla_sht_options *options)
{
    sht->spin = options->spin;
    sht->nmap = armilla_mode_nmap(options->spin);
    sht->nalm = armilla_mode_nalm(options->mode, options->spin);
    return armilla_mode_factors(options->mode, options->spin, lmax, &sht->degree_factor);
}

/* The GPU of the plan, or the first one, is current. */
static armilla_status make_parts_there(armilla_sht *sht, int64_t lmax, int64_t mmax,
                                       const armilla_sht_options *options)
{
    armilla_premises premises;
    const armilla_cuda_shape *shape;
    armilla_status status = armilla_allocate(&sht->forced, 1, sizeof *sht->forced);
    if (status) return status;
    premises.forced = sht->forced, sht->mres = options->mres;
    if ((status = armilla_machine_choose(options->isa, &premises.machine)) ||
        (status = armilla_forced_read("options->choices", options->choices, sht->forced)) ||
        (status = make_layout(sht, lmax, mmax, options->layout)) || (status = list_orders(sht)) ||
        (status = make_components(sht, lmax, options)) ||
        (status = armilla_sht_make_form(sht, options)) || (status = make_pairs(sht, options)) ||
        (status = armilla_sht_choose_precision(sht, options)) ||
        (status = armilla_sht_choose_shape(sht, &premises, options, &shape)))
        return status;
    if ((status = armilla_sht_make_stages(sht, &premises, options, shape)) ||
        (status = armilla_sht_make_others(sht, options)))
        return status;
    return armilla_forced_check("options->choices", sht->forced, !sht->lender); /* it knows all */
}

static armilla_status make_parts(armilla_sht *sht, int64_t lmax, int64_t mmax,
                                 const armilla_sht_options *options)
{
    int before;
    armilla_status status = ARMILLA_OK;
    if (options->device == ARMILLA_CUDA)
        status = armilla_cuda_check_devices(options->devices, options->ndevices);
    if (status || !options->ndevices)
        return status ? status : make_parts_there(sht, lmax, mmax, options);
    const int device = options->devices[0];
    if ((status = armilla_cuda()->gpus->enter(device, &before))) return status;
    status = make_parts_there(sht, lmax, mmax, options);
    armilla_cuda()->gpus->leave(device, before);
    return status;
}

/* A rank's rings are one behind the other, whatever gaps or strides the grid has. */
static armilla_status copy_grid(const armilla_grid *grid, armilla_sht *sht)
{
    armilla_status status = armilla_grid_copy(grid, &sht->grid);
    if (status) return status;
    if (sht->share && (status = armilla_grid_number_pixels(sht->grid))) return status;
    sht->npix = sht->share ? sht->share->samples : sht->grid->npix;
    sht->samples = armilla_grid_samples(sht->grid);
    return ARMILLA_OK;
}

/* share, starts_end: of the plan. */
static armilla_status new_plan(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                               const armilla_sht_options *options, const armilla_share *share,
                               int64_t *starts_end, armilla_sht **sht)
{
    armilla_sht *result;
    armilla_status status = check_arguments(grid, lmax, mmax, options);
    if (!status && options->device == ARMILLA_CUDA && !share)
        status = armilla_grid_refuse_nested(grid, "a plan with device = CUDA");
    if (status || (status = armilla_allocate_zero(&result, 1, sizeof *result))) return status;
    result->share = share, result->starts_end = starts_end;
    if (!(status = armilla_workspace_store_new(&result->workspace)) &&
        !(status = copy_grid(grid, result)))
        status = make_parts(result, lmax, mmax, options);
    if (status)
        armilla_sht_free(result);
    else
        *sht = result;
    return status;
}

armilla_status armilla_sht_new_share(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                     const armilla_sht_options *options, const armilla_share *share,
                                     armilla_sht **sht)
{
    return new_plan(grid, lmax, mmax, options, share, NULL, sht);
}

armilla_status armilla_share_find_starts(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                         const armilla_sht_options *options, int64_t starts_end[2])
{
    armilla_sht *sht;
    const armilla_status status = new_plan(grid, lmax, mmax, options, NULL, starts_end, &sht);
    if (!status) armilla_sht_free(sht);
    return status;
}

armilla_status armilla_sht_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                               const armilla_sht_options *options, armilla_sht **sht)
{
    armilla_sht_options chosen;
    armilla_status status = armilla_sht_take_options(options, &chosen);
    if (!status) status = armilla_check_given("sht", sht);
    return status ? status : new_plan(grid, lmax, mmax, &chosen, NULL, NULL, sht);
}

armilla_status armilla_sht_new_beside(const armilla_sht *lender, const armilla_sht_options *options,
                                      armilla_sht **sht)
{
    const int64_t lmax = lender->layout->lmax, mmax = armilla_sht_orders(lender) - 1;
    armilla_sht *result;
    armilla_status status = check_arguments(lender->grid, lmax, mmax, options);
    if (status || (status = armilla_allocate(&result, 1, sizeof *result))) return status;
    *result = *lender; /* all that does not depend on the spin; what does is made below */
    result->lender = lender;
    result->pairs = result->far = (armilla_ring_pairs){.count = 0};
    result->flow = result->weighted_flow = (armilla_flow){.legendre = NULL};
    memset(&result->form, 0, sizeof result->form);
    result->degree_factor = NULL, result->cuda = NULL, result->forced = NULL;
    if ((status = make_parts(result, lmax, mmax, options)))
        armilla_sht_free(result);
    else
        *sht = result;
    return status;
}

static void free_lendable(armilla_sht *sht)
{
    armilla_ringfft_free(sht->ringfft);
    armilla_alm_layout_free(sht->layout);
    armilla_release(sht->orders);
    armilla_grid_free(sht->grid);
    armilla_workspace_store_free(sht->workspace);
}

void armilla_sht_free(armilla_sht *sht)
{
    if (!sht) return;
    armilla_sht_clear_stages(sht);
    armilla_ring_pairs_clear(&sht->pairs);
    armilla_ring_pairs_clear(&sht->far);
    if (!sht->lender) free_lendable(sht);
    armilla_release(sht->degree_factor);
    armilla_sht_clear_form(&sht->form);
    armilla_release(sht->forced);
    armilla_release(sht);
}

const armilla_alm_layout *armilla_sht_get_layout(const armilla_sht *sht)
{
    return sht->layout;
}

int64_t armilla_sht_degrees(const armilla_sht *sht)
{
    return armilla_alm_size_mres(sht->layout->lmax, armilla_sht_orders(sht) - 1, sht->mres);
}

/* The tasks of a stage are orders or batches of ring pairs; there are at most as many pairs as
 * rings. */
int armilla_sht_threads(const armilla_sht *sht, int nthreads)
{
    const int64_t batches = (sht->grid->nrings + ARMILLA_RING_BATCH - 1) / ARMILLA_RING_BATCH;
    const int64_t tasks = armilla_larger(armilla_sht_orders(sht), batches);
    nthreads = armilla_team_size(nthreads);
    return nthreads < tasks ? nthreads : (int)tasks;
}
