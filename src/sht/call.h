/* What every call of an operator asks of armilla_exec. */
#ifndef ARMILLA_SHT_CALL_H
#define ARMILLA_SHT_CALL_H

#include "armilla/sht.h"

/* What the arrays of a call have for each transform. */
typedef struct armilla_call_arrays {
    int64_t alm_size, nalm; /* complex numbers of a component; components */
    int64_t npix, nmap;     /* of maps, or of values at points */
} armilla_call_arrays;

/* ARMILLA_ERROR_ARGUMENT unless *exec can run; fills *resolved with exec, or the defaults, and the
 * distances that were 0. has_device: arrays may be in a GPU's memory. */
armilla_status armilla_call_check(const armilla_call_arrays *arrays, int has_device,
                                  const armilla_exec *exec, armilla_exec *resolved);

#endif
