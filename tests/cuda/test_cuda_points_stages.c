/* What points need of the stages on a GPU (src/points is their other half): factors of orders in
 * the Legendre stage, samples of a circle in the theta stage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

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
        armilla_leg leg = {&s.passes.layouts[0], 1, NULL, NULL};
        check_names(armilla_cuda_legendre_check_rows(&rows[i]), names[i]);
        armilla_cuda_legendre_to_leg(s.cuda, &rows[i], &leg, &work);
        assert_int_equal(work.error, cudaErrorNotSupported);
        work.error = cudaSuccess;
        armilla_cuda_legendre_from_leg(s.cuda, &leg, &rows[i], &work);
        assert_int_equal(work.error, cudaErrorNotSupported);
    }
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
