/* The interpolation kernel of the theta stage: a Kaiser-Bessel window,
 *
 *     phi(x) = I_0(beta sqrt(1 - (2 x / w)^2)) / I_0(beta),    |x| <= w / 2,
 *     phihat(k) = w sinh(s) / s / I_0(beta),    s^2 = beta^2 - (pi w k / M)^2,
 *     beta = 0.99 pi w (1 - 1 / (2 sigma)),     sigma = M / (2 band).
 *
 * Its aliases are about exp(-pi w sqrt(1 - 1 / sigma)), measured 2e-15 rms for the w chosen here;
 * the division by phihat amplifies rounding by 190 at k = band for sigma = 1.5, by 8 for 2.
 * Reference: Fourmont 2003, J. Fourier Anal. Appl. 9, 431; docs/mathematics.md 6. */
#ifndef ARMILLA_THETA_WINDOW_H
#define ARMILLA_THETA_WINDOW_H

#include <stdint.h>

enum { ARMILLA_THETA_WINDOW_TERMS = 96 };

typedef struct armilla_theta_window {
    int64_t length;   /* M, samples of the circle */
    int64_t taps;     /* w */
    long double beta; /* shape */
    int nterms;       /* of the series of I_0: phi is the sum of term[k] (1 - (2 x / w)^2)^k */
    long double term[ARMILLA_THETA_WINDOW_TERMS];
} armilla_theta_window;

/* Samples that a window needs for frequencies up to band on a circle of `length` samples. */
int64_t armilla_theta_window_taps(int64_t band, int64_t length);

/* For frequencies up to band on a circle of `length` samples >= 3 band. */
armilla_theta_window armilla_theta_window_choose(int64_t band, int64_t length);

/* A colatitude in samples of the circle. */
long double armilla_theta_window_position(const armilla_theta_window *window, double theta);

enum { ARMILLA_THETA_WINDOW_VALUES = 3 };

/* phi(x), phi(x - 1), phi(x - 2); 0 for |x| > w / 2. x in samples. Error: 1e-17. */
void armilla_theta_window_values(const armilla_theta_window *window, long double x,
                                 long double values[ARMILLA_THETA_WINDOW_VALUES]);

/* phihat(k) */
long double armilla_theta_window_transform(const armilla_theta_window *window, int64_t k);

#endif
