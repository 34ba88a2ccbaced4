/* What a kernel looks like: sign and width. */
#include "radial/profile/kernel.h"

#include <math.h>

/* Samples per radian that no wave of the kernel slips through: eight per period. */
static double sampling(const armilla_kernel *kernel)
{
    return 8 * (armilla_kernel_frequency(kernel) + 1) / (2 * M_PI);
}

static long double value_at(const armilla_kernel *kernel, long double theta)
{
    long double value;
    armilla_kernel_evaluate(kernel, 1, &theta, &value);
    return value;
}

static int is_table_negative(const armilla_kernel *kernel, double support)
{
    int negative = armilla_kernel_table_value(kernel, support) < 0 || kernel->value[0] < 0;
    for (int64_t i = 0; i < kernel->count && kernel->theta[i] <= support; i++)
        negative |= kernel->value[i] < 0;
    return negative;
}

int armilla_kernel_is_negative(const armilla_kernel *kernel, double support)
{
    if (kernel->positive) return 0;
    if (kernel->form == ARMILLA_KERNEL_TABLE) return is_table_negative(kernel, support);
    const double end = fmin(support, armilla_kernel_extent(kernel));
    const int64_t steps = (int64_t)ceil(end * sampling(kernel));
    long double peak = 0, least = 0;
    for (int64_t i = 0; i <= steps; i++) {
        const long double value = value_at(kernel, (long double)end * i / steps);
        peak = fmaxl(peak, fabsl(value));
        least = fminl(least, value);
        if (least < -1e-13L * peak) return 1;
    }
    return 0;
}

/* |K| falls through `half` between low and high. */
static double bisect(const armilla_kernel *kernel, long double half, long double low,
                     long double high)
{
    for (int i = 0; i < 60; i++) {
        const long double middle = (low + high) / 2;
        *(fabsl(value_at(kernel, middle)) > half ? &low : &high) = middle;
    }
    return (double)high;
}

static double table_half_width(const armilla_kernel *kernel, long double half)
{
    for (int64_t k = 1; k < kernel->count; k++)
        if (fabs(kernel->value[k]) <= half)
            return bisect(kernel, half, kernel->theta[k - 1], kernel->theta[k]);
    const double last = kernel->theta[kernel->count - 1];
    return last < M_PI ? last : M_PI;
}

double armilla_kernel_half_width(const armilla_kernel *kernel)
{
    const long double half = fabsl(value_at(kernel, 0)) / 2;
    if (half == 0) return M_PI;
    if (kernel->form == ARMILLA_KERNEL_TOPHAT) return (double)kernel->angle;
    if (kernel->form == ARMILLA_KERNEL_TABLE) return table_half_width(kernel, half);
    const double end = armilla_kernel_extent(kernel);
    const int64_t steps = (int64_t)ceil(end * sampling(kernel));
    for (int64_t i = 1; i <= steps; i++) {
        const long double theta = (long double)end * i / steps;
        if (fabsl(value_at(kernel, theta)) <= half)
            return bisect(kernel, half, (long double)end * (i - 1) / steps, theta);
    }
    return M_PI;
}
