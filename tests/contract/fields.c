/* Rows of the contract: vector fields, complex fields, solid harmonics. */
#include "contract/calls.h"
#include "contract/operations.h"

#include "oracle/checks.h"
#include <stdlib.h>

static armilla_grid *gauss_legendre(void)
{
    return exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, CONTRACT_LMAX, CONTRACT_LMAX, 0, 0);
}

#define ON_GPUS(words)                                                                             \
    {                                                                                              \
        [CONTRACT_GPU] = words, [CONTRACT_GPUS] = words                                            \
    }

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
    .refused = {[CONTRACT_OVER_RANKS] = "", [CONTRACT_RANKS_GPUS] = ""},
    .delegated = ON_GPUS("options->sht->device: transforms of vector fields are not offered on a "
                         "GPU; the host runs them (set delegate, or leave device at ARMILLA_CPU)"),
    .tolerances = {.adjoint = 1e-14, .several = 1e-14, .floats = 1e-6},
    .has_floats = 1,
    .waits = 1};

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
        .refused = {[CONTRACT_OVER_RANKS] = "", [CONTRACT_RANKS_GPUS] = ""},                       \
        .delegated =                                                                               \
            ON_GPUS("options->device: transforms of complex fields are not offered on a GPU"),     \
        .tolerances = {.adjoint = 1e-14, .several = 1e-14, .floats = 1e-6}, .has_floats = 1,       \
        .waits = 1                                                                                 \
    }

const contract_operation contract_complex_fields = COMPLEX("scalar", gauss_legendre, 0);
const contract_operation contract_complex_spin =
    COMPLEX("spin -2, gaps", contract_grid_with_gaps, -2);

/* --- Solid harmonics ------------------------------------------------------------------------- */

/* There are no plans, only options of calls, which explain looks at. */
typedef struct {
    armilla_solid_options options;
    double points[3 * CONTRACT_POINTS];
} solid;

static void ignore(void *data, const armilla_choice *choice)
{
    (void)data, (void)choice;
}

static armilla_status make_solid(const contract_site *site, const contract_choice *choice,
                                 void **plan)
{
    const double alm[2] = {0};
    solid *made = checked_calloc(1, sizeof *made);
    (void)choice;
    made->options = contract_solid_options(site);
    contract_points(3, made->points);
    const armilla_status status = armilla_solid_explain(CONTRACT_LMAX, CONTRACT_LMAX, 0, NULL,
                                                        &made->options, alm, ignore, NULL);
    if (status)
        free(made);
    else
        *plan = made;
    return status;
}

static void release_solid(const contract_site *site, void *plan)
{
    (void)site;
    free(plan);
}

static armilla_status solid_evaluate(const void *plan, int is_float, const void *alm, void *values,
                                     const armilla_exec *exec)
{
    const solid *s = plan;
    (void)is_float;
    return armilla_solid_evaluate(CONTRACT_LMAX, CONTRACT_LMAX, CONTRACT_POINTS, s->points,
                                  &s->options, alm, values, exec);
}

static armilla_status solid_adjoint_evaluate(const void *plan, int is_float, const void *values,
                                             void *alm, const armilla_exec *exec)
{
    const solid *s = plan;
    (void)is_float;
    return armilla_solid_adjoint_evaluate(CONTRACT_LMAX, CONTRACT_LMAX, CONTRACT_POINTS, s->points,
                                          &s->options, values, alm, exec);
}

const contract_operation contract_solid = {
    .name = "solid",
    .variant = "with gradient",
    .sides = {{CONTRACT_ALM, 1, 2, 0}, {CONTRACT_VALUES, 4, 1, 0}},
    .make = make_solid,
    .release = release_solid,
    .calls = {{"evaluate", 0, 1, 1, CONTRACT_REFUSES, solid_evaluate, NULL},
              {"adjoint_evaluate", 1, 0, 0, CONTRACT_REFUSES, solid_adjoint_evaluate, NULL}},
    .refused = {[CONTRACT_OVER_RANKS] = "", [CONTRACT_RANKS_GPUS] = ""},
    .delegated = ON_GPUS("options->device: solid harmonics are not offered on a GPU"),
    .tolerances = {.adjoint = 1e-14},
    .waits = 1};
