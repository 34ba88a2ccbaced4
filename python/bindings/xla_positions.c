/* Computes, when XLA calls for it, values of a field at positions or on a lensed map, and the
 * transpose of that: it checks the arrays, makes doubles of positions that are floats, and leaves
 * the work to armilla_python_see. */
#include "xla_positions.h"

#include <stdlib.h>

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

xla_error *armilla_xla_positions(xla_call *call)
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
    return execute(call, &on);
}
