/* Checks that several scalar transforms of one call, which share the recurrence (kernels
 * sets_synthesis, sets_analysis), are those of one call each, to rounding: on every instruction
 * set, for every number of them up to what runs together and one more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "legendre/legendre.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = ARMILLA_SETS_MAX + 1 };

typedef struct {
    armilla_grid *grid;
    armilla_sht *sht;
    const char *isa;
    int64_t lmax, size, npix; /* doubles of one alm, of one map */
    double *alm, *map;        /* input of MOST transforms */
} several;

static several set_up(const char *isa, int64_t lmax)
{
    several s = {.isa = isa, .lmax = lmax, .size = 2 * armilla_alm_size(lmax, lmax)};
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.isa = isa;
    s.grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, lmax, lmax, 0, 0);
    s.npix = armilla_grid_npix(s.grid);
    check_ok(armilla_sht_new(s.grid, lmax, lmax, &options, &s.sht));
    s.alm = checked_malloc(MOST * s.size, sizeof *s.alm);
    s.map = checked_malloc(MOST * s.npix, sizeof *s.map);
    for (int64_t t = 0; t < MOST; t++)
        random_alm_triangle((uint64_t)(70 + t), lmax, lmax, s.alm + t * s.size);
    random_fill(69, MOST * s.npix, s.map);
    return s;
}

static void tear_down(several *s)
{
    free(s->map);
    free(s->alm);
    armilla_sht_free(s->sht);
    armilla_grid_free(s->grid);
}

static void check_number(const several *s, int64_t ntrans)
{
    double *alm = checked_malloc(ntrans * s->size, sizeof *alm);
    double *map = checked_malloc(ntrans * s->npix, sizeof *map);
    double *one_alm = checked_malloc(s->size, sizeof *alm);
    double *one_map = checked_malloc(s->npix, sizeof *map);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    check_ok(armilla_sht_synthesis(s->sht, s->alm, map, &exec));
    check_ok(armilla_sht_analysis(s->sht, s->map, alm, &exec));
    for (int64_t t = 0; t < ntrans; t++) {
        check_ok(armilla_sht_synthesis(s->sht, s->alm + t * s->size, one_map, NULL));
        check_ok(armilla_sht_analysis(s->sht, s->map + t * s->npix, one_alm, NULL));
        check_at_most(rms_error(s->npix, one_map, map + t * s->npix), 1e-14,
                      "map %d of %d, lmax %d, %s", (int)t, (int)ntrans, (int)s->lmax,
                      s->isa ? s->isa : "best");
        check_at_most(rms_error(s->size, one_alm, alm + t * s->size), 1e-14,
                      "alm %d of %d, lmax %d, %s", (int)t, (int)ntrans, (int)s->lmax,
                      s->isa ? s->isa : "best");
    }
    free(one_map);
    free(one_alm);
    free(map);
    free(alm);
}

static void any_number_of_transforms_on_every_set(void **state)
{
    (void)state;
    static const int64_t band_limits[] = {0, 1, 30, 130}; /* the last one has steps in fine form */
    for (int i = 0; armilla_isa_available(i); i++)
        for (size_t k = 0; k < sizeof band_limits / sizeof *band_limits; k++) {
            several s = set_up(armilla_isa_available(i), band_limits[k]);
            for (int64_t ntrans = 2; ntrans <= MOST; ntrans += 1 + (band_limits[k] > 99))
                check_number(&s, ntrans);
            tear_down(&s);
        }
}

/* Several blocks of steps; with eight lanes synthesis shares p from lmax 400 on. */
static void three_of_many_steps(void **state)
{
    (void)state;
    several s = set_up(NULL, 701);
    check_number(&s, 3);
    tear_down(&s);
}

/* Rings above 2048 samples that few share, with shifts of their own: n is smooth, or forced into
 * four transforms of a quarter. apart: the rings of a pair have different shifts. */
static void two_of_long_rings(int64_t n, int64_t lmax, int apart, int fours, double *map,
                              double *alm)
{
    enum { NRINGS = 6 };
    const double theta[] = {0.7, 1.0, 1.3}, phi0[] = {0.1, 0.3, 0.5};
    const int64_t size = 2 * armilla_alm_size(lmax, lmax);
    armilla_ring rings[NRINGS];
    armilla_grid *grid;
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_exec exec;
    for (int i = 0; i < NRINGS; i++) {
        const int k = i < 3 ? i : 5 - i;
        rings[i] = (armilla_ring){.theta = i < 3 ? theta[k] : M_PI - theta[k],
                                  .nphi = n,
                                  .phi0 = phi0[apart && i > 2 ? (k + 1) % 3 : k],
                                  .offset = i * n,
                                  .stride = 1,
                                  .weight = 1};
    }
    check_ok(armilla_grid_new_custom(NRINGS, rings, &grid));
    armilla_sht_options_init(&options);
    options.choices = fours ? "ring.lanes=0,ring.fours=1" : "ring.lanes=0,ring.fours=0";
    check_ok(armilla_sht_new(grid, lmax, lmax, &options, &sht));
    armilla_exec_init(&exec);
    exec.ntrans = 2;
    for (int64_t i = 0; i < 2 * size; i++) alm[i] = sin(0.37 * (double)(i % size));
    check_ok(armilla_sht_synthesis(sht, alm, map, &exec));
    check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, &exec));
    armilla_sht_free(sht), armilla_grid_free(grid);
}

static double largest_difference(int64_t count, const double *a, const double *b, double *largest)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        *largest = fmax(*largest, fabs(a[i]));
    }
    return most;
}

static void check_long_rings(int64_t n, int64_t lmax, int apart)
{
    const int64_t nmap = 12 * n, nalm = 4 * armilla_alm_size(lmax, lmax);
    double *map[2], *alm[2], scale[2] = {0, 0};
    for (int fours = 0; fours < 2; fours++) {
        map[fours] = calloc((size_t)nmap, sizeof(double));
        alm[fours] = calloc((size_t)nalm, sizeof(double));
        two_of_long_rings(n, lmax, apart, fours, map[fours], alm[fours]);
        assert_memory_equal(map[fours], map[fours] + nmap / 2, (size_t)nmap / 2 * sizeof(double));
    }
    assert_true(largest_difference(nmap, map[0], map[1], &scale[0]) < 1e-12 * scale[0]);
    assert_true(largest_difference(nalm, alm[0], alm[1], &scale[1]) < 1e-12 * scale[1]);
    for (int i = 0; i < 2; i++) free(map[i]), free(alm[i]);
}

static void long_rings_keep_their_phases(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        check_long_rings(5184, 600, apart);
        check_long_rings(6144, 300, apart);
        check_long_rings(404, 150, apart);
        check_long_rings(4096, 200, apart);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_rings_keep_their_phases),
        cmocka_unit_test(any_number_of_transforms_on_every_set),
        cmocka_unit_test(three_of_many_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
