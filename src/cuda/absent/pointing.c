/* Lensing in a library without CUDA: no pointing begins, and nothing else is ever called. */
#include "cuda/pointing.h"

#include "cuda/transform.h"

static armilla_status fail_absent(void)
{
    return armilla_cuda_check_device();
}

armilla_status armilla_cuda_pointing_new(const armilla_cuda_pointing_problem *problem,
                                         armilla_cuda_pointing **pointing)
{
    (void)problem, (void)pointing;
    return fail_absent();
}

void armilla_cuda_pointing_free(armilla_cuda_pointing *pointing)
{
    (void)pointing;
}

int64_t armilla_cuda_pointing_bytes(const armilla_cuda_pointing *pointing)
{
    (void)pointing;
    return 0;
}

int64_t armilla_cuda_pointing_count(const armilla_cuda_pointing *pointing)
{
    (void)pointing;
    return 0;
}

int armilla_cuda_pointing_device(const armilla_cuda_pointing *pointing)
{
    (void)pointing;
    return 0;
}

int armilla_cuda_pointing_is_placed(const armilla_cuda_pointing *pointing)
{
    (void)pointing;
    return 0;
}

const double *armilla_cuda_pointing_points(const armilla_cuda_pointing *pointing)
{
    (void)pointing;
    return NULL;
}

armilla_status armilla_cuda_pointing_fetch(const armilla_cuda_pointing *pointing, double *points,
                                           double *gamma)
{
    (void)pointing, (void)points, (void)gamma;
    return fail_absent();
}

armilla_status armilla_cuda_deflection_open(const armilla_cuda_pointing *pointing,
                                            const armilla_cuda_deflection_parts *parts,
                                            armilla_cuda_deflection *deflection)
{
    (void)pointing, (void)parts, (void)deflection;
    return fail_absent();
}

void armilla_cuda_deflection_close(armilla_cuda_deflection *deflection)
{
    (void)deflection;
}

armilla_status armilla_cuda_pointing_deflect(armilla_cuda_pointing *pointing,
                                             const armilla_cuda_deflection *deflection,
                                             int64_t *bad)
{
    (void)pointing, (void)deflection, (void)bad;
    return fail_absent();
}

armilla_status armilla_cuda_deflection_fetch(const armilla_cuda_pointing *pointing,
                                             const armilla_cuda_deflection *deflection,
                                             int64_t place, double alpha[2])
{
    (void)pointing, (void)deflection, (void)place, (void)alpha;
    return fail_absent();
}

armilla_status armilla_cuda_lensed_open(const armilla_cuda_pointing *pointing,
                                        const armilla_cuda_lensed_call *call,
                                        armilla_cuda_lensed **lensed)
{
    (void)pointing, (void)call, (void)lensed;
    return fail_absent();
}

int64_t armilla_cuda_lensed_bytes(const armilla_cuda_pointing *pointing, int64_t ncomp)
{
    (void)pointing, (void)ncomp;
    return 0;
}

int64_t armilla_cuda_lensed_room(const armilla_cuda_lensed *lensed, int64_t batch)
{
    (void)lensed, (void)batch;
    return 0;
}

armilla_status armilla_cuda_lensed_begin(armilla_cuda_lensed *lensed, int64_t batch)
{
    (void)lensed, (void)batch;
    return fail_absent();
}

int64_t armilla_cuda_lensed_batch(const armilla_cuda_lensed *lensed)
{
    (void)lensed;
    return 1;
}

double *armilla_cuda_lensed_values(const armilla_cuda_lensed *lensed, int64_t t, int64_t *distance)
{
    (void)lensed, (void)t, (void)distance;
    return NULL;
}

armilla_memory armilla_cuda_lensed_memory(const armilla_cuda_lensed *lensed)
{
    (void)lensed;
    return ARMILLA_MEMORY_ASK;
}

void armilla_cuda_lensed_move(armilla_cuda_lensed *lensed, int64_t t, int64_t count)
{
    (void)lensed, (void)t, (void)count;
}

armilla_status armilla_cuda_lensed_close(armilla_cuda_lensed *lensed)
{
    (void)lensed;
    return fail_absent();
}
