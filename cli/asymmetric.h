/* Tables of kernels at offsets, which convolve --asymmetric takes. */
#ifndef ARMILLA_CLI_ASYMMETRIC_H
#define ARMILLA_CLI_ASYMMETRIC_H

#include <armilla/armilla.h>

/* What the help says about them. */
#define ASYMMETRIC_HELP                                                                            \
    "A table of kernels at offsets is a text file of four columns, as armilla.beam.fit_kernels "   \
    "in\n"                                                                                         \
    "Python writes it: colatitude and longitude of the centre in the frame of the beam, with\n"    \
    "units, the weight, and the kernel, such as \"3arcmin 45deg 0.8 gaussian:20arcmin\"; "         \
    "comments\n"                                                                                   \
    "begin with #. The beam is taken to each pixel, with its x axis to the south if --psi is 0.\n" \
    "Missing pixels count as 0, as sums of kernels may be negative."

typedef struct asymmetric_table {
    int64_t count, room;
    armilla_kernel **kernels;
    double *offsets, *weights; /* [count][2], [count] */
} asymmetric_table;

/* Given:    self of zeros.
 * Returned: an exit code, after a message unless CLI_OK. Free with asymmetric_free in any case. */
int asymmetric_read(const char *path, asymmetric_table *self);
void asymmetric_free(asymmetric_table *self);

#endif
