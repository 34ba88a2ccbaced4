/* What the tests of lensed maps share: grids, deflections, plans. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_LENSING_SCENE_H
#define ARMILLA_TESTS_LENSING_SCENE_H

#include "oracle/spin_checks.h"
#include "unit/test_lensing_vectors.h"
#include <stdlib.h>
#include <string.h>

enum {
    DEFLECTION_LMAX = 10,
    DEFLECTION_MMAX = 9,
    MOST_PIXELS = 1000, /* of the grids below: places */
};

/* HEALPix; Gauss-Legendre; some of its rings, places of the others and every other one unused. */
typedef enum { HEALPIX_GRID, GAUSS_GRID, GRID_WITH_GAPS, LENSING_GRIDS } lensing_grid;

static inline armilla_grid *gaps_grid(void)
{
    armilla_ring rings[3] = {
        {.theta = 2.9, .nphi = 17, .phi0 = 0.3, .offset = 203, .stride = -2, .weight = 1},
        {.theta = 0, .nphi = 2, .phi0 = 0, .offset = 5, .stride = 3, .weight = 1},
        {.theta = 1.2, .nphi = 40, .phi0 = 6, .offset = 210, .stride = 5, .weight = 1}};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(3, rings, &grid));
    return grid;
}

static inline armilla_grid *new_grid(lensing_grid kind)
{
    armilla_grid *grid;
    if (kind == GRID_WITH_GAPS) return gaps_grid();
    if (kind == HEALPIX_GRID)
        check_ok(armilla_grid_new_healpix(8, &grid));
    else
        check_ok(armilla_grid_new_gauss_legendre(17, 30, &grid));
    return grid;
}

/* Potentials whose deflections are of the given rms, radians; many cross a pole where it is 1. */
static inline double *new_potentials(double rms)
{
    const int64_t size = 2 * armilla_alm_size(DEFLECTION_LMAX, DEFLECTION_MMAX);
    double *alm = checked_malloc(2 * size, sizeof *alm);
    for (int part = 0; part < 2; part++)
        random_alm_triangle(20 + (uint64_t)part, DEFLECTION_LMAX, DEFLECTION_MMAX,
                            alm + part * size);
    double power = 0; /* 4 pi <alpha^2> = sum of l (l + 1) |a_lm|^2 */
    for (int64_t m = 0; m <= DEFLECTION_MMAX; m++)
        for (int64_t l = m; l <= DEFLECTION_LMAX; l++)
            for (int part = 0; part < 2; part++) {
                const double *a = alm + part * size + 2 * armilla_alm_index(DEFLECTION_LMAX, l, m);
                power += (m ? 2 : 1) * (double)(l * (l + 1)) * (a[0] * a[0] + a[1] * a[1]);
            }
    for (int64_t i = 0; i < 2 * size; i++) alm[i] *= rms * sqrt(4 * M_PI / power);
    return alm;
}

/* sqrt(l (l + 1)) times gradient and curl. */
static inline double *new_vectors(const double *potentials)
{
    const int64_t size = 2 * armilla_alm_size(DEFLECTION_LMAX, DEFLECTION_MMAX);
    double *vectors = checked_malloc(2 * size, sizeof *vectors), window[DEFLECTION_LMAX + 1];
    memcpy(vectors, potentials, 2 * (size_t)size * sizeof *vectors);
    for (int l = 0; l <= DEFLECTION_LMAX; l++) window[l] = sqrt(l * (l + 1.0));
    for (int part = 0; part < 2; part++)
        check_ok(armilla_alm_multiply_window(DEFLECTION_LMAX, DEFLECTION_MMAX, DEFLECTION_LMAX + 1,
                                             window, vectors + part * size));
    return vectors;
}

static inline armilla_deflection deflection_of(const double *potentials)
{
    armilla_deflection d;
    armilla_deflection_init(&d);
    d.lmax = DEFLECTION_LMAX, d.mmax = DEFLECTION_MMAX;
    d.gradient = potentials;
    d.curl = potentials + 2 * armilla_alm_size(DEFLECTION_LMAX, DEFLECTION_MMAX);
    return d;
}

typedef struct {
    spin_case c;
    armilla_grid *grid;
    armilla_ring *rings;
    double *potentials, *alm;
    armilla_deflection deflection;
    armilla_points_options options;
    armilla_lensing *lensing;
} lensing_scene;

static inline void lensing_scene_open(lensing_scene *s, lensing_grid kind, const spin_case *c,
                                      double epsilon, double rms)
{
    *s = (lensing_scene){.c = *c, .grid = new_grid(kind), .potentials = new_potentials(rms)};
    s->rings = grid_rings(s->grid);
    s->deflection = deflection_of(s->potentials);
    s->alm = checked_malloc(spin_size(c), sizeof *s->alm);
    spin_random_alm(6, c, 0, s->alm);
    armilla_points_options_init(&s->options);
    s->options.spin = c->spin, s->options.mode = c->mode, s->options.epsilon = epsilon;
    check_ok(
        armilla_lensing_new(s->grid, &s->deflection, c->lmax, c->mmax, &s->options, &s->lensing));
}

static inline void lensing_scene_close(lensing_scene *s)
{
    armilla_lensing_free(s->lensing);
    armilla_grid_free(s->grid);
    free(s->rings);
    free(s->alm);
    free(s->potentials);
}

/* Components of a map. */
static inline int64_t lensing_ncomp(const lensing_scene *s)
{
    return s->c.spin ? 2 : 1;
}

/* Values of a map, gaps included. */
static inline int64_t lensing_values(const lensing_scene *s)
{
    return lensing_ncomp(s) * armilla_grid_npix(s->grid);
}

#endif
