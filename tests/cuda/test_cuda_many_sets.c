/* More sets than a grid of blocks has rows (65535), on the emulated GPU: the Legendre stage and
 * zeros in orders that it has not give each set what it has alone. Strips: test_cuda_strips.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cuda/legendre_scene.h"

enum { SETS = 65535 + 3 };

/* A scene on the equator of so many transforms; the processor's stage, which never has so many
 * sets, is made for one. */
static void open_many(scene *s, problem *p)
{
    *p = (problem){.lmax = 1, .mmax = 0, .above = 1, .nrings = 1, .ntrans = 1};
    scene_open(s, p);
    p->ntrans = s->nsets = SETS;
}

/* Entries of the first and the last sets, on either side of a launch's end, against the processor's
 * sums: F_0 = sum_l a_l0 lambda_l0 at the equator, where l = 1 gives nothing. */
static void legs_have_all_sets(void **state)
{
    (void)state;
    problem p;
    scene s;
    open_many(&s, &p);
    const armilla_leg_layout *layout = &s.passes.layouts[0];
    armilla_leg leg = {layout, SETS, host_leg(&s, layout), NULL, 0};
    double *alm = random_values(&s);
    device_synthesis(&s, alm, &leg);
    for (int64_t set = 0; set < SETS; set++) {
        const double wanted = alm[2 * s.size * set] * sqrt(0.25 / M_PI);
        const double made = armilla_leg_row(&leg, layout->blocks, set, 0)[0];
        if (!(fabs(made - wanted) <= 1e-15)) fail_msg("set %lld: %g", (long long)set, made);
    }
    armilla_release(leg.values);
    free(alm);
    scene_close(&s);
}

static void alm_have_all_sets(void **state)
{
    (void)state;
    problem p;
    scene s;
    open_many(&s, &p);
    const armilla_leg_layout *layout = &s.passes.layouts[0];
    armilla_leg leg = {layout, SETS, host_leg(&s, layout), NULL, 0};
    double *alm = random_values(&s);
    fill_leg(&leg, 3);
    device_analysis(&s, &leg, 0, alm, NULL);
    device_clear(&s, alm);
    for (int64_t set = 0; set < SETS; set++) {
        const double *of = alm + 2 * s.size * set;
        const double *entry = armilla_leg_row(&leg, layout->blocks, set, 0);
        const double wanted = (entry[0] + entry[2]) * sqrt(0.25 / M_PI);
        if (!(fabs(of[0] - wanted) <= 1e-15) || of[4] != 0 || of[5] != 0)
            fail_msg("set %lld: %g, %g", (long long)set, of[0], of[4]);
    }
    armilla_release(leg.values);
    free(alm);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_have_all_sets),
        cmocka_unit_test(alm_have_all_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
