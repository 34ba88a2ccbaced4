/* Values at positions that are arrays themselves, and lensed maps by maps of deflections: what
 * armilla.torch and armilla.jax differentiate (armilla/_positions.py). The plans of the last calls
 * are kept, for the way back is made at the same positions. */
#ifndef ARMILLA_PYTHON_SIGHTS_H
#define ARMILLA_PYTHON_SIGHTS_H

#include <stdint.h>

#include <armilla/armilla.h>

/* Which values: of a spin s >= 0; pure: of E alone (ARMILLA_SHT_GRADIENT_ONLY); grid: number of a
 * grid (held.h) whose lensed map they are; 0: they are values at points. */
typedef struct armilla_python_field {
    int64_t lmax, mmax, spin, pure, grid;
    double epsilon;
    int nthreads;
} armilla_python_field;

/* Shapes: alm[ntrans][2 if spin and not pure][size], values[ntrans][2 if spin][count], complex and
 * real, of float or of double; positions[count][2], colatitude and longitude of points, or
 * deflections [2][count], count = npix of the grid, radians.
 * Given:    to_map  1: alm -> values;  0: values -> alm, the transpose.
 * Returned: `out`; 0 where the grid has no pixels.
 * Errors:   ARGUMENT, MEMORY; *message says which. Any thread. */
armilla_status armilla_python_see(const armilla_python_field *field, int to_map, int is_float,
                                  int64_t ntrans, const void *given, int64_t count,
                                  const double *positions, void *out, const char **message);

/* Numbers of one transform, complex of alm, real of values. */
int64_t armilla_python_field_alm(const armilla_python_field *field);
int64_t armilla_python_field_map(const armilla_python_field *field, int64_t count);

/* The options of a plan for these values. */
armilla_points_options armilla_python_field_options(const armilla_python_field *field);

/* What is kept: at most so many plans and so many bytes, 16 and 2 GiB at first. */
void armilla_python_sights_limit(int64_t plans, int64_t bytes);
void armilla_python_sights_kept(int64_t *plans, int64_t *bytes);
void armilla_python_sights_clear(void);

#endif
