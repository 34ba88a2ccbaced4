/* Making, describing and freeing plans for ring grids. See plan.h. */
#include "sht/plan.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "grid/grid.h"
#include "sht/fewer_rings.h"
#include "sht/mode.h"

#include <string.h>

enum {
    SINGLE_PAIRS = 640, /* ring pairs that one pass takes: leg is small then */
    LEAST_PAIRS = 256,  /* per pass: work that belongs to an order is spread over them */
    LEAST_ORDERS = 64,  /* the same, in passes over orders */
    LEG_SHARE = 3       /* leg takes at most about this part of input and output */
};

void armilla_sht_options_init(armilla_sht_options *options)
{
    if (options) *options = (armilla_sht_options){.size = sizeof *options};
}

static armilla_status check_methods(const armilla_sht_options *options)
{
    if (options->method < ARMILLA_SHT_AUTO || options->method > ARMILLA_SHT_RESAMPLE)
        return armilla_fail_argument("options->method", options->method,
                                     "must be an armilla_sht_method");
    if (options->spin_method < ARMILLA_SPIN_AUTO || options->spin_method > ARMILLA_SPIN_RECURRENCE)
        return armilla_fail_argument("options->spin_method", options->spin_method,
                                     "must be an armilla_sht_spin_method");
    return ARMILLA_OK;
}

/* Does W mix the rings? */
static int mixes_rings(const armilla_grid *grid, int64_t lmax)
{
    return armilla_theta_weights_needed(grid->kind) && lmax <= grid->exact_lmax;
}

static armilla_status check_resampling(const armilla_grid *grid, int64_t lmax,
                                       const armilla_sht_options *options)
{
    if (options->method != ARMILLA_SHT_RESAMPLE || !mixes_rings(grid, lmax)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "options->method = RESAMPLE: not on the grid %s up to lmax = %lld (asked: "
                        "%lld), where analysis mixes the rings: take AUTO or DIRECT",
                        armilla_grid_kind_name(grid->kind), (long long)grid->exact_lmax,
                        (long long)lmax);
}

static armilla_status check_arguments(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                      const armilla_sht_options *options)
{
    if (!grid) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "grid = NULL: must be a grid");
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    if ((status = armilla_mode_check("options", options->mode, options->spin, lmax)) ||
        (status = check_methods(options)) || (status = check_resampling(grid, lmax, options)))
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

/* Fewer rings where it is asked for, or where that pays and W does not mix the rings. */
static int wants_fewer(const armilla_grid *grid, int64_t lmax, const armilla_sht_options *options)
{
    return options->method == ARMILLA_SHT_RESAMPLE ||
           (options->method == ARMILLA_SHT_AUTO && !mixes_rings(grid, lmax) &&
            armilla_fewer_rings_pay(grid, lmax) &&
            armilla_ringfft_parts_are_cheap(grid->nrings, grid->rings));
}

static armilla_status make_ring_stages(armilla_sht *sht, armilla_isa isa, int64_t lmax,
                                       int64_t mmax, const armilla_sht_options *options)
{
    const armilla_grid *grid = sht->grid;
    int fewer = sht->lender ? sht->lender->fewer != NULL : wants_fewer(grid, lmax, options);
    armilla_status status = ARMILLA_OK;
    if (!sht->lender)
        status = armilla_ringfft_new(isa, grid->nrings, grid->rings, mmax, fewer, &sht->ringfft);
    if (status || !fewer) return status;
    return armilla_fewer_rings_new(isa, grid, lmax, mmax, options->spin, &sht->fewer);
}

static armilla_status make_legendre(armilla_sht *sht, armilla_isa isa, int64_t lmax, int64_t mmax,
                                    const armilla_sht_options *options)
{
    armilla_legendre_problem problem = {.isa = isa,
                                        .lmax = lmax,
                                        .mmax = mmax,
                                        .spin = options->spin,
                                        .recurrence_only =
                                            options->spin_method == ARMILLA_SPIN_RECURRENCE};
    if (sht->fewer) {
        problem.nrings = armilla_fewer_rings_count(sht->fewer);
        problem.theta = armilla_fewer_rings_theta(sht->fewer);
        armilla_status status = armilla_legendre_new(&problem, &sht->legendre);
        return status ? status : armilla_fewer_rings_place(sht->fewer, sht->legendre);
    }
    double *theta;
    armilla_status status = armilla_grid_copy_theta(sht->grid, &theta);
    if (status) return status;
    problem.nrings = sht->grid->nrings, problem.theta = theta;
    status = armilla_legendre_new(&problem, &sht->legendre);
    armilla_release(theta);
    return status;
}

static armilla_status make_columns(armilla_sht *sht)
{
    armilla_status status = armilla_allocate(&sht->ring_column, sht->grid->nrings, sizeof(int64_t));
    if (status) return status;
    for (int64_t i = 0; i < sht->legendre->npairs; i++) {
        if (sht->legendre->north[i] >= 0) sht->ring_column[sht->legendre->north[i]] = 2 * i;
        if (sht->legendre->south[i] >= 0) sht->ring_column[sht->legendre->south[i]] = 2 * i + 1;
    }
    return ARMILLA_OK;
}

static armilla_status make_components(armilla_sht *sht, int64_t lmax,
                                      const armilla_sht_options *options)
{
    sht->nmap = armilla_mode_nmap(options->spin);
    sht->nalm = armilla_mode_nalm(options->mode, options->spin);
    return armilla_mode_factors(options->mode, options->spin, lmax, &sht->degree_factor);
}

static armilla_status make_parts(armilla_sht *sht, int64_t lmax, int64_t mmax,
                                 const armilla_sht_options *options)
{
    armilla_isa isa;
    armilla_status status;
    if ((status = armilla_isa_choose(options->isa, &isa)) ||
        (status = make_layout(sht, lmax, mmax, options->layout)) ||
        (status = make_components(sht, lmax, options)) ||
        (status = make_ring_stages(sht, isa, lmax, mmax, options)) ||
        (status = make_legendre(sht, isa, lmax, mmax, options)))
        return status;
    if (!mixes_rings(sht->grid, lmax)) return ARMILLA_OK;
    if ((status = make_columns(sht))) return status;
    return armilla_theta_weights_new(sht->grid, lmax, options->spin, &sht->theta_weights);
}

armilla_status armilla_sht_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                               const armilla_sht_options *options, armilla_sht **sht)
{
    armilla_sht_options chosen;
    armilla_sht *result;
    armilla_sht_options_init(&chosen);
    armilla_status status =
        armilla_options_copy("options", "armilla_sht_options", options,
                             ARMILLA_END_OF(armilla_sht_options, isa), sizeof chosen, &chosen);
    if (!status) status = check_arguments(grid, lmax, mmax, &chosen);
    if (!status) status = armilla_check_given("sht", sht);
    if (status || (status = armilla_allocate_zero(&result, 1, sizeof *result))) return status;
    if ((status = armilla_workspace_store_new(&result->workspace)) ||
        (status = armilla_grid_copy(grid, &result->grid)) ||
        (status = make_parts(result, lmax, mmax, &chosen))) {
        armilla_sht_free(result);
        return status;
    }
    result->npix = grid->npix;
    for (int64_t i = 0; i < grid->nrings; i++) result->samples += grid->rings[i].nphi;
    *sht = result;
    return ARMILLA_OK;
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
    result->legendre = NULL, result->theta_weights = NULL, result->fewer = NULL;
    result->degree_factor = NULL, result->ring_column = NULL;
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
    armilla_theta_weights_free(sht->theta_weights);
    armilla_fewer_rings_free(sht->fewer);
    armilla_legendre_free(sht->legendre);
    if (!sht->lender) free_lendable(sht);
    armilla_release(sht->ring_column);
    armilla_release(sht->degree_factor);
    armilla_release(sht);
}

const armilla_grid *armilla_sht_get_grid(const armilla_sht *sht)
{
    return sht->grid;
}

const armilla_alm_layout *armilla_sht_get_layout(const armilla_sht *sht)
{
    return sht->layout;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Doubles that leg may take. Gaps in the caller's arrays do not count. */
static int64_t leg_budget(const armilla_sht *sht)
{
    const armilla_alm_layout *layout = sht->layout;
    return (sht->samples + 2 * armilla_alm_size(layout->lmax, layout->mmax)) / LEG_SHARE;
}

static int64_t pairs_per_pass(const armilla_sht *sht)
{
    int64_t npairs = sht->legendre->npairs, orders = sht->legendre->mmax + 1;
    if (npairs <= SINGLE_PAIRS) return npairs;
    int64_t parts = npairs / larger(LEAST_PAIRS, leg_budget(sht) / (4 * orders));
    return npairs / larger(1, parts) + 1;
}

static int64_t orders_per_pass(const armilla_sht *sht)
{
    int64_t orders = leg_budget(sht) / (4 * sht->legendre->npairs);
    return larger(LEAST_ORDERS, orders);
}

int armilla_sht_get_pass(const armilla_sht *sht, int mixed, int64_t index, armilla_sht_pass *pass)
{
    const armilla_legendre *legendre = sht->legendre;
    int64_t orders = legendre->mmax + 1, norders = mixed ? orders_per_pass(sht) : orders;
    pass->first_order = mixed ? index * norders : 0;
    if (pass->first_order >= orders) return 0;
    pass->norders = orders - pass->first_order < norders ? orders - pass->first_order : norders;
    int64_t npairs = mixed ? legendre->npairs : pairs_per_pass(sht);
    return armilla_legendre_get_block(legendre, npairs, mixed ? 0 : index, &pass->block);
}

int64_t armilla_sht_leg_size(const armilla_sht *sht, int mixed, int64_t sets)
{
    int64_t size = 0;
    armilla_sht_pass pass;
    if (sht->fewer) return armilla_fewer_rings_leg_size(sht->fewer, sets);
    for (int64_t i = 0; armilla_sht_get_pass(sht, mixed, i, &pass); i++)
        size = larger(size, sets * pass.norders * armilla_legendre_row_length(&pass.block));
    return size;
}

/* The tasks of a stage are orders or batches of ring pairs; there are at most as many pairs as
 * rings. */
int armilla_sht_threads(const armilla_sht *sht, int nthreads)
{
    const int64_t batches = (sht->grid->nrings + ARMILLA_PAIR_BATCH - 1) / ARMILLA_PAIR_BATCH;
    const int64_t tasks = larger(sht->legendre->mmax + 1, batches);
    nthreads = armilla_team_size(nthreads);
    return nthreads < tasks ? nthreads : (int)tasks;
}

int64_t armilla_sht_scratch_size(const armilla_sht *sht, int mixed, int64_t sets)
{
    int64_t npairs = sht->fewer ? sht->legendre->npadded : 0;
    armilla_sht_pass pass;
    for (int64_t i = 0; !sht->fewer && armilla_sht_get_pass(sht, mixed, i, &pass); i++)
        npairs = larger(npairs, pass.block.npairs);
    int64_t legendre = armilla_legendre_scratch_size(sht->legendre, npairs, sets);
    if (mixed)
        legendre +=
            2 * sht->grid->nrings + 8 + armilla_theta_weights_scratch_size(sht->theta_weights);
    if (sht->fewer) legendre += armilla_fewer_rings_scratch_size(sht->fewer, sets) + 8;
    legendre += sets * armilla_legendre_alm_row(sht->legendre, 0);
    return (larger(legendre, armilla_ringfft_scratch_size(sht->ringfft)) + 15) / 8 * 8;
}

static armilla_sht_description describe(const armilla_sht *sht, int nthreads)
{
    int mixed = sht->theta_weights != NULL;
    int64_t leg = larger(armilla_sht_leg_size(sht, 0, sht->nmap),
                         mixed ? armilla_sht_leg_size(sht, 1, sht->nmap) : 0);
    int64_t scratch =
        armilla_sht_scratch_size(sht, mixed, sht->nmap) * armilla_sht_threads(sht, nthreads);
    int64_t rings = sht->grid->nrings * (int64_t)(sizeof(armilla_ring) + sizeof(int64_t));
    if (!sht->lender) rings += armilla_ringfft_bytes(sht->ringfft);
    if (sht->fewer) rings += armilla_fewer_rings_bytes(sht->fewer);
    int64_t weights = mixed ? armilla_theta_weights_bytes(sht->theta_weights) : 0;
    return (armilla_sht_description){
        .backend = "cpu",
        .isa = armilla_isa_label(sht->legendre->isa),
        .method = mixed        ? "theta weights"
                  : sht->fewer ? "resampled"
                               : "direct",
        .lmax = sht->layout->lmax,
        .mmax = sht->layout->mmax,
        .nrings = sht->grid->nrings,
        .npix = sht->npix,
        .alm_size = sht->layout->size,
        .ncomp = sht->nmap,
        .alm_ncomp = sht->nalm,
        .plan_bytes = sht->legendre->bytes + rings + weights,
        .workspace_bytes = 8 * (leg + scratch),
        .useful_flops = armilla_legendre_flops(sht->legendre),
    };
}

/* A caller's struct may be shorter than today's: it gets what it has room for. */
armilla_status armilla_sht_give_description(const armilla_sht_description *whole,
                                            armilla_sht_description *description)
{
    if (!description)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "description = NULL: must be a struct");
    size_t size = description->size;
    if (size <= sizeof size || size > sizeof *description)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "description->size = %zu: set it to %zu", size,
                            sizeof *description);
    memcpy(description, whole, size);
    description->size = size;
    return ARMILLA_OK;
}

armilla_status armilla_sht_describe(const armilla_sht *sht, int nthreads,
                                    armilla_sht_description *description)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    armilla_sht_description whole = describe(sht, nthreads);
    return armilla_sht_give_description(&whole, description);
}
