/* Reads the constants and arrays of a call by XLA, gives the library's errors back as XLA's, and
 * makes an executable an owner of the plan that it uses, in the way of each version of XLA's
 * interface that is known here. */
#include "xla_call.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "held.h"
#include "xla.h"

static int code_of(armilla_status status)
{
    switch (status) {
    case ARMILLA_ERROR_ARGUMENT:
        return XLA_INVALID_ARGUMENT;
    case ARMILLA_ERROR_MEMORY:
        return XLA_RESOURCE_EXHAUSTED;
    case ARMILLA_ERROR_UNSUPPORTED:
        return XLA_UNIMPLEMENTED;
    case ARMILLA_ERROR_CANCELLED:
        return XLA_CANCELLED;
    default:
        return XLA_INTERNAL;
    }
}

xla_error *armilla_xla_fail(const xla_call *call, armilla_status status, const char *text)
{
    xla_error_request request = {
        .size = XLA_SIZE(xla_error_request, code), .message = text, .code = code_of(status)};
    return call->api->new_error(&request);
}

static atomic_int answer = XLA_NEWEST;

int armilla_python_xla_answer(int minor)
{
    if (minor < XLA_OLDEST || minor > XLA_NEWEST) return 1;
    atomic_store(&answer, minor);
    return 0;
}

int armilla_xla_is_question(const xla_call *call)
{
    if (!call->extensions || call->extensions->type != 1) return 0;
    xla_metadata *told = ((xla_metadata_request *)call->extensions)->metadata;
    told->version.major = XLA_MAJOR;
    told->version.minor = atomic_load(&answer);
    told->traits = 0;
    return 1;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static const void *constant(const xla_call *call, const char *name, int dtype)
{
    const xla_attributes *all = &call->attributes;
    const size_t length = strlen(name);
    for (int64_t i = 0; i < all->count; i++) {
        const xla_name *here = all->names[i];
        if (here->length != length || memcmp(here->text, name, length)) continue;
        const xla_scalar *scalar = all->values[i];
        return all->types[i] == 3 && scalar->dtype == dtype ? scalar->value : NULL;
    }
    return NULL;
}

int armilla_xla_whole(const xla_call *call, const char *name, int64_t *value)
{
    const int64_t *found = constant(call, name, XLA_S64);
    if (found) *value = *found;
    return found != NULL;
}

int armilla_xla_real(const xla_call *call, const char *name, double *value)
{
    const double *found = constant(call, name, XLA_F64);
    if (found) *value = *found;
    return found != NULL;
}

const xla_buffer *armilla_xla_array(const xla_arrays *arrays, int64_t i)
{
    return i < arrays->count && arrays->types[i] == 1 ? arrays->arrays[i] : NULL;
}

int64_t armilla_xla_size(const xla_buffer *array)
{
    int64_t size = 1;
    for (int64_t i = 0; i < array->rank; i++) size *= array->dims[i];
    return size;
}

/* --- Executables as owners -------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static xla_type type; /* of states that are an owned number */

static void release_state(void *state)
{
    armilla_python_release(*(int64_t *)state);
    free(state);
}

/* Our type of states, once for the process. */
static xla_error *need_type(const xla_call *call)
{
    static xla_type_info info = {.size = XLA_SIZE(xla_type_info, release),
                                 .release = release_state};
    static const char name[] = "armilla_plan";
    xla_type_request request = {.size = call->api->version.minor < 2
                                            ? XLA_SIZE(xla_type_request, type)
                                            : XLA_SIZE(xla_type_request, info),
                                .name = {name, sizeof name - 1},
                                .type = &type,
                                .info = &info};
    pthread_mutex_lock(&lock);
    xla_error *error = type.number ? NULL : call->api->new_type(&request);
    pthread_mutex_unlock(&lock);
    return error;
}

static xla_error *set_state(const xla_call *call, void *state)
{
    const int minor = call->api->version.minor;
    if (minor < 3) {
        xla_state_request_1 request = {.size = minor < 2 ? XLA_SIZE(xla_state_request_1, release)
                                                         : XLA_SIZE(xla_state_request_1, state),
                                       .context = call->context,
                                       .type = &type,
                                       .state = state,
                                       .release = release_state};
        return call->api->set_state(&request);
    }
    xla_state_request_3 request = {.size = XLA_SIZE(xla_state_request_3, state),
                                   .context = call->context,
                                   .stage = XLA_INSTANTIATE,
                                   .type = &type,
                                   .state = state};
    return call->api->set_state(&request);
}

xla_error *armilla_xla_own(const xla_call *call, int64_t number)
{
    if (!armilla_python_share(number))
        return armilla_xla_fail(call, ARMILLA_ERROR_ARGUMENT,
                                "the plan of this program is gone, or of another process");
    int64_t *state = malloc(sizeof *state);
    if (!state) return NULL; /* owned for ever */
    *state = number;
    xla_error *error = need_type(call);
    if (!error) error = set_state(call, state);
    if (!error) return NULL;
    xla_error_release release = {.size = XLA_SIZE(xla_error_release, error), .error = error};
    call->api->free_error(&release);
    free(state);
    return NULL;
}

xla_error *armilla_xla_stream(const xla_call *call, void **stream)
{
    xla_stream_request request = {.size = XLA_SIZE(xla_stream_request, stream),
                                  .context = call->context};
    xla_error *error = call->api->get_stream(&request);
    if (!error) *stream = request.stream;
    return error;
}
