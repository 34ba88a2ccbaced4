/* Convolution with a radial kernel by Fourier coefficients of rings:
 *
 *     s(phi_i on ring p) = sum over rings q and all orders m of
 *                              K_m(theta_p, theta_q) w_q R_m(q) exp(i m phi_i),
 *     R_m(q) = sum over j of map_j exp(-i m phi_j),     K_m: Fourier coefficients of the kernel
 *                                                       between two points of rings p and q.
 *
 * Equal to the sum over pixels, to 1e-13 of max|map| sum of w |K|, in two cases. Rings p and q have
 * n pixels each, at longitudes that differ by whole half pixels: their sum is a circular
 * convolution, exact with orders up to n / 2 and the discrete K_m, for any kernel. Or the kernel
 * has a band limit, that is, it does not jump at its support: then orders up to that limit, beyond
 * the rings' Nyquist frequencies where need be, for any rings. Maps are pairs Q, U where the
 * profile turns: the K_m of m and -m are then two numbers. docs/mathematics.md 8. */
#ifndef ARMILLA_RADIAL_MIXING_H
#define ARMILLA_RADIAL_MIXING_H

#include "armilla/grid.h"
#include "base/array.h"
#include "base/cpu.h"
#include "base/work.h"
#include "radial/mixing/frame.h"

typedef struct armilla_mixing armilla_mixing;
struct armilla_mixing_spectra; /* spectra.h */

/* Nanoseconds of the two Fourier transforms of a ring of n pixels; see below. */
double armilla_mixing_fft_cost(int64_t n);

/* Is n > 0 a product of 2, 3, 5 and 7? Other lengths take several times as long. */
int armilla_mixing_is_smooth(int64_t n);

/* On which rings the method can make the sum, and what that takes.
 * Given:    frame of the profile.
 * Returned: possible[nrings], 0 or 1;  cost[nrings], nanoseconds of one core with AVX-512, with
 *           the ring's two Fourier transforms: good to a factor of 1.5 or so. Either may be NULL.
 */
void armilla_mixing_survey(const armilla_mixing_frame *frame, const armilla_profile *profile,
                           uint8_t *possible, double *cost);

/* Given:    frame of the profile, which moves into the plan and is left empty, even by errors;
 *           profile, which must outlive the plan;  wanted[nrings]: the rings to make the sum on,
 *           NULL: all. Those where it is not possible are refused.
 * Returned: *mixing  which cannot run before armilla_mixing_take_rings.
 * Errors:   ARGUMENT, MEMORY. */
armilla_status armilla_mixing_new(armilla_mixing_frame *frame, const armilla_profile *profile,
                                  armilla_isa isa, const uint8_t *wanted, armilla_mixing **mixing);

/* Prepares the rings that a plan transforms, once.
 * Given:    wanted, isa  as before;  places[nrings]: where rings begin in the maps of this rank,
 *           which follow each other there, -1: on other ranks; the plan then runs by
 *           slabs.h. NULL: all are there, where the grid says.
 * Errors:   MEMORY. */
armilla_status armilla_mixing_take_rings(armilla_mixing *mixing, armilla_isa isa,
                                         const uint8_t *wanted, const int64_t *places);

/* Lent: as the plan uses it. Of rings that it does not make orders and tables may be missing. */
const armilla_mixing_frame *armilla_mixing_frame_of(const armilla_mixing *mixing);

/* NULL is allowed. */
void armilla_mixing_free(armilla_mixing *mixing);

int64_t armilla_mixing_bytes(const armilla_mixing *mixing);

/* Doubles of scratch per thread, and of the workspace of a call with nsets maps. */
int64_t armilla_mixing_scratch_size(const armilla_mixing *mixing);
int64_t armilla_mixing_workspace_size(const armilla_mixing *mixing, int64_t nsets);

/* Units of progress that a call reports. */
double armilla_mixing_units(const armilla_mixing *mixing);

/* What is to be made of maps. */
typedef struct armilla_mixing_job {
    int64_t nsets;         /* maps; spin 2: Q, U, Q, U, ...: even */
    int weights_at_output; /* the transpose: w_p multiplies the sum on ring p, not its terms */
    /* Coefficients of these maps, made for several plans; NULL: none. Not for the transpose. */
    const struct armilla_mixing_spectra *spectra;
} armilla_mixing_job;

/* Writes the wanted rings of out and nothing else, and reads those that they see. The transpose of
 * a plan for all rings is a call with weights_at_output.
 * Given:    workspace, 64-byte aligned.
 * Notes:    stops when the call is cancelled; results do not depend on the number of threads. Maps
 *           must be finite: a ring is transformed as a whole, together with its mirror image, and
 *           what is not finite spoils all that tiles of rings around these two see. */
void armilla_mixing_run(const armilla_mixing *mixing, armilla_mixing_job job,
                        const armilla_maps *maps, const armilla_work *work, double *workspace);

#endif
