/* Memory beyond input and output, docs/architecture.md 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"

static double part_of_input_and_output(const armilla_grid *grid, int64_t lmax, int64_t spin)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_sht_description d = {.size = sizeof d};
    armilla_sht_options_init(&options);
    options.spin = spin;
    check_ok(armilla_sht_new(grid, lmax, lmax, &options, &sht));
    check_ok(armilla_sht_describe(sht, 1, &d));
    armilla_sht_free(sht);
    return (double)(d.plan_bytes + d.workspace_bytes) /
           (double)(8 * d.npix * d.ncomp + 16 * d.alm_size * d.alm_ncomp);
}

static void check_memory(const char *name, armilla_grid *grid, int64_t lmax)
{
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        double part = part_of_input_and_output(grid, lmax, spin);
        if (!(part <= 0.44))
            print_error("%s lmax %lld spin %lld: %.1f %% of input and output\n", name,
                        (long long)lmax, (long long)spin, 100 * part);
        assert_true(part <= 0.44);
    }
    armilla_grid_free(grid);
}

static void large_transforms_need_little_memory(void **state)
{
    (void)state;
    armilla_grid *grid;
    for (int64_t nside = 1024; nside <= 2048; nside *= 2) {
        check_ok(armilla_grid_new_healpix(nside, &grid));
        check_memory("HEALPix", grid, 2 * nside);
    }
    check_ok(armilla_grid_new_gauss_legendre(2048, 4096, &grid));
    check_memory("Gauss-Legendre", grid, 2047);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_transforms_need_little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
