/* Windows b_l of beams: one component (temperature), or three (T, E and B) one after the other. */
#ifndef ARMILLA_CLI_BEAM_H
#define ARMILLA_CLI_BEAM_H

#include "transform.h"

#include <stdint.h>

/* Windows of a Gaussian of fwhm_rad (spin 0 for T, spin 2 for E and B), or of the file path if that
 * is not NULL: its first columns, the last of which stands for those that it does not have, as in
 * HEALPix. Returns an exit code, after a message unless CLI_OK; *windows, ncomp times lmax + 1
 * values, is then to be freed with free. */
int beam_windows(double fwhm_rad, const char *path, int64_t lmax, int64_t ncomp, double **windows);

/* Multiplies the coefficients of a transform by the windows of a Gaussian of fwhm_rad; below 0:
 * nothing happens. Collective. */
int beam_apply_gaussian(double fwhm_rad, const transform *sht, double *alm);

/* Text such as "30arcmin" in a static buffer. */
const char *beam_text(double radians);

#endif
