/* Plans for the Fourier transforms in lanes (kernels/lane_fft.h). */
#ifndef ARMILLA_FFT_LANE_FFT_PLAN_H
#define ARMILLA_FFT_LANE_FFT_PLAN_H

#include "base/status.h"
#include "fft/kernels/lane_fft_tables.h"

/* Can this length be planned: no prime factor above 7, and at least 16? */
int armilla_lane_fft_possible(int64_t n);

/* Arithmetic of one transform, vector operations per lane. Given: a possible n. */
double armilla_lane_fft_cost(int64_t n);

/* Given: a possible n; in_place: for fft/kernels/lane_fft.h. Errors: MEMORY (*fft is cleared). */
armilla_status armilla_lane_fft_make(int64_t n, int in_place, armilla_lane_fft *fft);

/* A cleared one is allowed. */
void armilla_lane_fft_clear(armilla_lane_fft *fft);

/* Memory of the tables. */
int64_t armilla_lane_fft_bytes(const armilla_lane_fft *fft);

#endif
