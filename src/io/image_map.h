/* Maps out of FITS images, and into them; image_header.h says which. */
#ifndef ARMILLA_IO_IMAGE_MAP_H
#define ARMILLA_IO_IMAGE_MAP_H

#include "io/image_header.h"
#include "io/map_layout.h"

/* As armilla_map_read; hdu is the HDU of the image, 0 the primary one. */
armilla_status armilla_image_read(const armilla_fits *fits, int hdu, int64_t nfields,
                                  const int64_t *fields, armilla_map **map);

/* Writes a map that was checked, with its values.
 * Errors:   ARGUMENT (a map that no image holds), IO, MEMORY. */
armilla_status armilla_image_write(const char *path, const armilla_map_layout *layout);

#endif
