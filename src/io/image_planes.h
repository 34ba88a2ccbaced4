/* What the planes of a FITS image are: Stokes parameters, of which U has a sign that the header
 * tells, or anything else. */
#ifndef ARMILLA_IO_IMAGE_PLANES_H
#define ARMILLA_IO_IMAGE_PLANES_H

#include "io/image_header.h"

enum {
    ARMILLA_PLANES_OTHER = 0,   /* such as frequencies: none is U */
    ARMILLA_PLANES_UNTOLD = -1, /* no card tells: their number does, as in tables without names */
    /* 1 to 4: the first plane is I, Q, U or V, and the others follow */
};

/* Sets planes_are and iau of a header whose axes are read. Where planes are Stokes parameters and
 * no card tells the sign of U it is that of the IAU, which FITS has for them (Hamaker & Bregman
 * 1996). Errors: FORMAT: Stokes parameters in another order; a sign that is neither COSMO nor IAU.
 */
armilla_status armilla_image_planes_read(const armilla_fits *fits, armilla_image_header *header);

/* The name of a plane, as HEALPix names the column of a table. */
void armilla_image_plane_name(const armilla_image_header *header, int64_t plane,
                              char name[ARMILLA_IO_NAME_SIZE]);

/* The card that names a plane: "PLANE1", ... */
void armilla_image_plane_card(int64_t plane, char card[ARMILLA_IO_NAME_SIZE]);

/* The name of a plane of the current HDU by its card, or by EXTNAME if there is one plane only;
 * else as armilla_image_plane_name. A card does not rename a Stokes parameter to another one. */
void armilla_image_plane_read(const armilla_fits *fits, const armilla_image_header *header,
                              int64_t plane, char name[ARMILLA_IO_NAME_SIZE]);

/* What the fields of a map are as planes, by their names: the Stokes parameter of the first one if
 * all follow each other; else ARMILLA_PLANES_OTHER. */
int armilla_image_planes_of(const armilla_map *map);

#endif
