/* The four operators of vector fields, and iterative analysis. Coefficients go through form.c: in
 * place behind an analysis, and through a copy before a synthesis, since inputs are never written.
 * The adjoint of a diagonal factor is the factor, that of its inverse the inverse. */
#include "base/options.h"
#include "base/workspace.h"
#include "sht/execute.h"
#include "vector/plan.h"

#include <string.h>

static armilla_status run_to_map(const armilla_vector *vector, int weighted, armilla_array alm,
                                 armilla_array map, const armilla_exec *exec)
{
    return vector->radial ? armilla_iqu_to_map(vector->pair, weighted, alm, map, exec)
                          : armilla_sht_to_map(vector->pair->polar, weighted, alm, map, exec);
}

static armilla_status run_to_alm(const armilla_vector *vector, int weighted, armilla_array map,
                                 armilla_array alm, const armilla_exec *exec)
{
    return vector->radial ? armilla_iqu_to_alm(vector->pair, weighted, map, alm, exec)
                          : armilla_sht_to_alm(vector->pair->polar, weighted, map, alm, exec);
}

static armilla_status open_call(const armilla_vector *vector, const armilla_exec *exec,
                                armilla_call *call)
{
    const armilla_status status = armilla_check_given("vector", vector);
    if (status) return status;
    const armilla_call_arrays arrays = armilla_vector_call_arrays(vector);
    return armilla_call_open(&arrays, exec, call);
}

/* --- To maps ---------------------------------------------------------------------------------- */

/* Q, whose coefficients are not changed. */
static void copy_radial(const armilla_form_change *change)
{
    const int64_t item = armilla_array_item_size(change->in.values);
    for (int64_t t = 0; t < change->ntrans; t++) {
        const armilla_array in =
            armilla_array_from(change->in.values, 2 * t * change->in.period * change->in.distance);
        const armilla_array out = armilla_array_from(
            change->out.values, 2 * t * change->out.period * change->out.distance);
        memcpy(out.values, in.values, (size_t)(2 * item * change->layout->size));
    }
}

static armilla_status run_forward(const armilla_vector *vector, int weighted,
                                  const armilla_call *call)
{
    armilla_array copy = {NULL, call->alm.is_float};
    armilla_exec exec = call->exec;
    armilla_status status = ARMILLA_OK;
    armilla_form_change change = armilla_vector_change(vector, call->alm, &exec);
    if (vector->checks_mean && !weighted)
        status = armilla_form_check_mean(change.layout, &change.in, change.ntrans);
    if (weighted) change.source = armilla_form_transposed(change.source);
    const int64_t size = change.layout->size, ncomp = armilla_vector_ncomp(vector);
    const int64_t items = 2 * exec.ntrans * ncomp * size;
    double *memory;
    if (status || (status = armilla_workspace_take(vector->copies,
                                                   copy.is_float ? items / 2 : items, &memory)))
        return status;
    copy.values = memory;
    change.out.values = copy, change.out.distance = size;
    armilla_form_run(&change);
    if (vector->radial) copy_radial(&change);
    exec.alm_distance = size;
    status = run_to_map(vector, weighted, copy, call->map, &exec);
    armilla_workspace_give(vector->copies, memory);
    return status;
}

static armilla_status to_map(const armilla_vector *vector, int weighted, armilla_array alm,
                             armilla_array map, const armilla_exec *exec)
{
    armilla_call call = armilla_call_of(1, alm, map);
    const armilla_status status = open_call(vector, exec, &call);
    return status ? status : armilla_call_close(&call, run_forward(vector, weighted, &call));
}

/* --- To coefficients -------------------------------------------------------------------------- */

static void turn_back(const armilla_vector *vector, int weighted, const armilla_call *call)
{
    armilla_form_change change = armilla_vector_change(vector, call->alm, &call->exec);
    change.source = vector->components, change.target = vector->scalars;
    if (!weighted) change.target = armilla_form_transposed(change.target);
    armilla_form_run(&change);
}

static armilla_status to_alm(const armilla_vector *vector, int weighted, armilla_array map,
                             armilla_array alm, const armilla_exec *exec)
{
    armilla_call call = armilla_call_of(0, alm, map);
    armilla_status status = open_call(vector, exec, &call);
    if (status) return status;
    status = run_to_alm(vector, weighted, call.map, call.alm, &call.exec);
    if (!status) turn_back(vector, weighted, &call);
    return armilla_call_close(&call, status);
}

static armilla_status solve(const armilla_vector *vector, const armilla_pseudo_options *options,
                            armilla_pseudo_report *reports, const armilla_call *call)
{
    if (options && options->size >= ARMILLA_END_OF(armilla_pseudo_options, guess) && options->guess)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->guess: must be NULL, vector fields begin with 0");
    const armilla_status status =
        vector->radial
            ? armilla_iqu_solve(vector->pair, call->map, call->alm, options, reports, &call->exec)
            : armilla_sht_solve(vector->pair->polar, call->map, call->alm, options, reports,
                                &call->exec);
    if (!status) turn_back(vector, 1, call);
    return status;
}

/* The solver looks for missing values: it has weights. */
static armilla_status pseudo(const armilla_vector *vector, armilla_array map, armilla_array alm,
                             const armilla_pseudo_options *options, armilla_pseudo_report *reports,
                             const armilla_exec *exec)
{
    armilla_call call = armilla_call_of(0, alm, map);
    armilla_status status = armilla_check_given("vector", vector);
    if (status) return status;
    const armilla_call_arrays arrays = armilla_vector_call_arrays(vector);
    status = armilla_call_take(&arrays, exec, &call);
    return status ? status : armilla_call_close(&call, solve(vector, options, reports, &call));
}

/* --- Public ----------------------------------------------------------------------------------- */

armilla_status armilla_vector_synthesis(const armilla_vector *vector, const double *alm,
                                        double *map, const armilla_exec *exec)
{
    return to_map(vector, 0, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_vector_adjoint_synthesis(const armilla_vector *vector, const double *map,
                                                double *alm, const armilla_exec *exec)
{
    return to_alm(vector, 0, armilla_array_of_doubles(map), armilla_array_of_doubles(alm), exec);
}

armilla_status armilla_vector_analysis(const armilla_vector *vector, const double *map, double *alm,
                                       const armilla_exec *exec)
{
    return to_alm(vector, 1, armilla_array_of_doubles(map), armilla_array_of_doubles(alm), exec);
}

armilla_status armilla_vector_adjoint_analysis(const armilla_vector *vector, const double *alm,
                                               double *map, const armilla_exec *exec)
{
    return to_map(vector, 1, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_vector_synthesis_float(const armilla_vector *vector, const float *alm,
                                              float *map, const armilla_exec *exec)
{
    return to_map(vector, 0, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}

armilla_status armilla_vector_adjoint_synthesis_float(const armilla_vector *vector,
                                                      const float *map, float *alm,
                                                      const armilla_exec *exec)
{
    return to_alm(vector, 0, armilla_array_of_floats(map), armilla_array_of_floats(alm), exec);
}

armilla_status armilla_vector_analysis_float(const armilla_vector *vector, const float *map,
                                             float *alm, const armilla_exec *exec)
{
    return to_alm(vector, 1, armilla_array_of_floats(map), armilla_array_of_floats(alm), exec);
}

armilla_status armilla_vector_adjoint_analysis_float(const armilla_vector *vector, const float *alm,
                                                     float *map, const armilla_exec *exec)
{
    return to_map(vector, 1, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}

armilla_status armilla_vector_pseudo_analysis(const armilla_vector *vector, const double *map,
                                              double *alm, const armilla_pseudo_options *options,
                                              armilla_pseudo_report *reports,
                                              const armilla_exec *exec)
{
    return pseudo(vector, armilla_array_of_doubles(map), armilla_array_of_doubles(alm), options,
                  reports, exec);
}

armilla_status armilla_vector_pseudo_analysis_float(const armilla_vector *vector, const float *map,
                                                    float *alm,
                                                    const armilla_pseudo_options *options,
                                                    armilla_pseudo_report *reports,
                                                    const armilla_exec *exec)
{
    return pseudo(vector, armilla_array_of_floats(map), armilla_array_of_floats(alm), options,
                  reports, exec);
}
