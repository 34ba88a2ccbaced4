/* Which pixels of a HEALPix map this process has: all, or over ranks those of some rings, in the
 * grid's sequence and one ring behind the other. Rings are dealt as the library deals them for
 * lmax = 3 nside - 1, whatever the lmax of a command: a map is read before that is known. */
#ifndef ARMILLA_CLI_SHARE_H
#define ARMILLA_CLI_SHARE_H

#include <armilla/armilla.h>

typedef struct pixel_share {
    int64_t nside, all; /* pixels of the map */
    int64_t npix;       /* pixels that are here */
    armilla_grid *grid;
    armilla_distribution *distribution; /* NULL: this process is alone */
    int64_t rank;
    int64_t nspans; /* neighbours: RING numbers, and where they are here; both rise */
    armilla_span *spans;
} pixel_share;

/* Collective. An exit code, after a message unless CLI_OK. Free with share_free in any case. */
int share_new(int64_t nside, pixel_share *self);
void share_free(pixel_share *self); /* one of zeros is allowed */

/* The RING number of a pixel that is here. */
int64_t share_pixel(const pixel_share *self, int64_t index);

/* Where a ring (with its place in the grid) begins here; -1: it is not here. */
int64_t share_ring(const pixel_share *self, int64_t number, const armilla_ring *ring);

/* The rank of each ring; NULL where this process is alone, or after a message. Free with free. */
int64_t *share_ring_members(const pixel_share *self);

#endif
