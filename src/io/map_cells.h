/* Where the pixels of one field are in a file, for reads and writes of some of them.
 *
 *     row 0 | field 0: repeat pixels | field 1 | ...        a cell: the pixels of a field in a row
 *     row 1 | field 0                | field 1 | ...
 *
 * A range of pixels is cut into windows of at most some 1 MiB, each a stretch of the file that is
 * moved in one call. With one field cells follow each other, and a window is nothing but pixels.
 * Else it is (a part of) one cell, or, where cells are small, whole rows: other fields included. */
#ifndef ARMILLA_IO_MAP_CELLS_H
#define ARMILLA_IO_MAP_CELLS_H

#include "base/status.h"

typedef struct armilla_cells {
    int64_t start; /* of the table's rows in the file */
    int64_t row_bytes;
    int64_t offset; /* of a cell in its row */
    int64_t width;  /* bytes of a pixel */
    int64_t repeat; /* pixels of a cell */
} armilla_cells;

typedef struct armilla_cells_window {
    int64_t count;     /* pixels */
    int64_t at, bytes; /* in the file */
    int is_whole;      /* no bytes of other fields between the pixels */
} armilla_cells_window;

/* The window that begins with pixel `first`, of at most count >= 1 pixels. */
armilla_cells_window armilla_cells_look(const armilla_cells *cells, int64_t first, int64_t count);

/* Bytes that hold any window of at most count pixels. */
int64_t armilla_cells_room(const armilla_cells *cells, int64_t count);

/* The byte of the file at which a pixel begins, and how many pixels from it on are in its cell. */
int64_t armilla_cells_byte(const armilla_cells *cells, int64_t pixel);
int64_t armilla_cells_run(const armilla_cells *cells, int64_t pixel);

/* Is first .. first + count - 1 a range of the map's pixels? Errors: ARGUMENT. */
armilla_status armilla_cells_check(int64_t first, int64_t count, int64_t npix);

#endif
