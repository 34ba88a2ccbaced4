/* Making, describing and freeing plans for ring grids. See plan.h. */
#include "sht/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "grid/grid.h"
#include "ringfft/stage.h"
#include "sht/mode.h"

#include <stdio.h>
#include <string.h>

enum { LEG_SHARE = 3 }; /* leg takes at most about this part of input and output */

void armilla_sht_options_init(armilla_sht_options *options)
{
    if (options) *options = (armilla_sht_options){.size = sizeof *options};
}

armilla_status armilla_sht_take_options(const armilla_sht_options *given,
                                        armilla_sht_options *options)
{
    armilla_sht_options_init(options);
    return armilla_options_copy("options", "armilla_sht_options", given,
                                ARMILLA_END_OF(armilla_sht_options, isa), sizeof *options, options);
}

static armilla_status check_methods(const armilla_sht_options *options)
{
    if (options->method < ARMILLA_SHT_AUTO || options->method > ARMILLA_SHT_RESAMPLE)
        return armilla_fail_argument("options->method", options->method,
                                     "must be an armilla_sht_method");
    if (options->spin_method < ARMILLA_SPIN_AUTO || options->spin_method > ARMILLA_SPIN_RECURRENCE)
        return armilla_fail_argument("options->spin_method", options->spin_method,
                                     "must be an armilla_sht_spin_method");
    if (options->device != ARMILLA_CPU && options->device != ARMILLA_CUDA)
        return armilla_fail_argument("options->device", (int64_t)options->device,
                                     "must be ARMILLA_CPU or ARMILLA_CUDA");
    if (options->device_bytes < 0)
        return armilla_fail_argument("options->device_bytes", options->device_bytes,
                                     "must be 0 (chosen) or more");
    if (options->device_tune < ARMILLA_DEVICE_TUNE_TABLE ||
        options->device_tune > ARMILLA_DEVICE_TUNE_MEASURE)
        return armilla_fail_argument("options->device_tune", options->device_tune,
                                     "must be an armilla_device_tune");
    if (options->device_precision < ARMILLA_DEVICE_PRECISION_AUTO ||
        options->device_precision > ARMILLA_DEVICE_PRECISION_SINGLE)
        return armilla_fail_argument("options->device_precision", options->device_precision,
                                     "must be an armilla_device_precision");
    return ARMILLA_OK;
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

static armilla_status check_arguments(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                      const armilla_sht_options *options)
{
    if (!grid) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "grid = NULL: must be a grid");
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    if ((status = armilla_mode_check("options", options->mode, options->spin, lmax)) ||
        (status = check_methods(options)))
        return status;
    if (options->layout && options->layout->lmax != lmax)
        return armilla_fail_argument("lmax", lmax, "differs from the lmax of options->layout");
    if (options->layout && options->layout->mmax != mmax)
        return armilla_fail_argument("mmax", mmax, "differs from the mmax of options->layout");
    return ARMILLA_OK;
}

static armilla_status make_layout(armilla_sht *sht, int64_t lmax, int64_t mmax,
                                  const armilla_alm_layout *layout)
{
    if (sht->lender) return ARMILLA_OK;
    if (layout) return armilla_alm_layout_copy(layout, &sht->layout);
    return armilla_alm_layout_new(lmax, mmax, &sht->layout);
}

/* Doubles that leg may take. Gaps in the caller's arrays do not count. */
static int64_t leg_budget(const armilla_sht *sht)
{
    const armilla_alm_layout *layout = sht->layout;
    return (sht->samples + 2 * armilla_alm_size(layout->lmax, layout->mmax)) / LEG_SHARE;
}

/* Bytes of a GPU that a call may take. */
static int64_t device_budget(const armilla_sht *sht, const armilla_sht_options *options)
{
    const int64_t LEAST = (int64_t)64 << 20;
    if (options->device_bytes) return options->device_bytes;
    const armilla_alm_layout *layout = sht->layout;
    const int64_t arrays = 8 * sht->nmap * sht->samples +
                           16 * sht->nalm * armilla_alm_size(layout->lmax, layout->mmax);
    return 2 * arrays > LEAST ? 2 * arrays : LEAST;
}

/* Fewer rings where they are asked for, or pay. */
static armilla_flow_kind choose_flow(const armilla_flow_problem *problem,
                                     const armilla_sht_options *options)
{
    const armilla_grid *grid = problem->grid;
    const int cheap = !armilla_flow_needs_parts(problem) ||
                      armilla_ringfft_parts_are_cheap(grid->nrings, grid->rings);
    if (options->method == ARMILLA_SHT_RESAMPLE) return ARMILLA_FLOW_FEWER;
    if (options->method == ARMILLA_SHT_DIRECT || problem->on_device) return ARMILLA_FLOW_DIRECT;
    return cheap && armilla_flow_fewer_pay(problem) ? ARMILLA_FLOW_FEWER : ARMILLA_FLOW_DIRECT;
}

static armilla_status make_pairs(armilla_sht *sht, int64_t lmax, int64_t mmax, int64_t spin)
{
    double *theta;
    armilla_status status = armilla_grid_copy_theta(sht->grid, &theta);
    if (status) return status;
    const int64_t n = sht->grid->nrings;
    status = armilla_ring_pairs_make(n, theta, lmax, mmax, spin, &sht->pairs);
    if (!status) status = armilla_ring_pairs_make_any(n, theta, lmax, mmax, spin, &sht->far);
    armilla_release(theta);
    return status;
}

/* shape: of a GPU's kernels; NULL: the default one. */
static armilla_status make_flows(armilla_sht *sht, armilla_isa isa,
                                 const armilla_sht_options *options,
                                 const armilla_cuda_shape *shape)
{
    const int64_t lmax = sht->layout->lmax, mmax = sht->layout->mmax;
    armilla_flow_problem problem = {.isa = isa,
                                    .grid = sht->grid,
                                    .pairs = &sht->pairs,
                                    .far = &sht->far,
                                    .lmax = lmax,
                                    .mmax = mmax,
                                    .spin = options->spin,
                                    .recurrence_only =
                                        options->spin_method == ARMILLA_SPIN_RECURRENCE,
                                    .budget = leg_budget(sht)};
    if (options->device == ARMILLA_CUDA) {
        problem.on_device = 1, problem.single = sht->single, problem.shape = shape;
        problem.budget = device_budget(sht, options) / 16 / sht->nmap; /* half of the bytes */
    }
    const armilla_flow_kind kind =
        sht->lender ? sht->lender->flow.kind : choose_flow(&problem, options);
    const int mixes = mixes_rings(sht->grid, lmax);
    const int parts = (mixes || kind == ARMILLA_FLOW_FEWER) && armilla_flow_needs_parts(&problem);
    armilla_status status = ARMILLA_OK;
    if (!sht->lender && !problem.on_device)
        status = armilla_ringfft_new(isa, sht->grid->nrings, sht->grid->rings, mmax, parts,
                                     &sht->ringfft);
    if (status || (status = armilla_flow_make(&problem, kind, &sht->flow)) || !mixes) return status;
    problem.lender = sht->flow.legendre;
    return armilla_flow_make(&problem, ARMILLA_FLOW_QUADRATURE, &sht->weighted_flow);
}

static armilla_status make_components(armilla_sht *sht, int64_t lmax,
                                      const armilla_sht_options *options)
{
    sht->spin = options->spin;
    sht->nmap = armilla_mode_nmap(options->spin);
    sht->nalm = armilla_mode_nalm(options->mode, options->spin);
    return armilla_mode_factors(options->mode, options->spin, lmax, &sht->degree_factor);
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

static armilla_cuda_problem device_problem(const armilla_sht *sht,
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

/* Everything that depends on the shape of a GPU's kernels, or on the spin. */
static armilla_status make_stages(armilla_sht *sht, armilla_isa isa,
                                  const armilla_sht_options *options,
                                  const armilla_cuda_shape *shape)
{
    armilla_status status = make_flows(sht, isa, options, shape);
    if (status || options->device != ARMILLA_CUDA) return status;
    const armilla_cuda_problem problem = device_problem(sht, options);
    return armilla_cuda_transform_new(&problem, &sht->cuda);
}

static void clear_stages(armilla_sht *sht)
{
    armilla_cuda_transform_free(sht->cuda);
    sht->cuda = NULL;
    armilla_flow_clear(&sht->weighted_flow); /* borrows from the other one */
    armilla_flow_clear(&sht->flow);
}

/* --- The precision of a GPU's kernels --------------------------------------------------------- */

/* Operations in single for one in double precision from which on the two floats of single precision
 * are faster: docs/gpu.md. */
enum { SLOW_DOUBLES = 16 };

/* What keeps the plan from single precision; NULL: nothing. */
static const char *needs_double(int64_t lmax, const armilla_sht_options *options)
{
    const int64_t spin = options->spin < 0 ? -options->spin : options->spin;
    if (lmax > ARMILLA_CUDA_SINGLE_LMAX) return "lmax is larger than 65535";
    if (spin > 3) return "functions of spin above 3 are made in double precision";
    if (spin && options->spin_method == ARMILLA_SPIN_RECURRENCE)
        return "the recurrence of functions of spin s is in double precision";
    return NULL;
}

static armilla_status choose_precision(armilla_sht *sht, const armilla_sht_options *options)
{
    const armilla_device_precision precision = options->device_precision;
    const char *obstacle = needs_double(sht->layout->lmax, options);
    int ratio = 0;
    sht->single = 0;
    if (options->device != ARMILLA_CUDA || precision == ARMILLA_DEVICE_PRECISION_DOUBLE)
        return ARMILLA_OK;
    if (precision == ARMILLA_DEVICE_PRECISION_SINGLE && obstacle)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->device_precision = ARMILLA_DEVICE_PRECISION_SINGLE: %s",
                            obstacle);
    armilla_status status = ARMILLA_OK;
    if (precision == ARMILLA_DEVICE_PRECISION_AUTO) status = armilla_cuda_precision_ratio(&ratio);
    sht->single =
        !obstacle && (precision == ARMILLA_DEVICE_PRECISION_SINGLE || ratio >= SLOW_DOUBLES);
    return status;
}

/* --- The shape of a GPU's kernels ------------------------------------------------------------- */

typedef struct {
    armilla_sht *sht;
    armilla_isa isa;
    const armilla_sht_options *options;
} candidate;

/* An armilla_cuda_measure_fn: makes the plan's stages, times them and takes them away. */
static armilla_status measure_shape(void *data, const armilla_cuda_shape *shape,
                                    double *milliseconds)
{
    const candidate *c = data;
    armilla_status status = make_stages(c->sht, c->isa, c->options, shape);
    if (!status) {
        const armilla_cuda_problem problem = device_problem(c->sht, c->options);
        status = armilla_cuda_transform_time(c->sht->cuda, &problem, milliseconds);
    }
    clear_stages(c->sht);
    return status;
}

static armilla_status find_shape(const char *name, const armilla_cuda_shape **shape)
{
    char known[80] = "";
    for (int64_t i = 0; (*shape = armilla_cuda_shape_at(i)); i++) {
        if (!strcmp(name, (*shape)->name)) return ARMILLA_OK;
        const size_t end = strlen(known);
        snprintf(known + end, sizeof known - end, ", %s", (*shape)->name);
    }
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "options->device_shape = \"%s\": must be NULL or one of%s", name,
                        *known ? known + 1 : " none");
}

/* *shape: NULL for the default one. */
static armilla_status choose_shape(armilla_sht *sht, armilla_isa isa,
                                   const armilla_sht_options *options,
                                   const armilla_cuda_shape **shape)
{
    candidate c = {sht, isa, options};
    *shape = NULL;
    if (options->device != ARMILLA_CUDA) return ARMILLA_OK;
    if (options->device_shape) return find_shape(options->device_shape, shape);
    if (options->device_tune == ARMILLA_DEVICE_TUNE_TABLE) return ARMILLA_OK;
    const armilla_cuda_tuning of = {.lmax = sht->layout->lmax,
                                    .npairs = sht->pairs.count,
                                    .spin = options->spin,
                                    .recurrence_only =
                                        options->spin_method == ARMILLA_SPIN_RECURRENCE,
                                    .single = sht->single};
    return armilla_cuda_tune(&of, measure_shape, &c, shape);
}

static armilla_status make_parts(armilla_sht *sht, int64_t lmax, int64_t mmax,
                                 const armilla_sht_options *options)
{
    armilla_isa isa;
    const armilla_cuda_shape *shape;
    armilla_status status =
        options->device == ARMILLA_CUDA ? armilla_cuda_check_device() : ARMILLA_OK;
    if (status || (status = armilla_isa_choose(options->isa, &isa)) ||
        (status = make_layout(sht, lmax, mmax, options->layout)) ||
        (status = make_components(sht, lmax, options)) ||
        (status = make_pairs(sht, lmax, mmax, options->spin)) ||
        (status = choose_precision(sht, options)) ||
        (status = choose_shape(sht, isa, options, &shape)))
        return status;
    return make_stages(sht, isa, options, shape);
}

static void count_samples(armilla_sht *sht)
{
    sht->npix = sht->grid->npix;
    for (int64_t i = 0; i < sht->grid->nrings; i++) sht->samples += sht->grid->rings[i].nphi;
}

armilla_status armilla_sht_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                               const armilla_sht_options *options, armilla_sht **sht)
{
    armilla_sht_options chosen;
    armilla_sht *result;
    armilla_status status = armilla_sht_take_options(options, &chosen);
    if (!status) status = check_arguments(grid, lmax, mmax, &chosen);
    if (!status) status = armilla_check_given("sht", sht);
    if (status || (status = armilla_allocate_zero(&result, 1, sizeof *result))) return status;
    if (!(status = armilla_workspace_store_new(&result->workspace)) &&
        !(status = armilla_grid_copy(grid, &result->grid))) {
        count_samples(result);
        status = make_parts(result, lmax, mmax, &chosen);
    }
    if (status)
        armilla_sht_free(result);
    else
        *sht = result;
    return status;
}

armilla_status armilla_sht_new_beside(const armilla_sht *lender, const armilla_sht_options *options,
                                      armilla_sht **sht)
{
    const int64_t lmax = lender->layout->lmax, mmax = lender->layout->mmax;
    armilla_sht *result;
    armilla_status status = check_arguments(lender->grid, lmax, mmax, options);
    if (status || (status = armilla_allocate(&result, 1, sizeof *result))) return status;
    *result = *lender; /* all that does not depend on the spin; what does is made below */
    result->lender = lender;
    result->pairs = result->far = (armilla_ring_pairs){.count = 0};
    result->flow = result->weighted_flow = (armilla_flow){.legendre = NULL};
    result->degree_factor = NULL, result->cuda = NULL;
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
    armilla_grid_free(sht->grid);
    armilla_workspace_store_free(sht->workspace);
}

void armilla_sht_free(armilla_sht *sht)
{
    if (!sht) return;
    clear_stages(sht);
    armilla_ring_pairs_clear(&sht->pairs);
    armilla_ring_pairs_clear(&sht->far);
    if (!sht->lender) free_lendable(sht);
    armilla_release(sht->degree_factor);
    armilla_release(sht);
}

const armilla_alm_layout *armilla_sht_get_layout(const armilla_sht *sht)
{
    return sht->layout;
}

/* The tasks of a stage are orders or batches of ring pairs; there are at most as many pairs as
 * rings. */
int armilla_sht_threads(const armilla_sht *sht, int nthreads)
{
    const int64_t batches = (sht->grid->nrings + ARMILLA_RING_BATCH - 1) / ARMILLA_RING_BATCH;
    const int64_t tasks = armilla_larger(sht->layout->mmax + 1, batches);
    nthreads = armilla_team_size(nthreads);
    return nthreads < tasks ? nthreads : (int)tasks;
}
