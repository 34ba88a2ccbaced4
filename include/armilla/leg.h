/* The two stages of a transform on their own:
 *
 *     alm  --from_alm-->  leg  --to_map-->    map        synthesis
 *     alm  <--to_alm---   leg  <--from_map--  map        adjoint_synthesis
 *
 *     F_m(theta) = sum_l a_lm lambda_lm(theta)           (spin 0; spin s: two components)
 *     map_j      = F_0 + 2 Re sum_{m > 0} F_m exp(i m phi_j)
 *     G_m        = sum_j map_j exp(-i m phi_j),          a_lm = sum_r lambda_lm(theta_r) G_m
 *
 * leg[ncomp][nrings][norders], complex, interleaved: one row per ring, rings in any order. Anything
 * may happen between the stages: rings may be weighted, mixed, or made by other means. Plans
 * (armilla/sht.h) do both stages at once and are faster. The functions that take a problem or rings
 * set up everything anew in each call; the functions of an armilla_leg_plan have it ready.
 *
 * Thread rule: functions may run at the same time in any number of threads. Results do not depend
 * on nthreads. Inputs are never written; input and output must not overlap. */
#ifndef ARMILLA_LEG_H
#define ARMILLA_LEG_H

#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- alm <-> leg ------------------------------------------------------------------------------ */

/* Which orders on which rings. Fill with armilla_leg_problem_init, then set fields. */
typedef struct armilla_leg_problem {
    size_t size;           /* sizeof(armilla_leg_problem), set by _init */
    int64_t lmax;          /* largest degree, inclusive */
    int64_t nrings;        /* >= 1 */
    const double *theta;   /* nrings colatitudes in any order, radians, 0 .. pi */
    int64_t norders;       /* >= 1 */
    const int64_t *orders; /* 0 .. lmax, in any order, no two alike; NULL: 0 .. norders - 1 */
    const int64_t *mstart; /* a_lm of order i is complex number mstart[i] + l * stride; NULL: as in
                              the triangular layout of lmax (then stride must be 1) */
    int64_t stride;        /* != 0; default 1 */
    int64_t alm_distance;  /* complex numbers between components; 0: armilla_leg_alm_size */
    int64_t spin;          /* |spin| <= lmax; default 0 */
    armilla_sht_mode mode; /* default STANDARD */
    int nthreads;          /* 0, the default: all available to the process */
    const char *isa;       /* as in armilla_sht_options */
    armilla_progress_fn progress; /* of each call; default NULL. A call that it stops leaves its
                                     output undefined */
    void *progress_data;
} armilla_leg_problem;

ARMILLA_API void armilla_leg_problem_init_sized(armilla_leg_problem *problem, size_t size);
#define armilla_leg_problem_init(problem)                                                          \
    armilla_leg_problem_init_sized(problem, sizeof(armilla_leg_problem))

/* Returned: complex numbers that one component of alm needs (largest index + 1), or -1 if the
 * problem is wrong. */
ARMILLA_API int64_t armilla_leg_alm_size(const armilla_leg_problem *problem);

/* alm -> leg.
 * Given:    alm  one component, or two for STANDARD with a spin; degrees below |spin| are ignored.
 * Returned: leg  (1 or, with a spin, 2, nrings, norders).
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (isa), CANCELLED (by progress).
 * Notes:    linear over the complex numbers: imaginary parts of m = 0 are not ignored. Where l sin
 *           theta is so far below m that F_m is below rounding, F_m is 0. */
ARMILLA_API armilla_status armilla_leg_from_alm(const armilla_leg_problem *problem,
                                                const double *alm, double *leg);
ARMILLA_API armilla_status armilla_leg_from_alm_float(const armilla_leg_problem *problem,
                                                      const float *alm, float *leg);

/* leg -> alm: the adjoint. Degrees below |spin| become 0; other numbers of the array are left as
 * they are. Errors: as above. */
ARMILLA_API armilla_status armilla_leg_to_alm(const armilla_leg_problem *problem, const double *leg,
                                              double *alm);
ARMILLA_API armilla_status armilla_leg_to_alm_float(const armilla_leg_problem *problem,
                                                    const float *leg, float *alm);

/* --- leg <-> map ------------------------------------------------------------------------------ */

/* Where the pixels are. Fill with armilla_leg_rings_init, then set fields. */
typedef struct armilla_leg_rings {
    size_t size;               /* sizeof(armilla_leg_rings), set by _init */
    int64_t ncomp;             /* maps; default 1 */
    int64_t nrings;            /* >= 1 */
    const armilla_ring *rings; /* theta is not used; the samples of a ring are multiplied by weight,
                                  at the end (to_map) or at the beginning (from_map) */
    int64_t mmax;              /* leg holds the orders 0 .. mmax */
    int64_t map_distance;      /* values between maps; 0: largest index + 1 */
    int nthreads;              /* 0, the default: all available to the process */
    const char *isa;           /* as in armilla_sht_options */
    armilla_progress_fn progress; /* as in armilla_leg_problem */
    void *progress_data;
} armilla_leg_rings;

ARMILLA_API void armilla_leg_rings_init_sized(armilla_leg_rings *rings, size_t size);
#define armilla_leg_rings_init(rings) armilla_leg_rings_init_sized(rings, sizeof(armilla_leg_rings))

/* leg (ncomp, nrings, mmax + 1) -> map. Imaginary parts of m = 0 are ignored; only the pixels of
 * the rings are written.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (isa), CANCELLED (by progress). */
ARMILLA_API armilla_status armilla_leg_to_map(const armilla_leg_rings *rings, const double *leg,
                                              double *map);
ARMILLA_API armilla_status armilla_leg_to_map_float(const armilla_leg_rings *rings,
                                                    const float *leg, float *map);

/* map -> leg (ncomp, nrings, mmax + 1): the adjoint, in the inner product that counts orders m > 0
 * twice. Errors: as above. */
ARMILLA_API armilla_status armilla_leg_from_map(const armilla_leg_rings *rings, const double *map,
                                                double *leg);
ARMILLA_API armilla_status armilla_leg_from_map_float(const armilla_leg_rings *rings,
                                                      const float *map, float *leg);

/* --- planned ---------------------------------------------------------------------------------- */

/* Either stage, or both, prepared for many calls. A plan is immutable and may be used by many
 * threads at once. */
typedef struct armilla_leg_plan armilla_leg_plan;

/* Given:    problem, rings  are copied; one of them may be NULL, and the plan then lacks that
 *           stage.
 * Returned: *plan  new; free with armilla_leg_plan_free.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (isa). */
ARMILLA_API armilla_status armilla_leg_plan_new(const armilla_leg_problem *problem,
                                                const armilla_leg_rings *rings,
                                                armilla_leg_plan **plan);

/* NULL is allowed. */
ARMILLA_API void armilla_leg_plan_free(armilla_leg_plan *plan);

/* These do the same as armilla_leg_from_alm and its kin, bit by bit, for ntrans fields in one call.
 * Scalar fields share the recurrence of the Legendre functions in from_alm and to_alm, which costs
 * less than ntrans calls; others go one after the other.
 * Given:    ntrans  fields, 0 to 2^30. Component c of field t, each of ncomp components, is number
 *           t ncomp + c of the array. Components of alm and of maps are alm_distance and
 *           map_distance apart; those of leg follow one another.
 * Errors:   ARGUMENT (also where the plan lacks the stage), MEMORY, CANCELLED (by progress). */
ARMILLA_API armilla_status armilla_leg_plan_from_alm(const armilla_leg_plan *plan, int64_t ntrans,
                                                     const double *alm, double *leg);
ARMILLA_API armilla_status armilla_leg_plan_from_alm_float(const armilla_leg_plan *plan,
                                                           int64_t ntrans, const float *alm,
                                                           float *leg);
ARMILLA_API armilla_status armilla_leg_plan_to_alm(const armilla_leg_plan *plan, int64_t ntrans,
                                                   const double *leg, double *alm);
ARMILLA_API armilla_status armilla_leg_plan_to_alm_float(const armilla_leg_plan *plan,
                                                         int64_t ntrans, const float *leg,
                                                         float *alm);
ARMILLA_API armilla_status armilla_leg_plan_to_map(const armilla_leg_plan *plan, int64_t ntrans,
                                                   const double *leg, double *map);
ARMILLA_API armilla_status armilla_leg_plan_to_map_float(const armilla_leg_plan *plan,
                                                         int64_t ntrans, const float *leg,
                                                         float *map);
ARMILLA_API armilla_status armilla_leg_plan_from_map(const armilla_leg_plan *plan, int64_t ntrans,
                                                     const double *map, double *leg);
ARMILLA_API armilla_status armilla_leg_plan_from_map_float(const armilla_leg_plan *plan,
                                                           int64_t ntrans, const float *map,
                                                           float *leg);

#ifdef __cplusplus
}
#endif
#endif
