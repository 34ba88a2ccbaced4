/* Inside of a plan for polarised maps. */
#ifndef ARMILLA_SHT_IQU_H
#define ARMILLA_SHT_IQU_H

#include "armilla/iqu.h"
#include "sht/plan.h"

enum { ARMILLA_IQU_FIELDS = 3 };

struct armilla_iqu {
    armilla_sht *scalar; /* I, T */
    armilla_sht *polar;  /* Q, U and E, B: borrows from scalar */
    double scalar_share; /* of the work of a transform */
};

/* What every call checks. Returned: *resolved  exec or the defaults, distances not 0.
 * Errors: ARGUMENT. */
armilla_status armilla_iqu_check(const armilla_iqu *iqu, const void *map, const void *alm,
                                 const armilla_exec *exec, armilla_exec *resolved);

/* As armilla_sht_check_missing, for maps of three components. */
armilla_status armilla_iqu_check_missing(const armilla_iqu *iqu, armilla_array map,
                                         const double *weights, const armilla_exec *exec);

#endif
