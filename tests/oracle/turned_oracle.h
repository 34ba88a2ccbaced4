/* Oracle: convolution of Q + i U with a radial kernel as the sum over all pixels that it is, in
 * long double. Pixels are vectors with local axes e_theta, e_phi; a vector at q is carried to p by
 * the rotation of space that takes q to p along their great circle, and the angle between the
 * carried e_theta and that of p is measured. Nothing is shared with the formula of the library. */
#ifndef ARMILLA_TESTS_TURNED_ORACLE_H
#define ARMILLA_TESTS_TURNED_ORACLE_H

#include "armilla/grid.h"
#include "oracle/kernel_oracle.h"

/* A kernel: K as it stands, or the sum over l = 2 .. count - 1 of
 * (2 l + 1) / (4 pi) window[l] d^l_22, by the recurrence in three terms. */
typedef struct turned_kernel {
    const oracle_kernel *plain; /* NULL: the sum */
    int64_t count;
    long double *window;
    long double (*step)[3]; /* of the recurrence */
} turned_kernel;

/* exp(-(l (l + 1) - 4) sigma^2 / 2); hat: l (l + 1) sigma^2 exp(-l (l + 1) sigma^2 / 2). */
turned_kernel turned_beam(double fwhm, int hat);
/* Given: a kernel that is a window. */
turned_kernel turned_window(const oracle_kernel *kernel);
void turned_kernel_free(turned_kernel *kernel);

long double turned_value(const turned_kernel *kernel, long double theta);

typedef struct turned_pixel {
    long double place[3], south[3], east[3]; /* the point, e_theta, e_phi */
    long double weight;
    int64_t number; /* in a component of a map */
} turned_pixel;

typedef struct turned_oracle {
    turned_kernel kernel;
    double support;
    int64_t count;
    turned_pixel *pixel; /* all pixels of the rings, ring by ring */
} turned_oracle;

turned_oracle turned_oracle_new(int64_t nrings, const armilla_ring *rings, turned_kernel kernel,
                                double support);
void turned_oracle_free(turned_oracle *oracle);

/* Q, U of one pixel, number p of oracle->pixel; size: the sum of |w K|; tie: what pixels at the
 * support's very edge may change, as in radial_sum. */
typedef struct turned_sum {
    long double q, u, size, tie;
} turned_sum;

turned_sum oracle_turned_sum(const turned_oracle *oracle, int64_t p, const double *q,
                             const double *u);

#endif
