/* How finely the sphere is sampled for points, and what looks at the samples: rings, samples of a
 * ring, windows. Chosen for an error by a model of the cost. */
#ifndef ARMILLA_POINTS_SAMPLING_H
#define ARMILLA_POINTS_SAMPLING_H

#include "points/window.h"

typedef struct armilla_sampling {
    int64_t nrings; /* at pi (2 r + 1) / (2 nrings): 2 nrings samples of the circle of theta */
    int64_t nphi;   /* even; sample j at 2 pi j / nphi */
    int taps;       /* of both windows */
} armilla_sampling;

/* The smaller one of both directions. */
double armilla_sampling_sigma(const armilla_sampling *sampling, int64_t lmax, int64_t mmax);

/* Given: a band limit, an error, the number of points and components. */
armilla_sampling armilla_sampling_choose(int64_t lmax, int64_t mmax, double epsilon,
                                         int64_t npoints, int vector_length);

#endif
