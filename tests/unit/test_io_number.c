/* Checks that decimal numbers in text are read exactly, in any locale, and that other text is
 * refused. */
#include "test_io_support.h"

#include "base/platform.h"
#include "io/number.h"
#include <locale.h>
#include <math.h>

static int parse(const char *text, double *value)
{
    return armilla_parse_number(text, strlen(text), value);
}

static void numbers_are_read_exactly(void **state)
{
    (void)state;
    const char *texts[] = {"0",
                           "1.5",
                           "-.25",
                           "+3.",
                           " 1e3 ",
                           "1D-3",
                           "2.5d+2",
                           "1.5-105",
                           "1.25+2",
                           "6.0221E23",
                           "4.9406564584124654e-324",
                           "0.1000000000000000055511151231257827021181583404541015625",
                           "-0"};
    const double values[] = {0,        1.5, -.25,      3,         1000, 1e-3, 250,
                             1.5e-105, 125, 6.0221e23, 0x1p-1074, .1,   -0.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double value = 7;
        if (!parse(texts[i], &value)) fail_msg("'%s' was refused", texts[i]);
        if (bits_of(value) != bits_of(values[i])) fail_msg("'%s' gave %.17g", texts[i], value);
    }
}

static void other_text_is_refused(void **state)
{
    (void)state;
    const char *texts[] = {"",     " ",   ".",   "-",     "e5",  "1e",   "1e+", "1,5",  "1.5.2",
                           "0x10", "nan", "inf", "1e999", "1 2", "1e5x", "--1", "1d5e", "1f"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 7;
        if (parse(texts[i], &value)) fail_msg("'%s' was taken as %g", texts[i], value);
        assert_true(value == 7);
    }
    double value = 7;
    assert_false(armilla_parse_number("1\0002", 3, &value));
    char field[600]; /* longer than any sensible number */
    memset(field, '1', sizeof field);
    assert_false(armilla_parse_number(field, sizeof field, &value));
}

static void integers_are_exact_or_refused(void **state)
{
    (void)state;
    int64_t value = 0;
    assert_true(armilla_parse_integer("9223372036854775807", 19, &value));
    assert_int_equal(value, INT64_MAX);
    assert_true(armilla_parse_integer(" -42 ", 5, &value));
    assert_int_equal(value, -42);
    assert_true(armilla_parse_integer("32.", 3, &value));
    assert_int_equal(value, 32);
    assert_true(armilla_parse_integer("1.2D1", 5, &value));
    assert_int_equal(value, 12);
    assert_false(armilla_parse_integer("9223372036854775808", 19, &value));
    assert_false(armilla_parse_integer("1.5", 3, &value));
    assert_false(armilla_parse_integer("1e30", 4, &value));
    assert_false(armilla_parse_integer("", 0, &value));
    assert_int_equal(value, 12);
}

/* A made-up locale database entry is not needed: any installed locale with a decimal comma does. */
static void decimal_comma_of_the_locale_does_not_matter(void **state)
{
    (void)state;
    const char *names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR", "pl_PL.UTF-8"};
    int found = 0;
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found) skip();
    double value = 0;
    char text[16];
    assert_true(parse("1.5e1", &value));
    assert_true(value == 15);
    assert_false(parse("1,5", &value));
    armilla_c_locale scope;
    armilla_c_locale_enter(&scope);
    snprintf(text, sizeof text, "%g", 1.5);
    armilla_c_locale_leave(&scope);
    assert_string_equal(text, "1.5");
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, "1,5");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_exactly),
        cmocka_unit_test(other_text_is_refused),
        cmocka_unit_test(integers_are_exact_or_refused),
        cmocka_unit_test(decimal_comma_of_the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
