/* Finds the extension of a file that --hdu means, by its number or its name. */
#include "hdu.h"

#include "cards.h"
#include "message.h"

#include <stdlib.h>

static armilla_status look_for_image(const char *path, int *is_image)
{
    char *header, axes[80];
    const armilla_status status = armilla_io_header(path, 0, &header);
    if (status) return status;
    cards_find(header, "NAXIS", axes);
    *is_image = strtoll(axes, NULL, 10) > 0;
    armilla_io_text_free(header);
    return ARMILLA_OK;
}

/* To the calls that read maps 0 is no number of the primary HDU. */
static armilla_status find_primary(const char *path, const char *name, int *hdu)
{
    int is_image = 0;
    const armilla_status status = look_for_image(path, &is_image);
    if (status || !is_image) return status ? status : armilla_io_find_hdu(path, name, 1, hdu);
    *hdu = ARMILLA_IO_PRIMARY;
    return ARMILLA_OK;
}

int hdu_find(const char *path, const char *name, int *hdu)
{
    *hdu = 0;
    armilla_status status = name ? armilla_io_find_hdu(path, name, 0, hdu) : ARMILLA_OK;
    if (!status && name && *hdu == 0) status = find_primary(path, name, hdu);
    return status ? library_error(status, path) : CLI_OK;
}
