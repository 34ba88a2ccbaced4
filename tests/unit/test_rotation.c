/* Checks rotations as such: angles, matrices, coordinate systems of the sky. */
#include "unit/test_alm_support.h"

#include "armilla/rotation.h"
#include "oracle/checks.h"
#include <string.h>

static const double degree = M_PI / 180;

static double matrix_distance(const double *a, const double *b)
{
    double largest = 0;
    for (int i = 0; i < 9; i++) largest = larger_or_nan(largest, fabs(a[i] - b[i]));
    return largest;
}

static void matrix_of(const armilla_rotation *rotation, double *matrix)
{
    check_ok(armilla_rotation_matrix(rotation, matrix));
}

static void rotations_move_the_axes_as_documented(void **state)
{
    (void)state;
    double m[9];
    /* a quarter turn about z takes x to y; one about y takes z to x */
    matrix_of(&(armilla_rotation){M_PI / 2, 0, 0}, m);
    assert_close(m[3], 1, 1e-15);
    matrix_of(&(armilla_rotation){0, M_PI / 2, 0}, m);
    assert_close(m[2], 1, 1e-15);
    /* psi comes first: z stays, goes down by theta, then round by phi */
    matrix_of(&(armilla_rotation){0.4, 0.5, 0.6}, m);
    assert_close(m[2], sin(0.5) * cos(0.6), 1e-15);
    assert_close(m[5], sin(0.5) * sin(0.6), 1e-15);
    assert_close(m[8], cos(0.5), 1e-15);
    assert_close(m[6], -sin(0.5) * cos(0.4), 1e-15);
}

static void matrices_come_back(void **state)
{
    (void)state;
    uint64_t stream = 3;
    const double thetas[] = {0, 1e-300, 1e-9, 1e-4, 1, M_PI / 2, 3, M_PI - 1e-9, M_PI, 4, -1};
    for (size_t i = 0; i < sizeof thetas / sizeof *thetas; i++)
        for (int n = 0; n < 20; n++) {
            armilla_rotation r = {7 * random_next(&stream), thetas[i], 7 * random_next(&stream)};
            armilla_rotation again;
            double m[9], back[9];
            matrix_of(&r, m);
            check_ok(armilla_rotation_from_matrix(m, &again));
            matrix_of(&again, back);
            check_at_most(matrix_distance(m, back), 2e-15, "theta %g", thetas[i]);
            assert_true(again.theta >= 0 && again.theta <= M_PI);
            assert_true(fabs(again.psi) <= M_PI && fabs(again.phi) <= M_PI);
        }
}

static void inverse_and_composition_are_those_of_matrices(void **state)
{
    (void)state;
    uint64_t stream = 5;
    const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int n = 0; n < 50; n++) {
        armilla_rotation r[3];
        double a[9], b[9], both[9], want[9] = {0};
        for (int i = 0; i < 2; i++) {
            double psi = 4 * random_next(&stream), theta = 4 * random_next(&stream);
            check_ok(armilla_rotation_from_euler(psi, theta, 4 * random_next(&stream), &r[i]));
        }
        matrix_of(&r[0], a);
        matrix_of(&r[1], b);
        check_ok(armilla_rotation_compose(&r[0], &r[1], &r[2]));
        matrix_of(&r[2], both);
        for (int i = 0; i < 27; i++) want[i / 3] += b[i / 9 * 3 + i % 3] * a[i % 3 * 3 + i / 3 % 3];
        check_at_most(matrix_distance(both, want), 2e-15, "composition");
        check_ok(armilla_rotation_invert(&r[0], &r[1]));
        assert_true(r[1].psi == -r[0].phi && r[1].theta == -r[0].theta && r[1].phi == -r[0].psi);
        check_ok(armilla_rotation_compose(&r[0], &r[1], &r[1]));
        matrix_of(&r[1], both);
        check_at_most(matrix_distance(both, unit), 2e-15, "rotation and inverse");
    }
}

/* Rotator(coord=[from, to]).mat of healpy 1.20.1 with astropy 8.0.2, row by row. */
static const struct {
    char from, to;
    double matrix[9];
} systems[] = {
    {'E',
     'G',
     {-5.4875634866282955e-02, -9.9382135238917235e-01, -9.6476858538084909e-02,
      4.9410952885789594e-01, -1.1099097203832753e-01, 8.6228578651037424e-01,
      -8.6766608680404678e-01, -3.5165514701401834e-04, 4.9714730025296094e-01}},
    {'E',
     'C',
     {9.9999999999999056e-01, -8.6513146001637118e-08, -9.8385834649956543e-08,
      4.0238655393252800e-08, 9.1748216829165030e-01, -3.9777691092728013e-01,
      1.2468018087495808e-07, 3.9777691092727269e-01, 9.1748216829164642e-01}},
    {'G',
     'C',
     {-0.05487553939571459, 0.49410945362336384, -0.8676661356858704, -0.8734371047274336,
      -0.44482959429881663, -0.1980763896109499, -0.4838349917703226, 0.7469822487020499,
      0.4559837945175692}},
};

static void coordinate_systems_are_those_of_healpy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        armilla_rotation there, back;
        double m[9], transposed[9];
        char from = systems[i].from, to = systems[i].to;
        check_ok(armilla_rotation_from_coordinates(from, to, &there));
        matrix_of(&there, m);
        check_at_most(matrix_distance(m, systems[i].matrix), 2e-14, "%c to %c", from, to);
        check_ok(armilla_rotation_from_coordinates(to, from, &back));
        matrix_of(&back, m);
        for (int j = 0; j < 9; j++) transposed[j] = m[3 * (j % 3) + j / 3];
        check_at_most(matrix_distance(transposed, systems[i].matrix), 2e-14, "%c to %c", to, from);
        check_ok(armilla_rotation_from_coordinates(to, to, &there));
        assert_true(there.psi == 0 && there.theta == 0 && there.phi == 0);
    }
}

static void galactic_pole_and_centre_are_where_they_should_be(void **state)
{
    (void)state;
    armilla_rotation r;
    double m[9];
    check_ok(armilla_rotation_from_coordinates('G', 'C', &r));
    matrix_of(&r, m);
    assert_close(asin(m[8]) / degree, 27.128251, 1e-6);
    assert_close(fmod(atan2(m[5], m[2]) / degree + 360, 360), 192.859481, 1e-6);
    assert_close(asin(m[6]) / degree, -28.936175, 1e-4); /* l = b = 0 */
    assert_close(atan2(m[3], m[0]) / degree + 360, 266.404996, 1e-4);
}

static void bad_rotations_are_refused(void **state)
{
    (void)state;
    const armilla_status argument = ARMILLA_ERROR_ARGUMENT;
    armilla_rotation r = {1, 2, 3}, bad = {0, NAN, 0}, old = r;
    double mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1}, skew[9] = {1, 0, 0, 0.001, 1, 0, 0, 0, 1};
    double m[9];
    check_error(armilla_rotation_from_euler(NAN, 0, 0, &r), argument, "psi = nan: must be finite");
    check_error(armilla_rotation_from_euler(0, INFINITY, 0, &r), argument, "theta = inf");
    check_error(armilla_rotation_from_euler(0, 0, NAN, &r), argument, "phi = nan");
    check_error(armilla_rotation_from_euler(0, 0, 0, NULL), argument, "rotation = NULL");
    check_error(armilla_rotation_from_matrix(NULL, &r), argument, "matrix = NULL");
    check_error(armilla_rotation_from_matrix(mirror, NULL), argument, "determinant -1");
    check_error(armilla_rotation_from_matrix(skew, &r), argument, "by 0.001, at most 1e-08");
    skew[4] = NAN;
    check_error(armilla_rotation_from_matrix(skew, &r), argument, "by inf");
    check_error(armilla_rotation_from_coordinates('X', 'G', &r), argument, "from = 'X'");
    check_error(armilla_rotation_from_coordinates('C', 'g', &r), argument, "to = 'g'");
    check_error(armilla_rotation_from_coordinates(0, 'G', &r), argument, "from = 0");
    check_error(armilla_rotation_from_coordinates('C', 'G', NULL), argument, "rotation = NULL");
    check_error(armilla_rotation_invert(&bad, &r), argument, "rotation->theta = nan");
    check_error(armilla_rotation_invert(&old, NULL), argument, "inverse = NULL");
    check_error(armilla_rotation_compose(&old, &bad, &r), argument, "second->theta = nan");
    check_error(armilla_rotation_compose(NULL, &bad, &r), argument, "first = NULL");
    check_error(armilla_rotation_matrix(NULL, m), argument, "rotation = NULL");
    check_error(armilla_rotation_matrix(&old, NULL), argument, "matrix = NULL");
    assert_memory_equal(&r, &old, sizeof r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_move_the_axes_as_documented),
        cmocka_unit_test(matrices_come_back),
        cmocka_unit_test(inverse_and_composition_are_those_of_matrices),
        cmocka_unit_test(coordinate_systems_are_those_of_healpy),
        cmocka_unit_test(galactic_pole_and_centre_are_where_they_should_be),
        cmocka_unit_test(bad_rotations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
