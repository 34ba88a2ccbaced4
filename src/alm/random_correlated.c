/* Gaussian random coefficients of several fields that are correlated (docs/mathematics.md (9.6)).
 * Degree by degree the matrix of spectra is written as
 *
 *     C = L D L^T,   L unit lower triangular, D diagonal;   a^i = e^i + sum_{j<i} L_ij e^j
 *
 * where e^i are independent and have the spectra D_i: armilla_alm_random makes them. So field 0 is
 * what armilla_alm_random makes of its spectrum alone, to the last bit. Cholesky's factor is
 * L sqrt(D), the distribution the same; without the roots a field of no power needs no care.
 *
 * Layout: factor[row][column][l], as the input; D on the diagonal, L below, unused above. */
#include "alm/layout.h"
#include "alm/order_list.h"
#include "base/memory.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

enum { MAX_FIELDS = 64 };

/* Pivots below -TOLERANCE of their diagonal make the spectra impossible; above, they are 0 up to
 * the seven digits that files have. A pivot of 0 leaves nothing to correlate with: what the column
 * then holds must be 0 up to the root of that. */
#define TOLERANCE 1e-5

typedef struct factor {
    int64_t nfields, nl;
    double *values;
} factor;

static double *at(const factor *f, int64_t row, int64_t column, int64_t l)
{
    return f->values + (row * f->nfields + column) * f->nl + l;
}

static armilla_status fail_value(int64_t row, int64_t column, int64_t l, double value)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "cl[%lld][%lld][%lld] = %g: must be finite%s",
                        (long long)row, (long long)column, (long long)l, value,
                        row == column ? " and at least 0" : "");
}

static armilla_status fail_pivot(int64_t row, int64_t l)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "cl at l = %lld: no fields have these spectra: field %lld would be "
                        "correlated with the fields before it by more than 100 %%",
                        (long long)l, (long long)row);
}

static armilla_status check_values(const factor *f, int64_t l)
{
    for (int64_t row = 0; row < f->nfields; row++)
        for (int64_t column = 0; column <= row; column++) {
            double value = *at(f, row, column, l);
            if (!isfinite(value) || (row == column && value < 0))
                return fail_value(row, column, l, value);
        }
    return ARMILLA_OK;
}

/* Entry (row, column) of C minus the part that earlier columns account for, sum_{k<column} L D L^T.
 */
static double remainder_of(const factor *f, int64_t row, int64_t column, int64_t l)
{
    double sum = *at(f, row, column, l);
    for (int64_t k = 0; k < column; k++)
        sum -= *at(f, row, k, l) * *at(f, k, k, l) * *at(f, column, k, l);
    return sum;
}

/* Column after column; diagonal holds C's, which the pivots replace. */
static armilla_status factor_degree(factor *f, int64_t l, double *diagonal)
{
    armilla_status status = check_values(f, l);
    for (int64_t i = 0; i < f->nfields; i++) diagonal[i] = *at(f, i, i, l);
    for (int64_t j = 0; j < f->nfields && !status; j++) {
        double pivot = remainder_of(f, j, j, l);
        int is_zero = pivot <= 1e-14 * diagonal[j];
        if (pivot < -TOLERANCE * diagonal[j]) status = fail_pivot(j, l);
        *at(f, j, j, l) = is_zero ? 0 : pivot;
        for (int64_t i = j + 1; i < f->nfields && !status; i++) {
            double rest = remainder_of(f, i, j, l);
            double allowed = sqrt(TOLERANCE) * sqrt(diagonal[i]) * sqrt(diagonal[j]);
            if (is_zero && !(fabs(rest) <= allowed)) status = fail_pivot(i, l);
            *at(f, i, j, l) = is_zero ? 0 : rest / pivot;
        }
    }
    return status;
}

/* Copies the spectra and factors them. */
static armilla_status factor_new(int64_t lmax, int64_t nfields, int64_t ncl, const double *cl,
                                 factor *f)
{
    double diagonal[MAX_FIELDS];
    f->nfields = nfields;
    f->nl = ncl < lmax + 1 ? ncl : lmax + 1;
    armilla_status status = armilla_allocate(&f->values, nfields * nfields * f->nl, sizeof *cl);
    for (int64_t i = 0; !status && f->nl > 0 && i < nfields * nfields; i++)
        memcpy(f->values + i * f->nl, cl + i * ncl, (size_t)f->nl * sizeof *cl);
    for (int64_t l = 0; !status && l < f->nl; l++) status = factor_degree(f, l, diagonal);
    return status;
}

/* Adds L_ij e^j to field i. */
static void add_field(const factor *f, int64_t i, int64_t j, const armilla_order_list *list,
                      double *alm)
{
    const int64_t size = armilla_order_list_size(list);
    double *target = alm + 2 * i * size;
    const double *source = alm + 2 * j * size;
    for (int64_t k = 0; k < list->norders; k++)
        for (int64_t l = armilla_order_list_at(list, k); l <= list->lmax; l++) {
            const double share = l < f->nl ? *at(f, i, j, l) : 0;
            for (int part = 0; part < 2 && l < f->nl; part++) target[part] += share * source[part];
            target += 2, source += 2;
        }
}

static armilla_status check(const armilla_order_list *list, int64_t nfields, int64_t ncl,
                            const double *cl, const double *alm)
{
    if (nfields < 1 || nfields > MAX_FIELDS)
        return armilla_fail_argument("nfields", nfields, "must be from 1 to 64");
    if (ncl < 0) return armilla_fail_argument("ncl", ncl, "must be at least 0");
    const armilla_status status = ncl > 0 ? armilla_alm_check_array("cl", cl) : ARMILLA_OK;
    return status || !list->norders ? status : armilla_alm_check_array("alm", alm);
}

armilla_status armilla_order_list_random_correlated(const armilla_order_list *list, int64_t nfields,
                                                    int64_t ncl, const double *cl, uint64_t seed,
                                                    double *alm)
{
    factor f = {0, 0, NULL};
    armilla_status status = check(list, nfields, ncl, cl, alm);
    if (status) return status;
    status = factor_new(list->lmax, nfields, ncl, cl, &f);
    const int64_t size = armilla_order_list_size(list);
    for (int64_t i = 0; !status && i < nfields && size; i++)
        status = armilla_order_list_random(list, f.nl, f.nl > 0 ? at(&f, i, i, 0) : NULL, seed,
                                           (uint64_t)i, alm + 2 * i * size);
    /* From the last field to the first: those before are still independent. */
    for (int64_t i = nfields - 1; !status && i > 0 && size; i--)
        for (int64_t j = 0; j < i; j++) add_field(&f, i, j, list, alm);
    armilla_release(f.values);
    return status;
}

armilla_status armilla_alm_random_correlated(int64_t lmax, int64_t mmax, int64_t nfields,
                                             int64_t ncl, const double *cl, uint64_t seed,
                                             double *alm)
{
    const armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    const armilla_order_list all = {lmax, mmax + 1, NULL};
    return armilla_order_list_random_correlated(&all, nfields, ncl, cl, seed, alm);
}
