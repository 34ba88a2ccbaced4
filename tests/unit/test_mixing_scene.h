/* Grids, kernels and the sum over pixels in long double for the tests of the mixing of rings. */
#ifndef ARMILLA_TESTS_MIXING_SCENE_H
#define ARMILLA_TESTS_MIXING_SCENE_H

#include "base/memory.h"
#include "oracle/checks.h"
#include "radial/mixing/mixing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNTOUCHED = 12345 };

static inline armilla_isa best_isa(void)
{
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    return isa;
}

/* --- The direct sum -------------------------------------------------------------------------- */

static inline double longitude(const armilla_ring *ring, int64_t j)
{
    return ring->phi0 + 2 * M_PI * (double)j / (double)ring->nphi;
}

/* Adds ring q to the sum at a pixel, and |terms| for a map of ones to *scale. */
static inline long double add_ring(const armilla_profile *profile, const armilla_ring *p,
                                   double phi, const armilla_ring *q, const double *map,
                                   long double *scale)
{
    const double s = sin((p->theta - q->theta) / 2), sines = sin(p->theta) * sin(q->theta);
    long double sum = 0;
    if (s * s > profile->end) return 0;
    for (int64_t k = 0; k < q->nphi; k++) {
        const double h = sin((phi - longitude(q, k)) / 2);
        const double value = armilla_profile_value(profile, fmin(s * s + sines * h * h, 1));
        sum += (long double)value * map[q->offset + k * q->stride];
        *scale += fabsl((long double)value) * q->weight;
    }
    return sum;
}

/* The sum at pixel j of ring p; transposed: its transpose. */
static inline double direct_sum(const armilla_grid *grid, const armilla_profile *profile, int64_t p,
                                int64_t j, const double *map, int transposed, double *scale)
{
    armilla_ring ring, other;
    long double sum = 0, size = 0;
    check_ok(armilla_grid_ring(grid, p, &ring));
    for (int64_t q = 0; q < armilla_grid_nrings(grid); q++) {
        check_ok(armilla_grid_ring(grid, q, &other));
        sum += (transposed ? ring.weight : other.weight) *
               add_ring(profile, &ring, longitude(&ring, j), &other, map, &size);
    }
    *scale = (double)size;
    return (double)sum;
}

/* --- Running it ------------------------------------------------------------------------------ */

typedef struct {
    armilla_grid *grid;
    armilla_profile profile;
    armilla_isa isa;
    const uint8_t *wanted;
    int nthreads, transposed;
    int64_t nsets;
} problem;

static inline armilla_status new_mixing(const problem *p, armilla_mixing **mixing)
{
    armilla_mixing_frame frame;
    armilla_status status = armilla_mixing_frame_make(p->grid, &p->profile, p->isa, &frame);
    *mixing = NULL;
    if (status || (status = armilla_mixing_new(&frame, &p->profile, p->isa, p->wanted, mixing)))
        return status;
    status = armilla_mixing_take_rings(*mixing, p->isa, p->wanted, NULL);
    if (!status) return ARMILLA_OK;
    armilla_mixing_free(*mixing);
    *mixing = NULL;
    return status;
}

static inline void run_mixing(const problem *p, armilla_array map, armilla_array out)
{
    armilla_mixing *mixing;
    armilla_progress progress;
    armilla_progress_start(&progress, NULL, NULL, 0);
    armilla_work work = {.nthreads = p->nthreads, .progress = &progress};
    double *workspace;
    const int64_t npix = armilla_grid_npix(p->grid);
    check_ok(new_mixing(p, &mixing));
    work.scratch_size = armilla_mixing_scratch_size(mixing);
    const int64_t size = armilla_mixing_workspace_size(mixing, p->nsets);
    check_ok(armilla_allocate(&work.scratch, p->nthreads * work.scratch_size, sizeof(double)));
    check_ok(armilla_allocate(&workspace, size, sizeof(double)));
    for (int64_t i = 0; i < size; i++)
        workspace[i] = NAN; /* nothing is read before it is written */
    const armilla_maps maps = {map, out, npix, npix};
    const armilla_mixing_job job = {.nsets = p->nsets, .weights_at_output = p->transposed};
    armilla_mixing_run(mixing, job, &maps, &work, workspace);
    armilla_release(work.scratch), armilla_release(workspace);
    armilla_mixing_free(mixing);
}

static inline double *convolve(const problem *p, const double *map)
{
    const int64_t size = p->nsets * armilla_grid_npix(p->grid);
    double *out = checked_malloc(size, sizeof *out);
    for (int64_t i = 0; i < size; i++) out[i] = UNTOUCHED;
    run_mixing(p, (armilla_array){(double *)map, 0}, (armilla_array){out, 0});
    return out;
}

/* Some pixels of every wanted ring. */
static inline double largest_error(const problem *p, const double *map, const double *out)
{
    double largest = 0;
    for (int64_t r = 0; r < armilla_grid_nrings(p->grid); r++) {
        armilla_ring ring;
        check_ok(armilla_grid_ring(p->grid, r, &ring));
        const int64_t step = 1 + ring.nphi / (checks_quick() ? 3 : 6);
        for (int64_t j = r % step; j < ring.nphi; j += step) {
            const double value = out[ring.offset + j * ring.stride];
            if (p->wanted && !p->wanted[r]) {
                assert_true(value == UNTOUCHED);
                continue;
            }
            double scale;
            const double expected =
                direct_sum(p->grid, &p->profile, r, j, map, p->transposed, &scale);
            largest = larger_or_nan(fabs(value - expected) / (scale > 0 ? scale : 1), largest);
        }
    }
    return largest;
}

static inline double *random_map(const problem *p, uint64_t seed)
{
    const int64_t size = p->nsets * armilla_grid_npix(p->grid);
    double *map = checked_malloc(size, sizeof *map);
    random_fill(seed, size, map);
    return map;
}

static inline void check_sum(problem p, double bound, const char *what)
{
    double *map = random_map(&p, 5);
    for (p.transposed = 0; p.transposed < 2; p.transposed++) {
        double *out = convolve(&p, map);
        const double error = largest_error(&p, map, out);
        if (getenv("RINGS_SHOW"))
            printf("%s%s: %.2e\n", what, p.transposed ? " transposed" : "", error);
        check_at_most(error, bound, "%s%s", what, p.transposed ? ", transposed" : "");
        free(out);
    }
    free(map);
}

/* --- Grids and kernels ----------------------------------------------------------------------- */

enum { RINGS = 23 };

/* Rings of different lengths and any shifts; or, alike, of 12 pixels with one shift. */
static inline armilla_grid *custom_grid(int alike)
{
    armilla_ring rings[RINGS];
    int64_t offset = 0;
    for (int64_t r = 0; r < RINGS; r++) {
        const double theta = M_PI * ((double)r + 0.3) / RINGS;
        rings[r] = (armilla_ring){.theta = theta,
                                  .nphi = alike ? 12 : 5 + 3 * (r % 4),
                                  .phi0 = alike ? 0.37 : 0.37 * (double)r,
                                  .offset = offset,
                                  .stride = 2,
                                  .weight = 0.01 * (1 + 0.3 * sin((double)r))};
        offset += 2 * rings[r].nphi;
    }
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(RINGS, rings, &grid));
    return grid;
}

static inline armilla_grid *healpix(int64_t nside)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    return grid;
}

static inline armilla_grid *equidistant(armilla_grid_kind kind, int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_equidistant(kind, nrings, nphi, &grid));
    return grid;
}

static inline armilla_grid *patch(void)
{
    armilla_grid *whole = healpix(16), *grid;
    check_ok(armilla_grid_new_subset(whole, 9, 31, 1, &grid));
    armilla_grid_free(whole);
    return grid;
}

enum { GRIDS = 16 };

static inline armilla_grid *make_grid(int number)
{
    armilla_grid *grid = NULL;
    switch (number) {
    case 0:
        return healpix(1);
    case 1:
        return healpix(2);
    case 2:
        return healpix(3);
    case 3:
        return healpix(8);
    case 4:
        return healpix(16);
    case 5:
        return healpix(21);
    case 6:
        return patch();
    case 7:
        return custom_grid(0);
    case 8:
        return custom_grid(1);
    case 9:
        return equidistant(ARMILLA_GRID_CC, 33, 64);
    case 10:
        return equidistant(ARMILLA_GRID_MW, 20, 37);
    case 11:
        return equidistant(ARMILLA_GRID_F1, 1, 7);
    case 12:
        return equidistant(ARMILLA_GRID_DH, 90, 8);
    case 13:
        return equidistant(ARMILLA_GRID_MWSS, 13, 1);
    case 14:
        check_ok(armilla_grid_new_gauss_legendre(24, 51, &grid));
        return grid;
    default:
        check_ok(armilla_grid_new_reduced_gauss_legendre(32, 31, &grid));
        return grid;
    }
}

/* The kernel is freed. */
static inline problem make_problem(armilla_grid *grid, armilla_kernel *kernel, double support)
{
    problem p = {.grid = grid, .isa = best_isa(), .nthreads = 2, .nsets = 1};
    check_ok(armilla_profile_make(kernel, support, 1, &p.profile));
    armilla_kernel_free(kernel);
    return p;
}

static inline void close_problem(problem *p)
{
    armilla_profile_free(&p->profile);
    armilla_grid_free(p->grid);
}

static inline armilla_kernel *gaussian(double fwhm)
{
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_gaussian(fwhm, &kernel));
    return kernel;
}

static inline armilla_kernel *tophat(double radius)
{
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_tophat(radius, &kernel));
    return kernel;
}

/* Where a Gaussian has fallen below 1e-16. */
static inline double whole_support(double fwhm)
{
    return fmin(8.8 * fwhm / sqrt(8 * log(2)), M_PI);
}

static inline problem gaussian_problem(int number, double fwhm)
{
    return make_problem(make_grid(number), gaussian(fwhm), whole_support(fwhm));
}

#endif
