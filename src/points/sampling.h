/* How finely the sphere is sampled for points, and what looks at the samples: rings, samples of a
 * ring, windows; and which colatitudes and orders are left out, since no point needs them. Chosen
 * for an error by a model of the cost. */
#ifndef ARMILLA_POINTS_SAMPLING_H
#define ARMILLA_POINTS_SAMPLING_H

#include "points/window.h"

/* Where points are: their least and largest colatitude, and the distance from the equator of the
 * one that is nearest to it, radians; spread: they are many, over a large part of the sky, so that
 * the errors of one place do not count. */
typedef struct armilla_points_extent {
    double north, south, from_equator;
    int spread;
} armilla_points_extent;

/* Rings are made for a zone, from one colatitude to another, either of which may be a pole. The
 * zone is repeated like the circle through both poles, which it takes the place of in the theta
 * stage. Where it ends elsewhere than at a pole, columns jump there; near rings are somewhat more
 * than the band limit needs, and what is made of them fades in frequency, so smoothly that no more
 * than a margin beside the end is wrong. docs/mathematics.md 7. */
typedef struct armilla_sampling {
    int64_t whole; /* rings from pole to pole, even: ring i is at pi (2 i + 1) / (2 whole) */
    int64_t first, nrings; /* those of the zone; an even number */
    int64_t near_rings;    /* of the Legendre stage, equidistant in the zone */
    int64_t near_band;     /* highest frequency of fine rings, in periods of twice the zone */
    double fade;           /* frequencies fade from near_rings - fade to near_rings + fade; 0: the
                              zone is the sphere, and they do not */
    int64_t mmax;          /* the largest order that points need */
    int64_t nphi;          /* even; sample j at 2 pi j / nphi */
    int taps;              /* of both windows */
    double epsilon;        /* the accuracy of values that all of this keeps: the problem's, or the
                              better one of the upsampling that was asked for */
    double cost;           /* nanoseconds of a transform without those of its points, on a core or
                              on a GPU */
    armilla_points_extent extent; /* of the points that it serves */
} armilla_sampling;

typedef struct armilla_sampling_problem {
    int64_t lmax, mmax, spin;
    double epsilon;
    double upsampling; /* at least; 0: the choice is the model's */
    int taps;          /* 0: the choice is the model's */
    int64_t npoints;
    int vector_length;
    int on_device; /* prices and lengths of rings are those of a GPU */
    armilla_points_extent extent;
} armilla_sampling_problem;

/* whole = 0 in the result: the upsampling and taps that were asked for cannot reach epsilon. */
armilla_sampling armilla_sampling_choose(const armilla_sampling_problem *problem);

/* The least epsilon that windows of so many taps keep at such an upsampling; not below 1e-13. */
double armilla_sampling_epsilon(const armilla_sampling_problem *problem, int taps,
                                double upsampling);

/* Nanoseconds of a component, points included; no rings: infinity. */
double armilla_sampling_total_cost(const armilla_sampling_problem *problem,
                                   const armilla_sampling *sampling);

/* Nanoseconds of a component: the samples of so many rings, and points that see them. */
double armilla_sampling_cost_of_rings(const armilla_sampling *sampling, int vector_length,
                                      double nrings);
double armilla_sampling_cost_of_points(const armilla_sampling *sampling, int vector_length,
                                       double npoints);

/* Can points of another extent be served as well? */
int armilla_sampling_serves(const armilla_sampling *sampling, const armilla_points_extent *extent);

/* Should points that are given take a sampling of other points, which then is made once? It must
 * serve them, and take at most twice as long as one of their own would. */
int armilla_sampling_is_shared(const armilla_sampling *sampling,
                               const armilla_points_extent *extent, const armilla_sampling *own);

/* Oversampling, the smaller one of both directions. */
double armilla_sampling_sigma(const armilla_sampling *sampling);

/* Colatitude of a near ring, radians. */
double armilla_sampling_near_theta(const armilla_sampling *sampling, int64_t ring);

/* The window whose integral frequencies fade like, and what is left of one, 0 to 1. */
void armilla_sampling_make_rise(double epsilon, armilla_window *rise);
double armilla_sampling_response(const armilla_sampling *sampling, const armilla_window *rise,
                                 int64_t frequency);

#endif
