/* Values of a radial kernel at equidistant longitudes. */
#include "radial/pixels/kernels/places.h"

enum {
    VECTORS = ARMILLA_OCTET / VLEN, /* of an octet */
    /* Vectors that are worked on at once: eight hide the latency of a sum, six leave room for what
     * they are multiplied by where there are 16 registers. */
    MOST_CHAINS = VECTORS > 2      ? 4
                  : REGISTERS > 16 ? 8
                                   : 6,
    CHAINS = VECTORS < 4 ? VECTORS : 4
};

void ARMILLA_KERNEL(armilla_radial_kernel_places)(armilla_radial_places *places, int64_t first,
                                                  int64_t last)
{
    double position[ARMILLA_OCTET];
    const vec n = v_all(places->n), inverse = v_all(1 / places->n);
    const vec scale = v_all(6.283185307179586 / (places->n * places->n_source));
    for (int i = 0; i < ARMILLA_OCTET; i++)
        position[i] = (double)(first + i < last ? first + i : last) * places->n_source;
    for (int v = 0; v < VECTORS; v++) {
        const vec at = v_load_any(position + v * VLEN), offset = v_all(places->offset);
        const vec nearest =
            v_sub(v_fma(v_add(at, offset), inverse, v_all(V_ROUND)), v_all(V_ROUND));
        v_store_any(places->nearest + v * VLEN, nearest);
        v_store_any(places->delta + v * VLEN, v_mul(v_add(v_fnma(nearest, n, at), offset), scale));
    }
}

/* sin^2(delta / 2), by its series. */
ARMILLA_ALWAYS_INLINE void half_sines(const armilla_radial_curve *curve, vec *delta,
                                      const int chains)
{
    vec square[MOST_CHAINS], sum[MOST_CHAINS];
    for (int i = 0; i < chains; i++) {
        square[i] = v_mul(delta[i], delta[i]);
        sum[i] = v_all(curve->term[curve->nterms - 1]);
    }
    for (int t = curve->nterms - 2; t >= 0; t--)
        for (int i = 0; i < chains; i++) sum[i] = v_fma(sum[i], square[i], v_all(curve->term[t]));
    for (int i = 0; i < chains; i++) delta[i] = v_mul(sum[i], square[i]);
}

/* One polynomial in s = scale x - 1, scale = 2 / end, 0 beyond the end. x: the argument on input,
 * the value. */
ARMILLA_ALWAYS_INLINE void polynomial(const armilla_profile *profile, double scale, vec *x,
                                      const int chains)
{
    vec s[MOST_CHAINS], sum[MOST_CHAINS];
    for (int i = 0; i < chains; i++) {
        s[i] = v_fma(v_all(scale), x[i], v_all(-1));
        sum[i] = v_all(profile->coef[profile->degree]);
    }
    for (int k = profile->degree - 1; k >= 0; k--)
        for (int i = 0; i < chains; i++) sum[i] = v_fma(sum[i], s[i], v_all(profile->coef[k]));
    for (int i = 0; i < chains; i++)
        x[i] = v_select(v_negative(v_sub(v_all(profile->end), x[i])), v_all(0), sum[i]);
}

/* Vectors number v .. v + chains - 1 of the values. */
ARMILLA_ALWAYS_INLINE void some_values(const armilla_radial_curve *curve, double scale,
                                       const double *delta, double step, int64_t v, double *values,
                                       const int chains)
{
    vec x[MOST_CHAINS];
    for (int i = 0; i < chains; i++) x[i] = find_place(delta, step, v + i);
    half_sines(curve, x, chains);
    for (int i = 0; i < chains; i++) x[i] = v_fma(v_all(curve->slope), x[i], v_all(curve->x0));
    polynomial(curve->profile, scale, x, chains);
    for (int i = 0; i < chains; i++) v_store(values + (v + i) * VLEN, x[i]);
}

static void all_values(const armilla_radial_curve *curve, const double *delta, double step,
                       int64_t count, double *values)
{
    const double scale = 2 / curve->profile->end;
    const int64_t end = count * VECTORS;
    int64_t v = 0;
    for (; v + MOST_CHAINS <= end; v += MOST_CHAINS)
        some_values(curve, scale, delta, step, v, values, MOST_CHAINS);
    for (; v < end; v += CHAINS) some_values(curve, scale, delta, step, v, values, CHAINS);
}

/* --- Cells ------------------------------------------------------------------------------------ */

/* x -> y ncells = cell + (1 + t) / 2 */
ARMILLA_ALWAYS_INLINE void find_cells(const armilla_profile *profile, vec x, double *cell,
                                      double *t)
{
    const double last = (double)profile->ncells - 1;
    const vec place = v_mul(v_sqrt(v_mul(x, v_all(1 / profile->end))), v_all(last + 1));
    const vec nearest = v_sub(v_add(v_sub(place, v_all(0.5)), v_all(V_ROUND)), v_all(V_ROUND));
    const vec number = v_select(v_negative(nearest), v_all(0), v_min(nearest, v_all(last)));
    v_store_any(cell, number);
    v_store_any(t, v_fma(v_all(2), v_sub(place, number), v_all(-1)));
}

/* inside: end - x */
static double cell_value(const armilla_profile *profile, double inside, int64_t cell, double t)
{
    if (inside < 0) return 0;
    const int64_t side = 2 * cell + !(t < profile->border[cell]);
    const double *coef = profile->coef + side * (profile->degree + 1);
    double sum = coef[profile->degree];
    for (int k = profile->degree - 1; k >= 0; k--) sum = sum * t + coef[k];
    return sum;
}

/* Arguments in vectors, polynomials one by one: their coefficients lie apart. */
static void cell_values(const armilla_radial_curve *curve, const double *delta, double step,
                        int64_t count, double *values)
{
    const armilla_profile *profile = curve->profile;
    for (int64_t k = 0; k < count; k++) {
        double inside[ARMILLA_OCTET], cell[ARMILLA_OCTET], t[ARMILLA_OCTET];
        for (int part = 0; part < ARMILLA_OCTET; part += VLEN) {
            vec x[MOST_CHAINS];
            x[0] = v_fnma(v_all((double)k), v_all(step), v_load_any(delta + part));
            half_sines(curve, x, 1);
            x[0] = v_fma(v_all(curve->slope), x[0], v_all(curve->x0));
            v_store_any(inside + part, v_sub(v_all(profile->end), x[0]));
            find_cells(profile, v_min(x[0], v_all(profile->end)), cell + part, t + part);
        }
        for (int i = 0; i < ARMILLA_OCTET; i++)
            values[k * ARMILLA_OCTET + i] = cell_value(profile, inside[i], (int64_t)cell[i], t[i]);
    }
}

void ARMILLA_KERNEL(armilla_radial_kernel_values)(const armilla_radial_curve *curve,
                                                  const double delta[ARMILLA_OCTET], double step,
                                                  int64_t count, double *values)
{
    if (curve->profile->ncells)
        cell_values(curve, delta, step, count, values);
    else
        all_values(curve, delta, step, count, values);
}
