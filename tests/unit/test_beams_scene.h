/* What the tests of skies seen through beams share: pointings, plans, random skies and beams.
 * Included after cmocka.h. */
#ifndef ARMILLA_TESTS_BEAMS_SCENE_H
#define ARMILLA_TESTS_BEAMS_SCENE_H

#include "armilla/armilla.h"
#include "base/memory.h"
#include "base/progress.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t lmax, mmax, kmax, components, npointings;
    double epsilon;
} beams_case;

typedef struct {
    beams_case c;
    int64_t nsky, nbeam; /* doubles */
    double *pointings, *sky, *beam, *samples;
    armilla_beams *plan;
} beams_scene;

/* Uniform over all rotations; the first ones at the poles, one at a float's pi. */
static inline void fill_pointings(int64_t count, double *pointings)
{
    const double thetas[] = {0, M_PI, 1e-9, M_PI - 1e-7, (float)M_PI};
    uint64_t stream = 23;
    for (int64_t i = 0; i < count; i++) {
        double *p = pointings + 3 * i;
        p[0] = i < 5 && count > 5 ? thetas[i] : acos(random_next(&stream));
        p[1] = 7 * random_next(&stream), p[2] = 20 * random_next(&stream);
    }
}

static inline armilla_beams_options beams_options(const beams_case *c)
{
    armilla_beams_options options;
    armilla_beams_options_init(&options);
    options.components = c->components;
    options.epsilon = c->epsilon;
    return options;
}

static inline void beams_open(beams_scene *s, const beams_case *c)
{
    const armilla_beams_options options = beams_options(c);
    const int64_t alm = 2 * armilla_alm_size(c->lmax, c->mmax);
    const int64_t blm = 2 * armilla_alm_size(c->lmax, c->kmax);
    *s = (beams_scene){.c = *c, .nsky = c->components * alm, .nbeam = c->components * blm};
    s->pointings = checked_malloc(3 * c->npointings, 8);
    s->sky = checked_malloc(s->nsky, 8), s->beam = checked_malloc(s->nbeam, 8);
    s->samples = checked_malloc(c->npointings, 8);
    fill_pointings(c->npointings, s->pointings);
    for (int64_t i = 0; i < c->components; i++) {
        random_alm_triangle(40 + (uint64_t)i, c->lmax, c->mmax, s->sky + i * alm);
        random_alm_triangle(50 + (uint64_t)i, c->lmax, c->kmax, s->beam + i * blm);
    }
    check_ok(armilla_beams_new(c->lmax, c->mmax, c->kmax, c->npointings, s->pointings, &options,
                               &s->plan));
}

static inline void beams_close(beams_scene *s)
{
    armilla_beams_free(s->plan);
    free(s->pointings), free(s->sky), free(s->beam), free(s->samples);
}

static inline double dot_components(int64_t ncomp, int64_t lmax, int64_t mmax, const double *a,
                                    const double *b)
{
    const int64_t size = 2 * armilla_alm_size(lmax, mmax);
    double sum = 0;
    for (int64_t i = 0; i < ncomp; i++) sum += dot_alm(lmax, mmax, a + i * size, b + i * size);
    return sum;
}

/* Root mean square over the sphere of plane 0, and twice that of the others: of what the promise is
 * a part. */
static inline double beams_size(const beams_scene *s)
{
    const beams_case *c = &s->c;
    double all = 0;
    for (int64_t k = 0; k <= c->kmax; k++) {
        double squares = 0;
        for (int64_t m = 0; m <= c->mmax; m++)
            for (int64_t l = m > k ? m : k; l <= c->lmax; l++) {
                double e[2] = {0}, b[2] = {0};
                for (int64_t i = 0; i < c->components; i++) {
                    const double *a = s->sky + i * (s->nsky / c->components) +
                                      2 * armilla_alm_index(c->lmax, l, m);
                    const double *f = s->beam + i * (s->nbeam / c->components) +
                                      2 * armilla_alm_index(c->lmax, l, k);
                    e[0] += f[0] * a[0], e[1] += f[0] * a[1];
                    if (k) b[0] += f[1] * a[0], b[1] += f[1] * a[1];
                }
                squares += (m ? 2 : 1) * (e[0] * e[0] + e[1] * e[1] + b[0] * b[0] + b[1] * b[1]) /
                           (double)(2 * l + 1);
            }
        all += (k ? 2 : 1) * sqrt(squares);
    }
    return all;
}

#endif
