/* Checks that convolution by Fourier coefficients of rings is the sum over pixels in long double
 * on all kinds of grids: rings of equal and of unequal lengths, shifted or not, of odd lengths,
 * poles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_mixing_scene.h"

/* --- Kernels with a band limit --------------------------------------------------------------- */

static void gaussians_are_the_sum_over_pixels(void **state)
{
    (void)state;
    static const double fwhm[] = {0.06, 0.13, 0.4, 1.1, 3};
    for (int number = 0; number < GRIDS; number++)
        for (int i = 0; i < 5; i += checks_quick() ? 2 : 1) {
            problem p = gaussian_problem(number, fwhm[i]);
            char label[64];
            snprintf(label, sizeof label, "grid %d, Gaussian of %.2f", number, fwhm[i]);
            check_sum(p, 1e-14, label); /* 4e-15 found */
            close_problem(&p);
        }
}

static void kernels_of_both_signs_are_the_sum_over_pixels(void **state)
{
    (void)state;
    static const int grids[] = {2, 3, 7, 10, 15};
    const double window[] = {0.3, -1, 0, 0.2, 0.7, -0.1};
    for (int i = 0; i < 5; i++)
        for (int kind = 0; kind < 3; kind++) {
            armilla_kernel *kernel;
            char label[64];
            if (kind == 0) check_ok(armilla_kernel_new_mexican_hat(0.4, &kernel));
            if (kind == 1) check_ok(armilla_kernel_new_needlet(2, 3, &kernel));
            if (kind == 2) check_ok(armilla_kernel_new_window(5, window, &kernel));
            problem p = make_problem(make_grid(grids[i]), kernel, kind ? M_PI : whole_support(0.4));
            snprintf(label, sizeof label, "grid %d, kernel %d", grids[i], kind);
            check_sum(p, 2e-14, label);
            close_problem(&p);
        }
}

/* --- Kernels that jump ----------------------------------------------------------------------- */

/* Takes the rings on which it is possible; returns their number. */
static int64_t choose_rings(problem *p, uint8_t **possible)
{
    const int64_t nrings = armilla_grid_nrings(p->grid);
    double *cost = checked_malloc(nrings, sizeof *cost);
    int64_t count = 0;
    *possible = checked_malloc(nrings, sizeof **possible);
    armilla_mixing_frame frame;
    check_ok(armilla_mixing_frame_make(p->grid, &p->profile, p->isa, &frame));
    armilla_mixing_survey(&frame, &p->profile, *possible, cost);
    armilla_mixing_frame_clear(&frame);
    for (int64_t r = 0; r < nrings; r++) {
        count += (*possible)[r];
        assert_true(cost[r] > 0 && cost[r] < 1e12);
    }
    free(cost);
    p->wanted = *possible;
    return count;
}

static void check_jump(problem p, int64_t count, const char *what)
{
    uint8_t *possible;
    assert_int_equal(choose_rings(&p, &possible), count);
    check_sum(p, 1e-14, what);
    if (count < armilla_grid_nrings(p.grid)) {
        armilla_mixing *mixing = NULL;
        p.wanted = NULL;
        check_error(new_mixing(&p, &mixing), ARMILLA_ERROR_ARGUMENT, "method rings");
        assert_null(mixing);
    }
    free(possible);
    close_problem(&p);
}

/* On rings of equal length, all of them or as many as are that far from a cap. */
static void discs_are_the_sum_over_pixels(void **state)
{
    (void)state;
    static const struct {
        int grid;
        int64_t count; /* of rings */
    } equal[] = {{8, 23}, {9, 33}, {10, 20}, {11, 1}, {12, 90}, {13, 13}, {14, 24}};
    static const double radius[] = {0.031, 0.29, 1.3, 2.9};
    char label[64];
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 4; k++) {
            snprintf(label, sizeof label, "grid %d, disc of %.2f", equal[i].grid, radius[k]);
            check_jump(make_problem(make_grid(equal[i].grid), tophat(radius[k]), radius[k]),
                       equal[i].count, label);
        }
    /* rings 15 to 47 of nside 16 have 64 pixels, the next one is at 0.785, others at 0.841, 0.896,
     * 0.948, 0.998, ...; the smallest disc sees its own ring only */
    check_jump(make_problem(make_grid(4), tophat(0.03), 0.03), 63, "nside 16, disc of 0.03");
    check_jump(make_problem(make_grid(4), tophat(0.09), 0.09), 31, "nside 16, disc of 0.09");
    check_jump(make_problem(make_grid(4), gaussian(0.2), 0.2), 27, "nside 16, cut Gaussian");
    /* all pixels but those within 1e-4 of the antipode: pixels opposite to each other are */
    check_jump(make_problem(make_grid(4), tophat(M_PI - 1e-4), M_PI - 1e-4), 0, "all but a point");
}

static void tables_are_the_sum_over_pixels(void **state)
{
    (void)state;
    const double theta[] = {0, 0.1, 0.35, 0.5}, values[] = {1, -0.4, 0.3, 0};
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_table(4, theta, values, &kernel));
    check_jump(make_problem(make_grid(9), kernel, 0.5), 33, "table on CC");
}

static void instruction_sets_agree(void **state)
{
    (void)state;
    const char *name;
    for (int i = 0; (name = armilla_isa_available(i)); i++)
        for (int jump = 0; jump < 2; jump++) {
            problem p =
                jump ? make_problem(make_grid(14), tophat(0.4), 0.4) : gaussian_problem(5, 0.2);
            check_ok(armilla_isa_choose(name, &p.isa));
            check_sum(p, 1e-14, name);
            close_problem(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussians_are_the_sum_over_pixels),
        cmocka_unit_test(kernels_of_both_signs_are_the_sum_over_pixels),
        cmocka_unit_test(discs_are_the_sum_over_pixels),
        cmocka_unit_test(tables_are_the_sum_over_pixels),
        cmocka_unit_test(instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
