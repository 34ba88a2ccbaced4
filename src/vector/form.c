/* Turns coefficients of one form into those of another, (l, m) by (l, m). With E and B of spin 1,
 * docs/mathematics.md (3.14), and k = sqrt(l (l + 1)) / R:
 *
 *     divergence = -k E    vorticity = -k B    chi = S = E / k    psi = -T = B / k
 *
 * The eastward and northward components are (v_phi, -v_theta). Since v_theta + i v_phi has spin 1,
 * u + i v = -i (v_theta + i v_phi) has it as well: its parts are E' = B and B' = -E, so that no map
 * need be turned. */
#include "vector/form.h"

#include "alm/mean.h"
#include "base/memory.h"
#include "base/team.h"

#include <math.h>

armilla_form armilla_form_of_scalars(armilla_vector_form form)
{
    switch (form) {
    case ARMILLA_VECTOR_VORTICITY_DIVERGENCE:
        return (armilla_form){1, -1, -1, -1, ARMILLA_PART_BOTH};
    case ARMILLA_VECTOR_STREAM_POTENTIAL:
        return (armilla_form){1, 1, 1, 1, ARMILLA_PART_BOTH};
    default:
        return (armilla_form){0, 1, -1, 1, ARMILLA_PART_BOTH};
    }
}

armilla_form armilla_form_of_components(armilla_vector_components components)
{
    if (components == ARMILLA_VECTOR_THETA_PHI)
        return (armilla_form){0, 1, 1, 0, ARMILLA_PART_BOTH};
    return (armilla_form){1, -1, 1, 0, ARMILLA_PART_BOTH};
}

armilla_form armilla_form_transposed(armilla_form form)
{
    form.power = -form.power;
    return form;
}

/* --- Powers of k ----------------------------------------------------------------------------- */

/* k_l^power, with one rounding where it has no root. */
static double power_of(int64_t l, double radius, int power)
{
    const double square = (double)l * (double)(l + 1);
    if (power == 0) return 1;
    if (l == 0) return 0;
    switch (power) {
    case -2:
        return radius / square * radius;
    case -1:
        return radius / sqrt(square);
    case 1:
        return sqrt(square) / radius;
    default:
        return square / radius / radius;
    }
}

armilla_status armilla_form_powers_new(int64_t lmax, double radius, double **powers)
{
    const armilla_status status =
        armilla_allocate(powers, ARMILLA_FORM_POWERS * (lmax + 1), sizeof **powers);
    for (int power = -2; power <= 2 && !status; power++)
        for (int64_t l = 0; l <= lmax; l++)
            (*powers)[(power + 2) * (lmax + 1) + l] = power_of(l, radius, power);
    return status;
}

/* --- One order ------------------------------------------------------------------------------- */

/* Rows of one order: E and B where they are, where they go, and what they are multiplied by. */
typedef struct order_rows {
    int64_t count, step;   /* complex numbers; items between them */
    const double *factor;  /* of each degree */
    double gradient, curl; /* signs; 0: the part becomes 0, whatever it was */
} order_rows;

/* Both parts of a number are read before either is written, for they may be the same rows. */
#define MOVE_ROWS(name, type)                                                                      \
    static void name(const order_rows *rows, const type *e, const type *b, type *to_e, type *to_b) \
    {                                                                                              \
        const int64_t step = rows->step;                                                           \
        const double *factor = rows->factor;                                                       \
        for (int64_t i = 0; i < rows->count; i++) {                                                \
            const double gradient = rows->gradient * factor[i], curl = rows->curl * factor[i];     \
            const double value[4] = {gradient * (double)e[i * step],                               \
                                     gradient * (double)e[i * step + 1],                           \
                                     curl * (double)b[i * step], curl * (double)b[i * step + 1]};  \
            to_e[i * step] = (type)value[0], to_e[i * step + 1] = (type)value[1];                  \
            to_b[i * step] = (type)value[2], to_b[i * step + 1] = (type)value[3];                  \
        }                                                                                          \
    }

MOVE_ROWS(move_doubles, double)
MOVE_ROWS(move_floats, float)

/* The row of order m of component c of transform t. */
static armilla_array row_of(const armilla_form_change *k, const armilla_form_array *array,
                            int64_t t, int64_t c, int64_t m)
{
    const int64_t component = t * array->period + array->first + c;
    const int64_t place = k->layout->mstart[m] + m * k->layout->stride;
    return armilla_array_from(array->values, 2 * (array->distance * component + place));
}

static void clear_row(const order_rows *rows, armilla_array row)
{
    for (int64_t i = 0; i < rows->count; i++)
        for (int part = 0; part < 2; part++) armilla_array_put(row, i * rows->step + part, 0);
}

/* What is 0 whatever it was multiplied with: parts that are left out, imaginary parts of order 0,
 * and degree 0 unless it is only copied. */
static void clear_zeros(const order_rows *rows, int64_t m, int copies, armilla_array to_e,
                        armilla_array to_b)
{
    if (rows->gradient == 0) clear_row(rows, to_e);
    if (rows->curl == 0) clear_row(rows, to_b);
    if (m > 0) return;
    for (int64_t i = 0; i < rows->count; i++) {
        armilla_array_put(to_e, i * rows->step + 1, 0);
        armilla_array_put(to_b, i * rows->step + 1, 0);
    }
    if (!copies) armilla_array_put(to_e, 0, 0), armilla_array_put(to_b, 0, 0);
}

static void run_order(void *context, int64_t item, int thread)
{
    (void)thread;
    const armilla_form_change *k = context;
    const int64_t lmax = k->layout->lmax, m = item * k->layout->mres;
    const int from = k->source.gradient, to = k->target.gradient;
    const int power = k->source.power - k->target.power;
    const int parts = k->source.parts & k->target.parts;
    order_rows rows = {lmax - m + 1, 2 * k->layout->stride,
                       k->powers + (power + 2) * (lmax + 1) + m, 0, 0};
    if (parts & ARMILLA_PART_GRADIENT)
        rows.gradient = k->source.gradient_sign * k->target.gradient_sign;
    if (parts & ARMILLA_PART_CURL) rows.curl = k->source.curl_sign * k->target.curl_sign;
    for (int64_t t = 0; t < k->ntrans; t++) {
        const armilla_array e = row_of(k, &k->in, t, from, m),
                            b = row_of(k, &k->in, t, 1 - from, m);
        const armilla_array to_e = row_of(k, &k->out, t, to, m);
        const armilla_array to_b = row_of(k, &k->out, t, 1 - to, m);
        if (e.is_float)
            move_floats(&rows, e.values, b.values, to_e.values, to_b.values);
        else
            move_doubles(&rows, e.values, b.values, to_e.values, to_b.values);
        clear_zeros(&rows, m, power == 0, to_e, to_b);
    }
}

void armilla_form_run(const armilla_form_change *change)
{
    const armilla_alm_layout *layout = change->layout;
    armilla_team_run(change->nthreads, layout->mmax / layout->mres + 1, run_order, (void *)change);
}

/* --- Degree 0 --------------------------------------------------------------------------------- */

static armilla_array component_of(const armilla_form_array *array, int64_t t, int64_t c)
{
    const int64_t component = t * array->period + array->first + c;
    return armilla_array_from(array->values, 2 * array->distance * component);
}

armilla_status armilla_form_check_mean(const armilla_alm_layout *layout,
                                       const armilla_form_array *alm, int64_t ntrans)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t t = 0; t < ntrans && !status; t++) {
        const armilla_array vorticity = component_of(alm, t, 0);
        const armilla_array divergence = component_of(alm, t, 1);
        if (armilla_mean_of(layout, vorticity) == 0 && armilla_mean_of(layout, divergence) == 0)
            continue;
        const double norm =
            hypot(armilla_mean_norm(layout, vorticity), armilla_mean_norm(layout, divergence));
        status = armilla_mean_check("vorticity", layout, vorticity, norm);
        if (!status) status = armilla_mean_check("divergence", layout, divergence, norm);
    }
    return status;
}
