/* Windows b_l of beams. */
#ifndef ARMILLA_CLI_BEAM_H
#define ARMILLA_CLI_BEAM_H

#include <stdint.h>

/* b_l, l = 0 .. lmax, of a Gaussian of fwhm_rad, or of the file path if that is not NULL. Returns
 * an exit code, after a message unless CLI_OK; *window is then to be freed with free. */
int beam_window(double fwhm_rad, const char *path, int64_t lmax, double **window);

/* Multiplies coefficients by a Gaussian window of fwhm_rad; below 0: nothing happens. */
int beam_apply_gaussian(double fwhm_rad, int64_t lmax, int64_t mmax, double *alm);

/* Text such as "30arcmin" in a static buffer. */
const char *beam_text(double radians);

#endif
