/* Checks that the functions of alm.h, spectrum.h and rotation.h stand random arguments: right ones
 * work, wrong ones are refused by name. */
#include "test_api_random.h"

static const int64_t largest_lmax = INT64_C(1) << 30;

enum { MOST_LMAX = 8, MOST_NUMBERS = 4096 };

typedef struct band {
    int64_t lmax, mmax, size;
} band;

/* lmax and mmax, perhaps spoilt; size is that before. */
static band draw_band(trial *t)
{
    band b = {.lmax = below(t, MOST_LMAX + 1)};
    b.mmax = below(t, b.lmax + 1);
    b.size = armilla_alm_size(b.lmax, b.mmax);
    if (spoil(t, "mmax")) b.mmax = outside(t, 0, b.lmax);
    if (spoil(t, "lmax")) b.lmax = outside(t, 0, largest_lmax);
    return b;
}

static void check_output(const trial *t, armilla_status status, const double *made, int64_t count,
                         uint64_t before)
{
    if (!judge(t, status)) {
        assert_unchanged(t, before, made, MOST_NUMBERS * sizeof *made);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(made[i]))
            fail_msg("trial %lld: number %lld is %g", (long long)t->number, (long long)i, made[i]);
}

/* --- Sizes and indices ------------------------------------------------------------------------ */

__extension__ typedef __int128 wide;

static int64_t expected_size(int64_t lmax, int64_t mmax)
{
    if (lmax < 0 || mmax < 0 || mmax > lmax) return -1;
    wide size = ((wide)mmax + 1) * (2 * (wide)lmax - mmax + 2) / 2;
    return size > INT64_MAX ? -1 : (int64_t)size;
}

static void try_sizes(trial *t)
{
    int64_t lmax = below(t, 2) ? any_integer(t) : below(t, INT64_C(1) << 33);
    int64_t mmax = below(t, 2) ? any_integer(t) : below(t, INT64_C(1) << 33);
    int64_t l = below(t, 2) ? any_integer(t) : below(t, INT64_C(1) << 33);
    int64_t size = armilla_alm_size(lmax, mmax), expected = expected_size(lmax, mmax);
    /* lmax beyond 2^62 is given up though small mmax would fit. */
    if (size != expected && !(size == -1 && lmax > INT64_MAX / 2 - 1))
        fail_msg("lmax %lld, mmax %lld: size %lld", (long long)lmax, (long long)mmax,
                 (long long)size);
    if (size > 0) assert_int_equal(armilla_alm_lmax(size, mmax), lmax);
    int64_t index = armilla_alm_index(lmax, l, mmax);
    assert_true(index >= -1 && (index == -1 || (mmax <= l && l <= lmax && index < size)));
    int64_t found = armilla_alm_lmax(l, below(t, 2) ? mmax : -1);
    assert_true(found >= -1);
}

/* --- Layouts ---------------------------------------------------------------------------------- */

static void finish_layout(const trial *t, armilla_status status, armilla_alm_layout **made)
{
    if (!judge(t, status)) {
        assert_marked(t, *made);
        return;
    }
    armilla_alm_layout *layout = *made;
    int64_t lmax = armilla_alm_layout_lmax(layout), size = armilla_alm_layout_size(layout);
    assert_in_range(armilla_alm_layout_index(layout, lmax, 0), 0, size - 1);
    assert_int_equal(armilla_alm_layout_index(layout, INT64_MIN, INT64_MAX), -1);
    armilla_alm_layout_free(layout);
}

static void try_layout(trial *t)
{
    armilla_alm_layout *layout = MARK, **target = &layout;
    band b = draw_band(t);
    if (spoil(t, "layout")) target = NULL;
    finish_layout(t, armilla_alm_layout_new(b.lmax, b.mmax, target), &layout);
}

static void try_custom_layout(trial *t)
{
    armilla_alm_layout *layout = MARK, **target = &layout;
    band b = {.lmax = below(t, MOST_LMAX + 1)};
    b.mmax = below(t, b.lmax + 1);
    int64_t mstart[MOST_LMAX + 1], stride = between(t, 1, INT64_C(1) << 50);
    const int64_t *given = mstart;
    if (below(t, 2)) stride = -stride;
    for (int64_t m = 0; m <= b.mmax; m++)
        mstart[m] = between(t, 0, 9) + (stride < 0 ? -b.lmax * stride : 0);
    if (spoil(t, "mstart"))
        mstart[below(t, b.mmax + 1)] = below(t, 2)
                                           ? outside(t, -(INT64_C(1) << 58), INT64_C(1) << 58)
                                           : -b.lmax * (stride > 0 ? stride : 0) - 1;
    if (spoil(t, "mstart")) given = NULL;
    if (spoil(t, "stride"))
        stride = below(t, 2) ? 0 : outside(t, -(INT64_C(1) << 58), INT64_C(1) << 58);
    if (spoil(t, "mmax")) b.mmax = outside(t, 0, b.lmax);
    if (spoil(t, "lmax")) b.lmax = outside(t, 0, largest_lmax);
    if (spoil(t, "layout")) target = NULL;
    finish_layout(t, armilla_alm_layout_new_custom(b.lmax, b.mmax, given, stride, target), &layout);
}

static void getters_take_null(void **state)
{
    (void)state;
    assert_int_equal(armilla_alm_layout_lmax(NULL), -1);
    assert_int_equal(armilla_alm_layout_mmax(NULL), -1);
    assert_int_equal(armilla_alm_layout_size(NULL), -1);
    assert_int_equal(armilla_alm_layout_index(NULL, 0, 0), -1);
    armilla_alm_layout_free(NULL);
}

static void try_convert(trial *t)
{
    armilla_alm_layout *layouts[2];
    double from[MOST_NUMBERS], to[MOST_NUMBERS];
    const double *source = from;
    double *target = to;
    for (int i = 0; i < 2; i++) {
        int64_t lmax = below(t, MOST_LMAX + 1), mmax = below(t, lmax + 1);
        check_ok(armilla_alm_layout_new(lmax, mmax, &layouts[i]));
    }
    random_fill(1, MOST_NUMBERS, from);
    random_fill(2, MOST_NUMBERS, to);
    uint64_t before = checksum(to, sizeof to), input = checksum(from, sizeof from);
    int no_source = spoil(t, "source"), no_target = spoil(t, "target");
    if (spoil(t, "alm_source")) source = NULL;
    if (spoil(t, "alm_target")) target = NULL;
    armilla_status status = armilla_alm_convert(no_source ? NULL : layouts[0], source,
                                                no_target ? NULL : layouts[1], target);
    check_output(t, status, to, MOST_NUMBERS, before);
    assert_unchanged(t, input, from, sizeof from);
    armilla_alm_layout_free(layouts[0]);
    armilla_alm_layout_free(layouts[1]);
}

/* --- Packing, windows, random numbers, spectra --------------------------------------------------
 */

static void try_packing(trial *t)
{
    double one[MOST_NUMBERS], other[MOST_NUMBERS];
    band b = draw_band(t);
    random_fill(3, MOST_NUMBERS, one);
    random_fill(4, MOST_NUMBERS, other);
    uint64_t before = checksum(other, sizeof other), input = checksum(one, sizeof one);
    int to_real = (int)below(t, 2);
    const double *source = spoil(t, to_real ? "alm" : "real") ? NULL : one;
    double *target = spoil(t, to_real ? "real" : "alm") ? NULL : other;
    armilla_status status = to_real ? armilla_alm_to_real(b.lmax, b.mmax, source, target)
                                    : armilla_alm_from_real(b.lmax, b.mmax, source, target);
    check_output(t, status, other, MOST_NUMBERS, before);
    assert_unchanged(t, input, one, sizeof one);
}

static void try_window(trial *t)
{
    double window[MOST_LMAX + 3], alm[MOST_NUMBERS];
    band b = draw_band(t);
    int64_t nwindow = below(t, MOST_LMAX + 3);
    random_fill(5, MOST_NUMBERS, alm);
    random_fill(6, MOST_LMAX + 3, window);
    const double *given = nwindow == 0 && below(t, 2) ? NULL : window;
    if (nwindow > 0 && spoil(t, "window[0]")) window[0] = not_finite(t);
    if (nwindow > 0 && spoil(t, "window")) given = NULL;
    if (spoil(t, "nwindow")) nwindow = outside(t, 0, INT64_MAX);
    double *target = spoil(t, "alm") ? NULL : alm;
    uint64_t before = checksum(alm, sizeof alm);
    check_output(t, armilla_alm_multiply_window(b.lmax, b.mmax, nwindow, given, target), alm,
                 MOST_NUMBERS, before);
}

static void try_random(trial *t)
{
    double cl[MOST_LMAX + 3], alm[MOST_NUMBERS] = {0};
    band b = draw_band(t);
    int64_t ncl = below(t, MOST_LMAX + 3);
    for (int i = 0; i < MOST_LMAX + 3; i++) cl[i] = fabs(any_finite(t));
    const double *given = cl;
    if (ncl > 0 && spoil(t, "cl[0]")) cl[0] = below(t, 2) ? -1e-300 : not_finite(t);
    if (ncl > 0 && spoil(t, "cl")) given = NULL;
    if (spoil(t, "ncl")) ncl = outside(t, 0, INT64_MAX);
    double *target = spoil(t, "alm") ? NULL : alm;
    uint64_t before = checksum(alm, sizeof alm);
    armilla_status status = armilla_alm_random(b.lmax, b.mmax, ncl, given, (uint64_t)any_integer(t),
                                               (uint64_t)any_integer(t), target);
    check_output(t, status, alm, 2 * b.size, before);
}

enum { FIELDS = 3 };

static void try_correlated(trial *t)
{
    double cl[FIELDS * FIELDS * MOST_LMAX], alm[MOST_NUMBERS] = {0};
    band b = draw_band(t);
    int64_t nfields = between(t, 1, FIELDS), ncl = below(t, MOST_LMAX + 1);
    for (int64_t i = 0; i < nfields * nfields * ncl; i++)
        cl[i] = i / ncl % (nfields + 1) ? 0.1 : 1; /* the diagonal dominates */
    const double *given = cl;
    if (ncl > 0 && spoil(t, "cl")) cl[0] = below(t, 2) ? -1 : not_finite(t);
    if (ncl > 0 && spoil(t, "cl")) given = NULL;
    if (spoil(t, "ncl")) ncl = outside(t, 0, INT64_MAX);
    if (spoil(t, "nfields")) nfields = outside(t, 1, 64);
    double *target = spoil(t, "alm") ? NULL : alm;
    uint64_t before = checksum(alm, sizeof alm);
    armilla_status status = armilla_alm_random_correlated(b.lmax, b.mmax, nfields, ncl, given,
                                                          (uint64_t)any_integer(t), target);
    check_output(t, status, alm, MOST_NUMBERS, before);
}

static void try_spectrum(trial *t)
{
    double a[MOST_NUMBERS], c[MOST_NUMBERS], cl[MOST_NUMBERS] = {0};
    band b = draw_band(t);
    random_fill(7, MOST_NUMBERS, a);
    random_fill(8, MOST_NUMBERS, c);
    uint64_t before = checksum(cl, sizeof cl);
    const double *one = spoil(t, "alm_a") ? NULL : a, *two = spoil(t, "alm_b") ? NULL : c;
    double *target = spoil(t, "cl") ? NULL : cl;
    check_output(t, armilla_spectrum_compute(b.lmax, b.mmax, one, two, target), cl, MOST_NUMBERS,
                 before);
}

static void try_beam(trial *t)
{
    double window[MOST_NUMBERS] = {0}, fwhm = (double)below(t, 1000) * (M_PI / 999);
    int64_t spin = below(t, 2) ? below(t, 4) : INT64_MAX, lmax = below(t, MOST_LMAX);
    int64_t count = lmax + 1;
    if (spoil(t, "fwhm")) fwhm = below(t, 2) ? not_finite(t) : below(t, 2) ? -1e-300 : 3.1416;
    if (spoil(t, "spin")) spin = outside(t, 0, INT64_MAX);
    if (spoil(t, "lmax")) lmax = outside(t, 0, largest_lmax);
    double *target = spoil(t, "window") ? NULL : window;
    uint64_t before = checksum(window, sizeof window);
    check_output(t, armilla_spectrum_gaussian_beam(fwhm, spin, lmax, target), window, count,
                 before);
}

/* --- Rotations -------------------------------------------------------------------------------- */

static void finish_rotation(const trial *t, armilla_status status, const armilla_rotation *made,
                            uint64_t before)
{
    if (!judge(t, status))
        assert_unchanged(t, before, made, sizeof *made);
    else if (!isfinite(made->psi) || !isfinite(made->theta) || !isfinite(made->phi))
        fail_msg("trial %lld: angles %g %g %g", (long long)t->number, made->psi, made->theta,
                 made->phi);
}

static armilla_rotation draw_rotation(trial *t)
{
    return (armilla_rotation){any_finite(t), any_finite(t), any_finite(t)};
}

static void spoil_rotation(trial *t, armilla_rotation *rotation)
{
    if (spoil(t, "psi")) rotation->psi = not_finite(t);
    if (spoil(t, "theta")) rotation->theta = not_finite(t);
    if (spoil(t, "phi")) rotation->phi = not_finite(t);
}

static void try_making(trial *t)
{
    static const char systems[] = "CEG";
    armilla_rotation made = {1, 2, 3}, angles = draw_rotation(t), *target = &made;
    uint64_t before = checksum(&made, sizeof made);
    double matrix[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    const double *given = matrix;
    char from = systems[below(t, 3)], to = systems[below(t, 3)];
    int64_t kind = below(t, 3);
    if (spoil(t, "rotation")) target = NULL;
    if (kind == 0) spoil_rotation(t, &angles);
    if (kind == 1 && spoil(t, "from")) from = (char)outside(t, 'A', 'z');
    if (kind == 1 && spoil(t, "to")) to = "ceg \x7f"[below(t, 5)];
    if (kind == 2 && spoil(t, "matrix")) matrix[below(t, 9)] = below(t, 2) ? 5 : not_finite(t);
    if (kind == 2 && spoil(t, "matrix")) given = NULL;
    armilla_status status =
        kind == 0   ? armilla_rotation_from_euler(angles.psi, angles.theta, angles.phi, target)
        : kind == 1 ? armilla_rotation_from_coordinates(from, to, target)
                    : armilla_rotation_from_matrix(given, target);
    finish_rotation(t, status, &made, before);
}

static void try_combining(trial *t)
{
    armilla_rotation made = {1, 2, 3}, one = draw_rotation(t), two = draw_rotation(t);
    uint64_t before = checksum(&made, sizeof made);
    int inverse = (int)below(t, 2);
    spoil_rotation(t, inverse || below(t, 2) ? &one : &two);
    const armilla_rotation *first = spoil(t, inverse ? "rotation" : "first") ? NULL : &one;
    const armilla_rotation *second = !inverse && spoil(t, "second") ? NULL : &two;
    armilla_rotation *target = spoil(t, inverse ? "inverse" : "rotation") ? NULL : &made;
    finish_rotation(t,
                    inverse ? armilla_rotation_invert(first, target)
                            : armilla_rotation_compose(first, second, target),
                    &made, before);
}

static void try_matrix(trial *t)
{
    double matrix[MOST_NUMBERS] = {0};
    armilla_rotation rotation = draw_rotation(t);
    spoil_rotation(t, &rotation);
    uint64_t before = checksum(matrix, sizeof matrix);
    const armilla_rotation *given = spoil(t, "rotation") ? NULL : &rotation;
    double *target = spoil(t, "matrix") ? NULL : matrix;
    check_output(t, armilla_rotation_matrix(given, target), matrix, 9, before);
}

static void spoil_exec(trial *t, armilla_exec *exec, int64_t size)
{
    if (spoil(t, "ntrans")) exec->ntrans = outside(t, 1, INT64_C(1) << 59);
    if (spoil(t, "nthreads")) exec->nthreads = outside_int(t, 0, INT32_MAX);
    if (exec->ntrans > 1 && spoil(t, "alm_distance"))
        exec->alm_distance = below(t, 2) && size > 1 ? size - 1 : outside(t, 0, INT64_C(1) << 59);
    if (spoil(t, "size")) exec->size = wrong_size(t, offsetof(armilla_exec, memory), sizeof *exec);
}

/* Angles of any size turn coefficients without changing their power. */
static void check_power(const trial *t, int64_t size, const double *before, const double *after)
{
    double old = 0, new = 0;
    for (int64_t i = 0; i < 2 * size; i++) old += before[i] * before[i], new += after[i] * after[i];
    if (!(new <= 2 * old + 1e-9))
        fail_msg("trial %lld: power %g became %g", (long long)t->number, old, new);
}

static void try_rotate(trial *t)
{
    static double alm[MOST_NUMBERS], out[MOST_NUMBERS];
    armilla_rotation rotation = draw_rotation(t);
    band b = draw_band(t);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = (int)below(t, 4);
    exec.ntrans = between(t, 1, 4);
    int64_t mmax_out = t->spoilt ? 0 : below(t, b.lmax + 1);
    if (spoil(t, "mmax_out")) mmax_out = t->spoilt > 1 ? -1 : outside(t, 0, b.lmax);
    random_fill(9, MOST_NUMBERS, alm);
    memset(out, 0, sizeof out);
    spoil_rotation(t, &rotation);
    spoil_exec(t, &exec, b.size);
    uint64_t before = checksum(out, sizeof out), input = checksum(alm, sizeof alm);
    const armilla_rotation *given = spoil(t, "rotation") ? NULL : &rotation;
    const double *source = spoil(t, "alm") ? NULL : alm;
    double *target = spoil(t, "out") ? NULL : out;
    armilla_status status =
        armilla_alm_rotate(given, b.lmax, b.mmax, source, mmax_out, target, &exec);
    check_output(t, status, out, MOST_NUMBERS, before);
    assert_unchanged(t, input, alm, sizeof alm);
    if (!status) check_power(t, exec.ntrans * b.size, alm, out);
}

static void sizes_and_layouts_stand_anything(void **state)
{
    (void)state;
    try_often(try_sizes, 50000);
    try_often(try_layout, 1000);
    try_often(try_custom_layout, 5000);
    try_often(try_convert, 500);
}

static void arithmetic_names_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_packing, 1000);
    try_often(try_window, 1000);
    try_often(try_random, 1000);
    try_often(try_correlated, 1000);
    try_often(try_spectrum, 1000);
    try_often(try_beam, 1000);
}

static void rotations_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_making, 2000);
    try_often(try_combining, 2000);
    try_often(try_matrix, 1000);
    try_often(try_rotate, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_layouts_stand_anything),
        cmocka_unit_test(getters_take_null),
        cmocka_unit_test(arithmetic_names_a_wrong_argument),
        cmocka_unit_test(rotations_name_a_wrong_argument),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}
