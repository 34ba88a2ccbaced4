/* A look at the headers of a FITS file before cfitsio sees them. */
#ifndef ARMILLA_IO_FITS_SCREEN_H
#define ARMILLA_IO_FITS_SCREEN_H

#include "base/status.h"

/* Walks from header to header and checks the keywords that say how large an HDU is.
 * Given:    path;  size  of the file in bytes.
 * Returned: *count   HDUs from the start whose headers are sound (the data of the last one may be
 *                    cut off);
 *           *is_cut  whether something that begins like another HDU, but is not sound, follows;
 *           *starts  count bytes at which they begin; armilla_release it, after errors as well.
 * Errors:   IO, MEMORY. */
armilla_status armilla_fits_screen(const char *path, int64_t size, int *count, int *is_cut,
                                   int64_t **starts);

#endif
