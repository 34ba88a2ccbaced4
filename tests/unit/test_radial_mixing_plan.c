/* Checks what convolution by Fourier coefficients of rings reads and writes, its transpose,
 * threads, slabs, failures and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "radial/mixing/plan.h"
#include "unit/test_mixing_scene.h"

/* --- What is read and written ---------------------------------------------------------------- */

/* Rings out of sight hold NaN; check_sum sees to it that rings not wanted stay as they are. */
static void only_rings_in_sight_are_read(void **state)
{
    (void)state;
    problem p = gaussian_problem(4, 0.05);
    const int64_t nrings = armilla_grid_nrings(p.grid);
    uint8_t *wanted = checked_calloc(nrings, sizeof *wanted);
    wanted[2] = wanted[30] = wanted[61] =
        1; /* a northern ring and two southern ones, not mirrored */
    p.wanted = wanted;
    double *map = random_map(&p, 9);
    for (int64_t r = 0; r < nrings; r++) {
        armilla_ring ring;
        check_ok(armilla_grid_ring(p.grid, r, &ring));
        int seen = 0; /* or its mirror image: pairs of rings are read together */
        for (int64_t w = 0; w < nrings; w++) {
            armilla_ring other;
            check_ok(armilla_grid_ring(p.grid, w, &other));
            const double near =
                fmin(fabs(ring.theta - other.theta), fabs(M_PI - ring.theta - other.theta));
            seen |= wanted[w] && near < p.profile.support + 1e-9;
        }
        for (int64_t j = 0; j < ring.nphi && !seen; j++) map[ring.offset + j] = NAN;
    }
    double *out = convolve(&p, map);
    check_at_most(largest_error(&p, map, out), 1e-14, "three rings");
    free(map), free(out), free(wanted);
    close_problem(&p);
}

static void sets_and_floats_are_the_same_sums(void **state)
{
    (void)state;
    problem p = gaussian_problem(3, 0.3);
    const int64_t npix = armilla_grid_npix(p.grid);
    p.nsets = 3;
    double *map = random_map(&p, 11), *out = convolve(&p, map);
    float *small = checked_malloc(3 * npix, sizeof *small), *found = checked_malloc(3 * npix, 4);
    to_float(3 * npix, map, small);
    run_mixing(&p, (armilla_array){small, 1}, (armilla_array){found, 1});
    p.nsets = 1;
    for (int64_t set = 0; set < 3; set++) {
        double *alone = convolve(&p, map + set * npix);
        assert_memory_equal(alone, out + set * npix, (size_t)npix * sizeof *out);
        for (int64_t i = 0; i < npix; i++)
            assert_true(fabs(found[set * npix + i] - alone[i]) < 1e-7);
        free(alone);
    }
    free(map), free(out), free(small), free(found);
    close_problem(&p);
}

/* --- Properties ------------------------------------------------------------------------------ */

static void output_weights_make_the_transpose(void **state)
{
    (void)state;
    for (int number = 2; number < GRIDS; number += 5) {
        problem p = gaussian_problem(number, 0.2);
        const int64_t npix = armilla_grid_npix(p.grid);
        double *x = random_map(&p, 1), *y = random_map(&p, 2), *ax, *aty;
        for (int64_t i = 0; i < npix; i++) x[i] += 1, y[i] += 1;
        ax = convolve(&p, x);
        p.transposed = 1;
        aty = convolve(&p, y);
        double left = 0, right = 0;
        for (int64_t i = 0; i < npix; i++)
            if (ax[i] != UNTOUCHED) left += y[i] * ax[i], right += aty[i] * x[i];
        check_at_most(fabs(left - right) / fabs(left), 1e-14, "grid %d", number);
        free(x), free(y), free(ax), free(aty);
        close_problem(&p);
    }
}

static void threads_leave_the_bits_alone(void **state)
{
    (void)state;
    for (int number = 5; number < GRIDS; number += 4) {
        problem p = gaussian_problem(number, 0.15);
        const size_t bytes = (size_t)armilla_grid_npix(p.grid) * sizeof(double);
        double *map = random_map(&p, 3);
        p.nthreads = 1;
        double *out = convolve(&p, map);
        for (p.nthreads = 2; p.nthreads < 8; p.nthreads += 3) {
            double *other = convolve(&p, map);
            assert_memory_equal(out, other, bytes);
            free(other);
        }
        free(map), free(out);
        close_problem(&p);
    }
}

/* Enough pairs for several slabs, whose memory is used again. */
static void slabs_take_turns(void **state)
{
    (void)state;
    const int64_t nside = checks_quick() ? 70 : 150;
    const double fwhm = 3.0 / (double)nside;
    problem p = make_problem(healpix_grid(nside), gaussian(fwhm), whole_support(fwhm));
    uint8_t *wanted = checked_calloc(4 * nside - 1, sizeof *wanted);
    double *map = random_map(&p, 21), *whole = convolve(&p, map);
    for (int64_t r = 0; r < 4 * nside - 1; r += 37) wanted[r] = 1;
    p.wanted = wanted;
    double *out = convolve(&p, map);
    check_at_most(largest_error(&p, map, out), 4e-14,
                  "some rings"); /* longitudes of the direct sum */
    for (int64_t i = 0; i < 12 * nside * nside; i++)
        assert_true(out[i] == UNTOUCHED || fabs(out[i] - whole[i]) < 1e-14);
    free(map), free(whole), free(out), free(wanted);
    close_problem(&p);
}

/* --- Passes ---------------------------------------------------------------------------------- */

/* 128 rings of 512 pixels, a disc: 18 spans of orders of all rings would be more than a megabyte
 * and more than 15 % of input and output. */
static problem disc_problem(double radius)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(128, 512, &grid));
    return make_problem(grid, tophat(radius), radius);
}

static int64_t count_passes(const problem *p)
{
    armilla_mixing *mixing;
    check_ok(new_mixing(p, &mixing));
    const int64_t npasses = mixing->npasses;
    armilla_mixing_free(mixing);
    return npasses;
}

static void passes_add_up(void **state)
{
    (void)state;
    problem p = disc_problem(2.2);
    assert_true(count_passes(&p) > 1);
    check_sum(p, 1e-14, "passes");
    close_problem(&p);
}

static void threads_leave_the_bits_of_passes_alone(void **state)
{
    (void)state;
    problem p = disc_problem(2.2);
    p.profile.turns = 1, p.nsets = 2, p.nthreads = 1;
    assert_true(count_passes(&p) > 1);
    double *map = random_map(&p, 8), *one = convolve(&p, map);
    p.nthreads = 3;
    double *three = convolve(&p, map);
    assert_memory_equal(one, three, 2 * 128 * 512 * sizeof(double));
    free(map), free(one), free(three);
    close_problem(&p);
}

/* A later pass adds the rounding of a ring to its mirror image, on which the sum is 0. */
static void passes_keep_zeros(void **state)
{
    (void)state;
    problem p = disc_problem(1.1);
    assert_true(count_passes(&p) > 1);
    double *map = checked_calloc(128 * 512, sizeof *map);
    map[10 * 512 + 77] = 1;
    double *out = convolve(&p, map);
    for (int64_t r = 0; r < 128; r++) {
        armilla_ring ring, source;
        double largest = 0;
        check_ok(armilla_grid_ring(p.grid, r, &ring));
        check_ok(armilla_grid_ring(p.grid, 10, &source));
        for (int64_t j = 0; j < 512; j++) largest = larger_or_nan(largest, fabs(out[r * 512 + j]));
        assert_false(isnan(largest));
        assert_true((largest > 0) == (fabs(ring.theta - source.theta) < 1.1));
    }
    free(map), free(out);
    close_problem(&p);
}

/* --- Failures -------------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int jump = 0; jump < 4; jump++) {
        problem p =
            jump % 2 ? make_problem(make_grid(14), tophat(0.4), 0.4) : gaussian_problem(5, 0.12);
        p.profile.turns = jump / 2; /* spin 2 */
        armilla_mixing *mixing = NULL;
        armilla_status status = ARMILLA_ERROR_MEMORY;
        for (int64_t n = 0; status; n++) {
            armilla_memory_fail_after(n);
            status = new_mixing(&p, &mixing);
            if (status) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
            assert_true(status ? !mixing : mixing && n > 30);
        }
        armilla_memory_fail_after(-1);
        armilla_mixing_free(mixing);
        close_problem(&p);
    }
    armilla_mixing_free(NULL);
}

static int go_on(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 0;
}

static void run_stops_when_cancelled(void **state)
{
    (void)state;
    problem p = gaussian_problem(5, 0.12);
    armilla_mixing *mixing;
    armilla_progress progress;
    check_ok(new_mixing(&p, &mixing));
    double *map = random_map(&p, 2), *workspace;
    const int64_t npix = armilla_grid_npix(p.grid);
    armilla_work work = {
        .nthreads = 1, .scratch_size = armilla_mixing_scratch_size(mixing), .progress = &progress};
    check_ok(armilla_allocate(&work.scratch, work.scratch_size, sizeof(double)));
    check_ok(armilla_allocate(&workspace, armilla_mixing_workspace_size(mixing, 1), 8));
    double *out = checked_calloc(npix, sizeof *out);
    const armilla_maps maps = {{map, 0}, {out, 0}, npix, npix};
    const armilla_mixing_job job = {.nsets = 1};
    armilla_progress_start(&progress, go_on, NULL, 1);
    progress.cancelled = 1;
    armilla_mixing_run(mixing, job, &maps, &work, workspace);
    for (int64_t i = 0; i < npix; i++) assert_true(out[i] == 0);
    armilla_progress_start(&progress, go_on, NULL, 1);
    armilla_mixing_run(mixing, job, &maps, &work, workspace);
    assert_true((double)progress.done == armilla_mixing_units(mixing));
    armilla_release(work.scratch), armilla_release(workspace);
    free(map), free(out);
    armilla_mixing_free(mixing);
    close_problem(&p);
}

/* Plan and workspace, against input and output, for narrow kernels and wide ones. */
static void memory_is_bounded(void **state)
{
    (void)state;
    const int64_t nside = 1024;
    static const double fwhm[] = {1.5, 6, 30, 200}; /* in units of 1 / nside */
    for (int i = 0; i < 4; i++) {
        const double width = fwhm[i] / (double)nside;
        problem p = make_problem(healpix_grid(nside), gaussian(width), whole_support(width));
        armilla_mixing *mixing;
        check_ok(new_mixing(&p, &mixing));
        const double both = 2 * 12.0 * (double)(nside * nside) * sizeof(double);
        const double bytes = (double)armilla_mixing_bytes(mixing) +
                             (double)armilla_mixing_workspace_size(mixing, 1) * sizeof(double);
        if (getenv("RINGS_SHOW")) printf("memory, %.1f: %.2f\n", fwhm[i], bytes / both);
        check_at_most(bytes / both, 0.5, "FWHM %.1f", fwhm[i]);
        armilla_mixing_free(mixing);
        close_problem(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_rings_in_sight_are_read),
        cmocka_unit_test(sets_and_floats_are_the_same_sums),
        cmocka_unit_test(output_weights_make_the_transpose),
        cmocka_unit_test(threads_leave_the_bits_alone),
        cmocka_unit_test(slabs_take_turns),
        cmocka_unit_test(passes_add_up),
        cmocka_unit_test(threads_leave_the_bits_of_passes_alone),
        cmocka_unit_test(passes_keep_zeros),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(run_stops_when_cancelled),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
