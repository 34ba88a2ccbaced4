/* One length planned by FFTW, forward and backward. */
#ifndef ARMILLA_FFT_FFTW_PAIR_H
#define ARMILLA_FFT_FFTW_PAIR_H

#include "base/status.h"
#include <fftw3.h>

/* rows transforms of length n each, one after the other; out of place, the input is destroyed. */
typedef struct armilla_fftw_pair {
    int64_t n, rows;
    int in_place;
    fftw_plan forward, backward;
} armilla_fftw_pair;

/* Given: n with no prime factor above 7 (others work, but may take long to plan).
 * Errors: MEMORY, UNSUPPORTED (n or rows above INT_MAX). */
armilla_status armilla_fftw_pair_make(int64_t n, int64_t rows, int in_place,
                                      armilla_fftw_pair *pair);

/* Destroys the plans; a cleared pair is allowed. */
void armilla_fftw_pair_clear(armilla_fftw_pair *pair);

/* sign < 0: forward, else backward. input, output: 16-byte aligned, the same if in_place. */
static inline void armilla_fftw_pair_execute(const armilla_fftw_pair *pair, int sign, double *input,
                                             double *output)
{
    fftw_execute_dft(sign < 0 ? pair->forward : pair->backward, (fftw_complex *)(void *)input,
                     (fftw_complex *)(void *)output);
}

#endif
