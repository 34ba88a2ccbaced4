/* What the tests of bad arguments, failing allocations and threads share: a plan with its input,
 * and the five operations by number. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_SHT_SCENE_H
#define ARMILLA_TESTS_SHT_SCENE_H

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include <stdlib.h>

enum { LMAX = 12, MMAX = 10, OPERATORS = 5 };

typedef struct {
    armilla_grid *grid;
    armilla_sht *sht;
    spin_case c;
    int64_t size, npix; /* of all components, in doubles */
    double *alm, *map;
} scene;

static inline void scene_open_spin(scene *s, armilla_grid *grid, const spin_case *c)
{
    s->grid = grid;
    s->c = *c;
    s->size = spin_size(c);
    s->npix = armilla_grid_npix(grid) * (c->spin ? 2 : 1);
    s->sht = spin_plan(grid, c);
    s->alm = checked_malloc(s->size, sizeof(double));
    s->map = checked_malloc(s->npix, sizeof(double));
    spin_random_alm(31, c, 0, s->alm);
    random_fill(32, s->npix, s->map);
}

static inline void scene_open(scene *s, armilla_grid *grid)
{
    const spin_case scalar = {.lmax = LMAX, .mmax = MMAX};
    scene_open_spin(s, grid, &scalar);
}

static inline void scene_close(scene *s)
{
    free(s->map);
    free(s->alm);
    armilla_sht_free(s->sht);
    armilla_grid_free(s->grid);
}

/* A grid of every way a plan can be made: HEALPix, weights, theta resampling, custom rings. */
static inline armilla_grid *grid_number(int number)
{
    if (number < EXACT_KINDS) return exact_grid(exact_kinds[number], LMAX, MMAX, 1, 0);
    return healpix_grid(number - EXACT_KINDS + 3);
}

enum { GRIDS = EXACT_KINDS + 2 };

static inline int64_t output_size(int operation, const scene *s)
{
    return operation == 0 || operation == 3 ? s->npix : s->size;
}

static inline armilla_status run(int operation, const scene *s, double *output,
                                 const armilla_exec *exec)
{
    switch (operation) {
    case 0:
        return armilla_sht_synthesis(s->sht, s->alm, output, exec);
    case 1:
        return armilla_sht_adjoint_synthesis(s->sht, s->map, output, exec);
    case 2:
        return armilla_sht_analysis(s->sht, s->map, output, exec);
    case 3:
        return armilla_sht_adjoint_analysis(s->sht, s->alm, output, exec);
    default:
        return armilla_sht_pseudo_analysis(s->sht, s->map, output, NULL, NULL, exec);
    }
}

#endif
