/* The only door to libpng: 8-bit RGB pictures written row by row. */
#ifndef ARMILLA_PICTURE_PNG_WRITER_H
#define ARMILLA_PICTURE_PNG_WRITER_H

#include "base/status.h"
#include "picture/palette.h"
#include <stdio.h>

typedef struct armilla_png armilla_png;

/* Opens the file (emptied if it exists) and writes the header.
 * Given:    path  also the name in messages;  1 <= width, height < 2^31.
 * Errors:   IO, MEMORY. */
armilla_status armilla_png_open(const char *path, int64_t width, int64_t height, armilla_png **png);

/* The same as letters (base64) into a file of the caller's, which stays open. */
armilla_status armilla_png_begin_text(FILE *file, int64_t width, int64_t height, armilla_png **png);

/* Writes the next rows, from the top. Errors: IO, MEMORY. */
armilla_status armilla_png_write_rows(armilla_png *png, const armilla_rgb *pixels, int64_t rows);

/* Writes the end (all rows must have been written) and closes the file; frees png in any case. */
armilla_status armilla_png_finish(armilla_png *png);

/* Frees png and closes the file, half-written as it is; NULL is allowed. */
void armilla_png_abandon(armilla_png *png);

#endif
