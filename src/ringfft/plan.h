/* What a ring FFT stage holds, and the parts of its scratch. */
#ifndef ARMILLA_RINGFFT_PLAN_H
#define ARMILLA_RINGFFT_PLAN_H

#include "fft/fft.h"
#include "ringfft/dispatch.h"
#include "ringfft/phase.h"
#include "ringfft/ringfft.h"
#include "ringfft/spectrum.h"

struct armilla_ringfft {
    const armilla_ring_kernels *kernels;
    int64_t nrings, mmax, longest;
    armilla_ring *rings;
    armilla_phase *phases;
    const armilla_fft **fft;
    armilla_fft_set *set;
    armilla_phase common; /* the shift most rings share, its phases tabulated once */
    double *common_table;
    armilla_fft_set *part_set; /* NULL: parts were not planned */
    int64_t part_scratch;      /* complex numbers, for one of the FFTs */
    double *longest_twist;     /* twist of the longest rings */
    int64_t bytes;
};

/* Parts of the scratch. */
typedef struct armilla_ringfft_scratch {
    double *z, *fft, *phase, *kept, *work;
    double *folded, *space, *twist; /* for parts */
} armilla_ringfft_scratch;

armilla_ringfft_scratch armilla_ringfft_split_scratch(const armilla_ringfft *ringfft,
                                                      double *scratch);

int armilla_ringfft_same_phase(const armilla_phase *a, const armilla_phase *b);

/* Phases of a ring up to limit, or NULL where all are 1. */
const double *armilla_ringfft_phases(const armilla_ringfft *ringfft, int64_t ring, int64_t limit,
                                     const armilla_ringfft_scratch *scratch);

/* The spectrum of a part's orders, docs/mathematics.md (4.8), (4.9). Given: n divisible by 4;
 * samples of north and south, `stride` (1 or 2) doubles apart. Returned: it lies in scratch. */
armilla_spectrum armilla_ringfft_transform_part(const armilla_ringfft *ringfft, int64_t n,
                                                armilla_ringfft_part part, const double *samples[2],
                                                int64_t stride,
                                                const armilla_ringfft_scratch *scratch);

#endif
