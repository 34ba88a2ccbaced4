/* Floating-point peak of one core, one function per instruction set (peak.c is compiled for each).
 */
#ifndef ARMILLA_BENCH_PEAK_H
#define ARMILLA_BENCH_PEAK_H

/* Runs `rounds` rounds of independent multiply-adds. Returned: floating point operations done;
 * *sink receives a number that depends on all of them. */
double peak_scalar(long rounds, double *sink);
double peak_sse2(long rounds, double *sink);
double peak_avx2(long rounds, double *sink);
double peak_avx512(long rounds, double *sink);
double peak_neon(long rounds, double *sink);

#endif
