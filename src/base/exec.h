/* What every call with an armilla_exec asks of it. */
#ifndef ARMILLA_BASE_EXEC_H
#define ARMILLA_BASE_EXEC_H

#include "armilla/sht.h"

/* Each: ARMILLA_OK or ARMILLA_ERROR_ARGUMENT. */

/* Fills *resolved with exec, or the defaults where it is NULL, and looks at ntrans and nthreads. */
armilla_status armilla_exec_take(const armilla_exec *exec, armilla_exec *resolved);

/* Where arrays are. has_device: a GPU runs the call, else all must be in host memory. */
armilla_status armilla_exec_check_memory(const armilla_exec *exec, int has_device);

/* A distance between components, at least `least`. Where there is only one component of one
 * transform, none is looked at. */
armilla_status armilla_exec_check_distance(const char *name, int64_t distance, int64_t least,
                                           int64_t ntrans, int64_t ncomp);

#endif
