/* Checks what the caller of an operator asks for in armilla_exec against the operator's own arrays,
 * and fills in the distances between transforms that were left 0. */
#include "sht/call.h"

#include "base/exec.h"
#include "base/status.h"

armilla_status armilla_call_check(const armilla_call_arrays *arrays, int has_device,
                                  const armilla_exec *exec, armilla_exec *resolved)
{
    armilla_status status = armilla_exec_take(exec, resolved);
    if (!status) status = armilla_exec_check_memory(resolved, has_device);
    if (status) return status;
    if (resolved->alm_distance == 0) resolved->alm_distance = arrays->alm_size;
    if (resolved->map_distance == 0) resolved->map_distance = arrays->npix;
    status = armilla_exec_check_distance("alm_distance", resolved->alm_distance, arrays->alm_size,
                                         resolved->ntrans, arrays->nalm);
    return status ? status
                  : armilla_exec_check_distance("map_distance", resolved->map_distance,
                                                arrays->npix, resolved->ntrans, arrays->nmap);
}
