/* Checks the parts of pictures: the diverging colours, range, ticks, text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/io.h"
#include "picture/canvas.h"
#include "picture/font.h"
#include "picture/ticks.h"
#include <math.h>
#include <string.h>

static void color_map_darkens_from_the_centre_to_both_ends(void **state)
{
    (void)state;
    armilla_rgb t[ARMILLA_PALETTE_SIZE];
    armilla_palette_fill(ARMILLA_COLORS_DIVERGING, t);
    double before = 0.0;
    for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++) {
        double light = 0.2126 * t[i].r + 0.7152 * t[i].g + 0.0722 * t[i].b;
        if (i > 0 && i < ARMILLA_PALETTE_SIZE / 2) assert_true(light > before - 1.0);
        if (i > ARMILLA_PALETTE_SIZE / 2) assert_true(light < before + 1.0);
        before = light;
    }
    assert_true(t[0].b > 2 * t[0].r && t[ARMILLA_PALETTE_SIZE - 1].r > 2 * t[1023].b);
    assert_int_equal(armilla_palette_index(0.0), 0);
    assert_int_equal(armilla_palette_index(0.5), ARMILLA_PALETTE_SIZE / 2);
    assert_int_equal(armilla_palette_index(1.0), ARMILLA_PALETTE_SIZE - 1);
}

static void range_is_that_of_the_quantiles(void **state)
{
    (void)state;
    static double values[100001];
    for (int i = 0; i <= 100000; i++) values[i] = (double)((int64_t)i * 7919 % 100001);
    values[17] = ARMILLA_UNSEEN, values[18] = NAN, values[19] = 1e9, values[20] = INFINITY;
    double low = NAN, high = NAN;
    assert_int_equal(armilla_picture_range(100001, values, -INFINITY, &low, &high), ARMILLA_OK);
    assert_true(fabs(low - 500.0) < 3.0 && fabs(high - 99500.0) < 3.0);
    low = -5.0, high = NAN;
    assert_int_equal(armilla_picture_range(100001, values, -INFINITY, &low, &high), ARMILLA_OK);
    assert_true(low == -5.0 && fabs(high - 99500.0) < 3.0);
}

static void empty_ranges_are_widened(void **state)
{
    (void)state;
    const double constant[3] = {4.0, 4.0, NAN}, missing[3] = {NAN, ARMILLA_UNSEEN, NAN};
    const double tiny[3] = {0.0, 5e-324, 0.0}, huge[3] = {-1.7e308, 1.7e308, 0.0};
    const double *cases[] = {constant, missing, tiny, huge};
    for (int i = 0; i < 4; i++) {
        double low = NAN, high = NAN;
        assert_int_equal(armilla_picture_range(3, cases[i], -INFINITY, &low, &high), ARMILLA_OK);
        assert_true(low < high && isfinite(high - low));
        if (i == 0) assert_true(low < 4.0 && high > 4.0);
    }
    double low = 2.0, high = 2.0;
    assert_int_equal(armilla_picture_range(3, constant, -INFINITY, &low, &high), ARMILLA_OK);
    assert_true(low < 2.0 && high > 2.0);
    low = 100.0, high = NAN; /* above all data */
    assert_int_equal(armilla_picture_range(3, constant, -INFINITY, &low, &high), ARMILLA_OK);
    assert_true(low < high);
}

static void point_source_on_zeros_is_visible(void **state)
{
    (void)state;
    static double map[768];
    map[384] = 5.0;
    double low = NAN, high = NAN;
    assert_int_equal(armilla_picture_range(768, map, -INFINITY, &low, &high), ARMILLA_OK);
    assert_true(low == 0.0 && high == 5.0);
}

static void ticks_are_round_and_inside(void **state)
{
    (void)state;
    static const double RANGES[][2] = {{-213.0, 219.0},  {0.0, 1.0},       {-1e300, 1e300},
                                       {1e-290, 7e-290}, {1e9, 1e9 + 1.0}, {-3e-5, 4e-6}};
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
        for (int most = 2; most <= 9; most++) {
            double low = RANGES[i][0], high = RANGES[i][1], slack = 1e-8 * (high - low);
            armilla_ticks t;
            armilla_ticks_make(low, high, most, &t);
            assert_true(t.count >= 1 && t.count <= most);
            double step = t.count > 1 ? t.values[1] - t.values[0] : 1.0;
            double mantissa = step / pow(10.0, floor(log10(step) + 1e-6));
            for (int k = 0; k < t.count; k++)
                assert_true(t.values[k] >= low - slack && t.values[k] <= high + slack);
            assert_true(fabs(mantissa - 1.0) < 1e-5 || fabs(mantissa - 2.0) < 1e-5 ||
                        fabs(mantissa - 5.0) < 1e-5);
        }
}

static void tick_labels_read_well(void **state)
{
    (void)state;
    armilla_ticks t;
    armilla_ticks_make(-213.0, 219.0, 5, &t);
    assert_int_equal(t.count, 5);
    assert_string_equal(t.labels[0], "\xE2\x88\x92"
                                     "200");
    assert_string_equal(t.labels[2], "0");
    armilla_ticks_make(0.0, 1.0, 6, &t);
    assert_string_equal(t.labels[1], "0.2");
    assert_string_equal(t.labels[5], "1.0");
    armilla_ticks_make(-3e-5, 4e-6, 4, &t);
    assert_string_equal(t.labels[0], "\xE2\x88\x92"
                                     "3e"
                                     "\xE2\x88\x92"
                                     "5");
    armilla_ticks_make(0.0, 2e7, 5, &t);
    assert_string_equal(t.labels[1], "0.5e7");
}

/* --- Text ------------------------------------------------------------------------------------- */

static int64_t ink(const armilla_canvas *canvas, int64_t left, int64_t right)
{
    int64_t total = 0;
    for (int64_t i = 0; i < canvas->rows; i++)
        for (int64_t j = left; j < right; j++)
            total += 255 - canvas->pixels[i * canvas->width + j].g;
    return total;
}

enum { BOARD_WIDTH = 300, BOARD_HEIGHT = 60 };

static int64_t ink_of(const char *text, double room, int64_t left, int64_t right)
{
    static armilla_rgb board[BOARD_WIDTH * BOARD_HEIGHT];
    static float cover[(BOARD_WIDTH + 2) * BOARD_HEIGHT];
    memset(board, 255, sizeof board);
    armilla_canvas canvas = {board, BOARD_WIDTH, 0, BOARD_HEIGHT, cover};
    armilla_drawing drawing = {.width = BOARD_WIDTH, .height = BOARD_HEIGHT};
    armilla_font_draw(
        &drawing, &(armilla_label){.text = text, .x = 10.0, .y = 40.0, .size = 20.0, .room = room});
    armilla_canvas_paint(&canvas, &drawing);
    armilla_drawing_clear(&drawing);
    return ink(&canvas, left, right);
}

static void every_character_leaves_ink_within_its_width(void **state)
{
    (void)state;
    for (char c = '!'; c <= '~'; c++) {
        char text[2] = {c, 0};
        int64_t end = 10 + (int64_t)ceil(20.0 * armilla_font_width(text)) + 2;
        assert_true(ink_of(text, 200.0, 0, BOARD_WIDTH) > 1000);
        assert_int_equal(ink_of(text, 200.0, 0, 8) + ink_of(text, 200.0, end, BOARD_WIDTH), 0);
    }
    assert_int_equal(ink_of(" ", 200.0, 0, BOARD_WIDTH), 0);
}

/* The UTF-8 of a character from U+0080 to U+FFFF. */
static const char *utf8_of(int character)
{
    static char text[4];
    const int is_long = character >= 0x800;
    memset(text, 0, sizeof text);
    if (is_long) text[0] = (char)(0xE0 | character >> 12);
    text[is_long] = (char)((is_long ? 0x80 : 0xC0) | (character >> 6 & (is_long ? 0x3F : 0x1F)));
    text[is_long + 1] = (char)(0x80 | (character & 0x3F));
    return text;
}

static void assert_drawn(int character)
{
    const char *text = utf8_of(character);
    const int64_t end = 10 + (int64_t)ceil(20.0 * armilla_font_width(text)) + 2;
    if (armilla_picture_unknown(text)) fail_msg("U+%04X has no glyph", character);
    assert_true(ink_of(text, 200.0, 0, BOARD_WIDTH) > 500);
    const int64_t outside = ink_of(text, 200.0, 0, 8) + ink_of(text, 200.0, end, BOARD_WIDTH);
    if (outside) fail_msg("U+%04X leaves its width", character);
}

static void greek_and_mathematics_are_drawn(void **state)
{
    (void)state;
    static const int signs[] = {
        0xB0,   0xB1,   0xB2,   0xB3,   0xB5,   0xB7,   0xB9,   0xC5,   0xD7,   0xF7,
        0x127,  0x3D1,  0x3D5,  0x3F5,  0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D,
        0x2026, 0x2032, 0x2033, 0x207A, 0x207B, 0x207F, 0x208A, 0x208B, 0x2113, 0x2126,
        0x212B, 0x2190, 0x2192, 0x2194, 0x2202, 0x2206, 0x2207, 0x2208, 0x220F, 0x2211,
        0x2212, 0x2213, 0x221A, 0x221D, 0x221E, 0x222B, 0x223C, 0x2248, 0x2260, 0x2261,
        0x2264, 0x2265, 0x22C5, 0x2299, 0x2609, 0x27E8, 0x27E9};
    for (int c = 0x391; c <= 0x3A9; c++)
        if (c != 0x3A2) assert_drawn(c);
    for (int c = 0x3B1; c <= 0x3C9; c++) assert_drawn(c);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) assert_drawn(signs[i]);
    for (int digit = 0; digit < 10; digit++) {
        if (digit < 1 || digit > 3) assert_drawn(0x2070 + digit);
        assert_drawn(0x2080 + digit);
    }
    assert_true(armilla_font_width("10\xE2\x81\xB6") < armilla_font_width("106"));
}

static void missing_glyphs_are_told(void **state)
{
    (void)state;
    const char *text =
        "T\xCE\xA9 \xE5\xA4\xA9 and \xFF"; /* T, Omega, a Chinese letter, a lone byte */
    assert_ptr_equal(armilla_picture_unknown(text), text + 4);
    assert_ptr_equal(armilla_picture_unknown(text + 5), text + 5); /* in the middle of one */
    assert_ptr_equal(armilla_picture_unknown(text + 7), text + 12);
    assert_null(armilla_picture_unknown("C_\xE2\x84\x93 in \xCE\xBCK\xC2\xB2\n"));
    assert_null(armilla_picture_unknown(""));
    assert_null(armilla_picture_unknown(NULL));
}

static void utf8_signs_are_known_and_bad_bytes_harmless(void **state)
{
    (void)state;
    double question = armilla_font_width("?");
    assert_true(armilla_font_width("\xC2\xB5") == armilla_font_width("\xCE\xBC")); /* both mu */
    assert_true(armilla_font_width("\xC2\xB5") != question);
    assert_true(armilla_font_width("\xE5\xA4\xA9") == question); /* unknown */
    assert_true(armilla_font_width("\xC2") == question);         /* cut */
    assert_true(armilla_font_width("\xF0\x9F\x98") == armilla_font_width("???"));
    assert_true(armilla_font_width("\xFFm") == armilla_font_width("?m"));
    assert_true(armilla_font_width("") == 0.0);
}

static void long_text_is_cut_to_its_room(void **state)
{
    (void)state;
    const char *text = "a sentence too long for the place it has";
    assert_true(armilla_font_width(text) * 20.0 > 200.0);
    assert_int_equal(ink_of(text, 200.0, 10 + 200 + 2, BOARD_WIDTH), 0);
    assert_true(ink_of(text, 200.0, 10 + 160, 10 + 202) > 500); /* the dots */
}

/* value / threshold must be a number: colours are looked up by it. */
static void thresholds_too_far_from_the_scale_are_refused(void **state)
{
    (void)state;
    const double values[3] = {-1e10, 1.0, 1e10}, thresholds[4] = {1e-300, 5e-324, 1e300, 1e-80};
    for (int i = 0; i < 4; i++) {
        armilla_scale s = {.kind = ARMILLA_SCALE_SYMLOG, .threshold = thresholds[i]};
        s.minimum = s.maximum = NAN;
        const armilla_status status = armilla_scale_make(3, values, &s);
        assert_int_equal(status, i < 3 ? ARMILLA_ERROR_ARGUMENT : ARMILLA_OK);
        if (i < 3) assert_non_null(strstr(armilla_status_message(), "threshold"));
        if (i == 3) assert_true(fabs(armilla_scale_share(&s, 0.0) - 0.5) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(color_map_darkens_from_the_centre_to_both_ends),
        cmocka_unit_test(range_is_that_of_the_quantiles),
        cmocka_unit_test(empty_ranges_are_widened),
        cmocka_unit_test(point_source_on_zeros_is_visible),
        cmocka_unit_test(ticks_are_round_and_inside),
        cmocka_unit_test(tick_labels_read_well),
        cmocka_unit_test(every_character_leaves_ink_within_its_width),
        cmocka_unit_test(greek_and_mathematics_are_drawn),
        cmocka_unit_test(missing_glyphs_are_told),
        cmocka_unit_test(utf8_signs_are_known_and_bad_bytes_harmless),
        cmocka_unit_test(long_text_is_cut_to_its_room),
        cmocka_unit_test(thresholds_too_far_from_the_scale_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
