/* Writes pictures band by band, into files that appear whole or not at all. */
#include "picture/output.h"

#include "base/memory.h"
#include "base/team.h"
#include "io/atomic_file.h"
#include "picture/canvas.h"
#include "picture/png_writer.h"
#include <errno.h>
#include <string.h>
#include <strings.h>

enum { BAND_ROWS = 64 };

typedef struct painter {
    const armilla_layer *layer;
    int64_t width, first;
    armilla_rgb *pixels;
} painter;

static void paint_row(void *context, int64_t index, int thread)
{
    const painter *p = context;
    (void)thread;
    armilla_rgb *row = p->pixels + index * p->width;
    const int64_t y = p->first + index;
    memset(row, 255, (size_t)p->width * sizeof *row);
    if (p->layer && y >= p->layer->top && y < p->layer->bottom)
        p->layer->paint(p->layer->context, y, row);
}

void armilla_layer_paint(const armilla_layer *layer, int nthreads, int64_t width, int64_t first,
                         int64_t rows, armilla_rgb *pixels)
{
    painter p = {layer, width, first, pixels};
    armilla_team_run(layer ? nthreads : 1, rows, paint_row, &p);
}

/* --- PNG -------------------------------------------------------------------------------------- */

static armilla_status write_bands(armilla_png *png, armilla_canvas *canvas,
                                  const armilla_drawing *drawing, const armilla_layer *layer,
                                  int nthreads)
{
    armilla_status status = ARMILLA_OK;
    for (canvas->top = 0; canvas->top < drawing->height && !status; canvas->top += BAND_ROWS) {
        const int64_t left = drawing->height - canvas->top;
        canvas->rows = left < BAND_ROWS ? left : BAND_ROWS;
        armilla_layer_paint(layer, nthreads, canvas->width, canvas->top, canvas->rows,
                            canvas->pixels);
        armilla_canvas_paint(canvas, drawing);
        status = armilla_png_write_rows(png, canvas->pixels, canvas->rows);
    }
    if (!status) return armilla_png_finish(png);
    armilla_png_abandon(png);
    return status;
}

static armilla_status write_png(const char *path, const armilla_drawing *drawing,
                                const armilla_layer *layer, int nthreads)
{
    armilla_png *png;
    armilla_canvas canvas = {.width = drawing->width};
    armilla_status status = armilla_canvas_allocate(&canvas, BAND_ROWS);
    if (status) return status;
    status = armilla_png_open(path, drawing->width, drawing->height, &png);
    if (!status) status = write_bands(png, &canvas, drawing, layer, nthreads);
    armilla_canvas_release(&canvas);
    return status;
}

/* --- Files ------------------------------------------------------------------------------------ */

static armilla_status write_svg(const char *path, const armilla_drawing *drawing,
                                const armilla_layer *layer, int nthreads)
{
    FILE *file = fopen(path, "wb");
    if (!file) return armilla_fail(ARMILLA_ERROR_IO, "cannot write %s: %s", path, strerror(errno));
    armilla_status status = armilla_svg_write(file, drawing, layer, nthreads);
    const int failed = ferror(file), closed = fclose(file);
    if (!status && (failed || closed))
        status = armilla_fail(ARMILLA_ERROR_IO, "cannot write the picture: %s", strerror(errno));
    return status;
}

static int is_svg(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".svg") == 0;
}

armilla_status armilla_output_write(const char *path, const armilla_drawing *drawing,
                                    const armilla_layer *layer, int nthreads, int overwrite)
{
    armilla_atomic_file *file;
    if (drawing->status) return drawing->status;
    armilla_status status = armilla_atomic_begin(path, overwrite, &file);
    if (status) return status;
    const char *name = armilla_atomic_name(file);
    status = is_svg(path) ? write_svg(name, drawing, layer, nthreads)
                          : write_png(name, drawing, layer, nthreads);
    if (!status) return armilla_atomic_commit(file);
    armilla_atomic_abort(file);
    return status;
}
