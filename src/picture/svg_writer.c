/* Writes a drawing as an SVG file: shapes as paths, the layer of pixels as a PNG within it. Numbers
 * are written as whole hundredths, so that no locale has a say in them. */
#include "picture/output.h"

#include "base/memory.h"
#include "picture/png_writer.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_ROWS = 64, LINE_SIZE = 256 };

static void put(FILE *file, const char *text)
{
    fwrite(text, 1, strlen(text), file); /* errors stay with the file: the caller asks ferror */
}

static void put_number(FILE *file, const char *before, double value)
{
    char text[48];
    const int64_t hundredths = (int64_t)llrint(100.0 * value), size = llabs(hundredths);
    const char *sign = hundredths < 0 ? "-" : "";
    if (size % 100)
        snprintf(text, sizeof text, "%s%lld.%02lld", sign, (long long)(size / 100),
                 (long long)(size % 100));
    else
        snprintf(text, sizeof text, "%s%lld", sign, (long long)(size / 100));
    put(file, before);
    put(file, text);
}

/* --- The layer -------------------------------------------------------------------------------- */

static armilla_status put_rows(armilla_png *png, const armilla_layer *layer, int64_t width,
                               int nthreads, armilla_rgb *pixels)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t y = layer->top; y < layer->bottom && !status; y += BAND_ROWS) {
        const int64_t rows = layer->bottom - y < BAND_ROWS ? layer->bottom - y : BAND_ROWS;
        armilla_layer_paint(layer, nthreads, width, y, rows, pixels);
        status = armilla_png_write_rows(png, pixels, rows);
    }
    if (!status) return armilla_png_finish(png);
    armilla_png_abandon(png);
    return status;
}

static armilla_status put_layer(FILE *file, const armilla_layer *layer, int64_t width, int nthreads)
{
    armilla_rgb *pixels;
    armilla_png *png;
    armilla_status status = armilla_allocate(&pixels, BAND_ROWS * width, sizeof *pixels);
    if (status) return status;
    put_number(file, "<image x=\"0\" y=\"", (double)layer->top);
    put_number(file, "\" width=\"", (double)width);
    put_number(file, "\" height=\"", (double)(layer->bottom - layer->top));
    put(file, "\" href=\"data:image/png;base64,");
    status = armilla_png_begin_text(file, width, layer->bottom - layer->top, &png);
    if (!status) status = put_rows(png, layer, width, nthreads, pixels);
    put(file, "\"/>\n");
    armilla_release(pixels);
    return status;
}

/* --- Shapes ----------------------------------------------------------------------------------- */

static void put_style(FILE *file, const armilla_style *style)
{
    char text[LINE_SIZE];
    const armilla_rgb c = style->color;
    const int is_line = style->width > 0.0;
    snprintf(text, sizeof text, "<path %s=\"#%02x%02x%02x\"%s", is_line ? "stroke" : "fill", c.r,
             c.g, c.b, is_line ? " fill=\"none\"" : "");
    put(file, text);
    if (is_line) {
        put_number(file, " stroke-width=\"", style->width);
        put(file, "\" stroke-linejoin=\"round\" stroke-linecap=\"round\"");
    }
    if (style->alpha < 1.0) {
        put_number(file, " opacity=\"", style->alpha);
        put(file, "\"");
    }
}

static void put_shape(FILE *file, const armilla_drawing *d, const armilla_shape *shape)
{
    static const char *const LETTERS[] = {"M", "L", "Q", " "};
    if (shape->count == 0) return;
    put_style(file, &shape->style);
    put(file, " d=\"");
    for (int64_t i = 0; i < shape->count; i++) {
        const armilla_node *node = &d->nodes[shape->first + i];
        put_number(file, LETTERS[node->step], node->x);
        put_number(file, " ", node->y);
    }
    put(file, "\"/>\n");
}

armilla_status armilla_svg_write(FILE *file, const armilla_drawing *drawing,
                                 const armilla_layer *layer, int nthreads)
{
    armilla_status status = ARMILLA_OK;
    put(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_number(file, " width=\"", (double)drawing->width);
    put_number(file, "\" height=\"", (double)drawing->height);
    put_number(file, "\" viewBox=\"0 0 ", (double)drawing->width);
    put_number(file, " ", (double)drawing->height);
    put(file, "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    if (layer) status = put_layer(file, layer, drawing->width, nthreads);
    for (int64_t i = 0; i < drawing->nshapes && !status; i++)
        put_shape(file, drawing, &drawing->shapes[i]);
    put(file, "</svg>\n");
    return status;
}
