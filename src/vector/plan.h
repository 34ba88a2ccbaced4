/* Inside of a plan for vector fields: a scalar plan and one of spin 1, and what coefficients and
 * components mean. */
#ifndef ARMILLA_VECTOR_PLAN_H
#define ARMILLA_VECTOR_PLAN_H

#include "armilla/vector.h"
#include "call/place.h"
#include "sht/iqu.h"
#include "vector/form.h"

struct armilla_vector {
    armilla_iqu *pair; /* spins 0 and 1 */
    armilla_form scalars;
    armilla_form components;
    double *powers;                  /* of k_l, of form.h */
    armilla_workspace_store *copies; /* of alm */
    int radial;
    int checks_mean; /* form has vorticity and divergence, whose means are an error */
    armilla_mean mean;
    armilla_delegation delegation;
};

/* Components of alm, and of a map. */
static inline int64_t armilla_vector_ncomp(const armilla_vector *vector)
{
    return vector->radial ? 3 : 2;
}

armilla_call_arrays armilla_vector_call_arrays(const armilla_vector *vector);

/* What lies between alm and the coefficients of the plan's transforms, two components of each
 * transform of the same array. */
armilla_form_change armilla_vector_change(const armilla_vector *vector, armilla_array alm,
                                          const armilla_exec *resolved);

#endif
