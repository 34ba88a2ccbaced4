/* Pictures: maps of any grid on seven projections, and plots of power spectra, as PNG or SVG.
 *
 * The plane of a projection has x to the east and y to the north; its middle is the direction
 * (1, 0, 0), and "up" there is the z axis. A picture turns the sky first, so that what it shows in
 * the middle comes to that axis, and has the east on the left, as astronomers do who look up, or on
 * the right, as on maps of the Earth. */
#ifndef ARMILLA_PICTURE_H
#define ARMILLA_PICTURE_H

#include "grid.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Projections ------------------------------------------------------------------------------ */

/* r is the distance from the middle in the plane, c the angle from the middle on the sphere. */
typedef enum armilla_projection {
    ARMILLA_PROJECTION_MOLLWEIDE = 0,       /* the sphere, equal areas: |x| <= 2, |y| <= 1 */
    ARMILLA_PROJECTION_ORTHOGRAPHIC = 1,    /* from far away: r = sin c, c <= 90 degrees */
    ARMILLA_PROJECTION_GNOMONIC = 2,        /* great circles are straight: r = tan c, c < 90 */
    ARMILLA_PROJECTION_EQUIRECTANGULAR = 3, /* x longitude, y latitude, radians */
    ARMILLA_PROJECTION_LAMBERT = 4,         /* azimuthal, equal areas: r = 2 sin(c / 2) */
    ARMILLA_PROJECTION_EQUIDISTANT = 5,     /* azimuthal, distances kept: r = c, radians */
    ARMILLA_PROJECTION_STEREOGRAPHIC = 6    /* angles kept: r = 2 tan(c / 2) */
} armilla_projection;

/* Where directions lie in the plane.
 * Given:    vectors  (3, n) doubles: n values of x, then of y, then of z; unit vectors.
 * Returned: x, y  n values each; NaN where the projection cannot show the direction (gnomonic:
 *           where cos c <= 0.001).
 * Errors:   ARGUMENT.
 * Reference: Snyder 1987, USGS Professional Paper 1395; docs/mathematics.md (12.3). */
ARMILLA_API armilla_status armilla_projection_forward(armilla_projection projection, int64_t n,
                                                      const double *vectors, double *x, double *y);

/* The other way.
 * Given:    x, y  n values each. Longitudes of the equirectangular plane may be any number.
 * Returned: vectors  (3, n); NaN outside of the projection, to which points that are beyond the
 *           edge by 1e-12 or less still belong.
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_projection_inverse(armilla_projection projection, int64_t n,
                                                      const double *x, const double *y,
                                                      double *vectors);

/* --- Maps ------------------------------------------------------------------------------------- */

typedef enum armilla_color_map {
    ARMILLA_COLORS_DIVERGING = 0, /* blue, white, red: grey prints show the size, too */
    ARMILLA_COLORS_PLANCK = 1,    /* the colours of Planck's maps of the CMB (S. Colombi) */
    ARMILLA_COLORS_VIRIDIS = 2,
    ARMILLA_COLORS_MAGMA = 3,
    ARMILLA_COLORS_GREY = 4
} armilla_color_map;

typedef enum armilla_color_scale {
    ARMILLA_SCALE_LINEAR = 0,
    ARMILLA_SCALE_LOG = 1,      /* values that are not positive have the lowest colour */
    ARMILLA_SCALE_SYMLOG = 2,   /* asinh(value / threshold): linear around 0, logarithmic outside */
    ARMILLA_SCALE_EQUALISED = 3 /* as many pixels in each colour: ranks within the map */
} armilla_color_scale;

typedef struct armilla_picture_options {
    size_t size;    /* set by _init */
    int64_t width;  /* pixels, 200 to 20000; default 1600 */
    double minimum; /* colour scale; NaN (default): from the data (0.5 % and 99.5 % quantile) */
    double maximum;
    const char *title; /* may be NULL. UTF-8: Latin and Greek letters, digits above and below the
                        * line, signs of units and mathematics; others become '?', see
                        * armilla_picture_unknown */
    const char *unit;  /* below the colour bar; may be NULL; likewise */
    int64_t nthreads;  /* 0 (default): all available to the process */
    armilla_projection projection; /* default MOLLWEIDE */
    int two_sides;    /* of the azimuthal projections that have an edge at 90 degrees or more
                       * (ORTHOGRAPHIC, LAMBERT, EQUIDISTANT, STEREOGRAPHIC): not 0: two discs,
                       * of which the second shows what is behind the first; default 0 */
    double fov;       /* diameter of what is shown, radians; NaN (default): 20 degrees for
                       * GNOMONIC, which is a square, 180 degrees for the other azimuthal ones.
                       * No meaning for MOLLWEIDE and EQUIRECTANGULAR */
    double longitude; /* what is in the middle, radians, in the coordinates of the picture */
    double latitude;  /* default 0, 0 */
    double angle;     /* by which the picture is turned around its middle; radians */
    char from, to;    /* 'C', 'G', 'E': systems of the map and of the picture, as in
                       * armilla_rotation_from_coordinates; 0, 0 (default): one system */
    int east_right;   /* 0 (default): the sky from inside; 1: the Earth from outside */
    int graticule;    /* not 0: parallels and meridians, with their degrees */
    armilla_color_map colors;  /* default DIVERGING */
    armilla_color_scale scale; /* default LINEAR */
    double threshold; /* SYMLOG: up to where colours are about linear; NaN (default): a hundredth
                       * of the largest end of the scale; 1e-100 to 1e100 times that end */
} armilla_picture_options;

ARMILLA_API void armilla_picture_options_init_sized(armilla_picture_options *options, size_t size);
#define armilla_picture_options_init(options)                                                      \
    armilla_picture_options_init_sized(options, sizeof(armilla_picture_options))

/* Given:    text  in UTF-8, such as a title.
 * Returned: where the first character begins for which pictures have no glyph and which they draw
 *           as a '?'; NULL if there is none, or if text is NULL. */
ARMILLA_API const char *armilla_picture_unknown(const char *text);

/* Returned: rgb  (n, 3) bytes of sRGB: n >= 2 colours of a colour map at equal distances, from the
 *           colour of the smallest value to the colour of the largest. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_picture_colors(armilla_color_map colors, int64_t n,
                                                  unsigned char *rgb);

/* Draws a map of a grid, with a colour bar; missing pixels (ARMILLA_UNSEEN, NaN) are grey, and so
 * is the sky where a grid has no rings.
 * Given:    path  of the file: SVG if it ends in ".svg" (lines and letters are curves, the sky is
 *           an image in it), else PNG;  grid;  values  armilla_grid_npix(grid) doubles;  options or
 *           NULL;  overwrite  0: refuse an existing file.
 * Errors:   ARGUMENT, IO, MEMORY. */
ARMILLA_API armilla_status armilla_picture_write_map(const char *path, const armilla_grid *grid,
                                                     const double *values,
                                                     const armilla_picture_options *options,
                                                     int overwrite);

/* The same for a HEALPix map in RING order: values  12 nside^2 doubles. */
ARMILLA_API armilla_status armilla_picture_write(const char *path, int64_t nside,
                                                 const double *values,
                                                 const armilla_picture_options *options,
                                                 int overwrite);

/* --- Spectra ---------------------------------------------------------------------------------- */

typedef struct armilla_curve {
    const double *cl; /* C_l of degrees 0 .. lmax */
    int64_t lmax;
    const char *label; /* for the legend, UTF-8; NULL or "": the curve is not in it */
    int dashed;        /* not 0: and dark, such as the theory behind a measurement */
} armilla_curve;

typedef struct armilla_plot_options {
    size_t size;            /* set by _init */
    int64_t width;          /* pixels, 200 to 20000; default 1200; the height is 5/8 of it */
    const char *title;      /* may be NULL */
    const char *unit;       /* of C_l, such as "uK^2"; may be NULL */
    int plain;              /* not 0: C_l; default 0: D_l = l (l + 1) C_l / 2 pi */
    int log_degree;         /* not 0: a logarithmic axis of l, from l = 1; default 0 */
    int log_power;          /* not 0: a logarithmic axis of C_l or D_l, which shows absolute values;
                             * negative ones in a lighter colour; default 0 */
    double first, last;     /* degrees shown; NaN (default): from 2 to the largest lmax */
    double lowest, highest; /* of C_l or D_l; NaN (default): from the data */
} armilla_plot_options;

ARMILLA_API void armilla_plot_options_init_sized(armilla_plot_options *options, size_t size);
#define armilla_plot_options_init(options)                                                         \
    armilla_plot_options_init_sized(options, sizeof(armilla_plot_options))

/* Draws power spectra as curves over the degree, with axes and a legend.
 * Given:    path  as for maps;  ncurves  1 to 16;  curves;  options or NULL;  overwrite.
 * Errors:   ARGUMENT (also where nothing of any curve can be shown), IO, MEMORY. */
ARMILLA_API armilla_status armilla_picture_write_spectra(const char *path, int64_t ncurves,
                                                         const armilla_curve *curves,
                                                         const armilla_plot_options *options,
                                                         int overwrite);

#ifdef __cplusplus
}
#endif
#endif
