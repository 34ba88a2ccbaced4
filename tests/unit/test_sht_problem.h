/* What the tests of the iterative analysis share: a plan with coefficients and their map. Included
 * after cmocka.h. */
#ifndef ARMILLA_TESTS_SHT_PROBLEM_H
#define ARMILLA_TESTS_SHT_PROBLEM_H

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    armilla_grid *grid;
    armilla_sht *sht;
    int64_t lmax, size, npix; /* of all components, in doubles */
    double *alm, *map, *found, *model;
} problem;

static inline void problem_open_spin(problem *p, armilla_grid *grid, int64_t lmax, int64_t spin)
{
    const spin_case c = {.lmax = lmax, .mmax = lmax, .spin = spin};
    p->grid = grid;
    p->lmax = lmax;
    p->size = spin_size(&c);
    p->npix = armilla_grid_npix(grid) * spin_ncomp(&c);
    p->sht = spin_plan(grid, &c);
    p->alm = checked_malloc(p->size, sizeof(double));
    p->found = checked_malloc(p->size, sizeof(double));
    p->map = checked_malloc(p->npix, sizeof(double));
    p->model = checked_malloc(p->npix, sizeof(double));
    spin_random_alm(41, &c, 0, p->alm);
    check_ok(armilla_sht_synthesis(p->sht, p->alm, p->map, NULL));
}

static inline void problem_open(problem *p, armilla_grid *grid, int64_t lmax)
{
    problem_open_spin(p, grid, lmax, 0);
}

static inline void problem_close(problem *p)
{
    free(p->model);
    free(p->map);
    free(p->found);
    free(p->alm);
    armilla_sht_free(p->sht);
    armilla_grid_free(p->grid);
}

static inline armilla_grid *healpix(int64_t nside)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    return grid;
}

/* model = map - Y found; returns |model| / |map| */
static inline double subtract_model(problem *p)
{
    check_ok(armilla_sht_synthesis(p->sht, p->found, p->model, NULL));
    for (int64_t i = 0; i < p->npix; i++) p->model[i] = p->map[i] - p->model[i];
    return sqrt(dot_maps(p->npix, p->model, p->model) / dot_maps(p->npix, p->map, p->map));
}

static inline armilla_pseudo_options lsmr(const double *weights, const void *guess)
{
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = 1e-13;
    options.max_iterations = 1000;
    options.weights = weights;
    options.guess = guess;
    return options;
}

static inline armilla_pseudo_options jacobi(int64_t niter, const double *weights, const void *guess)
{
    armilla_pseudo_options options = lsmr(weights, guess);
    options.method = ARMILLA_PSEUDO_JACOBI;
    options.max_iterations = niter;
    return options;
}

static inline armilla_pseudo_report solve(const problem *p, const double *map, double *alm,
                                          const armilla_pseudo_options *options)
{
    armilla_pseudo_report report;
    check_ok(armilla_sht_pseudo_analysis(p->sht, map, alm, options, &report, NULL));
    return report;
}

/* Uniform in 0 .. 2. */
static inline double *random_weights(uint64_t seed, int64_t npix)
{
    double *weights = checked_malloc(npix, sizeof *weights);
    random_fill(seed, npix, weights);
    for (int64_t i = 0; i < npix; i++) weights[i] += 1;
    return weights;
}

#endif
