/* Iterative analysis of polarised maps as two jobs, for plans on one rank and over ranks. */
#ifndef ARMILLA_SHT_IQU_PSEUDO_H
#define ARMILLA_SHT_IQU_PSEUDO_H

#include "sht/pseudo_job.h"

enum { ARMILLA_IQU_SCALAR, ARMILLA_IQU_POLAR, ARMILLA_IQU_JOBS };

typedef struct armilla_iqu_pseudo {
    armilla_pseudo_job job[ARMILLA_IQU_JOBS]; /* of I, and of Q with U */
    double scalar_share;                      /* of the work of a transform */
    armilla_relay relay;
} armilla_iqu_pseudo;

/* Given:    fields  of the scalar plan, and of that of spin 2;  exec  checked, distances not 0;
 *           scalar_share.
 * Returned: *pseudo, which must stay where it is. Errors: ARGUMENT. */
armilla_status armilla_iqu_pseudo_init(armilla_iqu_pseudo *pseudo,
                                       const armilla_pseudo_field fields[ARMILLA_IQU_JOBS],
                                       double scalar_share, const armilla_pseudo_options *options,
                                       const armilla_exec *exec);

/* Given: map and alm  of three components, in float or in double. */
void armilla_iqu_pseudo_set_arrays(armilla_iqu_pseudo *pseudo, const void *map, void *alm,
                                   int is_float);

/* Checks the arrays, and solves all transforms. reports: [ntrans][2], or NULL.
 * Errors: ARGUMENT, MEMORY, CANCELLED. */
armilla_status armilla_iqu_pseudo_run(armilla_iqu_pseudo *pseudo, const armilla_exec *exec,
                                      armilla_pseudo_report *reports);

#endif
