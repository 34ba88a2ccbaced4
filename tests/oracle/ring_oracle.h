/* Oracle: where the rings of HEALPix are, and Gauss-Legendre rules, in long double. */
#ifndef ARMILLA_TESTS_RING_ORACLE_H
#define ARMILLA_TESTS_RING_ORACLE_H

#include "armilla/grid.h"

/* The 4 nside - 1 rings of HEALPix in the order RING, each pixel's weight its area. Gorski et al.
 * 2005, ApJ 622, 759, eqs. 4 to 9. free() them. */
armilla_ring *oracle_healpix_rings(int64_t nside);

/* Nodes in (-1, 1), descending, and weights, whose sum is 2, of the rule of n points. */
void oracle_gauss_rule(int64_t n, long double *node, long double *weight);

#endif
