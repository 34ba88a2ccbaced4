/* One length planned by FFTW. Planning takes as long as some ten executions, and plans in place two
 * to eight times as long as others: hence out of place only, and forward only, for a backward
 * transform is a forward one whose input has its places k and n - k exchanged. */
#ifndef ARMILLA_FFT_FFTW_BATCH_H
#define ARMILLA_FFT_FFTW_BATCH_H

#include "base/status.h"
#include <fftw3.h>

/* rows transforms of length n each, one after the other; the input is destroyed. */
typedef struct armilla_fftw_batch {
    int64_t n, rows;
    fftw_plan plan;
} armilla_fftw_batch;

/* Given: n with no prime factor above 7 (others work, but may take long to plan).
 * Errors: MEMORY, UNSUPPORTED (n or rows above INT_MAX). */
armilla_status armilla_fftw_batch_make(int64_t n, int64_t rows, armilla_fftw_batch *batch);

/* Destroys the plan; a cleared batch is allowed. */
void armilla_fftw_batch_clear(armilla_fftw_batch *batch);

/* input, output: 16-byte aligned, apart from each other. */
static inline void armilla_fftw_batch_execute(const armilla_fftw_batch *batch, double *input,
                                              double *output)
{
    fftw_execute_dft(batch->plan, (fftw_complex *)(void *)input, (fftw_complex *)(void *)output);
}

#endif
