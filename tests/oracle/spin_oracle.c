/* Computes spin-weighted spherical harmonics in MPFR, single values by an explicit sum and all
 * degrees of an order by a recurrence, and their largest values over theta in double.
 *
 * The explicit sum (Goldberg et al. 1967, eq. 3.1) is, with c = cos(theta/2) and z = sin(theta/2),
 *
 *   slambda_lm = (-1)^(l+m-s) sqrt((2l+1)/(4 pi) (l+m)! (l-m)! / ((l+s)! (l-s)!))
 *                * sum_r (-1)^r C(l-s, r) C(l+s, r+s-m) c^(2r+s-m) z^(2l-2r-s+m)
 *
 * It is taken in MPFR from the end where the largest power of the smaller of c and z is 0 or
 * nearest to it, so that the poles need no care. The terms grow up to 2^l times their sum: bits are
 * added until 200 are right.
 *
 * The recurrence, x = cos theta: x L_l = B_{l+1} L_{l+1} - m s / (l (l+1)) L_l + B_l L_{l-1},
 * B_l = sqrt((l^2 - m^2) (l^2 - s^2) / (l^2 (4 l^2 - 1))); its rounding errors grow as those of
 * lambda_oracle.c. */
#include "oracle/spin_oracle.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum { ROW_BITS = 320, RIGHT_BITS = 200 };

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* --- The explicit sum ------------------------------------------------------------------------ */

/* x *= n! / k! */
static void multiply_factorials(mpfr_t x, int64_t n, int64_t k)
{
    for (int64_t i = k + 1; i <= n; i++) mpfr_mul_si(x, x, (long)i, MPFR_RNDN);
    for (int64_t i = n + 1; i <= k; i++) mpfr_div_si(x, x, (long)i, MPFR_RNDN);
}

static void multiply_binomial(mpfr_t x, int64_t n, int64_t k)
{
    mpz_t binomial;
    mpz_init(binomial);
    mpz_bin_uiui(binomial, (unsigned long)n, (unsigned long)k);
    mpfr_mul_z(x, x, binomial, MPFR_RNDN);
    mpz_clear(binomial);
}

/* term = the term of index r, without the square root */
static void set_term(mpfr_t term, const int64_t lms[3], int64_t r, double theta)
{
    const int64_t l = lms[0], m = lms[1], s = lms[2];
    mpfr_t half, power;
    mpfr_inits2(mpfr_get_prec(term), half, power, (mpfr_ptr)0);
    mpfr_set_d(half, theta, MPFR_RNDN);
    mpfr_div_2ui(half, half, 1, MPFR_RNDN);
    mpfr_cos(power, half, MPFR_RNDN);
    mpfr_pow_si(term, power, (long)(2 * r + s - m), MPFR_RNDN);
    mpfr_sin(power, half, MPFR_RNDN);
    mpfr_pow_si(power, power, (long)(2 * l - 2 * r - s + m), MPFR_RNDN);
    mpfr_mul(term, term, power, MPFR_RNDN);
    multiply_binomial(term, l - s, r);
    multiply_binomial(term, l + s, r + s - m);
    if ((l + m - s + r) % 2) mpfr_neg(term, term, MPFR_RNDN);
    mpfr_clears(half, power, (mpfr_ptr)0);
}

/* term r -> term r + step; square: of cot(theta/2) for step 1, of tan(theta/2) for step -1 */
static void next_term(mpfr_t term, const int64_t lms[3], int64_t r, int step, const mpfr_t square)
{
    const int64_t l = lms[0], m = lms[1], s = lms[2], low = step > 0 ? r : r - 1;
    const long up[2] = {(long)(l - s - low), (long)(l + m - low)};
    const long down[2] = {(long)(low + 1), (long)(low + s - m + 1)};
    for (int i = 0; i < 2; i++) {
        mpfr_mul_si(term, term, step > 0 ? up[i] : down[i], MPFR_RNDN);
        mpfr_div_si(term, term, step > 0 ? down[i] : up[i], MPFR_RNDN);
    }
    mpfr_mul(term, term, square, MPFR_RNDN);
    mpfr_neg(term, term, MPFR_RNDN);
}

/* Returned: bits lost by cancellation. */
static int64_t sum_terms(mpfr_t sum, const int64_t lms[3], double theta)
{
    const int64_t l = lms[0], m = lms[1], s = lms[2];
    const int64_t first = larger(0, m - s), last = smaller(l - s, l + m);
    const int step = theta > 1.57 ? 1 : -1;
    mpfr_t term, square;
    mpfr_inits2(mpfr_get_prec(sum), term, square, (mpfr_ptr)0);
    mpfr_set_d(square, theta, MPFR_RNDN);
    mpfr_div_2ui(square, square, 1, MPFR_RNDN);
    if (step > 0)
        mpfr_cot(square, square, MPFR_RNDN);
    else
        mpfr_tan(square, square, MPFR_RNDN);
    mpfr_sqr(square, square, MPFR_RNDN);
    int64_t r = step > 0 ? first : last;
    set_term(term, lms, r, theta);
    mpfr_set_zero(sum, 1);
    mpfr_exp_t largest = mpfr_zero_p(term) ? 0 : mpfr_get_exp(term);
    for (; r >= first && r <= last && !mpfr_zero_p(term); r += step) {
        mpfr_add(sum, sum, term, MPFR_RNDN);
        if (mpfr_get_exp(term) > largest) largest = mpfr_get_exp(term);
        if (r + step >= first && r + step <= last) next_term(term, lms, r, step, square);
    }
    int64_t lost = mpfr_zero_p(sum) ? 0 : largest - mpfr_get_exp(sum);
    mpfr_clears(term, square, (mpfr_ptr)0);
    return lost;
}

/* value = slambda_lm; its precision grows as it must. */
static void set_value(mpfr_t value, const int64_t lms[3], double theta)
{
    const int64_t l = lms[0], m = lms[1], s = lms[2];
    for (;;) {
        int64_t bits = mpfr_get_prec(value), lost = sum_terms(value, lms, theta);
        if (bits >= lost + RIGHT_BITS + 40) break;
        mpfr_set_prec(value, (mpfr_prec_t)(lost + RIGHT_BITS + 100));
    }
    mpfr_t factor, pi;
    mpfr_inits2(ROW_BITS, factor, pi, (mpfr_ptr)0);
    mpfr_set_si(factor, (long)(2 * l + 1), MPFR_RNDN);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_div(factor, factor, pi, MPFR_RNDN);
    mpfr_div_ui(factor, factor, 4, MPFR_RNDN);
    multiply_factorials(factor, l + m, l + s);
    multiply_factorials(factor, l - m, l - s);
    mpfr_sqrt(factor, factor, MPFR_RNDN);
    mpfr_mul(value, value, factor, MPFR_RNDN);
    mpfr_clears(factor, pi, (mpfr_ptr)0);
}

double oracle_spin_value(int64_t l, int64_t m, int64_t spin, double theta)
{
    const int64_t lms[3] = {l, m, spin};
    mpfr_t value;
    mpfr_init2(value, ROW_BITS);
    set_value(value, lms, theta);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}

/* --- Rows ------------------------------------------------------------------------------------ */

static void set_b(mpfr_t b, int64_t l, int64_t m, int64_t s)
{
    mpfr_set_si(b, (long)((l - m) * (l + m)), MPFR_RNDN);
    mpfr_mul_si(b, b, (long)((l - s) * (l + s)), MPFR_RNDN);
    mpfr_div_si(b, b, (long)(4 * l * l - 1), MPFR_RNDN);
    mpfr_sqrt(b, b, MPFR_RNDN);
    mpfr_div_si(b, b, (long)l, MPFR_RNDN);
}

/* Kept for the |m| and |s| last asked for, l = low + 1, ...: b_l, 1 / b_l, |m s| / (l (l - 1)).
 * Most callers ask for them on many rings, with both signs of m. */
static struct {
    int64_t m, s, count, room;
    mpfr_t (*b)[3];
} kept;

static void keep_order(int64_t m, int64_t s, int64_t low, int64_t lmax)
{
    if (kept.m != m || kept.s != s) kept.count = 0;
    kept.m = m, kept.s = s;
    if (kept.room < lmax - low) {
        kept.b = realloc(kept.b, (size_t)(lmax - low) * sizeof *kept.b);
        if (!kept.b) abort();
        for (; kept.room < lmax - low; kept.room++)
            for (int i = 0; i < 3; i++) mpfr_init2(kept.b[kept.room][i], ROW_BITS);
    }
    for (; kept.count < lmax - low; kept.count++) {
        mpfr_t *b = kept.b[kept.count];
        const int64_t l = low + 1 + kept.count;
        set_b(b[0], l, m, s);
        mpfr_ui_div(b[1], 1, b[0], MPFR_RNDN);
        mpfr_set_si(b[2], (long)(m * s), MPFR_RNDN);
        mpfr_div_si(b[2], b[2], (long)(l * (l - 1)), MPFR_RNDN);
    }
}

void oracle_spin_row(int64_t m, int64_t spin, int64_t lmax, double theta, double *value)
{
    const int64_t order = m < 0 ? -m : m, low = larger(order, spin < 0 ? -spin : spin);
    const int64_t lms[3] = {low, m, spin};
    for (int64_t l = order; l <= lmax && l < low; l++) value[l - order] = 0;
    if (low > lmax) return;
    mpfr_t x, previous, current, scratch;
    mpfr_inits2(ROW_BITS, x, previous, current, scratch, (mpfr_ptr)0);
    set_value(current, lms, theta);
    mpfr_set_d(x, theta, MPFR_RNDN);
    mpfr_cos(x, x, MPFR_RNDN);
    mpfr_set_zero(previous, 1);
    keep_order(order, spin < 0 ? -spin : spin, low, lmax);
    for (int64_t l = low;; l++) {
        value[l - order] = mpfr_get_d(current, MPFR_RNDN);
        if (l == lmax) break;
        mpfr_t *b = kept.b[l - low];
        ((m < 0) == (spin < 0) ? mpfr_add : mpfr_sub)(scratch, x, b[2], MPFR_RNDN);
        mpfr_mul(scratch, scratch, current, MPFR_RNDN);
        if (l > low) {
            mpfr_mul(previous, previous, kept.b[l - low - 1][0], MPFR_RNDN);
            mpfr_sub(scratch, scratch, previous, MPFR_RNDN);
        }
        mpfr_swap(previous, current);
        mpfr_mul(current, scratch, b[1], MPFR_RNDN);
    }
    mpfr_clears(x, previous, current, scratch, (mpfr_ptr)0);
}

/* --- Peaks: double is enough here, a logarithm carries the exponent -------------------------- */

enum { LOBE = 48, POINTS = 4 * LOBE };

/* Where the largest lobe may be: next to a turning point, cos theta = -m s / L^2 +- spread, L = l +
 * 1/2, spread^2 = (1 - m^2/L^2) (1 - s^2/L^2), or on a pole. Lobes shrink from the turning points
 * inwards; their width is Airy's, (sin theta / (2 L^2 spread))^(1/3). */
static void choose_points(int64_t l, int64_t m, int64_t s, double theta[POINTS])
{
    const double big = (double)l + 0.5, order = (double)m / big, spin = (double)s / big;
    const double spread = sqrt((1 - order * order) * (1 - spin * spin));
    for (int side = 0; side < 2; side++) {
        double x = -order * spin + (side ? -spread : spread);
        double turn = acos(fmin(fmax(x, -1), 1)), inwards = side ? -1 : 1;
        double airy = cbrt(sin(turn) / (2 * big * big * spread));
        for (int i = 0; i < LOBE; i++) {
            double pole = (i + 1e-3) * 0.2 / big;
            theta[side * LOBE + i] = turn + inwards * airy * (-0.7 + 6.7 * i / (LOBE - 1));
            theta[(2 + side) * LOBE + i] = side ? PI - pole : pole;
        }
    }
    for (int i = 0; i < POINTS; i++) theta[i] = fmin(fmax(theta[i], 0), PI);
}

static double log_factorial(int64_t n)
{
    return lgamma((double)n + 1);
}

static double log_power(double x, int64_t exponent)
{
    return exponent ? (double)exponent * log(x) : 0;
}

/* log |slambda_lm| for l = max(|m|, |s|), the one term of its sum */
static double log_start(int64_t l, int64_t m, int64_t s, double theta)
{
    const int64_t r = larger(0, m - s), k = r + s - m;
    double factor = log((2 * (double)l + 1) / (4 * PI)) + log_factorial(l + m) +
                    log_factorial(l - m) - log_factorial(l + s) - log_factorial(l - s);
    double binomials = log_factorial(l - s) - log_factorial(r) - log_factorial(l - s - r) +
                       log_factorial(l + s) - log_factorial(k) - log_factorial(l + s - k);
    return 0.5 * factor + binomials + log_power(cos(theta / 2), 2 * r + s - m) +
           log_power(sin(theta / 2), 2 * (l - r) - s + m);
}

static double b_double(int64_t l, int64_t m, int64_t s)
{
    double x = (double)l, square = x * x;
    return sqrt((square - (double)(m * m)) * (square - (double)(s * s)) /
                (square * (4 * square - 1)));
}

double oracle_spin_peak(int64_t l, int64_t m, int64_t spin)
{
    const int64_t low = larger(m < 0 ? -m : m, spin < 0 ? -spin : spin);
    double theta[POINTS], x[POINTS], previous[POINTS], current[POINTS], scale[POINTS];
    choose_points(l, m, spin, theta);
    for (int i = 0; i < POINTS; i++) {
        x[i] = cos(theta[i]), previous[i] = 0, current[i] = 1;
        scale[i] = log_start(low, m, spin, theta[i]);
    }
    double b = 0;
    for (int64_t degree = low; degree < l; degree++) {
        double b_next = b_double(degree + 1, m, spin), inverse = 1 / b_next;
        double across = (double)(m * spin) / (double)(degree * (degree + 1));
        for (int i = 0; i < POINTS; i++) {
            double next = ((x[i] + across) * current[i] - b * previous[i]) * inverse;
            double shrink = fabs(next) > 1e200 ? 1e-200 : 1;
            previous[i] = current[i] * shrink, current[i] = next * shrink;
            scale[i] += shrink < 1 ? 200 * log(10) : 0;
        }
        b = b_next;
    }
    double largest = 0;
    for (int i = 0; i < POINTS; i++) largest = fmax(largest, fabs(current[i]) * exp(scale[i]));
    return largest;
}

void oracle_spin_peaks(int64_t m, int64_t spin, int64_t lmax, double *peak)
{
    const int64_t order = m < 0 ? -m : m, low = larger(order, spin < 0 ? -spin : spin);
    for (int64_t l = order; l <= lmax && l < low; l++) peak[l - order] = 0;
    if (low > lmax) return;
    double left = oracle_spin_peak(low, m, spin);
    peak[low - order] = left;
    for (int64_t l = low; l < lmax;) {
        int64_t next = smaller(lmax, l + larger(1, (l - low) / 8));
        double right = oracle_spin_peak(next, m, spin);
        for (int64_t degree = l + 1; degree < next; degree++)
            peak[degree - order] = fmin(left, right);
        peak[next - order] = right;
        left = right, l = next;
    }
}
