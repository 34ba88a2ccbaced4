/* Lensed maps by maps of deflections (ARMILLA_DEFLECTION_MAP), on the processor and on the emulated
 * GPU: the directions of a plan whose coefficients make the same map, on every kind of grid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/lensing_scene.h"

/* The deflection at each pixel; not-a-number at places that are none. */
static double *new_map(const lensing_scene *s)
{
    const int64_t npix = armilla_grid_npix(s->grid);
    double *map = checked_malloc(2 * npix, sizeof *map), *vectors = new_vectors(s->potentials);
    armilla_sht_options options;
    armilla_sht *sht;
    for (int64_t i = 0; i < 2 * npix; i++) map[i] = NAN;
    armilla_sht_options_init(&options);
    options.spin = 1;
    check_ok(armilla_sht_new(s->grid, DEFLECTION_LMAX, DEFLECTION_MMAX, &options, &sht));
    check_ok(armilla_sht_synthesis(sht, vectors, map, NULL));
    armilla_sht_free(sht);
    free(vectors);
    return map;
}

static armilla_deflection deflection_by(const double *map)
{
    armilla_deflection deflection;
    armilla_deflection_init(&deflection);
    deflection.kind = ARMILLA_DEFLECTION_MAP, deflection.map = map;
    return deflection;
}

static armilla_lensing *new_by(const pair *p, const double *map, armilla_device device)
{
    const armilla_deflection deflection = deflection_by(map);
    armilla_points_options options = p->s.options;
    armilla_lensing *lensing;
    options.device = device;
    check_ok(
        armilla_lensing_new(p->s.grid, &deflection, p->s.c.lmax, p->s.c.mmax, &options, &lensing));
    return lensing;
}

/* The same direction at each pixel as that of another plan; takes the plan. */
static void check_angles(const pair *p, const armilla_lensing *judge, armilla_lensing *lensing,
                         double bound)
{
    const int64_t npix = armilla_grid_npix(p->s.grid);
    double *made = checked_calloc(3 * npix, 8), *wanted = checked_calloc(3 * npix, 8);
    check_ok(armilla_lensing_angles(judge, wanted, wanted + 2 * npix));
    check_ok(armilla_lensing_angles(lensing, made, made + 2 * npix));
    for (int64_t i = 0; i < 3 * npix; i++) assert_true(fabs(made[i] - wanted[i]) <= bound);
    free(made), free(wanted);
    armilla_lensing_free(lensing);
}

static void check_maps(const pair *p)
{
    double *map = new_map(&p->s);
    double *there = to_device(map, 16 * armilla_grid_npix(p->s.grid));
    const int64_t count = lensing_outputs(p, 0);
    check_angles(p, p->s.lensing, new_by(p, map, ARMILLA_CPU), 0);
    armilla_lensing *gpu = new_by(p, map, ARMILLA_CUDA), *other = new_by(p, there, ARMILLA_CUDA);
    cudaFree(there);
    for (int64_t i = 0; i < count; i++) p->wanted[i] = p->made[i] = 7;
    check_ok(run(p->s.lensing, 0, lensing_input(p, 0), p->wanted, NULL));
    check_ok(run(gpu, 0, lensing_input(p, 0), p->made, NULL));
    check_at_most(relative_error(count, p->wanted, p->made), BOUND, "lensed");
    check_angles(p, gpu, other, 0);
    check_angles(p, p->s.lensing, gpu, 1e-12);
    free(map);
}

static void directions_are_those_of_coefficients(void **state)
{
    (void)state;
    for (int kind = 0; kind < GRIDS; kind++) {
        pair p = pair_open(kind, &cases[kind % CASES], 0.2);
        check_maps(&p);
        pair_close(&p);
    }
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void check_refused(const pair *p, const armilla_deflection *deflection, const char *message)
{
    armilla_lensing *lensing;
    for (int device = 0; device < 2; device++) {
        armilla_points_options options = p->s.options;
        options.device = device ? ARMILLA_CUDA : ARMILLA_CPU;
        check_error(armilla_lensing_new(p->s.grid, deflection, 9, 9, &options, &lensing),
                    ARMILLA_ERROR_ARGUMENT, message);
    }
}

/* The first pixel that is not finite, or missing, ring by ring, is named by its place in a map in
 * NESTED order.
 */
static void wrong_deflections_are_named(void **state)
{
    (void)state;
    pair p = pair_open(1, &cases[0], 0.2);
    double *map = new_map(&p.s), distortion[1];
    armilla_deflection deflection = deflection_by(map);
    map[5] = NAN;
    check_refused(&p, &deflection, "deflection: at pixel 5 it is (");
    map[5] = 0, map[armilla_grid_npix(p.s.grid) + 7] = (double)(float)ARMILLA_UNSEEN;
    check_refused(&p, &deflection, "deflection: at pixel 7 it is (");
    deflection.gradient = map;
    check_refused(&p, &deflection, "deflection->gradient: must be NULL where kind is");
    deflection.gradient = NULL, deflection.curl = map;
    check_refused(&p, &deflection, "deflection->curl: must be NULL where kind is");
    deflection = deflection_by(NULL);
    check_refused(&p, &deflection, "deflection->map = NULL");
    deflection = p.s.deflection, deflection.map = map;
    check_refused(&p, &deflection, "deflection->map: must be NULL unless kind is");
    deflection = deflection_by(map);
    check_error(
        armilla_lensing_distortion(p.s.grid, &deflection, ARMILLA_DISTORTION_LINEAR, distortion),
        ARMILLA_ERROR_UNSUPPORTED, "deflection->kind = ARMILLA_DEFLECTION_MAP");
    free(map);
    pair_close(&p);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_are_those_of_coefficients),
        cmocka_unit_test(wrong_deflections_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
