/* What the tests of kernels share: a list of kernels of every kind. */
#ifndef ARMILLA_TESTS_KERNEL_SUPPORT_H
#define ARMILLA_TESTS_KERNEL_SUPPORT_H

#include "base/memory.h"
#include "oracle/checks.h"
#include "radial/profile/kernel.h"

#include <math.h>
#include <stdlib.h>

#define DEGREE (M_PI / 180)

enum { KERNELS = 14, MOST_ALLOCATIONS = 100 };

static inline armilla_status table_kernel(int64_t count, armilla_kernel **kernel)
{
    double *theta = checked_malloc(count, 8), *value = checked_malloc(count, 8);
    uint64_t stream = 7;
    for (int64_t i = 0; i < count; i++) {
        theta[i] = 0.5 * ((double)i + 0.8 + 0.3 * random_next(&stream)) / (double)count;
        value[i] = random_next(&stream);
    }
    armilla_status status = armilla_kernel_new_table(count, theta, value, kernel);
    free(value);
    free(theta);
    return status;
}

static inline armilla_status window_kernel(int64_t lmax, armilla_kernel **kernel)
{
    double *window = checked_malloc(lmax + 1, 8);
    random_fill(8, lmax + 1, window);
    for (int64_t l = 0; l <= lmax; l++) window[l] *= exp(-33 * pow((double)l / (double)lmax, 2));
    armilla_status status = armilla_kernel_new_window(lmax, window, kernel);
    free(window);
    return status;
}

/* Kernel `number` of the list. 4, 5: on both sides of the border between the two ways of making
 * Gaussians. */
static inline armilla_status new_number(int number, armilla_kernel **kernel)
{
    switch (number) {
    case 0:
        return armilla_kernel_new_gaussian(4.7 / 60 * DEGREE, kernel);
    case 1:
        return armilla_kernel_new_mexican_hat(4.7 / 60 * DEGREE, kernel);
    case 2:
        return armilla_kernel_new_gaussian(DEGREE, kernel);
    case 3:
        return armilla_kernel_new_mexican_hat(3 * DEGREE, kernel);
    case 4:
        return armilla_kernel_new_mexican_hat(0.2354, kernel);
    case 5:
        return armilla_kernel_new_mexican_hat(0.2356, kernel);
    case 6:
        return armilla_kernel_new_gaussian(1, kernel);
    case 7:
        return armilla_kernel_new_needlet(2, 4, kernel);
    case 8:
        return armilla_kernel_new_needlet(1.3, 14, kernel);
    case 9:
        return window_kernel(20, kernel);
    case 10:
        return window_kernel(64, kernel);
    case 11:
        return armilla_kernel_new_tophat(0.2, kernel);
    case 12:
        return table_kernel(2, kernel);
    default:
        return table_kernel(77, kernel);
    }
}

static inline armilla_kernel *kernel_number(int number)
{
    armilla_kernel *kernel = NULL;
    check_ok(new_number(number, &kernel));
    return kernel;
}

static inline double kernel_at(const armilla_kernel *kernel, double theta)
{
    double value;
    check_ok(armilla_kernel_values(kernel, 1, &theta, &value));
    return value;
}

#endif
