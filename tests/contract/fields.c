/* Rows of the contract: vector fields, complex fields, solid harmonics. */
#include "contract/calls.h"
#include "contract/operations.h"

#include "oracle/checks.h"

static armilla_grid *gauss_legendre(void)
{
    return exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, CONTRACT_LMAX, CONTRACT_LMAX, 0, 0);
}

#define ON_GPUS(begin) begin " fields are not offered on a GPU; the host runs them (leave device"

/* --- Vector fields --------------------------------------------------------------------------- */

CONTRACT_WRAP_FOUR(vector)

static armilla_status make_vector(const contract_site *site, const contract_choice *choice,
                                  void **plan)
{
    (void)choice;
    const armilla_sht_options sht = contract_sht_options(site);
    armilla_vector *vector = NULL;
    armilla_vector_options options;
    armilla_vector_options_init(&options);
    options.sht = &sht, options.radial = 1;
    const armilla_status status =
        armilla_vector_new(site->grid, CONTRACT_LMAX, CONTRACT_LMAX, &options, &vector);
    *plan = vector;
    return status;
}

static void release_vector(const contract_site *site, void *plan)
{
    (void)site;
    armilla_vector_free(plan);
}

const contract_operation contract_vector = {
    .name = "vector",
    .variant = "three components",
    .sides = {{CONTRACT_ALM, 3, 2, 1}, {CONTRACT_MAP, 3, 1, 0}},
    .grid = gauss_legendre,
    .make = make_vector,
    .release = release_vector,
    .calls = CONTRACT_FOUR(vector, CONTRACT_NO_RANKS),
    .refused = {[CONTRACT_GPU] = ON_GPUS("options->sht->device: transforms of vector"),
                [CONTRACT_GPUS] = ON_GPUS("options->sht->device: transforms of vector"),
                [CONTRACT_OVER_RANKS] = "",
                [CONTRACT_RANKS_GPUS] = ""},
    .tolerances = {.adjoint = 1e-14, .several = 1e-14, .floats = 1e-6},
    .has_floats = 1};

/* --- Complex fields -------------------------------------------------------------------------- */

CONTRACT_WRAP_FOUR(complex_sht)

static armilla_status make_complex(const contract_site *site, const contract_choice *choice,
                                   void **plan)
{
    armilla_sht_options options = contract_sht_options(site);
    armilla_complex_sht *sht = NULL;
    options.spin = choice->spin;
    const armilla_status status =
        armilla_complex_sht_new(site->grid, CONTRACT_LMAX, CONTRACT_LMAX, &options, &sht);
    *plan = sht;
    return status;
}

static void release_complex(const contract_site *site, void *plan)
{
    (void)site;
    armilla_complex_sht_free(plan);
}

#define COMPLEX(variant_, grid_, spin_)                                                            \
    {                                                                                              \
        .name = "complex", .variant = variant_,                                                    \
        .sides = {{CONTRACT_COMPLEX_ALM, 1, 2, 0}, {CONTRACT_MAP, 1, 2, 0}}, .grid = grid_,        \
        .make = make_complex, .choice = {.spin = spin_}, .release = release_complex,               \
        .calls = CONTRACT_FOUR(complex_sht, CONTRACT_NO_RANKS),                                    \
        .refused = {[CONTRACT_GPU] = ON_GPUS("options->device: transforms of complex"),            \
                    [CONTRACT_GPUS] = ON_GPUS("options->device: transforms of complex"),           \
                    [CONTRACT_OVER_RANKS] = "",                                                    \
                    [CONTRACT_RANKS_GPUS] = ""},                                                   \
        .tolerances = {.adjoint = 1e-14, .several = 1e-14, .floats = 1e-6}, .has_floats = 1        \
    }

const contract_operation contract_complex_fields = COMPLEX("scalar", gauss_legendre, 0);
const contract_operation contract_complex_spin =
    COMPLEX("spin -2, gaps", contract_grid_with_gaps, -2);

/* --- Solid harmonics ------------------------------------------------------------------------- */

static armilla_status make_nothing(const contract_site *site, const contract_choice *choice,
                                   void **plan)
{
    (void)site, (void)choice;
    *plan = NULL;
    return ARMILLA_OK;
}

static void release_nothing(const contract_site *site, void *plan)
{
    (void)site, (void)plan;
}

static armilla_status solid_evaluate(const void *plan, int is_float, const void *alm, void *values,
                                     const armilla_exec *exec)
{
    double points[3 * CONTRACT_POINTS];
    armilla_solid_options options;
    (void)plan, (void)is_float;
    armilla_solid_options_init(&options);
    options.derivatives = 1;
    contract_points(3, points);
    return armilla_solid_evaluate(CONTRACT_LMAX, CONTRACT_LMAX, CONTRACT_POINTS, points, &options,
                                  alm, values, exec);
}

static armilla_status solid_adjoint_evaluate(const void *plan, int is_float, const void *values,
                                             void *alm, const armilla_exec *exec)
{
    double points[3 * CONTRACT_POINTS];
    armilla_solid_options options;
    (void)plan, (void)is_float;
    armilla_solid_options_init(&options);
    options.derivatives = 1;
    contract_points(3, points);
    return armilla_solid_adjoint_evaluate(CONTRACT_LMAX, CONTRACT_LMAX, CONTRACT_POINTS, points,
                                          &options, values, alm, exec);
}

const contract_operation contract_solid = {
    .name = "solid",
    .variant = "with gradient",
    .sides = {{CONTRACT_ALM, 1, 2, 0}, {CONTRACT_VALUES, 4, 1, 0}},
    .make = make_nothing,
    .release = release_nothing,
    .calls = {{"evaluate", 0, 1, 1, CONTRACT_REFUSES, solid_evaluate, NULL},
              {"adjoint_evaluate", 1, 0, 0, CONTRACT_REFUSES, solid_adjoint_evaluate, NULL}},
    .refused = {[CONTRACT_GPU] = "",
                [CONTRACT_GPUS] = "",
                [CONTRACT_OVER_RANKS] = "",
                [CONTRACT_RANKS_GPUS] = ""},
    .tolerances = {.adjoint = 1e-14}};
