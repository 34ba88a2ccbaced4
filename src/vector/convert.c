/* From one form of a tangent field to another: coefficients by factors, maps by an analysis, these
 * factors, and a synthesis. Scalars are two transforms of spin 0, components one of spin 1. */
#include "alm/mean.h"
#include "base/memory.h"
#include "base/workspace.h"
#include "sht/execute.h"
#include "vector/plan.h"

/* --- Forms ------------------------------------------------------------------------------------ */

static armilla_status check_form(const char *name, armilla_vector_form form,
                                 armilla_vector_form most, const char *rule)
{
    if (form >= ARMILLA_VECTOR_VORTICITY_DIVERGENCE && form <= most) return ARMILLA_OK;
    return armilla_fail_argument(name, (int64_t)form, rule);
}

static int is_scalar(armilla_vector_form form)
{
    return form <= ARMILLA_VECTOR_SPHEROIDAL_TOROIDAL;
}

static armilla_form find_form(const armilla_vector *vector, armilla_vector_form form)
{
    if (is_scalar(form)) return armilla_form_of_scalars(form);
    armilla_form made = vector->components;
    if (form == ARMILLA_VECTOR_ROTATIONAL) made.parts = ARMILLA_PART_CURL;
    if (form == ARMILLA_VECTOR_DIVERGENT) made.parts = ARMILLA_PART_GRADIENT;
    return made;
}

/* --- Coefficients ----------------------------------------------------------------------------- */

static armilla_status change_alm(int64_t lmax, int64_t mmax, double radius, int checks_mean,
                                 const armilla_form forms[2], const double *alm, double *result)
{
    armilla_alm_layout *layout;
    double *powers = NULL;
    armilla_status status = armilla_alm_layout_new(lmax, mmax, &layout);
    if (status) return status;
    if ((status = armilla_form_powers_new(lmax, radius, &powers))) goto end;
    const armilla_form_array in = {{(void *)alm, 0}, layout->size, 2, 0};
    armilla_form_change change = {layout, powers, forms[0], forms[1], in, in, 1, 1};
    change.out.values.values = result;
    if (checks_mean && forms[0].power < forms[1].power)
        status = armilla_form_check_mean(layout, &in, 1);
    if (!status) armilla_form_run(&change);
end:
    armilla_release(powers);
    armilla_alm_layout_free(layout);
    return status;
}

armilla_status armilla_vector_convert_alm(int64_t lmax, int64_t mmax, double radius,
                                          armilla_mean mean, armilla_vector_form source,
                                          const double *alm, armilla_vector_form target,
                                          double *result)
{
    static const char rule[] =
        "must be VORTICITY_DIVERGENCE, STREAM_POTENTIAL or SPHEROIDAL_TOROIDAL";
    const armilla_vector_form most = ARMILLA_VECTOR_SPHEROIDAL_TOROIDAL;
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (!status) status = armilla_radius_check("radius", radius);
    if (!status) status = armilla_mean_check_rule("mean", mean);
    if (!status) status = check_form("source", source, most, rule);
    if (!status) status = check_form("target", target, most, rule);
    if (!status) status = armilla_alm_check_array("alm", alm);
    if (!status) status = armilla_alm_check_array("result", result);
    if (status) return status;
    const int checks = mean == ARMILLA_MEAN_ERROR;
    const armilla_form forms[2] = {armilla_form_of_scalars(source),
                                   armilla_form_of_scalars(target)};
    return change_alm(lmax, mmax, radius, checks, forms, alm, result);
}

/* --- Maps ------------------------------------------------------------------------------------- */

typedef struct conversion {
    const armilla_vector *vector;
    armilla_vector_form source, target;
    armilla_array alm;
    armilla_call call; /* its map is `in`, its alm `out`, which is a map as well */
    armilla_exec exec; /* of the two transforms: contiguous alm */
} conversion;

static armilla_status check_conversion(const conversion *k)
{
    static const char source_rule[] = "must be of scalars, or COMPONENTS";
    armilla_status status = check_form("source", k->source, ARMILLA_VECTOR_COMPONENTS, source_rule);
    if (!status)
        status = check_form("target", k->target, ARMILLA_VECTOR_DIVERGENT,
                            "must be an armilla_vector_form");
    if (!status && k->vector->radial)
        status =
            armilla_fail(ARMILLA_ERROR_ARGUMENT, "vector: must be a plan without radial component");
    return status;
}

/* The plan of a form's maps; scalars are two transforms for each one of components. */
static const armilla_sht *take_step(conversion *k, armilla_vector_form form, armilla_exec *exec)
{
    *exec = k->exec;
    if (is_scalar(form)) exec->ntrans *= 2;
    return is_scalar(form) ? k->vector->pair->scalar : k->vector->pair->polar;
}

static armilla_status change_form(const conversion *k)
{
    armilla_form_change change = armilla_vector_change(k->vector, k->alm, &k->exec);
    change.source = find_form(k->vector, k->source);
    change.target = find_form(k->vector, k->target);
    armilla_status status = ARMILLA_OK;
    if (k->source == ARMILLA_VECTOR_VORTICITY_DIVERGENCE && k->target != k->source &&
        k->vector->mean == ARMILLA_MEAN_ERROR)
        status = armilla_form_check_mean(change.layout, &change.in, change.ntrans);
    if (!status) armilla_form_run(&change);
    return status;
}

static armilla_status run_conversion(conversion *k)
{
    armilla_exec step;
    armilla_status status = armilla_relay_next(&k->call.relay, 0.5);
    const armilla_sht *sht = take_step(k, k->source, &step);
    if (!status) status = armilla_sht_to_alm(sht, 1, k->call.map, k->alm, &step);
    if (!status) status = change_form(k);
    if (!status) status = armilla_relay_next(&k->call.relay, 0.5);
    sht = take_step(k, k->target, &step);
    return status ? status : armilla_sht_to_map(sht, 0, k->alm, k->call.alm, &step);
}

static armilla_status convert_fields(conversion *k)
{
    const int64_t size = k->vector->pair->scalar->layout->size;
    k->exec = armilla_call_inner(&k->call);
    k->exec.ntrans = k->call.exec.ntrans, k->exec.alm_distance = size;
    const int64_t items = 4 * k->exec.ntrans * size;
    double *memory;
    armilla_status status =
        armilla_workspace_take(k->vector->copies, k->alm.is_float ? items / 2 : items, &memory);
    if (status) return status;
    k->alm.values = memory;
    status = run_conversion(k);
    armilla_workspace_give(k->vector->copies, memory);
    return status;
}

static armilla_status convert_map(conversion *k, const armilla_exec *exec)
{
    armilla_status status = armilla_check_given("vector", k->vector);
    if (!status) status = armilla_check_given("in", k->call.map.values);
    if (!status) status = armilla_check_given("out", k->call.alm.values);
    if (!status) status = check_conversion(k);
    if (status) return status;
    armilla_call_arrays arrays = armilla_vector_call_arrays(k->vector);
    arrays.samples = "in", arrays.coefficients = "out", arrays.alm_is_map = 1;
    status = armilla_call_open(&arrays, exec, &k->call);
    return status ? status : armilla_call_close(&k->call, convert_fields(k));
}

armilla_status armilla_vector_convert_map(const armilla_vector *vector, armilla_vector_form source,
                                          const double *in, armilla_vector_form target, double *out,
                                          const armilla_exec *exec)
{
    conversion k = {vector, source, target, .alm = {NULL, 0}};
    k.call = armilla_call_of(0, armilla_array_of_doubles(out), armilla_array_of_doubles(in));
    return convert_map(&k, exec);
}

armilla_status armilla_vector_convert_map_float(const armilla_vector *vector,
                                                armilla_vector_form source, const float *in,
                                                armilla_vector_form target, float *out,
                                                const armilla_exec *exec)
{
    conversion k = {vector, source, target, .alm = {NULL, 1}};
    k.call = armilla_call_of(0, armilla_array_of_floats(out), armilla_array_of_floats(in));
    return convert_map(&k, exec);
}
