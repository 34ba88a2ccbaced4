/* Makes plans for vector fields: checks the options, and makes the two transforms of which a field
 * in three dimensions consists. */
#include "vector/plan.h"

#include "alm/mean.h"
#include "base/memory.h"
#include "base/options.h"

void armilla_vector_options_init_sized(armilla_vector_options *options, size_t size)
{
    const armilla_vector_options defaults = {.radius = 1};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

static armilla_status fail(const char *field, int64_t value, const char *rule)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "options->%s = %lld: %s", field, (long long)value,
                        rule);
}

static armilla_status check_options(const armilla_vector_options *options)
{
    if (options->form < ARMILLA_VECTOR_VORTICITY_DIVERGENCE ||
        options->form > ARMILLA_VECTOR_SPHEROIDAL_TOROIDAL)
        return fail("form", options->form,
                    "must be VORTICITY_DIVERGENCE, STREAM_POTENTIAL or SPHEROIDAL_TOROIDAL");
    if (options->components != ARMILLA_VECTOR_EAST_NORTH &&
        options->components != ARMILLA_VECTOR_THETA_PHI)
        return fail("components", options->components, "must be an armilla_vector_components");
    armilla_status status = armilla_mean_check_rule("options->mean", options->mean);
    return status ? status : armilla_radius_check("options->radius", options->radius);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_vector_options), 0};

/* sht: options of the transforms, which the host makes. */
static armilla_status take_options(const armilla_vector_options *given,
                                   armilla_vector_options *options, armilla_sht_options *sht,
                                   armilla_delegation *delegation)
{
    armilla_vector_options_init(options);
    armilla_status status =
        armilla_options_copy("options", "armilla_vector_options", given, VERSIONS, options);
    if (!status) status = check_options(options);
    if (!status) status = armilla_sht_take_options(options->sht, sht);
    return status ? status
                  : armilla_sht_delegate("options->sht->device", ARMILLA_OPERATION_VECTOR, sht,
                                         delegation);
}

armilla_status armilla_vector_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                  const armilla_vector_options *options, armilla_vector **vector)
{
    armilla_vector_options chosen;
    armilla_sht_options sht;
    armilla_delegation delegation;
    armilla_vector *result;
    armilla_status status = take_options(options, &chosen, &sht, &delegation);
    if (!status) status = armilla_check_given("vector", vector);
    if (!status && lmax < 1)
        status = armilla_fail_argument("lmax", lmax, "must be at least 1 for vector fields");
    if (status || (status = armilla_allocate_zero(&result, 1, sizeof *result))) return status;
    result->scalars = armilla_form_of_scalars(chosen.form);
    result->components = armilla_form_of_components(chosen.components);
    result->radial = chosen.radial != 0;
    result->mean = chosen.mean, result->delegation = delegation;
    result->checks_mean =
        chosen.mean == ARMILLA_MEAN_ERROR && chosen.form == ARMILLA_VECTOR_VORTICITY_DIVERGENCE;
    status = armilla_iqu_new_of_spin(grid, lmax, mmax, 1, &sht, &result->pair);
    if (!status) status = armilla_form_powers_new(lmax, chosen.radius, &result->powers);
    if (!status) status = armilla_workspace_store_new(&result->copies);
    if (status)
        armilla_vector_free(result);
    else
        *vector = result;
    return status;
}

void armilla_vector_free(armilla_vector *vector)
{
    if (!vector) return;
    armilla_iqu_free(vector->pair);
    armilla_release(vector->powers);
    armilla_workspace_store_free(vector->copies);
    armilla_release(vector);
}

/* --- What will run ---------------------------------------------------------------------------- */

armilla_status armilla_vector_describe(const armilla_vector *vector, int nthreads,
                                       armilla_sht_description *description)
{
    armilla_sht_description whole = {.size = sizeof whole};
    armilla_status status = armilla_check_given("vector", vector);
    if (!status) status = armilla_iqu_describe(vector->pair, nthreads, &whole);
    if (status) return status;
    whole.backend = armilla_delegation_backend(&vector->delegation, whole.backend);
    whole.ncomp = whole.alm_ncomp = armilla_vector_ncomp(vector);
    whole.plan_bytes += (int64_t)sizeof *vector;
    whole.plan_bytes += ARMILLA_FORM_POWERS * (whole.lmax + 1) * (int64_t)sizeof(double);
    whole.workspace_bytes += 16 * whole.alm_size * whole.alm_ncomp;
    return armilla_description_give("description", "armilla_sht_description", &whole, sizeof whole,
                                    description);
}

armilla_status armilla_vector_explain(const armilla_vector *vector, armilla_choice_fn take,
                                      void *data)
{
    armilla_status status = armilla_check_given("vector", vector);
    if (!status) status = armilla_iqu_explain(vector->pair, take, data);
    if (!status) armilla_delegation_tell(&vector->delegation, take, data);
    return status;
}

/* --- Calls ------------------------------------------------------------------------------------ */

armilla_call_arrays armilla_vector_call_arrays(const armilla_vector *vector)
{
    armilla_call_arrays arrays = armilla_sht_call_arrays(vector->pair->scalar, 1);
    arrays.nalm = arrays.nmap = armilla_vector_ncomp(vector);
    arrays.delegation = vector->delegation;
    return arrays;
}

armilla_form_change armilla_vector_change(const armilla_vector *vector, armilla_array alm,
                                          const armilla_exec *resolved)
{
    const armilla_form_array array = {alm, resolved->alm_distance, armilla_vector_ncomp(vector),
                                      vector->radial};
    return (armilla_form_change){.layout = vector->pair->scalar->layout,
                                 .powers = vector->powers,
                                 .source = vector->scalars,
                                 .target = vector->components,
                                 .in = array,
                                 .out = array,
                                 .ntrans = resolved->ntrans,
                                 .nthreads = resolved->nthreads};
}
