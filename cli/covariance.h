/* The Gaussian covariance of powers of bands without a mask: for armilla spectrum --decouple, with
 * --errors or --covariance. Made from the spectra of the maps themselves, or from a file. */
#ifndef ARMILLA_CLI_COVARIANCE_H
#define ARMILLA_CLI_COVARIANCE_H

#include "transform.h"

enum { COVARIANCE_MAPS = 2, COVARIANCE_FIELDS = 2, COVARIANCE_PAIRS = 3 };

/* Pairs of fields that masks mix among themselves: T and T, T and E or B, E or B and E or B. */
typedef struct covariance_pair {
    int field[COVARIANCE_MAPS]; /* T 0, E and B 1 */
    int64_t spin[COVARIANCE_MAPS], nspectra;
    int parts[4][COVARIANCE_MAPS]; /* of each spectrum: T 0, E 1, B 2 */
    int column[4];                 /* in spectra_names; -1: is not written */
} covariance_pair;

extern const covariance_pair covariance_pairs[COVARIANCE_PAIRS];

/* What is known when powers have been solved for. */
typedef struct covariance_given {
    const char *cl; /* a file of spectra of signal and noise; NULL: those of the maps, smooth */
    const analysis_options *analysis;
    const transform *sht, *of_masks;
    const sky *maps;
    int64_t nmaps;
    double *const *alm;      /* [nmaps], of the maps times their masks */
    double *const *mask_alm; /* [nmaps][COVARIANCE_FIELDS] */
    const armilla_bands *bands;
    const double
        *matrices[COVARIANCE_PAIRS]; /* of the bands, as armilla_coupling_windows has them */
} covariance_given;

/* The mask of a field (0: T, 1: E and B), npix values, with 0 where its pixels are missing. */
void covariance_mask(const sky *map, int64_t field, reals mask);

/* What the spectrum of masks (of the degrees of of_masks) does to a pair of fields. Not collective.
 */
armilla_status covariance_coupling(const transform *sht, const transform *of_masks, int64_t pair,
                                   const double *mask, armilla_coupling **coupling);

/* Returned: *cov  [n][n], n = spectra times bands, spectrum after spectrum in the sequence of
 *           spectra_names; free with free. An exit code, the same on all ranks. Collective. */
int covariance_compute(const covariance_given *given, double **cov);

/* A table of a column for each spectrum and band, with names such as TT_1. NULL after a message.
 * Not collective. */
armilla_cl_file *covariance_table(int64_t nspectra, int64_t nbands, const double *cov);

#endif
