/* Kernels of radial convolution as people write them: gaussian:1deg, table:FILE, ... */
#ifndef ARMILLA_CLI_KERNEL_H
#define ARMILLA_CLI_KERNEL_H

#include <armilla/armilla.h>

/* What the help says about them. */
#define KERNEL_HELP                                                                                \
    "Kernels: gaussian:FWHM, tophat:RADIUS, mexhat:FWHM (angles with a unit), "                    \
    "needlet:BASE,SCALE,\n"                                                                        \
    "table:FILE (text of two columns, theta and K: theta in radians, or as a comment such as\n"    \
    "\"# theta in arcmin\" says; K in 1/steradian), window:FILE (b_l, as for smooth --beam)."

/* The file that text names: "b.fits" of window:b.fits; NULL where it names none. */
const char *kernel_file(const char *text);

/* Makes the kernel that text describes. Returns an exit code, after a message unless CLI_OK. Free
 * with armilla_kernel_free. */
int kernel_new(const char *text, armilla_kernel **kernel);

/* The same; label: what messages call the text, "--kernel" in kernel_new. */
int kernel_new_as(const char *label, const char *text, armilla_kernel **kernel);

/* Reads a table: see KERNEL_HELP. Columns are separated by blanks or commas; *theta (radians) and
 * *values, *count each, are to be freed with free. In kernel_table.c. */
int kernel_read_table(const char *path, int64_t *count, double **theta, double **values);

#endif
