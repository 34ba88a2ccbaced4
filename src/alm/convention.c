/* Coefficients from and to the conventions of other programs: where each number lies, and the
 * loops. Factors are in convention_factors.c, names in convention_names.c.
 *
 *   m >= 0 alone      (Re, Im) or (C, S) of (l, m) in one item
 *   both signs of m   C, or a_lm, in the item of (l, m); S, or a_l,-m = (-1)^m conj(a_lm), in that
 *                     of (l, -m); of a complex field g + i h both come from g_lm and h_lm:
 *                     a_lm = g + i h, a_l,-m = (-1)^m (conj(g) + i conj(h)) */
#include "alm/convention.h"

#include "alm/layout.h"
#include "base/memory.h"
#include "base/status.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* How far a_l,-m of a real field may be from (-1)^m conj(a_lm), of the largest: single precision
 * with what transforms in it lose. */
static const double MIRROR_TOLERANCE = 1e-5;

/* A call: its arguments, and one row of factors. */
typedef struct conversion {
    armilla_convention convention;
    int64_t lmax, mmax;
    int width, two_sided;
    double *factor; /* [lmax + 1] of the order at hand */
    armilla_factorials start;
} conversion;

/* --- Places ----------------------------------------------------------------------------------- */

static int64_t item(const armilla_convention *c, int64_t lmax, int64_t mmax, int64_t l, int64_t m)
{
    const int64_t n = lmax + 1;
    switch (c->packing) {
    case ARMILLA_PACKING_ORDERS:
        return m * (2 * lmax + 1 - m) / 2 + l;
    case ARMILLA_PACKING_DEGREES:
        return l * (l + 1) / 2 + m;
    case ARMILLA_PACKING_RECTANGLE:
        return l * (mmax + 1) + m;
    case ARMILLA_PACKING_PLANES:
        return m < 0 ? (n + l) * n - m : l * n + m;
    case ARMILLA_PACKING_ACN:
        return l * l + l + m;
    case ARMILLA_PACKING_CENTRED:
        return l * (2 * lmax + 1) + lmax + m;
    default:
        return m < 0 ? l * l + l - m : l * l + m;
    }
}

static int64_t items(const armilla_convention *c, int64_t lmax, int64_t mmax)
{
    const int64_t n = lmax + 1;
    switch (c->packing) {
    case ARMILLA_PACKING_ORDERS:
        return armilla_alm_size(lmax, mmax);
    case ARMILLA_PACKING_DEGREES:
        return n * (n + 1) / 2;
    case ARMILLA_PACKING_RECTANGLE:
        return n * (mmax + 1);
    case ARMILLA_PACKING_PLANES:
        return 2 * n * n;
    case ARMILLA_PACKING_CENTRED:
        return n * (2 * lmax + 1);
    default:
        return n * n; /* ACN, vector */
    }
}

static armilla_status check(const armilla_convention *convention, int64_t lmax, int64_t mmax)
{
    armilla_status status = armilla_convention_check(convention);
    return status ? status : armilla_check_band_limit(lmax, mmax);
}

int64_t armilla_convention_size(const armilla_convention *convention, int64_t lmax, int64_t mmax)
{
    if (check(convention, lmax, mmax)) return -1;
    return armilla_convention_width(convention) * items(convention, lmax, mmax);
}

int64_t armilla_convention_index(const armilla_convention *convention, int64_t lmax, int64_t mmax,
                                 int64_t l, int64_t m)
{
    if (check(convention, lmax, mmax) || l < 0 || l > lmax || m < -l || m > l || m < -mmax ||
        m > mmax || (m < 0 && !armilla_packing_is_two_sided(convention->packing)))
        return -1;
    return armilla_convention_width(convention) * item(convention, lmax, mmax, l, m);
}

static int64_t place(const conversion *t, int64_t l, int64_t m)
{
    return t->width * item(&t->convention, t->lmax, t->mmax, l, m);
}

/* --- One coefficient -------------------------------------------------------------------------- */

static int is_complex(const conversion *t)
{
    return t->convention.harmonics == ARMILLA_HARMONICS_COMPLEX;
}

/* Im a_lm in the place of S: its sign. */
static double sine_sign(const conversion *t)
{
    return t->convention.harmonics == ARMILLA_HARMONICS_REAL ? -1 : 1;
}

/* a: factor * a_lm of g; b: that of h, or 0. */
static void put(const conversion *t, int64_t l, int64_t m, const double *a, const double *b,
                double *array)
{
    double *plus = array + place(t, l, m);
    if (t->width == 1) {
        plus[0] = a[0];
        if (m > 0) array[place(t, l, -m)] = sine_sign(t) * a[1];
        return;
    }
    plus[0] = a[0] - b[1];
    plus[1] = (is_complex(t) ? 1 : sine_sign(t)) * a[1] + b[0];
    if (m == 0 || !t->two_sided) return;
    double *minus = array + place(t, l, -m);
    const double sign = m % 2 ? -1 : 1;
    minus[0] = sign * (a[0] + b[1]);
    minus[1] = sign * (b[0] - a[1]);
}

/* The parts g and h of a complex field. */
static void take_both(const conversion *t, int64_t l, int64_t m, const double *array, double *a,
                      double *b)
{
    const double *plus = array + place(t, l, m), *minus = array + place(t, l, -m);
    const double sign = m % 2 ? -1 : 1;
    a[0] = (plus[0] + sign * minus[0]) / 2;
    b[1] = (sign * minus[0] - plus[0]) / 2;
    a[1] = (plus[1] - sign * minus[1]) / 2;
    b[0] = (plus[1] + sign * minus[1]) / 2;
}

static void take(const conversion *t, int64_t l, int64_t m, const double *array, double *a,
                 double *b)
{
    b[0] = b[1] = 0;
    if (t->convention.complex_field) {
        take_both(t, l, m, array, a, b);
        return;
    }
    const double *plus = array + place(t, l, m);
    a[0] = plus[0];
    if (m == 0)
        a[1] = 0;
    else if (t->width == 1)
        a[1] = sine_sign(t) * array[place(t, l, -m)];
    else
        a[1] = (is_complex(t) ? 1 : sine_sign(t)) * plus[1];
}

/* --- Rows ------------------------------------------------------------------------------------- */

static armilla_status begin(conversion *t, const armilla_convention *convention, int64_t lmax,
                            int64_t mmax)
{
    armilla_status status = check(convention, lmax, mmax);
    if (!status) status = armilla_convention_check_factors(convention, lmax, mmax);
    if (status) return status;
    *t = (conversion){.convention = *convention,
                      .lmax = lmax,
                      .mmax = mmax,
                      .width = armilla_convention_width(convention),
                      .two_sided = armilla_packing_is_two_sided(convention->packing)};
    return armilla_allocate(&t->factor, lmax + 1, sizeof *t->factor);
}

/* The factors of order m; orders come one by one from 0 on. */
static void begin_order(conversion *t, int64_t m)
{
    if (m == 0) armilla_factorials_begin(&t->start);
    armilla_convention_factors(&t->convention, t->lmax, m, &t->start, t->factor);
}

/* Does a product or quotient of numbers other than 0 leave the normal doubles? */
static int is_lost(double given, double made)
{
    return given != 0 && isfinite(given) && !(fabs(made) >= DBL_MIN && isfinite(made));
}

static armilla_status fail_lost(int64_t l, int64_t m, double value, double factor)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "normalization: the coefficient of l = %lld, m = %lld, %g, leaves the "
                        "doubles with the factor %g of unnormalised ones",
                        (long long)l, (long long)m, value, factor);
}

/* Numbers of unnormalised coefficients that no double holds. */
static armilla_status check_products(conversion *t, const double *alm)
{
    if (t->convention.normalization != ARMILLA_NORM_UNNORMALIZED) return ARMILLA_OK;
    const int64_t size = armilla_alm_size(t->lmax, t->mmax);
    for (int64_t m = 0; m <= t->mmax; m++) {
        begin_order(t, m);
        for (int64_t l = m; l <= t->lmax; l++)
            for (int part = 0; part < (t->convention.complex_field ? 4 : 2); part++) {
                if (m == 0 && part % 2) continue;
                const double value =
                    alm[2 * (armilla_alm_index(t->lmax, l, m) + part / 2 * size) + part % 2];
                if (is_lost(value, t->factor[l] * value))
                    return fail_lost(l, m, value, t->factor[l]);
            }
    }
    return ARMILLA_OK;
}

static armilla_status fail_value(const char *name, int64_t l, int64_t m, double value)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s: has %g at l = %lld, m = %lld: must be finite",
                        name, value, (long long)l, (long long)m);
}

static armilla_status check_alm_finite(const conversion *t, const double *alm)
{
    const int64_t size = armilla_alm_size(t->lmax, t->mmax);
    for (int64_t m = 0; m <= t->mmax; m++)
        for (int64_t l = m; l <= t->lmax; l++)
            for (int part = 0; part < (t->convention.complex_field ? 4 : 2); part++) {
                const int64_t at = armilla_alm_index(t->lmax, l, m) + part / 2 * size;
                const double value = alm[2 * at + part % 2];
                if (!isfinite(value) && (m > 0 || part % 2 == 0))
                    return fail_value("alm", l, m, value);
            }
    return ARMILLA_OK;
}

armilla_status armilla_convention_from_alm(const armilla_convention *convention, int64_t lmax,
                                           int64_t mmax, const double *alm, double *array)
{
    conversion t;
    armilla_status status = armilla_alm_check_array("alm", alm);
    if (!status) status = armilla_alm_check_array("array", array);
    if (!status) status = begin(&t, convention, lmax, mmax);
    if (status) return status;
    status = check_alm_finite(&t, alm);
    if (!status) status = check_products(&t, alm);
    const int64_t size = armilla_alm_size(lmax, mmax);
    if (!status) memset(array, 0, (size_t)armilla_convention_size(convention, lmax, mmax) * 8);
    for (int64_t m = 0; m <= mmax && !status; m++) {
        begin_order(&t, m);
        for (int64_t l = m; l <= lmax; l++) {
            const double *from = alm + 2 * armilla_alm_index(lmax, l, m), f = t.factor[l];
            double a[2] = {f * from[0], m > 0 ? f * from[1] : 0}, b[2] = {0, 0};
            if (convention->complex_field) {
                b[0] = f * from[2 * size];
                b[1] = m > 0 ? f * from[2 * size + 1] : 0;
            }
            put(&t, l, m, a, b, array);
        }
    }
    armilla_release(t.factor);
    return status;
}

/* --- What may be wrong with an array -----------------------------------------------------------
 */

static armilla_status check_finite(const conversion *t, const double *array)
{
    const int has_sines = t->two_sided || t->width == 1;
    for (int64_t m = 0; m <= t->mmax; m++)
        for (int64_t l = m; l <= t->lmax; l++)
            for (int side = 0; side <= (has_sines && m > 0); side++)
                for (int part = 0; part < t->width; part++) {
                    const double value = array[place(t, l, side ? -m : m) + part];
                    if (!isfinite(value) && (m > 0 || part == 0 || t->convention.complex_field))
                        return fail_value("array", l, side ? -m : m, value);
                }
    return ARMILLA_OK;
}

/* Orders above mmax, which the result has no place for, must be 0. */
static armilla_status check_dropped(const conversion *t, const double *array)
{
    const int packing = t->convention.packing;
    if (packing == ARMILLA_PACKING_ORDERS || packing == ARMILLA_PACKING_RECTANGLE)
        return ARMILLA_OK;
    for (int64_t m = t->mmax + 1; m <= t->lmax; m++)
        for (int64_t l = m; l <= t->lmax; l++)
            for (int side = 0; side <= t->two_sided; side++)
                for (int part = 0; part < t->width; part++) {
                    const double value = array[place(t, l, side ? -m : m) + part];
                    if (value != 0)
                        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                            "array: has %g at l = %lld, m = %lld: must be 0 above "
                                            "mmax = %lld",
                                            value, (long long)l, (long long)(side ? -m : m),
                                            (long long)t->mmax);
                }
    return ARMILLA_OK;
}

/* By how much a_l,-m differs from (-1)^m conj(a_lm), in the units of the library's a_lm. */
static double mirror_error(const conversion *t, int64_t l, int64_t m, const double *array)
{
    const double *plus = array + place(t, l, m), *minus = array + place(t, l, -m);
    const double sign = m % 2 ? -1 : 1;
    return hypot(plus[0] - sign * minus[0], plus[1] + sign * minus[1]) / fabs(t->factor[l]);
}

/* A real field with both signs of m: is it one? */
static armilla_status check_mirror(conversion *t, const double *array)
{
    if (!t->two_sided || !is_complex(t) || t->convention.complex_field) return ARMILLA_OK;
    double worst = 0, largest = 0;
    int64_t worst_l = 0, worst_m = 0;
    for (int64_t m = 0; m <= t->mmax; m++) {
        begin_order(t, m);
        for (int64_t l = m; l <= t->lmax; l++) {
            const double *plus = array + place(t, l, m), error = mirror_error(t, l, m, array);
            largest = fmax(largest, hypot(plus[0], plus[1]) / fabs(t->factor[l]));
            if (error > worst) worst = error, worst_l = l, worst_m = m;
        }
    }
    if (!(worst > MIRROR_TOLERANCE * largest)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "array: is of no real field: at l = %lld, m = %lld and %lld differ by %g; "
                        "a complex field needs complex_field",
                        (long long)worst_l, (long long)worst_m, (long long)-worst_m, worst);
}

static armilla_status check_quotients(conversion *t, const double *array)
{
    if (t->convention.normalization != ARMILLA_NORM_UNNORMALIZED) return ARMILLA_OK;
    for (int64_t m = 0; m <= t->mmax; m++) {
        begin_order(t, m);
        for (int64_t l = m; l <= t->lmax; l++) {
            double parts[4];
            take(t, l, m, array, parts, parts + 2);
            for (int i = 0; i < 4; i++)
                if (is_lost(parts[i], parts[i] / t->factor[l]))
                    return fail_lost(l, m, parts[i], 1 / t->factor[l]);
        }
    }
    return ARMILLA_OK;
}

armilla_status armilla_convention_to_alm(const armilla_convention *convention, int64_t lmax,
                                         int64_t mmax, const double *array, double *alm)
{
    conversion t;
    armilla_status status = armilla_alm_check_array("array", array);
    if (!status) status = armilla_alm_check_array("alm", alm);
    if (!status) status = begin(&t, convention, lmax, mmax);
    if (status) return status;
    status = check_finite(&t, array);
    if (!status) status = check_dropped(&t, array);
    if (!status) status = check_mirror(&t, array);
    if (!status) status = check_quotients(&t, array);
    const int64_t size = armilla_alm_size(lmax, mmax);
    for (int64_t m = 0; m <= mmax && !status; m++) {
        begin_order(&t, m);
        for (int64_t l = m; l <= lmax; l++) {
            double *to = alm + 2 * armilla_alm_index(lmax, l, m), a[2], b[2];
            take(&t, l, m, array, a, b);
            for (int i = 0; i < 2; i++) {
                to[i] = a[i] / t.factor[l];
                if (convention->complex_field) to[2 * size + i] = b[i] / t.factor[l];
            }
        }
    }
    armilla_release(t.factor);
    return status;
}
