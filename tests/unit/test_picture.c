/* Checks that pictures show what was drawn: the sky in Mollweide's projection, the colour bar, and
 * that errors leave no file. */
#include "picture_checks.h"

#include "base/memory.h"
#include "picture/png_writer.h"
#include "picture/scale.h"
#include <dirent.h>

enum { NSIDE = 8, NPIX = 12 * NSIDE * NSIDE };

/* --- The sky ---------------------------------------------------------------------------------- */

static void delta_is_painted_where_it_points(void **state)
{
    (void)state;
    static const double DIRECTIONS[][2] = {/* close to centres of pixels */
                                           {0.0, 5.0},     {90.0, 5.0},   {-90.0, 5.0},
                                           {152.0, 30.0},  {-27.0, 60.0}, {19.0, -48.0},
                                           {-124.0, -66.0}};
    static double map[NPIX];
    armilla_picture_options o = options_for(0.0, 1.0);
    armilla_sky_layout layout = layout_of(&o);
    for (size_t i = 0; i < sizeof DIRECTIONS / sizeof DIRECTIONS[0]; i++) {
        double longitude = DIRECTIONS[i][0], latitude = DIRECTIONS[i][1];
        int64_t hit = armilla_healpix_ang_to_ring(NSIDE, (90.0 - latitude) * M_PI / 180.0,
                                                  longitude * M_PI / 180.0);
        map[hit] = 1.0;
        decoded d = draw(NSIDE, map, &o);
        map[hit] = 0.0;
        armilla_rgb hot = color_of(&d, &layout, longitude, latitude);
        assert_true(hot.r > 2 * hot.b);
        if (fabs(longitude) > 10.0)
            assert_true(same(color_of(&d, &layout, -longitude, latitude), end_color(0)));
        if (fabs(latitude) > 10.0)
            assert_true(same(color_of(&d, &layout, longitude, -latitude), end_color(0)));
        free(d.pixels);
    }
}

/* Facts of the twelve base pixels that need no look-up: 4 is centred on longitude 0, 5 on 90. */
static void base_pixels_are_where_healpix_says(void **state)
{
    (void)state;
    static const double CENTERS[][3] = {{4, 0.0, 0.0},      {5, 90.0, 0.0},   {7, -90.0, 0.0},
                                        {0, 45.0, 60.0},    {3, -45.0, 60.0}, {8, 45.0, -60.0},
                                        {10, -135.0, -60.0}};
    armilla_picture_options o = options_for(0.0, 1.0);
    armilla_sky_layout layout = layout_of(&o);
    for (size_t i = 0; i < sizeof CENTERS / sizeof CENTERS[0]; i++) {
        double map[12] = {0};
        map[(int)CENTERS[i][0]] = 1.0;
        decoded d = draw(1, map, &o);
        assert_true(same(color_of(&d, &layout, CENTERS[i][1], CENTERS[i][2]), end_color(1)));
        free(d.pixels);
    }
}

static void missing_pixels_are_grey(void **state)
{
    (void)state;
    const double marks[] = {ARMILLA_UNSEEN, (double)(float)ARMILLA_UNSEEN,
                            ARMILLA_UNSEEN * (1.0 + 9e-6), NAN};
    armilla_picture_options o = options_for(0.0, 1.0);
    armilla_sky_layout layout = layout_of(&o);
    for (int i = 0; i < 4; i++) {
        double map[12] = {0};
        map[5] = marks[i];
        decoded d = draw(1, map, &o);
        assert_true(is_grey(color_of(&d, &layout, 90.0, 0.0)));
        assert_true(same(color_of(&d, &layout, -90.0, 0.0), end_color(0)));
        free(d.pixels);
    }
    assert_false(armilla_picture_missing(ARMILLA_UNSEEN * (1.0 + 2e-5)));
    assert_false(armilla_picture_missing(-INFINITY));
}

static void outside_of_the_ellipse_is_white(void **state)
{
    (void)state;
    double map[12] = {0};
    armilla_picture_options o = options_for(0.0, 1.0);
    armilla_sky_layout l = layout_of(&o);
    decoded d = draw(1, map, &o);
    int64_t inside = 0, outside = 0;
    armilla_rgb zero = end_color(0);
    const armilla_panel *p = &l.panels[0];
    for (int64_t y = 0; y < (int64_t)(p->center_y + p->scale); y++)
        for (int64_t x = 0; x < d.width; x++) {
            double u = ((double)x + 0.5 - p->center_x) / (2.0 * p->scale);
            double v = ((double)y + 0.5 - p->center_y) / p->scale;
            double r = sqrt(u * u + v * v), margin = 2.5 / p->scale;
            armilla_rgb c = pixel_at(&d, (double)x, (double)y);
            if (r > 1.0 + margin) assert_true(is_white(c)), outside++;
            if (r < 1.0 - margin) assert_true(same(c, zero)), inside++;
        }
    assert_true(inside > 40000 && outside > 10000);
    free(d.pixels);
}

static void infinite_values_get_the_end_colors(void **state)
{
    (void)state;
    double map[12] = {0, 1, 0, 1, 0.5, INFINITY, 0, -INFINITY, 1, 0, 1, 0};
    armilla_picture_options o = options_for(NAN, NAN);
    armilla_sky_layout layout = layout_of(&o);
    decoded d = draw(1, map, &o);
    assert_true(same(color_of(&d, &layout, 90.0, 0.0), end_color(1)));
    assert_true(same(color_of(&d, &layout, -90.0, 0.0), end_color(0)));
    free(d.pixels);
}

/* --- The colour bar --------------------------------------------------------------------------- */

static void bar_ends_have_the_colors_of_minimum_and_maximum(void **state)
{
    (void)state;
    double map[12] = {0, 0, 0, 0, 0, 3.0, 0, -2.0, 0, 0, 0, 0};
    armilla_picture_options o = options_for(-2.0, 3.0);
    o.title = "Title", o.unit = "mK";
    armilla_sky_layout l = layout_of(&o);
    decoded d = draw(1, map, &o);
    double y = l.bar_top + 0.5 * l.bar_height;
    armilla_rgb low = pixel_at(&d, l.bar_left + 0.5, y);
    armilla_rgb high = pixel_at(&d, l.bar_left + l.bar_width - 0.5, y);
    assert_true(abs(low.r - end_color(0).r) < 4 && abs(low.b - end_color(0).b) < 4);
    assert_true(same(color_of(&d, &l, -90.0, 0.0), end_color(0)));
    assert_true(abs(high.r - end_color(1).r) < 4 && abs(high.g - end_color(1).g) < 4);
    assert_true(same(color_of(&d, &l, 90.0, 0.0), end_color(1)));
    free(d.pixels);
}

/* --- Errors ---------------------------------------------------------------------------------- */

static int files_in_folder(void)
{
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    int count = -2; /* . and .. */
    while (readdir(listing)) count++;
    closedir(listing);
    return count;
}

static void bad_arguments_are_named_and_write_nothing(void **state)
{
    (void)state;
    double map[12] = {0};
    unlink(path);
    static const struct {
        int64_t nside, width;
        double minimum, maximum;
        const char *message;
    } CASES[] = {
        {0, 400, NAN, NAN, "nside = 0"},          {1, 199, NAN, NAN, "width = 199"},
        {1, 20001, NAN, NAN, "width = 20001"},    {1, 400, 2.0, 1.0, "minimum = 2"},
        {1, 400, INFINITY, NAN, "minimum = inf"}, {1, 400, NAN, -INFINITY, "maximum = -inf"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        armilla_picture_options o = options_for(CASES[i].minimum, CASES[i].maximum);
        o.width = CASES[i].width;
        assert_int_equal(armilla_picture_write(path, CASES[i].nside, map, &o, 1),
                         ARMILLA_ERROR_ARGUMENT);
        assert_memory_equal(armilla_status_message(), CASES[i].message, strlen(CASES[i].message));
    }
    assert_int_equal(armilla_picture_write(NULL, 1, map, NULL, 1), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_picture_write(path, 1, NULL, NULL, 1), ARMILLA_ERROR_ARGUMENT);
    armilla_picture_options unset = {0};
    assert_int_equal(armilla_picture_write(path, 1, map, &unset, 1), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(files_in_folder(), 0);
}

static void existing_file_is_kept_unless_asked(void **state)
{
    (void)state;
    double map[12] = {0};
    armilla_picture_options o = options_for(NAN, NAN);
    FILE *old = fopen(path, "w");
    assert_non_null(old);
    fclose(old);
    assert_int_equal(armilla_picture_write(path, 1, map, &o, 0), ARMILLA_ERROR_IO);
    assert_int_equal(armilla_picture_write(path, 1, map, &o, 1), ARMILLA_OK);
    free(read_png().pixels);
}

static void each_failing_allocation_is_reported_and_leaves_no_file(void **state)
{
    (void)state;
    double map[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, NAN};
    armilla_picture_options o = options_for(NAN, NAN);
    o.title = "Title", o.unit = "mK", o.width = 200;
    unlink(path);
    int64_t n = 0;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    for (; status == ARMILLA_ERROR_MEMORY; n++) {
        armilla_memory_fail_after(n);
        status = armilla_picture_write(path, 1, map, &o, 1);
        armilla_memory_fail_after(-1);
        if (status) assert_int_equal(files_in_folder(), 0);
    }
    assert_int_equal(status, ARMILLA_OK);
    assert_true(n > 8); /* libpng's own are among them */
}

static void full_disk_is_an_error_not_a_crash(void **state)
{
    (void)state;
    static armilla_rgb rows[300 * 300];
    if (access("/dev/full", W_OK)) skip();
    for (int i = 0; i < 300 * 300; i++) rows[i].r = (unsigned char)(i * 7919 >> 3);
    armilla_png *png = NULL;
    armilla_status status = armilla_png_open("/dev/full", 300, 300, &png);
    if (!status) status = armilla_png_write_rows(png, rows, 300);
    if (!status)
        status = armilla_png_finish(png);
    else
        armilla_png_abandon(png);
    assert_int_equal(status, ARMILLA_ERROR_IO);
    assert_non_null(strstr(armilla_status_message(), "cannot write the picture"));
    assert_int_equal(armilla_png_open("/nonexistent/x.png", 1, 1, &png), ARMILLA_ERROR_IO);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    double map[192];
    for (int i = 0; i < 192; i++) map[i] = sin(i);
    armilla_picture_options o = options_for(NAN, NAN);
    o.nthreads = 1;
    decoded one = draw(4, map, &o);
    o.nthreads = 3;
    decoded three = draw(4, map, &o);
    armilla_sky_layout layout = layout_of(&o);
    assert_memory_equal(one.pixels, three.pixels,
                        (size_t)(layout.width * layout.height) * sizeof *one.pixels);
    free(one.pixels);
    o.size = offsetof(armilla_picture_options, nthreads); /* of a program older than the field */
    o.nthreads = -1;
    decoded old = draw(4, map, &o);
    assert_memory_equal(old.pixels, three.pixels,
                        (size_t)(layout.width * layout.height) * sizeof *old.pixels);
    free(three.pixels);
    free(old.pixels);
    o.size = sizeof o;
    assert_int_equal(armilla_picture_write(path, 4, map, &o, 1), ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), "nthreads = -1"));
}

static void all_missing_and_constant_maps_have_pictures(void **state)
{
    (void)state;
    double missing[12], constant[12];
    for (int i = 0; i < 12; i++) missing[i] = ARMILLA_UNSEEN, constant[i] = 1.5;
    armilla_picture_options o = options_for(NAN, NAN);
    armilla_sky_layout layout = layout_of(&o);
    decoded d = draw(1, missing, &o);
    assert_true(is_grey(color_of(&d, &layout, 10.0, 10.0)));
    free(d.pixels);
    d = draw(1, constant, &o);
    assert_false(is_grey(color_of(&d, &layout, 10.0, 10.0)));
    free(d.pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delta_is_painted_where_it_points),
        cmocka_unit_test(base_pixels_are_where_healpix_says),
        cmocka_unit_test(missing_pixels_are_grey),
        cmocka_unit_test(outside_of_the_ellipse_is_white),
        cmocka_unit_test(infinite_values_get_the_end_colors),
        cmocka_unit_test(bar_ends_have_the_colors_of_minimum_and_maximum),
        cmocka_unit_test(bad_arguments_are_named_and_write_nothing),
        cmocka_unit_test(existing_file_is_kept_unless_asked),
        cmocka_unit_test(each_failing_allocation_is_reported_and_leaves_no_file),
        cmocka_unit_test(full_disk_is_an_error_not_a_crash),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(all_missing_and_constant_maps_have_pictures),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
