/* Fills in and checks how a call runs: threads, transforms, distances, missing values. */
#include "base/exec.h"

#include "base/options.h"

void armilla_exec_init_sized(armilla_exec *exec, size_t size)
{
    const armilla_exec defaults = {.ntrans = 1};
    armilla_options_give(&defaults, sizeof defaults, exec, size);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_exec, progress_data),
                                  ARMILLA_END_OF(armilla_exec, stream), sizeof(armilla_exec), 0};

armilla_status armilla_exec_take(const armilla_exec *exec, armilla_exec *resolved)
{
    armilla_exec_init(resolved);
    armilla_status status = armilla_options_copy("exec", "armilla_exec", exec, VERSIONS, resolved);
    if (status) return status;
    if (resolved->ntrans < 1)
        return armilla_fail_argument("ntrans", resolved->ntrans, "must be at least 1");
    if (resolved->missing != ARMILLA_MISSING_PROPAGATE &&
        resolved->missing != ARMILLA_MISSING_ERROR)
        return armilla_fail_argument("missing", (int64_t)resolved->missing,
                                     "must be an armilla_missing");
    if (resolved->nthreads < 0)
        return armilla_fail_argument("nthreads", resolved->nthreads, "must be 0 (all) or more");
    return ARMILLA_OK;
}

armilla_status armilla_exec_check_memory(const armilla_exec *exec, int has_device)
{
    if (exec->memory < ARMILLA_MEMORY_ASK || exec->memory > ARMILLA_MEMORY_DEVICE)
        return armilla_fail_argument("memory", (int64_t)exec->memory, "must be an armilla_memory");
    if (has_device || exec->memory != ARMILLA_MEMORY_DEVICE) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "memory = ARMILLA_MEMORY_DEVICE: the call runs on the CPU");
}

armilla_status armilla_exec_check_distance(const char *name, int64_t distance, int64_t least,
                                           int64_t ntrans, int64_t ncomp)
{
    if (ntrans == 1 && ncomp == 1) return ARMILLA_OK;
    if (distance < least)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = %lld: must be 0 or at least %lld", name,
                            (long long)distance, (long long)least);
    if (distance > INT64_MAX / 16 / ncomp / ntrans) /* 16 bytes: a complex number */
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "ntrans = %lld: times %s = %lld does not fit in 64 bits",
                            (long long)ntrans, name, (long long)distance);
    return ARMILLA_OK;
}
