/* Checks what memory radial convolution takes beyond input and output: plan and workspace of the
 * beam of 4.7 arcminutes at nside 2048, of as many pixels at other sizes, and of wide supports. */
#include "test_radial_scene.h"

#include "base/cpu.h"

typedef struct {
    double fwhm, support; /* support: 0 for the default */
    int method, spin, nthreads;
} beam;

/* The share of input and output, both npix doubles, of spin 2 twice as many. Frees the grid. */
static double share_of(armilla_grid *grid, const armilla_kernel *kernel, beam b)
{
    armilla_radial *radial;
    armilla_radial_options options;
    armilla_radial_description d = {.size = sizeof d};
    armilla_radial_options_init(&options);
    options.support = b.support, options.method = b.method, options.spin = b.spin;
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    check_ok(armilla_radial_describe(radial, b.nthreads, &d));
    armilla_radial_free(radial);
    armilla_grid_free(grid);
    return (double)(d.plan_bytes + d.workspace_bytes) / (double)(16 * d.npix * (b.spin ? 2 : 1));
}

static double share(int64_t nside, beam b)
{
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_gaussian(b.fwhm, &kernel));
    const double found = share_of(healpix_grid(nside), kernel, b);
    armilla_kernel_free(kernel);
    return found;
}

static double disc_share(armilla_grid *grid, double radius, int nthreads)
{
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_tophat(radius, &kernel));
    const double found = share_of(grid, kernel, (beam){0, 0, ARMILLA_RADIAL_FASTEST, 0, nthreads});
    armilla_kernel_free(kernel);
    return found;
}

/* The bound for the instruction set that plans have: with vectors of fewer than eight doubles more
 * rings go alone, and the tables of their lengths take up to 2 % more. */
static double bound(double most)
{
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    return strcmp(armilla_isa_label(isa), "avx512") == 0 ? most : most + 0.02;
}

static void narrow_beams_need_little_memory(void **state)
{
    (void)state;
    static const int64_t nsides[] = {512, 1024, 2048};
    for (int i = 0; i < 3; i++) {
        const int64_t nside = nsides[i];
        const double fwhm = 4.7 / 60 * DEGREE * 2048 / (double)nside;
        for (int nthreads = 1; nthreads <= 2; nthreads++)
            check_at_most(share(nside, (beam){fwhm, 0, ARMILLA_RADIAL_FASTEST, 0, nthreads}),
                          bound(0.3), "nside %lld, %d threads", (long long)nside, nthreads);
    }
}

/* By Fourier coefficients of rings: leg must not be in memory as a whole. */
static void wider_beams_need_little_memory(void **state)
{
    (void)state;
    static const double fwhm[] = {1, 2.3, 6};
    for (int i = 0; i < 3; i++)
        for (int spin = 0; spin <= 2; spin += 2)
            check_at_most(share(512, (beam){fwhm[i] * DEGREE, 0, ARMILLA_RADIAL_FASTEST, spin, 1}),
                          bound(0.3), "%g degrees, spin %d", fwhm[i], spin);
}

/* Sources must not be in memory as a whole. The kernel jumps at 2.6 widths, where it is 1e-8.
 * Tables of rows, 2 %, are counted; what FFTW's plans took before was not. */
static void wide_supports_need_little_memory(void **state)
{
    (void)state;
    static const double degrees[] = {2, 4, 8, 16, 60};
    for (int i = 0; i < 5; i++)
        for (int nthreads = 1; nthreads <= 2; nthreads++) {
            const double support = degrees[i] * DEGREE;
            check_at_most(
                share(512, (beam){support / 2.6, support, ARMILLA_RADIAL_PIXELS, 0, nthreads}),
                bound(0.32), "pixels, %g degrees, %d threads", degrees[i], nthreads);
            check_at_most(
                share(512, (beam){support / 3.67, support, ARMILLA_RADIAL_FASTEST, 0, nthreads}),
                bound(0.32), "%g degrees, %d threads", degrees[i], nthreads);
        }
}

/* Kernels that jump have all orders of rings: a disc. */
static void discs_need_little_memory(void **state)
{
    (void)state;
    static const double degrees[] = {4, 8, 16};
    for (int i = 0; i < 3; i++)
        check_at_most(disc_share(healpix_grid(512), degrees[i] * DEGREE, 2), bound(0.3),
                      "disc of %g degrees", degrees[i]);
}

/* A table of all cosines would take 28 %. Small maps may take 7/8 of a megabyte. */
static void discs_on_equal_rings_need_little_memory(void **state)
{
    (void)state;
    static const double degrees[] = {4, 16, 60, 150};
    for (int64_t lmax = 511; lmax <= 1023; lmax += 512)
        for (int i = 0; i < 4; i++)
            for (int nthreads = 1; nthreads <= 2; nthreads++) {
                armilla_grid *grid;
                check_ok(armilla_grid_new_gauss_legendre(lmax + 1, 2 * lmax + 2, &grid));
                check_at_most(disc_share(grid, degrees[i] * DEGREE, nthreads), bound(0.31),
                              "lmax %lld, disc of %g degrees, %d threads", (long long)lmax,
                              degrees[i], nthreads);
            }
}

/* Passes are fewer, and fewer orders in memory, with slabs of one tile. */
static void discs_on_small_grids_need_little_memory(void **state)
{
    (void)state;
    for (int degrees = 4; degrees <= 16; degrees += 12) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_gauss_legendre(448, 896, &grid));
        check_at_most(disc_share(grid, degrees * DEGREE, 1), bound(0.28), "disc of %d degrees",
                      degrees);
    }
}

/* A call of the mode STANDARD holds two maps of rings that are as long as the longest one. */
static void descriptions_count_longer_rings(void **state)
{
    (void)state;
    enum { NSIDE = 32 };
    const double wide = 8.0 * 4 * NSIDE * (4 * NSIDE - 1);
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_kernel *kernel;
    double bytes[2];
    check_ok(armilla_kernel_new_gaussian(0.1, &kernel));
    for (int mode = 0; mode < 2; mode++) {
        armilla_radial *radial;
        armilla_radial_options options;
        armilla_radial_description d = {.size = sizeof d};
        armilla_radial_options_init(&options);
        options.mode = (armilla_radial_mode)mode, options.method = ARMILLA_RADIAL_PIXELS;
        check_ok(armilla_radial_new(grid, kernel, &options, &radial));
        check_ok(armilla_radial_describe(radial, 1, &d));
        bytes[mode] = (double)d.workspace_bytes;
        armilla_radial_free(radial);
    }
    assert_true(bytes[1] >= bytes[0] + 2 * wide && bytes[1] <= bytes[0] + 8 * wide);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_beams_need_little_memory),
        cmocka_unit_test(wider_beams_need_little_memory),
        cmocka_unit_test(wide_supports_need_little_memory),
        cmocka_unit_test(discs_need_little_memory),
        cmocka_unit_test(discs_on_equal_rings_need_little_memory),
        cmocka_unit_test(discs_on_small_grids_need_little_memory),
        cmocka_unit_test(descriptions_count_longer_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
