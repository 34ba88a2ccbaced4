/* What a ring FFT stage holds, and the parts of its scratch. */
#ifndef ARMILLA_RINGFFT_PLAN_H
#define ARMILLA_RINGFFT_PLAN_H

#include "fft/fft.h"
#include "fft/lane_fft_plan.h"
#include "base/healpix.h"
#include "ringfft/choose.h"
#include "ringfft/dispatch.h"

enum { ARMILLA_RINGFFT_PLACES = 7 }; /* parts of the scratch */

/* Tables for rings in lanes; fft.n = 0: the plan has none. */
typedef struct armilla_ringfft_lane_tables {
    armilla_lane_fft fft; /* as long as the longest rings, or half where that is even */
    double *turn;         /* exp(2 pi i k / longest), longest / 2 numbers; odd: NULL */
    unsigned char *fits;  /* whether each ring goes there */
    int all_fit;          /* whether all rings do, with all orders up to mmax */
    int64_t work;         /* where the kernels' work begins in the scratch, doubles */
} armilla_ringfft_lane_tables;

struct armilla_ringfft {
    armilla_machine machine;
    const armilla_ring_kernels *kernels;
    armilla_ring_choices choices;
    int64_t nrings, mmax;
    int64_t nsamples; /* of all rings */
    armilla_ring *rings;
    armilla_phase *phases;
    int counts;              /* it only tells sizes */
    armilla_scheme nested;   /* of maps in NESTED order, else nside = 0 */
    const armilla_fft **fft; /* of a quarter of the length where it is choices.fours */
    armilla_fft_set *set;
    armilla_phase common; /* the shift most rings share, its phases tabulated once */
    double *common_table;
    double *roots;       /* armilla_phase_fill_roots of other shifts; NULL: not kept */
    int64_t *root_place; /* of each ring in roots, doubles; -1: none */
    struct {
        const armilla_fft *fft[2]; /* of a part's even and odd orders on the longest rings */
        int64_t scratch;           /* complex numbers, for one of these FFTs */
    } parts;
    armilla_ringfft_lane_tables lanes;
    double *longest_twist; /* exp(2 pi i j / n) for the longest rings, n / 4 numbers */
    int64_t place[ARMILLA_RINGFFT_PLACES + 1]; /* of the parts of the scratch; the last: the end */
    int64_t scratch_size;                      /* doubles that a thread needs */
    int64_t bytes;
};

/* The parts of one thread's scratch. */
typedef struct armilla_ringfft_scratch {
    double *z;      /* north + i south, samples or spectrum */
    double *fft;    /* of the FFTs */
    double *phase;  /* exp(i m phi0) of the pair */
    double *kept;   /* rows of a part; one ring's entries */
    double *work;   /* of armilla_phase_fill */
    double *folded; /* inputs of the FFTs of residues */
    double *space;  /* of these FFTs */
} armilla_ringfft_scratch;

armilla_ringfft_scratch armilla_ringfft_split_scratch(const armilla_ringfft *ringfft,
                                                      double *scratch);

/* Rings of different length or shift cannot share an FFT. */
int armilla_ringfft_must_split(const armilla_ringfft *ringfft, const armilla_ring_pair *pair);

/* Phases of a ring up to limit, or NULL where all are 1. again: the scratch has them. */
const double *armilla_ringfft_phases(const armilla_ringfft *ringfft, int64_t ring, int64_t limit,
                                     int again, const armilla_ringfft_scratch *scratch);

/* count complex numbers exp(2 pi i j / n); work: ARMILLA_PHASE_WORK doubles. */
void armilla_ringfft_fill_twist(int64_t n, int64_t count, double *twist, double *work);

/* Doubles between the residues modulo 4 of a ring of n samples. */
int64_t armilla_ringfft_fours_step(int64_t n);

#endif
