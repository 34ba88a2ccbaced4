/* Checks that the Legendre stage gives the same with kept matrices of p as by recurrences, on few
 * rings, where plans keep matrices up to the largest band limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "legendre/stage.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 501, NRINGS = 7 }; /* at most */

typedef struct {
    int64_t lmax, spin, nsets;
    armilla_ring_pairs pairs;
    armilla_leg_layout layout;
    int64_t mstart[LARGEST + 1];
    double *alm;
    armilla_progress progress;
} scene;

static int64_t alm_size(const scene *s)
{
    return 2 * s->nsets * armilla_alm_size(s->lmax, s->lmax);
}

static void scene_open(scene *s, int64_t lmax, int64_t spin, int64_t nrings)
{
    double theta[NRINGS];
    *s = (scene){.lmax = lmax, .spin = spin, .nsets = spin ? 2 : 1};
    for (int64_t r = 0; r < nrings; r++) theta[r] = M_PI * (double)(r + 1) / (double)(nrings + 1);
    check_ok(armilla_ring_pairs_make(nrings, theta, lmax, lmax, spin, &s->pairs));
    for (int64_t m = 0; m <= lmax; m++) s->mstart[m] = m * (2 * lmax + 1 - m) / 2;
    const armilla_leg_shape shape = {
        .pairs = &s->pairs, .npairs = s->pairs.count, .block_size = s->pairs.count, .mmax = lmax};
    check_ok(armilla_leg_layout_make(&shape, &s->layout));
    s->alm = checked_malloc(alm_size(s), sizeof(double));
    random_fill(8, alm_size(s), s->alm);
    armilla_progress_start(&s->progress, NULL, NULL, 0);
}

static void scene_close(scene *s)
{
    armilla_ring_pairs_clear(&s->pairs);
    armilla_leg_layout_clear(&s->layout);
    free(s->alm);
}

/* To leg and back. Returned: how many orders have matrices. */
static int64_t run(scene *s, int64_t cache_bytes, double *values, double *alm)
{
    armilla_legendre *legendre;
    armilla_legendre_problem problem = {
        .lmax = s->lmax, .norders = s->lmax + 1, .spin = s->spin, .pairs = &s->pairs};
    check_ok(armilla_machine_choose(NULL, &problem.machine));
    problem.cache_bytes = cache_bytes;
    check_ok(armilla_legendre_new(&problem, &legendre));
    const armilla_leg leg = {&s->layout, s->nsets, values, NULL, 0};
    armilla_work work = {.nthreads = 1, .progress = &s->progress};
    work.scratch_size = armilla_legendre_stage_scratch(legendre, s->nsets);
    check_ok(armilla_allocate(&work.scratch, work.scratch_size, sizeof(double)));
    armilla_alm_rows rows = {.values = {s->alm, 0},
                             .distance = armilla_alm_size(s->lmax, s->lmax),
                             .ncomp = s->nsets,
                             .nsets = s->nsets,
                             .lmax = s->lmax,
                             .stride = 1,
                             .mstart = s->mstart,
                             .spin = s->spin,
                             .last = 1};
    armilla_legendre_to_leg(legendre, &rows, &leg, &work);
    rows.values.values = alm;
    armilla_legendre_from_leg(legendre, &leg, &rows, &work);
    int64_t kept = 0;
    for (int64_t m = 0; m <= s->lmax; m++)
        kept += armilla_legendre_kept_matrix(legendre, m) != NULL;
    armilla_release(work.scratch);
    armilla_legendre_free(legendre);
    return kept;
}

static void check(int64_t lmax, int64_t spin, int64_t nrings, int kept)
{
    scene s;
    scene_open(&s, lmax, spin, nrings);
    const int64_t size = alm_size(&s), length = s.nsets * s.layout.size;
    double *alm[2], *leg[2];
    for (int i = 0; i < 2; i++) {
        alm[i] = checked_calloc(size, sizeof(double));
        check_ok(armilla_allocate_zero(&leg[i], length, sizeof(double)));
    }
    assert_true(run(&s, ARMILLA_CACHE_NEAR, leg[0], alm[0]) == (kept ? lmax + 1 : 0));
    assert_true(run(&s, 1, leg[1], alm[1]) == 0); /* no room for any */
    const double bound = 2e-16 * (double)(lmax + 10);
    check_at_most(rms_error(length, leg[1], leg[0]), bound, "leg, lmax %d, spin %d", (int)lmax,
                  (int)spin);
    check_at_most(rms_error(size, alm[1], alm[0]), bound, "alm, lmax %d, spin %d", (int)lmax,
                  (int)spin);
    for (int i = 0; i < 2; i++) {
        free(alm[i]);
        armilla_release(leg[i]);
    }
    scene_close(&s);
}

static void matrices_have_the_values_of_recurrences(void **state)
{
    (void)state;
    check(90, 0, 7, 1);
    check(90, 1, 7, 1);
    check(90, 2, 7, 1);
    check(419, 0, 3, 1);
    check(420, 0, 3, 1);
    check(320, 1, 3, 1);
    check(321, 2, 2, 1);
    check(501, 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_have_the_values_of_recurrences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
