/* Checks colour scales, colour maps, letters, SVG files and plots of spectra. */
#include "picture_checks.h"

#include "picture/font.h"
#include "picture/scale.h"

/* --- Colour scales ---------------------------------------------------------------------------- */

static double share_of(armilla_color_scale kind, double threshold, double minimum, double maximum,
                       double value)
{
    double values[100];
    for (int i = 0; i < 100; i++) values[i] = i * i;
    armilla_scale s = {
        .kind = kind, .threshold = threshold, .minimum = minimum, .maximum = maximum};
    assert_int_equal(armilla_scale_make(100, values, &s), ARMILLA_OK);
    const double share = armilla_scale_share(&s, value);
    if (value > s.minimum && value < s.maximum)
        assert_true(fabs(armilla_scale_value(&s, share) - value) < 1e-9 * fabs(value) + 1e-12);
    return share;
}

static void scales_are_what_they_are_called(void **state)
{
    (void)state;
    assert_true(fabs(share_of(ARMILLA_SCALE_LINEAR, NAN, -1.0, 3.0, 0.0) - 0.25) < 1e-12);
    assert_true(fabs(share_of(ARMILLA_SCALE_LOG, NAN, 1.0, 1e4, 10.0) - 0.25) < 1e-12);
    assert_true(share_of(ARMILLA_SCALE_LOG, NAN, 1.0, 1e4, -10.0) == 0.0);
    assert_true(fabs(share_of(ARMILLA_SCALE_SYMLOG, 1.0, -1e3, 1e3, 0.0) - 0.5) < 1e-12);
    assert_true(fabs(share_of(ARMILLA_SCALE_SYMLOG, 1.0, -1e3, 1e3, 10.0) -
                     0.5 * (1.0 + asinh(10.0) / asinh(1e3))) < 1e-12);
    /* half of the values 0, 1, 4, 9, ... lie below 50 * 50 */
    assert_true(fabs(share_of(ARMILLA_SCALE_EQUALISED, NAN, 0.0, 9801.0, 2500.0) - 0.5) < 0.01);
    double value = 1.0;
    armilla_scale bad = {.kind = ARMILLA_SCALE_LOG, .minimum = -1.0, .maximum = NAN};
    assert_int_equal(armilla_scale_make(1, &value, &bad), ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), "minimum = -1"));
}

static void color_maps_are_the_known_ones(void **state)
{
    (void)state;
    static const struct {
        armilla_color_map map;
        unsigned char first[3], last[3];
    } CASES[] = {
        {ARMILLA_COLORS_VIRIDIS, {0x44, 0x01, 0x54}, {0xFD, 0xE7, 0x24}},
        {ARMILLA_COLORS_MAGMA, {0x00, 0x00, 0x03}, {0xFB, 0xFC, 0xBF}},
        {ARMILLA_COLORS_PLANCK, {0, 0, 255}, {100, 0, 0}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        unsigned char rgb[9];
        assert_int_equal(armilla_picture_colors(CASES[i].map, 3, rgb), ARMILLA_OK);
        for (int k = 0; k < 3; k++) {
            assert_true(abs(rgb[k] - CASES[i].first[k]) < 2);
            assert_true(abs(rgb[6 + k] - CASES[i].last[k]) < 2);
        }
    }
    unsigned char rgb[3];
    assert_int_equal(armilla_picture_colors(ARMILLA_COLORS_GREY, 1, rgb), ARMILLA_ERROR_ARGUMENT);
}

/* --- SVG -------------------------------------------------------------------------------------- */

/* The image in an SVG is the same as in a PNG: its bytes are decoded from base64 here. */
static void svg_files_hold_the_same_sky(void **state)
{
    (void)state;
    static char text[1 << 20], name[112];
    static unsigned char bytes[1 << 19];
    double map[12] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, NAN};
    armilla_picture_options o = options_for(0.0, 1.0);
    o.title = "T < 3 & more";
    snprintf(name, sizeof name, "%s/map.SVG", folder);
    assert_int_equal(armilla_picture_write(name, 1, map, &o, 1), ARMILLA_OK);
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(name);
    const char *at = strstr(text, "base64,");
    assert_true(at && strstr(text, "<path") && strstr(text, "</svg>"));
    size_t count = 0, bits = 0, held = 0;
    static const char LETTERS[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (at += 7; *at != '"' && *at != '='; at++) {
        bits = bits << 6 | (size_t)(strchr(LETTERS, *at) - LETTERS), held += 6;
        if (held >= 8) bytes[count++] = (unsigned char)(bits >> (held -= 8));
    }
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes, count));
    image.format = PNG_FORMAT_RGB;
    armilla_rgb *sky = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(sky);
    assert_true(png_image_finish_read(&image, NULL, sky, 0, NULL));
    const armilla_panel *p = &layout_of(&o).panels[0];
    const int64_t top = (int64_t)floor(p->center_y - p->scale) - 1;
    decoded d = draw(1, map, &o);
    for (int64_t y = 40; y < 120; y++)
        for (int64_t x = 150; x < 250; x++)
            assert_true(same(sky[(y - top) * WIDTH + x], d.pixels[y * WIDTH + x]));
    free(sky);
    free(d.pixels);
}

/* --- Letters ---------------------------------------------------------------------------------- */

static void texts_have_widths_and_unknown_letters(void **state)
{
    (void)state;
    assert_true(fabs(armilla_font_width("mm") - 2.0 * armilla_font_width("m")) < 1e-12);
    assert_true(armilla_font_width("W") > armilla_font_width("i"));
    assert_null(armilla_font_first_unknown("\u0394T [\u00B5K\u00B2] \u2113 \u2264 10\u207B\u00B3"));
    const char *text = "a \u5929 b";
    assert_ptr_equal(armilla_font_first_unknown(text), text + 2);
    char unit[ARMILLA_FONT_UNIT_SIZE];
    armilla_font_unit("uK^2", unit);
    assert_string_equal(unit, "\u00B5K\u00B2");
}

/* --- Spectra ---------------------------------------------------------------------------------- */

/* The mean row of the blue ink in a column of the picture, or NaN. */
static double ink_row(const decoded *d, int64_t x)
{
    double sum = 0.0, all = 0.0;
    for (int64_t y = 0; y < d->height; y++) {
        const armilla_rgb c = d->pixels[y * d->width + x];
        const double ink = c.b > c.r + 20 ? (double)(c.b - c.r) : 0.0;
        sum += ink * ((double)y + 0.5), all += ink;
    }
    return sum / all;
}

/* C_l = 1 / l (l + 1) has a flat D_l: a horizontal line; C_l itself falls. */
static void spectra_are_drawn_as_curves(void **state)
{
    (void)state;
    double cl[101];
    for (int l = 0; l <= 100; l++) cl[l] = l ? 1.0 / (l * (l + 1.0)) : 0.0;
    const armilla_curve curve = {.cl = cl, .lmax = 100};
    armilla_plot_options o;
    armilla_plot_options_init(&o);
    o.width = 600, o.lowest = 0.0, o.highest = 0.5;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_OK);
    decoded d = read_png();
    assert_true(d.width == 600 && d.height == 375);
    const double left = ink_row(&d, 200), right = ink_row(&d, 500);
    assert_true(fabs(left - right) < 1.0);
    assert_true(left > 0.45 * 375 && left < 0.75 * 375); /* 1 / 2 pi = 0.159 of 0.5 */
    free(d.pixels);
    o.plain = 1, o.log_power = 1, o.lowest = o.highest = NAN;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_OK);
    d = read_png();
    assert_true(ink_row(&d, 500) > ink_row(&d, 200) + 20.0);
    free(d.pixels);
}

static void bad_plots_are_refused_by_name(void **state)
{
    (void)state;
    double cl[4] = {1, 1, 1, 1}, nothing[4] = {NAN, NAN, NAN, NAN};
    const armilla_curve curve = {.cl = cl, .lmax = 3}, empty = {.cl = nothing, .lmax = 3};
    armilla_plot_options o;
    armilla_plot_options_init(&o);
    assert_int_equal(armilla_picture_write_spectra(path, 0, &curve, &o, 1), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_picture_write_spectra(path, 1, &empty, &o, 1), ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), "curves"));
    o.log_power = 1, o.lowest = -1.0;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), "lowest = -1"));
    armilla_plot_options_init(&o);
    o.first = 5.0, o.last = 2.0;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_ERROR_ARGUMENT);
    o.first = 1.0, o.last = NAN, o.width = 10;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), "width = 10"));
}

/* Where doubles end, plots do not hang, and are right or refused. */
static void far_ranges_of_plots_are_right_or_refused(void **state)
{
    (void)state;
    double cl[4] = {1, 1, 1e-10, 1e10};
    const armilla_curve curve = {.cl = cl, .lmax = 3};
    armilla_plot_options o;
    armilla_plot_options_init(&o);
    o.width = 300, o.first = 1e19, o.last = 1e20;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_ERROR_ARGUMENT);
    armilla_plot_options_init(&o);
    o.width = 300, o.lowest = -1.5e308, o.highest = 1.5e308;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_ERROR_ARGUMENT);
    o.log_power = 1, o.lowest = 1e-323, o.highest = 2e-323;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_OK);
    o.plain = 1, o.first = 1.0, o.lowest = 1e-300, o.highest = 1e300;
    assert_int_equal(armilla_picture_write_spectra(path, 1, &curve, &o, 1), ARMILLA_OK);
    decoded d = read_png(); /* 1 is in the middle */
    const double row = ink_row(&d, 70);
    assert_true(row > 0.4 * (double)d.height && row < 0.55 * (double)d.height);
    free(d.pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_are_what_they_are_called),
        cmocka_unit_test(color_maps_are_the_known_ones),
        cmocka_unit_test(svg_files_hold_the_same_sky),
        cmocka_unit_test(texts_have_widths_and_unknown_letters),
        cmocka_unit_test(spectra_are_drawn_as_curves),
        cmocka_unit_test(bad_plots_are_refused_by_name),
        cmocka_unit_test(far_ranges_of_plots_are_right_or_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
