/* The table of ECMWF's classic reduced Gaussian grids. */
#ifndef ARMILLA_GRID_CLASSIC_H
#define ARMILLA_GRID_CLASSIC_H

#include "base/status.h"

typedef struct armilla_classic_grid {
    int32_t n;     /* rings from a pole to the equator */
    int32_t nruns; /* runs of rings of one length there */
    int32_t first; /* the first of them in armilla_classic_runs */
    int32_t npix;  /* of the whole grid */
} armilla_classic_grid;

extern const armilla_classic_grid armilla_classic_grids[]; /* n rises */
extern const int64_t armilla_classic_count;
extern const uint16_t armilla_classic_runs[]; /* of run i: [2 i] pixels, [2 i + 1] rings */

/* Returned: the grid with this n; NULL: none was published. */
const armilla_classic_grid *armilla_classic_find(int64_t n);

/* Returned: the published n that is nearest. */
int64_t armilla_classic_nearest(int64_t n);

/* Pixels on the rings of both hemispheres. Returned: nphi[2 n]. */
void armilla_classic_fill(const armilla_classic_grid *classic, int64_t *nphi);

#endif
