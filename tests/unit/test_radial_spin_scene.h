/* What the tests of radial convolution of spin 2 share: random Q and U, and the oracle. */
#ifndef TEST_RADIAL_SPIN_SCENE_H
#define TEST_RADIAL_SPIN_SCENE_H

#include "oracle/turned_oracle.h"
#include "test_radial_scene.h"

typedef struct spin_scene {
    radial_scene one;  /* the grid */
    double *map, *out; /* Q, then U: -1 to 1 */
} spin_scene;

static inline spin_scene open_spin_scene(armilla_grid *grid)
{
    spin_scene s = {.one = open_scene(grid)};
    s.map = checked_malloc(2 * s.one.npix, sizeof *s.map);
    s.out = checked_calloc(2 * s.one.npix, sizeof *s.out);
    random_fill(73, 2 * s.one.npix, s.map);
    return s;
}

static inline void close_spin_scene(spin_scene *s)
{
    free(s->out);
    free(s->map);
    close_scene(&s->one);
}

static inline spin_scene healpix_spin_scene(int64_t nside)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    return open_spin_scene(grid);
}

static inline armilla_radial_options spin_options(const radial_case *c,
                                                  armilla_radial_normalization normalization)
{
    armilla_radial_options options = options_of(c, normalization, ARMILLA_RADIAL_FASTEST);
    options.spin = 2;
    return options;
}

/* Kernels with kinks are carried along as they stand, others have windows. */
static inline turned_kernel turned_kernel_of(const radial_case *c)
{
    if (c->nbreaks) return (turned_kernel){.plain = c->kernel};
    if (c->fwhm > 0) return turned_beam(c->fwhm, c->values == radial_mexican_hat_values);
    return turned_window(c->kernel);
}

/* The convolution of the scene's map is that of the oracle: errors in units of the largest sum of
 * |w K|, at all pixels of small grids, else at some 50 of them. */
static inline void check_turned(spin_scene *s, const radial_case *c,
                                const armilla_radial_options *options)
{
    armilla_radial *radial = plan_of(&s->one, c, options);
    const armilla_radial_description d = described(radial);
    const double factor = (double)oracle_of(&s->one, c, radial).factor;
    turned_oracle o = turned_oracle_new(s->one.grid, turned_kernel_of(c), d.support);
    const armilla_exec exec = one_thread();
    const int64_t npix = s->one.npix, step = o.count > 300 ? o.count / 53 : 1;
    double worst = 0, size = 0;
    check_ok(armilla_radial_convolve(radial, s->map, s->out, &exec));
    for (int64_t i = 0; i < o.count; i += step) {
        const int64_t p = o.pixel[i].number;
        const turned_sum e = oracle_turned_sum(&o, i, s->map, s->map + npix);
        const double q = fabs(s->out[p] - factor * (double)e.q);
        const double u = fabs(s->out[npix + p] - factor * (double)e.u);
        worst = larger_or_nan(worst, larger_or_nan(q, u) - 2 * fabs(factor) * (double)e.tie);
        size = larger_or_nan(size, fabs(factor) * (double)e.size);
    }
    check_at_most(worst == 0 ? 0 : worst / size, 1e-13,
                  "%s, %lld rings, npix = %lld, support %.3g degrees, %s, %s", c->name,
                  (long long)s->one.nrings, (long long)npix, d.support / DEGREE, d.normalization,
                  d.isa);
    turned_oracle_free(&o);
    armilla_radial_free(radial);
}

#endif
