/* Checks that lensed maps are the fields at the deflected directions, carried back, and that the
 * adjoint is exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_lensing_scene.h"

/* --- The judge ---------------------------------------------------------------------------------
 * Deflections by derivatives of the potentials, walks in long double, values by rings of one pixel.
 */

/* (d f / d theta, d f / d phi / sin theta) on the grid: [2][npix]. */
static double *derivatives(const lensing_scene *s, const double *potential)
{
    const spin_case c = {.lmax = DEFLECTION_LMAX,
                         .mmax = DEFLECTION_MMAX,
                         .spin = 1,
                         .mode = ARMILLA_SHT_DERIVATIVES};
    armilla_sht *sht = spin_plan(s->grid, &c);
    double *field = checked_calloc(2 * armilla_grid_npix(s->grid), sizeof *field);
    check_ok(armilla_sht_synthesis(sht, potential, field, NULL));
    armilla_sht_free(sht);
    return field;
}

/* grad phi + curl Omega, [2][npix]. */
static double *deflection_field(const lensing_scene *s)
{
    const int64_t npix = armilla_grid_npix(s->grid);
    double *field = derivatives(s, s->deflection.gradient);
    double *curl = derivatives(s, s->deflection.curl);
    for (int64_t i = 0; i < npix; i++) {
        field[i] -= curl[i + npix];
        field[i + npix] += curl[i];
    }
    free(curl);
    return field;
}

typedef struct {
    int64_t place;
    double theta, phi;
    walk way;
} pixel;

/* All pixels in the sequence of the rings; returns how many. */
static int64_t list_pixels(const lensing_scene *s, pixel *pixels)
{
    const int64_t npix = armilla_grid_npix(s->grid);
    double *field = deflection_field(s);
    int64_t count = 0;
    assert_true(npix <= MOST_PIXELS);
    for (int64_t r = 0; r < armilla_grid_nrings(s->grid); r++)
        for (int64_t j = 0; j < s->rings[r].nphi; j++) {
            pixel p = {.place = s->rings[r].offset + j * s->rings[r].stride,
                       .theta = s->rings[r].theta,
                       .phi = s->rings[r].phi0 + 2 * M_PI * (double)j / (double)s->rings[r].nphi};
            p.way = walk_from(p.theta, p.phi, field[p.place], field[p.place + npix]);
            pixels[count++] = p;
        }
    free(field);
    return count;
}

/* Values of the field at directions, [ncomp][count]. */
static double *values_at(const lensing_scene *s, int64_t count, const double *points,
                         const double *alm)
{
    armilla_ring rings[MOST_PIXELS];
    armilla_grid *grid;
    for (int64_t i = 0; i < count; i++)
        rings[i] = (armilla_ring){.theta = points[2 * i],
                                  .phi0 = points[2 * i + 1],
                                  .weight = 1,
                                  .nphi = 1,
                                  .offset = i,
                                  .stride = 1};
    check_ok(armilla_grid_new_custom(count, rings, &grid));
    armilla_sht *sht = spin_plan(grid, &s->c);
    double *values = checked_malloc(lensing_ncomp(s) * count, sizeof *values);
    check_ok(armilla_sht_synthesis(sht, alm, values, NULL));
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return values;
}

/* The value's parts lie along e_theta and e_phi there (spin 1): against the vector that was e_theta
 * at the start they have the angle that they have when they are carried back. */
static void carry_back(const pixel *p, int64_t spin, double theta, double phi, double *value)
{
    const frame end = frame_at(theta, phi);
    const double turn = -(double)spin * (double)atan2l(dot(p->way.carried, end.phi),
                                                       dot(p->way.carried, end.theta));
    const double re = value[0], im = value[1];
    value[0] = re * cos(turn) - im * sin(turn);
    value[1] = re * sin(turn) + im * cos(turn);
}

/* The lensed map; places that are no pixels: 0. */
static double *exact_map(const lensing_scene *s)
{
    const int64_t npix = armilla_grid_npix(s->grid);
    pixel pixels[MOST_PIXELS];
    double points[2 * MOST_PIXELS];
    const int64_t count = list_pixels(s, pixels);
    for (int64_t i = 0; i < count; i++) {
        const vector n = pixels[i].way.n;
        points[2 * i] = (double)atan2l(hypotl(n.x, n.y), n.z);
        points[2 * i + 1] = (double)atan2l(n.y, n.x);
    }
    double *values = values_at(s, count, points, s->alm);
    double *map = checked_calloc(lensing_values(s), sizeof *map);
    for (int64_t i = 0; i < count; i++) {
        double value[2] = {values[i], s->c.spin ? values[i + count] : 0};
        if (s->c.spin) carry_back(&pixels[i], s->c.spin, points[2 * i], points[2 * i + 1], value);
        for (int64_t c = 0; c < lensing_ncomp(s); c++) map[pixels[i].place + c * npix] = value[c];
    }
    free(values);
    return map;
}

static double error_of(const lensing_scene *s)
{
    double *exact = exact_map(s), *map = checked_calloc(lensing_values(s), sizeof *map);
    check_ok(armilla_lensing_alm2lenmap(s->lensing, s->alm, map, NULL));
    const double error = rms_error(lensing_values(s), exact, map);
    free(map);
    free(exact);
    return error;
}

/* --- Values ------------------------------------------------------------------------------------
 */

static const int64_t spins[] = {0, 1, 2, 3, -2, -1};
enum { SPINS = sizeof spins / sizeof *spins };

static void lensed_maps_are_fields_at_deflected_directions(void **state)
{
    (void)state;
    const double lengths[] = {1e-3, 0.1, 1};
    for (int kind = 0; kind < LENSING_GRIDS; kind++)
        for (int i = 0; i < SPINS; i++)
            for (int k = 0; k < 3; k++) {
                const spin_case c = {.lmax = 20, .mmax = 18, .spin = spins[i]};
                lensing_scene s;
                lensing_scene_open(&s, (lensing_grid)kind, &c, k ? 1e-11 : 1e-5, lengths[k]);
                check_at_most(error_of(&s), k ? 1e-11 : 1e-5, "grid %d, spin %d, length %g", kind,
                              (int)spins[i], lengths[k]);
                lensing_scene_close(&s);
            }
}

/* Without frames: a lensed value is that of the field turned back along the geodesic, which takes
 * the direction n' and its frame to n. */
static void lensed_values_are_those_of_rotated_fields(void **state)
{
    (void)state;
    for (int i = 0; i < SPINS; i++) {
        const spin_case c = {.lmax = 12, .mmax = 12, .spin = spins[i]};
        lensing_scene s;
        lensing_scene_open(&s, GRID_WITH_GAPS, &c, 1e-12, 0.7);
        const int64_t npix = armilla_grid_npix(s.grid), size = spin_size(&c);
        double *map = checked_calloc(lensing_values(&s), 8), *alm = checked_malloc(size, 8);
        pixel pixels[MOST_PIXELS];
        const int64_t count = list_pixels(&s, pixels);
        check_ok(armilla_lensing_alm2lenmap(s.lensing, s.alm, map, NULL));
        const double scale = sqrt(dot_maps(lensing_values(&s), map, map) / (double)count);
        for (int64_t k = 0; k < count; k++) {
            const pixel *p = &pixels[k];
            const double point[2] = {p->theta, p->phi};
            const vector axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            double matrix[9]; /* columns: where the axes go when the walk is taken back */
            for (int column = 0; column < 3; column++) {
                const vector v = turned(axes[column], p->way.axis, -p->way.length);
                matrix[column] = (double)v.x;
                matrix[column + 3] = (double)v.y;
                matrix[column + 6] = (double)v.z;
            }
            armilla_rotation rotation;
            armilla_exec exec;
            armilla_exec_init(&exec);
            exec.ntrans = spin_ncomp(&c);
            check_ok(armilla_rotation_from_matrix(matrix, &rotation));
            check_ok(armilla_alm_rotate(&rotation, c.lmax, c.mmax, s.alm, c.mmax, alm, &exec));
            double *value = values_at(&s, 1, point, alm);
            for (int64_t j = 0; j < lensing_ncomp(&s); j++)
                check_at_most(fabs(value[j] - map[p->place + j * npix]) / scale, 3e-11,
                              "spin %d, pixel %d", (int)c.spin, (int)p->place);
            free(value);
        }
        free(alm);
        free(map);
        lensing_scene_close(&s);
    }
}

static void no_deflection_gives_the_field_itself(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 20, .mmax = 20, .spin = 2};
    lensing_scene s;
    lensing_scene_open(&s, GAUSS_GRID, &c, 1e-9, 0);
    double *map = checked_malloc(lensing_values(&s), 8);
    double *plain = checked_malloc(lensing_values(&s), 8);
    armilla_sht *sht = spin_plan(s.grid, &c);
    check_ok(armilla_sht_synthesis(sht, s.alm, plain, NULL));
    check_ok(armilla_lensing_alm2lenmap(s.lensing, s.alm, map, NULL));
    check_at_most(rms_error(lensing_values(&s), plain, map), 1e-9, "not deflected");
    armilla_sht_free(sht);
    free(plain);
    free(map);
    lensing_scene_close(&s);
}

/* --- Deflections -------------------------------------------------------------------------------
 */

static armilla_lensing *plan_of(const lensing_scene *s, const armilla_deflection *d)
{
    armilla_lensing *lensing;
    check_ok(armilla_lensing_new(s->grid, d, s->c.lmax, s->c.mmax, &s->options, &lensing));
    return lensing;
}

static void check_same_directions(const lensing_scene *s, const armilla_lensing *other,
                                  double bound)
{
    const int64_t npix = armilla_grid_npix(s->grid);
    double *angles[2];
    for (int i = 0; i < 2; i++) {
        angles[i] = checked_calloc(3 * npix, sizeof **angles);
        check_ok(armilla_lensing_angles(i ? other : s->lensing, angles[i], angles[i] + 2 * npix));
    }
    for (int64_t i = 0; i < 3 * npix; i++)
        check_at_most(fabs(angles[0][i] - angles[1][i]), bound, "angle %d", (int)i);
    for (int i = 0; i < 2; i++) free(angles[i]);
}

static void potentials_and_their_vectors_mean_the_same(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 4, .mmax = 4};
    lensing_scene s;
    lensing_scene_open(&s, HEALPIX_GRID, &c, 1e-3, 0.01);
    double *vectors = new_vectors(s.potentials);
    armilla_deflection d = deflection_of(vectors);
    d.kind = ARMILLA_DEFLECTION_VECTOR;
    armilla_lensing *other = plan_of(&s, &d);
    check_same_directions(&s, other, 0); /* the same products */
    armilla_lensing_free(other);
    free(vectors);
    lensing_scene_close(&s);
}

static void no_curl_is_a_curl_of_zeros(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 4, .mmax = 4};
    lensing_scene s;
    lensing_scene_open(&s, HEALPIX_GRID, &c, 1e-3, 0.01);
    armilla_lensing_free(s.lensing);
    const int64_t size = 2 * armilla_alm_size(DEFLECTION_LMAX, DEFLECTION_MMAX);
    memset(s.potentials + size, 0, (size_t)size * sizeof *s.potentials);
    s.lensing = plan_of(&s, &s.deflection);
    s.deflection.curl = NULL;
    armilla_lensing *other = plan_of(&s, &s.deflection);
    check_same_directions(&s, other, 1e-14);
    armilla_lensing_free(other);
    lensing_scene_close(&s);
}

static void angles_are_those_of_the_deflection(void **state)
{
    (void)state;
    for (int kind = 0; kind < LENSING_GRIDS; kind++) {
        const spin_case c = {.lmax = 4, .mmax = 4};
        lensing_scene s;
        lensing_scene_open(&s, (lensing_grid)kind, &c, 1e-3, 0.5);
        const int64_t npix = armilla_grid_npix(s.grid);
        double *angles = checked_malloc(3 * npix, 8);
        pixel pixels[MOST_PIXELS];
        const int64_t count = list_pixels(&s, pixels);
        for (int64_t i = 0; i < 3 * npix; i++) angles[i] = 77;
        check_ok(armilla_lensing_angles(s.lensing, angles, angles + 2 * npix));
        int64_t written = 0;
        for (int64_t i = 0; i < npix; i++) written += angles[2 * npix + i] != 77;
        assert_int_equal(written, count);
        for (int64_t i = 0; i < count; i++) {
            const double *point = angles + 2 * pixels[i].place;
            const double gamma = angles[2 * npix + pixels[i].place];
            const frame end = frame_at(point[0], point[1]);
            const vector seen = combine(cosl(gamma), end.theta, -sinl(gamma), end.phi);
            /* 1e-14: alpha itself, from two ways to sum the harmonics */
            check_at_most((double)distance(end.n, pixels[i].way.n), 1e-14, "place %d", (int)i);
            check_at_most((double)distance(seen, pixels[i].way.carried), 1e-13, "turn %d", (int)i);
        }
        check_ok(armilla_lensing_angles(s.lensing, NULL, NULL));
        free(angles);
        lensing_scene_close(&s);
    }
}

/* --- Adjoint -----------------------------------------------------------------------------------
 */

static void check_adjoint(lensing_grid kind, const spin_case *c, double epsilon)
{
    lensing_scene s;
    lensing_scene_open(&s, kind, c, epsilon, 0.3);
    const int64_t count = lensing_values(&s);
    double *map = checked_calloc(count, 8), *other = checked_malloc(count, 8);
    double *alm = checked_malloc(spin_size(c), 8);
    random_fill(3, count, other);
    const uint64_t before = checksum(other, (size_t)count * 8);
    check_ok(armilla_lensing_alm2lenmap(s.lensing, s.alm, map, NULL));
    check_ok(armilla_lensing_adjoint(s.lensing, other, alm, NULL));
    assert_true(before == checksum(other, (size_t)count * 8));
    const double a = dot_maps(count, map, other), b = spin_dot_alm(c, s.alm, alm);
    const double scale = sqrt(dot_maps(count, map, map) * dot_maps(count, other, other));
    check_at_most(fabs(a - b) / scale, 1e-13, "grid %d, spin %d, epsilon %g", (int)kind,
                  (int)c->spin, epsilon);
    free(alm);
    free(other);
    free(map);
    lensing_scene_close(&s);
}

static void adjoint(void **state)
{
    (void)state;
    const double accuracies[] = {1e-1, 1e-6, 1e-12};
    for (int kind = 0; kind < LENSING_GRIDS; kind++)
        for (int i = 0; i < SPINS; i++)
            for (int j = 0; j < 3; j++) {
                const spin_case c = {.lmax = 25, .mmax = 22, .spin = spins[i]};
                check_adjoint((lensing_grid)kind, &c, accuracies[j]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lensed_maps_are_fields_at_deflected_directions),
        cmocka_unit_test(lensed_values_are_those_of_rotated_fields),
        cmocka_unit_test(no_deflection_gives_the_field_itself),
        cmocka_unit_test(potentials_and_their_vectors_mean_the_same),
        cmocka_unit_test(no_curl_is_a_curl_of_zeros),
        cmocka_unit_test(angles_are_those_of_the_deflection),
        cmocka_unit_test(adjoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
