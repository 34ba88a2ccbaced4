/* Checks that a grid can lay out its pixels otherwise: where they are, what is refused, and that
 * every operator gives what it gives on the plain grid, with the values at other places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN .size = sizeof(armilla_grid_layout)

static const armilla_grid_layout layouts[] = {
    {PLAIN},
    {PLAIN, .phi0 = 0.3},
    {PLAIN, .south_first = 1},
    {PLAIN, .west_first = 1},
    {PLAIN, .phi0 = -2, .south_first = 1, .west_first = 1, .pixel_stride = 2},
    {PLAIN, .ring_stride = 61},
    {PLAIN, .ring_stride = 200, .pixel_stride = 3, .west_first = 1},
    {PLAIN, .theta_contiguous = 1},
    {PLAIN, .theta_contiguous = 1, .phi0 = 1e-3, .south_first = 1, .west_first = 1},
    {PLAIN, .theta_contiguous = 1, .ring_stride = 2, .pixel_stride = 64, .south_first = 1},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts, LMAX = 14, MMAX = 13, KINDS = EXACT_KINDS + 1 };

static armilla_grid *laid_out(const armilla_grid *grid, const armilla_grid_layout *layout)
{
    armilla_grid *made;
    check_ok(armilla_grid_new_laid_out(grid, layout, &made));
    return made;
}

/* HEALPix last. */
static armilla_grid *grid_number(int kind, int64_t extra)
{
    return kind < EXACT_KINDS ? exact_grid(exact_kinds[kind], LMAX, MMAX, extra, 0)
                              : healpix_grid(4);
}

static int is_possible(int kind, const armilla_grid_layout *layout)
{
    const int has_equal_rings =
        kind < EXACT_KINDS && exact_kinds[kind] != ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE;
    return has_equal_rings || !layout->theta_contiguous;
}

/* --- Places ----------------------------------------------------------------------------------- */

/* By the words of the header alone. */
static int64_t place_of(const armilla_grid *plain, const armilla_grid_layout *l, int64_t r,
                        int64_t j)
{
    const int64_t nrings = armilla_grid_nrings(plain), row = l->south_first ? nrings - 1 - r : r;
    armilla_ring ring;
    check_ok(armilla_grid_ring(plain, r, &ring));
    const int64_t column = l->west_first ? ring.nphi - 1 - j : j;
    int64_t pixel = l->pixel_stride ? l->pixel_stride : 1, begin = 0;
    if (l->theta_contiguous && !l->pixel_stride) pixel = nrings;
    if (l->theta_contiguous) return row * (l->ring_stride ? l->ring_stride : 1) + column * pixel;
    if (l->ring_stride) return row * l->ring_stride + column * pixel;
    for (int64_t before = 0; before < row; before++) {
        armilla_ring other;
        check_ok(armilla_grid_ring(plain, l->south_first ? nrings - 1 - before : before, &other));
        begin += other.nphi * pixel;
    }
    return begin + column * pixel;
}

static void check_places(int kind, const armilla_grid_layout *layout)
{
    armilla_grid *plain = grid_number(kind, 1), *grid = laid_out(plain, layout);
    int64_t npix = 0;
    assert_int_equal(armilla_grid_get_kind(grid), armilla_grid_get_kind(plain));
    assert_int_equal(armilla_grid_exact_lmax(grid), armilla_grid_exact_lmax(plain));
    for (int64_t r = 0; r < armilla_grid_nrings(plain); r++) {
        armilla_ring old, moved;
        check_ok(armilla_grid_ring(plain, r, &old));
        check_ok(armilla_grid_ring(grid, r, &moved));
        assert_true(moved.theta == old.theta && moved.weight == old.weight &&
                    moved.nphi == old.nphi);
        assert_true(moved.phi0 == old.phi0 + layout->phi0);
        for (int64_t j = 0; j < old.nphi; j++) {
            const int64_t place = place_of(plain, layout, r, j);
            assert_int_equal(moved.offset + j * moved.stride, place);
            if (place >= npix) npix = place + 1;
        }
    }
    assert_int_equal(armilla_grid_npix(grid), npix);
    armilla_grid_free(grid);
    armilla_grid_free(plain);
}

static void pixels_are_where_the_layout_says(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < LAYOUTS; i++)
            if (is_possible(kind, &layouts[i])) check_places(kind, &layouts[i]);
}

static void layouts_are_told(void **state)
{
    (void)state;
    armilla_grid *plain = exact_grid(ARMILLA_GRID_CC, 4, 4, 0, 11), *twice, *part;
    armilla_grid_layout told;
    armilla_grid_layout_init(&told);
    assert_int_equal(told.size, sizeof told);
    check_ok(armilla_grid_get_layout(plain, &told));
    assert_true(told.ring_stride == 11 && told.pixel_stride == 1 && !told.theta_contiguous);
    armilla_grid *grid = laid_out(plain, &layouts[8]);
    check_ok(armilla_grid_get_layout(grid, &told));
    assert_true(told.ring_stride == 1 && told.pixel_stride == armilla_grid_nrings(plain));
    assert_true(told.phi0 == 1e-3 && told.south_first && told.west_first && told.theta_contiguous);
    twice = laid_out(grid, &layouts[1]); /* longitudes add up, places do not */
    check_ok(armilla_grid_get_layout(twice, &told));
    assert_true(fabs(told.phi0 - 0.301) < 1e-15 && told.ring_stride == 11 && !told.south_first);
    check_ok(armilla_grid_new_subset(grid, 1, 2, 1, &part));
    check_ok(armilla_grid_get_layout(part, &told));
    assert_true(told.phi0 == 1e-3 && told.ring_stride == 11 && told.pixel_stride == 1);
    armilla_grid_free(part);
    check_ok(armilla_grid_new_subset(grid, 1, 2, 0, &part));
    check_error(armilla_grid_get_layout(part, &told), ARMILLA_ERROR_ARGUMENT, "no layout");
    armilla_grid_free(part);
    told.size = 4;
    check_error(armilla_grid_get_layout(grid, &told), ARMILLA_ERROR_ARGUMENT, "size = 4");
    check_error(armilla_grid_get_layout(grid, NULL), ARMILLA_ERROR_ARGUMENT, "layout = NULL");
    check_error(armilla_grid_get_layout(NULL, &told), ARMILLA_ERROR_ARGUMENT, "grid = NULL");
    armilla_grid_layout_init(NULL);
    armilla_grid_free(twice);
    armilla_grid_free(grid);
    armilla_grid_free(plain);
}

static void wrong_layouts_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        armilla_grid_layout layout;
        const char *text;
    } wrong[] = {
        {{PLAIN, .phi0 = INFINITY}, "layout->phi0"},
        {{PLAIN, .ring_stride = -1}, "layout->ring_stride = -1"},
        {{PLAIN, .pixel_stride = -7}, "layout->pixel_stride = -7"},
        {{PLAIN, .ring_stride = 10}, "layout->ring_stride = 10: must be at least 11"},
        {{PLAIN, .ring_stride = 30, .pixel_stride = 3}, "must be at least 31"},
        {{PLAIN, .theta_contiguous = 1, .pixel_stride = 5}, "layout->pixel_stride = 5"},
        {{PLAIN, .ring_stride = INT64_MAX / 2}, "layout->ring_stride"},
        {{PLAIN, .pixel_stride = INT64_MAX / 2}, "layout->pixel_stride"},
        {{PLAIN, .theta_contiguous = 1, .ring_stride = INT64_MAX / 2}, "layout->ring_stride"},
        {{.size = 3}, "layout->size = 3"},
    };
    armilla_grid *plain = exact_grid(ARMILLA_GRID_CC, 4, 4, 0, 11), *made = NULL;
    armilla_grid *unequal = healpix_grid(2);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_error(armilla_grid_new_laid_out(plain, &wrong[i].layout, &made),
                    ARMILLA_ERROR_ARGUMENT, wrong[i].text);
    check_error(armilla_grid_new_laid_out(unequal, &layouts[7], &made), ARMILLA_ERROR_ARGUMENT,
                "layout->theta_contiguous");
    armilla_grid_layout huge = {PLAIN, .pixel_stride = INT64_MAX / 20};
    check_error(armilla_grid_new_laid_out(unequal, &huge, &made), ARMILLA_ERROR_ARGUMENT,
                "layout->pixel_stride");
    check_error(armilla_grid_new_laid_out(NULL, NULL, &made), ARMILLA_ERROR_ARGUMENT, "grid");
    check_error(armilla_grid_new_laid_out(plain, NULL, NULL), ARMILLA_ERROR_ARGUMENT, "laid_out");
    assert_null(made);
    armilla_grid_free(unequal);
    armilla_grid_free(plain);
}

static void failing_allocations_leave_the_output_untouched(void **state)
{
    (void)state;
    armilla_grid *plain = exact_grid(ARMILLA_GRID_MW, 4, 4, 0, 11), *made = NULL, *custom;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    for (int64_t n = 0; status == ARMILLA_ERROR_MEMORY; n++) {
        assert_null(made);
        assert_true(n < 10);
        armilla_memory_fail_after(n);
        status = armilla_grid_new_laid_out(plain, &layouts[8], &made);
        armilla_memory_fail_after(-1);
    }
    check_ok(status);
    armilla_ring *rings = grid_rings(made);
    check_ok(armilla_grid_new_custom(armilla_grid_nrings(made), rings, &custom));
    armilla_grid_kind kind = ARMILLA_GRID_CUSTOM;
    for (int64_t n = 0; kind == ARMILLA_GRID_CUSTOM; n++) { /* then nothing is known to be lost */
        assert_true(n < 40);
        armilla_memory_fail_after(n);
        kind = armilla_grid_lost_rule(custom, 4, 4);
        armilla_memory_fail_after(-1);
    }
    assert_int_equal(kind, ARMILLA_GRID_MW);
    free(rings);
    armilla_grid_free(custom);
    armilla_grid_free(made);
    armilla_grid_free(plain);
}

/* --- Operators -------------------------------------------------------------------------------- */

typedef struct {
    const armilla_grid *plain, *grid;
    const armilla_grid_layout *layout;
    spin_case c;
    int64_t ncomp, nold, nnew; /* components; values of one */
} pair;

/* Values of plain maps to their new places, or back; others are left alone. */
static void move(const pair *p, int back, const double *from, double *to)
{
    for (int64_t k = 0; k < p->ncomp; k++)
        for (int64_t r = 0; r < armilla_grid_nrings(p->plain); r++) {
            armilla_ring old;
            check_ok(armilla_grid_ring(p->plain, r, &old));
            for (int64_t j = 0; j < old.nphi; j++) {
                const int64_t a = k * p->nold + old.offset + j;
                const int64_t b = k * p->nnew + place_of(p->plain, p->layout, r, j);
                to[back ? a : b] = from[back ? b : a];
            }
        }
}

/* a_lm times exp(i m phi0): the same field as seen from shifted pixels. */
static void turn(const pair *p, double phi0, double *alm)
{
    const int64_t size = armilla_alm_size(p->c.lmax, p->c.mmax);
    for (int64_t k = 0; k < spin_ncomp(&p->c); k++)
        for (int64_t m = 0, i = k * size; m <= p->c.mmax; m++)
            for (int64_t l = m; l <= p->c.lmax; l++, i++) {
                const double re = alm[2 * i], im = alm[2 * i + 1], angle = (double)m * phi0;
                alm[2 * i] = re * cos(angle) - im * sin(angle);
                alm[2 * i + 1] = re * sin(angle) + im * cos(angle);
            }
}

static double distance(int64_t count, const double *a, const double *b)
{
    double most = 0, largest = 0;
    for (int64_t i = 0; i < count; i++) {
        most = larger_or_nan(most, fabs(a[i] - b[i]));
        largest = larger_or_nan(largest, fabs(a[i]));
    }
    return most / largest;
}

/* Measured: 1.5e-15. */
static const double SAME = 4e-15;

static void check_to_map(const pair *p, armilla_sht *const plans[2], int adjoint, const double *alm)
{
    armilla_status (*const run)(const armilla_sht *, const double *, double *,
                                const armilla_exec *) =
        adjoint ? armilla_sht_adjoint_analysis : armilla_sht_synthesis;
    const int64_t nold = p->ncomp * p->nold, nnew = p->ncomp * p->nnew, size = spin_size(&p->c);
    double *turned = checked_malloc(size, sizeof *turned);
    double *wanted = checked_malloc(nold, sizeof *wanted);
    double *made = checked_malloc(nnew, sizeof *made), *back = checked_malloc(nold, sizeof *back);
    memcpy(turned, alm, (size_t)size * sizeof *turned);
    turn(p, p->layout->phi0, turned);
    for (int64_t i = 0; i < nnew; i++) made[i] = 7;
    check_ok(run(plans[0], turned, wanted, NULL));
    check_ok(run(plans[1], alm, made, NULL));
    move(p, 1, made, back);
    check_at_most(distance(nold, wanted, back), SAME, "%s, layout %d, spin %lld: %s",
                  armilla_grid_kind_name(armilla_grid_get_kind(p->grid)),
                  (int)(p->layout - layouts), (long long)p->c.spin,
                  adjoint ? "adjoint analysis" : "synthesis");
    for (int64_t i = 0; i < nold; i++) back[i] = 7;
    move(p, 0, back, made);
    for (int64_t i = 0; i < nnew; i++) assert_true(made[i] == 7); /* gaps are left alone */
    free(back);
    free(made);
    free(wanted);
    free(turned);
}

static void check_to_alm(const pair *p, armilla_sht *const plans[2], int analysis)
{
    armilla_status (*const run)(const armilla_sht *, const double *, double *,
                                const armilla_exec *) =
        analysis ? armilla_sht_analysis : armilla_sht_adjoint_synthesis;
    const int64_t nold = p->ncomp * p->nold, nnew = p->ncomp * p->nnew, size = spin_size(&p->c);
    double *old = checked_malloc(nold, sizeof *old), *map = checked_malloc(nnew, sizeof *map);
    double *wanted = checked_malloc(size, sizeof *wanted);
    double *made = checked_malloc(size, sizeof *made);
    random_fill(5, nold, old);
    for (int64_t i = 0; i < nnew; i++) map[i] = NAN; /* gaps are not read */
    move(p, 0, old, map);
    check_ok(run(plans[0], old, wanted, NULL));
    check_ok(run(plans[1], map, made, NULL));
    turn(p, p->layout->phi0, made);
    check_at_most(distance(size, wanted, made), SAME, "%s, layout %d, spin %lld: %s",
                  armilla_grid_kind_name(armilla_grid_get_kind(p->grid)),
                  (int)(p->layout - layouts), (long long)p->c.spin,
                  analysis ? "analysis" : "adjoint synthesis");
    free(made);
    free(wanted);
    free(map);
    free(old);
}

static void check_operators(int kind, const armilla_grid_layout *layout, int64_t spin)
{
    armilla_grid *plain = grid_number(kind, 2), *grid = laid_out(plain, layout);
    pair p = {.plain = plain, .grid = grid, .layout = layout, .ncomp = spin ? 2 : 1};
    p.c = (spin_case){.lmax = LMAX, .mmax = MMAX, .spin = spin};
    p.nold = armilla_grid_npix(plain), p.nnew = armilla_grid_npix(grid);
    armilla_sht *plans[2] = {spin_plan(plain, &p.c), spin_plan(grid, &p.c)};
    double *alm = checked_malloc(spin_size(&p.c), sizeof *alm);
    spin_random_alm(3, &p.c, 0, alm);
    for (int i = 0; i < 2; i++) {
        check_to_map(&p, plans, i, alm);
        check_to_alm(&p, plans, i);
    }
    free(alm);
    armilla_sht_free(plans[1]);
    armilla_sht_free(plans[0]);
    armilla_grid_free(grid);
    armilla_grid_free(plain);
}

static void operators_are_those_of_the_plain_grid(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < LAYOUTS; i++)
            for (int64_t spin = 0; spin <= 2 && is_possible(kind, &layouts[i]); spin += 2)
                check_operators(kind, &layouts[i], spin);
}

/* The recipe for maps along theta was a custom grid, whose analysis of this made 0.625. */
static void quadrupole_of_the_smallest_grid_comes_back(void **state)
{
    (void)state;
    armilla_grid *plain;
    check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 4, 5, &plain));
    for (int i = 0; i < LAYOUTS; i++) {
        armilla_grid *grid = laid_out(plain, &layouts[i]);
        double alm[12] = {0}, *map = checked_calloc(armilla_grid_npix(grid), sizeof *map);
        armilla_sht *sht;
        alm[4] = 1;
        check_ok(armilla_sht_new(grid, 2, 2, NULL, &sht));
        check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
        check_ok(armilla_sht_analysis(sht, map, alm, NULL));
        check_at_most(fabs(alm[4] - 1), 4e-15, "a_20, layout %d", i);
        armilla_sht_free(sht);
        free(map);
        armilla_grid_free(grid);
    }
    armilla_grid_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_where_the_layout_says),
        cmocka_unit_test(layouts_are_told),
        cmocka_unit_test(wrong_layouts_are_refused_by_name),
        cmocka_unit_test(failing_allocations_leave_the_output_untouched),
        cmocka_unit_test(operators_are_those_of_the_plain_grid),
        cmocka_unit_test(quadrupole_of_the_smallest_grid_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
