/* Rows of the contract: convolution with radial kernels by either method and in either mode, and
 * means over weights. */
#include "contract/calls.h"
#include "contract/operations.h"

#include "oracle/checks.h"
#include <stdlib.h>

/* A plan of one process or of a rank, and the process' weights. */
typedef struct {
    armilla_radial *alone;
    armilla_distributed_radial *ranks;
    double *weights;
} convolution;

#define WRAP(verb)                                                                                 \
    static armilla_status verb(const void *plan, int is_float, const void *map, void *out,         \
                               const armilla_exec *exec)                                           \
    {                                                                                              \
        const convolution *c = plan;                                                               \
        return is_float ? armilla_radial_##verb##_float(c->alone, map, out, exec)                  \
                        : armilla_radial_##verb(c->alone, map, out, exec);                         \
    }                                                                                              \
    static armilla_status verb##_over_ranks(const void *plan, int is_float, const void *map,       \
                                            void *out, const armilla_exec *exec)                   \
    {                                                                                              \
        const convolution *c = plan;                                                               \
        return is_float ? armilla_distributed_radial_##verb##_float(c->ranks, map, out, exec)      \
                        : armilla_distributed_radial_##verb(c->ranks, map, out, exec);             \
    }

WRAP(convolve)
WRAP(adjoint)

static const double LEAST = 0.3, FILL = -7;

static armilla_status weighted(const void *plan, int is_float, const void *map, void *out,
                               const armilla_exec *exec)
{
    const convolution *c = plan;
    return is_float ? armilla_radial_convolve_weighted_float(c->alone, map, c->weights, LEAST, FILL,
                                                             out, exec)
                    : armilla_radial_convolve_weighted(c->alone, map, c->weights, LEAST, FILL, out,
                                                       exec);
}

static armilla_status weighted_over_ranks(const void *plan, int is_float, const void *map,
                                          void *out, const armilla_exec *exec)
{
    const convolution *c = plan;
    return is_float ? armilla_distributed_radial_convolve_weighted_float(c->ranks, map, c->weights,
                                                                         LEAST, FILL, out, exec)
                    : armilla_distributed_radial_convolve_weighted(c->ranks, map, c->weights, LEAST,
                                                                   FILL, out, exec);
}

/* --- Plans ----------------------------------------------------------------------------------- */

/* The weights of this process: some are 0, but not that of the first pixel. */
static double *new_weights(const contract_site *site)
{
    const contract_side side = {CONTRACT_MAP, 1, 1, 0};
    const int64_t size = contract_size(&side, site->grid);
    double *whole = checked_malloc(size, 8), *own = checked_calloc(size, 8);
    for (int64_t i = 0; i < size; i++) whole[i] = i % 7 == 3 ? 0 : 0.5 + 0.25 * (double)(i % 5);
    contract_numbers n = contract_numbers_of(&side, site);
    contract_take(&n, whole, own);
    contract_numbers_free(&n);
    free(whole);
    return own;
}

static armilla_status make_over_ranks(const contract_site *site, const armilla_kernel *kernel,
                                      const armilla_radial_options *options, convolution *c)
{
    const int64_t rank = site->transport->rank;
    const int64_t nspans = armilla_distribution_map_spans(site->distribution, rank, NULL);
    armilla_span *spans = checked_calloc(nspans + 1, sizeof *spans);
    armilla_distribution_map_spans(site->distribution, rank, spans);
    const armilla_status status = armilla_distributed_radial_new(
        site->transport, site->grid, kernel, options, nspans, spans, &c->ranks);
    free(spans);
    return status;
}

static armilla_status make(const contract_site *site, const contract_choice *choice, void **plan)
{
    armilla_radial_options options = contract_radial_options(site);
    options.spin = choice->spin, options.method = (armilla_radial_method)choice->method;
    options.mode = (armilla_radial_mode)choice->mode;
    options.normalization = (armilla_radial_normalization)choice->normalization;
    armilla_kernel *kernel = NULL;
    armilla_status status = armilla_kernel_new_gaussian(0.3, &kernel);
    convolution *c = checked_calloc(1, sizeof *c);
    if (site->transport && status) status = armilla_kernel_new_gaussian(0.3, &kernel);
    if (!status)
        status = site->transport ? make_over_ranks(site, kernel, &options, c)
                                 : armilla_radial_new(site->grid, kernel, &options, &c->alone);
    armilla_kernel_free(kernel);
    if (status)
        free(c);
    else
        c->weights = new_weights(site), *plan = c;
    return status;
}

static void release(const contract_site *site, void *plan)
{
    convolution *c = plan;
    (void)site;
    armilla_distributed_radial_free(c->ranks);
    armilla_radial_free(c->alone);
    free(c->weights);
    free(c);
}

/* --- Rows ------------------------------------------------------------------------------------ */

#define ON_RANKS_GPUS                                                                              \
    "options->device: radial convolutions are not offered over ranks with GPUs; ranks run them "   \
    "on "

#define ROW(name_, variant_, ncomp, grid_, ...)                                                    \
    {                                                                                              \
        .name = name_, .variant = variant_,                                                        \
        .sides = {{CONTRACT_MAP, ncomp, 1, 0}, {CONTRACT_MAP, ncomp, 1, 0}}, .grid = grid_,        \
        .make = make, .choice = {__VA_ARGS__}, .release = release,                                 \
        .calls = {{"convolve", 0, 1, 1, CONTRACT_LOOKED, convolve, convolve_over_ranks},           \
                  {"adjoint", 1, 0, 0, CONTRACT_LOOKED, adjoint, adjoint_over_ranks}},             \
        .delegated = {[CONTRACT_RANKS_GPUS] = ON_RANKS_GPUS},                                      \
        .tolerances = {.adjoint = 1e-14, .device = 1e-13, .floats = 1e-6}, .has_floats = 1         \
    }

#define MEANS(variant_, ncomp, grid_, ...)                                                         \
    {                                                                                              \
        .name = "means", .variant = variant_,                                                      \
        .sides = {{CONTRACT_MAP, ncomp, 1, 0}, {CONTRACT_MAP, ncomp, 1, 0}}, .grid = grid_,        \
        .make = make, .choice = {__VA_ARGS__}, .release = release,                                 \
        .calls = {{"convolve_weighted", 0, 1, -1, CONTRACT_LOOKED, weighted,                       \
                   weighted_over_ranks}},                                                          \
        .delegated = {[CONTRACT_RANKS_GPUS] = ON_RANKS_GPUS},                                      \
        .tolerances = {.device = 1e-12, .floats = 1e-6}, .has_floats = 1, .waits = 1               \
    }

#define BY_PIXELS .method = ARMILLA_RADIAL_PIXELS
#define BY_RINGS  .method = ARMILLA_RADIAL_RINGS
#define STANDARD  .method = ARMILLA_RADIAL_RINGS, .mode = ARMILLA_RADIAL_STANDARD
#define SUM       .normalization = ARMILLA_RADIAL_SUM

const contract_operation contract_pixels =
    ROW("radial PIXELS", "scalar, sum", 1, contract_healpix, BY_PIXELS, SUM);
const contract_operation contract_pixels_spin =
    ROW("radial PIXELS", "spin 2, gaps", 2, contract_grid_with_gaps, BY_PIXELS, .spin = 2);
const contract_operation contract_pixels_nested =
    ROW("radial PIXELS", "NESTED order", 1, contract_nested, BY_PIXELS);
const contract_operation contract_rings_nested =
    ROW("radial RINGS", "NESTED order", 1, contract_nested, BY_RINGS);
const contract_operation contract_rings =
    ROW("radial RINGS", "scalar", 1, contract_healpix, BY_RINGS);
const contract_operation contract_rings_fastest =
    ROW("radial RINGS", "either method, gaps", 1, contract_grid_with_gaps, SUM);
const contract_operation contract_rings_spin =
    ROW("radial RINGS", "spin 2, sum", 2, contract_healpix, BY_RINGS, SUM, .spin = 2);
const contract_operation contract_standard =
    ROW("radial STANDARD", "scalar, sum", 1, contract_healpix, STANDARD, SUM);
const contract_operation contract_standard_spin =
    ROW("radial STANDARD", "spin 2, by pixels", 2, contract_healpix, BY_PIXELS,
        .mode = ARMILLA_RADIAL_STANDARD, .spin = 2);
const contract_operation contract_means = MEANS("by PIXELS", 1, contract_healpix, BY_PIXELS);
const contract_operation contract_means_spin =
    MEANS("by PIXELS, spin 2, gaps", 2, contract_grid_with_gaps, BY_PIXELS, .spin = 2);
const contract_operation contract_means_rings =
    MEANS("by RINGS, spin 2", 2, contract_healpix, BY_RINGS, .spin = 2);
const contract_operation contract_means_standard = MEANS("STANDARD", 1, contract_healpix, STANDARD);
