/* The interpolation kernel of points: the prolate spheroidal function psi_0 of order zero,
 *
 *     phi(x) = psi(2 x / w), |x| <= w / 2;     phihat(k) = (w / 2) mu psi(pi w k / (M c)),
 *     mu = integral of psi from -1 to 1 over psi(0),     c = pi w (1 - 1 / (2 sigma)),
 *
 * on a circle of M samples, of which sigma = M / (2 band) is the oversampling. Of all functions on
 * an interval it has most of its transform in the band |k| <= M c / (pi w), so that what aliases is
 * least. Reference: Osipov, Rokhlin & Xiao 2013, Prolate Spheroidal Wave Functions of Order Zero,
 * chapters 2 and 8. */
#ifndef ARMILLA_POINTS_WINDOW_H
#define ARMILLA_POINTS_WINDOW_H

#include "base/status.h"

enum {
    ARMILLA_WINDOW_TERMS = 64,  /* Legendre polynomials P_0, P_2, ... of psi */
    ARMILLA_WINDOW_TAPS = 16,   /* w, at most */
    ARMILLA_WINDOW_SIGMA = 3,   /* windows for more oversampling are those for this one */
    ARMILLA_WINDOW_DEGREE = 24, /* of the polynomials of each tap, at most */
    ARMILLA_WINDOW_ROOM = 8     /* zeros before and behind the taps of a table */
};

typedef struct armilla_window {
    int taps; /* w */
    long double c, mu;
    long double term[ARMILLA_WINDOW_TERMS]; /* psi(x) = sum of term[n] P_2n(x); psi(0) = 1 */
} armilla_window;

/* The least oversampling that windows are made for. */
#define ARMILLA_WINDOW_LEAST_SIGMA 1.1

/* Given: 1.1 <= sigma;  2 <= taps <= 16. */
void armilla_window_make(double sigma, int taps, armilla_window *window);

/* The same by c, 1 to 60; taps are 2: phi = psi. */
void armilla_window_make_narrow(long double c, armilla_window *window);

/* psi(x), |x| <= 1. Error: 1e-17. */
long double armilla_window_psi(const armilla_window *window, long double x);

/* The integral of psi from -1 to x over that from -1 to 1: rises from 0 to 1. Beyond |k| = c its
 * transform over x is about exp(-c), so that it cuts a function off that is to stay smooth. */
long double armilla_window_rise(const armilla_window *window, long double x);

/* phihat(k) on a circle of `length` samples, |k| <= length / (2 sigma) */
double armilla_window_transform(const armilla_window *window, int64_t k, int64_t length);

/* What an interpolation in two dimensions errs, by windows of so many taps on circles oversampled
 * sigma times, at the worst place between samples: the rms over random fields that have the highest
 * degree only, relative to that of the fields. It is 0.45 to 0.97 times this; docs/mathematics.md
 * (7.3). */
double armilla_window_error(int taps, double sigma);

/* What kernels evaluate: the value of tap i at a point that its first sample lies t behind, see
 * kernels/kernels.h, is a polynomial in 2 t - 1. A row of zeros, then rows of coefficients, the
 * highest degree first; in each ARMILLA_WINDOW_ROOM zeros, the taps, zeros. Errors of values: below
 * 0.03 epsilon. */
enum { ARMILLA_WINDOW_ROW = ARMILLA_WINDOW_TAPS + 2 * ARMILLA_WINDOW_ROOM };

typedef struct armilla_window_table {
    int taps, degree;
    _Alignas(64) double coefficient[ARMILLA_WINDOW_DEGREE + 2][ARMILLA_WINDOW_ROW];
} armilla_window_table;

void armilla_window_fill_table(const armilla_window *window, double epsilon,
                               armilla_window_table *table);

#endif
