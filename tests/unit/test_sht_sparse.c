/* Checks that transforms in arrays beyond 2^31 elements have the bits of those in compact arrays:
 * rings that lie gigabytes apart, transforms and components whose distance is beyond 2^31. Memory
 * is mapped without reserve, so only touched pages are real: a few megabytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LMAX = 60, NPHI = 128, OPERATORS = 4, PAGE = 4096 };

static const int64_t FAR = ((int64_t)1 << 31) + 4242;

static void *map_sparse(int64_t bytes)
{
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Where element i of a compact array lies in a sparse one. */
typedef struct {
    int64_t run, step; /* runs of elements; from the begin of one run to that of the next */
    int64_t stride;    /* inside a run */
    double bound;      /* of the difference, 0: the same bits */
} spread;

static int64_t place(const spread *s, int64_t i)
{
    return i / s->run * s->step + i % s->run * s->stride;
}

static void scatter(const spread *s, int64_t count, const double *compact, double *sparse)
{
    for (int64_t i = 0; i < count; i++) sparse[place(s, i)] = compact[i];
}

static void check_gathered(const spread *s, int64_t count, const double *expected,
                           const double *sparse, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(sparse[place(s, i)] - expected[i]) <= s->bound))
            fail_msg("%s: entry %lld, at %lld, is %g, not %g", what, (long long)i,
                     (long long)place(s, i), sparse[place(s, i)], expected[i]);
}

static armilla_status run(const armilla_sht *sht, int operation, double *alm, double *map,
                          const armilla_exec *exec)
{
    switch (operation) {
    case 0:
        return armilla_sht_synthesis(sht, alm, map, exec);
    case 1:
        return armilla_sht_adjoint_synthesis(sht, map, alm, exec);
    case 2:
        return armilla_sht_analysis(sht, map, alm, exec);
    default:
        return armilla_sht_adjoint_analysis(sht, alm, map, exec);
    }
}

/* The rings of a Gauss-Legendre grid, moved: pixels `stride` apart, rings `step` apart. */
static armilla_grid *spread_rings(const armilla_grid *grid, const spread *s)
{
    const int64_t nrings = armilla_grid_nrings(grid);
    armilla_ring *rings = grid_rings(grid);
    armilla_grid *made;
    for (int64_t r = 0; r < nrings; r++) rings[r].offset = r * s->step, rings[r].stride = s->stride;
    check_ok(armilla_grid_new_custom(nrings, rings, &made));
    free(rings);
    return made;
}

/* One problem in a compact map and in one with far rings. */
static void check_far_rings(const spread *s, const spin_case *c, const char *what)
{
    armilla_grid *grid, *far_grid;
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, NPHI, &grid));
    const int64_t nrings = LMAX + 1, ncomp = c->spin ? 2 : 1;
    const int64_t npix = armilla_grid_npix(grid), size = spin_size(c);
    armilla_ring *rings = grid_rings(grid);
    armilla_grid *custom; /* custom as well, so that both take the same way */
    check_ok(armilla_grid_new_custom(nrings, rings, &custom));
    far_grid = spread_rings(grid, s);
    const int64_t far_npix = armilla_grid_npix(far_grid);
    assert_true(far_npix > ((int64_t)1 << 31));
    double *far_map = map_sparse(8 * ncomp * far_npix);
    if (!far_map) skip(); /* an address space that is limited */
    double *map = checked_malloc(ncomp * npix, 8), *alm = checked_malloc(size, 8);
    double *alm2 = checked_calloc(size, 8), *alm3 = checked_calloc(size, 8);
    armilla_sht *sht = spin_plan(custom, c), *far_sht = spin_plan(far_grid, c);
    for (int operation = 0; operation < OPERATORS; operation++) {
        spin_random_alm(51, c, 0, alm);
        random_fill(52, ncomp * npix, map);
        for (int64_t k = 0; k < ncomp; k++)
            scatter(s, npix, map + k * npix, far_map + k * far_npix);
        const int to_map = operation == 0 || operation == 3;
        check_ok(run(sht, operation, to_map ? alm : alm2, map, NULL));
        check_ok(run(far_sht, operation, to_map ? alm : alm3, far_map, NULL));
        for (int64_t k = 0; to_map && k < ncomp; k++)
            check_gathered(s, npix, map + k * npix, far_map + k * far_npix, what);
        const spread compact = {size, 0, 1, s->bound};
        if (!to_map) check_gathered(&compact, size, alm2, alm3, what);
    }
    armilla_sht_free(far_sht);
    armilla_sht_free(sht);
    assert_int_equal(munmap(far_map, (size_t)(8 * ncomp * far_npix)), 0);
    void *arrays[] = {map, alm, alm2, alm3, rings};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    armilla_grid_free(far_grid);
    armilla_grid_free(custom);
    armilla_grid_free(grid);
}

/* Neighbouring pixels, so that rings go in lanes; every spin has its kernels. */
static void rings_beyond_2_31_pixels(void **state)
{
    (void)state;
    const spread far = {NPHI, FAR / 8, 1, 0};
    for (int64_t spin = 0; spin < 3; spin += 2) {
        spin_case c = {.lmax = LMAX, .mmax = LMAX, .spin = spin, .rings = ARMILLA_SHT_DIRECT};
        check_far_rings(&far, &c, "direct, rings far apart");
        c.rings = ARMILLA_SHT_RESAMPLE;
        check_far_rings(&far, &c, "resampled, rings far apart");
    }
}

/* One ring spans more than 2^31 pixels: 61 rings that interleave. Rings with a stride are read and
 * written by other code than those of the compact map: equal to rounding, sums of 1e2. */
static void strides_over_2_31_pixels(void **state)
{
    (void)state;
    const spread far = {NPHI, PAGE, FAR / 100, 1e-12};
    for (int64_t spin = 0; spin < 3; spin += 2) {
        spin_case c = {.lmax = LMAX, .mmax = LMAX, .spin = spin, .rings = ARMILLA_SHT_DIRECT};
        check_far_rings(&far, &c, "direct, pixels far apart");
        c.rings = ARMILLA_SHT_RESAMPLE;
        check_far_rings(&far, &c, "resampled, pixels far apart");
    }
}

/* Two transforms of one or two components, 2^31 values and complex numbers apart. */
static void distances_beyond_2_31(void **state)
{
    (void)state;
    enum { NTRANS = 2 };
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, NPHI, &grid));
    for (int64_t spin = 0; spin < 3; spin += 2) {
        const spin_case c = {.lmax = LMAX, .mmax = LMAX, .spin = spin};
        const int64_t count = NTRANS * (spin ? 2 : 1), npix = armilla_grid_npix(grid);
        const int64_t nalm = 2 * armilla_alm_size(LMAX, LMAX);
        const spread far_map = {npix, FAR, 1, 0}, far_alm = {nalm, 2 * FAR, 1, 0};
        double *sparse_map = map_sparse(8 * count * FAR);
        double *sparse_alm = map_sparse(16 * count * FAR);
        if (!sparse_map || !sparse_alm) skip();
        double *map = checked_malloc(count * npix, 8), *alm = checked_malloc(count * nalm, 8);
        armilla_sht *sht = spin_plan(grid, &c);
        armilla_exec compact, far;
        armilla_exec_init(&compact);
        compact.ntrans = NTRANS;
        far = compact;
        far.map_distance = far.alm_distance = FAR;
        for (int operation = 0; operation < OPERATORS; operation++) {
            random_fill(53, count * nalm, alm);
            random_fill(54, count * npix, map);
            scatter(&far_alm, count * nalm, alm, sparse_alm);
            scatter(&far_map, count * npix, map, sparse_map);
            check_ok(run(sht, operation, alm, map, &compact));
            check_ok(run(sht, operation, sparse_alm, sparse_map, &far));
            check_gathered(&far_map, count * npix, map, sparse_map, "map_distance");
            check_gathered(&far_alm, count * nalm, alm, sparse_alm, "alm_distance");
        }
        armilla_sht_free(sht);
        free(alm);
        free(map);
        munmap(sparse_alm, (size_t)(16 * count * FAR));
        munmap(sparse_map, (size_t)(8 * count * FAR));
    }
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_beyond_2_31_pixels),
        cmocka_unit_test(strides_over_2_31_pixels),
        cmocka_unit_test(distances_beyond_2_31),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
