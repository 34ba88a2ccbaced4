/* Kinds of radial kernels: making, copying, evaluating them. docs/mathematics.md 8. */
#include "radial/profile/kernel.h"

#include "base/colatitude.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Wider Gaussians are Legendre sums, of 110 terms at most; narrower ones integrals (8.6), which
 * leave out exp(-pi^2 / (2 sigma^2)) of K(0). */
#define NARROW 0.1

enum { LIMIT = 1000000 }; /* of degrees and nodes */

/* --- Making ---------------------------------------------------------------------------------- */

/* Wider kernels than the sphere are mostly angles in degrees. */
static armilla_status take_angle(const char *name, double *angle)
{
    const double value = *angle;
    *angle = armilla_colatitude_taken(value);
    if (value >= 1e-6 && armilla_colatitude_is_good(value)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s = %g: must be from 1e-6 to pi; %g rad are %g degrees", name, value,
                        value, value * (180 / M_PI));
}

armilla_status armilla_kernel_new_empty(armilla_kernel_form form, armilla_kernel **kernel)
{
    armilla_status status = armilla_allocate_zero(kernel, 1, sizeof **kernel);
    if (status) return status;
    (*kernel)->form = form;
    armilla_panels_make_rules((*kernel)->rule);
    return ARMILLA_OK;
}

/* Degrees from which on all terms of the Legendre sum together are below 1e-20 of the whole. */
static int64_t count_terms(int64_t count, const long double *window)
{
    long double whole = 0, rest = 0;
    for (int64_t l = 0; l < count; l++) whole += (long double)(2 * l + 1) * fabsl(window[l]);
    int64_t terms = count;
    while (terms > 0) {
        rest += (long double)(2 * terms - 1) * fabsl(window[terms - 1]);
        if (rest > 1e-20L * whole) break;
        terms--;
    }
    return terms;
}

/* A kernel with room for `count` degrees. */
static armilla_status new_sum(int64_t count, armilla_kernel **kernel)
{
    armilla_kernel *made = NULL;
    armilla_status status = armilla_kernel_new_empty(ARMILLA_KERNEL_SUM, &made);
    if (!status) status = armilla_allocate_zero(&made->window, count, sizeof *made->window);
    if (status) {
        armilla_kernel_free(made);
        return status;
    }
    made->count = count;
    *kernel = made;
    return ARMILLA_OK;
}

static long double sigma_of(double fwhm)
{
    return fwhm / sqrtl(8 * logl(2));
}

static armilla_status new_heat(double fwhm, int hat, armilla_kernel **kernel)
{
    armilla_status status = take_angle("fwhm", &fwhm);
    if (!status) status = armilla_check_given("kernel", kernel);
    if (status) return status;
    const long double sigma = sigma_of(fwhm);
    armilla_kernel *made = NULL;
    /* exp(-l (l + 1) sigma^2 / 2) < 1e-23 */
    const int64_t count = sigma < NARROW ? 0 : (int64_t)ceill(10.5L / sigma) + 2;
    status = count ? new_sum(count, &made) : armilla_kernel_new_empty(ARMILLA_KERNEL_HEAT, &made);
    if (status) return status;
    made->angle = sigma;
    made->hat = hat;
    made->positive = !hat;
    for (int64_t l = 0; l < count; l++) made->window[l] = armilla_kernel_heat_window(sigma, hat, l);
    made->terms = count;
    *kernel = made;
    return ARMILLA_OK;
}

armilla_status armilla_kernel_new_gaussian(double fwhm, armilla_kernel **kernel)
{
    return new_heat(fwhm, 0, kernel);
}

armilla_status armilla_kernel_new_mexican_hat(double fwhm, armilla_kernel **kernel)
{
    return new_heat(fwhm, 1, kernel);
}

armilla_status armilla_kernel_new_tophat(double radius, armilla_kernel **kernel)
{
    armilla_status status = take_angle("radius", &radius);
    if (!status) status = armilla_check_given("kernel", kernel);
    armilla_kernel *made = NULL;
    if (!status) status = armilla_kernel_new_empty(ARMILLA_KERNEL_TOPHAT, &made);
    if (status) return status;
    made->angle = radius;
    made->positive = 1;
    *kernel = made;
    return ARMILLA_OK;
}

static armilla_status check_needlet(double base, int64_t scale)
{
    if (!(base > 1) || isinf(base))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "base = %g: must be finite and above 1", base);
    const long double power = ((long double)scale + 1) * logl((long double)base);
    if (power >= 0 && power <= logl((long double)LIMIT) * (1 + 1e-15L)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "scale = %lld: base^(scale + 1) must be from 1 to 1000000",
                        (long long)scale);
}

armilla_status armilla_kernel_new_needlet(double base, int64_t scale, armilla_kernel **kernel)
{
    armilla_status status = check_needlet(base, scale);
    if (!status) status = armilla_check_given("kernel", kernel);
    if (status) return status;
    const long double centre = powl((long double)base, (long double)scale);
    const int64_t count = (int64_t)floorl(centre * (long double)base) + 1;
    armilla_kernel *made = NULL;
    status = new_sum(count, &made);
    if (status) return status;
    armilla_needlet_window((long double)base, centre, count, made->window);
    made->terms = count_terms(count, made->window);
    *kernel = made;
    return ARMILLA_OK;
}

armilla_status armilla_kernel_new_window(int64_t lmax, const double *window,
                                         armilla_kernel **kernel)
{
    if (lmax < 0 || lmax > LIMIT)
        return armilla_fail_argument("lmax", lmax, "must be from 0 to 1000000");
    armilla_status status = armilla_check_given("window", window);
    if (!status) status = armilla_check_given("kernel", kernel);
    for (int64_t l = 0; l <= lmax && !status; l++)
        if (!isfinite(window[l]))
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT, "window[%lld] = %g: must be finite",
                                  (long long)l, window[l]);
    armilla_kernel *made = NULL;
    if (!status) status = new_sum(lmax + 1, &made);
    if (status) return status;
    for (int64_t l = 0; l <= lmax; l++) made->window[l] = window[l];
    made->terms = count_terms(lmax + 1, made->window);
    *kernel = made;
    return ARMILLA_OK;
}

void armilla_kernel_free(armilla_kernel *kernel)
{
    if (!kernel) return;
    armilla_release(kernel->window);
    armilla_release(kernel->theta);
    armilla_release(kernel->value);
    armilla_release(kernel->slope);
    armilla_release(kernel);
}

/* A copy of an array, which may be missing. */
static armilla_status copy_array(const void *from, int64_t count, size_t size, void *copy)
{
    if (!from) return ARMILLA_OK;
    armilla_status status = armilla_allocate(copy, count, size);
    if (!status) memcpy(*(void **)copy, from, (size_t)count * size);
    return status;
}

armilla_status armilla_kernel_copy(const armilla_kernel *kernel, armilla_kernel **copy)
{
    armilla_kernel *made = NULL;
    armilla_status status = armilla_allocate(&made, 1, sizeof *made);
    if (status) return status;
    *made = *kernel;
    made->window = made->slope = NULL;
    made->theta = made->value = NULL;
    const int64_t count = kernel->count;
    status = copy_array(kernel->window, count, sizeof *made->window, &made->window);
    if (!status) status = copy_array(kernel->theta, count, sizeof *made->theta, &made->theta);
    if (!status) status = copy_array(kernel->value, count, sizeof *made->value, &made->value);
    if (!status) status = copy_array(kernel->slope, count, sizeof *made->slope, &made->slope);
    if (status)
        armilla_kernel_free(made);
    else
        *copy = made;
    return status;
}

armilla_status armilla_kernel_turn(const armilla_kernel *kernel, armilla_kernel **turned)
{
    armilla_status status = armilla_kernel_copy(kernel, turned);
    if (status) return status;
    armilla_kernel *made = *turned;
    made->spin = 2;
    if (made->form != ARMILLA_KERNEL_SUM) return ARMILLA_OK;
    /* a Gaussian's: exp(-(l (l + 1) - 4) sigma^2 / 2) */
    const long double factor = made->positive ? expl(2 * made->angle * made->angle) : 1;
    for (int64_t l = 0; l < made->count; l++) made->window[l] *= l < 2 ? 0 : factor;
    made->terms = count_terms(made->count, made->window);
    return ARMILLA_OK;
}

/* --- Values ---------------------------------------------------------------------------------- */

/* 1 over the solid angle of the disc. */
static long double tophat_height(long double radius)
{
    const long double half = sinl(radius / 2);
    return 1 / (4 * ARMILLA_PI * half * half);
}

void armilla_kernel_evaluate(const armilla_kernel *kernel, int64_t count, const long double *theta,
                             long double *value)
{
    switch (kernel->form) {
    case ARMILLA_KERNEL_TOPHAT:
        for (int64_t i = 0; i < count; i++)
            value[i] = theta[i] <= kernel->angle ? tophat_height(kernel->angle) : 0;
        break;
    case ARMILLA_KERNEL_HEAT:
        armilla_kernel_heat(kernel, count, theta, value);
        break;
    case ARMILLA_KERNEL_SUM:
        (kernel->spin ? armilla_turned_sum : armilla_legendre_sum)(kernel->terms, kernel->window,
                                                                   count, theta, value);
        break;
    case ARMILLA_KERNEL_TABLE:
        for (int64_t i = 0; i < count; i++) value[i] = armilla_kernel_table_value(kernel, theta[i]);
        break;
    }
}

static armilla_status check_angles(int64_t count, const double *theta)
{
    for (int64_t i = 0; i < count; i++)
        if (!armilla_colatitude_is_good(theta[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "theta[%lld] = %g: must be from 0 to pi",
                                (long long)i, theta[i]);
    return ARMILLA_OK;
}

armilla_status armilla_kernel_values(const armilla_kernel *kernel, int64_t count,
                                     const double *theta, double *values)
{
    armilla_status status = armilla_check_given("kernel", kernel);
    if (!status && count < 0) status = armilla_fail_argument("count", count, "must be at least 0");
    if (status || count == 0) return status;
    status = armilla_check_given("theta", theta);
    if (!status) status = armilla_check_given("values", values);
    if (!status) status = check_angles(count, theta);
    if (status) return status;
    long double angle[ARMILLA_KERNEL_BLOCK], value[ARMILLA_KERNEL_BLOCK];
    for (int64_t done = 0; done < count; done += ARMILLA_KERNEL_BLOCK) {
        const int64_t n = count - done < ARMILLA_KERNEL_BLOCK ? count - done : ARMILLA_KERNEL_BLOCK;
        for (int64_t i = 0; i < n; i++) angle[i] = armilla_colatitude_taken(theta[done + i]);
        armilla_kernel_evaluate(kernel, n, angle, value);
        for (int64_t i = 0; i < n; i++) values[done + i] = (double)value[i];
    }
    return ARMILLA_OK;
}

/* --- Size ------------------------------------------------------------------------------------ */

double armilla_kernel_extent(const armilla_kernel *kernel)
{
    switch (kernel->form) {
    case ARMILLA_KERNEL_TOPHAT:
        return (double)kernel->angle;
    case ARMILLA_KERNEL_TABLE:
        return kernel->theta[kernel->count - 1];
    /* exp(-39.6) = 6e-18; the hat has a factor x^2 - 2 on it, over 2 */
    case ARMILLA_KERNEL_HEAT:
        return fmin(M_PI, (kernel->hat ? 9.4 : 8.9) * (double)kernel->angle);
    default:
        return M_PI;
    }
}

double armilla_kernel_frequency(const armilla_kernel *kernel)
{
    switch (kernel->form) {
    case ARMILLA_KERNEL_HEAT:
        return 10.5 / (double)kernel->angle;
    case ARMILLA_KERNEL_SUM:
        return (double)kernel->terms;
    default:
        return 0;
    }
}
