/* What the tests of polarised maps share: a plan with its input, two plans of the same, and the
 * operations by number. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_IQU_SCENE_H
#define ARMILLA_TESTS_IQU_SCENE_H

#include "unit/test_sht_scene.h"
#include <math.h>
#include <string.h>

enum { NTRANS = 4 };

typedef struct {
    armilla_grid *grid;
    armilla_alm_layout *layout;
    armilla_sht_options options;
    armilla_iqu *iqu;
    armilla_sht *scalar, *polar;
    armilla_exec exec;              /* of the plan for I, Q, U */
    int64_t size, npix, nalm, nmap; /* distances; doubles of all arrays */
    double *alm, *map;
} sky;

static inline armilla_iqu *new_iqu(const sky *s)
{
    armilla_iqu *iqu;
    check_ok(armilla_iqu_new(s->grid, LMAX, MMAX, &s->options, &iqu));
    return iqu;
}

/* gap: numbers between the components, and a layout with gaps. */
static inline void sky_open(sky *s, armilla_grid *grid, armilla_sht_method method, int64_t ntrans,
                            int gap)
{
    *s = (sky){.grid = grid};
    int64_t mstart[MMAX + 1];
    for (int64_t m = 0; m <= MMAX; m++) mstart[m] = (MMAX - m) * 2 * (LMAX + 2) + 1;
    if (gap) check_ok(armilla_alm_layout_new_custom(LMAX, MMAX, mstart, 2, &s->layout));
    armilla_sht_options_init(&s->options);
    s->options.layout = s->layout;
    s->options.method = method;
    s->iqu = new_iqu(s);
    check_ok(armilla_sht_new(grid, LMAX, MMAX, &s->options, &s->scalar));
    armilla_sht_options spin = s->options;
    spin.spin = 2;
    check_ok(armilla_sht_new(grid, LMAX, MMAX, &spin, &s->polar));
    armilla_exec_init(&s->exec);
    s->size = gap + (gap ? armilla_alm_layout_size(s->layout) : armilla_alm_size(LMAX, MMAX));
    s->npix = gap + armilla_grid_npix(grid);
    s->exec.ntrans = ntrans;
    if (gap) s->exec.alm_distance = s->size, s->exec.map_distance = s->npix;
    s->nalm = 6 * ntrans * s->size, s->nmap = 3 * ntrans * s->npix;
    s->alm = checked_malloc(s->nalm, sizeof(double));
    s->map = checked_malloc(s->nmap, sizeof(double));
    random_fill(71, s->nalm, s->alm);
    random_fill(72, s->nmap, s->map);
}

static inline void sky_close(sky *s)
{
    free(s->map);
    free(s->alm);
    armilla_sht_free(s->polar);
    armilla_sht_free(s->scalar);
    armilla_iqu_free(s->iqu);
    armilla_alm_layout_free(s->layout);
    armilla_grid_free(s->grid);
}

static inline int gives_map(int operation)
{
    return operation == 0 || operation == 3;
}

static inline int64_t result_size(const sky *s, int operation)
{
    return gives_map(operation) ? s->nmap : s->nalm;
}

/* Operation 5: Jacobi, 2 steps. */
enum { CALLS = OPERATORS + 1 };

static inline armilla_pseudo_options pseudo_options(int operation)
{
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = 1e-6;
    options.max_iterations = operation == 5 ? 2 : 20;
    if (operation == 5) options.method = ARMILLA_PSEUDO_JACOBI;
    return options;
}

static inline armilla_status run_iqu(int operation, const armilla_iqu *iqu, const sky *s,
                                     double *out, armilla_pseudo_report *reports,
                                     const armilla_exec *exec)
{
    const armilla_pseudo_options options = pseudo_options(operation);
    switch (operation) {
    case 0:
        return armilla_iqu_synthesis(iqu, s->alm, out, exec);
    case 1:
        return armilla_iqu_adjoint_synthesis(iqu, s->map, out, exec);
    case 2:
        return armilla_iqu_analysis(iqu, s->map, out, exec);
    case 3:
        return armilla_iqu_adjoint_analysis(iqu, s->alm, out, exec);
    default:
        return armilla_iqu_pseudo_analysis(iqu, s->map, out, &options, reports, exec);
    }
}

#endif
