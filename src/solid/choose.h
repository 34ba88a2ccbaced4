/* Chooses how potentials are computed at points of many radii: directly, or by interpolation
 * between spheres, for an error that is asked for (docs/mathematics.md 13). */
#ifndef ARMILLA_SOLID_CHOOSE_H
#define ARMILLA_SOLID_CHOOSE_H

#include "armilla/solid.h"

typedef struct armilla_solid_problem {
    int64_t lmax, mmax, npoints, derivatives, ntrans;
    const double *log_power; /* [ntrans][lmax + 1]: log of the sum over m of |a_lm|^2; -infinity
                                where that is 0; not used at l = 0 */
    const double *log_r;     /* [npoints], rising, of r / radius; -infinity where r = 0 */
    double epsilon;
    armilla_solid_way way;
    int interior, vector_length;
} armilla_solid_problem;

/* Neighbours in radius. */
typedef struct armilla_solid_shell {
    int64_t first, count; /* in log_r */
    double low, high;     /* log r */
    int64_t nodes, lmax;  /* Chebyshev points in log r, degrees that matter; nodes = 0: direct */
} armilla_solid_shell;

enum { ARMILLA_SOLID_MOST_SHELLS = 65 };

typedef struct armilla_solid_choice {
    int64_t count;
    armilla_solid_shell shell[ARMILLA_SOLID_MOST_SHELLS];
    double time, direct_time; /* estimates: ns of one core, of each transform */
} armilla_solid_choice;

/* The accuracy of transforms to points on spheres for values that are summed over the nodes. */
double armilla_solid_points_epsilon(double epsilon, int64_t nodes);

/* Errors: MEMORY; ARGUMENT where shells are asked for, and cannot be as exact. */
armilla_status armilla_solid_choose(const armilla_solid_problem *problem,
                                    armilla_solid_choice *choice);

#endif
