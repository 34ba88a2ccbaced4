/* What tests of lensed maps on a GPU share: a plan there and one on the processor, on grids of
 * every kind, and calls of both operators. Included behind cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_LENSING_SCENE_H
#define ARMILLA_TESTS_CUDA_LENSING_SCENE_H

#include "cuda/test_cuda_scene.h"
#include "emulation.h"
#include "unit/test_lensing_scene.h"

enum { GRIDS = 6, CASES = 4 };

/* Epsilon of plans; and errors, of the largest value. */
static const double EPSILON = 1e-12, BOUND = 1e-12;

static const spin_case cases[CASES] = {
    {.lmax = 12, .mmax = 12},
    {.lmax = 14, .mmax = 11, .spin = 2},
    {.lmax = 9, .mmax = 9, .spin = 2, .mode = ARMILLA_SHT_GRADIENT_ONLY},
    {.lmax = 11, .mmax = 3, .spin = -1}};

/* --- Scenes ----------------------------------------------------------------------------------- */

static inline armilla_grid *lensing_gpu_grid(int kind)
{
    static const char *const names[] = {"healpix:4", "healpix:4:nested", "gl:17x30", "mw:9x17"};
    armilla_grid *grid, *whole;
    if (kind == 4) return gaps_grid();
    if (kind < 4)
        check_ok(armilla_grid_new_named(names[kind], &grid));
    else {
        whole = healpix_grid(4);
        check_ok(armilla_grid_new_subset(whole, 2, 5, 0, &grid));
        armilla_grid_free(whole);
    }
    return grid;
}

typedef struct {
    lensing_scene s; /* its plan is on the processor */
    armilla_lensing *gpu;
    int64_t nmap, nalm; /* doubles */
    double *map, *wanted, *made;
} pair;

static inline armilla_points_options gpu_options(const lensing_scene *s)
{
    armilla_points_options options = s->options;
    options.device = ARMILLA_CUDA;
    return options;
}

static inline armilla_status new_on_gpu(const lensing_scene *s, armilla_lensing **lensing)
{
    const armilla_points_options options = gpu_options(s);
    return armilla_lensing_new(s->grid, &s->deflection, s->c.lmax, s->c.mmax, &options, lensing);
}

static inline pair pair_open(int kind, const spin_case *c, double rms)
{
    pair p = {.gpu = NULL};
    lensing_scene *s = &p.s;
    lensing_scene_open(s, HEALPIX_GRID, c, EPSILON, rms);
    armilla_lensing_free(s->lensing), armilla_grid_free(s->grid), free(s->rings);
    s->grid = lensing_gpu_grid(kind), s->rings = grid_rings(s->grid);
    check_ok(
        armilla_lensing_new(s->grid, &s->deflection, c->lmax, c->mmax, &s->options, &s->lensing));
    check_ok(new_on_gpu(s, &p.gpu));
    p.nmap = lensing_values(s), p.nalm = spin_size(c);
    const int64_t most = p.nmap > p.nalm ? p.nmap : p.nalm;
    p.map = checked_malloc(p.nmap, 8), p.wanted = checked_malloc(most, 8);
    p.made = checked_malloc(most, 8);
    random_fill(4, p.nmap, p.map);
    return p;
}

static inline void pair_close(pair *p)
{
    armilla_lensing_free(p->gpu);
    free(p->map), free(p->wanted), free(p->made);
    lensing_scene_close(&p->s);
}

/* 0: alm2lenmap, 1: adjoint; in: alm or map. */
static inline armilla_status run(const armilla_lensing *lensing, int way, const double *in,
                                 double *out, const armilla_exec *exec)
{
    return way ? armilla_lensing_adjoint(lensing, in, out, exec)
               : armilla_lensing_alm2lenmap(lensing, in, out, exec);
}

static const double *lensing_input(const pair *p, int way)
{
    return way ? p->map : p->s.alm;
}

static inline int64_t lensing_outputs(const pair *p, int way)
{
    return way ? p->nalm : p->nmap;
}

#endif
