/* What the tests of functions on the rotation group share: plans, random coefficients, inner
 * products. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_SO3_SCENE_H
#define ARMILLA_TESTS_SO3_SCENE_H

#include "armilla/armilla.h"
#include "base/memory.h"
#include "base/progress.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t lmax, mmax, nmax, ngamma;
} so3_case;

typedef struct {
    so3_case c;
    int64_t size, nalm, npix, nmap; /* doubles; size: of a triangle */
    double *alm, *map;
    armilla_so3 *plan;
} so3_scene;

typedef armilla_status so3_operator(const armilla_so3 *, const double *, double *,
                                    const armilla_exec *);

static inline armilla_so3_options so3_options(const so3_case *c)
{
    armilla_so3_options options;
    armilla_so3_options_init(&options);
    options.ngamma = c->ngamma;
    return options;
}

/* Random numbers everywhere, also where none are read. Frees the grid. */
static inline void so3_open(so3_scene *s, armilla_grid *grid, const so3_case *c)
{
    const armilla_so3_options options = so3_options(c);
    const int64_t ngamma = c->ngamma ? c->ngamma : 2 * c->nmax + 1;
    *s = (so3_scene){.c = *c, .size = 2 * armilla_alm_size(c->lmax, c->mmax)};
    s->c.ngamma = ngamma;
    s->nalm = (2 * c->nmax + 1) * s->size;
    s->npix = armilla_grid_npix(grid), s->nmap = ngamma * s->npix;
    s->alm = checked_malloc(s->nalm, 8), s->map = checked_malloc(s->nmap, 8);
    random_fill(7, s->nalm, s->alm);
    random_fill(8, s->nmap, s->map);
    check_ok(armilla_so3_new(grid, c->lmax, c->mmax, c->nmax, &options, &s->plan));
    armilla_grid_free(grid);
}

static inline void so3_close(so3_scene *s)
{
    armilla_so3_free(s->plan);
    free(s->alm), free(s->map);
}

/* Coefficients of a real function: what an analysis of random samples gives is one. */
static inline void so3_make_real(so3_scene *s)
{
    check_ok(armilla_so3_adjoint_synthesis(s->plan, s->map, s->alm, NULL));
    for (int64_t n = -s->c.nmax; n <= s->c.nmax; n++) {
        double *alm = s->alm + (s->c.nmax + n) * s->size;
        for (int64_t m = 0; m <= s->c.mmax; m++)
            for (int64_t l = m; l <= s->c.lmax; l++)
                for (int i = 0; i < 2; i++)
                    alm[2 * armilla_alm_index(s->c.lmax, l, m) + i] /=
                        sqrt((double)(2 * l + 1)) * (double)s->nmap / 64;
    }
}

static inline double so3_dot(const so3_scene *s, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t n = 0; n < 2 * s->c.nmax + 1; n++)
        sum += dot_alm(s->c.lmax, s->c.mmax, a + n * s->size, b + n * s->size);
    return sum;
}

#endif
