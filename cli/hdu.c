/* Finds the extension of a file that --hdu means, by its number or its name. */
#include "hdu.h"

#include "message.h"

#include <armilla/armilla.h>

int hdu_find(const char *path, const char *name, int *hdu)
{
    *hdu = 0;
    const armilla_status status = name ? armilla_io_find_hdu(path, name, 1, hdu) : ARMILLA_OK;
    return status ? library_error(status, path) : CLI_OK;
}
