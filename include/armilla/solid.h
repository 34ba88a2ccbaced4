/* Solid harmonics: a potential, its gradient and its second derivatives at points in space, such as
 * the gravity of a planet along the orbits of satellites.
 *
 *     exterior   V(r, theta, phi) = sum over l, m of a_lm (R / r)^(l + 1) Y_lm(theta, phi)
 *     interior   V(r, theta, phi) = sum over l, m of a_lm (r / R)^l Y_lm(theta, phi)
 *
 * with the coefficients of a real field as in armilla/alm.h, and a radius R of the sphere on which
 * V is their synthesis. The Cartesian axes are those of the sphere: z to theta = 0, x to theta = pi
 * / 2, phi = 0.
 *
 * Errors are what a change of r and theta in their last digits would make: at degree l up to 7e-16
 * (l + 10) of its largest value, at the poles, too. The term of l = 0 and those of order 0 are
 * summed apart, so that in the local frame the attraction of a whole planet and its flattening
 * leave the small horizontal components all their digits: for fields that fall off with the degree
 * as gravity does, each component is right to some 1e-15 of its own largest value. Functions
 * s^l Y_lm below 1e-240 may count as 0 (s: R / r outside, r / R inside).
 *
 * Each point takes about the same time, in proportion to (lmax + 1) (mmax + 1); a call also makes
 * the coefficients of all components, 16 bytes and some 30 ns for each degree, order and component.
 *
 * Thread rule: a call keeps nothing; any number of threads may make calls at once. */
#ifndef ARMILLA_SOLID_H
#define ARMILLA_SOLID_H

#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum armilla_solid_kind {
    ARMILLA_SOLID_EXTERIOR = 0, /* falls off with r: masses are inside */
    ARMILLA_SOLID_INTERIOR = 1  /* regular at r = 0: masses are outside */
} armilla_solid_kind;

typedef enum armilla_solid_frame {
    ARMILLA_SOLID_CARTESIAN = 0, /* along x, y, z */
    ARMILLA_SOLID_LOCAL = 1      /* along e_r (up), e_theta (south), e_phi (east) of each point; at
                                    a pole those of the meridian phi */
} armilla_solid_frame;

/* How values are made where an error is asked for. */
typedef enum armilla_solid_way {
    ARMILLA_SOLID_AUTO = 0,   /* what takes less time, for each range of radii */
    ARMILLA_SOLID_DIRECT = 1, /* a sum at each point, to rounding */
    ARMILLA_SOLID_SHELLS = 2  /* between spheres, everywhere; an error where that cannot reach
                                 epsilon */
} armilla_solid_way;

/* Options of a call. Fill with armilla_solid_options_init, then change fields. */
typedef struct armilla_solid_options {
    size_t size;                      /* sizeof(armilla_solid_options), set by _init */
    armilla_solid_kind kind;          /* default EXTERIOR */
    armilla_solid_frame frame;        /* of derivatives; default CARTESIAN */
    int64_t derivatives;              /* 0, 1 or 2, see below; default 0 */
    double radius;                    /* R, 1e-100 to 1e100, in the points' unit; default 1 */
    const armilla_alm_layout *layout; /* as in armilla_sht_options, of all orders (mres = 1) */
    const char *isa;                  /* as in armilla_sht_options */
    double epsilon;                   /* 0: to rounding; 1e-11 to 0.1: see below; default 0 */
    armilla_solid_way way;            /* needs epsilon unless DIRECT; default AUTO */
    const int *devices;    /* as in armilla_sht_options: with device = ARMILLA_CUDA the GPUs that */
    int64_t ndevices;      /* alm and values may belong to; default NULL, 0 */
    armilla_device device; /* default ARMILLA_CPU; ARMILLA_CUDA: see armilla/device.h */
    int delegate;          /* not 0: the host runs the calls of a GPU, which does not offer them;
                              default 0: they are UNSUPPORTED */
} armilla_solid_options;

ARMILLA_API void armilla_solid_options_init_sized(armilla_solid_options *options, size_t size);
#define armilla_solid_options_init(options)                                                        \
    armilla_solid_options_init_sized(options, sizeof(armilla_solid_options))

/* Sums the solid harmonics at each point, to rounding, at the poles, too.
 *
 * options->derivatives  components of values, in this sequence:
 *     0    V
 *     1    V, V_x, V_y, V_z;  local: V, V_r, V_t, V_p, the gradient along the three directions
 *     2    those, and V_xx, V_xy, V_xz, V_yy, V_yz, V_zz;  local: V_rr, V_rt, V_rp, V_tt, V_tp,
 *          V_pp, the same symmetric tensor along the three directions. Its trace is 0
 *
 * options->epsilon above 0: points of similar radii are computed together, by interpolation in
 * log r between transforms to points on a few spheres (armilla/points.h), where that takes less
 * time: for many points, or high degrees, in a thin shell. In each shell, for V, its gradient and
 * its tensor alike,
 *
 *     rms of (values - exact), over the points  <=  epsilon  rms of the field without l = 0, over
 *                                                   the sphere of the shell where it is largest
 *
 * as in armilla/points.h: it holds for random fields, wherever the points are. The term of l = 0 is
 * exact. Degrees that are too weak at the points to matter are left out there.
 *
 * Where an exterior point is below R, or an interior one above, terms grow with the degree by the
 * factor s = R / r or r / R. That is what the sum says, however much it enlarges errors of
 * coefficients; s^(lmax + derivatives) above e^550 is an error, since numbers might overflow.
 *
 * Given:    0 <= mmax <= lmax;  0 <= npoints < 2^32;  points  [npoints][3]: colatitude theta,
 *           0 .. pi, longitude phi, any finite number, radians, and distance r from the centre:
 *           r > 0, or r >= 0 of interior points; s is at most 1e100, and at least 1e-100 outside;
 *           options or NULL;  alm  [ntrans][size], finite where epsilon is above 0;  exec or NULL
 *           (map_distance is the distance of values). Points are in the memory of the host.
 * Returned: values  [ntrans][1, 4 or 10 components][npoints], in the unit of alm, divided by one or
 *           two of the unit of length for derivatives.
 * Errors:   ARGUMENT (names the first point that is wrong), MEMORY, UNSUPPORTED (isa;
 *           exec->missing; a GPU without options->delegate, or an error of it), CANCELLED (values
 *           are then undefined).
 * Notes:    results do not depend on nthreads, and those of sums at a point not on the other
 *           points of the call. Input and output must not overlap.
 * Reference: docs/mathematics.md 13. */
ARMILLA_API armilla_status armilla_solid_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
                                                  const double *points,
                                                  const armilla_solid_options *options,
                                                  const double *alm, double *values,
                                                  const armilla_exec *exec);

/* The adjoint of the sums, to rounding: coefficients from values, as adjoints of armilla/sht.h mean
 * it, for least squares and gradients. Components, points and options are those of
 * armilla_solid_evaluate; way and epsilon must be those of sums.
 * Given:    values  [ntrans][1, 4 or 10 components][npoints];  else as above.
 * Returned: alm  [ntrans][size]: sum over points and components of value times derivative of the
 *           conjugate of the solid harmonic.
 * Errors:   as above; UNSUPPORTED (options->epsilon above 0).
 * Notes:    results do not depend on nthreads. A call takes 16 bytes for every eighth order of each
 *           point, in batches of 16384, besides the coefficients of all components, and each thread
 *           takes 0.5 MB. */
ARMILLA_API armilla_status armilla_solid_adjoint_evaluate(int64_t lmax, int64_t mmax,
                                                          int64_t npoints, const double *points,
                                                          const armilla_solid_options *options,
                                                          const double *values, double *alm,
                                                          const armilla_exec *exec);

/* Tells the choices of such a call, one after the other: which points are summed directly, which
 * are interpolated between how many spheres, and why. Given: as above, one transform;  take  is
 * called with data and each choice.  Errors: ARGUMENT, MEMORY, UNSUPPORTED (isa). */
ARMILLA_API armilla_status armilla_solid_explain(int64_t lmax, int64_t mmax, int64_t npoints,
                                                 const double *points,
                                                 const armilla_solid_options *options,
                                                 const double *alm, armilla_choice_fn take,
                                                 void *data);

#ifdef __cplusplus
}
#endif
#endif
