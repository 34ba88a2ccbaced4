/* Rows of low degrees of two pure fields, by squares of 3j symbols. See low.h, docs/mathematics.md
 * (14.6). */
#include "coupling/low.h"

#include "base/memory.h"

#include <math.h>

/* With so many rows rounding is multiplied by less than 1e7 in the others, and the rows take less
 * time than the windows of many bands. */
enum { LEAST = 32, SHARE = 60 };

int64_t armilla_coupling_count_low(int64_t lmax, int npure)
{
    return npure == 2 ? armilla_smaller(lmax / 2, LEAST + lmax / SHARE) + 1 : 0;
}

/* [n + 1]: (2 k)! / (2^k k!)^2, whose ratios are squares of 3j symbols. */
static armilla_status make_ratios(int64_t n, double **ratios)
{
    const armilla_status status = armilla_allocate(ratios, n + 1, sizeof **ratios);
    long double value = 1;
    for (int64_t k = 0; k <= n && !status; k++) {
        if (k) value *= (long double)(2 * k - 1) / (long double)(2 * k);
        (*ratios)[k] = (double)value;
    }
    return status;
}

/* (2 l' + 1) / (4 pi) N_l^2 / N_l'^2 window_l' */
static double factor_of(const armilla_coupling *c, int64_t l, int64_t other)
{
    const double up = c->scale_in[other] / c->scale[l];
    return up * sqrt((double)(2 * other + 1) * (double)(2 * l + 1)) / (4 * M_PI);
}

/* (l l' L; 0 0 0)^2, with the sum of all degrees even. */
static double square(const double *ratios, int64_t l, int64_t other, int64_t degree)
{
    const int64_t half = (l + other + degree) / 2;
    return ratios[half - l] * ratios[half - other] * ratios[half - degree] /
           (ratios[half] * (double)(2 * half + 1));
}

/* The first degree of a mask that counts between l and l', and the last one. */
static int64_t first_degree(int64_t l, int64_t other)
{
    return l > other ? l - other : other - l;
}

static int64_t last_degree(const armilla_coupling *c, int64_t l, int64_t other)
{
    return armilla_smaller(l + other, c->lused);
}

static double entry(const armilla_coupling *c, const double *ratios, const double *mask, int64_t l,
                    int64_t other)
{
    double sum = 0;
    for (int64_t k = first_degree(l, other); k <= last_degree(c, l, other); k += 2)
        sum += (double)(2 * k + 1) * mask[k] * square(ratios, l, other, k);
    return factor_of(c, l, other) * sum;
}

armilla_status armilla_coupling_make_low(armilla_coupling *coupling, const double *masks)
{
    const int64_t length = coupling->lmax + 1, size = coupling->nlow * length;
    double *ratios = NULL;
    if (!coupling->nlow) return ARMILLA_OK;
    armilla_status status =
        armilla_allocate_zero(&coupling->low, coupling->nmasks * size, sizeof *coupling->low);
    if (!status) status = make_ratios(coupling->lmax + coupling->nlow, &ratios);
    for (int64_t i = 0; i < coupling->nmasks && !status; i++)
        for (int64_t l = coupling->least; l < coupling->nlow; l++)
            for (int64_t other = coupling->least; other < length; other++)
                coupling->low[i * size + l * length + other] =
                    entry(coupling, ratios, masks + i * (coupling->lmask + 1), l, other);
    armilla_release(ratios);
    return status;
}

static const double *row_of(const armilla_coupling *c, int64_t mask, int64_t l)
{
    return c->low + (mask * c->nlow + l) * (c->lmax + 1);
}

void armilla_coupling_low_apply(const armilla_coupling *coupling, int64_t mask, const double *in,
                                double *out)
{
    for (int64_t l = 0; l < coupling->nlow; l++) {
        const double *row = row_of(coupling, mask, l);
        out[l] = 0;
        for (int64_t other = coupling->least; other <= coupling->lmax; other++)
            out[l] += row[other] * in[other];
    }
}

void armilla_coupling_low_adjoint(const armilla_coupling *coupling, int64_t mask, const double *in,
                                  double *out)
{
    for (int64_t l = coupling->least; l < coupling->nlow; l++) {
        const double *row = row_of(coupling, mask, l);
        for (int64_t other = coupling->least; other <= coupling->lmax; other++)
            out[other] += row[other] * in[l];
    }
}

armilla_status armilla_coupling_low_mask_adjoint(const armilla_coupling *coupling, const double *cl,
                                                 const double *g, double *mask)
{
    const armilla_coupling *c = coupling;
    double *ratios;
    if (!c->nlow) return ARMILLA_OK;
    const armilla_status status = make_ratios(c->lmax + c->nlow, &ratios);
    if (status) return status;
    for (int64_t l = c->least; l < c->nlow; l++)
        for (int64_t other = c->least; other <= c->lmax; other++) {
            const double value = g[l] * cl[other] * factor_of(c, l, other);
            for (int64_t k = first_degree(l, other); k <= last_degree(c, l, other); k += 2)
                mask[k] += value * (double)(2 * k + 1) * square(ratios, l, other, k);
        }
    armilla_release(ratios);
    return ARMILLA_OK;
}
