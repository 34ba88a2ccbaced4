/* The public operators: checked arguments, then execute.c. */
#include "sht/execute.h"

#include "call/call.h"

armilla_call_arrays armilla_sht_call_arrays(const armilla_sht *sht, int64_t fields)
{
    return (armilla_call_arrays){.alm_size = sht->form.numbers,
                                 .nalm = fields * sht->nalm,
                                 .npix = sht->npix,
                                 .nmap = fields * sht->nmap,
                                 .grid = sht->grid,
                                 .ndevices = sht->cuda != NULL,
                                 .device = armilla_cuda_device(sht->cuda)};
}

static armilla_status operate(const armilla_sht *sht, int weighted, int to_map, armilla_array alm,
                              armilla_array map, const armilla_exec *exec)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    const armilla_call_arrays arrays = armilla_sht_call_arrays(sht, 1);
    armilla_call call = armilla_call_of(to_map, alm, map);
    const armilla_status status = armilla_call_open(&arrays, exec, &call);
    return status ? status : armilla_sht_run(sht, weighted, &call);
}

armilla_status armilla_sht_synthesis(const armilla_sht *sht, const double *alm, double *map,
                                     const armilla_exec *exec)
{
    return operate(sht, 0, 1, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_sht_adjoint_synthesis(const armilla_sht *sht, const double *map, double *alm,
                                             const armilla_exec *exec)
{
    return operate(sht, 0, 0, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_sht_analysis(const armilla_sht *sht, const double *map, double *alm,
                                    const armilla_exec *exec)
{
    return operate(sht, 1, 0, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_sht_adjoint_analysis(const armilla_sht *sht, const double *alm, double *map,
                                            const armilla_exec *exec)
{
    return operate(sht, 1, 1, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_sht_synthesis_float(const armilla_sht *sht, const float *alm, float *map,
                                           const armilla_exec *exec)
{
    return operate(sht, 0, 1, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}

armilla_status armilla_sht_adjoint_synthesis_float(const armilla_sht *sht, const float *map,
                                                   float *alm, const armilla_exec *exec)
{
    return operate(sht, 0, 0, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}

armilla_status armilla_sht_analysis_float(const armilla_sht *sht, const float *map, float *alm,
                                          const armilla_exec *exec)
{
    return operate(sht, 1, 0, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}

armilla_status armilla_sht_adjoint_analysis_float(const armilla_sht *sht, const float *alm,
                                                  float *map, const armilla_exec *exec)
{
    return operate(sht, 1, 1, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}
