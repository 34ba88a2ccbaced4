/* A chunk of points, as lanes for the inner loop. */
#ifndef ARMILLA_SOLID_CHUNK_H
#define ARMILLA_SOLID_CHUNK_H

#include "solid/kernels/kernels.h"
#include "solid/places.h"
#include "solid/table.h"

enum {
    ARMILLA_SOLID_CHUNK = 256, /* points: whole blocks, whose lanes fit a second-level cache */
    ARMILLA_SOLID_BLOCKS = ARMILLA_SOLID_CHUNK / ARMILLA_SOLID_BLOCK,
    ARMILLA_SOLID_FRESH = 32 /* orders between which cos m phi and sin m phi go on by rotation */
};

typedef struct armilla_solid_chunk {
    int64_t count; /* points */
    const armilla_solid_place *place;
    double *step, *turn, *decay, *along, *off, *start, *scale, *cosine, *sine, *cosine1, *sine1;
    double *phi, *rest, *first; /* longitude = phi + rest; q_0 */
    double *one, *zero;         /* cosine1 and sine1 on the meridian 0 */
    double *sum, *zonal;        /* [field][ARMILLA_SOLID_CHUNK] */
    double *most;               /* the largest order that matters, of each point */
    int near;                   /* all of them are near the poles */
    int64_t limit[ARMILLA_SOLID_BLOCKS];
} armilla_solid_chunk;

/* Doubles of scratch for each chunk. */
int64_t armilla_solid_scratch(void);

/* How many; points near the poles share none with others, so that what is done with a point does
 * not depend on its neighbours. */
int64_t armilla_solid_chunks(const armilla_solid_places *places);

/* Lays out the points of chunk `index`; sums are 0, and the next order is 0. */
void armilla_solid_chunk_open(const armilla_solid_places *places, int64_t index, double *scratch,
                              armilla_solid_chunk *c);

/* Finds which orders up to mmax matter for degrees up to lmax, and goes back to order 0. */
void armilla_solid_chunk_begin(const armilla_solid_places *places, armilla_solid_chunk *c,
                               int64_t lmax, int64_t mmax);

/* cos m phi and sin m phi anew. */
void armilla_solid_chunk_refresh(armilla_solid_chunk *c, int64_t m);

/* For a kernel, with sums of `fields`; zonal: all on the meridian 0. */
armilla_solid_lanes armilla_solid_chunk_lanes(const armilla_solid_chunk *c, double *fields,
                                              int zonal);

#endif
