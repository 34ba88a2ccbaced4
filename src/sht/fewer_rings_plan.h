/* Inside of armilla_fewer_rings; fewer_rings.h is what others see. */
#ifndef ARMILLA_SHT_FEWER_RINGS_PLAN_H
#define ARMILLA_SHT_FEWER_RINGS_PLAN_H

#include "sht/fewer_rings.h"

enum { ARMILLA_FEWER_BATCH = 8 }; /* rows that are resampled together: the lanes of a vector */

typedef struct armilla_fewer_block {
    int64_t first, npairs;
    int64_t limit;             /* the last order that matters */
    int64_t row_length;        /* doubles */
    int64_t rows[3], begin[3]; /* by part: number of rows, first double of leg for one set */
} armilla_fewer_block;

struct armilla_fewer_rings {
    armilla_theta_resample *resample;
    int64_t mmax;

    /* the grid's rings, from the poles to the equator */
    int64_t npairs;
    int64_t *north, *south, *limit;
    double *theta;
    int64_t nblocks, block_size, fine_row, leg_size; /* doubles of a row, of leg for one set */
    armilla_fewer_block *blocks;

    /* the equidistant rings */
    int64_t ncoarse, ncoarse_pairs, coarse_row;
    armilla_legendre_block coarse; /* all of them */
    double *coarse_theta;
    int64_t *places, *coarse_limit; /* of each pair, from the poles to the equator */
};

#endif
