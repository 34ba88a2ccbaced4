/* Checks what a picture of a map is asked to show, and computes from its width where its title, its
 * panels, its colour bar and its labels are, and how high it must be. All lengths grow with the
 * width, but text stays readable in small pictures. */
#include "picture/sky_layout.h"

#include "armilla/rotation.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

static const double TITLE_SMALLEST = 12.0, LABEL_SMALLEST = 9.0; /* pixels of an em */
static const double DEGREE = M_PI / 180.0;
enum { SMALLEST_WIDTH = 200, LARGEST_WIDTH = 20000 };

/* --- Directions ------------------------------------------------------------------------------- */

armilla_unit_vector armilla_turn(const double m[9], armilla_unit_vector v)
{
    return (armilla_unit_vector){m[0] * v.x + m[1] * v.y + m[2] * v.z,
                                 m[3] * v.x + m[4] * v.y + m[5] * v.z,
                                 m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

armilla_unit_vector armilla_turn_back(const double m[9], armilla_unit_vector v)
{
    return (armilla_unit_vector){m[0] * v.x + m[3] * v.y + m[6] * v.z,
                                 m[1] * v.x + m[4] * v.y + m[7] * v.z,
                                 m[2] * v.x + m[5] * v.y + m[8] * v.z};
}

static void multiply(const double a[9], const double b[9], double product[9])
{
    double made[9];
    for (int i = 0; i < 9; i++) {
        const double *row = a + i / 3 * 3, *column = b + i % 3;
        made[i] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
    }
    memcpy(product, made, sizeof made);
}

/* Is a point of the plane part of the panel? */
static int is_within(const armilla_panel *p, armilla_point at)
{
    const double slack = 1.0 + 1e-9;
    if (p->projection == ARMILLA_PROJECTION_MOLLWEIDE)
        return 0.25 * at.x * at.x + at.y * at.y <= slack;
    if (p->projection == ARMILLA_PROJECTION_GNOMONIC ||
        p->projection == ARMILLA_PROJECTION_EQUIRECTANGULAR)
        return fabs(at.x) <= p->half_x * slack && fabs(at.y) <= p->half_y * slack;
    return hypot(at.x, at.y) <= p->half_x * slack;
}

armilla_point armilla_panel_place(const armilla_panel *p, armilla_unit_vector v)
{
    const armilla_point at = armilla_project(p->projection, v);
    if (!is_within(p, at)) return (armilla_point){NAN, NAN};
    return (armilla_point){p->center_x + p->scale * p->east * at.x, p->center_y - p->scale * at.y};
}

armilla_unit_vector armilla_panel_look(const armilla_panel *p, double x, double y)
{
    const armilla_point at = {p->east * (x - p->center_x) / p->scale, (p->center_y - y) / p->scale};
    if (!is_within(p, at)) return (armilla_unit_vector){NAN, NAN, NAN};
    return armilla_unproject(p->projection, at);
}

/* --- What is asked for ------------------------------------------------------------------------ */

static int has_sides(armilla_projection projection)
{
    return armilla_projection_is_azimuthal(projection) && projection != ARMILLA_PROJECTION_GNOMONIC;
}

static double widest_field(armilla_projection projection)
{
    switch (projection) {
    case ARMILLA_PROJECTION_ORTHOGRAPHIC:
        return 180.0 * DEGREE;
    case ARMILLA_PROJECTION_GNOMONIC:
        return 170.0 * DEGREE;
    case ARMILLA_PROJECTION_STEREOGRAPHIC:
        return 340.0 * DEGREE;
    default:
        return 360.0 * DEGREE;
    }
}

static armilla_status check_field(const armilla_picture_options *o)
{
    const double widest = widest_field(o->projection) * (1.0 + 1e-12);
    if (isnan(o->fov)) return ARMILLA_OK;
    if (!armilla_projection_is_azimuthal(o->projection))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "fov = %g rad: this projection shows the whole sky", o->fov);
    if (!(o->fov >= 1e-6 && o->fov <= widest))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "fov = %g rad: must be 1e-6 to %.6g in this projection", o->fov,
                            widest);
    if (o->two_sides && o->fov > M_PI * (1.0 + 1e-12))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "fov = %g rad: must be at most pi where both sides are shown", o->fov);
    return ARMILLA_OK;
}

static armilla_status check_numbers(const armilla_picture_options *o)
{
    const int64_t projection = (int64_t)o->projection, colors = (int64_t)o->colors;
    if (o->width < SMALLEST_WIDTH || o->width > LARGEST_WIDTH)
        return armilla_fail_argument("width", o->width, "must be 200 to 20000");
    if (projection < 0 || projection > ARMILLA_PROJECTION_STEREOGRAPHIC)
        return armilla_fail_argument("projection", projection, "must be one of armilla_projection");
    if (colors < 0 || colors > ARMILLA_COLORS_GREY)
        return armilla_fail_argument("colors", colors, "must be one of armilla_color_map");
    if (!isfinite(o->longitude + o->latitude + o->angle))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "longitude, latitude, angle = %g, %g, %g: must be finite", o->longitude,
                            o->latitude, o->angle);
    if (o->two_sides && !has_sides(o->projection))
        return armilla_fail_argument("two_sides", o->two_sides,
                                     "must be 0 in this projection, which has one image");
    return check_field(o);
}

/* --- The sky turned --------------------------------------------------------------------------- */

/* Right-handed rotation by an angle about an axis: 0 x, 1 y, 2 z. */
static void axis_turn(int axis, double angle, double m[9])
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    memset(m, 0, 9 * sizeof *m);
    m[4 * axis] = 1.0;
    m[4 * i] = m[4 * j] = cos(angle);
    m[3 * j + i] = sin(angle), m[3 * i + j] = -sin(angle);
}

/* Rx(-angle) Ry(latitude) Rz(-longitude): the middle comes to the x axis. */
static void make_turn(const armilla_picture_options *o, double m[9])
{
    double step[9];
    axis_turn(2, -o->longitude, m);
    axis_turn(1, o->latitude, step);
    multiply(step, m, m);
    axis_turn(0, -o->angle, step);
    multiply(step, m, m);
}

static armilla_status make_matrices(const armilla_picture_options *o, armilla_sky_layout *l)
{
    double system[9], back[9];
    axis_turn(0, 0.0, system);
    if (o->from || o->to) {
        armilla_rotation rotation;
        armilla_status status = armilla_rotation_from_coordinates(o->from, o->to, &rotation);
        if (!status) status = armilla_rotation_matrix(&rotation, system);
        if (status) return status;
    }
    make_turn(o, l->panels[0].turn);
    axis_turn(2, M_PI, back);
    multiply(back, l->panels[0].turn, l->panels[1].turn);
    for (int i = 0; i < 2; i++) multiply(l->panels[i].turn, system, l->panels[i].whole);
    return ARMILLA_OK;
}

/* --- Places ----------------------------------------------------------------------------------- */

/* Half of a panel's width and height in the plane. */
static void make_extent(const armilla_picture_options *o, armilla_panel *p)
{
    const int is_gnomonic = o->projection == ARMILLA_PROJECTION_GNOMONIC;
    const double field = !isnan(o->fov) ? o->fov : is_gnomonic ? 20.0 * DEGREE : M_PI;
    p->projection = o->projection;
    p->east = o->east_right ? 1.0 : -1.0;
    p->half_x = p->half_y = armilla_projection_radius(o->projection, 0.5 * field);
    if (o->projection == ARMILLA_PROJECTION_MOLLWEIDE) p->half_x = 2.0, p->half_y = 1.0;
    if (o->projection == ARMILLA_PROJECTION_EQUIRECTANGULAR) p->half_x = M_PI, p->half_y = M_PI_2;
}

/* Side by side below y; returned: where they end. */
static double place_panels(const armilla_picture_options *o, armilla_sky_layout *l, double y)
{
    const double w = (double)l->width;
    const double side = o->graticule ? fmax(l->margin, 3.3 * l->label_size) : l->margin;
    const double above = o->graticule ? 1.3 * l->label_size : 0.0;
    const double between = l->npanels > 1 ? (o->graticule ? 3.3 * l->label_size : l->margin) : 0.0;
    const double half = 0.5 * (w - 2.0 * side - between) / l->npanels;
    double bottom = y;
    for (int i = 0; i < l->npanels; i++) {
        armilla_panel *p = &l->panels[i];
        p->scale = half / p->half_x;
        p->center_x = l->npanels > 1 ? 0.5 * w + (i - 0.5) * (2.0 * half + between) : 0.5 * w;
        p->center_y = y + above + p->scale * p->half_y;
        bottom = p->center_y + p->scale * p->half_y + above;
    }
    return bottom;
}

static void place(const armilla_picture_options *o, armilla_sky_layout *l)
{
    const double w = (double)l->width;
    const int has_title = o->title && *o->title, has_unit = o->unit && *o->unit;
    double y = floor(0.025 * w);
    l->margin = floor(0.025 * w);
    l->outline = fmax(1.0, 0.0012 * w);
    l->title_size = fmax(TITLE_SMALLEST, 0.0235 * w);
    l->label_size = fmax(LABEL_SMALLEST, 0.0165 * w);
    if (has_title) {
        l->title_base = y += 0.75 * l->title_size;
        y += floor(0.9 * l->title_size);
    }
    y = ceil(place_panels(o, l, y) + 0.03 * w);
    l->bar_width = rint(0.55 * w), l->bar_left = floor(0.5 * (w - l->bar_width));
    l->bar_top = y, l->bar_height = rint(fmax(7.0, 0.016 * w));
    l->tick = 0.3 * l->label_size;
    y += l->bar_height + l->tick + 1.1 * l->label_size;
    l->label_base = y;
    if (has_unit) l->unit_base = y += 1.4 * l->label_size;
    l->height = (int64_t)ceil(y + fmax(0.02 * w, 0.6 * l->label_size));
}

armilla_status armilla_sky_layout_make(const armilla_picture_options *options,
                                       armilla_sky_layout *layout)
{
    armilla_sky_layout l = {.width = options->width, .npanels = options->two_sides ? 2 : 1};
    armilla_status status = check_numbers(options);
    if (!status) status = make_matrices(options, &l);
    if (status) return status;
    make_extent(options, &l.panels[0]);
    make_extent(options, &l.panels[1]);
    place(options, &l);
    *layout = l;
    return ARMILLA_OK;
}
