/* Samples at pointings, in the sequence in which these are sorted, from the planes' values there,
 * and back: plane k is turned by k psi, and weighed by what the beam is multiplied with. */
#ifndef ARMILLA_BEAMS_TURN_H
#define ARMILLA_BEAMS_TURN_H

#include "beams/plan.h"

typedef struct armilla_beams_turn {
    const armilla_beams *plan;
    int64_t k;
    const double *weight; /* [count], sorted, of the beam; NULL: 1 */
    double *samples;      /* [count], sorted */
    double *values;       /* of plane k, sorted: [count], or, for k > 0, [count][2]: Q, U */
    armilla_array own;    /* the caller's samples */
    int nthreads;
} armilla_beams_turn;

/* samples = 0 */
void armilla_beams_clear_samples(const armilla_beams_turn *turn);

/* samples += 2 weight (Q cos k psi + U sin k psi); for k = 0: weight times the value. */
void armilla_beams_add_plane(const armilla_beams_turn *turn);

/* Its transpose: Q, U = 2 weight samples (cos k psi, sin k psi) */
void armilla_beams_take_plane(const armilla_beams_turn *turn);

/* Sorted samples to the caller's, and back. */
void armilla_beams_give_samples(const armilla_beams_turn *turn);
void armilla_beams_sort_samples(const armilla_beams_turn *turn);

#endif
