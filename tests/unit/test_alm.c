/* Checks indices, layouts, conversion, real packing and windows of spherical harmonic
 * coefficients. */
#include "unit/test_alm_support.h"

#include "alm/layout.h"
#include "base/memory.h"
#include <float.h>
#include <string.h>

static void indices_count_the_triangle_order_after_order(void **state)
{
    (void)state;
    for (int64_t lmax = 0; lmax <= 20; lmax++) {
        int64_t expected = 0;
        for (int64_t m = 0; m <= lmax; m++) {
            for (int64_t l = m; l <= lmax; l++)
                assert_int_equal(armilla_alm_index(lmax, l, m), expected++);
            assert_int_equal(armilla_alm_size(lmax, m), expected);
            assert_int_equal(armilla_alm_lmax(expected, m), lmax);
        }
        assert_int_equal(armilla_alm_lmax(expected, -1), lmax);
        assert_int_equal(armilla_alm_lmax(expected + 1, -1), -1);
        if (lmax > 2) assert_int_equal(armilla_alm_lmax(expected + 1, lmax - 1), -1);
    }
}

static void indices_outside_and_overflowing_sizes_give_minus_one(void **state)
{
    (void)state;
    assert_int_equal(armilla_alm_size(-1, 0), -1);
    assert_int_equal(armilla_alm_size(3, -1), -1);
    assert_int_equal(armilla_alm_size(3, 4), -1);
    assert_int_equal(armilla_alm_index(3, 4, 0), -1);
    assert_int_equal(armilla_alm_index(3, 1, 2), -1);
    assert_int_equal(armilla_alm_index(3, 1, -1), -1);
    assert_int_equal(armilla_alm_lmax(0, -1), -1);
    assert_int_equal(armilla_alm_lmax(-5, 2), -1);
    assert_int_equal(armilla_alm_lmax(5, 2), -1);
    assert_int_equal(armilla_alm_lmax(5, INT64_MAX), -1);
    /* (lmax + 1) (lmax + 2) / 2 < 2^63 holds up to here: */
    const int64_t largest = 4294967294;
    assert_int_equal(armilla_alm_size(largest, largest), 9223372034707292160);
    assert_int_equal(armilla_alm_index(largest, largest, largest), 9223372034707292159);
    assert_int_equal(armilla_alm_lmax(9223372034707292160, -1), largest);
    assert_int_equal(armilla_alm_size(largest + 1, largest + 1), -1);
    assert_int_equal(armilla_alm_size(INT64_MAX, 0), -1);
    assert_int_equal(armilla_alm_size(INT64_MAX, INT64_MAX), -1);
    assert_int_equal(armilla_alm_index(INT64_MAX - 1, INT64_MAX - 1, INT64_MAX - 1), -1);
}

static void triangular_layout_agrees_with_the_index(void **state)
{
    (void)state;
    armilla_alm_layout *layout;
    assert_int_equal(armilla_alm_layout_new(9, 5, &layout), ARMILLA_OK);
    assert_int_equal(armilla_alm_layout_lmax(layout), 9);
    assert_int_equal(armilla_alm_layout_mmax(layout), 5);
    assert_int_equal(armilla_alm_layout_size(layout), armilla_alm_size(9, 5));
    for (int64_t m = 0; m <= 5; m++)
        for (int64_t l = m; l <= 9; l++)
            assert_int_equal(armilla_alm_layout_index(layout, l, m), armilla_alm_index(9, l, m));
    assert_int_equal(armilla_alm_layout_index(layout, 6, 6), -1);
    assert_int_equal(armilla_alm_layout_index(layout, 10, 0), -1);
    assert_int_equal(armilla_alm_layout_index(layout, 2, 3), -1);
    assert_int_equal(armilla_alm_layout_index(layout, 2, -1), -1);
    armilla_alm_layout_free(layout);
    armilla_alm_layout_free(NULL);
}

static void custom_layout_measures_its_array_and_copies(void **state)
{
    (void)state;
    int64_t mstart[3] = {100, 50, 0};
    armilla_alm_layout *layout, *copy;
    assert_int_equal(armilla_alm_layout_new_custom(4, 2, mstart, -3, &layout),
                     ARMILLA_ERROR_ARGUMENT);
    mstart[2] = 12; /* l = 4 now lies at 0 */
    assert_int_equal(armilla_alm_layout_new_custom(4, 2, mstart, -3, &layout), ARMILLA_OK);
    mstart[0] = -7; /* the layout holds its own values */
    assert_int_equal(armilla_alm_layout_size(layout), 101);
    assert_int_equal(armilla_alm_layout_index(layout, 4, 0), 88);
    assert_int_equal(armilla_alm_layout_index(layout, 4, 2), 0);
    assert_int_equal(armilla_alm_layout_copy(layout, &copy), ARMILLA_OK);
    armilla_alm_layout_free(layout);
    assert_int_equal(armilla_alm_layout_size(copy), 101);
    assert_int_equal(armilla_alm_layout_index(copy, 1, 1), 47);
    armilla_alm_layout_free(copy);
}

static void custom_layout_refuses_bad_arguments_by_name(void **state)
{
    (void)state;
    static const struct {
        int64_t lmax, mmax, mstart[2], stride;
        const char *message;
    } cases[] = {
        {-1, 0, {0, 0}, 1, "lmax = -1: must be at least 0"},
        {1, 2, {0, 0}, 1, "mmax = 2: must not exceed lmax = 1"},
        {1, 1, {0, 0}, 0, "stride = 0: must not be 0"},
        {1, 1, {0, 0}, INT64_MIN, "stride = -9223372036854775808: too large for this lmax"},
        {1, 1, {0, INT64_MAX}, 1, "mstart[1] = 9223372036854775807: must be within +-2^58"},
        {1, 1, {0, -2}, 1, "mstart[1] = -2: puts (l, m) = (1, 1) at index -1, must be at least 0"},
    };
    armilla_alm_layout *layout = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(armilla_alm_layout_new_custom(cases[i].lmax, cases[i].mmax,
                                                       cases[i].mstart, cases[i].stride, &layout),
                         ARMILLA_ERROR_ARGUMENT);
        assert_string_equal(armilla_status_message(), cases[i].message);
        assert_null(layout);
    }
}

static void layout_survives_failing_allocations(void **state)
{
    (void)state;
    for (int64_t n = 0; n < 2; n++) {
        armilla_alm_layout *layout = NULL;
        armilla_memory_fail_after(n);
        assert_int_equal(armilla_alm_layout_new(4, 4, &layout), ARMILLA_ERROR_MEMORY);
        assert_null(layout);
    }
    armilla_memory_fail_after(-1);
}

static void conversion_keeps_drops_and_zeroes(void **state)
{
    (void)state;
    const int64_t mstart[4] = {40, 31, 22, 19}; /* l grows downwards in memory */
    armilla_alm_layout *triangle, *custom;
    assert_int_equal(armilla_alm_layout_new(5, 5, &triangle), ARMILLA_OK);
    assert_int_equal(armilla_alm_layout_new_custom(8, 3, mstart, -2, &custom), ARMILLA_OK);
    double *source = noise(2 * armilla_alm_size(5, 5), 1);
    double *target = noise(2 * armilla_alm_layout_size(custom), 2);
    double *before = noise(2 * armilla_alm_layout_size(custom), 2);
    double *back = noise(2 * armilla_alm_size(5, 5), 3);
    assert_int_equal(armilla_alm_convert(triangle, source, custom, target), ARMILLA_OK);
    assert_int_equal(armilla_alm_convert(custom, target, triangle, back), ARMILLA_OK);
    for (int64_t m = 0; m <= 5; m++)
        for (int64_t l = m; l <= 5; l++)
            for (int part = 0; part < 2; part++) {
                int64_t i = 2 * armilla_alm_index(5, l, m) + part;
                assert_true(back[i] == (m <= 3 ? source[i] : 0));
            }
    for (int64_t m = 0; m <= 3; m++)
        for (int64_t l = 6; l <= 8; l++)
            assert_true(target[2 * armilla_alm_layout_index(custom, l, m)] == 0);
    assert_true(target[2 * 39] == before[2 * 39]); /* belongs to no (l, m) */
    free(source), free(target), free(before), free(back);
    armilla_alm_layout_free(triangle), armilla_alm_layout_free(custom);
}

static double inner_product(int64_t lmax, int64_t mmax, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t m = 0; m <= mmax; m++)
        for (int64_t l = m; l <= lmax; l++, a += 2, b += 2)
            sum += m > 0 ? 2 * (a[0] * b[0] + a[1] * b[1]) : a[0] * b[0];
    return sum;
}

static void real_packing_turns_the_inner_product_into_a_dot_product(void **state)
{
    (void)state;
    for (int64_t mmax = 0; mmax <= 7; mmax++) {
        int64_t size = armilla_alm_size(7, mmax), nreal = 2 * size - 8;
        double *a = noise(2 * size, 4), *b = noise(2 * size, 5);
        double *real_a = noise(nreal, 6), *real_b = noise(nreal, 7), *back = noise(2 * size, 8);
        armilla_alm_layout *layout;
        assert_int_equal(armilla_alm_layout_new(7, mmax, &layout), ARMILLA_OK);
        assert_int_equal(armilla_alm_real_size(layout), nreal);
        armilla_alm_layout_free(layout);
        assert_int_equal(armilla_alm_to_real(7, mmax, a, real_a), ARMILLA_OK);
        assert_int_equal(armilla_alm_to_real(7, mmax, b, real_b), ARMILLA_OK);
        double dot = 0;
        for (int64_t i = 0; i < nreal; i++) dot += real_a[i] * real_b[i];
        assert_close(dot, inner_product(7, mmax, a, b), 1e-14);
        assert_int_equal(armilla_alm_from_real(7, mmax, real_a, back), ARMILLA_OK);
        for (int64_t i = 0; i < 2 * size; i++) {
            int imaginary_of_m0 = i % 2 == 1 && i < 2 * 8;
            assert_close(back[i], imaginary_of_m0 ? 0 : a[i], DBL_EPSILON);
        }
        free(a), free(b), free(real_a), free(real_b), free(back);
    }
}

static void real_packing_has_the_documented_order(void **state)
{
    (void)state;
    const int64_t lmax = 4, mmax = 3, size = armilla_alm_size(lmax, mmax);
    double *alm = noise(2 * size, 9), *real = noise(2 * size, 10);
    assert_int_equal(armilla_alm_to_real(lmax, mmax, alm, real), ARMILLA_OK);
    for (int64_t l = 0; l <= lmax; l++) assert_true(real[l] == alm[2 * l]);
    for (int64_t i = lmax + 1; i < size; i++) {
        assert_true(real[2 * i - (lmax + 1)] == sqrt(2) * alm[2 * i]);
        assert_true(real[2 * i - (lmax + 1) + 1] == sqrt(2) * alm[2 * i + 1]);
    }
    free(alm), free(real);
}

static void packing_refuses_bad_arguments_by_name(void **state)
{
    (void)state;
    double one[2] = {1, 0}, other[2] = {-7, -7};
    assert_int_equal(armilla_alm_to_real(3, 4, one, other), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "mmax = 4: must not exceed lmax = 3");
    assert_int_equal(armilla_alm_from_real(-3, 0, one, other), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "lmax = -3: must be at least 0");
    assert_int_equal(armilla_alm_to_real(0, 0, NULL, other), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "alm = NULL: must be an array");
    assert_int_equal(armilla_alm_convert(NULL, one, NULL, other), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "source = NULL: must be a layout");
    assert_true(other[0] == -7 && other[1] == -7);
}

static void window_multiplies_each_degree_and_zeroes_beyond(void **state)
{
    (void)state;
    const double window[3] = {2, -1, 0.5};
    const int64_t size = armilla_alm_size(4, 3);
    double *alm = noise(2 * size, 11), *before = noise(2 * size, 11);
    alm[2 * armilla_alm_index(4, 4, 1)] = INFINITY;
    assert_int_equal(armilla_alm_multiply_window(4, 3, 3, window, alm), ARMILLA_OK);
    for (int64_t m = 0; m <= 3; m++)
        for (int64_t l = m; l <= 4; l++)
            for (int part = 0; part < 2; part++) {
                int64_t i = 2 * armilla_alm_index(4, l, m) + part;
                assert_true(alm[i] == (l < 3 ? window[l] * before[i] : 0));
            }
    free(alm), free(before);
}

static void window_errors_name_the_degree_and_touch_nothing(void **state)
{
    (void)state;
    const double window[3] = {1, 2, NAN};
    double alm[2 * 6] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, before[2 * 6];
    memcpy(before, alm, sizeof alm);
    assert_int_equal(armilla_alm_multiply_window(2, 2, 3, window, alm), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "window[2] = nan: must be finite");
    assert_int_equal(armilla_alm_multiply_window(2, 2, -1, window, alm), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "nwindow = -1: must be at least 0");
    assert_int_equal(armilla_alm_multiply_window(2, 3, 2, window, alm), ARMILLA_ERROR_ARGUMENT);
    assert_memory_equal(alm, before, sizeof alm);
    assert_int_equal(armilla_alm_multiply_window(1, 1, 3, window, alm), ARMILLA_OK);
    assert_int_equal(armilla_alm_multiply_window(1, 1, 0, NULL, alm), ARMILLA_OK);
    assert_true(alm[0] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_count_the_triangle_order_after_order),
        cmocka_unit_test(indices_outside_and_overflowing_sizes_give_minus_one),
        cmocka_unit_test(triangular_layout_agrees_with_the_index),
        cmocka_unit_test(custom_layout_measures_its_array_and_copies),
        cmocka_unit_test(custom_layout_refuses_bad_arguments_by_name),
        cmocka_unit_test(layout_survives_failing_allocations),
        cmocka_unit_test(conversion_keeps_drops_and_zeroes),
        cmocka_unit_test(real_packing_turns_the_inner_product_into_a_dot_product),
        cmocka_unit_test(real_packing_has_the_documented_order),
        cmocka_unit_test(packing_refuses_bad_arguments_by_name),
        cmocka_unit_test(window_multiplies_each_degree_and_zeroes_beyond),
        cmocka_unit_test(window_errors_name_the_degree_and_touch_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
