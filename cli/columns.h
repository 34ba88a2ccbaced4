/* Text files of one to three columns of numbers, and comments that begin with #. Strict: every
 * other line must have that many numbers, so that a damaged file is not taken for a shorter one. */
#ifndef ARMILLA_CLI_COLUMNS_H
#define ARMILLA_CLI_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_NUMBERS = 3 };

typedef struct columns {
    const char *path;  /* "-": standard input */
    const char *names; /* "theta and K" */
    int64_t width;     /* numbers of a row, 1 to MOST_NUMBERS */
    int64_t most;      /* rows */
    /* NULL, or what is wrong with a row; may be NULL itself */
    const char *(*check)(const double *row);
    /* reads a comment in front of the first row; NULL: none is read. NULL, or what is wrong */
    const char *(*comment)(void *data, const char *text);
    void *data;
    int64_t line, count, room;
    double *rows; /* [count][width]; malloc */
} columns;

/* Given:    path, names, width, most, functions; the rest 0.
 * Returned: an exit code, after a message unless CLI_OK; count and rows, which are the caller's to
 *           free in any case. */
int columns_read(columns *self);

#endif
