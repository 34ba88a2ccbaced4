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

/* How the numbers of a spectrum are stored: one after the other, or by residue, as the FFTs of the
 * residues leave them. */
typedef enum armilla_spectrum_kind {
    ARMILLA_SPECTRUM_WHOLE = 0,
    ARMILLA_SPECTRUM_QUARTERS = 1, /* of a part: its even places (0 or 2 modulo 4) | odd places */
    ARMILLA_SPECTRUM_EIGHTHS = 2,  /* of a part: its even places | r | -r modulo 8, r = 1 or 3 */
    ARMILLA_SPECTRUM_FOURS = 3     /* all places, by residue modulo 4 */
} armilla_spectrum_kind;

typedef struct armilla_spectrum {
    int64_t n;
    armilla_spectrum_kind kind;
    int64_t step;                /* FOURS: doubles between residues */
    const double *even;          /* even places; WHOLE, FOURS: all places */
    const double *lower, *upper; /* odd places: QUARTERS lower; EIGHTHS r in lower, -r in upper */
} armilla_spectrum;

/* The rows of leg of one pair. */
typedef struct armilla_leg_column {
    armilla_orders part;
    int64_t last, row_length;
    double *values;      /* inputs are only read */
    const double *phase; /* exp(i m phi0), m = 0 .. last, or NULL where all are 1 */
} armilla_leg_column;

/* Fills spectrum->even, WHOLE or FOURS, from one column or from both parts' columns, with the
 * places k and n - k exchanged: as forward FFTs need it that are to go backward. */
void armilla_spectrum_spread(const armilla_ring_kernels *kernels, const armilla_spectrum *spectrum,
                             int ncolumns, const armilla_leg_column *columns);

/* The column from the spectrum. scale: half the weights of the two rings. */
void armilla_spectrum_gather(const armilla_ring_kernels *kernels, const armilla_spectrum *spectrum,
                             const double scale[2], const armilla_leg_column *column);

#endif
