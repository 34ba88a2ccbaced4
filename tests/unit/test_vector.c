/* Checks vector fields against a flow in closed form (every form from every other, at poles as
 * well), their adjoints, floats and iterations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_vector_scene.h"

/* --- The flow --------------------------------------------------------------------------------- */

static void check_conversions(const armilla_grid *grid, armilla_vector_components components,
                              double radius, double bound)
{
    armilla_vector_options options;
    armilla_vector_options_init(&options);
    options.components = components, options.radius = radius;
    armilla_vector *vector = new_vector(grid, FLOW_LMAX, &options);
    const int64_t count = 2 * armilla_grid_npix(grid);
    double *made = checked_malloc(count, sizeof *made);
    for (int source = 0; source <= ARMILLA_VECTOR_COMPONENTS; source++)
        for (int target = 0; target < FORMS; target++) {
            double *in = flow_maps(grid, (armilla_vector_form)source, components, radius);
            double *out = flow_maps(grid, (armilla_vector_form)target, components, radius);
            memset(made, 0, (size_t)count * sizeof *made);
            check_ok(armilla_vector_convert_map(vector, (armilla_vector_form)source, in,
                                                (armilla_vector_form)target, made, NULL));
            check_at_most(largest_error(count, out, made), bound, "form %d to %d, radius %g",
                          source, target, radius);
            free(out), free(in);
        }
    free(made);
    armilla_vector_free(vector);
}

static void every_form_follows_from_every_other(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++) {
        armilla_grid *grid = exact_grid(exact_kinds[kind], FLOW_LMAX, FLOW_LMAX, 1, 12);
        check_conversions(grid, ARMILLA_VECTOR_EAST_NORTH, 1, 2e-14);
        check_conversions(grid, ARMILLA_VECTOR_THETA_PHI, ARMILLA_EARTH_RADIUS_ECMWF, 2e-14);
        armilla_grid_free(grid);
    }
    armilla_grid *grid = octahedral_grid(16);
    check_conversions(grid, ARMILLA_VECTOR_EAST_NORTH, ARMILLA_EARTH_RADIUS_SPHARM, 2e-14);
    armilla_grid_free(grid);
}

/* On an equidistant grid with both poles the wind there is that of the closed form. */
static void poles_have_their_directions(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 9, 12, &grid));
    double *wind = flow_maps(grid, ARMILLA_VECTOR_COMPONENTS, ARMILLA_VECTOR_EAST_NORTH, 1);
    double strongest = 0;
    for (int j = 0; j < 12; j++) strongest = larger_or_nan(strongest, fabs(wind[j]));
    assert_true(strongest < 1e-15); /* this flow is calm there: the polynomials have m = 2, 3 */
    free(wind);
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new(2, 2, &layout));
    double alm[24] = {0}, map[2 * 9 * 12];
    alm[2 * 3] = 1; /* psi = Y_11 and its conjugate: a rotation about the axis -x */
    armilla_vector_options options;
    armilla_vector_options_init(&options);
    options.form = ARMILLA_VECTOR_STREAM_POTENTIAL;
    armilla_vector *vector = new_vector(grid, 2, &options);
    check_ok(armilla_vector_synthesis(vector, alm, map, NULL));
    const double speed = 2 * sqrt(3 / (8 * acos(-1.0))); /* psi = -speed sin(theta) cos(phi) */
    for (int j = 0; j < 12; j++) {
        const double phi = 2 * acos(-1.0) * j / 12;
        check_at_most(fabs(map[j] + speed * cos(phi)), 1e-15, "u at the north pole");
        check_at_most(fabs(map[9 * 12 + j] - speed * sin(phi)), 1e-15, "v at the north pole");
        check_at_most(fabs(map[8 * 12 + j] - speed * cos(phi)), 1e-15, "u at the south pole");
        check_at_most(fabs(map[17 * 12 + j] - speed * sin(phi)), 1e-15, "v at the south pole");
    }
    armilla_vector_free(vector);
    armilla_alm_layout_free(layout);
    armilla_grid_free(grid);
}

/* --- Operators -------------------------------------------------------------------------------- */

enum { LMAX = 20 };

typedef struct scene {
    armilla_grid *grid;
    armilla_vector_options options;
    armilla_vector *vector;
    int64_t ncomp, size, npix;
    double *alm, *map; /* random, without degree 0 of tangent fields */
} scene;

static void open_scene(scene *s, armilla_grid *grid, int form, int components, int radial)
{
    *s = (scene){.grid = grid};
    armilla_vector_options_init(&s->options);
    s->options.form = (armilla_vector_form)form, s->options.radial = radial;
    s->options.components = (armilla_vector_components)components;
    s->options.radius = 3.5;
    s->vector = new_vector(grid, LMAX, &s->options);
    s->ncomp = radial ? 3 : 2, s->size = armilla_alm_size(LMAX, LMAX);
    s->npix = armilla_grid_npix(grid);
    s->alm = checked_calloc(2 * s->ncomp * s->size, sizeof *s->alm);
    s->map = checked_malloc(s->ncomp * s->npix, sizeof *s->map);
    for (int64_t c = 0; c < s->ncomp; c++) {
        random_alm_triangle((uint64_t)(90 + c), LMAX, LMAX, s->alm + 2 * c * s->size);
        if (c >= radial) s->alm[2 * c * s->size] = 0;
    }
    random_fill(95, s->ncomp * s->npix, s->map);
}

static void close_scene(scene *s)
{
    free(s->map), free(s->alm);
    armilla_vector_free(s->vector);
    armilla_grid_free(s->grid);
}

static double dot_all(const scene *s, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t c = 0; c < s->ncomp; c++)
        sum += dot_alm(LMAX, LMAX, a + 2 * c * s->size, b + 2 * c * s->size);
    return sum;
}

static void check_adjoint(const scene *s, int weighted, double *map, double *alm)
{
    if (weighted) {
        check_ok(armilla_vector_adjoint_analysis(s->vector, s->alm, map, NULL));
        check_ok(armilla_vector_analysis(s->vector, s->map, alm, NULL));
    } else {
        check_ok(armilla_vector_synthesis(s->vector, s->alm, map, NULL));
        check_ok(armilla_vector_adjoint_synthesis(s->vector, s->map, alm, NULL));
    }
    const double left = dot_maps(s->ncomp * s->npix, map, s->map);
    const double right = dot_all(s, s->alm, alm);
    const double scale = sqrt(dot_all(s, s->alm, s->alm) * dot_all(s, alm, alm));
    check_at_most(fabs(left - right), 1e-14 * scale, "form %d, components %d, radial %d",
                  s->options.form, s->options.components, s->options.radial);
}

static void check_operators(int form, int components, int radial)
{
    scene s;
    open_scene(&s, exact_grid(ARMILLA_GRID_CC, LMAX, LMAX, 2, 0), form, components, radial);
    double *map = checked_calloc(s.ncomp * s.npix, sizeof *map);
    double *alm = checked_calloc(2 * s.ncomp * s.size, sizeof *alm);
    check_ok(armilla_vector_synthesis(s.vector, s.alm, map, NULL));
    check_ok(armilla_vector_analysis(s.vector, map, alm, NULL));
    check_at_most(largest_error(2 * s.ncomp * s.size, s.alm, alm), 1e-13, "round trip %d %d %d",
                  form, components, radial);
    check_adjoint(&s, 0, map, alm);
    check_adjoint(&s, 1, map, alm);
    free(alm), free(map);
    close_scene(&s);
}

static void analysis_inverts_and_adjoints_are_adjoint(void **state)
{
    (void)state;
    for (int form = 0; form < 3; form++)
        for (int choice = 0; choice < 4; choice++) check_operators(form, choice & 1, choice >> 1);
}

/* Q, S, T of SHTns: v_r = Q, v_theta = dS/dtheta + dT/dphi / sin, v_phi = dS/dphi / sin -
 * dT/dtheta, where the derivatives come from the library's mode of derivatives. */
static void qst_are_those_of_shtns(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, LMAX, LMAX, 0, 0), 2, 1, 1);
    armilla_vector_free(s.vector);
    s.options.radius = 1;
    s.vector = new_vector(s.grid, LMAX, &s.options);
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    armilla_sht *scalar, *slope;
    check_ok(armilla_sht_new(s.grid, LMAX, LMAX, &options, &scalar));
    options.spin = 1, options.mode = ARMILLA_SHT_DERIVATIVES;
    check_ok(armilla_sht_new(s.grid, LMAX, LMAX, &options, &slope));
    double *made = checked_malloc(3 * s.npix, 8), *expected = checked_malloc(3 * s.npix, 8);
    double *t = checked_malloc(2 * s.npix, 8);
    check_ok(armilla_sht_synthesis(scalar, s.alm, expected, NULL));
    check_ok(armilla_sht_synthesis(slope, s.alm + 2 * s.size, expected + s.npix, NULL));
    check_ok(armilla_sht_synthesis(slope, s.alm + 4 * s.size, t, NULL));
    for (int64_t i = 0; i < s.npix; i++) {
        expected[s.npix + i] += t[s.npix + i];
        expected[2 * s.npix + i] -= t[i];
    }
    check_ok(armilla_vector_synthesis(s.vector, s.alm, made, NULL));
    check_at_most(largest_error(3 * s.npix, expected, made), 1e-14, "q, s, t");
    free(t), free(expected), free(made);
    armilla_sht_free(slope), armilla_sht_free(scalar);
    close_scene(&s);
}

/* --- Floats, iterations ----------------------------------------------------------------------- */

static void check_floats(int radial)
{
    scene s;
    open_scene(&s, exact_grid(ARMILLA_GRID_F1, LMAX, LMAX, 1, 0), 0, 0, radial);
    const int64_t nalm = 2 * s.ncomp * s.size, nmap = s.ncomp * s.npix;
    float *alm = checked_malloc(nalm, 4), *map = checked_malloc(nmap, 4);
    double *wide = checked_malloc(nmap, 8), *expected = checked_malloc(nmap, 8);
    double *back = checked_malloc(nalm, 8);
    to_float(nalm, s.alm, alm);
    check_ok(armilla_vector_synthesis_float(s.vector, alm, map, NULL));
    check_ok(armilla_vector_synthesis(s.vector, s.alm, expected, NULL));
    to_double(nmap, map, wide);
    check_at_most(largest_error(nmap, expected, wide), 1e-6, "floats of maps");
    check_ok(armilla_vector_analysis_float(s.vector, map, alm, NULL));
    to_double(nalm, alm, back);
    check_at_most(largest_error(nalm, s.alm, back), 1e-5, "floats of alm");
    if (!radial) {
        float *scalars = checked_malloc(nmap, 4);
        check_ok(armilla_vector_convert_map_float(s.vector, ARMILLA_VECTOR_COMPONENTS, map,
                                                  ARMILLA_VECTOR_STREAM_POTENTIAL, scalars, NULL));
        check_ok(armilla_vector_convert_map_float(s.vector, ARMILLA_VECTOR_STREAM_POTENTIAL,
                                                  scalars, ARMILLA_VECTOR_COMPONENTS, map, NULL));
        to_double(nmap, map, wide);
        check_at_most(largest_error(nmap, expected, wide), 1e-5, "floats there and back");
        free(scalars);
    }
    free(back), free(expected), free(wide), free(map), free(alm);
    close_scene(&s);
}

static void floats_are_doubles_rounded(void **state)
{
    (void)state;
    check_floats(0);
    check_floats(1);
}

static void iterations_fit_where_no_rule_is_exact(void **state)
{
    (void)state;
    for (int radial = 0; radial < 2; radial++) {
        scene s;
        open_scene(&s, healpix_grid(16), 0, 0, radial);
        double *map = checked_calloc(s.ncomp * s.npix, 8);
        double *alm = checked_calloc(2 * s.ncomp * s.size, 8);
        armilla_pseudo_report reports[2];
        armilla_pseudo_options options;
        armilla_pseudo_options_init(&options);
        check_ok(armilla_vector_synthesis(s.vector, s.alm, map, NULL));
        check_ok(armilla_vector_pseudo_analysis(s.vector, map, alm, &options, reports, NULL));
        check_at_most(largest_error(2 * s.ncomp * s.size, s.alm, alm), 1e-8, "fit");
        for (int i = 0; i <= radial; i++) assert_int_equal(reports[i].stop, ARMILLA_STOP_RESIDUAL);
        free(alm), free(map);
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_follows_from_every_other),
        cmocka_unit_test(poles_have_their_directions),
        cmocka_unit_test(analysis_inverts_and_adjoints_are_adjoint),
        cmocka_unit_test(qst_are_those_of_shtns),
        cmocka_unit_test(floats_are_doubles_rounded),
        cmocka_unit_test(iterations_fit_where_no_rule_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
