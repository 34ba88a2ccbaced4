/* Plans of transforms in lanes that are one convolution (kernels/lane_fft.h). */
#ifndef ARMILLA_FFT_LANE_CHIRP_H
#define ARMILLA_FFT_LANE_CHIRP_H

#include "base/status.h"
#include "fft/kernels/lane_fft_tables.h"

/* For length n, by a convolution of length padded. Given: padded >= 2 n - 1 with no prime factor
 * above 7. Errors: MEMORY. */
armilla_status armilla_lane_chirp_new(int64_t n, int64_t padded, armilla_lane_chirp **chirp);

/* NULL is allowed. */
void armilla_lane_chirp_free(armilla_lane_chirp *chirp);

/* Memory of the tables; 0 for NULL. */
int64_t armilla_lane_chirp_bytes(int64_t n, const armilla_lane_chirp *chirp);

#endif
