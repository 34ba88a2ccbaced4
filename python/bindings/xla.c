/* Runs the operators of plans (transforms, values at points, radial convolutions) for XLA on the
 * processor or on a GPU's stream: it checks a call's operator, types and shapes, and hands the
 * arrays to the library's function for them. */
#include "xla.h"

#include <string.h>

#include "held.h"
#include "xla_call.h"
#include "xla_legs.h"
#include "xla_positions.h"

enum { SYNTHESIS = 0, ADJOINT_SYNTHESIS = 1, ANALYSIS = 2, ADJOINT_ANALYSIS = 3 };

/* A call's arrays; to_map: 1 alm -> map, 0 map -> alm, 2 map -> map. */
typedef struct operation {
    const armilla_python_held *held;
    int64_t number; /* of the operator */
    int to_map;
    int is_float;
    const xla_buffer *given;
    const xla_buffer *made;
    armilla_exec exec;
} operation;

/* --- Which function of the library ------------------------------------------------------------ */

#define CALL(function)                                                                             \
    (on->is_float ? function##_float(plan, given, made, &on->exec)                                 \
                  : function(plan, given, made, &on->exec))

static armilla_status run_sht(const operation *on)
{
    const armilla_sht *plan = on->held->object;
    const void *given = on->given->data;
    void *made = on->made->data;
    switch (on->number) {
    case SYNTHESIS:
        return CALL(armilla_sht_synthesis);
    case ADJOINT_SYNTHESIS:
        return CALL(armilla_sht_adjoint_synthesis);
    case ANALYSIS:
        return CALL(armilla_sht_analysis);
    default:
        return CALL(armilla_sht_adjoint_analysis);
    }
}

static armilla_status run_iqu(const operation *on)
{
    const armilla_iqu *plan = on->held->object;
    const void *given = on->given->data;
    void *made = on->made->data;
    switch (on->number) {
    case SYNTHESIS:
        return CALL(armilla_iqu_synthesis);
    case ADJOINT_SYNTHESIS:
        return CALL(armilla_iqu_adjoint_synthesis);
    case ANALYSIS:
        return CALL(armilla_iqu_analysis);
    default:
        return CALL(armilla_iqu_adjoint_analysis);
    }
}

static armilla_status run_vector(const operation *on)
{
    const armilla_vector *plan = on->held->object;
    const void *given = on->given->data;
    void *made = on->made->data;
    switch (on->number) {
    case SYNTHESIS:
        return CALL(armilla_vector_synthesis);
    case ADJOINT_SYNTHESIS:
        return CALL(armilla_vector_adjoint_synthesis);
    case ANALYSIS:
        return CALL(armilla_vector_analysis);
    default:
        return CALL(armilla_vector_adjoint_analysis);
    }
}

static armilla_status run_points(const operation *on)
{
    const armilla_points *plan = on->held->object;
    const void *given = on->given->data;
    void *made = on->made->data;
    return on->number == SYNTHESIS ? CALL(armilla_points_synthesis)
                                   : CALL(armilla_points_adjoint_synthesis);
}

static armilla_status run_radial(const operation *on)
{
    const armilla_radial *plan = on->held->object;
    const void *given = on->given->data;
    void *made = on->made->data;
    return on->number == 0 ? CALL(armilla_radial_convolve) : CALL(armilla_radial_adjoint);
}

static armilla_status run(const operation *on)
{
    switch (on->held->kind) {
    case ARMILLA_PYTHON_SHT:
        return run_sht(on);
    case ARMILLA_PYTHON_IQU:
        return run_iqu(on);
    case ARMILLA_PYTHON_VECTOR:
        return run_vector(on);
    case ARMILLA_PYTHON_POINTS:
        return run_points(on);
    default:
        return run_radial(on);
    }
}

/* --- Checks ----------------------------------------------------------------------------------- */

/* What is wrong with the operator's number, or NULL. */
static const char *read_operator(operation *on)
{
    const armilla_python_kind kind = on->held->kind;
    const int64_t most = kind == ARMILLA_PYTHON_POINTS || kind == ARMILLA_PYTHON_RADIAL ? 1 : 3;
    if (kind == ARMILLA_PYTHON_GRID || kind == ARMILLA_PYTHON_LEG || on->number < 0 ||
        on->number > most)
        return "operator: this plan has no such one";
    on->to_map = kind == ARMILLA_PYTHON_RADIAL
                     ? 2
                     : on->number == SYNTHESIS || on->number == ADJOINT_ANALYSIS;
    return NULL;
}

/* Number of transforms in an array of `size` numbers, `count` each; -1: any, there are none in it.
 * False: the sizes do not fit. */
static int read_rows(int64_t size, int64_t count, int64_t *rows)
{
    *rows = count ? size / count : -1;
    return count ? size % count == 0 : size == 0;
}

/* What is wrong with the types and sizes, or NULL. */
static const char *read_arrays(operation *on)
{
    const int is_map[] = {on->to_map != 1, on->to_map != 0}; /* given, made */
    const xla_buffer *arrays[] = {on->given, on->made};
    int64_t rows[2];
    on->is_float = on->given->dtype == XLA_F32 || on->given->dtype == XLA_C64;
    for (int i = 0; i < 2; i++) {
        const int wanted =
            is_map[i] ? (on->is_float ? XLA_F32 : XLA_F64) : (on->is_float ? XLA_C64 : XLA_C128);
        if (arrays[i]->dtype != wanted)
            return "the arrays must be float32 with complex64, or float64 with complex128";
        const int64_t count = is_map[i] ? on->held->map_count : on->held->alm_count;
        if (!read_rows(armilla_xla_size(arrays[i]), count, &rows[i]))
            return "the arrays do not have the shapes of the plan";
    }
    if (rows[0] < 0) rows[0] = rows[1]; /* a plan without points says nothing of transforms */
    if (rows[1] < 0) rows[1] = rows[0];
    if (rows[0] < 0) return "the arrays do not have the shapes of the plan";
    if (rows[0] != rows[1]) return "the arrays have different numbers of transforms";
    on->exec.ntrans = rows[0];
    return NULL;
}

/* --- The call --------------------------------------------------------------------------------- */

/* What the library does not write must be 0: places of a map without a pixel, of alm without a
 * coefficient. On a GPU the result lies on zeros, the call's second argument. */
static void clear(const operation *on)
{
    const size_t size = on->to_map == 0 ? (on->is_float ? 8 : 16) : (on->is_float ? 4 : 8);
    memset(on->made->data, 0, (size_t)armilla_xla_size(on->made) * size);
}

static xla_error *execute(const xla_call *call, operation *on, int64_t nthreads, int64_t is_dense,
                          int on_gpu)
{
    const char *problem = read_operator(on);
    if (!problem) problem = read_arrays(on);
    if (problem) return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, problem);
    if (on->exec.ntrans == 0) return NULL;
    on->exec.nthreads = (int)nthreads;
    on->exec.memory = ARMILLA_MEMORY_HOST;
    if (on_gpu) {
        xla_error *error = armilla_xla_stream(call, &on->exec.stream);
        if (error) return error;
        on->exec.memory = ARMILLA_MEMORY_DEVICE;
    } else if (!is_dense) {
        clear(on);
    }
    armilla_status status = run(on);
    return status ? armilla_xla_fail(call, status, armilla_status_message()) : NULL;
}

static xla_error *operate(const xla_call *call, int on_gpu)
{
    int64_t plan, nthreads, is_dense;
    operation on = {.given = armilla_xla_array(&call->arguments, 0),
                    .made = armilla_xla_array(&call->results, 0)};
    if (armilla_xla_is_question(call)) return NULL;
    if (!armilla_xla_whole(call, "plan", &plan) ||
        !armilla_xla_whole(call, "operator", &on.number) ||
        !armilla_xla_whole(call, "nthreads", &nthreads) ||
        !armilla_xla_whole(call, "is_dense", &is_dense))
        return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "a constant of the call is missing");
    if (call->stage == XLA_INSTANTIATE) return armilla_xla_own(call, plan);
    if (call->stage != XLA_EXECUTE) return NULL;
    if (!on.given || !on.made)
        return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "an array of the call is missing");
    on.held = armilla_python_share(plan);
    if (!on.held) return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT, "the plan is gone");
    armilla_exec_init(&on.exec);
    xla_error *error = execute(call, &on, nthreads, is_dense, on_gpu);
    armilla_python_release(plan);
    return error;
}

static xla_error *operate_on_cpu(xla_call *call)
{
    return operate(call, 0);
}

static xla_error *operate_on_gpu(xla_call *call)
{
    return operate(call, 1);
}

void *armilla_python_xla_function(int number)
{
    xla_error *(*const functions[])(xla_call *) = {operate_on_cpu, operate_on_gpu,
                                                   armilla_xla_positions, armilla_xla_legs,
                                                   armilla_xla_positions_on_gpu};
    union { /* POSIX: an address of a function fits into one of an object */
        xla_error *(*function)(xla_call *);
        void *address;
    } both = {.address = NULL};
    if (number >= 0 && number < (int)(sizeof functions / sizeof *functions))
        both.function = functions[number];
    return both.address;
}
