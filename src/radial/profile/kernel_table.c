/* Kernels from a table: piecewise cubics that keep the shape of the values (PCHIP), with the slopes
 * of Fritsch & Butland 1984, SIAM J. Sci. Stat. Comput. 5, 300; docs/mathematics.md (8.9).
 *
 * The variable is the chord h = 2 sin(theta / 2), not the angle itself. For narrow kernels the two
 * are the same; in the chord a cubic is smooth at the antipode, where one in theta has a cone, and
 * the profile's cells, equal ones of h, hold it without any error. */
#include "radial/profile/kernel.h"

#include "base/memory.h"
#include "base/point.h"

#include <math.h>
#include <string.h>

enum { LIMIT = 1000000 };

long double armilla_chord_between(long double a, long double b)
{
    return 4 * sinl((b - a) / 4) * cosl((b + a) / 4);
}

/* Slope of the chord line of piece k. */
static long double secant(const armilla_kernel *kernel, int64_t k, long double *width)
{
    *width = armilla_chord_between(kernel->theta[k], kernel->theta[k + 1]);
    return ((long double)kernel->value[k + 1] - kernel->value[k]) / *width;
}

/* At a node between two pieces: the harmonic mean of their secants, weighted by widths. */
static long double inner_slope(long double w0, long double s0, long double w1, long double s1)
{
    if (!(s0 * s1 > 0)) return 0;
    const long double a = 2 * w1 + w0, b = w1 + 2 * w0;
    return (a + b) / (a / s0 + b / s1);
}

/* At an end: the parabola through three nodes, held to the shape. w0, s0: the piece at the end. */
static long double end_slope(long double w0, long double s0, long double w1, long double s1)
{
    const long double slope = ((2 * w0 + w1) * s0 - w0 * s1) / (w0 + w1);
    if (!(slope * s0 > 0)) return 0;
    return s0 * s1 <= 0 && fabsl(slope) > 3 * fabsl(s0) ? 3 * s0 : slope;
}

static void make_slopes(armilla_kernel *kernel)
{
    const int64_t last = kernel->count - 1;
    long double w0, w1, s0 = secant(kernel, 0, &w0), s1 = s0;
    kernel->slope[0] = kernel->slope[last] = s0;
    for (int64_t k = 1; k < last; k++) {
        s1 = secant(kernel, k, &w1);
        kernel->slope[k] = inner_slope(w0, s0, w1, s1);
        if (k == 1) kernel->slope[0] = end_slope(w0, s0, w1, s1);
        if (k == last - 1) kernel->slope[last] = end_slope(w1, s1, w0, s0);
        s0 = s1;
        w0 = w1;
    }
}

static armilla_status check_table(int64_t count, const double *theta, const double *values)
{
    for (int64_t i = 0; i < count; i++) {
        if (!armilla_colatitude_is_good(theta[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "theta[%lld] = %g: must be from 0 to pi",
                                (long long)i, theta[i]);
        if (i > 0 && !(armilla_colatitude_taken(theta[i]) > armilla_colatitude_taken(theta[i - 1])))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "theta[%lld] = %.17g: must be above theta[%lld] = %.17g",
                                (long long)i, theta[i], (long long)(i - 1), theta[i - 1]);
        if (!isfinite(values[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "values[%lld] = %g: must be finite",
                                (long long)i, values[i]);
    }
    return ARMILLA_OK;
}

static armilla_status new_table(int64_t count, armilla_kernel **kernel)
{
    armilla_kernel *made = NULL;
    armilla_status status = armilla_kernel_new_empty(ARMILLA_KERNEL_TABLE, &made);
    if (status) return status;
    made->count = count;
    status = armilla_allocate(&made->theta, count, sizeof *made->theta);
    if (!status) status = armilla_allocate(&made->value, count, sizeof *made->value);
    if (!status) status = armilla_allocate(&made->slope, count, sizeof *made->slope);
    if (status)
        armilla_kernel_free(made);
    else
        *kernel = made;
    return status;
}

/* --- Crowded nodes ---------------------------------------------------------------------------- */

/* Sets of nodes equally spaced in theta crowd together at theta = pi, where the chord hardly
 * changes: nearer to each other than a profile's cells can be. Such nodes are left out, as long as
 * the others give their values all the same. */
#define CROWDED 32768 /* nodes within the last chord, spaced equally */
#define SAME    1e-9L /* of the largest value */

/* Copies the nodes that are not crowded; returns their number. Both ends stay. */
static int64_t copy_spaced(int64_t count, const double *theta, const double *values,
                           armilla_kernel *kernel)
{
    const long double least = 2 * sinl((long double)theta[count - 1] / 2) / CROWDED;
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        const int crowded =
            kept > 0 && armilla_chord_between(kernel->theta[kept - 1], theta[i]) < least;
        if (crowded && i < count - 1) continue;
        if (crowded && kept > 1) kept--; /* the last node takes the place of the one before it */
        kernel->theta[kept] = theta[i];
        kernel->value[kept++] = values[i];
    }
    return kept;
}

static int gives_values(const armilla_kernel *kernel, int64_t count, const double *theta,
                        const double *values)
{
    long double peak = 0, error = 0;
    for (int64_t i = 0; i < count; i++) {
        const long double value = armilla_kernel_table_value(kernel, theta[i]);
        peak = fmaxl(peak, fabsl((long double)values[i]));
        error = fmaxl(error, fabsl(value - values[i]));
    }
    return error <= SAME * peak;
}

static void fill_table(int64_t count, const double *theta, const double *values,
                       armilla_kernel *kernel)
{
    kernel->count = copy_spaced(count, theta, values, kernel);
    make_slopes(kernel);
    if (kernel->count == count || gives_values(kernel, count, theta, values)) return;
    kernel->count = count;
    memcpy(kernel->theta, theta, (size_t)count * sizeof *theta);
    memcpy(kernel->value, values, (size_t)count * sizeof *values);
    make_slopes(kernel);
}

armilla_status armilla_kernel_new_table(int64_t count, const double *theta, const double *values,
                                        armilla_kernel **kernel)
{
    if (count < 2 || count > LIMIT)
        return armilla_fail_argument("count", count, "must be from 2 to 1000000");
    armilla_status status = armilla_check_given("theta", theta);
    if (!status) status = armilla_check_given("values", values);
    if (!status) status = armilla_check_given("kernel", kernel);
    if (!status) status = check_table(count, theta, values);
    armilla_kernel *made = NULL;
    double *own = NULL;
    if (!status) status = armilla_points_settle(count, 1, &theta, &own);
    if (!status && !(status = new_table(count, &made))) {
        fill_table(count, theta, values, made);
        *kernel = made;
    }
    armilla_release(own);
    return status;
}

int64_t armilla_kernel_table_beyond(const armilla_kernel *kernel, long double theta)
{
    int64_t low = 0, high = kernel->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (kernel->theta[middle] > theta)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* In Hermite's form: u = h - h_k, w the width; the cubic is value + slope u + c2 u^2 + c3 u^3. */
void armilla_kernel_table_cubic(const armilla_kernel *kernel, int64_t k, long double cubic[4])
{
    long double w, s = secant(kernel, k, &w), d0 = kernel->slope[k], d1 = kernel->slope[k + 1];
    cubic[0] = kernel->value[k];
    cubic[1] = d0;
    cubic[2] = (3 * s - 2 * d0 - d1) / w;
    cubic[3] = (d0 + d1 - 2 * s) / (w * w);
}

long double armilla_kernel_table_value(const armilla_kernel *kernel, long double theta)
{
    const int64_t last = kernel->count - 1, next = armilla_kernel_table_beyond(kernel, theta);
    if (next == 0) return kernel->value[0];
    if (next > last) return theta > kernel->theta[last] ? 0 : (long double)kernel->value[last];
    long double c[4];
    armilla_kernel_table_cubic(kernel, next - 1, c);
    const long double u = armilla_chord_between(kernel->theta[next - 1], theta);
    return c[0] + u * (c[1] + u * (c[2] + u * c[3]));
}
