/* Decides how the theta stage works: functions of its rings, of the band and of what is forced.
 * Each threshold of the stage stands in choose.c, with its reason. */
#ifndef ARMILLA_THETA_CHOOSE_H
#define ARMILLA_THETA_CHOOSE_H

#include "theta/theta.h"

typedef struct armilla_theta_choices {
    int direct;        /* the circle of the rings `from` is transformed itself: no window there */
    int64_t fine_half; /* half the samples of the circle that the rings `to` look at */
    int64_t taps;      /* of these samples that a ring sees; 0: `to` are samples themselves */
} armilla_theta_choices;

armilla_theta_choices armilla_theta_choose(const armilla_theta_problem *problem);
void armilla_theta_choices_tell(const armilla_theta_choices *choices, const armilla_teller *teller);

/* Do the rings `from` and their images take every place of their circle? */
int armilla_theta_takes_places(const armilla_theta_problem *problem);

/* What is asked of the rings `to`, on a processor and on a GPU: factors are for rings anywhere,
 * what frequencies are divided by is for samples, which are those of the circle's half. Errors:
 * ARGUMENT (names to_factor, to_transform or to_length). */
armilla_status armilla_theta_check_to(const armilla_theta_problem *problem);

/* The same, of a circle that lanes can transform? */
int armilla_theta_fills_circle(const armilla_theta_problem *problem);

/* Fewest equidistant rings for harmonics up to lmax whose circle goes through the fast way: lmax +
 * 1 or a few more, at pi (2 r + 1) / (2 n), so that P = 2 n, half_shifted = 1, first = 0. They
 * leave out the poles, on which the Legendre stage would work for few orders. */
int64_t armilla_theta_coarse_rings(int64_t lmax);

/* Is the Legendre stage so much faster on them than on npairs pairs that the way there pays? */
int armilla_theta_fewer_pay(int64_t lmax, int64_t npairs);

#endif
