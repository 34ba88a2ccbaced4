/* Runs, when XLA calls for it, either stage of a transform, or its transpose, for all fields in one
 * call: coefficients of some orders to all rings, and all orders to the pixels of some rings. */
#include "xla_legs.h"

#include <string.h>

#include "held.h"
#include "xla_call.h"

enum { TO_LEG = 0, TO_ALM = 1, TO_MAP = 2, FROM_MAP = 3 };

typedef struct legs_call {
    const armilla_leg_plan *plan;
    int64_t number;      /* of the operator */
    int64_t given_count; /* numbers of one field */
    int64_t made_count;
    int64_t fields;
    int is_float;
    const xla_buffer *given;
    const xla_buffer *made;
} legs_call;

/* What is wrong with the constants, types and sizes, or NULL. */
static const char *read_arrays(legs_call *on)
{
    const int given = on->given->dtype, made = on->made->dtype;
    on->is_float = given == XLA_F32 || given == XLA_C64;
    const int complex_type = on->is_float ? XLA_C64 : XLA_C128;
    const int real_type = on->is_float ? XLA_F32 : XLA_F64;
    if (on->number < TO_LEG || on->number > FROM_MAP) return "operator: there is no such one";
    if (given != (on->number == FROM_MAP ? real_type : complex_type) ||
        made != (on->number == TO_MAP ? real_type : complex_type))
        return "the arrays must be float32 with complex64, or float64 with complex128";
    if (on->given_count < 1 || on->made_count < 1) return "a field has no numbers";
    on->fields = armilla_xla_size(on->given) / on->given_count;
    if (armilla_xla_size(on->given) != on->fields * on->given_count ||
        armilla_xla_size(on->made) != on->fields * on->made_count)
        return "the arrays do not have the shapes of the stage";
    return NULL;
}

#define CALL(function)                                                                             \
    (on->is_float ? function##_float(on->plan, on->fields, given, made)                            \
                  : function(on->plan, on->fields, given, made))

static armilla_status run(const legs_call *on)
{
    const void *given = on->given->data;
    void *made = on->made->data;
    switch (on->number) {
    case TO_LEG:
        return CALL(armilla_leg_plan_from_alm);
    case TO_ALM:
        return CALL(armilla_leg_plan_to_alm);
    case TO_MAP:
        return CALL(armilla_leg_plan_to_map);
    default:
        return CALL(armilla_leg_plan_from_map);
    }
}

static xla_error *execute(const xla_call *call, legs_call *on)
{
    const char *problem = read_arrays(on);
    if (problem) return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, problem);
    const size_t real = on->is_float ? sizeof(float) : sizeof(double);
    const size_t made = (on->number == TO_MAP ? 1 : 2) * real * (size_t)on->made_count;
    memset(on->made->data, 0, made * (size_t)on->fields); /* orders above a degree */
    const armilla_status status = run(on);
    return status ? armilla_xla_fail(call, status, armilla_status_message()) : NULL;
}

xla_error *armilla_xla_legs(xla_call *call)
{
    int64_t plan;
    legs_call on = {.given = armilla_xla_array(&call->arguments, 0),
                    .made = armilla_xla_array(&call->results, 0)};
    if (armilla_xla_is_question(call)) return NULL;
    if (!armilla_xla_whole(call, "plan", &plan) ||
        !armilla_xla_whole(call, "operator", &on.number) ||
        !armilla_xla_whole(call, "given_count", &on.given_count) ||
        !armilla_xla_whole(call, "made_count", &on.made_count))
        return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "a constant of the call is missing");
    if (call->stage == XLA_INSTANTIATE) return armilla_xla_own(call, plan);
    if (call->stage != XLA_EXECUTE) return NULL;
    if (!on.given || !on.made)
        return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "an array of the call is missing");
    const armilla_python_held *held = armilla_python_share(plan);
    if (!held) return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "the plan is gone");
    xla_error *error;
    if (held->kind == ARMILLA_PYTHON_LEG) {
        on.plan = held->object;
        error = execute(call, &on);
    } else {
        error = armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "plan: has no stages");
    }
    armilla_python_release(plan);
    return error;
}
