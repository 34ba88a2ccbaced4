/* What the tests of radial convolution of spin 2 share: random Q and U, and the oracle. */
#ifndef TEST_RADIAL_SPIN_SCENE_H
#define TEST_RADIAL_SPIN_SCENE_H

#include "oracle/turned_oracle.h"
#include "radial/profile/profile.h"
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
    spin_scene s = open_spin_scene(healpix_grid(nside));
    free(s.one.rings);
    s.one.rings = oracle_healpix_rings(nside);
    return s;
}

static inline armilla_radial_options spin_options(const radial_case *c,
                                                  armilla_radial_normalization normalization,
                                                  armilla_radial_method method)
{
    armilla_radial_options options = options_of(c, normalization, method);
    if (normalization ==
        ARMILLA_RADIAL_AUTO) /* as it is for wide kernels; the oracle knows no SUM */
        options.normalization =
            armilla_kernel_is_negative(c->kernel, c->support > 0 ? c->support : 3)
                ? ARMILLA_RADIAL_NONE
                : ARMILLA_RADIAL_INTEGRAL;
    options.spin = 2;
    return options;
}

/* Kernels with kinks are carried along as they stand, others have windows. */
static inline turned_kernel turned_kernel_of(const radial_case *c)
{
    if (c->nbreaks) return (turned_kernel){.plain = &c->judge};
    if (c->judge.kind == ORACLE_WINDOW) return turned_window(&c->judge);
    return turned_beam(c->judge.width, c->judge.kind == ORACLE_MEXICAN_HAT);
}

/* The error of a sum over the oracle's. */
typedef struct turned_error {
    double worst, size;
} turned_error;

static inline void compare_turned(const spin_scene *s, double factor, int64_t p,
                                  const turned_sum *e, const double *out, turned_error *error)
{
    const double q = fabs(out[p] - factor * (double)e->q);
    const double u = fabs(out[s->one.npix + p] - factor * (double)e->u);
    error->worst =
        larger_or_nan(error->worst, larger_or_nan(q, u) - 2 * fabs(factor) * (double)e->tie);
    error->size = larger_or_nan(error->size, fabs(factor) * (double)e->size);
}

/* The convolution of the scene's map by RINGS, and by PIXELS with its support, is that of the
 * oracle: errors in units of the largest sum of |w K|, at all pixels of small grids, else at some
 * 50 of them. */
static inline void check_turned(spin_scene *s, const radial_case *c, armilla_radial_options options)
{
    enum { METHODS = 2 };
    static const armilla_radial_method methods[METHODS] = {ARMILLA_RADIAL_RINGS,
                                                           ARMILLA_RADIAL_PIXELS};
    const armilla_exec exec = one_thread();
    armilla_radial *radial[METHODS];
    turned_error error[METHODS] = {{0}};
    const int64_t npix = s->one.npix;
    double *out = checked_calloc(2 * METHODS * npix, sizeof *out);
    for (int i = 0; i < METHODS; i++) {
        options.method = methods[i];
        radial[i] = plan_of(&s->one, c, &options);
        options.support = described(radial[i]).support;
        check_ok(armilla_radial_convolve(radial[i], s->map, out + 2 * i * npix, &exec));
    }
    const double factor = (double)oracle_of(&s->one, c, radial[0]).factor;
    turned_oracle o =
        turned_oracle_new(s->one.nrings, s->one.rings, turned_kernel_of(c), options.support);
    const int64_t step = o.count > 300 ? o.count / 53 : 1;
    for (int64_t i = 0; i < o.count; i += step) {
        const turned_sum e = oracle_turned_sum(&o, i, s->map, s->map + npix);
        for (int m = 0; m < METHODS; m++)
            compare_turned(s, factor, o.pixel[i].number, &e, out + 2 * m * npix, &error[m]);
    }
    for (int i = 0; i < METHODS; i++) {
        const armilla_radial_description d = described(radial[i]);
        check_at_most(error[i].worst == 0 ? 0 : error[i].worst / error[i].size, 1e-13,
                      "%s, %lld rings, npix = %lld, support %.3g degrees, %s, %s, %s", c->name,
                      (long long)s->one.nrings, (long long)npix, d.support / DEGREE,
                      d.normalization, d.method, d.isa);
        armilla_radial_free(radial[i]);
    }
    turned_oracle_free(&o);
    free(out);
}

#endif
