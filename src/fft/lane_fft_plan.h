/* Plans for the Fourier transforms in lanes (kernels/lane_fft.h). */
#ifndef ARMILLA_FFT_LANE_FFT_PLAN_H
#define ARMILLA_FFT_LANE_FFT_PLAN_H

#include "base/status.h"
#include "fft/kernels/lane_fft_tables.h"

/* Can this length be planned: no prime factor above 7, and at least 16? */
int armilla_lane_fft_possible(int64_t n);

/* Arithmetic of one transform, vector operations per lane. Given: a possible n. */
double armilla_lane_fft_cost(int64_t n);

/* Do rows in sequence collide in the cache, however the length is divided? They take more than
 * twice the time then. Given: a possible n. */
int armilla_lane_fft_collides(int64_t n);

/* Given: a possible n; in_sequence: without gaps between the columns, which keep the numbers of a
 * row from colliding in the cache, so that the result stands in sequence. Errors: MEMORY (*fft is
 * cleared). */
armilla_status armilla_lane_fft_make(int64_t n, int in_sequence, armilla_lane_fft *fft);

/* The same for any n, not in sequence: with large prime factors by direct sums, or all of it as one
 * convolution, whichever is faster. Given: n > 0; least: the shortest half there may be.
 * Errors: MEMORY (*fft is cleared). */
armilla_status armilla_lane_fft_make_any(int64_t n, int64_t least, armilla_lane_fft *fft);

/* Makes the tables input and output for vectors of so many lanes. Errors: MEMORY (*fft is
 * cleared). */
armilla_status armilla_lane_fft_make_places(int lanes, armilla_lane_fft *fft);

/* A cleared one is allowed. */
void armilla_lane_fft_clear(armilla_lane_fft *fft);

/* Memory of the tables. */
int64_t armilla_lane_fft_bytes(const armilla_lane_fft *fft);

#endif
