/* Deflected directions and turned values on a GPU are the processor's: on every kind of grid, for
 * deflections of every length at poles, to antipodes and of none, in maps of RING and of NESTED
 * order, in any sequence of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/geodesic.h"
#include "base/memory.h"
#include "cuda/lensing_run.h"
#include "cuda/test_cuda_scene.h"
#include "emulation.h"

enum { KINDS = 8 };

/* Errors of angles, radians: the formulas are the same, and so are sine, cosine and arctangent of
 * the emulation. */
static const double BOUND = 1e-15;

/* --- Grids and deflections -------------------------------------------------------------------- */

static armilla_grid *part_of(const char *name, int64_t first, int64_t count, int compact)
{
    armilla_grid *whole, *part;
    check_ok(armilla_grid_new_named(name, &whole));
    check_ok(armilla_grid_new_subset(whole, first, count, compact, &part));
    armilla_grid_free(whole);
    return part;
}

/* Rings at both poles and one elsewhere, strides of either sign, places that are no pixels. */
static armilla_grid *gaps_grid(void)
{
    armilla_ring rings[3] = {
        {.theta = M_PI, .nphi = 17, .phi0 = 0.3, .offset = 203, .stride = -2, .weight = 1},
        {.theta = 0, .nphi = 2, .phi0 = 0, .offset = 5, .stride = 3, .weight = 1},
        {.theta = 1.2, .nphi = 400, .phi0 = 6, .offset = 210, .stride = 5, .weight = 1}};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(3, rings, &grid));
    return grid;
}

static armilla_grid *make_grid(int kind)
{
    static const char *const names[] = {"healpix:8", "healpix:16:nested", "healpix:3", "mwss:13x24",
                                        "healpix:1:nested"};
    armilla_grid *grid;
    if (kind == 5) return gaps_grid();
    if (kind == 6) return part_of("healpix:8", 3, 20, 0);
    if (kind == 7) return part_of("healpix:8:nested", 0, 9, 1);
    check_ok(armilla_grid_new_named(names[kind], &grid));
    return grid;
}

/* Where the field of a pixel is: as in a map of RING order. */
static int64_t field_place(const armilla_grid *grid, int64_t ring, int64_t j)
{
    const armilla_ring *r = &grid->rings[ring];
    return r->offset + j * (r->stride ? r->stride : 1);
}

/* Deflections of any length, of none, over poles along a meridian, half a turn. */
static double *make_field(const armilla_grid *grid)
{
    static const double lengths[] = {0,    1e-300, 1e-9, 0.005, 0.0099, 0.01,
                                     0.02, 0.3,    1.5,  3,     M_PI,   1e-4};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    double *field = checked_calloc(2 * grid->npix, sizeof *field);
    uint64_t stream = 4;
    for (int64_t ring = 0, i = 0; ring < grid->nrings; ring++)
        for (int64_t j = 0; j < grid->rings[ring].nphi; j++, i++) {
            const int64_t place = field_place(grid, ring, j);
            const double course = i % 5 ? M_PI * random_next(&stream) : i % 2 ? M_PI : 0;
            const double theta = grid->rings[ring].theta;
            const double length = i % 13 ? lengths[i % LENGTHS] : theta; /* to a pole */
            field[place] = i % 5 || i % 2 ? length * cos(course) : -length;
            field[place + grid->npix] = i % 5 ? length * sin(course) : 0;
        }
    return field;
}

/* --- Directions ------------------------------------------------------------------------------- */

static int64_t entry_of(const armilla_grid *grid, const armilla_cuda_pointing *pointing,
                        int64_t ring, int64_t j, int64_t i)
{
    return pointing->placed ? armilla_grid_place(grid, ring, j) : i;
}

/* Returned: pixels without a deflection, whose directions are not touched. */
static int64_t check_directions(const armilla_grid *grid, const double *field,
                                const armilla_cuda_pointing *pointing, const double *points,
                                const double *gamma, int kind)
{
    int64_t still = 0;
    for (int64_t ring = 0, i = 0; ring < grid->nrings; ring++)
        for (int64_t j = 0; j < grid->rings[ring].nphi; j++, i++) {
            const armilla_ring *r = &grid->rings[ring];
            const int64_t at = field_place(grid, ring, j);
            const int64_t entry = entry_of(grid, pointing, ring, j, i);
            const double phi = r->phi0 + 2 * M_PI * (double)j / (double)r->nphi;
            const double alpha[2] = {field[at], field[at + grid->npix]};
            double wanted[2];
            const double turned = armilla_deflect_point(armilla_colatitude_of(r->theta), phi,
                                                        alpha[0], alpha[1], wanted);
            const double *made = points + 2 * entry;
            check_at_most(fabs(made[0] - wanted[0]), BOUND, "grid %d, theta' of %d", kind, (int)i);
            check_at_most(fabs(made[1] - wanted[1]), BOUND, "grid %d, phi' of %d", kind, (int)i);
            check_at_most(fabs(gamma[entry] - turned), BOUND, "grid %d, gamma of %d", kind, (int)i);
            if (alpha[0] != 0 || alpha[1] != 0) continue;
            assert_true(made[0] == r->theta && made[1] == phi && gamma[entry] == 0);
            still++;
        }
    return still;
}

static void directions_are_the_processors(void **state)
{
    (void)state;
    int64_t still = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        armilla_grid *grid = make_grid(kind);
        armilla_cuda_pointing *pointing = lensing_pointing(grid);
        const int64_t count = pointing->count;
        assert_int_equal(count, armilla_grid_samples(grid));
        assert_int_equal(pointing->placed, count == grid->npix);
        double *field = make_field(grid), *points = checked_malloc(2 * count, 8);
        double *gamma = checked_malloc(count, 8);
        assert_int_equal(lensing_deflect(pointing, grid->npix, field), -1);
        check_ok(armilla_cuda()->lensing->fetch(pointing, points, gamma));
        still += check_directions(grid, field, pointing, points, gamma, kind);
        free(field), free(points), free(gamma);
        armilla_cuda_free(pointing);
        armilla_grid_free(grid);
    }
    assert_true(still > 100);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

static void no_sequence_of_threads_changes_bits(void **state)
{
    (void)state;
    armilla_grid *grid = make_grid(1);
    armilla_cuda_pointing *pointing = lensing_pointing(grid);
    const int64_t npix = grid->npix;
    double *field = make_field(grid), *points = checked_malloc(6 * npix, 8);
    double *gamma = checked_malloc(3 * npix, 8);
    for (int order = 0; order < 3; order++) {
        cuda_emulation_set_order((cuda_emulation_order)order, 5);
        lensing_deflect(pointing, npix, field);
        check_ok(armilla_cuda()->lensing->fetch(pointing, points + 2 * order * npix,
                                                gamma + order * npix));
        cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
        assert_memory_equal(points, points + 2 * order * npix, 16 * (size_t)npix);
        assert_memory_equal(gamma, gamma + order * npix, 8 * (size_t)npix);
    }
    free(field), free(points), free(gamma);
    armilla_cuda_free(pointing);
    armilla_grid_free(grid);
}

/* The first one, whatever runs first: an infinity or a NaN in either component. */
static void the_first_bad_pixel_is_told(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    armilla_grid *grid = make_grid(0);
    armilla_cuda_pointing *pointing = lensing_pointing(grid);
    for (int64_t first = 0; first < grid->npix; first += 89)
        for (int i = 0; i < 3; i++) {
            double *field = make_field(grid);
            for (int64_t place = first; place < grid->npix; place += 31)
                field[place + (first + i) % 2 * grid->npix] = bad[i];
            cuda_emulation_set_order((cuda_emulation_order)i, 2);
            assert_int_equal(lensing_deflect(pointing, grid->npix, field), first);
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            free(field);
        }
    armilla_cuda_free(pointing);
    armilla_grid_free(grid);
}

/* --- Coefficients ----------------------------------------------------------------------------- */

static void a_potential_becomes_its_vector_field(void **state)
{
    (void)state;
    enum { LMAX = 300, MMAX = 7 };
    const int64_t size = 2 * armilla_alm_size(LMAX, MMAX);
    armilla_grid *grid = make_grid(0);
    armilla_cuda_pointing *pointing = lensing_pointing(grid);
    double *alm = checked_malloc(2 * size, 8), *made = checked_malloc(2 * size, 8);
    random_fill(3, 2 * size, alm);
    for (int way = 0; way < 4; way++) {
        const int curl = way % 2, potential = way / 2;
        double *there = to_device(alm + size, 8 * size);
        armilla_cuda_deflection d;
        const armilla_cuda_deflection_parts parts = {LMAX,      MMAX, alm, curl ? there : NULL,
                                                     potential, NULL};
        check_ok(armilla_cuda()->lensing->open_deflection(pointing, &parts, &d));
        from_device(made, d.alm, 8 * size * (1 + curl));
        for (int64_t m = 0; m <= MMAX; m++)
            for (int64_t l = m; l <= LMAX; l++)
                for (int64_t part = 0; part < 2 * (1 + curl); part++) {
                    const int64_t i =
                        2 * armilla_alm_index(LMAX, l, m) + part % 2 + part / 2 * size;
                    const double factor = potential ? sqrt((double)(l * (l + 1))) : 1;
                    assert_true(made[i] == factor * alm[i]);
                }
        armilla_cuda()->lensing->close_deflection(&d);
        cudaFree(there);
    }
    free(alm), free(made);
    armilla_cuda_free(pointing);
    armilla_grid_free(grid);
}

/* --- Values ----------------------------------------------------------------------------------- */

enum { NTRANS = 2, GAP = 7 };

typedef struct {
    armilla_grid *grid;
    armilla_cuda_pointing *pointing;
    int64_t spin, ncomp, count, distance;
    double *gamma, *values, *map, *wanted, *made; /* made: as large as values and map */
    int64_t nvalues, nmap;
} turn_scene;

static turn_scene turn_open(int kind, int64_t spin)
{
    turn_scene s = {.grid = make_grid(kind), .spin = spin, .ncomp = spin ? 2 : 1};
    double *field = make_field(s.grid);
    s.pointing = lensing_pointing(s.grid);
    lensing_deflect(s.pointing, s.grid->npix, field);
    free(field);
    s.count = s.pointing->count, s.distance = s.grid->npix + GAP;
    s.nvalues = NTRANS * s.ncomp * s.count, s.nmap = NTRANS * s.ncomp * s.distance;
    s.gamma = checked_malloc(s.count, 8), s.values = checked_malloc(s.nvalues, 8);
    s.map = checked_malloc(s.nmap, 8), s.wanted = checked_malloc(s.nmap, 8);
    s.made = checked_malloc(s.nmap, 8);
    check_ok(armilla_cuda()->lensing->fetch(s.pointing, NULL, s.gamma));
    random_fill(7, s.nvalues, s.values);
    random_fill(8, s.nmap, s.map);
    return s;
}

static void turn_close(turn_scene *s)
{
    free(s->gamma), free(s->values), free(s->map), free(s->wanted), free(s->made);
    armilla_cuda_free(s->pointing);
    armilla_grid_free(s->grid);
}

/* What the processor makes of values, or of the map. */
static void turn_here(turn_scene *s, int to_map)
{
    memcpy(s->wanted, to_map ? s->map : s->values, 8 * (size_t)(to_map ? s->nmap : s->nvalues));
    for (int64_t t = 0; t < NTRANS; t++)
        for (int64_t ring = 0, i = 0; ring < s->grid->nrings; ring++)
            for (int64_t j = 0; j < s->grid->rings[ring].nphi; j++, i++) {
                const int64_t entry = entry_of(s->grid, s->pointing, ring, j, i);
                const int64_t place = armilla_grid_place(s->grid, ring, j);
                double value[2];
                for (int64_t c = t * s->ncomp; c < (t + 1) * s->ncomp; c++)
                    value[c % 2 * (s->ncomp - 1)] =
                        to_map ? s->values[entry + c * s->count] : s->map[place + c * s->distance];
                if (s->spin)
                    armilla_turn_value((to_map ? 1.0 : -1.0) * (double)s->spin * s->gamma[entry],
                                       value);
                for (int64_t c = t * s->ncomp; c < (t + 1) * s->ncomp; c++)
                    s->wanted[to_map ? place + c * s->distance : entry + c * s->count] =
                        value[c % 2 * (s->ncomp - 1)];
            }
}

/* From a map to itself there is nothing to compare with: the map is an input of adjoints. */
static double *turn_there(const turn_scene *s, int to_map, int in_place)
{
    double *map = checked_malloc(s->nmap, 8), *values = checked_malloc(s->nvalues, 8);
    memcpy(map, s->map, 8 * (size_t)s->nmap), memcpy(values, s->values, 8 * (size_t)s->nvalues);
    const lensing_turned call = {to_map, s->spin, s->ncomp, NTRANS, s->distance, map, values};
    lensing_turn(s->pointing, &call, in_place && to_map && s->pointing->placed);
    if (!to_map) assert_memory_equal(map, s->map, 8 * (size_t)s->nmap);
    free(to_map ? values : map);
    return to_map ? map : values;
}

static void values_turn_as_on_the_processor(void **state)
{
    (void)state;
    static const int64_t spins[] = {0, 1, 2, -3};
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 4; i++) {
            turn_scene s = turn_open(kind, spins[i]);
            for (int way = 0; way < 4; way++) {
                const int to_map = way % 2;
                turn_here(&s, to_map);
                double *made = turn_there(&s, to_map, way / 2);
                const int64_t count = to_map ? s.nmap : s.nvalues;
                for (int64_t k = 0; k < count; k++)
                    check_at_most(fabs(made[k] - s.wanted[k]), 1e-15, "grid %d, spin %d, way %d",
                                  kind, (int)spins[i], way);
                free(made);
            }
            turn_close(&s);
        }
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

/* --- Failures --------------------------------------------------------------------------------- */

static armilla_status try_all(const armilla_grid *grid, double *map)
{
    const armilla_cuda_pointing_problem problem = {grid->rings, grid->nrings, grid->npix,
                                                   grid->nside};
    const armilla_cuda_deflection_parts parts = {
        .lmax = 1, .mmax = 1, .gradient = map, .curl = map, .potential = 1};
    armilla_cuda_pointing *pointing = NULL;
    armilla_cuda_deflection d = {.alm = NULL};
    int64_t bad;
    armilla_status status = armilla_cuda()->lensing->make(&problem, &pointing);
    if (!status) status = armilla_cuda()->lensing->open_deflection(pointing, &parts, &d);
    if (!status) status = armilla_cuda()->lensing->deflect(pointing, &d, &bad);
    armilla_cuda()->lensing->close_deflection(&d);
    armilla_cuda_free(pointing);
    return status;
}

/* Each allocation of host and device fails once, and each call of CUDA: nothing is left behind. One
 * that gives memory back and fails keeps it, so that calls are only asked for an error. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    int64_t (*const fails[])(int64_t) = {armilla_memory_fail_after, cuda_emulation_fail_twice_after,
                                         cuda_emulation_fail_call_after};
    armilla_grid *grid = make_grid(5);
    double *map = checked_calloc(2 * grid->npix, 8);
    for (int kind = 0; kind < 2; kind++) {
        fails[kind](-1);
        check_ok(try_all(grid, map));
        const int64_t count = fails[kind](-1);
        assert_true(count >= 4);
        for (int64_t n = 0; n < count; n++) {
            fails[kind](n);
            const armilla_status status = try_all(grid, map);
            fails[kind](-1);
            assert_int_equal(status, ARMILLA_ERROR_MEMORY);
            assert_int_equal(cuda_emulation_live_bytes(), 0);
        }
    }
    free(map);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_are_the_processors),
        cmocka_unit_test(no_sequence_of_threads_changes_bits),
        cmocka_unit_test(the_first_bad_pixel_is_told),
        cmocka_unit_test(a_potential_becomes_its_vector_field),
        cmocka_unit_test(values_turn_as_on_the_processor),
        cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
