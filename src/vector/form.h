/* What coefficients say of a tangent field, as factors of the gradient and curl parts E and B of a
 * field of spin 1, and the way from one form to another. */
#ifndef ARMILLA_VECTOR_FORM_H
#define ARMILLA_VECTOR_FORM_H

#include "alm/layout.h"
#include "armilla/vector.h"
#include "base/array.h"

/* E = gradient_sign k_l^power c[gradient] and B = curl_sign k_l^power c[1 - gradient], where
 * c[0], c[1] are the two components and k_l = sqrt(l (l + 1)) / R. */
typedef struct armilla_form {
    int gradient; /* the component that has the gradient part */
    int gradient_sign, curl_sign;
    int power; /* -1, 0, 1 */
    int parts; /* which are kept where the form is made; the others become 0 */
} armilla_form;

enum { ARMILLA_PART_GRADIENT = 1, ARMILLA_PART_CURL = 2, ARMILLA_PART_BOTH = 3 };

/* The form of scalars: the first three of armilla_vector_form. */
armilla_form armilla_form_of_scalars(armilla_vector_form form);

/* The form of the coefficients of spin 1 whose maps are these components. */
armilla_form armilla_form_of_components(armilla_vector_components components);

/* Its transpose where the form is the source or the target: factors are inverted. */
armilla_form armilla_form_transposed(armilla_form form);

/* k_l^power for power -2 .. 2 and l = 0 .. lmax, one power behind the other; k_0^power is 0 unless
 * power is. Returned: *powers  new; free with armilla_release. Errors: MEMORY. */
enum { ARMILLA_FORM_POWERS = 5 };
armilla_status armilla_form_powers_new(int64_t lmax, double radius, double **powers);

/* Two components of each transform, and where they are. */
typedef struct armilla_form_array {
    armilla_array values;
    int64_t distance; /* complex numbers between components */
    int64_t period;   /* components from one transform to the next */
    int64_t first;    /* the component that is c[0] */
} armilla_form_array;

typedef struct armilla_form_change {
    const armilla_alm_layout *layout;
    const double *powers; /* of armilla_form_powers_new */
    armilla_form source, target;
    armilla_form_array in, out; /* the same type; may be the same arrays */
    int64_t ntrans;
    int nthreads;
} armilla_form_change;

/* Degree 0 becomes 0 unless source and target have the same power. */
void armilla_form_run(const armilla_form_change *change);

/* Looks at the means of vorticity and divergence, all transforms. Errors: ARGUMENT. */
armilla_status armilla_form_check_mean(const armilla_alm_layout *layout,
                                       const armilla_form_array *alm, int64_t ntrans);

#endif
