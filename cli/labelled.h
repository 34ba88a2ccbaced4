/* Files of labelled arrays: NetCDF, Zarr (a directory, which C has no library for) and GRIB. The
 * Python package reads them; a command that is given one checks its options and becomes Python. */
#ifndef ARMILLA_CLI_LABELLED_H
#define ARMILLA_CLI_LABELLED_H

#include "options.h"

/* What the package needs for such files, as python/armilla/_errors.py has it. */
#define LABELLED_INSTALL "pip install xarray \"dask[array]\" netCDF4 zarr"

/* What the command line says of such a file; NULL, 0 and -1: nothing. */
typedef struct labelled_arguments {
    const char *var, *kind, *missing, *grid, *from, *coordsys, *hdu;
    int64_t lmax, iterations;
    int image, store_double;
} labelled_arguments;

/* Does the name end as that of such a file does? */
int labelled_is(const char *path);

/* Are the words of the options among those that exist? Returns an exit code, after a message. */
int labelled_check(const labelled_arguments *given);

/* Becomes Python with a command of this name; returns, with an exit code and after a message, only
 * where that cannot begin. */
int labelled_run(const char *name, const common *base, const char *output,
                 const labelled_arguments *given);

#endif
