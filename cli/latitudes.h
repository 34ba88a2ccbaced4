/* Grids of rings at latitudes of one's own: --grid latitudes:FILE:NPHI. */
#ifndef ARMILLA_CLI_LATITUDES_H
#define ARMILLA_CLI_LATITUDES_H

#include <armilla/armilla.h>

/* Is it such a grid, and no name? */
int latitudes_is(const char *text);

/* NULL, or what is wrong with the text. */
const char *latitudes_wrong(const char *text);

/* Reads FILE, latitudes in degrees, one in a line, which rise or fall, and makes the grid of rings
 * there, from north to south, of NPHI pixels each, the first at longitude 0. Latitudes of a family
 * make the grid of the family, with its exact quadrature; other rings have no weights, and
 * coefficients are fitted to maps on them. Returned: *grid  new; an exit code, after a message
 * unless CLI_OK. */
int latitudes_new(const char *text, armilla_grid **grid);

#endif
