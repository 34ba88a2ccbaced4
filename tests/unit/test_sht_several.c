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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_transforms_on_every_set),
        cmocka_unit_test(three_of_many_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
