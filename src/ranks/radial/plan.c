/* Makes plans for radial convolution over ranks: the choices of the whole problem on each rank, a
 * belt of rings, and for each plan that makes sums what it fetches from other ranks. */
#include "ranks/radial/radial.h"

#include "armilla/distributed.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "grid/grid.h"
#include "radial/divisors.h"
#include "radial/profile/kernel.h"
#include "ranks/agree.h"
#include "ranks/digest.h"
#include "ranks/moves/spans.h"

#include <string.h>

/* --- What other ranks do for calls ----------------------------------------------------------- */

static armilla_status agree(void *context, armilla_status status)
{
    const armilla_belt_stage *stage = context;
    return armilla_agree(&stage->plan->transport, status);
}

/* Numbers that are not negative are sorted as their bits are. */
static armilla_status largest(void *context, double *value)
{
    const armilla_belt_stage *stage = context;
    int64_t bits;
    memcpy(&bits, value, sizeof bits);
    const armilla_status status =
        armilla_agree_largest(&stage->plan->transport, ARMILLA_OK, 1, &bits);
    memcpy(value, &bits, sizeof bits);
    return status;
}

armilla_status armilla_belt_sum(void *context, const armilla_radial_call *call,
                                const armilla_maps *maps)
{
    const armilla_belt_stage *stage = context;
    const armilla_radial *radial = stage->radial;
    armilla_maps from = *maps;
    double *divided = NULL;
    armilla_status status = ARMILLA_OK;
    if (armilla_radial_divides_first(call)) {
        const int64_t npix = radial->grid->npix;
        status = armilla_allocate(&divided, call->nmaps * npix, sizeof *divided);
        from.in = (armilla_array){divided, 0}, from.in_distance = npix;
        const armilla_maps first = {maps->in, from.in, maps->in_distance, npix};
        if (!status) armilla_radial_divide(radial, call->nmaps, &first);
        status = armilla_agree(&stage->plan->transport, status);
    }
    if (!status && !radial->all_mixed) status = armilla_belt_windows_run(stage, call, from);
    if (!status && radial->mixing) status = armilla_belt_orders_run(stage, call, &from);
    armilla_release(divided);
    if (status || divided || !radial->divisor_map || call->plain) return status;
    const armilla_maps last = {maps->out, maps->out, maps->out_distance, maps->out_distance};
    armilla_radial_divide(radial, call->nmaps, &last);
    return ARMILLA_OK;
}

/* --- Stages ---------------------------------------------------------------------------------- */

/* Units of progress of the rank's rows, and of its part in mixing. */
static double count_units(const armilla_belt_stage *stage)
{
    const armilla_radial *radial = stage->radial;
    const armilla_radial_rows *rows = &radial->pixels.rows;
    double units = 0;
    if (radial->mixing)
        units = armilla_mixing_units(radial->mixing) / (double)stage->plan->transport.nranks;
    for (int64_t i = 0; i < rows->count; i++)
        if (!rows->row[i].elsewhere && radial->mine[rows->row[i].ring[0]])
            units += (double)rows->row[i].n;
    return units;
}

static int most_threads(const armilla_transport *transport)
{
    const int64_t most = transport->most_threads;
    return most > 0 ? (int)armilla_smaller(most, INT32_MAX) : INT32_MAX;
}

/* Collective. */
static armilla_status make_stage(armilla_distributed_radial *plan, armilla_radial *radial)
{
    armilla_belt_stage *stage = &plan->stages[plan->nstages++];
    armilla_status status = armilla_radial_take_rings(radial, plan->belt.mine);
    stage->plan = plan, stage->radial = radial;
    stage->ranks = (armilla_radial_ranks){.context = stage,
                                          .sum = armilla_belt_sum,
                                          .agree = agree,
                                          .largest = largest,
                                          .most_threads = most_threads(&plan->transport)};
    radial->ranks = &stage->ranks;
    if (radial->standard) return armilla_agree(&plan->transport, status);
    if (!status) stage->ranks.units = count_units(stage);
    status = armilla_belt_windows_make(stage, status);
    if (!status && radial->mixing) status = armilla_belt_orders_make(stage, status);
    if (!status) status = armilla_agree(&plan->transport, armilla_radial_make_divisors(radial));
    return status;
}

/* Collective. A plan comes behind those that it needs. */
static armilla_status make_stages(armilla_distributed_radial *plan, armilla_radial *radial)
{
    armilla_status status = ARMILLA_OK;
    if (radial->scalar) status = make_stages(plan, radial->scalar);
    if (!status && radial->inner) status = make_stages(plan, radial->inner);
    return status ? status : make_stage(plan, radial);
}

/* --- The pixels of the caller ---------------------------------------------------------------- */

static armilla_status copy_spans(armilla_distributed_radial *plan, int64_t nspans,
                                 const armilla_span *spans)
{
    armilla_reach reach;
    armilla_status status = armilla_spans_check("spans", nspans, spans, &reach);
    if (status || (status = armilla_allocate(&plan->spans, nspans, sizeof *spans))) return status;
    if (nspans) memcpy(plan->spans, spans, (size_t)nspans * sizeof *spans);
    plan->nspans = nspans, plan->npix = reach.place;
    return ARMILLA_OK;
}

/* Collective: to the belt and back. */
static armilla_status connect(armilla_distributed_radial *plan)
{
    const armilla_transport *transport = &plan->transport;
    const armilla_grid *grid = plan->radial->grid;
    const int64_t count = armilla_rings_map_spans(grid, plan->belt.places, NULL);
    armilla_span *belt;
    armilla_status status = armilla_agree(transport, armilla_allocate(&belt, count, sizeof *belt));
    if (!status) {
        armilla_rings_map_spans(grid, plan->belt.places, belt);
        status = armilla_redistribution_new(transport, plan->nspans, plan->spans, count, belt, NULL,
                                            &plan->to_belt);
    }
    if (!status)
        status = armilla_redistribution_new(transport, count, belt, plan->nspans, plan->spans, NULL,
                                            &plan->from_belt);
    armilla_release(belt);
    return status;
}

/* --- Plans ----------------------------------------------------------------------------------- */

enum { WISHES = 12 };

static armilla_status list_wishes(const armilla_distributed_radial *plan,
                                  armilla_common values[WISHES])
{
    const armilla_radial *radial = plan->radial, *maker = armilla_radial_maker(radial);
    const double angle = radial->options.support / 3;
    double value;
    const armilla_status status = armilla_kernel_values(radial->kernel, 1, &angle, &value);
    if (status) return status;
    const armilla_common list[WISHES] = {
        {"number of rings", radial->grid->nrings},
        {"number of pixels", radial->grid->npix},
        {"the grid", armilla_digest_grid(radial->grid)},
        {"options->device", plan->delegation.ndevices},
        {"options->spin", radial->options.spin},
        {"options->mode", (int64_t)radial->options.mode},
        {ARMILLA_COMMON_ISA, (int64_t)radial->isa},
        {"normalization", (int64_t)radial->options.normalization},
        {"support (its bits)", armilla_digest_double(radial->options.support)},
        {"the kernel (bits of its value at a third of the support)", armilla_digest_double(value)},
        {"method (1: PIXELS, 2: RINGS, 3: both)",
         (maker->all_mixed ? 0 : 1) + (maker->mixing ? 2 : 0)},
        {"belts", plan->belt.digest}};
    memcpy(values, list, sizeof list);
    return ARMILLA_OK;
}

/* Not collective. */
static armilla_status make_choices(armilla_distributed_radial *plan, const armilla_grid *grid,
                                   const armilla_kernel *kernel,
                                   const armilla_radial_options *options)
{
    const armilla_transport *transport = &plan->transport;
    armilla_radial_options chosen;
    armilla_status status = armilla_radial_take_options(options, &chosen);
    const armilla_rank_delegates given = {.operation = ARMILLA_OPERATION_RADIAL,
                                          .device = chosen.device,
                                          .devices = chosen.devices,
                                          .ndevices = chosen.ndevices,
                                          .delegate = chosen.delegate,
                                          .device_number = ARMILLA_DEVICE_OF_RANK};
    if (!status) status = armilla_rank_delegate(transport, &given, &plan->delegation);
    chosen.device = ARMILLA_CPU, chosen.devices = NULL, chosen.ndevices = 0;
    if (!status) status = armilla_radial_new_later(grid, kernel, &chosen, &plan->radial);
    return status
               ? status
               : armilla_belt_make(plan->radial, transport->rank, transport->nranks, &plan->belt);
}

armilla_status armilla_distributed_radial_new(const armilla_transport *transport,
                                              const armilla_grid *grid,
                                              const armilla_kernel *kernel,
                                              const armilla_radial_options *options, int64_t nspans,
                                              const armilla_span *spans,
                                              armilla_distributed_radial **radial)
{
    armilla_distributed_radial *plan = NULL;
    armilla_common values[WISHES] = {{NULL, 0}};
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    if (!(status = armilla_check_given("radial", radial)) &&
        !(status = armilla_allocate_zero(&plan, 1, sizeof *plan))) {
        plan->transport = *transport, plan->whole_npix = armilla_grid_npix(grid);
        status = copy_spans(plan, nspans, spans);
        if (!status) status = make_choices(plan, grid, kernel, options);
        if (!status) status = list_wishes(plan, values);
    }
    if (!(status = armilla_agree_on(transport, status, WISHES, values, NULL)) &&
        !(status = connect(plan)))
        status = make_stages(plan, plan->radial);
    if (status)
        armilla_distributed_radial_free(plan);
    else
        *radial = plan;
    return status;
}

void armilla_distributed_radial_free(armilla_distributed_radial *radial)
{
    if (!radial) return;
    for (int64_t i = 0; i < radial->nstages; i++) {
        armilla_belt_windows_clear(&radial->stages[i].windows);
        armilla_belt_orders_clear(&radial->stages[i].orders);
    }
    armilla_redistribution_free(radial->to_belt);
    armilla_redistribution_free(radial->from_belt);
    armilla_radial_free(radial->radial);
    armilla_belt_clear(&radial->belt);
    armilla_release(radial->spans);
    armilla_release(radial);
}
