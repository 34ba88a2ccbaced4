/* Computes, when XLA calls for it, values of a field at positions or on a lensed map, and the
 * transpose of that. On the processor it makes doubles of positions that are floats, and leaves the
 * work to armilla_python_see. On a GPU it makes a plan for each call, whose end waits for the GPU:
 * what the memory of the positions holds can only be known there. */
#include "xla_positions.h"

#include <stdlib.h>

#include "held.h"
#include "sights.h"
#include "xla_call.h"

typedef struct positions_call {
    armilla_python_field field;
    int64_t to_map;
    int is_float;
    int64_t ntrans;
    int64_t count;
    const xla_buffer *given;
    const xla_buffer *places;
    const xla_buffer *made;
} positions_call;

static int read_constants(const xla_call *call, positions_call *on)
{
    armilla_python_field *field = &on->field;
    int64_t nthreads = 0;
    const int all = armilla_xla_whole(call, "lmax", &field->lmax) &&
                    armilla_xla_whole(call, "mmax", &field->mmax) &&
                    armilla_xla_whole(call, "spin", &field->spin) &&
                    armilla_xla_whole(call, "pure", &field->pure) &&
                    armilla_xla_whole(call, "grid", &field->grid) &&
                    armilla_xla_whole(call, "to_map", &on->to_map) &&
                    armilla_xla_whole(call, "nthreads", &nthreads) &&
                    armilla_xla_real(call, "epsilon", &field->epsilon);
    field->nthreads = (int)nthreads;
    return all;
}

/* What is wrong with the types and sizes, or NULL. */
static const char *read_arrays(positions_call *on)
{
    const int given = on->given->dtype, made = on->made->dtype, places = on->places->dtype;
    on->is_float = given == XLA_F32 || given == XLA_C64;
    const int alm = on->is_float ? XLA_C64 : XLA_C128, map = on->is_float ? XLA_F32 : XLA_F64;
    if (given != (on->to_map ? alm : map) || made != (on->to_map ? map : alm))
        return "the arrays must be float32 with complex64, or float64 with complex128";
    if ((places != XLA_F32 && places != XLA_F64) || on->places->rank != 2 ||
        on->places->dims[on->field.grid ? 0 : 1] != 2)
        return "the positions must be real, with two coordinates each";
    on->count = on->places->dims[on->field.grid ? 1 : 0];
    const int64_t size[] = {armilla_xla_size(on->to_map ? on->given : on->made),
                            armilla_xla_size(on->to_map ? on->made : on->given)};
    const int64_t one[] = {armilla_python_field_alm(&on->field),
                           armilla_python_field_map(&on->field, on->count)};
    if (one[0] <= 0 || size[0] % one[0] || size[1] != size[0] / one[0] * one[1])
        return "the arrays do not have the shapes of the field";
    on->ntrans = size[0] / one[0];
    return NULL;
}

/* The positions, which are floats, as doubles; NULL: no memory. */
static double *wide(const xla_buffer *places)
{
    const int64_t size = armilla_xla_size(places);
    double *copy = malloc((size_t)size * sizeof *copy + 1);
    for (int64_t i = 0; copy && i < size; i++) copy[i] = ((const float *)places->data)[i];
    return copy;
}

/* --- On the processor ------------------------------------------------------------------------- */

static xla_error *execute(const xla_call *call, positions_call *on)
{
    const char *message = read_arrays(on);
    if (message) return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, message);
    double *copy = NULL;
    if (on->places->dtype == XLA_F32) {
        copy = wide(on->places);
        if (!copy) return armilla_xla_fail(call, ARMILLA_ERROR_MEMORY, "no memory for positions");
    }
    armilla_status status =
        armilla_python_see(&on->field, on->to_map != 0, on->is_float, on->ntrans, on->given->data,
                           on->count, copy ? copy : on->places->data, on->made->data, &message);
    free(copy);
    return status ? armilla_xla_fail(call, status, message) : NULL;
}

/* --- On a GPU --------------------------------------------------------------------------------- */

typedef struct plan_there {
    armilla_points *points; /* or */
    armilla_lensing *lensing;
} plan_there;

static armilla_status new_lensing(const positions_call *on, const armilla_python_held *grid,
                                  const armilla_points_options *options, plan_there *plan,
                                  const char **message)
{
    armilla_deflection deflection;
    armilla_deflection_init(&deflection);
    deflection.kind = ARMILLA_DEFLECTION_MAP, deflection.map = on->places->data;
    deflection.nthreads = on->field.nthreads;
    if (grid->kind != ARMILLA_PYTHON_GRID)
        *message = "grid: is none";
    else if (on->is_float)
        *message = "lensed maps on a GPU must be of doubles";
    else if (on->count != armilla_grid_npix(grid->object))
        *message = "deflection: has another number of pixels than the grid";
    return *message ? ARMILLA_ERROR_ARGUMENT
                    : armilla_lensing_new(grid->object, &deflection, on->field.lmax, on->field.mmax,
                                          options, &plan->lensing);
}

static armilla_status new_there(const positions_call *on, plan_there *plan, const char **message)
{
    const armilla_python_field *field = &on->field;
    armilla_points_options options = armilla_python_field_options(field);
    options.device = ARMILLA_CUDA;
    if (!field->grid) {
        options.points_memory = ARMILLA_MEMORY_DEVICE;
        return armilla_points_new(field->lmax, field->mmax, on->count, on->places->data, &options,
                                  &plan->points);
    }
    const armilla_python_held *grid = armilla_python_share(field->grid);
    if (!grid) {
        *message = "grid: is gone";
        return ARMILLA_ERROR_ARGUMENT;
    }
    const armilla_status status = new_lensing(on, grid, &options, plan, message);
    armilla_python_release(field->grid);
    return status;
}

static armilla_status run_there(const positions_call *on, const plan_there *plan, void *stream)
{
    const void *given = on->given->data;
    void *made = on->made->data;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = on->ntrans, exec.stream = stream, exec.memory = ARMILLA_MEMORY_DEVICE;
    if (plan->lensing)
        return on->to_map ? armilla_lensing_alm2lenmap(plan->lensing, given, made, &exec)
                          : armilla_lensing_adjoint(plan->lensing, given, made, &exec);
    if (on->to_map)
        return on->is_float ? armilla_points_synthesis_float(plan->points, given, made, &exec)
                            : armilla_points_synthesis(plan->points, given, made, &exec);
    return on->is_float ? armilla_points_adjoint_synthesis_float(plan->points, given, made, &exec)
                        : armilla_points_adjoint_synthesis(plan->points, given, made, &exec);
}

static xla_error *execute_there(const xla_call *call, positions_call *on)
{
    void *stream = NULL;
    plan_there plan = {NULL, NULL};
    const char *message = read_arrays(on);
    if (!message && on->places->dtype != XLA_F64) message = "positions on a GPU must be doubles";
    if (message) return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, message);
    if (on->ntrans == 0) return NULL;
    xla_error *error = armilla_xla_stream(call, &stream);
    if (error) return error;
    armilla_status status = new_there(on, &plan, &message);
    if (!status) status = run_there(on, &plan, stream);
    if (status)
        error = armilla_xla_fail(call, status, message ? message : armilla_status_message());
    armilla_points_free(plan.points);
    armilla_lensing_free(plan.lensing);
    return error;
}

/* --- The call --------------------------------------------------------------------------------- */

static xla_error *answer(xla_call *call, xla_error *(*work)(const xla_call *, positions_call *))
{
    positions_call on = {.given = armilla_xla_array(&call->arguments, 0),
                         .places = armilla_xla_array(&call->arguments, 1),
                         .made = armilla_xla_array(&call->results, 0)};
    if (armilla_xla_is_question(call)) return NULL;
    if (!read_constants(call, &on))
        return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "a constant of the call is missing");
    if (call->stage == XLA_INSTANTIATE)
        return on.field.grid ? armilla_xla_own(call, on.field.grid) : NULL;
    if (call->stage != XLA_EXECUTE) return NULL;
    if (!on.given || !on.places || !on.made)
        return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "an array of the call is missing");
    return work(call, &on);
}

xla_error *armilla_xla_positions(xla_call *call)
{
    return answer(call, execute);
}

xla_error *armilla_xla_positions_on_gpu(xla_call *call)
{
    return answer(call, execute_there);
}
