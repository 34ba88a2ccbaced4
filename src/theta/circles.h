/* Circles of samples and the rings on them: tables for the kernels. */
#ifndef ARMILLA_THETA_CIRCLES_H
#define ARMILLA_THETA_CIRCLES_H

#include "leg/pairs.h"
#include "theta/kernels/kernels.h"

/* A circle of 2 n samples, n possible for a lane FFT, for frequencies up to a band, which is below
 * 2 n. in_sequence: its samples are to stand one behind the other after a transform.
 * Errors: MEMORY (*circle can be cleared then). */
armilla_status armilla_theta_circle_make(int64_t n, int64_t band, int in_sequence,
                                         armilla_theta_circle *circle);
void armilla_theta_circle_clear(armilla_theta_circle *circle);

int64_t armilla_theta_circle_bytes(const armilla_theta_circle *circle);

/* Complex vectors from the first to the last place that a transform touches, and those of spots. */
int64_t armilla_theta_circle_size(const armilla_theta_circle *circle);

/* Ring r is sample r + first of the circle, its image sample -(r + first) - half_shifted.
 * Errors: MEMORY (*samples can be cleared then). */
armilla_status armilla_theta_samples_make(const armilla_theta_circle *circle,
                                          const armilla_ring_pairs *pairs, int64_t first,
                                          int64_t half_shifted, armilla_theta_samples *samples);
void armilla_theta_samples_clear(armilla_theta_samples *samples);

int64_t armilla_theta_samples_bytes(const armilla_theta_samples *samples);

#endif
