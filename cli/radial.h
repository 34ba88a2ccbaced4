/* Radial convolution on any grid, as the commands use it. Over ranks maps are those of a share, and
 * all calls but radial_free and radial_note are collective. */
#ifndef ARMILLA_CLI_RADIAL_H
#define ARMILLA_CLI_RADIAL_H

#include "asymmetric.h"
#include "reals.h"
#include "share.h"

#include <armilla/armilla.h>

typedef struct radial {
    const armilla_grid *grid;
    armilla_grid *weighted;                              /* grid with ring weights, or NULL */
    armilla_radial *plan, *pair;                         /* pair: of Q and U, or NULL */
    armilla_asymmetric *asymmetric;                      /* in the place of plan, or NULL */
    armilla_distributed_radial *ranks_plan, *ranks_pair; /* over ranks, in the place of both */
    armilla_radial_description told, pair_told;
    int is_made, nthreads;
    int64_t npix; /* pixels that are here */
} radial;

/* What a plan is for: with pol also Q and U; ring_weights: of HEALPix, exact up to l = 2 nside;
 * table: kernels at offsets, turned by psi, in the place of one kernel; NULL: none. */
typedef struct radial_request {
    const pixel_share *pixels;
    int64_t threads;
    int pol, ring_weights;
    const asymmetric_table *table;
    double psi;
} radial_request;

/* Makes the plan; kernel is NULL for a table. Returns an exit code, after a message unless CLI_OK;
 * on success free with radial_free. */
int radial_new(const radial_request *request, const armilla_kernel *kernel,
               const armilla_radial_options *options, radial *self);
void radial_free(radial *self); /* one of zeros is allowed */

/* Notes (one line) the kernel, its support, what that cuts off, and how sums are made; warns where
 * the kernel is narrower than a pixel. */
void radial_note(const radial *self, const char *kernel);

/* Convolves a field of npix doubles in place; with `pair` two of them, Q and U. weights NULL: the
 * plain sum; else that of what is there (armilla_radial_convolve_weighted), ARMILLA_UNSEEN where
 * too little is. */
int radial_apply(const radial *self, int pair, const reals *fields, const double *weights,
                 double least);

#endif
