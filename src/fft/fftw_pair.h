/* One length planned by FFTW, forward and backward, in place. */
#ifndef ARMILLA_FFT_FFTW_PAIR_H
#define ARMILLA_FFT_FFTW_PAIR_H

#include "base/status.h"
#include <fftw3.h>

typedef struct armilla_fftw_pair {
    int64_t n;
    fftw_plan forward, backward;
} armilla_fftw_pair;

/* Given: n with no prime factor above 7 (others work, but plan slowly). Errors: MEMORY. */
armilla_status armilla_fftw_pair_make(int64_t n, armilla_fftw_pair *pair);

/* Destroys the plans; a cleared pair is allowed. */
void armilla_fftw_pair_clear(armilla_fftw_pair *pair);

/* sign < 0: forward, else backward. data: 16-byte aligned. */
static inline void armilla_fftw_pair_execute(const armilla_fftw_pair *pair, int sign, double *data)
{
    fftw_complex *complex_data = (fftw_complex *)(void *)data;
    fftw_execute_dft(sign < 0 ? pair->forward : pair->backward, complex_data, complex_data);
}

#endif
