/* Which pixels of a map this process has: all, or over ranks those of some rings, in the grid's
 * sequence and one ring behind the other. Rings are dealt as the library deals them for the lmax
 * that is usual on the grid, whatever that of a command: a map is read before it is known. */
#ifndef ARMILLA_CLI_SHARE_H
#define ARMILLA_CLI_SHARE_H

#include "pixel_grid.h"

#include <armilla/armilla.h>

typedef struct pixel_share {
    pixel_grid on;
    int64_t all;                        /* pixels of the map */
    int64_t npix;                       /* pixels that are here */
    armilla_distribution *distribution; /* NULL: this process is alone */
    int64_t rank;
    int64_t nspans; /* neighbours: numbers in the map, and where they are here; both rise */
    armilla_span *spans;
} pixel_share;

/* Takes over the grid, of which zeros are left. Collective. An exit code, after a message unless
 * CLI_OK. Free with share_free in any case. */
int share_new(pixel_grid *grid, pixel_share *self);

/* The same of a grid that was chosen. Collective. */
int share_choose(const grid_choice *choice, pixel_share *self);
void share_free(pixel_share *self); /* one of zeros is allowed */

/* The number in the map of a pixel that is here. */
int64_t share_pixel(const pixel_share *self, int64_t index);

/* Where a ring (with its place in the grid) begins here; -1: it is not here. */
int64_t share_ring(const pixel_share *self, int64_t number, const armilla_ring *ring);

/* The rank of each ring; NULL where this process is alone, or after a message. Free with free. */
int64_t *share_ring_members(const pixel_share *self);

#endif
