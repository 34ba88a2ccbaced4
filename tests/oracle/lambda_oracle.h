/* Oracle: normalised associated Legendre functions in high precision, the slow and obvious way.
 *
 *   Y_lm(theta, phi) = lambda_lm(theta) e^{i m phi}, orthonormal, with the Condon-Shortley sign.
 *
 * theta is an exact double: no rounding of cos or sin stands between it and the values. */
#ifndef ARMILLA_TESTS_LAMBDA_ORACLE_H
#define ARMILLA_TESTS_LAMBDA_ORACLE_H

#include <stdint.h>

enum { ORACLE_PRECISION = 320, ORACLE_TEXT_SIZE = 80 };

/* Given:    0 <= m <= lmax <= 2^30;  theta  radians, 0 .. pi.
 * Returned: value[l - m] = lambda_lm(theta), l = m .. lmax, rounded once to double. */
void oracle_lambda_row(int64_t m, int64_t lmax, double theta, double *value);

/* The same in long double, for whole tables: errors, with the last rounding, below
 * 2.5e-16 + 6e-20 l^2 of the largest value of the degree. */
void oracle_lambda_long(int64_t m, int64_t lmax, double theta, double *value);

/* The same value as text with 50 significant digits, computed with the given number of bits. */
void oracle_lambda_text(int64_t l, int64_t m, double theta, int precision,
                        char text[ORACLE_TEXT_SIZE]);

/* Returned: max over theta of |lambda_lm(theta)|, relative error below 1e-3 and never too large. */
double oracle_lambda_peak(int64_t l, int64_t m);

/* peak[l - m] for l = m .. lmax: oracle_lambda_peak on a dense ladder of degrees; between two of
 * them the smaller one, so that a bound built on it is never generous. */
void oracle_lambda_peaks(int64_t m, int64_t lmax, double *peak);

#endif
