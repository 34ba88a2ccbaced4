/* A look at the headers of a FITS file before cfitsio sees them. */
#ifndef ARMILLA_IO_FITS_SCREEN_H
#define ARMILLA_IO_FITS_SCREEN_H

#include "base/status.h"

/* What the walk found. */
typedef struct armilla_screen {
    int count;       /* HDUs from the start whose headers are sound */
    int is_cut;      /* something that begins like another HDU, but is not sound, follows */
    int64_t lacking; /* bytes of the last one's data that are not in the file */
    int64_t *starts; /* count bytes at which they begin; armilla_release it, after errors as well */
} armilla_screen;

/* Walks from header to header and checks the keywords that say how large an HDU is.
 * Given:    path;  size  of the file in bytes.
 * Errors:   IO, MEMORY. */
armilla_status armilla_fits_screen(const char *path, int64_t size, armilla_screen *screen);

#endif
