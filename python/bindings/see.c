/* The operator of a field at positions, and its transpose, by a sight:
 *
 *     values[p] = exp(i spin gamma_p) (Y alm)(point p)
 *
 * put to the places of the points in a map. Where points are all there is, the plan works on the
 * caller's arrays; else values go by way of an array of their own. */
#include "sights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sight.h"

int64_t armilla_python_field_alm(const armilla_python_field *field)
{
    const int64_t size = armilla_alm_size(field->lmax, field->mmax);
    return field->spin && !field->pure ? 2 * size : size;
}

int64_t armilla_python_field_map(const armilla_python_field *field, int64_t count)
{
    return field->spin ? 2 * count : count;
}

armilla_points_options armilla_python_field_options(const armilla_python_field *field)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = field->spin;
    options.mode = field->pure ? ARMILLA_SHT_GRADIENT_ONLY : ARMILLA_SHT_STANDARD;
    options.epsilon = field->epsilon;
    options.nthreads = field->nthreads;
    return options;
}

/* An array of float or of double. */
static double load(const void *array, int is_float, int64_t i)
{
    return is_float ? ((const float *)array)[i] : ((const double *)array)[i];
}

static void store(void *array, int is_float, int64_t i, double value)
{
    if (is_float)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

/* One transform between the values of the points and a map, [ncomp][npoints] and [ncomp][count],
 * from `in` to `out`; sign: of the angle by which they are turned. */
static void move(const armilla_python_sight *sight, int is_float, int to_map, const void *in,
                 int64_t in_first, void *out, int64_t out_first)
{
    const int64_t nin = to_map ? sight->npoints : sight->count;
    const int64_t nout = to_map ? sight->count : sight->npoints;
    const double factor = (to_map ? 1 : -1) * (double)sight->field.spin;
    for (int64_t p = 0; p < sight->npoints; p++) {
        const int64_t place = sight->places ? sight->places[p] : p;
        const int64_t from = in_first + (to_map ? p : place);
        const int64_t to = out_first + (to_map ? place : p);
        const double re = load(in, is_float, from);
        if (!sight->field.spin) {
            store(out, is_float, to, re);
            continue;
        }
        const double im = load(in, is_float, from + nin);
        const double c = cos(factor * sight->gamma[p]), s = sin(factor * sight->gamma[p]);
        store(out, is_float, to, c * re - s * im);
        store(out, is_float, to + nout, s * re + c * im);
    }
}

/* nthreads: of this call, whichever the sight was made with. */
static armilla_status transform(const armilla_python_sight *sight, int nthreads, int to_map,
                                int is_float, int64_t ntrans, const void *given, void *out)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    exec.nthreads = nthreads;
    if (to_map)
        return is_float ? armilla_points_synthesis_float(sight->plan, given, out, &exec)
                        : armilla_points_synthesis(sight->plan, given, out, &exec);
    return is_float ? armilla_points_adjoint_synthesis_float(sight->plan, given, out, &exec)
                    : armilla_points_adjoint_synthesis(sight->plan, given, out, &exec);
}

/* By an array for the values of the points. */
static armilla_status transform_moved(const armilla_python_sight *sight, int nthreads, int to_map,
                                      int is_float, int64_t ntrans, const void *given, void *out,
                                      const char **message)
{
    const int64_t wide = armilla_python_field_map(&sight->field, sight->count);
    const int64_t narrow = armilla_python_field_map(&sight->field, sight->npoints);
    const size_t size = is_float ? sizeof(float) : sizeof(double);
    void *values = malloc((size_t)(ntrans * narrow) * size + 1);
    if (!values) {
        *message = "no memory for values at positions";
        return ARMILLA_ERROR_MEMORY;
    }
    armilla_status status = ARMILLA_OK;
    if (to_map) {
        status = transform(sight, nthreads, 1, is_float, ntrans, given, values);
        if (!status && sight->places) memset(out, 0, (size_t)(ntrans * wide) * size);
        for (int64_t i = 0; !status && i < ntrans; i++)
            move(sight, is_float, 1, values, i * narrow, out, i * wide);
    } else {
        for (int64_t i = 0; i < ntrans; i++)
            move(sight, is_float, 0, given, i * wide, values, i * narrow);
        status = transform(sight, nthreads, 0, is_float, ntrans, values, out);
    }
    free(values);
    return status;
}

armilla_status armilla_python_see(const armilla_python_field *field, int to_map, int is_float,
                                  int64_t ntrans, const void *given, int64_t count,
                                  const double *positions, void *out, const char **message)
{
    if (ntrans == 0) return ARMILLA_OK;
    armilla_python_sight *sight;
    *message = NULL;
    armilla_status status = armilla_python_sight_get(field, count, positions, &sight, message);
    if (!status) {
        const int moved = sight->places || (sight->gamma && field->spin);
        const int n = (int)field->nthreads;
        status = moved ? transform_moved(sight, n, to_map, is_float, ntrans, given, out, message)
                       : transform(sight, n, to_map, is_float, ntrans, given, out);
        armilla_python_sight_give_back(sight);
    }
    if (status && !*message) *message = armilla_status_message();
    return status;
}
