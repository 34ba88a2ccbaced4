/* The public operators: checked arguments, then execute.c. Const is cast away only to share one
 * view type; inputs are never written. */
#include "sht/execute.h"

#include "base/options.h"

void armilla_exec_init(armilla_exec *exec)
{
    if (exec) *exec = (armilla_exec){.size = sizeof *exec, .ntrans = 1};
}

/* Distances lie between components: where there is only one, none is looked at. */
static armilla_status check_distance(const char *name, int64_t distance, int64_t least,
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

armilla_status armilla_sht_check_exec(const armilla_sht *sht, const armilla_exec *exec,
                                      armilla_exec *resolved)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    armilla_exec_init(resolved);
    armilla_status status =
        armilla_options_copy("exec", "armilla_exec", exec,
                             ARMILLA_END_OF(armilla_exec, progress_data), sizeof *exec, resolved);
    if (status) return status;
    if (resolved->ntrans < 1)
        return armilla_fail_argument("ntrans", resolved->ntrans, "must be at least 1");
    if (resolved->nthreads < 0)
        return armilla_fail_argument("nthreads", resolved->nthreads, "must be 0 (all) or more");
    if (resolved->memory < ARMILLA_MEMORY_ASK || resolved->memory > ARMILLA_MEMORY_DEVICE)
        return armilla_fail_argument("memory", (int64_t)resolved->memory,
                                     "must be an armilla_memory");
    if (!sht->cuda && resolved->memory == ARMILLA_MEMORY_DEVICE)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "memory = ARMILLA_MEMORY_DEVICE: the plan runs on the CPU");
    if (resolved->alm_distance == 0) resolved->alm_distance = sht->layout->size;
    if (resolved->map_distance == 0) resolved->map_distance = sht->npix;
    status = check_distance("alm_distance", resolved->alm_distance, sht->layout->size,
                            resolved->ntrans, sht->nalm);
    return status ? status
                  : check_distance("map_distance", resolved->map_distance, sht->npix,
                                   resolved->ntrans, sht->nmap);
}

armilla_status armilla_sht_check_host_array(const armilla_sht *sht, const char *name,
                                            const void *values)
{
    if (!sht->cuda || !armilla_cuda_is_device_array(values)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "%s: is in device memory, but pseudo_analysis works on arrays of the host",
                        name);
}

static armilla_status to_map(const armilla_sht *sht, int weighted, const void *alm, void *map,
                             int is_float, const armilla_exec *exec)
{
    if (!alm) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "alm = NULL: must be an array");
    if (!map) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map = NULL: must be an array");
    return armilla_sht_to_map(sht, weighted, (armilla_array){(void *)alm, is_float},
                              (armilla_array){map, is_float}, exec);
}

static armilla_status to_alm(const armilla_sht *sht, int weighted, const void *map, void *alm,
                             int is_float, const armilla_exec *exec)
{
    if (!alm) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "alm = NULL: must be an array");
    if (!map) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map = NULL: must be an array");
    return armilla_sht_to_alm(sht, weighted, (armilla_array){(void *)map, is_float},
                              (armilla_array){alm, is_float}, exec);
}

armilla_status armilla_sht_synthesis(const armilla_sht *sht, const double *alm, double *map,
                                     const armilla_exec *exec)
{
    return to_map(sht, 0, alm, map, 0, exec);
}

armilla_status armilla_sht_adjoint_synthesis(const armilla_sht *sht, const double *map, double *alm,
                                             const armilla_exec *exec)
{
    return to_alm(sht, 0, map, alm, 0, exec);
}

armilla_status armilla_sht_analysis(const armilla_sht *sht, const double *map, double *alm,
                                    const armilla_exec *exec)
{
    return to_alm(sht, 1, map, alm, 0, exec);
}

armilla_status armilla_sht_adjoint_analysis(const armilla_sht *sht, const double *alm, double *map,
                                            const armilla_exec *exec)
{
    return to_map(sht, 1, alm, map, 0, exec);
}

armilla_status armilla_sht_synthesis_float(const armilla_sht *sht, const float *alm, float *map,
                                           const armilla_exec *exec)
{
    return to_map(sht, 0, alm, map, 1, exec);
}

armilla_status armilla_sht_adjoint_synthesis_float(const armilla_sht *sht, const float *map,
                                                   float *alm, const armilla_exec *exec)
{
    return to_alm(sht, 0, map, alm, 1, exec);
}

armilla_status armilla_sht_analysis_float(const armilla_sht *sht, const float *map, float *alm,
                                          const armilla_exec *exec)
{
    return to_alm(sht, 1, map, alm, 1, exec);
}

armilla_status armilla_sht_adjoint_analysis_float(const armilla_sht *sht, const float *alm,
                                                  float *map, const armilla_exec *exec)
{
    return to_map(sht, 1, alm, map, 1, exec);
}
