/* Elliptical Gaussian beams in closed form, docs/mathematics.md (15.5) and (15.6). With u and v,
 * the standard deviations of the long and the short axis, and z = l (l + 1) (u^2 - v^2) / 4,
 *
 *     b_lk = sqrt((2 l + 1) / 4 pi) exp(-l (l + 1) v^2 / 2) [exp(-z) I_{k/2}(z)] e^{-i k psi}
 *
 * for even k; those of odd k are 0. The bracket comes from the ratios
 *
 *     r_n = I_n / I_{n-1} = z / (2 n + z r_{n+1})
 *
 * from a number n on where I_n is nothing, and from exp(z) = I_0 + 2 sum of I_n. All terms are
 * positive, so that nothing cancels, and none of them leaves the doubles, as values of I_n would.
 *
 * Layout: rows [most + 1][lmax + 1], b_lk without the turn, of the orders k = 0, 2, .. 2 most. */
#include "armilla/alm.h"
#include "armilla/beam.h"
#include "base/colatitude.h"
#include "base/memory.h"
#include "beams/check.h"

#include <math.h>
#include <string.h>

typedef struct {
    double fwhm_min, fwhm_max, psi, polarisation, cross_polar;
    int64_t lmax, kmax;
    int64_t most; /* half of the largest order of rows */
    double *rows;
} ellipse;

/* --- Rows ------------------------------------------------------------------------------------- */

static double deviation(double fwhm)
{
    return armilla_colatitude_taken(fwhm) / sqrt(8 * log(2));
}

/* Ratios r_1 .. r_most -> ratio. Returned: exp(-z) I_0(z). */
static double find_ratios(double z, int64_t most, double *ratio)
{
    double r = 0, sum = 0; /* sum: (I_n + I_{n+1} + ..) / I_{n-1} */
    for (int64_t n = most + 24 + (int64_t)(9 * sqrt(z)); n > 0; n--) {
        r = z / (2 * (double)n + z * r);
        sum = r * (1 + sum);
        if (n <= most) ratio[n] = r;
    }
    return 1 / (1 + 2 * sum);
}

static void fill_rows(const ellipse *e, double *ratio)
{
    const double long_square = pow(deviation(e->fwhm_max), 2);
    const double short_square = pow(deviation(e->fwhm_min), 2);
    for (int64_t l = 0; l <= e->lmax; l++) {
        const double square = (double)l * (double)(l + 1);
        double value = sqrt((2 * (double)l + 1) / (4 * M_PI)) * exp(-square * short_square / 2);
        const int is_zero = value == 0; /* an underflow: ratios, of many steps, change nothing */
        if (!is_zero)
            value *= find_ratios(square * (long_square - short_square) / 4, e->most, ratio);
        for (int64_t n = 0; n <= e->most; n++) {
            if (n && !is_zero) value *= ratio[n];
            e->rows[n * (e->lmax + 1) + l] = value;
        }
    }
}

static armilla_status make_rows(ellipse *e)
{
    double *ratio;
    e->most = e->kmax / 2 + 1;
    armilla_status status = armilla_allocate(&ratio, e->most + 1, sizeof *ratio);
    if (status) return status;
    status = armilla_allocate(&e->rows, (e->most + 1) * (e->lmax + 1), sizeof *e->rows);
    if (!status) fill_rows(e, ratio);
    armilla_release(ratio);
    return status;
}

/* --- Components ------------------------------------------------------------------------------- */

/* Adds factor e^{i angle} b_lq, q even and of either sign, to the coefficients of order k from
 * degree `first` on; the angle has the turn of b_lq. */
static void add_order(const ellipse *e, int64_t k, int64_t q, int64_t first, const double factor[2],
                      double *beam)
{
    const double *row = e->rows + (q < 0 ? -q : q) / 2 * (e->lmax + 1);
    for (int64_t l = k > first ? k : first; l <= e->lmax; l++) {
        double *b = beam + 2 * armilla_alm_index(e->lmax, l, k);
        b[0] += factor[0] * row[l], b[1] += factor[1] * row[l];
    }
}

static void add_seen(const ellipse *e, double *beam)
{
    for (int64_t k = 0; k <= e->kmax; k += 2) {
        const double turn[2] = {cos((double)k * e->psi), -sin((double)k * e->psi)};
        add_order(e, k, k, 0, turn, beam);
    }
}

/* E + i B is -f e^{2 i a} b_{l,k+2}, E - i B is -f e^{-2 i a} b_{l,k-2}. The two terms of order 0
 * are conjugate to the last bit. */
static void add_polarised(const ellipse *e, double *electric, double *magnetic)
{
    const double squares = pow(deviation(e->fwhm_max), 2) + pow(deviation(e->fwhm_min), 2);
    const double half = exp(squares) * (1 - e->cross_polar) / (1 + e->cross_polar) / 2; /* f / 2 */
    for (int64_t k = 0; k <= e->kmax; k += 2)
        for (int side = 1; side >= -1; side -= 2) {
            const int64_t q = k + 2 * side;
            const double angle = 2 * side * e->polarisation - (double)q * e->psi;
            const double cosine = half * cos(angle), sine = half * sin(angle);
            add_order(e, k, q, 2, (const double[2]){-cosine, -sine}, electric);
            add_order(e, k, q, 2, (const double[2]){-side * sine, side * cosine}, magnetic);
        }
}

/* --- Calls ------------------------------------------------------------------------------------ */

static armilla_status check_width(const char *name, double fwhm)
{
    if (armilla_colatitude_is_good(fwhm)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s = %g: must be from 0 to pi; %g rad are %g degrees", name, fwhm, fwhm,
                        fwhm * (180 / M_PI));
}

static armilla_status check_angle(const char *name, double angle)
{
    if (isfinite(angle)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = %g: must be finite", name, angle);
}

static armilla_status check(const ellipse *e, const double *beam)
{
    armilla_status status = armilla_beams_check_band(e->lmax, e->kmax);
    if (!status) status = check_width("fwhm_min", e->fwhm_min);
    if (!status) status = check_width("fwhm_max", e->fwhm_max);
    if (!status && e->fwhm_min > e->fwhm_max)
        status =
            armilla_fail(ARMILLA_ERROR_ARGUMENT, "fwhm_min = %g: must be at most fwhm_max = %g",
                         e->fwhm_min, e->fwhm_max);
    if (!status) status = check_angle("psi", e->psi);
    if (!status) status = check_angle("polarisation", e->polarisation);
    if (!status && !(e->cross_polar >= 0 && e->cross_polar <= 1))
        status = armilla_fail(ARMILLA_ERROR_ARGUMENT, "cross_polar = %g: must be 0 to 1",
                              e->cross_polar);
    return status ? status : armilla_check_given("beam", beam);
}

static armilla_status make(ellipse *e, int64_t components, double *beam)
{
    const int64_t size = 2 * armilla_alm_size(e->lmax, e->kmax);
    const armilla_status status = make_rows(e);
    if (!status) {
        memset(beam, 0, (size_t)(components * size) * sizeof *beam);
        add_seen(e, beam);
        if (components > 1) add_polarised(e, beam + size, beam + 2 * size);
    }
    armilla_release(e->rows);
    return status;
}

armilla_status armilla_beam_elliptical(double fwhm_min, double fwhm_max, double psi, int64_t lmax,
                                       int64_t kmax, double *beam)
{
    ellipse e = {
        .fwhm_min = fwhm_min, .fwhm_max = fwhm_max, .psi = psi, .lmax = lmax, .kmax = kmax};
    const armilla_status status = check(&e, beam);
    return status ? status : make(&e, 1, beam);
}

armilla_status armilla_beam_elliptical_polarised(double fwhm_min, double fwhm_max, double psi,
                                                 double polarisation, double cross_polar,
                                                 int64_t lmax, int64_t kmax, double *beam)
{
    ellipse e = {fwhm_min, fwhm_max, psi, polarisation, cross_polar, lmax, kmax, 0, NULL};
    const armilla_status status = check(&e, beam);
    return status ? status : make(&e, 3, beam);
}
