/* exp(i m (phi0 + 2 pi j / n)) of a ring's samples in long double, as a product of one factor of m
 * and one of j. Arm's long double is software and a sine in it takes microseconds, so each factor
 * is computed once. */
#ifndef ARMILLA_TESTS_RING_WAVES_H
#define ARMILLA_TESTS_RING_WAVES_H

#include "armilla/grid.h"

typedef struct {
    int64_t n, half;   /* half: phi0 in half pixels, meant exactly; -1 if it is anything else */
    long double *root; /* exp(pi i k / n), 0 <= k < 2 n */
    long double *turn; /* exp(i m phi0), 0 <= m <= last; not used if half >= 0 */
} ring_waves;

ring_waves new_ring_waves(const armilla_ring *ring, int64_t last);
void free_ring_waves(ring_waves *waves);

/* wave: real and imaginary part for order m <= last at sample j. */
void ring_wave(const ring_waves *waves, int64_t m, int64_t j, long double wave[2]);

#endif
