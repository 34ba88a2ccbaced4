/* What the functions that XLA calls share: reading a call, and answering with an error. */
#ifndef ARMILLA_PYTHON_XLA_CALL_H
#define ARMILLA_PYTHON_XLA_CALL_H

#include <armilla/armilla.h>

#include "xla_abi.h"

/* An error with this text; its code is that of the status. */
xla_error *armilla_xla_fail(const xla_call *call, armilla_status status, const char *text);

/* Does XLA ask what the function is? Then it is told: armilla_python_xla_answer. */
int armilla_xla_is_question(const xla_call *call);

/* A constant of the call. Returned: whether it is there with this type. */
int armilla_xla_whole(const xla_call *call, const char *name, int64_t *value);
int armilla_xla_real(const xla_call *call, const char *name, double *value);

/* Argument, or result, number i. Returned: NULL if there is none. */
const xla_buffer *armilla_xla_array(const xla_arrays *arrays, int64_t i);

/* How many numbers it has. */
int64_t armilla_xla_size(const xla_buffer *array);

/* The stream of a call on a GPU. */
xla_error *armilla_xla_stream(const xla_call *call, void **stream);

/* The first call of a place in an executable: that becomes an owner (held.h) of the plan or grid
 * with this number, for as long as it lives. An XLA whose states of executables are not known here
 * keeps it for ever. */
xla_error *armilla_xla_own(const xla_call *call, int64_t number);

#endif
