/* Problems of alm <-> leg: defaults, sizes, checks. See armilla/leg.h. */
#include "base/colatitude.h"
#include "base/memory.h"
#include "base/options.h"
#include "sht/leg.h"
#include "sht/mode.h"

#include <math.h>

static const int64_t largest_start = (int64_t)1 << 60;

void armilla_leg_problem_init_sized(armilla_leg_problem *problem, size_t size)
{
    const armilla_leg_problem defaults = {.stride = 1};
    armilla_options_give(&defaults, sizeof defaults, problem, size);
}

static armilla_status check_rings(const armilla_leg_problem *problem)
{
    if (problem->nrings < 1)
        return armilla_fail_argument("problem->nrings", problem->nrings, "must be at least 1");
    if (!problem->theta)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "problem->theta = NULL: must be an array");
    for (int64_t i = 0; i < problem->nrings; i++)
        if (!armilla_colatitude_is_good(problem->theta[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "theta[%lld] = %g: must be in 0 .. pi",
                                (long long)i, problem->theta[i]);
    return ARMILLA_OK;
}

static armilla_status check_orders(const armilla_leg_problem *problem)
{
    const int64_t lmax = problem->lmax;
    armilla_status status = armilla_check_band_limit(lmax, 0);
    if (status) return status;
    if (problem->norders < 1 || problem->norders > lmax + 1)
        return armilla_fail_argument("problem->norders", problem->norders,
                                     "must be in 1 .. lmax + 1");
    for (int64_t i = 0; i < problem->norders; i++)
        if (armilla_leg_order(problem, i) < 0 || armilla_leg_order(problem, i) > lmax)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "orders[%lld] = %lld: must be in 0 .. lmax",
                                (long long)i, (long long)armilla_leg_order(problem, i));
    return ARMILLA_OK;
}

/* Two tasks would write the places of an order that is listed twice. Rising lists, the usual case,
 * need no marks. */
static armilla_status check_distinct(const armilla_leg_problem *problem)
{
    const int64_t n = problem->norders;
    int64_t i = 1;
    while (i < n && armilla_leg_order(problem, i) > armilla_leg_order(problem, i - 1)) i++;
    if (i >= n) return ARMILLA_OK;
    char *seen;
    armilla_status status = armilla_allocate_zero(&seen, problem->lmax + 1, sizeof *seen);
    for (i = 0; i < n && !status; i++) {
        const int64_t m = armilla_leg_order(problem, i);
        if (seen[m])
            status =
                armilla_fail(ARMILLA_ERROR_ARGUMENT,
                             "orders[%lld] = %lld: stands in the list before, and no two may be "
                             "alike",
                             (long long)i, (long long)m);
        seen[m] = 1;
    }
    armilla_release(seen);
    return status;
}

static armilla_status check_places(const armilla_leg_problem *problem)
{
    const int64_t lmax = problem->lmax, stride = problem->stride;
    if (stride == 0 || stride > largest_start / (lmax + 1) || stride < -largest_start / (lmax + 1))
        return armilla_fail_argument("problem->stride", stride, "must not be 0 and fit in 64 bits");
    if (!problem->mstart && stride != 1)
        return armilla_fail_argument("problem->stride", stride, "must be 1 without mstart");
    for (int64_t i = 0; i < problem->norders; i++) {
        int64_t start = armilla_leg_start(problem, i), m = armilla_leg_order(problem, i);
        int bounded = start <= largest_start && start >= -largest_start;
        if (!bounded || start + m * stride < 0 || start + lmax * stride < 0)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "mstart[%lld] = %lld: places must not be negative", (long long)i,
                                (long long)start);
    }
    return ARMILLA_OK;
}

/* Largest place + 1. */
static int64_t places(const armilla_leg_problem *problem)
{
    int64_t size = 0;
    for (int64_t i = 0; i < problem->norders; i++) {
        int64_t m = armilla_leg_order(problem, i);
        int64_t last = armilla_leg_start(problem, i) +
                       (problem->stride > 0 ? problem->lmax : m) * problem->stride;
        if (last >= size) size = last + 1;
    }
    return size;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_leg_problem, isa),
                                  sizeof(armilla_leg_problem), 0};

armilla_status armilla_leg_check(const armilla_leg_problem *problem, armilla_leg_problem *resolved)
{
    armilla_status status;
    armilla_leg_problem_init(resolved);
    if (!problem) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "problem = NULL: must be a struct");
    if ((status =
             armilla_options_copy("problem", "armilla_leg_problem", problem, VERSIONS, resolved)) ||
        (status = check_orders(resolved)) || (status = check_distinct(resolved)) ||
        (status = check_rings(resolved)) || (status = check_places(resolved)) ||
        (status = armilla_mode_check("problem", resolved->mode, resolved->spin, resolved->lmax)))
        return status;
    if (resolved->nthreads < 0)
        return armilla_fail_argument("problem->nthreads", resolved->nthreads,
                                     "must be 0 (all) or more");
    const int64_t size = places(resolved);
    if (!resolved->alm_distance) resolved->alm_distance = size;
    if (resolved->alm_distance < size || resolved->alm_distance > largest_start)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "alm_distance = %lld: must be 0 or at least %lld",
                            (long long)resolved->alm_distance, (long long)size);
    return ARMILLA_OK;
}

int64_t armilla_leg_alm_size(const armilla_leg_problem *problem)
{
    armilla_leg_problem resolved;
    return armilla_leg_check(problem, &resolved) ? -1 : places(&resolved);
}
