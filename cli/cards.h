/* Cards of a map's header that its successor keeps: all but those that say how the table lies in
 * the file, which pixels it has, and what its columns are called. */
#ifndef ARMILLA_CLI_CARDS_H
#define ARMILLA_CLI_CARDS_H

#include <armilla/armilla.h>

typedef struct cards {
    int64_t count;
    armilla_keyword *keywords; /* as armilla_write_options takes them */
    char *text;                /* which they point into */
} cards;

/* The value of a card of a header, as armilla_io_header has it, to its end or a comment, without
 * quotes; "" if there is none. */
void cards_find(const char *header, const char *name, char value[80]);

/* Reads those of an extension, or of ARMILLA_IO_PRIMARY, and adds a line of HISTORY behind them.
 * Returns an exit code, after a message unless CLI_OK. Free with cards_free in any case. */
int cards_read(const char *path, int hdu, const char *history, cards *self);
void cards_free(cards *self); /* zeros are allowed */

#endif
