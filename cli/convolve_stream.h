/* armilla convolve --stream: a convolution from file to file, of a map that need not fit into
 * memory. */
#ifndef ARMILLA_CLI_CONVOLVE_STREAM_H
#define ARMILLA_CLI_CONVOLVE_STREAM_H

#include "radial.h"

/* What the command line says; texts may be NULL but for path and output. */
typedef struct stream_request {
    const char *path, *field, *mask, *output;
    const char *memory; /* GB, as typed */
    const char *hdu;    /* extension of the map, as typed */
    int overwrite, fill;
    double least;
} stream_request;

typedef struct stream {
    stream_request request;
    armilla_map_input *input, *mask; /* mask NULL: none */
    armilla_map_output *output;
    pixel_share pixels; /* all of them */
    int64_t npix;
    int64_t column;        /* of the file */
    armilla_field field;   /* that column, without values */
    int is_mean;           /* holes are left out; else they count as 0 */
    int has_holes;         /* there may be some, or there is a mask */
    int64_t nmissing;      /* in the map, or masked */
    int64_t nlost;         /* missing in the result */
    double *values, *cuts; /* a chunk of pixels of the map, and of the mask */
} stream;

/* Is the text of --memory a number of GB above 0? CLI_OK, or CLI_USAGE after a message. */
int stream_check_memory(const char *memory);

/* Opens the files that are read, and finds the column. Returns an exit code, after a message unless
 * CLI_OK; free with stream_free in any case. */
int convolve_stream_open(const stream_request *request, stream *self);
void stream_free(stream *self); /* one of zeros is allowed */

/* Looks for holes, tells the memory it takes, convolves and writes the output. is_mean: the kernel
 * is normalized, so holes are left out. Returns an exit code, as above. */
int stream_convolve(stream *self, const radial *plan, int is_mean);

#endif
