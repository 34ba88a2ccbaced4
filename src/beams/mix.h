/* Coefficients of plane k from those of sky and beam, and back. With c_l = sqrt(4 pi / (2 l + 1)):
 *
 *     E_lm = -c_l sum over components of Re b_lk a_lm,   B_lm = -c_l sum of Im b_lk a_lm
 *
 * and for k = 0 a scalar, c_l sum of b_l0 a_lm. docs/mathematics.md (15.2). */
#ifndef ARMILLA_BEAMS_MIX_H
#define ARMILLA_BEAMS_MIX_H

#include "alm/degree_rows.h"
#include "beams/plan.h"

/* Components of coefficients, so many complex numbers apart. */
typedef struct armilla_beams_field {
    const double *values;
    int64_t distance;
} armilla_beams_field;

/* All orders of some degrees, for sums over orders. */
typedef struct armilla_beams_by_degree {
    armilla_degree_rows rows;
    armilla_beams_field sky, plane;
} armilla_beams_by_degree;

typedef struct armilla_beams_mix {
    const armilla_beams *plan;
    double *sky;      /* the orders that the plan has */
    int64_t distance; /* complex numbers between components of the sky */
    double *beam;     /* one for each component */
    int64_t k;
    int adds;       /* to the sky that is there */
    double *factor; /* armilla_beams_factors doubles */
    double *rows;   /* one triangle for k = 0, else two: E, B; their orders are the sky's */
    armilla_beams_by_degree by_degree;
    int nthreads;
} armilla_beams_mix;

/* Doubles of the factors. */
int64_t armilla_beams_factors(const armilla_beams *plan);

/* sky, beam -> rows. */
void armilla_beams_mix_rows(const armilla_beams_mix *mix);

/* Its transpose in the sky: rows, beam -> sky. */
void armilla_beams_mix_sky(const armilla_beams_mix *mix);

/* Its transpose in the beam: sky and rows, by degree -> b_lk of these degrees. */
void armilla_beams_mix_beam(const armilla_beams_mix *mix);

#endif
