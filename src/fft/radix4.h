/* Large powers of two in two steps. */
#ifndef ARMILLA_FFT_RADIX4_H
#define ARMILLA_FFT_RADIX4_H

#include "fft/fftw_pair.h"

typedef struct armilla_radix4 {
    const armilla_fftw_pair *pair; /* 4 rows of n / 4, spread 4 */
    double *twiddles;              /* n / 4 triples: exp(-2 pi i a c / n), a = 1, 2, 3 */
} armilla_radix4;

/* Given: pair of 4 rows with spread 4. Errors: MEMORY. */
armilla_status armilla_radix4_make(const armilla_fftw_pair *pair, armilla_radix4 *radix4);

/* A cleared one is allowed. */
void armilla_radix4_clear(armilla_radix4 *radix4);

/* data, scratch: 4 pair->n complex numbers. sign < 0: forward, else backward. */
void armilla_radix4_execute(const armilla_radix4 *radix4, int sign, double *data, double *scratch);

#endif
