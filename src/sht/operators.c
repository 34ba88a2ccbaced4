/* The public operators: checked arguments, then execute.c. Const is cast away only to share one
 * view type; inputs are never written. */
#include "sht/execute.h"

#include "sht/call.h"
#include "sht/missing.h"

armilla_status armilla_sht_check_exec(const armilla_sht *sht, const armilla_exec *exec,
                                      armilla_exec *resolved)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    const armilla_call_arrays arrays = {sht->form.numbers, sht->nalm, sht->npix, sht->nmap};
    return armilla_call_check(&arrays, sht->cuda != NULL, exec, resolved);
}

armilla_status armilla_sht_check_missing(const armilla_sht *sht, armilla_array map, int64_t fields,
                                         const double *weights, const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_status status = armilla_sht_check_exec(sht, exec, &resolved);
    if (status || !resolved.missing) return status;
    const armilla_missing_maps maps = {map, resolved.map_distance, weights};
    const int64_t ncomponents = resolved.ntrans * fields * sht->nmap;
    if (!sht->cuda) return armilla_missing_check(sht->grid, ncomponents, &maps, &resolved);
    return armilla_missing_check_there(armilla_cuda_device(sht->cuda), sht->grid, ncomponents,
                                       &maps, &resolved);
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
    const armilla_array maps = {(void *)map, is_float};
    armilla_status status = armilla_sht_check_missing(sht, maps, 1, NULL, exec);
    if (status) return status;
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
