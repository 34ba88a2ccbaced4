/* The spectrum Z of a pair of rings, docs/mathematics.md (4.1), (4.2), and its exchange with leg:
 *
 *     Z_m = N_m + i S_m,               Z_{-m} = conj N_m + i conj S_m,
 *     N_m = (Z_m + conj Z_{-m}) / 2,   S_m = (Z_m - conj Z_{-m}) / (2 i),
 *
 * where m and -m mean places modulo n: orders beyond the ring's Nyquist frequency are folded. */
#ifndef ARMILLA_RINGFFT_SPECTRUM_H
#define ARMILLA_RINGFFT_SPECTRUM_H

#include "ringfft/kernels/kernels.h"
#include "ringfft/ringfft.h"

/* Its numbers: one after the other; or by residue, as the FFTs of residues of orders leave them.
 * Place k, 0 <= k < n, is the complex number at residue[k % 8] + k / 8 * step[k % 8]. */
typedef struct armilla_spectrum {
    int64_t n;
    int64_t period;        /* places k and k + period follow each other: 1, or by residue 4 or 8 */
    const double *numbers; /* period 1: place k is complex number k here; others: */
    const double *residue[8];
    int64_t step[8]; /* doubles */
} armilla_spectrum;

/* The rows of leg of one pair. */
typedef struct armilla_leg_column {
    armilla_orders part;
    int64_t last, row_length;
    double *values;      /* inputs are only read */
    const double *phase; /* exp(i m phi0), m = 0 .. last, or NULL where all are 1 */
} armilla_leg_column;

/* Fills the spectrum, of period 1 or 4, from one column or from both parts' columns, with the
 * places k and n - k exchanged: as forward FFTs need it that are to go backward. */
void armilla_spectrum_spread(const armilla_ring_kernels *kernels, const armilla_spectrum *spectrum,
                             int ncolumns, const armilla_leg_column *columns);

/* The column from the spectrum. scale: half the weights of the two rings. */
void armilla_spectrum_gather(const armilla_ring_kernels *kernels, const armilla_spectrum *spectrum,
                             const double scale[2], const armilla_leg_column *column);

#endif
