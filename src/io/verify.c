/* Whether a FITS file is whole. */
#include "armilla/io.h"

#include "io/fits_table.h"

static armilla_status verify_hdu(const armilla_fits *fits, int hdu)
{
    int type;
    armilla_table table = {0};
    armilla_status status = armilla_fits_move(fits, hdu, &type);
    if (status || type == IMAGE_HDU) return status;
    status = armilla_table_open(fits, type, &table);
    armilla_table_clear(&table);
    return status;
}

armilla_status armilla_io_verify(const char *path)
{
    armilla_fits fits;
    armilla_status status = armilla_fits_open(path, &fits);
    if (status) return status;
    for (int hdu = 0; hdu < fits.count && !status; hdu++) status = verify_hdu(&fits, hdu);
    if (!status) status = armilla_fits_check_end(&fits);
    armilla_fits_close(&fits);
    return status;
}
