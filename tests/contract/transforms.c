/* Rows of the contract: transforms of scalars, of spin 2, of I, Q, U; iteration; maps that are
 * looked at for missing values. */
#include "contract/calls.h"
#include "contract/operations.h"

#include "oracle/checks.h"

armilla_grid *contract_healpix(void)
{
    return healpix_grid(4);
}

armilla_grid *contract_nested(void)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_named("healpix:4:nested", &grid));
    return grid;
}

/* Weights of analysis mix rings. */
static armilla_grid *clenshaw_curtis(void)
{
    return exact_grid(ARMILLA_GRID_CC, CONTRACT_LMAX, CONTRACT_LMAX, 0, 0);
}

static armilla_grid *mcewen_wiaux(void)
{
    return exact_grid(ARMILLA_GRID_MW, CONTRACT_LMAX, CONTRACT_LMAX, 0, 0);
}

armilla_grid *contract_grid_with_gaps(void)
{
    const armilla_ring rings[3] = {
        {.theta = 2.9, .nphi = 17, .phi0 = 0.3, .offset = 203, .stride = -2, .weight = 1},
        {.theta = 0, .nphi = 2, .phi0 = 0, .offset = 5, .stride = 3, .weight = 1},
        {.theta = 1.2, .nphi = 40, .phi0 = 6, .offset = 210, .stride = 5, .weight = 1}};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(3, rings, &grid));
    return grid;
}

/* --- One transform --------------------------------------------------------------------------- */

CONTRACT_WRAP_FOUR(sht)
CONTRACT_WRAP_FOUR(distributed_sht)

static armilla_status make(const contract_site *site, const contract_choice *choice, void **plan)
{
    armilla_sht_options options = contract_sht_options(site);
    armilla_sht *alone = NULL;
    armilla_distributed_sht *ranks = NULL;
    options.spin = choice->spin, options.method = (armilla_sht_method)choice->method;
    options.mode = (armilla_sht_mode)choice->mode;
    const armilla_status status =
        site->transport
            ? armilla_distributed_sht_new(site->transport, site->distribution, &options, NULL,
                                          &ranks)
            : armilla_sht_new(site->grid, CONTRACT_LMAX, CONTRACT_LMAX, &options, &alone);
    *plan = site->transport ? (void *)ranks : (void *)alone;
    return status;
}

static void release(const contract_site *site, void *plan)
{
    if (site->transport)
        armilla_distributed_sht_free(plan);
    else
        armilla_sht_free(plan);
}

#define OVER_RANKS(verb) distributed_sht_##verb

#define PLAN(variant_, nalm, nmap, grid_, on_gpus, ...)                                            \
    {                                                                                              \
        .name = "sht", .variant = variant_,                                                        \
        .sides = {{CONTRACT_ALM, nalm, 2, 0}, {CONTRACT_MAP, nmap, 1, 0}}, .grid = grid_,          \
        .make = make, .choice = {__VA_ARGS__}, .release = release,                                 \
        .calls = CONTRACT_FOUR(sht, OVER_RANKS),                                                   \
        .tolerances = {.adjoint = 1e-14,                                                           \
                       .several = nmap == 1 ? 1e-14 : 0,                                           \
                       .device = 1e-13,                                                            \
                       .floats = 1e-6},                                                            \
        .has_floats = 1, .refused = {                                                              \
            [CONTRACT_GPU] = on_gpus,                                                              \
            [CONTRACT_GPUS] = on_gpus                                                              \
        }                                                                                          \
    }

#define ROW(variant_, nalm, nmap, grid_, ...) PLAN(variant_, nalm, nmap, grid_, NULL, __VA_ARGS__)

const contract_operation contract_sht = ROW("scalar", 1, 1, contract_healpix, 0);
const contract_operation contract_sht_spin =
    ROW("spin 2, weights that mix rings", 2, 2, clenshaw_curtis, .spin = 2);
const contract_operation contract_sht_gaps =
    ROW("spin 2, gaps", 2, 2, contract_grid_with_gaps, .spin = 2);
const contract_operation contract_sht_resampled =
    ROW("resampled", 1, 1, contract_healpix, .method = ARMILLA_SHT_RESAMPLE);
const contract_operation contract_sht_derivatives =
    ROW("derivatives", 1, 2, mcewen_wiaux, .spin = 1, .mode = ARMILLA_SHT_DERIVATIVES);
const contract_operation contract_sht_gradient =
    ROW("gradient alone", 1, 2, contract_healpix, .spin = -2, .mode = ARMILLA_SHT_GRADIENT_ONLY);
const contract_operation contract_sht_nested =
    PLAN("NESTED order", 1, 1, contract_nested,
         "grid: is in NESTED order, which a plan with device = CUDA does not take", 0);

/* --- I, Q, U --------------------------------------------------------------------------------- */

CONTRACT_WRAP_FOUR(iqu)
CONTRACT_WRAP_FOUR(distributed_iqu)

static armilla_status make_iqu(const contract_site *site, const contract_choice *choice,
                               void **plan)
{
    (void)choice;
    const armilla_sht_options options = contract_sht_options(site);
    armilla_iqu *alone = NULL;
    armilla_distributed_iqu *ranks = NULL;
    const armilla_status status =
        site->transport
            ? armilla_distributed_iqu_new(site->transport, site->distribution, &options, NULL,
                                          &ranks)
            : armilla_iqu_new(site->grid, CONTRACT_LMAX, CONTRACT_LMAX, &options, &alone);
    *plan = site->transport ? (void *)ranks : (void *)alone;
    return status;
}

static void release_iqu(const contract_site *site, void *plan)
{
    if (site->transport)
        armilla_distributed_iqu_free(plan);
    else
        armilla_iqu_free(plan);
}

#define IQU_OVER_RANKS(verb) distributed_iqu_##verb

const contract_operation contract_iqu = {
    .name = "iqu",
    .variant = "HEALPix",
    .sides = {{CONTRACT_ALM, 3, 2, 0}, {CONTRACT_MAP, 3, 1, 0}},
    .grid = contract_healpix,
    .make = make_iqu,
    .release = release_iqu,
    .calls = CONTRACT_FOUR(iqu, IQU_OVER_RANKS),
    .tolerances = {.adjoint = 1e-14, .several = 1e-14, .device = 1e-13, .floats = 1e-6},
    .has_floats = 1,
    .ranks_write_in_parts = 1};

/* --- Iteration ------------------------------------------------------------------------------- */

CONTRACT_WRAP_PSEUDO(sht_pseudo_analysis)
CONTRACT_WRAP_PSEUDO(distributed_sht_pseudo_analysis)
CONTRACT_WRAP_PSEUDO(iqu_pseudo_analysis)
CONTRACT_WRAP_PSEUDO(distributed_iqu_pseudo_analysis)

#define ITERATES(variant_, ncomp, make_, release_, alone, ranks)                                   \
    {                                                                                              \
        .name = "pseudo", .variant = variant_,                                                     \
        .sides = {{CONTRACT_ALM, ncomp, 2, 0}, {CONTRACT_MAP, ncomp, 1, 0}},                       \
        .grid = contract_healpix, .make = make_, .release = release_,                              \
        .calls = {{"pseudo_analysis", 1, 0, -1, CONTRACT_NO_NAN, alone, ranks}},                   \
        .tolerances = {.device = 1e-12, .floats = 1e-5}, .has_floats = 1, .stops = 1,              \
        .host_arrays = 1, .waits = 1                                                               \
    }

const contract_operation contract_pseudo =
    ITERATES("scalar", 1, make, release, sht_pseudo_analysis, distributed_sht_pseudo_analysis);
const contract_operation contract_pseudo_iqu = ITERATES(
    "I, Q, U", 3, make_iqu, release_iqu, iqu_pseudo_analysis, distributed_iqu_pseudo_analysis);

/* --- Missing values -------------------------------------------------------------------------- */

static armilla_exec looking(const armilla_exec *exec)
{
    armilla_exec result = *exec;
    result.missing = ARMILLA_MISSING_ERROR;
    return result;
}

static armilla_status look(const void *plan, int is_float, const void *map, void *alm,
                           const armilla_exec *exec)
{
    const armilla_exec e = looking(exec);
    return sht_analysis(plan, is_float, map, alm, &e);
}

static armilla_status look_over_ranks(const void *plan, int is_float, const void *map, void *alm,
                                      const armilla_exec *exec)
{
    const armilla_exec e = looking(exec);
    return distributed_sht_analysis(plan, is_float, map, alm, &e);
}

const contract_operation contract_missing_values = {
    .name = "missing values",
    .variant = "looked for",
    .sides = {{CONTRACT_ALM, 1, 2, 0}, {CONTRACT_MAP, 1, 1, 0}},
    .grid = contract_healpix,
    .make = make,
    .release = release,
    .calls = {{"analysis", 1, 0, -1, CONTRACT_NO_NAN, look, look_over_ranks}},
    .tolerances = {.several = 1e-14, .device = 1e-13, .floats = 1e-6},
    .has_floats = 1,
    .waits = 1};
