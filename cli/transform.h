/* Transforms on any grid, as the commands use them: of one map and one set of coefficients, or of
 * I, Q and U and of T, E and B (spin 0 and spin 2). Maps are given field by
 * field, as floats in single precision; coefficients are doubles, one component after the other.
 *
 * Over ranks a map is the pixels of a share, coefficients are the rows of this rank's orders, m
 * rising (of one process: the triangular layout), and all calls are collective, but for those whose
 * comment says that they are not. */
#ifndef ARMILLA_CLI_TRANSFORM_H
#define ARMILLA_CLI_TRANSFORM_H

#include "options.h"
#include "sky.h"

#include <armilla/armilla.h>

enum {
    TRANSFORM_FIELDS = 3,    /* I, Q, U */
    TRANSFORM_ITERATIONS = 3 /* on HEALPix, where --iter says nothing */
};

/* How to go from a map to coefficients: what the options say. */
typedef struct analysis_options {
    const char *field, *mask; /* which column of the map, and a mask: see sky_read */
    const char *hdu;          /* extension of the map; NULL: the first that holds one */
    int64_t lmax, mmax;       /* -1: default, that of pixel_grid_lmax, and lmax */
    int has_default_lmax;     /* set by analysis_check */
    int64_t iterations;       /* Jacobi; or STEPS_DEFAULT, until analysis_check; STEPS_AUTO */
    double tolerance;         /* LSMR if > 0 */
    int ring_weights;
} analysis_options;

/* --lmax --iter --mask --field, and HEALPix' names for them: for commands whose arguments are
 * common, then analysis_options, then their own. */
extern const option analysis_rows[];

typedef struct transform {
    const pixel_grid *on;          /* where maps are */
    const armilla_grid *grid;      /* the same for plans, or: */
    armilla_grid *weighted;        /* HEALPix with ring weights; else NULL */
    armilla_sht *scalar;           /* of one field, else NULL */
    armilla_iqu *polar;            /* of three, else NULL */
    struct transform_ranks *ranks; /* over ranks, in the place of both; else NULL */
    int64_t npix, lmax, mmax;      /* npix: pixels that are here */
    int64_t alm_size;              /* coefficients that are here, of one component */
    int64_t ncomp;                 /* 1 or 3 */
    int nthreads, single;          /* single: in single precision */
    armilla_io_type stored;        /* what files of coefficients hold that it writes */
} transform;

/* The map that a command with these options reads. This call and the next three are not collective.
 */
sky_request analysis_request(const char *path, int pol, int single,
                             const analysis_options *options);

/* The analysis_options of a command that was given nothing. */
analysis_options analysis_defaults(void);

/* Fills in the defaults for a map on this grid and refuses contradictions (before the map is read,
 * with NULL, only contradictions). Returns an exit code. */
int analysis_check(analysis_options *options, const pixel_grid *grid);

/* Exit codes again. pixels: must outlast the transform; ring_weights: of HEALPix, weights for
 * analysis, exact up to l = 2 nside; ncomp: 1 or 3; the threads, the device and the precision are
 * those of arguments. On success free with transform_free. */
int transform_new(const pixel_share *pixels, int64_t lmax, int64_t mmax, int64_t ncomp,
                  int ring_weights, const common *arguments, transform *self);

/* The same for coefficients alone: without plans, so that all calls below work but analysis and
 * synthesis. pixels: whose rings the distribution over ranks has, which may be freed afterwards;
 * NULL: no matter which. */
int transform_new_coefficients(const pixel_share *pixels, int64_t lmax, int64_t mmax, int64_t ncomp,
                               const common *arguments, transform *self);
void transform_free(transform *self); /* a transform of zeros is allowed */

/* Notes (one line) that iterations do not converge for the --lmax that was given, that quadrature
 * is not exact for it, or that it is beyond the pixels, where that is so. The default of HEALPix,
 * of which --help tells as much, is healpy's. */
void transform_note_lmax(const transform *self, const analysis_options *options);

/* Steps of an analysis with options that were checked; of STEPS_AUTO, and of a fit, as many
 * as are usual. */
int64_t transform_steps(int64_t iterations);

/* Maps -> alm. Says how LSMR, or steps without a number, ended. */
int transform_analysis(const transform *self, const analysis_options *options, const reals *maps,
                       double *alm);

/* alm -> maps. In single precision alm is rounded to floats on the way. */
int transform_synthesis(const transform *self, double *alm, const reals *maps);

/* Room for the coefficients of all components; NULL after a message, on all ranks. Free with free.
 */
double *transform_alm(const transform *self);

/* Multiplies coefficients, component after component, by windows of lmax + 1 values (beam.h). */
int transform_apply_windows(const transform *self, const double *windows, double *alm);

/* cl  lmax + 1 values, on all ranks, of two components. */
int transform_spectrum(const transform *self, const double *first, const double *second,
                       double *cl);

/* Gaussian coefficients: of one field with the power spectrum cl, 0 .. ncl - 1, or of three with
 * the covariance cl[3][3][ncl]. Not collective. */
armilla_status transform_random(const transform *self, int64_t ncl, const double *cl, uint64_t seed,
                                double *alm);

/* Turns all components; mmax must be lmax. */
int transform_rotate(const transform *self, const armilla_rotation *rotation, double *alm);

/* Gathers components, which may be some of the transform's. Returned: *whole  new, on rank 0, in
 * the triangular layout; NULL on other ranks, and where this process is alone and has them already.
 */
int transform_gather(const transform *self, int64_t ncomp, const double *alm, double **whole);

/* Reads the degrees and orders that the transform takes of its components, from a file that has
 * these degrees; orders that it has not are 0. */
int transform_read_alm(const transform *self, const char *path, const armilla_alm_input *input,
                       double *alm);

/* Writes them into a file. */
int transform_write_alm(const transform *self, const char *path, char coordsys, const double *alm,
                        int overwrite);

#endif
