/* Text output under a temporary name that is renamed when it is whole, as the library does it for
 * its files. */
#ifndef ARMILLA_CLI_TEXTFILE_H
#define ARMILLA_CLI_TEXTFILE_H

#include <limits.h>
#include <stdio.h>

typedef struct textfile {
    FILE *stream; /* write here */
    const char *path;
    char temporary[PATH_MAX];
    int overwrite, is_standard; /* standard: standard output, "-" */
} textfile;

/* Both return an exit code, after a message unless CLI_OK. path must outlive the file. */
int textfile_open(const char *path, int overwrite, textfile *self);

/* Finishes the file; on failure nothing is left of it. */
int textfile_close(textfile *self);

#endif
