/* Checks where directions stand: in the plane of each projection, in pictures that are turned, and
 * in the pixels of every grid. */
#include "picture_checks.h"

#include "armilla/picture.h"

/* --- Projections ------------------------------------------------------------------------------ */

static const double DEGREE = M_PI / 180.0;

static armilla_unit_vector vector_of(double longitude, double latitude)
{
    const double lon = longitude * DEGREE, lat = latitude * DEGREE;
    return (armilla_unit_vector){cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)};
}

/* Formulas of Snyder (1987) for the middle at longitude 0, latitude 0, written anew: x to the east.
 * NaN where the projection has no place for the direction. */
static armilla_point by_the_book(armilla_projection projection, double longitude, double latitude)
{
    const double lon = longitude * DEGREE, lat = latitude * DEGREE;
    const double cosine = cos(lat) * cos(lon), across = cos(lat) * sin(lon), up = sin(lat);
    double t = lat, k = 1.0;
    if (projection == ARMILLA_PROJECTION_EQUIRECTANGULAR) return (armilla_point){lon, lat};
    if (projection == ARMILLA_PROJECTION_MOLLWEIDE) {
        for (int i = 0; i < 200 && fabs(latitude) < 90.0; i++)
            t -= (2.0 * t + sin(2.0 * t) - M_PI * up) / (2.0 + 2.0 * cos(2.0 * t));
        return (armilla_point){2.0 / M_PI * lon * cos(t), sin(t)};
    }
    if (projection == ARMILLA_PROJECTION_ORTHOGRAPHIC) k = cosine >= 0.0 ? 1.0 : NAN;
    if (projection == ARMILLA_PROJECTION_GNOMONIC) k = cosine > 0.001 ? 1.0 / cosine : NAN;
    if (projection == ARMILLA_PROJECTION_LAMBERT) k = sqrt(2.0 / (1.0 + cosine));
    if (projection == ARMILLA_PROJECTION_STEREOGRAPHIC) k = 2.0 / (1.0 + cosine);
    if (projection == ARMILLA_PROJECTION_EQUIDISTANT) {
        const double c = acos(fmin(fmax(cosine, -1.0), 1.0));
        k = c > 0.0 ? c / sin(c) : 1.0;
    }
    return (armilla_point){k * across, k * up};
}

static const double PLACES[][2] = {{0, 0},      {10, 20},     {-70, -35}, {89, 1},  {150, 40},
                                   {-179, 5},   {179.9, -60}, {0, 90},    {0, -90}, {33, 89.99},
                                   {-120, -89}, {45, 0},      {-90, 45}};
enum { NPLACES = sizeof PLACES / sizeof PLACES[0] };

static void projections_follow_the_book_and_come_back(void **state)
{
    (void)state;
    for (int p = 0; p <= ARMILLA_PROJECTION_STEREOGRAPHIC; p++)
        for (int i = 0; i < NPLACES; i++) {
            const armilla_unit_vector v = vector_of(PLACES[i][0], PLACES[i][1]);
            const armilla_point told = by_the_book(p, PLACES[i][0], PLACES[i][1]);
            const double given[3] = {v.x, v.y, v.z};
            double x, y, back[3];
            assert_int_equal(armilla_projection_forward(p, 1, given, &x, &y), ARMILLA_OK);
            assert_int_equal(isnan(x), isnan(told.x));
            if (isnan(x)) continue;
            const double size = 1e-9 * fmax(1.0, hypot(x, y)); /* Newton at Mollweide's poles */
            assert_true(fabs(x - told.x) < size && fabs(y - told.y) < size);
            assert_int_equal(armilla_projection_inverse(p, 1, &x, &y, back), ARMILLA_OK);
            for (int k = 0; k < 3; k++) assert_true(fabs(back[k] - given[k]) < 1e-7);
        }
}

static void planes_end_where_projections_do(void **state)
{
    (void)state;
    static const struct {
        armilla_projection projection;
        double x, y;
        int is_inside;
    } CASES[] = {
        {ARMILLA_PROJECTION_MOLLWEIDE, 2.0, 0.0, 1},
        {ARMILLA_PROJECTION_MOLLWEIDE, 1.5, 0.7, 0},
        {ARMILLA_PROJECTION_ORTHOGRAPHIC, 0.6, 0.8, 1},
        {ARMILLA_PROJECTION_ORTHOGRAPHIC, 0.8, 0.8, 0},
        {ARMILLA_PROJECTION_EQUIRECTANGULAR, 9.0, 1.57, 1},
        {ARMILLA_PROJECTION_EQUIRECTANGULAR, 0.0, 1.58, 0},
        {ARMILLA_PROJECTION_LAMBERT, 0.0, -2.0, 1},
        {ARMILLA_PROJECTION_LAMBERT, 1.5, 1.5, 0},
        {ARMILLA_PROJECTION_EQUIDISTANT, 3.14, 0.0, 1},
        {ARMILLA_PROJECTION_EQUIDISTANT, 3.15, 0.0, 0},
        {ARMILLA_PROJECTION_GNOMONIC, 1e3, -1e3, 1},
        {ARMILLA_PROJECTION_STEREOGRAPHIC, 1e3, -1e3, 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        double v[3];
        assert_int_equal(
            armilla_projection_inverse(CASES[i].projection, 1, &CASES[i].x, &CASES[i].y, v),
            ARMILLA_OK);
        assert_int_equal(!isnan(v[0] + v[1] + v[2]), CASES[i].is_inside);
    }
    double none;
    assert_int_equal(armilla_projection_forward(99, 0, &none, &none, &none),
                     ARMILLA_ERROR_ARGUMENT);
}

/* The place of a direction in a picture whose middle is (lon, lat) turned by psi: by spherical
 * trigonometry, from Snyder's formulas for any middle. two: the disc of what lies behind. */
static armilla_point place_of(const armilla_picture_options *o, const armilla_sky_layout *l,
                              double longitude, double latitude, int behind)
{
    const double lon = longitude * DEGREE - o->longitude, lat = latitude * DEGREE;
    const double z = sin(lat), c = cos(lat), b = o->latitude;
    const double front = z * sin(b) + c * cos(b) * cos(lon);
    const double north = z * cos(b) - c * sin(b) * cos(lon), east = c * sin(lon);
    const double ca = cos(o->angle), sa = sin(o->angle);
    const double side = ca * east + sa * north, up = ca * north - sa * east;
    const double sign = behind ? -1.0 : 1.0;
    const armilla_panel *p = &l->panels[behind];
    const armilla_point at =
        by_the_book(o->projection, atan2(sign * side, sign * front) / DEGREE, asin(up) / DEGREE);
    return (armilla_point){p->center_x + (o->east_right ? 1.0 : -1.0) * p->scale * at.x,
                           p->center_y - p->scale * at.y};
}

/* A pixel that alone is 1 is red where the formulas say, and nowhere else. */
static void check_source(armilla_picture_options o, double longitude, double latitude, int behind)
{
    enum { FINE = 32 };
    static double map[12 * FINE * FINE];
    const int64_t hit =
        armilla_healpix_ang_to_ring(FINE, (90.0 - latitude) * DEGREE, longitude * DEGREE);
    double theta, phi;
    assert_int_equal(armilla_healpix_pixels_to_ang(FINE, 0, 1, &hit, &theta, &phi, 1), ARMILLA_OK);
    map[hit] = 1.0;
    decoded d = draw(FINE, map, &o);
    map[hit] = 0.0;
    const armilla_sky_layout l = layout_of(&o);
    const armilla_point at = place_of(&o, &l, phi / DEGREE, 90.0 - theta / DEGREE, behind);
    assert_true(same(pixel_at(&d, at.x, at.y), end_color(1)));
    int64_t red = 0;
    for (int64_t y = 0; y < (int64_t)l.bar_top - 2; y++)
        for (int64_t x = 0; x < d.width; x++) {
            const armilla_rgb c = d.pixels[y * d.width + x];
            if (c.r <= 2 * c.b) continue;
            red++;
            assert_true(hypot((double)x - at.x, (double)y - at.y) < 0.045 * (double)d.width);
        }
    assert_true(red > 0);
    free(d.pixels);
}

static void sources_stand_where_the_rotation_puts_them(void **state)
{
    (void)state;
    armilla_picture_options o = options_for(0.0, 1.0);
    o.longitude = 140.0 * DEGREE, o.latitude = -25.0 * DEGREE, o.angle = 35.0 * DEGREE;
    check_source(o, 150.0, -40.0, 0);
    check_source(o, -60.0, 70.0, 0);
    o.projection = ARMILLA_PROJECTION_EQUIRECTANGULAR;
    check_source(o, 100.0, 10.0, 0);
    o.projection = ARMILLA_PROJECTION_GNOMONIC, o.fov = 70.0 * DEGREE;
    check_source(o, 150.0, -20.0, 0);
    check_source(o, 120.0, -30.0, 0);
    o.projection = ARMILLA_PROJECTION_STEREOGRAPHIC, o.fov = 200.0 * DEGREE;
    check_source(o, 90.0, -20.0, 0);
    o.projection = ARMILLA_PROJECTION_ORTHOGRAPHIC, o.fov = NAN, o.two_sides = 1;
    check_source(o, 110.0, -45.0, 0);
    check_source(o, -35.0, 10.0, 1);
    o.east_right = 1;
    check_source(o, -35.0, 10.0, 1);
    check_source(o, 110.0, -45.0, 0);
}

static void polar_caps_have_the_poles_in_their_middles(void **state)
{
    (void)state;
    armilla_picture_options o = options_for(0.0, 1.0);
    o.projection = ARMILLA_PROJECTION_LAMBERT, o.two_sides = 1, o.latitude = M_PI_2;
    const armilla_sky_layout l = layout_of(&o);
    const armilla_point south = place_of(&o, &l, 77.0, -90.0, 1);
    assert_true(fabs(south.x - l.panels[1].center_x) < 1e-6);
    const armilla_point zero = place_of(&o, &l, 0.0, 30.0, 0); /* longitude 0 is below */
    assert_true(zero.y > l.panels[0].center_y + 10.0 && fabs(zero.x - l.panels[0].center_x) < 1e-6);
    check_source(o, 20.0, 88.0, 0);
    check_source(o, -110.0, 35.0, 0);
    check_source(o, -110.0, -35.0, 1);
    check_source(o, 179.0, -88.0, 1);
}

/* The north pole of the Galaxy, in equatorial coordinates: 192.86, 27.13 degrees. */
static void coordinates_turn_the_map(void **state)
{
    (void)state;
    double map[192] = {0};
    for (int i = 0; i < 4; i++) map[i] = 1.0; /* around the pole of G */
    armilla_picture_options o = options_for(0.0, 1.0);
    o.from = 'G', o.to = 'C';
    decoded d = draw(4, map, &o);
    const armilla_sky_layout l = layout_of(&o);
    assert_true(same(color_of(&d, &l, 192.859 - 360.0, 27.128), end_color(1)));
    assert_true(same(color_of(&d, &l, 192.859 - 180.0, -27.128), end_color(0)));
    free(d.pixels);
    o.to = 'X';
    assert_int_equal(armilla_picture_write(path, 4, map, &o, 1), ARMILLA_ERROR_ARGUMENT);
}

/* --- Grids ------------------------------------------------------------------------------------ */

/* Every pixel's own direction leads back to it, also where the map is laid out otherwise. */
static void check_grid(armilla_grid *grid)
{
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
        armilla_ring ring;
        assert_int_equal(armilla_grid_ring(grid, r, &ring), ARMILLA_OK);
        for (int64_t j = 0; j < ring.nphi; j++) {
            const double phi = ring.phi0 + 2.0 * M_PI * (double)j / (double)ring.nphi - 4.0 * M_PI;
            int64_t pixel;
            assert_int_equal(armilla_grid_pixels_at(grid, 1, &ring.theta, &phi, &pixel),
                             ARMILLA_OK);
            assert_int_equal(pixel, ring.offset + j * ring.stride);
        }
    }
    armilla_grid_free(grid);
}

static armilla_grid *turned(armilla_grid *grid, armilla_grid_layout layout)
{
    armilla_grid *made;
    assert_int_equal(armilla_grid_new_laid_out(grid, &layout, &made), ARMILLA_OK);
    armilla_grid_free(grid);
    return made;
}

static void pixels_are_found_on_every_grid(void **state)
{
    (void)state;
    armilla_grid *grid;
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    layout.phi0 = 0.3, layout.south_first = 1, layout.west_first = 1;
    for (int64_t nside = 1; nside < 5; nside++) {
        assert_int_equal(armilla_grid_new_healpix(nside, &grid), ARMILLA_OK);
        check_grid(grid);
        assert_int_equal(armilla_grid_new_healpix(nside, &grid), ARMILLA_OK);
        check_grid(turned(grid, layout));
    }
    for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++) {
        assert_int_equal(armilla_grid_new_equidistant(kind, 6, 9, &grid), ARMILLA_OK);
        check_grid(turned(grid, layout));
    }
    assert_int_equal(armilla_grid_new_gauss_legendre(7, 8, &grid), ARMILLA_OK);
    check_grid(grid);
    assert_int_equal(armilla_grid_new_reduced_gauss_legendre(9, 8, &grid), ARMILLA_OK);
    check_grid(grid);
}

static void grids_end_where_their_rings_do(void **state)
{
    (void)state;
    armilla_grid *grid, *part;
    const double theta[] = {0.0, M_PI, M_PI / 12 * 2.4, M_PI / 12 * 2.6, M_PI / 12 * 6.4},
                 phi[5] = {0};
    int64_t pixels[5];
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 13, 4, &grid), ARMILLA_OK);
    assert_int_equal(armilla_grid_new_subset(grid, 3, 3, 1, &part), ARMILLA_OK); /* rings 3 to 5 */
    assert_int_equal(armilla_grid_pixels_at(part, 5, theta, phi, pixels), ARMILLA_OK);
    const int64_t told[] = {-1, -1, -1, 0, -1};
    assert_memory_equal(pixels, told, sizeof told);
    assert_int_equal(armilla_grid_pixels_at(grid, 2, theta, phi, pixels), ARMILLA_OK);
    assert_true(pixels[0] == 0 && pixels[1] == 48);
    armilla_grid_free(part);
    armilla_grid_free(grid);
}

/* Beyond the poles there is no pixel, on no grid. */
static void directions_off_the_sphere_have_no_pixel(void **state)
{
    (void)state;
    armilla_grid *grids[2];
    const double theta[] = {-0.1, 3.2, INFINITY, NAN, 1.0}, phi[] = {0.0, 0.0, 0.0, 0.0, -INFINITY};
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 13, 4, &grids[0]), ARMILLA_OK);
    assert_int_equal(armilla_grid_new_healpix(2, &grids[1]), ARMILLA_OK);
    for (int i = 0; i < 2; i++) {
        int64_t pixels[5];
        assert_int_equal(armilla_grid_pixels_at(grids[i], 5, theta, phi, pixels), ARMILLA_OK);
        for (int k = 0; k < 5; k++) assert_int_equal(pixels[k], -1);
        armilla_grid_free(grids[i]);
    }
}

static void maps_of_any_grid_have_pictures(void **state)
{
    (void)state;
    armilla_grid *grid;
    double map[6 * 12] = {0};
    map[2 * 12 + 3] = 1.0; /* colatitude 75, longitude 90 */
    map[4 * 12 + 9] = NAN; /* colatitude 135, longitude 270 */
    armilla_picture_options o = options_for(0.0, 1.0);
    const armilla_sky_layout l = layout_of(&o);
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_F1, 6, 12, &grid), ARMILLA_OK);
    assert_int_equal(armilla_picture_write_map(path, grid, map, &o, 1), ARMILLA_OK);
    decoded d = read_png();
    assert_true(same(color_of(&d, &l, 90.0, 15.0), end_color(1)));
    assert_true(same(color_of(&d, &l, -90.0, 15.0), end_color(0)));
    assert_true(is_grey(color_of(&d, &l, -90.0, -45.0)));
    free(d.pixels);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_follow_the_book_and_come_back),
        cmocka_unit_test(planes_end_where_projections_do),
        cmocka_unit_test(sources_stand_where_the_rotation_puts_them),
        cmocka_unit_test(polar_caps_have_the_poles_in_their_middles),
        cmocka_unit_test(coordinates_turn_the_map),
        cmocka_unit_test(pixels_are_found_on_every_grid),
        cmocka_unit_test(grids_end_where_their_rings_do),
        cmocka_unit_test(directions_off_the_sphere_have_no_pixel),
        cmocka_unit_test(maps_of_any_grid_have_pictures),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
