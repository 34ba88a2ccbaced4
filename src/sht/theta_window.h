/* The interpolation kernel of the resampling in theta: a Kaiser-Bessel window. */
#ifndef ARMILLA_SHT_THETA_WINDOW_H
#define ARMILLA_SHT_THETA_WINDOW_H

#include <stdint.h>

typedef struct armilla_theta_window {
    int64_t length;   /* M, samples of the circle */
    int64_t taps;     /* w */
    long double beta; /* shape */
} armilla_theta_window;

/* For frequencies up to lmax on a circle of `length` samples >= 3 lmax. */
armilla_theta_window armilla_theta_window_choose(int64_t lmax, int64_t length);

/* A colatitude in samples of the circle. */
long double armilla_theta_window_position(const armilla_theta_window *window, double theta);

/* phi(x) / phi(0); 0 for |x| > w / 2. x in samples. Error: 1e-17. */
long double armilla_theta_window_value(const armilla_theta_window *window, long double x);

/* phihat(k) / phi(0) */
long double armilla_theta_window_transform(const armilla_theta_window *window, int64_t k);

#endif
