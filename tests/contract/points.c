/* Rows of the contract: values at points, and lensed maps. */
#include "contract/calls.h"
#include "contract/operations.h"

#include "oracle/checks.h"
#include <stdlib.h>

/* --- Points ---------------------------------------------------------------------------------- */

CONTRACT_WRAP(points_synthesis)
CONTRACT_WRAP(points_adjoint_synthesis)
CONTRACT_WRAP(distributed_points_synthesis)
CONTRACT_WRAP(distributed_points_adjoint_synthesis)

static armilla_status make_points(const contract_site *site, const contract_choice *choice,
                                  void **plan)
{
    armilla_points_options options = contract_points_options(site);
    const armilla_transport *t = site->transport;
    double points[2 * CONTRACT_POINTS];
    armilla_points *alone = NULL;
    armilla_distributed_points *ranks = NULL;
    contract_points(2, points);
    options.spin = choice->spin;
    const int64_t first = t ? contract_first_point(t->rank, t->nranks) : 0;
    const int64_t end = t ? contract_first_point(t->rank + 1, t->nranks) : CONTRACT_POINTS;
    const armilla_status status =
        t ? armilla_distributed_points_new(t, site->distribution, end - first, points + 2 * first,
                                           &options, NULL, &ranks)
          : armilla_points_new(CONTRACT_LMAX, CONTRACT_LMAX, end, points, &options, &alone);
    *plan = t ? (void *)ranks : (void *)alone;
    return status;
}

static void release_points(const contract_site *site, void *plan)
{
    if (site->transport)
        armilla_distributed_points_free(plan);
    else
        armilla_points_free(plan);
}

#define POINTS_OVER_RANKS_WITH_GPUS                                                                \
    "options->device: transforms to points are not offered over ranks with GPUs; ranks run them "  \
    "on the host (set delegate, or leave device at ARMILLA_CPU), and one process runs them on a "  \
    "GPU"

CONTRACT_WRAP_PSEUDO(points_pseudo_analysis)
CONTRACT_WRAP_PSEUDO(distributed_points_pseudo_analysis)

const contract_operation contract_pseudo_values = {
    .name = "pseudo",
    .variant = "at points",
    .sides = {{CONTRACT_ALM, 2, 2, 0}, {CONTRACT_VALUES, 2, 1, 0}},
    .make = make_points,
    .choice = {.spin = 2},
    .release = release_points,
    .calls = {{"pseudo_analysis", 1, 0, -1, CONTRACT_REFUSES, points_pseudo_analysis,
               distributed_points_pseudo_analysis}},
    .delegated = {[CONTRACT_RANKS_GPUS] = POINTS_OVER_RANKS_WITH_GPUS},
    .tolerances = {.device = 1e-11, .floats = 1e-5},
    .has_floats = 1,
    .host_arrays = 1,
    .waits = 1,
    .stops = 1};

#define VALUES(variant_, ncomp, spin_)                                                             \
    {                                                                                              \
        .name = "points", .variant = variant_,                                                     \
        .sides = {{CONTRACT_ALM, ncomp, 2, 0}, {CONTRACT_VALUES, ncomp, 1, 0}},                    \
        .make = make_points, .choice = {.spin = spin_}, .release = release_points,                 \
        .calls = {{"synthesis", 0, 1, 1, CONTRACT_UNREAD, points_synthesis,                        \
                   distributed_points_synthesis},                                                  \
                  {"adjoint_synthesis", 1, 0, 0, CONTRACT_REFUSES, points_adjoint_synthesis,       \
                   distributed_points_adjoint_synthesis}},                                         \
        .delegated = {[CONTRACT_RANKS_GPUS] = POINTS_OVER_RANKS_WITH_GPUS},                        \
        .tolerances = {.adjoint = 1e-13, .device = 1e-12, .floats = 1e-6}, .has_floats = 1         \
    }

const contract_operation contract_values = VALUES("scalar", 1, 0);
const contract_operation contract_values_spin = VALUES("spin 2", 2, 2);

/* --- Without a plan -------------------------------------------------------------------------- */

/* There are no plans, only options of calls, which armilla_points_few looks at; with first
 * derivatives. */
typedef struct {
    armilla_points_options options;
    double points[2 * CONTRACT_POINTS];
} directions;

static armilla_status make_directions(const contract_site *site, const contract_choice *choice,
                                      void **plan)
{
    directions *made = checked_calloc(1, sizeof *made);
    int few;
    made->options = contract_points_options(site);
    made->options.derivatives = 1, made->options.spin = choice->spin;
    contract_points(2, made->points);
    const armilla_status status = armilla_points_few(CONTRACT_LMAX, CONTRACT_LMAX, CONTRACT_POINTS,
                                                     made->points, &made->options, &few);
    if (status)
        free(made);
    else
        *plan = made;
    return status;
}

static void release_directions(const contract_site *site, void *plan)
{
    (void)site;
    free(plan);
}

#define WRAP_EVALUATE(name)                                                                        \
    static armilla_status name(const void *plan, int is_float, const void *in, void *out,          \
                               const armilla_exec *exec)                                           \
    {                                                                                              \
        const directions *d = plan;                                                                \
        return is_float                                                                            \
                   ? armilla_points_##name##_float(CONTRACT_LMAX, CONTRACT_LMAX, CONTRACT_POINTS,  \
                                                   d->points, &d->options, in, out, exec)          \
                   : armilla_points_##name(CONTRACT_LMAX, CONTRACT_LMAX, CONTRACT_POINTS,          \
                                           d->points, &d->options, in, out, exec);                 \
    }

WRAP_EVALUATE(evaluate)
WRAP_EVALUATE(adjoint_evaluate)

#define NO_PLAN "options->device: values at points without a plan are not offered on a GPU"

#define WITHOUT_PLAN(variant_, nalm, ncomp, spin_)                                                 \
    {                                                                                              \
        .name = "points", .variant = variant_,                                                     \
        .sides = {{CONTRACT_ALM, nalm, 2, 0}, {CONTRACT_VALUES, ncomp, 1, 0}},                     \
        .make = make_directions, .choice = {.spin = spin_}, .release = release_directions,         \
        .calls = {{"evaluate", 0, 1, 1, CONTRACT_UNREAD, evaluate, NULL},                          \
                  {"adjoint_evaluate", 1, 0, 0, CONTRACT_UNREAD, adjoint_evaluate, NULL}},         \
        .refused = {[CONTRACT_OVER_RANKS] = "", [CONTRACT_RANKS_GPUS] = ""},                       \
        .delegated = {[CONTRACT_GPU] = NO_PLAN, [CONTRACT_GPUS] = NO_PLAN},                        \
        .tolerances = {.adjoint = 1e-14, .floats = 1e-6}, .has_floats = 1, .waits = 1              \
    }

const contract_operation contract_values_alone = WITHOUT_PLAN("derivatives, no plan", 1, 3, 0);
const contract_operation contract_values_spin_alone =
    WITHOUT_PLAN("derivatives of spin 2, no plan", 2, 6, 2);

/* --- Lensed maps ----------------------------------------------------------------------------- */

CONTRACT_WRAP_DOUBLE(lensing_alm2lenmap)
CONTRACT_WRAP_DOUBLE(lensing_adjoint)
CONTRACT_WRAP_DOUBLE(distributed_lensing_alm2lenmap)
CONTRACT_WRAP_DOUBLE(distributed_lensing_adjoint)

/* Potentials of this process; free() them. */
static double *new_potentials(const contract_site *site)
{
    const contract_side side = {CONTRACT_ALM, 1, 2, 0};
    const int64_t size = contract_size(&side, NULL);
    double *whole = checked_malloc(size, 8), *own = checked_calloc(size, 8);
    random_fill(5, size, whole); /* asks for no memory of the library */
    for (int64_t i = 0; i < size; i++) whole[i] *= i % 2 && i < 2 * (CONTRACT_LMAX + 1) ? 0 : 0.02;
    contract_numbers n = contract_numbers_of(&side, site);
    contract_take(&n, whole, own);
    contract_numbers_free(&n);
    free(whole);
    return own;
}

static armilla_status make_alone(const contract_site *site, const double *potentials,
                                 const armilla_points_options *options, void **plan)
{
    armilla_lensing *lensing = NULL;
    armilla_deflection deflection;
    armilla_deflection_init(&deflection);
    deflection.lmax = deflection.mmax = CONTRACT_LMAX;
    deflection.gradient = potentials, deflection.nthreads = 1;
    const armilla_status status = armilla_lensing_new(site->grid, &deflection, CONTRACT_LMAX,
                                                      CONTRACT_LMAX, options, &lensing);
    *plan = lensing;
    return status;
}

static armilla_status make_over_ranks(const contract_site *site, const double *potentials,
                                      const armilla_points_options *options, void **plan)
{
    armilla_distributed_lensing *lensing = NULL;
    armilla_distributed_deflection deflection;
    armilla_distributed_deflection_init(&deflection);
    deflection.distribution = site->distribution, deflection.gradient = potentials;
    const armilla_status status = armilla_distributed_lensing_new(
        site->transport, site->distribution, &deflection, options, NULL, &lensing);
    *plan = lensing;
    return status;
}

static void release_lensing(const contract_site *site, void *plan)
{
    if (site->transport)
        armilla_distributed_lensing_free(plan);
    else
        armilla_lensing_free(plan);
}

/* A plan for the same deflection in the place of another one. */
static armilla_status make_beside(const contract_site *site, const armilla_points_options *options,
                                  void **plan)
{
    armilla_lensing *alone = NULL;
    armilla_distributed_lensing *ranks = NULL;
    const armilla_status status =
        site->transport
            ? armilla_distributed_lensing_new_beside(*plan, site->transport, site->distribution,
                                                     options, NULL, &ranks)
            : armilla_lensing_new_beside(*plan, CONTRACT_LMAX, CONTRACT_LMAX, options, &alone);
    release_lensing(site, *plan);
    *plan = site->transport ? (void *)ranks : (void *)alone;
    return status;
}

/* mode: 1: beside a plan for scalars. */
static armilla_status make_lensing(const contract_site *site, const contract_choice *choice,
                                   void **plan)
{
    armilla_points_options options = contract_points_options(site), first = options;
    double *potentials = new_potentials(site);
    options.spin = choice->spin;
    if (!choice->mode) first = options;
    armilla_status status = site->transport ? make_over_ranks(site, potentials, &first, plan)
                                            : make_alone(site, potentials, &first, plan);
    if (!status && choice->mode) status = make_beside(site, &options, plan);
    free(potentials);
    return status;
}

#define LENSED(variant_, ncomp, grid_, ...)                                                        \
    {                                                                                              \
        .name = "lensing", .variant = variant_,                                                    \
        .sides = {{CONTRACT_ALM, ncomp, 2, 0}, {CONTRACT_MAP, ncomp, 1, 0}}, .grid = grid_,        \
        .make = make_lensing, .choice = {__VA_ARGS__}, .release = release_lensing,                 \
        .calls = {{"alm2lenmap", 0, 1, 1, CONTRACT_UNREAD, lensing_alm2lenmap,                     \
                   distributed_lensing_alm2lenmap},                                                \
                  {"adjoint", 1, 0, 0, CONTRACT_LOOKED, lensing_adjoint,                           \
                   distributed_lensing_adjoint}},                                                  \
        .delegated = {[CONTRACT_RANKS_GPUS] =                                                      \
                          "options->device: lensed fields are not offered over ranks with GPUs"},  \
        .tolerances = {                                                                            \
            .adjoint = 1e-13,                                                                      \
            .device = 1e-12                                                                        \
        }                                                                                          \
    }

const contract_operation contract_lensing = LENSED("scalar", 1, contract_healpix, 0);
const contract_operation contract_lensing_spin =
    LENSED("spin 2, gaps", 2, contract_grid_with_gaps, 2);
const contract_operation contract_lensing_nested =
    LENSED("NESTED order, spin 2", 2, contract_nested, 2);
const contract_operation contract_lensing_beside =
    LENSED("spin 2 beside a scalar", 2, contract_healpix, .spin = 2, .mode = 1);
