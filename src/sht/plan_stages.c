/* Makes the stages of a plan and deals out its memory among them: how much leg may take, whether
 * the Legendre stage works on fewer rings, and how many of its starts are kept. */
#include "sht/plan_stages.h"

#include "grid/grid.h"
#include "ringfft/stage.h"

/* Unless options say how much memory there is: docs/architecture.md 1. */
enum {
    LEG_SHARE = 3,        /* leg takes at most about this part of input and output, */
    WHOLE_SIZE = 1 << 24, /* or has all orders at once and, for a set, so many doubles: 134 MB. In
                             parts its rings go one by one, not in lanes, and those that are not
                             the longest twice in analysis: HEALPix, nside 512, 768: 1.10, 1.09
                             (analysis 1.17, 1.24) times the time, octahedral rings at lmax 1279
                             1.06 (1.30) */
    BOUNDED_LMAX = 2047   /* from here on all is bounded */
};

/* Of input and output: where a plan, a call with one thread, and what the process has beside them
 * (code, plans of FFTW, free memory between arrays) take less, the plan keeps starts of the
 * Legendre stage. All that is to stay below 45 %. */
static const double MEMORY_SHARE = 0.435;
enum { BESIDE_BYTES = 4000000 };

/* Doubles that leg may take, for a set. Gaps in the caller's arrays do not count. The rest of
 * host_bytes is for tables and starts. */
static int64_t leg_budget(const armilla_sht *sht, const armilla_sht_options *options)
{
    const armilla_alm_layout *layout = sht->layout;
    if (options->host_bytes) return options->host_bytes / 4 * 3 / (8 * sht->nmap);
    return (sht->samples + 2 * armilla_alm_size(layout->lmax, layout->mmax)) / LEG_SHARE;
}

static int is_bounded_by_default(const armilla_sht *sht, const armilla_sht_options *options)
{
    return options->host_bytes == 0 && sht->layout->lmax >= BOUNDED_LMAX;
}

static int is_bounded(const armilla_sht *sht, const armilla_sht_options *options)
{
    return options->host_bytes > 0 || is_bounded_by_default(sht, options);
}

/* Bytes of the caller's arrays, of one transform. */
static int64_t array_bytes(const armilla_sht *sht)
{
    const armilla_alm_layout *layout = sht->layout;
    return 8 * sht->nmap * sht->samples +
           16 * sht->nalm * armilla_alm_size(layout->lmax, layout->mmax);
}

/* Bytes of a GPU that a call may take. */
static int64_t device_budget(const armilla_sht *sht, const armilla_sht_options *options)
{
    const int64_t LEAST = (int64_t)64 << 20;
    if (options->device_bytes) return options->device_bytes;
    const int64_t arrays = array_bytes(sht);
    return 2 * arrays > LEAST ? 2 * arrays : LEAST;
}

/* Fewer rings where they are asked for, or pay. */
static armilla_flow_kind choose_flow(const armilla_flow_problem *problem,
                                     const armilla_sht_options *options)
{
    if (options->method == ARMILLA_SHT_RESAMPLE) return ARMILLA_FLOW_FEWER;
    if (options->method == ARMILLA_SHT_DIRECT || problem->on_device) return ARMILLA_FLOW_DIRECT;
    return armilla_flow_fewer_pay(problem) ? ARMILLA_FLOW_FEWER : ARMILLA_FLOW_DIRECT;
}

/* Does W mix the rings? It does where a weight for each ring is exact only up to about half of the
 * band limit that the rings resolve. */
static int mixes_rings(const armilla_grid *grid, int64_t lmax)
{
    const armilla_grid_kind kind = grid->kind;
    const int needed = kind == ARMILLA_GRID_CC || kind == ARMILLA_GRID_F1 ||
                       kind == ARMILLA_GRID_MW || kind == ARMILLA_GRID_MWSS ||
                       kind == ARMILLA_GRID_MWFLIP;
    return needed && lmax <= grid->exact_lmax;
}

static armilla_status make_ringfft(armilla_sht *sht, const armilla_machine *machine, int parts)
{
    const armilla_ringfft_problem problem = {.machine = *machine,
                                             .nrings = sht->grid->nrings,
                                             .rings = sht->grid->rings,
                                             .mmax = sht->layout->mmax,
                                             .parts = parts};
    return armilla_ringfft_new(&problem, &sht->ringfft);
}

/* shape: of a GPU's kernels; NULL: the default one. */
static armilla_status make_flows(armilla_sht *sht, const armilla_machine *machine,
                                 const armilla_sht_options *options,
                                 const armilla_cuda_shape *shape)
{
    const int64_t lmax = sht->layout->lmax, mmax = sht->layout->mmax;
    armilla_flow_problem problem = {
        .machine = *machine,
        .grid = sht->grid,
        .pairs = &sht->pairs,
        .far = &sht->far,
        .lmax = lmax,
        .mmax = mmax,
        .alm_has_rows = sht->nalm == sht->nmap && armilla_alm_layout_has_rows(sht->layout),
        .spin = options->spin,
        .recurrence_only = options->spin_method == ARMILLA_SPIN_RECURRENCE,
        .budget = leg_budget(sht, options),
        .whole = is_bounded(sht, options) ? 0 : WHOLE_SIZE};
    if (options->device == ARMILLA_CUDA) {
        problem.on_device = 1, problem.single = sht->single, problem.shape = shape;
        problem.budget = device_budget(sht, options) / 16 / sht->nmap; /* half of the bytes */
    }
    const armilla_flow_kind kind =
        sht->lender ? sht->lender->flow.kind : choose_flow(&problem, options);
    const int mixes = mixes_rings(sht->grid, lmax);
    const int parts = (mixes || kind == ARMILLA_FLOW_FEWER) && armilla_flow_needs_parts(&problem);
    armilla_status status = ARMILLA_OK;
    if (!sht->lender && !problem.on_device) status = make_ringfft(sht, machine, parts);
    if (status || (status = armilla_flow_make(&problem, kind, &sht->flow)) || !mixes) return status;
    problem.lender = sht->flow.legendre;
    return armilla_flow_make(&problem, ARMILLA_FLOW_QUADRATURE, &sht->weighted_flow);
}

static armilla_cuda_flow_problem device_flow(const armilla_flow *flow, int single)
{
    const int resampled = flow->kind != ARMILLA_FLOW_DIRECT;
    return (armilla_cuda_flow_problem){.legendre = flow->legendre,
                                       .passes = &flow->passes,
                                       .theta = resampled ? &flow->theta_problem : NULL,
                                       .near = resampled ? &flow->near_rows : NULL,
                                       .weighted = flow->weighted,
                                       .warps = flow->legendre ? flow->shape->warps : 0,
                                       .single = single};
}

armilla_cuda_problem armilla_sht_device_problem(const armilla_sht *sht,
                                                const armilla_sht_options *options)
{
    return (armilla_cuda_problem){.flow = device_flow(&sht->flow, sht->single),
                                  .weighted_flow = device_flow(&sht->weighted_flow, sht->single),
                                  .nrings = sht->grid->nrings,
                                  .rings = sht->grid->rings,
                                  .layout = sht->layout,
                                  .spin = sht->spin < 0 ? -sht->spin : sht->spin,
                                  .nalm = sht->nalm,
                                  .nmap = sht->nmap,
                                  .degree_factor = sht->degree_factor,
                                  .npix = sht->npix,
                                  .samples = sht->samples,
                                  .memory_bytes = device_budget(sht, options)};
}

static int64_t bytes_of_starts(const armilla_sht *sht, const armilla_sht_options *options)
{
    if (!is_bounded(sht, options)) return INT64_MAX;
    const int64_t used = armilla_sht_bytes(sht);
    if (options->host_bytes) return options->host_bytes - used;
    return (int64_t)(MEMORY_SHARE * (double)array_bytes(sht)) - used - BESIDE_BYTES;
}

/* Of the second flow, too, unless memory is short. */
static armilla_status keep_starts(armilla_sht *sht, const armilla_sht_options *options)
{
    armilla_legendre *weighted = sht->weighted_flow.legendre;
    armilla_status status =
        armilla_legendre_keep_starts(sht->flow.legendre, bytes_of_starts(sht, options));
    if (status || !weighted || is_bounded_by_default(sht, options)) return status;
    return armilla_legendre_keep_starts(weighted, bytes_of_starts(sht, options));
}

armilla_status armilla_sht_make_stages(armilla_sht *sht, const armilla_machine *machine,
                                       const armilla_sht_options *options,
                                       const armilla_cuda_shape *shape)
{
    armilla_status status = make_flows(sht, machine, options, shape);
    if (status) return status;
    if (options->device != ARMILLA_CUDA) return keep_starts(sht, options);
    const armilla_cuda_problem problem = armilla_sht_device_problem(sht, options);
    return armilla_cuda_transform_new(&problem, &sht->cuda);
}

void armilla_sht_clear_stages(armilla_sht *sht)
{
    armilla_cuda_transform_free(sht->cuda);
    sht->cuda = NULL;
    armilla_flow_clear(&sht->weighted_flow); /* borrows from the other one */
    armilla_flow_clear(&sht->flow);
}
