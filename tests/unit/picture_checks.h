/* Pictures are checked by decoding them again with libpng: what is tested is what a viewer shows.
 * The folder and the helpers here serve all tests of pictures; each file makes its own copy. */
#ifndef ARMILLA_TESTS_PICTURE_CHECKS_H
#define ARMILLA_TESTS_PICTURE_CHECKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/healpix.h"
#include "armilla/io.h"
#include "picture/palette.h"
#include "picture/sky_layout.h"
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 400 };

static char folder[64], path[96];

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/armilla_picture_XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/map.png", folder);
    return 0;
}

static inline int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* --- Reading back ----------------------------------------------------------------------------- */

typedef struct {
    int64_t width, height;
    armilla_rgb *pixels;
} decoded;

static inline decoded read_png(void)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    decoded d = {image.width, image.height, malloc(PNG_IMAGE_SIZE(image))};
    assert_non_null(d.pixels);
    assert_true(png_image_finish_read(&image, NULL, d.pixels, 0, NULL));
    return d;
}

static inline armilla_rgb pixel_at(const decoded *d, double x, double y)
{
    int64_t column = (int64_t)floor(x), row = (int64_t)floor(y);
    assert_true(column >= 0 && column < d->width && row >= 0 && row < d->height);
    return d->pixels[row * d->width + column];
}

static inline int same(armilla_rgb a, armilla_rgb b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

static inline int is_grey(armilla_rgb c)
{
    return c.r == c.g && c.g == c.b && c.r > 100 && c.r < 200;
}

static inline int is_white(armilla_rgb c)
{
    return c.r == 255 && c.g == 255 && c.b == 255;
}

static inline armilla_rgb end_color(int top)
{
    armilla_rgb table[ARMILLA_PALETTE_SIZE];
    armilla_palette_fill(ARMILLA_COLORS_DIVERGING, table);
    return table[top ? ARMILLA_PALETTE_SIZE - 1 : 0];
}

static inline armilla_sky_layout layout_of(const armilla_picture_options *o)
{
    armilla_sky_layout layout;
    assert_int_equal(armilla_sky_layout_make(o, &layout), ARMILLA_OK);
    return layout;
}

static inline armilla_picture_options options_for(double minimum, double maximum)
{
    armilla_picture_options o;
    armilla_picture_options_init(&o);
    o.width = WIDTH, o.minimum = minimum, o.maximum = maximum;
    return o;
}

static inline decoded draw(int64_t nside, const double *values, const armilla_picture_options *o)
{
    assert_int_equal(armilla_picture_write(path, nside, values, o, 1), ARMILLA_OK);
    decoded d = read_png();
    armilla_sky_layout layout = layout_of(o);
    assert_int_equal(d.width, o->width);
    assert_int_equal(d.height, layout.height);
    return d;
}

/* Where a direction is painted: Newton's method for 2 t + sin 2t = pi sin(latitude). Degrees;
 * longitude -180 .. 180. */
static inline void project(const armilla_sky_layout *l, double longitude, double latitude,
                           double *x, double *y)
{
    double t = latitude * M_PI / 180.0, target = M_PI * sin(t);
    for (int i = 0; i < 60; i++)
        t -= (2.0 * t + sin(2.0 * t) - target) / (2.0 + 2.0 * cos(2.0 * t));
    *x = l->panels[0].center_x - l->panels[0].scale * longitude / 90.0 * cos(t);
    *y = l->panels[0].center_y - l->panels[0].scale * sin(t);
}

static inline armilla_rgb color_of(const decoded *d, const armilla_sky_layout *l, double longitude,
                                   double latitude)
{
    double x, y;
    project(l, longitude, latitude, &x, &y);
    return pixel_at(d, x, y);
}

#endif
