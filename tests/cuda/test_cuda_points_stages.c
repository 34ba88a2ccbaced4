/* What points need of the stages on a GPU (src/points is their other half): factors of orders in
 * the Legendre stage, and zeros in the orders that it has not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "alm/layout.h"
#include "cuda/legendre_scene.h"

/* --- What is refused ------------------------------------------------------------------------- */

/* Is the last error about this name? */
static void check_names(armilla_status status, const char *name)
{
    assert_int_equal(status, ARMILLA_ERROR_UNSUPPORTED);
    assert_non_null(strstr(armilla_status_message(), name));
}

/* Nothing is made with rows that kernels would read otherwise than the caller means. */
static void rows_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"packed", "conjugate"};
    const armilla_alm_rows rows[] = {{.packed = 1}, {.conjugate = 1}};
    const problem p = {.lmax = 4, .mmax = 4, .nrings = 6, .ntrans = 1};
    scene s;
    scene_open(&s, &p);
    for (int i = 0; i < 2; i++) {
        armilla_cuda_work work = {.scratch_bytes = 0};
        armilla_leg leg = {&s.passes.layouts[0], 1, NULL, NULL, 0};
        check_names(armilla_cuda_legendre_check_rows(&rows[i]), names[i]);
        armilla_cuda_legendre_to_leg(s.cuda, &rows[i], &leg, &work);
        assert_int_equal(work.error, cudaErrorNotSupported);
        work.error = cudaSuccess;
        armilla_cuda_legendre_from_leg(s.cuda, &leg, &rows[i], &work);
        assert_int_equal(work.error, cudaErrorNotSupported);
        work.error = cudaSuccess;
        armilla_cuda_legendre_clear_orders(&rows[i], 1, 3, 4, &work);
        assert_int_equal(work.error, cudaErrorNotSupported);
    }
    scene_close(&s);
}

/* --- Orders that points do not need ---------------------------------------------------------- */

enum { LMAX = 9, MMAX = 4, ABSENT = 6 };

/* Each number of alm but those of orders above the stage's, of components that alm have and of
 * orders that the layout has, is as it was. */
static void check_cleared(const scene *s, const double *alm, const double *before)
{
    for (int64_t c = 0; c < s->p->ntrans * s->ncomp; c++)
        for (int64_t m = 0; m <= LMAX; m++)
            for (int64_t l = m; l <= LMAX; l++)
                for (int64_t part = 0; part < 2; part++) {
                    const int64_t at = 2 * (c * s->size + m * (2 * LMAX + 1 - m) / 2 + l) + part;
                    const int cleared = m > MMAX && m != ABSENT;
                    assert_true(alm[at] == (cleared ? 0 : before[at]));
                }
}

static void other_orders_become_zeros(void **state)
{
    (void)state;
    const problem p = {.lmax = LMAX,
                       .mmax = MMAX,
                       .above = LMAX - MMAX,
                       .nrings = 6,
                       .ntrans = 2,
                       .spin = 2,
                       .ncomp = 1,
                       .given_factor = 1};
    scene s;
    scene_open(&s, &p);
    s.mstart[ABSENT] = ARMILLA_ALM_ELSEWHERE;
    armilla_cuda_release(s.device_mstart);
    s.device_mstart = to_device(s.mstart, LMAX + 1, sizeof *s.mstart);
    double *alm = random_values(&s), *before = random_values(&s);
    cuda_emulation_launches();
    device_clear(&s, alm);
    assert_int_equal(cuda_emulation_launches(), 1);
    check_cleared(&s, alm, before);
    free(alm);
    free(before);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_refused_by_name),
        cmocka_unit_test(other_orders_become_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
