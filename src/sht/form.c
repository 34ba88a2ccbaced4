/* Checks and tabulates what stands between the coefficients c_lm of a plan's callers and a_lm: with
 * scales d, a = d c. Transposes and inverses (docs/mathematics.md 1):
 *
 *     synthesis            Y d                  reads with d
 *     adjoint synthesis    d Y^T                writes with d
 *     analysis             d^-1 Y^T W           writes with d^-1
 *     adjoint analysis     W Y d^-1             reads with d^-1 */
#include "sht/form.h"

#include "base/memory.h"

#include <math.h>

/* --- Checks ---------------------------------------------------------------------------------- */

static armilla_status check_scale(const char *name, const double *scale, int64_t last)
{
    for (int64_t i = 0; i <= last && scale; i++)
        if (!isfinite(scale[i]) || !isfinite(1 / scale[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "options->%s[%lld] = %g: must be finite, and so must 1 / it", name,
                                (long long)i, scale[i]);
    return ARMILLA_OK;
}

armilla_status armilla_sht_check_form(const armilla_sht_options *options, int64_t lmax,
                                      int64_t mmax)
{
    if (options->form != ARMILLA_ALM_COMPLEX && options->form != ARMILLA_ALM_REAL)
        return armilla_fail_argument("options->form", (int64_t)options->form,
                                     "must be an armilla_alm_form");
    if (options->form == ARMILLA_ALM_REAL && options->layout)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->layout: must be NULL where form is ARMILLA_ALM_REAL");
    armilla_status status = check_scale("degree_scale", options->degree_scale, lmax);
    return status ? status : check_scale("order_scale", options->order_scale, mmax);
}

static armilla_status refuse(const armilla_sht_options *options, const char *field,
                             const char *rule, const char *why)
{
    const armilla_status status =
        options->device == ARMILLA_CUDA ? ARMILLA_ERROR_UNSUPPORTED : ARMILLA_ERROR_ARGUMENT;
    return armilla_fail(status, "options->%s: must be %s %s", field, rule, why);
}

armilla_status armilla_sht_check_plain(const armilla_sht_options *options, const char *why)
{
    if (options->mres != 1)
        return armilla_fail(options->device == ARMILLA_CUDA ? ARMILLA_ERROR_UNSUPPORTED
                                                            : ARMILLA_ERROR_ARGUMENT,
                            "options->mres = %lld: must be 1 %s", (long long)options->mres, why);
    return armilla_sht_check_unscaled(options, why);
}

armilla_status armilla_sht_check_unscaled(const armilla_sht_options *options, const char *why)
{
    if (options->form != ARMILLA_ALM_COMPLEX)
        return refuse(options, "form", "ARMILLA_ALM_COMPLEX", why);
    if (options->conjugate) return refuse(options, "conjugate", "0", why);
    if (options->degree_scale) return refuse(options, "degree_scale", "NULL", why);
    if (options->order_scale) return refuse(options, "order_scale", "NULL", why);
    return ARMILLA_OK;
}

/* --- Tables ---------------------------------------------------------------------------------- */

/* scale, or its inverse, times the mode's factors. */
static armilla_status make_degrees(const armilla_sht *sht, const double *scale, int inverse,
                                   double **made)
{
    const int64_t lmax = sht->layout->lmax;
    armilla_status status = armilla_allocate(made, lmax + 1, sizeof **made);
    for (int64_t l = 0; l <= lmax && !status; l++)
        (*made)[l] =
            (inverse ? 1 / scale[l] : scale[l]) * (sht->degree_factor ? sht->degree_factor[l] : 1);
    return status;
}

static armilla_status make_orders(const armilla_sht *sht, const double *scale, int inverse,
                                  double **made)
{
    armilla_status status = armilla_allocate_zero(made, sht->layout->mmax + 1, sizeof **made);
    for (int64_t k = 0; k < armilla_sht_orders(sht) && !status; k++)
        (*made)[k * sht->mres] = inverse ? 1 / scale[k] : scale[k];
    return status;
}

armilla_status armilla_sht_make_form(armilla_sht *sht, const armilla_sht_options *options)
{
    armilla_sht_form *form = &sht->form;
    const int64_t size = sht->layout->size;
    armilla_status status = ARMILLA_OK;
    form->packed = options->form == ARMILLA_ALM_REAL, form->conjugate = options->conjugate != 0;
    form->numbers = form->packed ? 2 * size - (sht->layout->lmax + 1) : size;
    for (int inverse = 0; inverse < 2 && !status; inverse++) {
        if (options->degree_scale)
            status = make_degrees(sht, options->degree_scale, inverse, &form->degree[inverse]);
        if (!status && options->order_scale)
            status = make_orders(sht, options->order_scale, inverse, &form->order[inverse]);
    }
    return status;
}

int64_t armilla_sht_form_bytes(const armilla_sht *sht)
{
    const armilla_sht_form *form = &sht->form;
    const int64_t degrees = sht->layout->lmax + 1, orders = sht->layout->mmax + 1;
    int64_t numbers = sht->degree_factor ? degrees : 0;
    for (int inverse = 0; inverse < 2; inverse++)
        numbers += (form->degree[inverse] ? degrees : 0) + (form->order[inverse] ? orders : 0);
    return numbers * (int64_t)sizeof(double);
}

void armilla_sht_clear_form(armilla_sht_form *form)
{
    for (int inverse = 0; inverse < 2; inverse++) {
        armilla_release(form->degree[inverse]);
        armilla_release(form->order[inverse]);
    }
    *form = (armilla_sht_form){.packed = 0};
}
