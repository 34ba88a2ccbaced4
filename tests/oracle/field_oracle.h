/* Oracle: values of a field of any spin at any points, for band limits up to a thousand and points
 * as near to a pole as doubles are. Sums in long double of all orders of both signs; functions by
 * the textbook recurrence of Wigner's d in the degree. */
#ifndef ARMILLA_TESTS_FIELD_ORACLE_H
#define ARMILLA_TESTS_FIELD_ORACLE_H

#include <stdint.h>

typedef struct {
    int64_t lmax, mmax, spin; /* spin >= 0 */
    int64_t npoints;
    const double *points; /* colatitude, longitude */
} oracle_field;

/* Given:    alm  of E, then of B where spin > 0; triangular.
 * Returned: value[npoints], for spin > 0 Q, then U, in the convention of spin_oracle.h. Error: some
 *           1e-19 lmax of the field's rms. */
void oracle_field_values(const oracle_field *field, const double *alm, double *value);

/* Returned: the field's root mean square over the sphere, of one component. */
double oracle_field_rms(const oracle_field *field, const double *alm);

#endif
