/* A field and its derivatives at a point: its jet. Which transforms of what spin make it, and how
 * its components come from their values; docs/mathematics.md (3.12), (3.13). */
#ifndef ARMILLA_POINTS_JET_H
#define ARMILLA_POINTS_JET_H

#include "base/status.h"

#include <stdint.h>

enum { ARMILLA_JET_PARTS = 3, ARMILLA_JET_FIELDS = 6 };

/* A transform of one or two real fields. */
typedef struct armilla_jet_part {
    int64_t spin;      /* of any sign */
    int64_t nsets;     /* fields; 2 but for spin 0 */
    int source[2];     /* which row of alm each is made of; -1: of none, it is 0 */
    double *factor[2]; /* of a_lm, for l = 0 .. lmax; NULL: 1 */
} armilla_jet_part;

typedef struct armilla_jet {
    int64_t nparts, nfields; /* fields of all parts: as many as there are components */
    armilla_jet_part part[ARMILLA_JET_PARTS];
    const double (
        *mixing)[ARMILLA_JET_FIELDS]; /* component c = sum over f of mixing[c][f] field f */
} armilla_jet;

/* Given:    spin of any sign;  derivatives  0: the field; 1: the gradient, too; 2, for spin 0:
 *           second derivatives as well.
 * Returned: *jet; clear with armilla_jet_clear. Errors: MEMORY; *jet is empty then. */
armilla_status armilla_jet_make(int64_t lmax, int64_t spin, int64_t derivatives, armilla_jet *jet);
void armilla_jet_clear(armilla_jet *jet);

/* Components of a field of this spin with so many derivatives. */
static inline int64_t armilla_jet_size(int64_t spin, int64_t derivatives)
{
    return spin ? (derivatives ? 6 : 2) : derivatives == 2 ? 6 : derivatives ? 3 : 1;
}

#endif
