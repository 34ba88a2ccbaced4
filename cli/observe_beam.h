/* The coefficients of the beam that armilla observe sees a sky through: those of a file, or of an
 * elliptical Gaussian. */
#ifndef ARMILLA_CLI_OBSERVE_BEAM_H
#define ARMILLA_CLI_OBSERVE_BEAM_H

#include <stdint.h>

/* What the options say of the beam. */
typedef struct beam_options {
    const char *path;                      /* of coefficients b_lk; NULL: an ellipse */
    double fwhm, fwhm_max;                 /* radians; -1: not given. Without fwhm_max: a circle */
    const char *psi_text, *polariser_text; /* as they were given, or NULL */
    double psi, polariser; /* radians: of the ellipse's long axis, and of the polariser */
    int64_t kmax;          /* -1: not given */
    int intensity;         /* the detector sees T alone */
} beam_options;

beam_options beam_options_defaults(void);

/* Reads the angles and refuses contradictions. An exit code, after a message. */
int beam_options_check(beam_options *options);

/* Coefficients b_lk of a beam. */
typedef struct observed_beam {
    int64_t kmax, ncomp; /* 1 (T), or 3 (T, E, B) */
    double *blm;         /* [ncomp][armilla_alm_size(lmax, kmax)] complex numbers; malloc */
} observed_beam;

/* Makes them for a sky with ncomp components, 1 or 3, up to lmax. A beam of a file may have fewer
 * components; it is cut or filled up with zeros to lmax, which a note says. An ellipse has the
 * orders that are wanted, or those whose norm over l is at least epsilon times that of order 0; a
 * note says if the wanted ones leave out others. An exit code, after a message; *beam is to be
 * freed in any case. */
int observed_beam_make(const beam_options *options, int64_t lmax, int64_t ncomp, double epsilon,
                       observed_beam *beam);
void observed_beam_free(observed_beam *beam);

#endif
