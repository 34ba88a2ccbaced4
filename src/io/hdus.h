/* HDUs of FITS files by number or name, and lists of them for messages. */
#ifndef ARMILLA_IO_HDUS_H
#define ARMILLA_IO_HDUS_H

#include "io/fits_file.h"

/* Records "hdu = ASKED: FILE has 2 extension(s): 0 PRIMARY, 1 xtension, 2 MASK" and returns
 * ARMILLA_ERROR_ARGUMENT. Moves to other HDUs. */
armilla_status armilla_fits_fail_hdu(const armilla_fits *fits, const char *asked);

#endif
