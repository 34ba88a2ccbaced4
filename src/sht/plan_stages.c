/* Makes the stages of a plan and deals out its memory among them: how much leg may take, whether
 * the Legendre stage works on fewer rings, and how many of its starts are kept. */
#include "sht/plan_stages.h"

#include "grid/grid.h"
#include "ringfft/stage.h"
#include "sht/choose.h"

static armilla_status make_ringfft(armilla_sht *sht, const armilla_premises *premises, int parts)
{
    const armilla_ringfft_problem problem = {.machine = premises->machine,
                                             .nrings = sht->grid->nrings,
                                             .rings = sht->grid->rings,
                                             .mmax = armilla_sht_orders(sht) - 1,
                                             .parts = parts,
                                             .forced = premises->forced,
                                             .places = sht->share ? sht->share->places : NULL,
                                             .nside = armilla_grid_nested(sht->grid)};
    if (sht->starts_end) return armilla_ringfft_count(&problem, &sht->ringfft);
    return armilla_ringfft_new(&problem, &sht->ringfft);
}

/* Where there was nothing to choose, what is told can be forced to be as it is. */
static void ask_for_told(armilla_forced *forced, const armilla_flow *flow)
{
    const int64_t passes = flow->ways[ARMILLA_FLOW_IN_MEMORY].passes.count;
    const int is_parked = armilla_flow_is_parked(flow);
    armilla_forced_choose(forced, "sht.passes", passes, passes, passes);
    armilla_forced_choose(forced, "sht.parking", is_parked, is_parked, is_parked);
}

/* shape: of a GPU's kernels; NULL: the default one. */
static armilla_flow_problem flow_problem(const armilla_sht *sht, const armilla_premises *premises,
                                         const armilla_sht_options *options,
                                         const armilla_cuda_shape *shape)
{
    armilla_flow_problem problem = {
        .machine = premises->machine,
        .forced = premises->forced,
        .grid = sht->grid,
        .pairs = &sht->pairs,
        .far = &sht->far,
        .lmax = sht->layout->lmax,
        .mmax = sht->layout->mmax,
        .norders = armilla_sht_orders(sht),
        .orders = sht->orders,
        .share = sht->share,
        .alm_has_rows = sht->nalm == sht->nmap && !sht->form.packed &&
                        (sht->share || armilla_alm_layout_has_rows(sht->layout)),
        .spin = options->spin,
        .recurrence_only = options->spin_method == ARMILLA_SPIN_RECURRENCE,
        .budget = armilla_sht_leg_budget(sht, options),
        .cache_bytes = options->cache_bytes,
        .whole = armilla_sht_whole_size(sht, options)};
    if (options->device == ARMILLA_CUDA) {
        problem.on_device = 1, problem.shape = shape;
        problem.two_floats = sht->precision.of_doubles == ARMILLA_CUDA_IN_TWO_FLOATS;
        problem.single = sht->precision.of_floats == ARMILLA_CUDA_IN_SINGLE ||
                         (sht->precision.of_floats == ARMILLA_CUDA_IN_HALVES && options->spin);
        problem.budget =
            armilla_sht_device_budget(sht, options) / 16 / sht->nmap; /* half of the bytes */
    }
    return problem;
}

static armilla_status make_flows(armilla_sht *sht, const armilla_premises *premises,
                                 const armilla_sht_options *options,
                                 const armilla_cuda_shape *shape)
{
    armilla_flow_problem problem = flow_problem(sht, premises, options, shape);
    const armilla_flow_kind kind =
        sht->lender ? sht->lender->flow.kind : armilla_sht_choose_flow(&problem, options);
    const int mixes = armilla_sht_mixes_rings(sht->grid, problem.lmax);
    int parts = kind == ARMILLA_FLOW_FEWER && armilla_flow_needs_parts(&problem);
    if (mixes) {
        premises->forced->group = ARMILLA_WEIGHTED_GROUP;
        parts |= armilla_flow_needs_parts(&problem);
        premises->forced->group = NULL;
    }
    armilla_status status = ARMILLA_OK;
    if (!sht->lender && !problem.on_device) status = make_ringfft(sht, premises, parts);
    if (status || (status = armilla_flow_make(&problem, kind, &sht->flow))) return status;
    ask_for_told(premises->forced, &sht->flow);
    if (!mixes) return ARMILLA_OK;
    problem.lender = sht->flow.legendre;
    premises->forced->group = ARMILLA_WEIGHTED_GROUP;
    status = armilla_flow_make(&problem, ARMILLA_FLOW_QUADRATURE, &sht->weighted_flow);
    if (!status) ask_for_told(premises->forced, &sht->weighted_flow);
    premises->forced->group = NULL;
    return status;
}

static armilla_cuda_flow_problem device_flow(const armilla_flow *flow,
                                             armilla_cuda_precision precision)
{
    const int resampled = flow->kind != ARMILLA_FLOW_DIRECT;
    return (armilla_cuda_flow_problem){.legendre = flow->legendre,
                                       .passes = &flow->ways[ARMILLA_FLOW_IN_MEMORY].passes,
                                       .theta = resampled ? &flow->theta_problem : NULL,
                                       .near = resampled ? &flow->near_rows : NULL,
                                       .weighted = flow->weighted,
                                       .shape = flow->shape,
                                       .precision = precision};
}

/* Complex numbers of the rows of alm; gaps between them do not count. */
static int64_t alm_numbers(const armilla_sht *sht)
{
    return sht->share ? armilla_share_alm_size(sht->share, sht->layout->lmax)
                      : armilla_sht_degrees(sht);
}

armilla_cuda_problem armilla_sht_device_problem(const armilla_sht *sht,
                                                const armilla_sht_options *options)
{
    return (armilla_cuda_problem){.flow = device_flow(&sht->flow, sht->precision),
                                  .weighted_flow = device_flow(&sht->weighted_flow, sht->precision),
                                  .rings = sht->grid->rings,
                                  .places = sht->share ? sht->share->places : NULL,
                                  .layout = sht->layout,
                                  .alm_numbers = alm_numbers(sht),
                                  .spin = sht->spin < 0 ? -sht->spin : sht->spin,
                                  .nalm = sht->nalm,
                                  .nmap = sht->nmap,
                                  .degree_factor = sht->degree_factor,
                                  .npix = sht->npix,
                                  .samples = sht->share ? sht->share->samples : sht->samples,
                                  .memory_bytes = armilla_sht_device_budget(sht, options),
                                  .streams = options->device_streams};
}

static armilla_status keep_starts_of_share(armilla_sht *sht)
{
    armilla_legendre *const of[2] = {sht->flow.legendre, sht->weighted_flow.legendre};
    armilla_status status = ARMILLA_OK;
    for (int i = 0; i < 2 && of[i] && !status; i++) {
        const int64_t end = sht->share->starts_end[i];
        status = end == ARMILLA_STARTS_OF_ALL ? armilla_legendre_keep_starts(of[i], INT64_MAX)
                                              : armilla_legendre_keep_starts_to(of[i], end);
    }
    return status;
}

/* The second flow keeps its starts, too, unless memory is short. */
static armilla_status keep_starts(armilla_sht *sht, const armilla_sht_options *options)
{
    armilla_legendre *weighted = sht->weighted_flow.legendre;
    if (sht->share) return keep_starts_of_share(sht);
    const int64_t first = armilla_sht_starts_budget(sht, options, 0);
    if (sht->starts_end)
        sht->starts_end[0] = armilla_legendre_starts_end(sht->flow.legendre, first);
    armilla_status status =
        sht->starts_end ? ARMILLA_OK : armilla_legendre_keep_starts(sht->flow.legendre, first);
    const int64_t second = status || !weighted ? 0 : armilla_sht_starts_budget(sht, options, 1);
    if (sht->starts_end)
        sht->starts_end[1] = second ? armilla_legendre_starts_end(weighted, second) : 0;
    return second && !sht->starts_end ? armilla_legendre_keep_starts(weighted, second) : status;
}

armilla_status armilla_sht_make_stages(armilla_sht *sht, const armilla_premises *premises,
                                       const armilla_sht_options *options,
                                       const armilla_cuda_shape *shape)
{
    armilla_status status = make_flows(sht, premises, options, shape);
    if (status) return status;
    if (options->device != ARMILLA_CUDA) return keep_starts(sht, options);
    const armilla_cuda_problem problem = armilla_sht_device_problem(sht, options);
    return armilla_cuda()->transform->make(&problem, &sht->cuda);
}

armilla_status armilla_sht_make_others(armilla_sht *sht, const armilla_sht_options *options)
{
    if (options->ndevices < 2) return ARMILLA_OK;
    const armilla_cuda_problem problem = armilla_sht_device_problem(sht, options);
    return armilla_cuda()->transform->spread(sht->cuda, &problem, options->devices,
                                             options->ndevices);
}

void armilla_sht_clear_stages(armilla_sht *sht)
{
    armilla_cuda_free(sht->cuda);
    sht->cuda = NULL;
    armilla_flow_clear(&sht->weighted_flow); /* borrows from the other one */
    armilla_flow_clear(&sht->flow);
}
