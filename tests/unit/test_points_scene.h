/* What the tests of arbitrary points share: points of many kinds, plans, exact values from rings of
 * one pixel each. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_POINTS_SCENE_H
#define ARMILLA_TESTS_POINTS_SCENE_H

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/field_oracle.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    RANDOM,    /* uniform over the sphere, the poles among them */
    AT_POLES,  /* within a few samples of either pole, and on it */
    ONE_PLACE, /* all the same */
    ON_RINGS,  /* where interpolation has its own samples */
    PATCH,     /* a square degree or two */
    FAR_TURNS, /* longitudes of many turns */
    POINT_KINDS
} point_kind;

static inline void fill_points(point_kind kind, int64_t count, double *points)
{
    uint64_t stream = 17;
    for (int64_t i = 0; i < count; i++) {
        const double a = random_next(&stream), b = random_next(&stream);
        double theta = acos(a), phi = M_PI * (b + 1);
        if (kind == AT_POLES) theta = (i % 2 ? 0.01 : M_PI - 0.01) + 0.01 * a;
        if (kind == ONE_PLACE) theta = 1.1, phi = 2.2;
        if (kind == ON_RINGS)
            theta = M_PI * (2 * (double)(i % 64) + 1) / 128, phi = M_PI * 0.25 * i;
        if (kind == PATCH) theta = 0.8 + 0.02 * a, phi = 0.02 * b;
        if (kind == FAR_TURNS) phi = (i % 2 ? 1e3 : 1e7) * b;
        if (kind < ONE_PLACE && i < 2) theta = i ? M_PI : 0;
        points[2 * i] = theta, points[2 * i + 1] = phi;
    }
}

typedef struct {
    spin_case c;
    int64_t npoints, size; /* size: doubles of all components of alm */
    double *points, *alm;
    armilla_points *plan;
} points_scene;

/* points: taken, to be freed with the scene. */
static inline void points_scene_open_at(points_scene *s, const spin_case *c, double epsilon,
                                        int64_t npoints, double *points)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = c->spin, options.mode = c->mode, options.spin_method = c->method;
    options.epsilon = epsilon;
    *s = (points_scene){.c = *c, .npoints = npoints, .size = spin_size(c), .points = points};
    s->alm = checked_malloc(s->size, sizeof(double));
    spin_random_alm(5, c, 0, s->alm);
    check_ok(armilla_points_new(c->lmax, c->mmax, npoints, s->points, &options, &s->plan));
}

static inline void points_scene_open(points_scene *s, const spin_case *c, double epsilon,
                                     point_kind kind, int64_t npoints)
{
    double *points = checked_malloc(2 * npoints, sizeof(double));
    fill_points(kind, npoints, points);
    points_scene_open_at(s, c, epsilon, npoints, points);
}

static inline void points_scene_close(points_scene *s)
{
    armilla_points_free(s->plan);
    free(s->alm);
    free(s->points);
}

static inline int64_t points_values(const points_scene *s)
{
    return s->npoints * (s->c.spin ? 2 : 1);
}

/* Synthesis and its adjoint: so many threads give the bits of one. */
static inline void check_points_threads(const points_scene *s, int nthreads)
{
    const int64_t count = points_values(s);
    double *values[2], *alm[2];
    for (int i = 0; i < 2; i++) {
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.nthreads = i ? nthreads : 1;
        values[i] = checked_malloc(count, 8), alm[i] = checked_malloc(s->size, 8);
        check_ok(armilla_points_synthesis(s->plan, s->alm, values[i], &exec));
        check_ok(armilla_points_adjoint_synthesis(s->plan, values[0], alm[i], &exec));
    }
    assert_memory_equal(values[0], values[1], (size_t)count * 8);
    assert_memory_equal(alm[0], alm[1], (size_t)s->size * 8);
    for (int i = 0; i < 2; i++) free(values[i]), free(alm[i]);
}

/* A grid whose rings have one pixel each: the points. */
static inline armilla_grid *grid_of_points(int64_t count, const double *points)
{
    armilla_ring *rings = checked_calloc(count, sizeof *rings);
    armilla_grid *grid;
    for (int64_t i = 0; i < count; i++)
        rings[i] = (armilla_ring){.theta = points[2 * i],
                                  .phi0 = points[2 * i + 1],
                                  .weight = 1,
                                  .nphi = 1,
                                  .offset = i,
                                  .stride = 1};
    check_ok(armilla_grid_new_custom(count, rings, &grid));
    free(rings);
    return grid;
}

/* The root mean square error of all values over that of the field on the sphere: what epsilon is a
 * promise of. */
static inline double points_error(const points_scene *s, const double *exact)
{
    const spin_case *c = &s->c;
    const oracle_field field = {
        .lmax = c->lmax, .mmax = c->mmax, .spin = c->spin < 0 ? -c->spin : c->spin};
    const int64_t count = points_values(s), ncomp = spin_ncomp(c);
    double *values = checked_malloc(count, sizeof *values), *alm = s->alm;
    if (c->mode) alm = checked_malloc(2 * s->size / ncomp, sizeof *alm);
    if (c->mode) spin_to_standard(c, s->alm, alm);
    check_ok(armilla_points_synthesis(s->plan, s->alm, values, NULL));
    const double size = sqrt(dot_maps(count, exact, exact)) / oracle_field_rms(&field, alm);
    const double error = rms_error(count, exact, values) * size / sqrt((double)count);
    if (c->mode) free(alm);
    free(values);
    return error;
}

/* Values to rounding: by the Legendre functions at each point. */
static inline double *exact_values(const points_scene *s)
{
    armilla_grid *grid = grid_of_points(s->npoints, s->points);
    armilla_sht *sht = spin_plan(grid, &s->c);
    double *values = checked_malloc(points_values(s), sizeof *values);
    check_ok(armilla_sht_synthesis(sht, s->alm, values, NULL));
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return values;
}

#endif
